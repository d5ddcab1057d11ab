//! What every sheet must have: roles, moves and an end; and what it should have.

use crate::gdl::finding::Finding;
use crate::gdl::findings::Findings;
use crate::gdl::rules::Rules;
use crate::gdl::symbols::{Symbol, word};

pub(super) fn check(rules: &Rules, findings: &mut Findings) {
    // A head with the wrong number of arguments is reported elsewhere; it is not missing.
    let present = |name: Symbol| rules.rules.iter().any(|rule| rule.head.relation == name);
    if !present(word::ROLE) {
        findings.push(
            Finding::sheet_error("no-role", "no `role`: the sheet names no player")
                .help("add a fact (role NAME) for each player"),
        );
    }
    if !present(word::LEGAL) {
        findings.push(
            Finding::sheet_error("no-legal", "no `legal`: no rule says which moves there are")
                .help(
                    "add rules (<= (legal ROLE MOVE) ...); each player needs a move in each state",
                ),
        );
    }
    if !present(word::TERMINAL) {
        findings.push(
            Finding::sheet_error("no-terminal", "no `terminal`: no rule says when the game ends")
                .help("add a rule (<= terminal ...)"),
        );
    }
    if !present(word::GOAL) {
        findings.push(
            Finding::sheet_warning("no-goal", "no `goal`: no rule says what the players want")
                .help("add rules (<= (goal ROLE VALUE) ...) with values from 0 to 100"),
        );
    }
    if !present(word::INIT) {
        findings.push(
            Finding::sheet_warning("no-init", "no `init`: nothing is true in the first state")
                .help("add facts (init FACT)"),
        );
    }
}
