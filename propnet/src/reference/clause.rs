//! Rules -> clauses: bodies in negation normal form, variables as slots, relations as numbers.
//!
//! `or` stays what it is, a choice between arms; multiplying it out could grow exponentially.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::gdl::{Atom, Literal, LiteralKind, Rule, Rules, Span, Symbol, Term, TermKind, word};
use crate::terms::{TermId, Terms};

/// A relation, by its index in [`Relations`].
pub(super) type RelationId = usize;

/// The relations of a sheet: a name and a number of arguments each.
pub(super) type Relations = IndexSet<(Symbol, usize), FxBuildHasher>;

/// A term with variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    Slot(usize),
    Ground(TermId),
    Function(Symbol, Vec<Pattern>),
}

/// A relation applied to patterns.
#[derive(Clone, Debug)]
pub(super) struct Sentence {
    pub(super) relation: RelationId,
    pub(super) args: Vec<Pattern>,
}

/// A condition of a clause. `negated` and `equal` are what the enclosing `not`s made of it.
#[derive(Clone, Debug)]
pub(super) enum ClauseCondition {
    /// The sentence is a fact (or, negated, is none).
    Fact { sentence: Sentence, negated: bool },
    /// The two terms are equal (or not).
    Compare { left: Pattern, right: Pattern, equal: bool },
    /// All conditions of at least one arm hold.
    Either(Vec<Vec<ClauseCondition>>),
}

/// A rule, ready to be planned.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub(super) head: Sentence,
    pub(super) body: Vec<ClauseCondition>,
    pub(super) slots: usize,
    pub(super) span: Span,
}

/// The clauses of a sheet with the tables they refer to.
pub(super) fn clauses(rules: &Rules, terms: &mut Terms) -> (Vec<Clause>, Relations) {
    let mut relations = Relations::default();
    for (name, arity) in [
        (word::ROLE, 1),
        (word::INIT, 1),
        (word::TRUE, 1),
        (word::DOES, 2),
        (word::LEGAL, 2),
        (word::NEXT, 1),
        (word::TERMINAL, 0),
        (word::GOAL, 2),
        (word::BASE, 1),
        (word::INPUT, 2),
    ] {
        relations.insert((name, arity));
    }
    let clauses = rules.rules.iter().map(|rule| clause(rule, terms, &mut relations)).collect();
    (clauses, relations)
}

fn clause(rule: &Rule, terms: &mut Terms, relations: &mut Relations) -> Clause {
    let mut reader = ClauseReader { terms, relations, variables: IndexSet::default() };
    let body = reader.conjunction(&rule.body, false);
    let head = reader.sentence(&rule.head);
    Clause { head, body, slots: reader.variables.len(), span: rule.span }
}

struct ClauseReader<'a> {
    terms: &'a mut Terms,
    relations: &'a mut Relations,
    variables: IndexSet<Symbol, FxBuildHasher>,
}

impl ClauseReader<'_> {
    fn conjunction(&mut self, literals: &[Literal], negated: bool) -> Vec<ClauseCondition> {
        let mut conditions = Vec::with_capacity(literals.len());
        for literal in literals {
            self.literal(literal, negated, &mut conditions);
        }
        conditions
    }

    /// Adds what the literal, or its negation, asks to a conjunction.
    fn literal(&mut self, literal: &Literal, negated: bool, into: &mut Vec<ClauseCondition>) {
        match &literal.kind {
            LiteralKind::Atom(atom) => {
                let sentence = self.sentence(atom);
                into.push(ClauseCondition::Fact { sentence, negated });
            }
            LiteralKind::Distinct(left, right) => {
                let (left, right) = (self.pattern(left), self.pattern(right));
                into.push(ClauseCondition::Compare { left, right, equal: negated });
            }
            LiteralKind::Not(inner) => self.literal(inner, !negated, into),
            LiteralKind::And(parts) if !negated => into.extend(self.conjunction(parts, false)),
            LiteralKind::Or(parts) if negated => into.extend(self.conjunction(parts, true)),
            LiteralKind::And(parts) | LiteralKind::Or(parts) => {
                if let [part] = parts.as_slice() {
                    return self.literal(part, negated, into);
                }
                let arms = parts.iter().map(|part| {
                    let mut arm = Vec::new();
                    self.literal(part, negated, &mut arm);
                    arm
                });
                into.push(ClauseCondition::Either(arms.collect()));
            }
        }
    }

    fn sentence(&mut self, atom: &Atom) -> Sentence {
        let (relation, _) = self.relations.insert_full((atom.relation, atom.args.len()));
        let args = atom.args.iter().map(|arg| self.pattern(arg)).collect();
        Sentence { relation, args }
    }

    fn pattern(&mut self, term: &Term) -> Pattern {
        let (name, args) = match &term.kind {
            TermKind::Variable(name) => {
                return Pattern::Slot(self.variables.insert_full(*name).0);
            }
            TermKind::Constant(name) => (*name, Vec::new()),
            TermKind::Function(name, args) => {
                (*name, args.iter().map(|arg| self.pattern(arg)).collect())
            }
        };
        let ground = args.iter().map(|arg| match arg {
            Pattern::Ground(term) => Some(*term),
            Pattern::Slot(_) | Pattern::Function(..) => None,
        });
        // A term of a text that is too large fails when it is built.
        match ground.collect::<Option<Vec<TermId>>>().map(|args| self.terms.intern(name, &args)) {
            Some(Ok(term)) => Pattern::Ground(term),
            Some(Err(_)) | None => Pattern::Function(name, args),
        }
    }
}

impl Pattern {
    /// Calls `visit` for each slot in the pattern.
    pub(super) fn for_each_slot(&self, visit: &mut dyn FnMut(usize)) {
        match self {
            Pattern::Slot(slot) => visit(*slot),
            Pattern::Ground(_) => {}
            Pattern::Function(_, args) => {
                for arg in args {
                    arg.for_each_slot(visit);
                }
            }
        }
    }

    /// Whether the term could be an instance, each variable standing for anything.
    pub(super) fn may_match(&self, term: TermId, terms: &Terms) -> bool {
        match self {
            Pattern::Slot(_) => true,
            Pattern::Ground(ground) => *ground == term,
            Pattern::Function(name, args) => {
                let inner = terms.args(term);
                terms.name(term) == *name
                    && inner.len() == args.len()
                    && args.iter().zip(inner).all(|(arg, &part)| arg.may_match(part, terms))
            }
        }
    }
}

impl Clause {
    /// The conclusion, if the clause is a ground fact.
    pub(super) fn as_fact(&self) -> Option<Box<[TermId]>> {
        let ground = self.head.args.iter().map(|arg| match arg {
            Pattern::Ground(term) => Some(*term),
            Pattern::Slot(_) | Pattern::Function(..) => None,
        });
        ground.collect::<Option<_>>().filter(|_| self.body.is_empty())
    }
}

/// Calls `visit` for each sentence in the conditions, however deep.
pub(super) fn for_each_sentence<'a>(
    conditions: &'a [ClauseCondition],
    visit: &mut dyn FnMut(&'a Sentence, bool),
) {
    for condition in conditions {
        match condition {
            ClauseCondition::Fact { sentence, negated } => visit(sentence, *negated),
            ClauseCondition::Compare { .. } => {}
            ClauseCondition::Either(arms) => {
                for arm in arms {
                    for_each_sentence(arm, visit);
                }
            }
        }
    }
}
