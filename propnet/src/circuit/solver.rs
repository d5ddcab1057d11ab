//! The SAT solver of the proofs, with its work counted.
//!
//! The solver is batsat, a port of MiniSat: conflict-driven clause learning, Eén and Sörensson 2003.

use std::cell::Cell;

use batsat::{Callbacks, ClauseKind, Lit, SolverInterface, lbool};

use super::budget::WorkBudget;

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
pub(crate) struct Solver<'b> {
    inner: batsat::Solver<Meter<'b>>,
    /// Literals of all clauses that were added.
    literals: u64,
    /// How much of its work the budget knows about.
    told: u64,
    /// Where clauses are put together.
    clause: Vec<Lit>,
}

/// Stops the solver by what it has done, or because the caller wants it to end.
struct Meter<'b> {
    budget: &'b WorkBudget<'b>,
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

impl Meter<'_> {
    fn add(&self, work: u64) -> bool {
        self.work.set(self.work.get() + work);
        self.budget.goes_on(work)
    }
}

impl Callbacks for Meter<'_> {
    fn on_new_clause(&mut self, literals: &[Lit], kind: ClauseKind) {
        if matches!(kind, ClauseKind::Learnt) {
            self.add(CONFLICT + LEARNT_LITERAL * literals.len() as u64);
        }
    }

    fn stop(&self) -> bool {
        // What follows from a decision takes longer than the decision, but is counted afterwards.
        !self.add(DECISION) || self.work.get() >= self.limit
    }
}

impl<'b> Solver<'b> {
    pub(crate) fn new(budget: &'b WorkBudget<'b>) -> Self {
        let meter = Meter { budget, work: Cell::new(0), limit: 0 };
        let inner = batsat::Solver::new(batsat::SolverOpts::default(), meter);
        Solver { inner, literals: 0, told: 0, clause: Vec::new() }
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

    /// Whether all the literals can be true, found with about so much work, and with no more than
    /// what is left of the budget.
    pub(crate) fn ask(&mut self, literals: &[Lit], effort: u64) -> Answer {
        let meter = self.inner.cb_mut();
        meter.limit = meter.work.get() + effort.min(meter.budget.proofs());
        let answer = self.inner.solve_limited(literals);
        self.tell();
        match answer {
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

    /// Takes from the budget the work done since the last call.
    fn tell(&mut self) {
        let effort = self.effort();
        self.inner.cb().budget.spend(effort - self.told);
        self.told = effort;
    }
}
