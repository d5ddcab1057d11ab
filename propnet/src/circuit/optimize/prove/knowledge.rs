//! From states seen in random play to what is true in all states.

use super::super::super::circuit::{Circuit, Group, MovePort};
use super::super::super::network::Signal;
use super::super::pass::PassWork;
use super::super::simulate::States;
use super::claims::{Claims, Same};
use super::induct::Prover;
use super::propose::propose;

/// Steps of 64 games that are played to find what may be true.
const STEPS: u64 = 64;

/// Groups of carried fluents of which never two are true, besides those that the circuit knows:
/// as many as are found and proven within the effort that is allowed.
pub(in super::super) fn find_groups(circuit: &Circuit, work: PassWork<'_>) -> Vec<Group> {
    let mut prover = Prover::new(circuit, work);
    let seen = play(&mut prover);
    let known = circuit.groups.len();
    let mut groups = circuit.groups.clone();
    groups.extend(propose(circuit, &seen, &circuit.groups));
    let same = vec![None; circuit.fluents.len()];
    let mut proven = prover.prove(Claims { same, groups, known }).groups.split_off(known);
    proven.retain(|group| group.members.len() > 1);
    for group in &mut proven {
        group.members.sort_unstable();
    }
    proven
}

/// By fluent, what it is in all states, as far as that can be proven within the effort.
pub(in super::super) fn find_same(circuit: &Circuit, work: PassWork<'_>) -> Vec<Option<Same>> {
    let mut prover = Prover::new(circuit, work);
    let seen = play(&mut prover);
    let same = Claims::same(circuit, &seen);
    let groups = circuit.groups.clone();
    prover.prove(Claims { same, known: groups.len(), groups }).same
}

/// By role and move, whether it is legal in no state, as far as the groups of the circuit prove
/// that within the effort.
pub(in super::super) fn find_never(circuit: &Circuit, work: PassWork<'_>) -> Vec<Vec<bool>> {
    let mut prover = Prover::new(circuit, work);
    let is_open = |port: &MovePort| port.legal != Signal::FALSE;
    let mut open: Vec<Vec<bool>> =
        circuit.moves.iter().map(|ports| ports.iter().map(is_open).collect()).collect();
    for _ in 0..prover.steps() {
        if prover.budget.is_stopped() {
            break;
        }
        prover.close_legal(&mut open);
        prover.simulator.step();
    }
    prover.never(open)
}

/// States of random play, from the first one on.
fn play(prover: &mut Prover<'_>) -> Vec<States> {
    let mut seen = vec![prover.simulator.now().clone()];
    for _ in 0..prover.steps() {
        if prover.budget.is_stopped() {
            break;
        }
        prover.simulator.step();
        seen.push(prover.simulator.now().clone());
    }
    seen
}

impl Prover<'_> {
    /// How many steps can be played with an eighth of the effort.
    fn steps(&self) -> u64 {
        (self.effort / 8 / self.simulator.cost()).clamp(4, STEPS)
    }
}
