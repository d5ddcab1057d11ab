//! Loops -> gates. Ground recursion is positive, so its meaning is the least fixpoint from
//! all-false, and there are three ways to get it:
//!
//! - eliminate: for one truth value, the least x with x = f(x) is f(false); so each member can be
//!   replaced by what it says without itself, one after the other. Grows quickly.
//! - unroll: write the block out as often as needed. Members that have not changed stay as they
//!   are, and n sweeps are always enough for n members, since each but the last finds a new one.
//! - repeat: keep one copy, fed back to itself, to be run until nothing changes.

use super::circuit::{Circuit, Loop, LoopMember, Resolved, Way};
use super::network::{Gate, Network, Signal};

/// The rules of one member of a loop.
#[derive(Clone, Debug)]
pub(super) struct Member {
    /// For each rule what must hold outside the loop, and the members that must hold.
    pub(super) bodies: Vec<(Signal, Vec<usize>)>,
}

/// Loops of up to this many members are eliminated.
const ELIMINATED: usize = 6;

/// Loops are unrolled up to this many gates; then repeating costs less than writing out.
const UNROLLED: usize = 2_000;

/// What each member is, in the cheapest way.
pub(super) fn resolve(circuit: &mut Circuit, members: &[Member]) -> Vec<Signal> {
    let count = members.len();
    let literals: usize = members.iter().map(Member::literals).sum();
    let (way, signals) = if count <= ELIMINATED {
        (Way::Eliminated, eliminate(&mut circuit.network, members))
    } else if count * literals <= UNROLLED {
        let (sweeps, signals) = unroll(&mut circuit.network, members);
        (Way::Unrolled(sweeps), signals)
    } else {
        (Way::Repeated(count), repeat(circuit, members))
    };
    circuit.resolved.push(Resolved { members: count, way });
    signals
}

impl Member {
    fn literals(&self) -> usize {
        self.bodies.iter().map(|(_, inside)| inside.len() + 1).sum()
    }

    /// What the rules say if the members are as given.
    fn signal(&self, network: &mut Network, members: &[Signal]) -> Signal {
        let bodies = self.bodies.iter().map(|(outside, inside)| {
            let mut body: Vec<Signal> = inside.iter().map(|&at| members[at]).collect();
            body.push(*outside);
            network.and(body)
        });
        let bodies = bodies.collect();
        network.or(bodies)
    }
}

/// Bodies as sets of members, so that one member after the other can be put in its place.
fn eliminate(network: &mut Network, members: &[Member]) -> Vec<Signal> {
    // equations[i]: a list of (signal, bit set of members), the OR of which is member i.
    let mut equations: Vec<Vec<(Signal, u32)>> = members
        .iter()
        .map(|member| {
            let bodies = member.bodies.iter();
            let set = |inside: &[usize]| inside.iter().fold(0, |set, &at| set | 1 << at);
            bodies.map(|(outside, inside)| (*outside, set(inside))).collect()
        })
        .collect();
    for at in 0..members.len() {
        let bit = 1u32 << at;
        // Without itself: what needs the member to conclude the member says nothing.
        equations[at].retain(|(_, set)| set & bit == 0);
        let own = equations[at].clone();
        for other in (0..members.len()).filter(|&other| other != at) {
            let old = std::mem::take(&mut equations[other]);
            let mut new: Vec<(Signal, u32)> = Vec::with_capacity(old.len());
            for (signal, set) in old {
                if set & bit == 0 {
                    new.push((signal, set));
                    continue;
                }
                for &(inner, inner_set) in &own {
                    let both = network.and(vec![signal, inner]);
                    new.push((both, (set & !bit) | inner_set));
                }
            }
            equations[other] = merged(network, new);
        }
    }
    let solved = equations.into_iter().map(|bodies| {
        let signals = bodies.into_iter().map(|(signal, _)| signal).collect();
        network.or(signals)
    });
    solved.collect()
}

/// Bodies over the same members joined into one.
fn merged(network: &mut Network, mut bodies: Vec<(Signal, u32)>) -> Vec<(Signal, u32)> {
    bodies.retain(|(signal, _)| *signal != Signal::FALSE);
    bodies.sort_unstable_by_key(|(signal, set)| (*set, *signal));
    let mut merged: Vec<(Signal, u32)> = Vec::new();
    for same in bodies.chunk_by(|a, b| a.1 == b.1) {
        let signals = same.iter().map(|(signal, _)| *signal).collect();
        merged.push((network.or(signals), same[0].1));
    }
    merged
}

/// Sweeps over the members from all-false; each uses what this sweep has found already.
fn unroll(network: &mut Network, members: &[Member]) -> (usize, Vec<Signal>) {
    let order = order(members);
    let mut signals = vec![Signal::FALSE; members.len()];
    for sweep in 0..members.len() {
        let before = signals.clone();
        for &at in &order {
            signals[at] = members[at].signal(network, &signals);
        }
        if signals == before {
            return (sweep, signals);
        }
    }
    (members.len(), signals)
}

fn repeat(circuit: &mut Circuit, members: &[Member]) -> Vec<Signal> {
    let number = circuit.loops.len() as u32;
    let feedback: Vec<Signal> = (0..members.len() as u32)
        .map(|member| circuit.network.add_source(Gate::Feedback(number, member)))
        .collect();
    let values = order(members).into_iter().map(|at| {
        let value = members[at].signal(&mut circuit.network, &feedback);
        LoopMember { feedback: feedback[at], value }
    });
    let members: Vec<LoopMember> = values.collect();
    circuit.loops.push(Loop { sweeps: members.len(), members });
    feedback
}

/// A good order of the members: as they can be found one after the other, from those that need
/// nothing of the loop.
fn order(members: &[Member]) -> Vec<usize> {
    let mut readers = vec![Vec::new(); members.len()];
    for (at, member) in members.iter().enumerate() {
        for &read in member.bodies.iter().flat_map(|(_, inside)| inside) {
            readers[read].push(at);
        }
    }
    let begins = |at: &usize| members[*at].bodies.iter().any(|(_, inside)| inside.is_empty());
    let mut order: Vec<usize> = (0..members.len()).filter(begins).collect();
    let mut seen = vec![false; members.len()];
    order.iter().for_each(|&at| seen[at] = true);
    let mut at = 0;
    while at < order.len() {
        for &reader in &readers[order[at]] {
            if !std::mem::replace(&mut seen[reader], true) {
                order.push(reader);
            }
        }
        at += 1;
    }
    // What is left can never be found, but its rules are there.
    order.extend((0..members.len()).filter(|&at| !seen[at]));
    order
}
