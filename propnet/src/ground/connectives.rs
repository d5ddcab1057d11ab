//! Rules -> plain conjunctions: `not` pushed inwards, `or` expanded or given a relation of its own.
//!
//! An `or` that stands beside other conditions would multiply with them, so it becomes an
//! auxiliary relation wherever its arms make sense on their own; otherwise it is expanded, unless
//! that would give too many rules.

use rustc_hash::FxHashSet;

use crate::gdl::{Atom, Literal, LiteralKind, Rule, Rules, Span, Symbol, Symbols, Term, TermKind};

/// A rule expands into at most this many before its `or`s get relations of their own.
const MAX_EXPANSION: usize = 64;

/// A rule whose body is a conjunction.
#[derive(Clone, Debug)]
pub(super) struct PlainRule {
    pub(super) head: Atom,
    pub(super) body: Vec<Condition>,
    pub(super) origin: Span,
}

/// A condition of a conjunction.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    Holds(Atom),
    Fails(Atom),
    Compare {
        left: Term,
        right: Term,
        equal: bool,
    },
    /// The variable's value is no function term.
    IsConstant(Symbol),
}

/// A condition that may still be a choice.
#[derive(Clone, Debug)]
enum Node {
    Plain(Condition),
    Or(Vec<Vec<Node>>),
}

/// The rules without connectives. New relations get names that the sheet does not have.
pub(super) fn plain_rules(rules: &Rules, symbols: &mut Symbols) -> Vec<PlainRule> {
    let mut work: Vec<(Atom, Vec<Node>, Span)> = rules
        .rules
        .iter()
        .rev()
        .map(|rule: &Rule| (rule.head.clone(), conjunction(&rule.body, false), rule.span))
        .collect();
    let mut plain = Vec::with_capacity(work.len());
    while let Some((head, mut body, origin)) = work.pop() {
        let Some(at) = body.iter().position(|node| matches!(node, Node::Or(_))) else {
            let body = body.into_iter().filter_map(Node::into_plain).collect();
            plain.push(PlainRule { head, body, origin });
            continue;
        };
        let Node::Or(arms) = body.remove(at) else { continue };
        let shared = shared_variables(&arms, &head, &body);
        let beside = body.iter().any(|node| matches!(node, Node::Plain(Condition::Holds(_))));
        let alone = arms.iter().all(|arm| is_closed(arm, &shared));
        if (alone && beside) || expansion(&arms, &body) > MAX_EXPANSION {
            let (atom, rules) = auxiliary(arms, shared, &body, alone, origin, symbols);
            body.push(Node::Plain(Condition::Holds(atom)));
            work.push((head, body, origin));
            work.extend(rules);
        } else {
            for arm in arms.into_iter().rev() {
                let body = body.iter().cloned().chain(arm).collect();
                work.push((head.clone(), body, origin));
            }
        }
    }
    plain
}

/// The relation of a choice, and a rule for each of its arms. Arms that need variables from
/// outside get the conditions that bind them as well.
fn auxiliary(
    arms: Vec<Vec<Node>>,
    shared: Vec<Symbol>,
    beside: &[Node],
    alone: bool,
    origin: Span,
    symbols: &mut Symbols,
) -> (Atom, Vec<(Atom, Vec<Node>, Span)>) {
    let context: Vec<Node> = match alone {
        true => Vec::new(),
        false => {
            let binds = |node: &&Node| matches!(node, Node::Plain(Condition::Holds(_)));
            beside.iter().filter(binds).cloned().collect()
        }
    };
    let variable = |&name: &Symbol| Term { kind: TermKind::Variable(name), span: origin };
    let args: Vec<Term> = shared.iter().map(variable).collect();
    let atom = Atom { relation: fresh_name(symbols, "or"), args, span: origin };
    let rules = arms.into_iter().rev().map(|arm| {
        let body = context.iter().cloned().chain(arm).collect();
        (atom.clone(), body, origin)
    });
    let rules = rules.collect();
    (atom, rules)
}

/// A name that no symbol has yet.
pub(super) fn fresh_name(symbols: &mut Symbols, stem: &str) -> Symbol {
    let mut number = symbols.len();
    loop {
        let name = format!("{stem}_{number}");
        if symbols.get(&name).is_none() {
            return symbols.intern(&name);
        }
        number += 1;
    }
}

