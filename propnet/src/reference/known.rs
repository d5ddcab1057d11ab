//! The fluents that a state may contain, or the moves that may be legal, by what they are called.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::gdl::check::may_unify;
use crate::gdl::{Atom, Rules, Symbol, Term, TermKind};
use crate::terms::{TermId, Terms};

/// A name and its number of arguments.
pub(super) type NameArity = (Symbol, usize);

/// What comparing conditions with all that may be true may take, in steps. Conditions that come
/// after are taken to be possible.
const MAX_STEPS: usize = 20_000_000;

/// Sentences of one relation, whose last argument is the fluent or the move.
pub(super) struct KnownSentences {
    functors: IndexMap<NameArity, Vec<ArgumentEntry>, FxBuildHasher>,
    /// A head could conclude any fluent or move.
    anything: bool,
    budget: usize,
}

/// Arguments that a sentence may have.
enum ArgumentEntry {
    /// These very terms.
    Row(Box<[TermId]>),
    /// All instances of what the head of a rule has.
    Head(Vec<Term>),
}

/// Why a condition cannot hold.
pub(super) enum Verdict {
    /// Nothing is called so.
    NoFunctor,
    /// There are such moves, but none of this role.
    NotOfRole,
    /// The term at this position never occurs there; those that do, as far as they are known.
    NoValue { at: usize, values: Vec<TermId> },
    /// Each part occurs, but not with the others.
    NotTogether,
}

impl KnownSentences {
    /// From the rows of a relation.
    pub(super) fn from_rows<'r>(rows: impl Iterator<Item = &'r [TermId]>, terms: &Terms) -> Self {
        let mut known = KnownSentences::empty();
        for row in rows {
            let Some(&subject) = row.last() else { continue };
            let functor = (terms.name(subject), terms.args(subject).len());
            known.functors.entry(functor).or_default().push(ArgumentEntry::Row(row.into()));
        }
        known
    }

    /// From the heads of all rules for some relations.
    pub(super) fn from_heads(rules: &Rules, wanted: impl Fn(Symbol) -> bool) -> Self {
        let mut known = KnownSentences::empty();
        for rule in rules.rules.iter().filter(|rule| wanted(rule.head.relation)) {
            match rule.head.args.last().and_then(functor) {
                Some(functor) => {
                    let entry = ArgumentEntry::Head(rule.head.args.clone());
                    known.functors.entry(functor).or_default().push(entry);
                }
                None => known.anything = true,
            }
        }
        known
    }

    fn empty() -> Self {
        KnownSentences { functors: IndexMap::default(), anything: false, budget: MAX_STEPS }
    }

    /// What there is, by name.
    pub(super) fn functors(&self) -> impl Iterator<Item = NameArity> {
        self.functors.keys().copied()
    }

    /// Why no sentence fits the arguments of a condition; none if one may.
    pub(super) fn refute(&mut self, atom: &Atom, terms: &Terms) -> Option<Verdict> {
        let subject = atom.args.last()?;
        let functor = functor(subject)?;
        if self.anything || self.budget == 0 {
            return None;
        }
        let Some(entries) = self.functors.get(&functor) else { return Some(Verdict::NoFunctor) };
        let roles = &atom.args[..atom.args.len() - 1];
        let mut of_role = Vec::new();
        for entry in entries {
            if !entry.fits(roles, terms, &mut self.budget) {
                continue;
            }
            if entry.fits(&atom.args, terms, &mut self.budget) {
                return None;
            }
            of_role.push(entry);
        }
        if self.budget == 0 {
            return None;
        }
        if of_role.is_empty() {
            return Some(Verdict::NotOfRole);
        }
        Some(why(&of_role, subject, terms, &mut self.budget))
    }
}

/// The first argument that is to blame for a fluent or move that none of the entries is.
fn why(entries: &[&ArgumentEntry], subject: &Term, terms: &Terms, budget: &mut usize) -> Verdict {
    let TermKind::Function(_, args) = &subject.kind else { return Verdict::NotTogether };
    for (at, arg) in args.iter().enumerate() {
        let mut values: Vec<TermId> = Vec::new();
        let mut occurs = false;
        for entry in entries {
            // Heads do not determine values.
            let ArgumentEntry::Row(row) = entry else { return Verdict::NotTogether };
            let Some(&value) = row.last().and_then(|&last| terms.args(last).get(at)) else {
                continue;
            };
            *budget = budget.saturating_sub(1);
            occurs |= matches(arg, value, terms, budget);
            values.push(value);
        }
        if !occurs {
            values.sort_unstable();
            values.dedup();
            return Verdict::NoValue { at, values };
        }
    }
    Verdict::NotTogether
}

impl ArgumentEntry {
    /// Whether the first arguments may be these.
    fn fits(&self, args: &[Term], terms: &Terms, budget: &mut usize) -> bool {
        match self {
            ArgumentEntry::Row(row) => {
                args.iter().zip(row).all(|(arg, &id)| matches(arg, id, terms, budget))
            }
            ArgumentEntry::Head(head) => may_unify(args, &head[..args.len()], budget),
        }
    }
}

/// Whether a term could be an instance, each variable standing for anything.
fn matches(pattern: &Term, term: TermId, terms: &Terms, budget: &mut usize) -> bool {
    *budget = budget.saturating_sub(1);
    match &pattern.kind {
        TermKind::Variable(_) => true,
        TermKind::Constant(name) => terms.name(term) == *name && terms.args(term).is_empty(),
        TermKind::Function(name, args) => {
            let inner = terms.args(term);
            terms.name(term) == *name
                && inner.len() == args.len()
                && args.iter().zip(inner).all(|(arg, &part)| matches(arg, part, terms, budget))
        }
    }
}

/// What a fluent or move is called; `None` for a variable.
pub(super) fn functor(term: &Term) -> Option<NameArity> {
    match &term.kind {
        TermKind::Variable(_) => None,
        TermKind::Constant(name) => Some((*name, 0)),
        TermKind::Function(name, args) => Some((*name, args.len())),
    }
}
