//! Limits and the watch for the stages that work on rules with variables.

use super::connectives::{BodyCondition, PlainRule};
use super::limits::{GroundError, Growth, Limits, Watch};
use crate::gdl::{Atom, Rules, Span, Term, TermKind};

/// The watch is asked once in this number of steps.
const WATCH_EVERY: u64 = 1 << 10;

/// Counts steps and bytes, asks the watch now and then, and says where the work was.
pub(super) struct Pace<'a> {
    rules: &'a Rules,
    limits: Limits,
    watch: &'a mut dyn Watch,
    /// Since the watch was asked.
    steps: u64,
    /// Bytes of the rules made so far, roughly.
    bytes: u64,
    /// The rule of the sheet worked on, and how many rules were made of it.
    current: (Span, u64),
}

impl<'a> Pace<'a> {
    pub(super) fn new(rules: &'a Rules, limits: Limits, watch: &'a mut dyn Watch) -> Self {
        Pace { rules, limits, watch, steps: 0, bytes: 0, current: (Span::default(), 0) }
    }

    /// A step of work on a rule of the sheet.
    pub(super) fn step(&mut self, origin: Span) -> Result<(), GroundError> {
        self.steps(1, origin)
    }

    /// Several steps at once.
    pub(super) fn steps(&mut self, count: usize, origin: Span) -> Result<(), GroundError> {
        self.steps += count as u64;
        if self.steps < WATCH_EVERY {
            return Ok(());
        }
        self.steps = 0;
        if self.watch.proceed() { Ok(()) } else { Err(self.stopped(origin)) }
    }

    /// One more rule of about this size is made of a rule of the sheet.
    pub(super) fn rule(&mut self, made: &PlainRule) -> Result<(), GroundError> {
        if self.current.0 != made.origin {
            self.current = (made.origin, 0);
        }
        self.current.1 += 1;
        self.bytes += bytes_of(made);
        if self.bytes > self.limits.bytes {
            let growth = self.growth(made.origin);
            return Err(GroundError::Limit { what: "bytes", limit: self.limits.bytes, growth });
        }
        self.step(made.origin)
    }

    /// The error of a watch that says no.
    pub(super) fn stopped(&self, origin: Span) -> GroundError {
        GroundError::Stopped { growth: self.growth(origin) }
    }

    fn growth(&self, origin: Span) -> Growth {
        Growth {
            relation: relation_of(self.rules, origin),
            place: self.rules.source.place(origin.start),
            instances: if self.current.0 == origin { self.current.1 } else { 0 },
        }
    }
}

/// What a rule of the sheet concludes: its relation, with the kind of fluent or move.
pub(super) fn relation_of(rules: &Rules, origin: Span) -> String {
    let found = rules.rules.binary_search_by_key(&origin.start, |rule| rule.span.start);
    let Some(rule) = found.ok().map(|at| &rules.rules[at]) else { return String::new() };
    let relation = rules.symbols.name(rule.head.relation);
    match rule.head.args.last().map(|term| &term.kind) {
        Some(TermKind::Function(name, _))
            if super::specialize::takes_fluent_or_move(&rule.head) =>
        {
            format!("{relation} {}", rules.symbols.name(*name))
        }
        _ => relation.to_string(),
    }
}

/// Bytes of a rule, and of the flat rule it will be, roughly.
fn bytes_of(rule: &PlainRule) -> u64 {
    let of_terms = |terms: &[&Term]| terms.iter().map(|term| size(term)).sum::<u64>();
    let of_atom = |atom: &Atom| atom.args.iter().map(size).sum::<u64>() + 200;
    let of_condition = |condition: &BodyCondition| match condition {
        BodyCondition::Holds(atom) | BodyCondition::Fails(atom) => of_atom(atom),
        BodyCondition::Compare { left, right, .. } => of_terms(&[left, right]) + 100,
        BodyCondition::IsConstant(_) => 100,
    };
    of_atom(&rule.head) + rule.body.iter().map(of_condition).sum::<u64>() + 200
}

fn size(term: &Term) -> u64 {
    match &term.kind {
        TermKind::Variable(_) | TermKind::Constant(_) => 50,
        TermKind::Function(_, args) => 100 + args.iter().map(size).sum::<u64>(),
    }
}
