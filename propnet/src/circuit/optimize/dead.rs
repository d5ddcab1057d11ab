//! Leaves out the gates that no port depends on, and joins what has become equal.

use super::super::circuit::Circuit;
use super::super::rebuild::rebuild;
use super::pass::PassWork;

/// The circuit without dead gates.
pub(super) fn dead(circuit: &Circuit, work: PassWork<'_>) -> Circuit {
    rebuild(circuit, work.budget, |_, _, _| None)
}
