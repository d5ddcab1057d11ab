//! Finds groups of fluents of which never two are true: the contents of a cell, whose turn it is,
//! a step counter. Later passes and stages use them.

use super::super::circuit::Circuit;
use super::pass::PassWork;
use super::prove::find_groups;

/// The circuit with the groups that could be proven. Groups may share fluents.
pub(super) fn groups(circuit: &Circuit, work: PassWork<'_>) -> Circuit {
    let mut circuit = circuit.clone();
    let found = find_groups(&circuit, work);
    circuit.groups.extend(found);
    circuit
}