fn conjunction(literals: &[Literal], negated: bool) -> Vec<Node> {
    let mut nodes = Vec::with_capacity(literals.len());
    for literal in literals {
        add(literal, negated, &mut nodes);
    }
    nodes
}

/// Adds what a literal, or its negation, asks.
fn add(literal: &Literal, negated: bool, into: &mut Vec<Node>) {
    match &literal.kind {
        LiteralKind::Atom(atom) => into.push(Node::Plain(match negated {
            true => Condition::Fails(atom.clone()),
            false => Condition::Holds(atom.clone()),
        })),
        LiteralKind::Distinct(left, right) => into.push(Node::Plain(Condition::Compare {
            left: left.clone(),
            right: right.clone(),
            equal: negated,
        })),
        LiteralKind::Not(inner) => add(inner, !negated, into),
        LiteralKind::And(parts) if !negated => into.extend(conjunction(parts, false)),
        LiteralKind::Or(parts) if negated => into.extend(conjunction(parts, true)),
        LiteralKind::And(parts) | LiteralKind::Or(parts) => {
            let arms = parts.iter().map(|part| conjunction(std::slice::from_ref(part), negated));
            into.push(Node::Or(arms.collect()));
        }
    }
}

impl Node {
    fn into_plain(self) -> Option<Condition> {
        match self {
            Node::Plain(condition) => Some(condition),
            Node::Or(_) => None,
        }
    }

    fn for_each_variable(&self, visit: &mut dyn FnMut(Symbol)) {
        match self {
            Node::Plain(condition) => condition.for_each_variable(visit),
            Node::Or(arms) => {
                for node in arms.iter().flatten() {
                    node.for_each_variable(visit);
                }
            }
        }
    }
}

impl Condition {
    pub(super) fn for_each_variable(&self, visit: &mut dyn FnMut(Symbol)) {
        let mut visit = |name: Symbol, _: Span| visit(name);
        match self {
            Condition::Holds(atom) | Condition::Fails(atom) => atom.for_each_variable(&mut visit),
            Condition::Compare { left, right, .. } => {
                left.for_each_variable(&mut visit);
                right.for_each_variable(&mut visit);
            }
            Condition::IsConstant(name) => visit(*name, Span::default()),
        }
    }
}

/// The variables of a choice that occur outside it, in the order of their occurrence.
fn shared_variables(arms: &[Vec<Node>], head: &Atom, beside: &[Node]) -> Vec<Symbol> {
    let mut outside = FxHashSet::default();
    head.for_each_variable(&mut |name, _| {
        outside.insert(name);
    });
    for node in beside {
        node.for_each_variable(&mut |name| {
            outside.insert(name);
        });
    }
    let mut shared = Vec::new();
    for node in arms.iter().flatten() {
        node.for_each_variable(&mut |name| {
            if outside.remove(&name) {
                shared.push(name);
            }
        });
    }
    shared
}

/// Whether an arm binds all its own variables and the shared ones.
fn is_closed(arm: &[Node], shared: &[Symbol]) -> bool {
    let bound = bound_by(arm);
    let mut closed = shared.iter().all(|name| bound.contains(name));
    for node in arm {
        node.for_each_variable(&mut |name| closed &= bound.contains(&name));
    }
    closed
}

fn bound_by(arm: &[Node]) -> FxHashSet<Symbol> {
    let mut bound = FxHashSet::default();
    for node in arm {
        match node {
            Node::Plain(Condition::Holds(atom)) => atom.for_each_variable(&mut |name, _| {
                bound.insert(name);
            }),
            Node::Plain(_) => {}
            Node::Or(arms) => {
                let mut sets = arms.iter().map(|arm| bound_by(arm));
                let first = sets.next().unwrap_or_default();
                let common = sets.fold(first, |a, b| a.intersection(&b).copied().collect());
                bound.extend(common);
            }
        }
    }
    bound
}

/// How many rules the expansion of all choices would give, up to the limit.
fn expansion(arms: &[Vec<Node>], beside: &[Node]) -> usize {
    let one_arm = |arm: &Vec<Node>| expansion(&[], arm);
    let choice: usize = arms.iter().map(one_arm).fold(0, usize::saturating_add).max(1);
    beside.iter().fold(choice, |product, node| match node {
        Node::Plain(_) => product,
        Node::Or(arms) => product.saturating_mul(expansion(arms, &[])),
    })
}
