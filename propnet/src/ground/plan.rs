//! FlatRule -> the order in which its conditions are joined.
//!
//! Whatever can be tested is tested at once; of the rest, the condition expected to leave the
//! fewest rows comes next. A dynamic rule has one plan for each of its dynamic conditions, which
//! begins with the rows that are new; so each instance is found exactly once.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::program::{Arg, Args, Builtin, FlatAtom, FlatRule, PredicateId, variables_of};
use super::relation::Relation;
use crate::gdl::Symbol;

/// Which rows of a predicate a scan goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Range {
    /// All there are.
    Everything,
    /// Those that were new at the start of this round.
    New,
    /// Those that were there before these.
    Old,
    /// Both.
    OldAndNew,
}

/// A step of a join.
#[derive(Debug)]
pub(super) enum JoinStep {
    /// Go through the rows that agree with what is known.
    Scan {
        predicate: usize,
        range: Range,
        /// Which index, and what it is asked for; `None` goes through all rows of the range.
        index: Option<(usize, Args)>,
        /// Columns that give values to variables.
        bind: SmallVec<[(usize, usize); 6]>,
        /// Columns that must equal variables bound by this very row, or known values.
        check: SmallVec<[(usize, Arg); 2]>,
        /// Which positive condition this is, for the instance.
        condition: usize,
    },
    /// Go on if the row is there; its number is kept for the instance.
    Find { predicate: usize, range: Range, args: Args, condition: usize },
    /// Go on if the row is not there; only for predicates whose rows are all known or assumed.
    Absent { predicate: usize, args: Args },
    /// Go on if the values are equal, or not.
    Compare { left: Arg, right: Arg, equal: bool },
    /// Take the value apart; go on if it is made with the function and agrees.
    TakeApart { value: Arg, name: Symbol, args: Args, bind: SmallVec<[(usize, usize); 4]> },
    /// Go on if the value is no function term.
    IsConstant(usize),
    /// Put the value together.
    PutTogether { value: usize, name: Symbol, args: Args },
    /// Everything an instance consists of is known: one solution of the rest is enough.
    Once,
}

/// A plan with the sizes it was made for.
#[derive(Debug)]
pub(super) struct JoinPlan {
    pub(super) steps: Vec<JoinStep>,
    pub(super) sizes: Vec<u32>,
}

/// What the planner knows about the predicates.
pub(super) struct JoinPlanner<'a> {
    pub(super) relations: &'a mut [Relation],
    /// Predicates that are fully known: they vanish from instances.
    pub(super) known: &'a [bool],
    /// Predicates about which something is assumed while they are computed.
    pub(super) assumed: &'a [Option<Relation>],
    /// Predicates that are no part of instances.
    pub(super) guards: &'a FxHashSet<PredicateId>,
}

impl JoinPlanner<'_> {
    /// The plan that begins with new rows of the positive condition `new`, or with any.
    pub(super) fn plan(&mut self, rule: &FlatRule, new: Option<usize>) -> JoinPlan {
        let mut order = ConditionOrder {
            bound: vec![false; rule.variables],
            steps: Vec::new(),
            relevant: self.relevant_variables(rule),
            once: false,
        };
        let mut atoms: Vec<usize> = (0..rule.positive.len()).collect();
        let decided =
            |atom: &&FlatAtom| self.known[atom.predicate] || self.assumed[atom.predicate].is_some();
        let mut negative: Vec<&FlatAtom> = rule.negative.iter().filter(decided).collect();
        let mut builtins: Vec<&Builtin> = rule.builtins.iter().collect();
        if let Some(new) = new {
            atoms.retain(|&at| at != new);
            order.scan(&rule.positive[new], Range::New, new, self.relations);
        }
        loop {
            order.tests(&mut negative, &mut builtins);
            let range = |at: usize| match new {
                _ if self.known[rule.positive[at].predicate] => Range::Everything,
                None => Range::OldAndNew,
                Some(new) if at < new => Range::Old,
                Some(_) => Range::OldAndNew,
            };
            // What is wholly known is only looked up, and binds nothing more.
            atoms.retain(|&at| {
                let known = order.all_bound(&rule.positive[at].args);
                if known {
                    order.scan(&rule.positive[at], range(at), at, self.relations);
                }
                !known
            });
            order.once_if_relevant_is_bound();
            let Some(at) = self.cheapest(&atoms, rule, &order.bound) else { break };
            let condition = atoms.remove(at);
            let relations = &mut *self.relations;
            order.scan(&rule.positive[condition], range(condition), condition, relations);
        }
        let sizes = rule.positive.iter().map(|atom| self.relations[atom.predicate].len());
        debug_assert!(order.once, "a variable of an instance is bound by nothing");
        debug_assert!(negative.is_empty() && builtins.is_empty(), "a condition is never asked");
        order.steps.shrink_to_fit();
        JoinPlan { sizes: sizes.collect(), steps: order.steps }
    }

    /// The variables an instance consists of; others may take any one value that fits.
    fn relevant_variables(&self, rule: &FlatRule) -> Vec<bool> {
        let mut relevant = vec![false; rule.variables];
        let part = |atom: &&FlatAtom| {
            !self.known[atom.predicate] && !self.guards.contains(&atom.predicate)
        };
        let atoms = rule.positive.iter().chain(&rule.negative).filter(part);
        for variable in atoms.chain([&rule.head]).flat_map(FlatAtom::variables) {
            relevant[variable] = true;
        }
        relevant
    }

    fn cheapest(&mut self, atoms: &[usize], rule: &FlatRule, bound: &[bool]) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        for (at, &condition) in atoms.iter().enumerate() {
            let atom = &rule.positive[condition];
            let known: SmallVec<[usize; 8]> = (0..atom.args.len())
                .filter(|&column| match atom.args[column] {
                    Arg::Value(_) => true,
                    Arg::Variable(variable) => bound[variable],
                })
                .collect();
            let relation = &mut self.relations[atom.predicate];
            let expected = match known.len() == atom.args.len() {
                true => 0.0,
                false => relation.expected(&known),
            };
            if best.is_none_or(|(_, least)| expected < least) {
                best = Some((at, expected));
            }
        }
        best.map(|(at, _)| at)
    }
}

