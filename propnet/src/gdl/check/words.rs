//! The words of GDL: how many arguments they take, and where they may stand.

use smallvec::SmallVec;

use super::quote;
use crate::gdl::finding::Finding;
use crate::gdl::findings::Findings;
use crate::gdl::rules::{Atom, Rules};
use crate::gdl::symbols::{Symbol, word};

/// Each word with its number of arguments and the way it is written.
const FORMS: [(Symbol, usize, &str); 11] = [
    (word::ROLE, 1, "(role NAME)"),
    (word::INIT, 1, "(init FACT)"),
    (word::TRUE, 1, "(true FACT)"),
    (word::DOES, 2, "(does ROLE MOVE)"),
    (word::LEGAL, 2, "(legal ROLE MOVE)"),
    (word::NEXT, 1, "(next FACT)"),
    (word::TERMINAL, 0, "terminal, by itself"),
    (word::GOAL, 2, "(goal ROLE VALUE)"),
    (word::BASE, 1, "(base FACT)"),
    (word::INPUT, 2, "(input ROLE MOVE)"),
    (word::SEES, 2, "(sees ROLE PERCEPT)"),
];

pub(super) fn check(rules: &Rules, findings: &mut Findings) {
    for rule in &rules.rules {
        check_form(rules, &rule.head, findings);
        let mut seen: SmallVec<[Symbol; 4]> = SmallVec::new();
        for literal in &rule.body {
            literal.for_each_atom(false, &mut |atom, _| {
                check_form(rules, atom, findings);
                if head_only(atom.relation) && !seen.contains(&atom.relation) {
                    seen.push(atom.relation);
                    findings.push(in_body(rules, atom));
                }
            });
        }
    }
}

/// Whether GDL itself gives the relation a meaning.
pub(super) fn is_word(symbol: Symbol) -> bool {
    FORMS.iter().any(|&(name, ..)| name == symbol)
}

/// Whether the atom has the number of arguments its word takes.
pub(super) fn is_well_formed(atom: &Atom) -> bool {
    FORMS.iter().all(|&(name, arity, _)| name != atom.relation || arity == atom.args.len())
}

fn check_form(rules: &Rules, atom: &Atom, findings: &mut Findings) {
    // A head `sees` is refused whatever its arguments.
    if is_well_formed(atom) || atom.relation == word::SEES {
        return;
    }
    let Some((_, arity, form)) = FORMS.iter().find(|form| form.0 == atom.relation) else { return };
    let (wanted, given) = (quote::arguments(*arity), quote::arguments(atom.args.len()));
    let name = quote::name(rules, atom.relation);
    let message = format!("{name} takes {wanted}, but here it has {}", given);
    findings.push(Finding::error("word-arity", atom.span, message).help(format!("write {form}")));
}

/// The words that belong in heads.
fn head_only(symbol: Symbol) -> bool {
    matches!(symbol, word::INIT | word::NEXT | word::LEGAL | word::GOAL)
}

fn in_body(rules: &Rules, atom: &Atom) -> Finding {
    let name = quote::name(rules, atom.relation);
    let why = match atom.relation {
        word::INIT | word::NEXT => "the specification has it in heads only",
        _ => "not every player computes it for other rules",
    };
    let message = format!("{name} in a body: {why}");
    Finding::warning("word-in-body", atom.span, message).help(
        "accepted here; to be safe, give the conditions a relation of their own and use it in both \
         rules",
    )
}
