//! The SAT solver behind the proofs, with its work counted.

use std::cell::Cell;

use batsat::{Callbacks, ClauseKind, Lit, SolverInterface, lbool};

/// What became of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It cannot be; [`Solver::was_needed`] says why.
    Never,
    /// It can be; [`Solver::is_true`] says how.
    Possible,
    /// More conflicts than allowed.
    Unknown,
}

/// Clauses, and questions about them.
pub(crate) struct Solver {
    inner: batsat::Solver<Meter>,
    /// Literals of all clauses that were added.
    literals: u64,
}

/// Stops the solver by what it has done, never by a clock.
#[derive(Default)]
struct Meter {
    conflicts: u64,
    /// No more than this many.
    limit: u64,
    decisions: Cell<u64>,
}

impl Callbacks for Meter {
    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        self.conflicts += matches!(kind, ClauseKind::Learnt) as u64;
    }

    fn stop(&self) -> bool {
        self.decisions.set(self.decisions.get() + 1);
        self.conflicts >= self.limit
    }
}

impl Solver {
    pub(crate) fn new() -> Self {
        let inner = batsat::Solver::new(batsat::SolverOpts::default(), Meter::default());
        Solver { inner, literals: 0 }
    }

    /// A literal of a new variable.
    pub(crate) fn literal(&mut self) -> Lit {
        Lit::new(self.inner.new_var_default(), true)
    }

    /// One of the literals is true.
    pub(crate) fn clause(&mut self, literals: &[Lit]) {
        self.literals += literals.len() as u64;
        self.inner.add_clause_reuse(&mut literals.to_vec());
    }

    /// Whether all the literals can be true, found with at most so many conflicts.
    pub(crate) fn ask(&mut self, literals: &[Lit], conflicts: u64) -> Answer {
        let meter = self.inner.cb_mut();
        meter.limit = meter.conflicts + conflicts;
        match self.inner.solve_limited(literals) {
            answer if answer == lbool::FALSE => Answer::Never,
            answer if answer == lbool::TRUE => Answer::Possible,
            _ => Answer::Unknown,
        }
    }

    /// Whether a literal is true in the example of the last answer.
    pub(crate) fn is_true(&self, literal: Lit) -> bool {
        self.inner.value_lit(literal) == lbool::TRUE
    }

    /// Whether the last answer would have been another without this part of the question.
    pub(crate) fn was_needed(&self, literal: Lit) -> bool {
        self.inner.unsat_core_contains_var(literal.var())
    }

    /// How much was done, in about the time that simulation takes to read a gate's input.
    pub(crate) fn effort(&self) -> u64 {
        let meter = self.inner.cb();
        let (decisions, propagations) = (meter.decisions.get(), self.inner.num_propagations());
        40 * self.literals + 100 * (decisions + propagations) + 4_000 * meter.conflicts
    }
}
