//! Which inputs exclude each other: the moves of a role, the members of proven groups, and the
//! moves of all roles that take turns.

use super::super::budget::WorkBudget;
use super::super::circuit::Circuit;
use super::super::network::{Gate, Signal};
use super::implied::Implied;
use super::turns::turns;

/// Inputs of which at most one is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AtMostOne {
    /// The inputs, ascending.
    pub(super) members: Vec<Signal>,
    /// Whether always one of them is true.
    pub(super) exactly_one: bool,
}

/// All that is known about inputs that exclude each other.
#[derive(Clone, Debug)]
pub(super) struct ExclusiveInputs {
    choices: Vec<AtMostOne>,
    /// By node, the choices it is a member of.
    of: Vec<Vec<u32>>,
}

impl ExclusiveInputs {
    /// What is known about the inputs of a circuit.
    pub(super) fn new(circuit: &Circuit, implied: &Implied, budget: &WorkBudget<'_>) -> Self {
        let moves = circuit.moves.iter().map(|ports| {
            let does = ports.iter().map(|port| port.does);
            (does.filter(|does| does.node() != 0).collect::<Vec<_>>(), true)
        });
        let groups = circuit.groups.iter().map(|group| {
            let members = group.members.iter();
            let members = members.map(|&fluent| circuit.fluents[fluent as usize].now);
            (members.collect::<Vec<_>>(), group.exactly_one)
        });
        let turns = turns(circuit, implied, budget).into_iter().map(|turn| (turn.moves, true));
        let mut exclusive =
            ExclusiveInputs { choices: Vec::new(), of: vec![Vec::new(); circuit.network.len()] };
        for (mut members, exactly_one) in moves.chain(groups).chain(turns) {
            members.sort_unstable();
            let is_input = |member: &Signal| circuit.network.gate(member.node()) != Gate::And;
            debug_assert!(members.iter().all(|member| is_input(member) && !member.is_complement()));
            for member in &members {
                exclusive.of[member.node() as usize].push(exclusive.choices.len() as u32);
            }
            exclusive.choices.push(AtMostOne { members, exactly_one });
        }
        exclusive
    }

    /// By its number.
    pub(super) fn choice(&self, number: u32) -> &AtMostOne {
        &self.choices[number as usize]
    }

    /// The choices that a signal is a member of, by their numbers; it is an input as it is.
    pub(super) fn of(&self, signal: Signal) -> &[u32] {
        match signal.is_complement() {
            true => &[],
            false => &self.of[signal.node() as usize],
        }
    }
}
