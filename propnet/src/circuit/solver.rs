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
    /// More work than allowed.
    Unknown,
}

/// Clauses, and questions about them.
pub(crate) struct Solver {
    inner: batsat::Solver<Meter>,
    /// Literals of all clauses that were added.
    literals: u64,
    /// Where clauses are put together.
    clause: Vec<Lit>,
}

/// Stops the solver by what it has done, never by a clock.
#[derive(Default)]
struct Meter {
    /// Decisions made, and what was learnt from conflicts.
    work: Cell<u64>,
    /// No more than this.
    limit: u64,
}

/// What things cost, in about the nanoseconds that they take.
const LITERAL: u64 = 80;
const DECISION: u64 = 100;
const PROPAGATION: u64 = 100;
const CONFLICT: u64 = 2_000;
const LEARNT_LITERAL: u64 = 300;

impl Meter {
    fn add(&self, work: u64) {
        self.work.set(self.work.get() + work);
    }
}

impl Callbacks for Meter {
    fn on_new_clause(&mut self, literals: &[Lit], kind: ClauseKind) {
        if matches!(kind, ClauseKind::Learnt) {
            self.add(CONFLICT + LEARNT_LITERAL * literals.len() as u64);
        }
    }

    fn stop(&self) -> bool {
        self.add(DECISION);
        self.work.get() >= self.limit
    }
}

impl Solver {
    pub(crate) fn new() -> Self {
        let inner = batsat::Solver::new(batsat::SolverOpts::default(), Meter::default());
        Solver { inner, literals: 0, clause: Vec::new() }
    }

    /// A literal of a new variable.
    pub(crate) fn literal(&mut self) -> Lit {
        Lit::new(self.inner.new_var_default(), true)
    }

    /// One of the literals is true.
    pub(crate) fn clause(&mut self, literals: &[Lit]) {
        self.literals += literals.len() as u64;
        self.clause.clear();
        self.clause.extend_from_slice(literals);
        self.inner.add_clause_reuse(&mut self.clause);
    }

    /// Whether all the literals can be true, found with about so much work.
    pub(crate) fn ask(&mut self, literals: &[Lit], effort: u64) -> Answer {
        let meter = self.inner.cb_mut();
        meter.limit = meter.work.get() + effort;
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

    /// How much was done.
    pub(crate) fn effort(&self) -> u64 {
        let work = self.inner.cb().work.get();
        LITERAL * self.literals + PROPAGATION * self.inner.num_propagations() + work
    }
}
