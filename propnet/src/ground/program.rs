//! Rules ready for joins: flat atoms over integer columns.
//!
//! `(true (cell ?x ?y b))` becomes the predicate "true cell/3" with three columns, so that joins
//! never look inside a fluent or a move. Function terms in other places stay single values; what
//! they are made of is said by [`Builtin::Build`] beside the atoms.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashSet};
use smallvec::SmallVec;

use crate::gdl::{Span, Symbol, word};
use crate::terms::TermId;

/// A predicate, by its index in [`RuleProgram::predicates`].
pub(super) type PredicateId = usize;

/// What a predicate stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct PredicateKey {
    /// The relation: a word of the language, or the sheet's.
    pub(super) relation: Symbol,
    /// For true, next, init, does and legal: the function their fluents or moves are made with;
    /// `None` for those that are plain constants, and for all other relations.
    pub(super) functor: Option<(Symbol, usize)>,
    /// The number of columns.
    pub(super) arity: usize,
}

/// A column of an atom in a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Arg {
    Variable(usize),
    Value(TermId),
}

/// The columns of an atom.
pub(super) type Args = SmallVec<[Arg; 6]>;

/// A predicate applied to columns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct FlatAtom {
    pub(super) predicate: PredicateId,
    pub(super) args: Args,
}

/// A condition that is no atom.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Builtin {
    /// The values are equal, or not.
    Compare { left: Arg, right: Arg, equal: bool },
    /// The value is the function applied to the arguments.
    Build { value: usize, name: Symbol, args: Args },
    /// The value is no function term.
    IsConstant(usize),
}

/// A rule without `or`, flat.
#[derive(Clone, Debug)]
pub(super) struct FlatRule {
    pub(super) head: FlatAtom,
    pub(super) positive: Vec<FlatAtom>,
    pub(super) negative: Vec<FlatAtom>,
    pub(super) builtins: Vec<Builtin>,
    pub(super) variables: usize,
    /// The rule of the sheet it comes from.
    pub(super) origin: Span,
}

/// All rules with the predicates they are about.
#[derive(Clone, Debug, Default)]
pub(super) struct RuleProgram {
    pub(super) predicates: IndexMap<PredicateKey, (), FxBuildHasher>,
    pub(super) rules: Vec<FlatRule>,
    /// Predicates that only narrow down which instances are of interest: their rules are no
    /// ground rules, and conditions on them are left out of instances.
    pub(super) guards: FxHashSet<PredicateId>,
    /// Predicates whose rules apply only within guards.
    pub(super) wide: FxHashSet<PredicateId>,
    /// Fluents that keep their initial value because every rule for them says so; `true` of them
    /// is read as the static relation `init`.
    pub(super) constant_fluents: IndexSet<PredicateId, FxBuildHasher>,
}

impl RuleProgram {
    pub(super) fn predicate(&mut self, key: PredicateKey) -> PredicateId {
        self.predicates.insert_full(key, ()).0
    }

    pub(super) fn key(&self, predicate: PredicateId) -> PredicateKey {
        self.predicates
            .get_index(predicate)
            .map_or(PredicateKey { relation: word::IF, functor: None, arity: 0 }, |(key, ())| *key)
    }

    /// Bytes held by the rules, roughly.
    pub(super) fn bytes(&self) -> u64 {
        let of_rule = |rule: &FlatRule| {
            let atoms = rule.positive.capacity() + rule.negative.capacity();
            let builtins = rule.builtins.capacity() * size_of::<Builtin>();
            size_of::<FlatRule>() + atoms * size_of::<FlatAtom>() + builtins
        };
        self.rules.iter().map(of_rule).sum::<usize>() as u64
    }

    /// The predicate with the same columns for another relation, if there is one.
    pub(super) fn same_columns(&self, of: PredicateId, relation: Symbol) -> Option<PredicateId> {
        self.predicates.get_index_of(&PredicateKey { relation, ..self.key(of) })
    }
}

impl FlatAtom {
    pub(super) fn variables(&self) -> impl Iterator<Item = usize> + '_ {
        variables_of(&self.args)
    }
}

pub(super) fn variables_of(args: &[Arg]) -> impl Iterator<Item = usize> + '_ {
    args.iter().filter_map(|arg| match arg {
        Arg::Variable(variable) => Some(*variable),
        Arg::Value(_) => None,
    })
}

impl Builtin {
    pub(super) fn for_each_variable(&self, visit: &mut dyn FnMut(usize)) {
        match self {
            Builtin::Compare { left, right, .. } => {
                variables_of(&[*left, *right]).for_each(visit);
            }
            Builtin::Build { value, args, .. } => {
                visit(*value);
                variables_of(args).for_each(visit);
            }
            Builtin::IsConstant(variable) => visit(*variable),
        }
    }
}