struct ConditionOrder {
    bound: Vec<bool>,
    steps: Vec<JoinStep>,
    relevant: Vec<bool>,
    once: bool,
}

impl ConditionOrder {
    fn is_bound(&self, arg: Arg) -> bool {
        match arg {
            Arg::Value(_) => true,
            Arg::Variable(variable) => self.bound[variable],
        }
    }

    fn all_bound(&self, args: &[Arg]) -> bool {
        args.iter().all(|&arg| self.is_bound(arg))
    }

    fn once_if_relevant_is_bound(&mut self) {
        let mut both = self.relevant.iter().zip(&self.bound);
        if !self.once && both.all(|(relevant, bound)| *bound || !relevant) {
            self.once = true;
            self.steps.push(JoinStep::Once);
        }
    }

    /// All tests and constructions that are possible now.
    fn tests(&mut self, negative: &mut Vec<&FlatAtom>, builtins: &mut Vec<&Builtin>) {
        loop {
            let before = builtins.len();
            builtins.retain(|builtin| match self.builtin(builtin) {
                Some(step) => {
                    self.steps.push(step);
                    false
                }
                None => true,
            });
            if builtins.len() == before {
                break;
            }
        }
        negative.retain(|atom| {
            let ready = self.all_bound(&atom.args);
            if ready {
                let (predicate, args) = (atom.predicate, atom.args.clone());
                self.steps.push(JoinStep::Absent { predicate, args });
            }
            !ready
        });
    }

    fn builtin(&mut self, builtin: &Builtin) -> Option<JoinStep> {
        match builtin {
            Builtin::Compare { left, right, equal } => self
                .all_bound(&[*left, *right])
                .then(|| JoinStep::Compare { left: *left, right: *right, equal: *equal }),
            Builtin::Build { value, name, args } if self.bound[*value] => {
                let mut bind = SmallVec::new();
                for (at, &arg) in args.iter().enumerate() {
                    if let Arg::Variable(variable) = arg
                        && !std::mem::replace(&mut self.bound[variable], true)
                    {
                        bind.push((at, variable));
                    }
                }
                let value = Arg::Variable(*value);
                Some(JoinStep::TakeApart { value, name: *name, args: args.clone(), bind })
            }
            Builtin::Build { value, name, args } if self.all_bound(args) => {
                self.bound[*value] = true;
                let (value, name, args) = (*value, *name, args.clone());
                Some(JoinStep::PutTogether { value, name, args })
            }
            Builtin::Build { .. } => None,
            Builtin::IsConstant(variable) => {
                self.bound[*variable].then_some(JoinStep::IsConstant(*variable))
            }
        }
    }

    fn scan(
        &mut self,
        atom: &FlatAtom,
        range: Range,
        condition: usize,
        relations: &mut [Relation],
    ) {
        let predicate = atom.predicate;
        if self.all_bound(&atom.args) && range != Range::New {
            let args = atom.args.clone();
            self.steps.push(JoinStep::Find { predicate, range, args, condition });
            return;
        }
        let mut columns = Vec::new();
        let mut key = Args::new();
        let mut bind: SmallVec<[(usize, usize); 6]> = SmallVec::new();
        let mut check = SmallVec::new();
        for (column, &arg) in atom.args.iter().enumerate() {
            match arg {
                arg if self.is_bound(arg) && range == Range::New => check.push((column, arg)),
                Arg::Variable(variable) if bind.iter().any(|&(_, other)| other == variable) => {
                    check.push((column, arg));
                }
                arg if self.is_bound(arg) => {
                    columns.push(column);
                    key.push(arg);
                }
                Arg::Variable(variable) => bind.push((column, variable)),
                Arg::Value(_) => check.push((column, arg)),
            }
        }
        for variable in variables_of(&atom.args) {
            self.bound[variable] = true;
        }
        let index = (!columns.is_empty()).then(|| (relations[predicate].index(&columns), key));
        self.steps.push(JoinStep::Scan { predicate, range, index, bind, check, condition });
    }
}
