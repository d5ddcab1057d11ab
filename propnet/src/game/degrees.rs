//! The degree to which a goal is reached in a state: fuzzy logic over the rules of goals.
//!
//! ```text
//! fluent       1 if it is true in the state, else 0
//! not x        1 - degree(x)
//! conditions   the mean of their degrees; 1 where there are none
//! alternatives the highest of their degrees; 0 where there are none
//! ```
//!
//! Schiffel and Thielscher 2007, "Fluxplayer: A Successful General Game Player", value a state in this
//! spirit, with other norms. A mean and a maximum keep what has been achieved visible however many
//! conditions there are. What a condition is, the ground rules say: grounding leaves out those that always
//! hold, and may put the conditions of a relation's only rule in its place. A degree is not a truth value: what is true by the rules may have a degree
//! below 1 where it depends on the negation of something that is partly achieved.

use super::state::{Role, State};

/// The rules of all goals, ready to be evaluated. It is made once for a game, and threads share it.
#[derive(Clone, Debug, Default)]
pub struct GoalDegrees {
    /// The fluents that the rules read; their degrees come first.
    pub(crate) fluents: Vec<usize>,
    /// What is computed from them, dependencies first.
    pub(crate) formulas: Vec<Formula>,
    /// The terms of all formulas.
    pub(crate) terms: Vec<DegreeTerm>,
    /// Formulas that depend on each other, in order.
    pub(crate) loops: Vec<FormulaLoop>,
    /// By role: its goal values, ascending.
    pub(crate) goals: Vec<Vec<(i32, DegreeTerm)>>,
}

/// A fluent or a formula, by its place among the degrees, or what is left of it to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DegreeTerm(u32);

impl DegreeTerm {
    pub(crate) fn new(place: usize, negated: bool) -> Self {
        DegreeTerm((place as u32) << 1 | u32::from(negated))
    }

    /// The term, or with `negated` its complement.
    pub(crate) fn complemented(self, negated: bool) -> Self {
        DegreeTerm(self.0 ^ u32::from(negated))
    }

    fn degree(self, degrees: &[f64]) -> f64 {
        let degree = degrees[(self.0 >> 1) as usize];
        if self.0 & 1 == 1 { 1.0 - degree } else { degree }
    }
}

/// How a degree follows from others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Formula {
    pub(crate) kind: FormulaKind,
    /// Where its terms end; they begin where those of the formula before end.
    pub(crate) end: u32,
}

/// What a formula says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FormulaKind {
    /// All of its terms.
    Conditions,
    /// Any of its terms.
    Alternatives,
}

/// Formulas from `start` to `end` that are computed several times, from 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FormulaLoop {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The most sweeps over a loop. Each adds a step to the longest chain that counts in full, and what
/// is further away changes a mean of means by ever less.
const SWEEPS: usize = 16;

impl GoalDegrees {
    /// The degrees of a state's goals, to be asked about roles. The state must be one of the game
    /// that this was made for, of which the indices of fluents are known.
    pub fn of<'d>(&'d self, state: &State, scratch: &'d mut Vec<f64>) -> StateDegrees<'d> {
        scratch.clear();
        scratch.extend(self.fluents.iter().map(|&fluent| f64::from(state.contains(fluent))));
        scratch.resize(self.fluents.len() + self.formulas.len(), 0.0);
        let mut loops = self.loops.iter();
        let mut next = loops.next();
        let mut at = 0;
        while at < self.formulas.len() {
            match next.filter(|found| found.start == at) {
                Some(found) => {
                    self.settle(found, scratch);
                    at = found.end;
                    next = loops.next();
                }
                None => {
                    self.compute(at, scratch);
                    at += 1;
                }
            }
        }
        StateDegrees { goals: &self.goals, degrees: scratch }
    }

    /// How many terms are read for each state.
    pub fn size(&self) -> usize {
        self.terms.len()
    }

    /// Computes the formulas of a loop until nothing changes, or often enough.
    fn settle(&self, found: &FormulaLoop, degrees: &mut [f64]) {
        for _ in 0..SWEEPS {
            let mut has_changed = false;
            for at in found.start..found.end {
                has_changed |= self.compute(at, degrees);
            }
            if !has_changed {
                break;
            }
        }
    }

    /// Computes a formula; returns whether its degree has changed.
    fn compute(&self, at: usize, degrees: &mut [f64]) -> bool {
        let start = if at == 0 { 0 } else { self.formulas[at - 1].end as usize };
        let Formula { kind, end } = self.formulas[at];
        let terms = self.terms[start..end as usize].iter().map(|term| term.degree(degrees));
        let degree = match kind {
            FormulaKind::Conditions if start == end as usize => 1.0,
            FormulaKind::Conditions => terms.sum::<f64>() / (end as usize - start) as f64,
            FormulaKind::Alternatives => terms.fold(0.0, f64::max),
        };
        std::mem::replace(&mut degrees[self.fluents.len() + at], degree) != degree
    }
}

/// The degrees of the goals in one state.
pub struct StateDegrees<'d> {
    goals: &'d [Vec<(i32, DegreeTerm)>],
    degrees: &'d [f64],
}

impl StateDegrees<'_> {
    /// Each goal value of a role, ascending, with its degree.
    pub fn goals(&self, role: Role) -> impl Iterator<Item = (i32, f64)> + '_ {
        self.goals[role].iter().map(|(value, term)| (*value, term.degree(self.degrees)))
    }

    /// The degree of the highest goal of a role; 0 where it has none.
    pub fn highest(&self, role: Role) -> f64 {
        self.goals(role).last().map_or(0.0, |(_, degree)| degree)
    }

    /// The mean of a role's goal values, weighted by their degrees; none where no goal is reached to
    /// any degree.
    pub fn expected(&self, role: Role) -> Option<f64> {
        let (sum, weight) = self.goals(role).fold((0.0, 0.0), |(sum, weight), (value, degree)| {
            (sum + f64::from(value) * degree, weight + degree)
        });
        (weight > 0.0).then(|| sum / weight)
    }
}
