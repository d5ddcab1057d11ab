//! Goal values.

use super::quote;
use crate::gdl::finding::Finding;
use crate::gdl::findings::Findings;
use crate::gdl::rules::{Rules, TermKind};
use crate::gdl::symbols::word;

/// Values that are written out must be integers from 0 to 100. What a variable stands for is not
/// known before evaluation.
pub(super) fn check_values(rules: &Rules, findings: &mut Findings) {
    for rule in rules.rules.iter().filter(|rule| rule.head.relation == word::GOAL) {
        let [_, value] = rule.head.args.as_slice() else { continue };
        let good = match value.kind {
            TermKind::Variable(_) => true,
            TermKind::Constant(name) => is_goal_value(rules.symbols.name(name)),
            TermKind::Function(..) => false,
        };
        if !good {
            let text = quote::term(rules, value);
            let message = format!("goal value {text} is no integer from 0 to 100");
            findings.push(
                Finding::warning("goal-value", value.span, message)
                    .help("100 is a win, 0 a loss; scale the values to fit between"),
            );
        }
    }
}

fn is_goal_value(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
        && text.parse::<u64>().is_ok_and(|value| value <= 100)
}
