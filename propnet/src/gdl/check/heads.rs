//! Heads that no rule may have.

use crate::gdl::finding::Finding;
use crate::gdl::findings::Findings;
use crate::gdl::rules::{Rule, Rules};
use crate::gdl::symbols::{Symbol, word};

pub(super) fn check(rules: &Rules, findings: &mut Findings) {
    for rule in &rules.rules {
        if let Some(finding) = head_finding(rule) {
            findings.push(finding);
        }
    }
}

/// Whether the head is refused here, so that other checks need not add to it.
pub(super) fn is_refused(rule: &Rule) -> bool {
    head_finding(rule).is_some_and(|finding| finding.code != TRUE_FACT)
}

const TRUE_FACT: &str = "true-fact";

fn head_finding(rule: &Rule) -> Option<Finding> {
    let span = rule.head.span;
    let fact = rule.body.is_empty();
    let refuse = |name: &str, why: &str, help: &str| {
        let place = if fact { "a fact" } else { "the head of a rule" };
        let message = format!("`{name}` as {place}: {why}");
        Some(Finding::error("bad-head", span, message).help(help))
    };
    match rule.head.relation {
        word::TRUE if fact => {
            Some(Finding::warning(TRUE_FACT, span, "a `true` fact holds in every state").help(
                "write (init ...) for the first state only, or a relation of your own without \
                 `true` for what always holds",
            ))
        }
        word::TRUE => refuse(
            "true",
            "what is true follows from `init` and `next`",
            "write (next ...), or (init ...) for the first state",
        ),
        word::DOES => refuse(
            "does",
            "the players decide what they do",
            "write (legal ROLE MOVE) for what a player may do",
        ),
        word::ROLE => role_finding(rule),
        word::NOT => refuse(
            "not",
            "rules can only say what holds",
            "leave it out; what no rule concludes is false",
        ),
        word::OR => refuse("or", "a rule has one conclusion", "write a rule for each case"),
        word::AND => refuse("and", "a rule has one conclusion", "write a rule for each part"),
        word::DISTINCT => refuse(
            "distinct",
            "terms are distinct if they are written differently",
            "leave it out, or give the relation another name",
        ),
        word::SEES => Some(
            Finding::error(
                "not-supported",
                span,
                "`sees` belongs to GDL-II, games with hidden information, which is not supported",
            )
            .help("only games in which all players see everything can be played"),
        ),
        _ => None,
    }
}

fn role_finding(rule: &Rule) -> Option<Finding> {
    let head = &rule.head;
    if !rule.body.is_empty() {
        return Some(
            Finding::error("bad-head", head.span, "`role` as the head of a rule with a body")
                .help("write a fact (role NAME) for each player"),
        );
    }
    let mut variable = None;
    head.for_each_variable(&mut |_: Symbol, span| variable = variable.or(Some(span)));
    let place = variable?;
    Some(
        Finding::error("bad-head", place, "a variable in a `role` fact")
            .help("write a fact (role NAME) for each player"),
    )
}
