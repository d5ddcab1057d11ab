//! Rules -> plain conjunctions: `not` pushed inwards, `or` expanded or given a relation of its own.
//!
//! An `or` that stands beside other conditions would multiply with them, so it becomes an
//! auxiliary relation wherever its arms make sense on their own; otherwise it is expanded, unless
//! that would give too many rules.

use super::choices::{TakenChoice, expansion, take_choice};
use super::limits::GroundError;
use super::pace::Pace;
use crate::gdl::{Atom, Literal, LiteralKind, Rule, Rules, Span, Symbol, Symbols, Term, TermKind};

/// A rule expands into at most this many before its `or`s get relations of their own.
const MAX_EXPANSION: usize = 64;

/// A rule whose body is a conjunction.
#[derive(Clone, Debug)]
pub(super) struct PlainRule {
    pub(super) head: Atom,
    pub(super) body: Vec<BodyCondition>,
    pub(super) origin: Span,
}

/// A condition of a conjunction.
#[derive(Clone, Debug)]
pub(super) enum BodyCondition {
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
pub(super) enum Node {
    Plain(BodyCondition),
    Or(Vec<Vec<Node>>),
}

/// The rules without connectives. New relations get names that the sheet does not have.
pub(super) fn plain_rules(
    rules: &Rules,
    symbols: &mut Symbols,
    pace: &mut Pace<'_>,
) -> Result<Vec<PlainRule>, GroundError> {
    let mut plain = Vec::with_capacity(rules.rules.len());
    for rule in &rules.rules {
        expand(rule, &mut plain, symbols, pace)?;
    }
    Ok(plain)
}

/// Adds the plain rules of a rule.
fn expand(
    rule: &Rule,
    plain: &mut Vec<PlainRule>,
    symbols: &mut Symbols,
    pace: &mut Pace<'_>,
) -> Result<(), GroundError> {
    let origin = rule.span;
    let mut work: Vec<(Atom, Vec<Node>)> =
        vec![(rule.head.clone(), conjunction(&rule.body, false))];
    while let Some((head, mut body)) = work.pop() {
        pace.steps(body.len(), origin)?;
        let Some(TakenChoice { arms, shared, context }) = take_choice(&head, &mut body) else {
            let body = body.into_iter().filter_map(Node::into_plain).collect();
            let rule = PlainRule { head, body, origin };
            pace.rule(&rule)?;
            plain.push(rule);
            continue;
        };
        let beside = body.iter().any(Node::is_atom);
        let pays = |context: &Vec<Node>| {
            (context.is_empty() && beside) || expansion(&arms, &body) > MAX_EXPANSION
        };
        if let Some(context) = context.filter(pays) {
            let (atom, rules) = auxiliary(arms, shared, context, origin, symbols);
            body.push(Node::Plain(BodyCondition::Holds(atom)));
            work.push((head, body));
            work.extend(rules);
        } else {
            for arm in arms.into_iter().rev() {
                let body = body.iter().cloned().chain(arm).collect();
                work.push((head.clone(), body));
            }
        }
    }
    Ok(())
}

/// The relation of a choice, and a rule for each of its arms within the context.
fn auxiliary(
    arms: Vec<Vec<Node>>,
    shared: Vec<Symbol>,
    context: Vec<Node>,
    origin: Span,
    symbols: &mut Symbols,
) -> (Atom, Vec<(Atom, Vec<Node>)>) {
    let variable = |&name: &Symbol| Term { kind: TermKind::Variable(name), span: origin };
    let args: Vec<Term> = shared.iter().map(variable).collect();
    let atom = Atom { relation: fresh_name(symbols, "or"), args, span: origin };
    let rules = arms.into_iter().rev().map(|arm| {
        let body = context.iter().cloned().chain(arm).collect();
        (atom.clone(), body)
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
            true => BodyCondition::Fails(atom.clone()),
            false => BodyCondition::Holds(atom.clone()),
        })),
        LiteralKind::Distinct(left, right) => into.push(Node::Plain(BodyCondition::Compare {
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
    fn into_plain(self) -> Option<BodyCondition> {
        match self {
            Node::Plain(condition) => Some(condition),
            Node::Or(_) => None,
        }
    }

    /// Whether it is an atom that must hold, and so binds its variables.
    pub(super) fn is_atom(&self) -> bool {
        matches!(self, Node::Plain(BodyCondition::Holds(_)))
    }

    pub(super) fn for_each_variable(&self, visit: &mut dyn FnMut(Symbol)) {
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

impl BodyCondition {
    pub(super) fn for_each_variable(&self, visit: &mut dyn FnMut(Symbol)) {
        let mut visit = |name: Symbol, _: Span| visit(name);
        match self {
            BodyCondition::Holds(atom) | BodyCondition::Fails(atom) => {
                atom.for_each_variable(&mut visit)
            }
            BodyCondition::Compare { left, right, .. } => {
                left.for_each_variable(&mut visit);
                right.for_each_variable(&mut visit);
            }
            BodyCondition::IsConstant(name) => visit(*name, Span::default()),
        }
    }
}
