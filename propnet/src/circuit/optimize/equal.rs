//! Drops fluents that never change, and those that always are what another one is, or its
//! complement: they follow from what is carried.

use super::super::circuit::{Circuit, FluentKind, Group};
use super::super::network::{Gate, Signal};
use super::super::rebuild::rebuild;
use super::pass::PassWork;
use super::prove::{Same, find_same};

/// The circuit in which no gate reads such fluents.
pub(super) fn equal(circuit: &Circuit, work: PassWork<'_>) -> Circuit {
    let same = find_same(circuit, work);
    if same.iter().all(Option::is_none) {
        return circuit.clone();
    }
    let mut old = circuit.clone();
    for (port, same) in old.fluents.iter_mut().zip(&same) {
        if same.is_some() {
            (port.kind, port.next) = (FluentKind::Follows, Signal::FALSE);
        }
    }
    old.groups = circuit.groups.iter().filter_map(|group| without(group, &same)).collect();
    let fluents = &circuit.fluents;
    rebuild(&old, work.budget, |_, places, node| {
        let Gate::Fluent(fluent) = circuit.network.gate(node) else { return None };
        let same = same.get(fluent as usize).copied().flatten()?;
        let leader = same.leader.map_or(Signal::FALSE, |leader| fluents[leader as usize].now);
        // Inputs stand in the order of the fluents, so the leader is there already.
        Some(places.of(leader).complement_if(same.opposite))
    })
}

/// The group without fluents that follow; nothing if no two are left.
fn without(group: &Group, same: &[Option<Same>]) -> Option<Group> {
    let mut members = Vec::with_capacity(group.members.len());
    let mut exactly_one = group.exactly_one;
    for &member in &group.members {
        match same.get(member as usize).copied().flatten() {
            None => members.push(member),
            Some(Same { leader: None, opposite: false }) => {}
            Some(Same { leader: Some(leader), opposite: false }) => members.push(leader),
            // Where this one is true nothing else of the group is, and it is no longer in it.
            Some(Same { opposite: true, .. }) => exactly_one = false,
        }
    }
    members.sort_unstable();
    members.dedup();
    (members.len() > 1).then_some(Group { members, exactly_one })
}
