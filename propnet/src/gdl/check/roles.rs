//! Roles: what is missing for one of them, and names that are no role.

use rustc_hash::FxHashSet;

use super::{quote, words};
use crate::gdl::finding::Finding;
use crate::gdl::findings::Findings;
use crate::gdl::rules::{Atom, Rule, Rules, Term, TermKind};
use crate::gdl::symbols::{Symbol, word};

pub(super) fn check(rules: &Rules, findings: &mut Findings) {
    let roles: Vec<&Term> = rules.rules.iter().filter_map(role).collect();
    for role in &roles {
        if role.kind == TermKind::Constant(word::RANDOM) {
            findings.push(
                Finding::warning("random-role", role.span, "`random` is an ordinary role here")
                    .help(
                        "its moves are chosen by a player; GDL-II, where `random` chooses by \
                         chance, is not supported",
                    ),
            );
        }
    }
    if roles.is_empty() {
        return;
    }
    check_served(rules, &roles, word::LEGAL, findings);
    check_served(rules, &roles, word::GOAL, findings);
    check_names(rules, &roles, findings);
}

/// The role that a rule declares: roles are the ground `(role NAME)` facts.
fn role(rule: &Rule) -> Option<&Term> {
    match rule.head.args.as_slice() {
        [name] if rule.head.relation == word::ROLE && rule.body.is_empty() && is_ground(name) => {
            Some(name)
        }
        _ => None,
    }
}

/// Roles for which no head with the given word can hold. A sheet without any such rule is
/// reported as a whole.
fn check_served(rules: &Rules, roles: &[&Term], head: Symbol, findings: &mut Findings) {
    let heads = rules.rules.iter().filter(|rule| rule.head.relation == head);
    let named: Vec<&Term> = heads.filter_map(|rule| rule.head.args.first()).collect();
    // A name with a variable could be any role.
    if named.is_empty() || !named.iter().all(|name| is_ground(name)) {
        return;
    }
    let named: FxHashSet<&Term> = named.into_iter().collect();
    let (code, what, form) = if head == word::LEGAL {
        ("no-legal-for-role", "is never given a legal move", "(<= (legal ROLE MOVE) ...)")
    } else {
        ("no-goal-for-role", "has no goal", "(<= (goal ROLE VALUE) ...)")
    };
    for role in roles.iter().filter(|role| !named.contains(*role)) {
        let message = format!("role {} {what}", quote::term(rules, role));
        findings.push(Finding::warning(code, role.span, message).help(format!("add rules {form}")));
    }
}

/// Names that stand where a role should, and are none: each once.
fn check_names(rules: &Rules, roles: &[&Term], findings: &mut Findings) {
    let mut known: FxHashSet<&Term> = roles.iter().copied().collect();
    let mut look = |atom| {
        let Some(name) = role_place(atom) else { return };
        if is_ground(name) && known.insert(name) {
            let message = format!("{} is no role", quote::term(rules, name));
            findings.push(
                Finding::warning("not-a-role", name.span, message)
                    .related(roles[0].span, "the roles are declared by facts such as this")
                    .help("mend the name, or declare it with (role NAME)"),
            );
        }
    };
    for rule in &rules.rules {
        look(&rule.head);
        for literal in &rule.body {
            literal.for_each_atom(false, &mut |atom, _| look(atom));
        }
    }
}

/// The argument of an atom that has to be a role.
fn role_place(atom: &Atom) -> Option<&Term> {
    let asked = matches!(atom.relation, word::DOES | word::LEGAL | word::GOAL | word::INPUT);
    if asked && words::is_well_formed(atom) { atom.args.first() } else { None }
}

fn is_ground(term: &Term) -> bool {
    match &term.kind {
        TermKind::Variable(_) => false,
        TermKind::Constant(_) => true,
        TermKind::Function(_, args) => args.iter().all(is_ground),
    }
}
