//! Loops -> gates. Ground recursion is positive, so its meaning is the least fixpoint from
//! all-false, and there are three ways to get it:
//!
//! - eliminate: for one truth value, the least x with x = f(x) is f(false); so each member can be
//!   replaced by what it says without itself, one after the other. Grows quickly.
//! - unroll: write the block out as often as needed. Members that have not changed stay as they
//!   are, and n sweeps are always enough for n members, since each but the last finds a new one.
//! - repeat: keep one copy, fed back to itself, to be run until nothing changes.
//!
//! What is feasible is tried, and the cheapest way is taken by the gates that it really made. A way
//! ends as soon as it has made more gates than one that is known, and all loops of a circuit share
//! one budget. The gates of the other ways are dead; the builder leaves them out in the end.

use super::budget::WorkBudget;
use super::circuit::{Circuit, Loop, LoopMember, Resolved, Way};
use super::equivalent::are_equivalent;
use super::network::{Gate, Network, Signal};

/// The rules of one member of a loop.
#[derive(Clone, Debug)]
pub(super) struct Member {
    /// For each rule what must hold outside the loop, and the members that must hold.
    pub(super) bodies: Vec<(Signal, Vec<usize>)>,
}

/// Which ways may be taken. The choice changes the size of a circuit, never what it says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoopChoice {
    /// The cheapest.
    #[default]
    Cheapest,
    /// Elimination where it is feasible.
    Eliminate,
    /// Unrolling where it is feasible.
    Unroll,
    /// Always repeating.
    Repeat,
}

/// Elimination is given up when this many bodies exist at a time.
const MAX_BODIES: usize = 1_000;

/// Unrolling is not tried if it may make this many inputs of gates.
const MAX_UNROLLED: usize = 50_000;

/// What reading a literal takes, in units of the budget.
const LITERAL: u64 = 100;

/// A repeated block is swept about so often until no lane changes, the last sweep included.
const USUAL_SWEEPS: usize = 5;

/// The part of what is left for loops that one of them may take to be unrolled.
const SHARE: u64 = 4;

/// How loops may be resolved, and what that may cost.
pub(super) struct Means<'b> {
    choice: LoopChoice,
    pub(super) budget: &'b WorkBudget<'b>,
    /// What the loops of a circuit leave of the budget for the passes.
    reserve: u64,
}

impl<'b> Means<'b> {
    /// Loops may take half of the budget.
    pub(super) fn new(choice: LoopChoice, budget: &'b WorkBudget<'b>) -> Self {
        Means { choice, budget, reserve: budget.proofs() / 2 }
    }
}

/// What each member is, in the way that was chosen.
pub(super) fn resolve(circuit: &mut Circuit, members: &[Member], means: &Means<'_>) -> Vec<Signal> {
    let attempt = match means.choice {
        LoopChoice::Cheapest => cheapest(circuit, members, means),
        LoopChoice::Eliminate => eliminated(circuit, members, usize::MAX, means),
        LoopChoice::Unroll => unrolled(circuit, members, usize::MAX, means),
        LoopChoice::Repeat => None,
    };
    let (way, signals) = match attempt {
        Some(Attempt { way, signals, .. }) => (way, signals),
        None => (Way::Repeated(members.len()), repeat(circuit, members)),
    };
    circuit.resolved.push(Resolved { members: members.len(), way });
    signals
}

/// A loop resolved in one way.
struct Attempt {
    way: Way,
    signals: Vec<Signal>,
    /// The two-input gates that it took.
    gates: usize,
}

/// The cheapest way that writes the loop out, unless repeating it costs less. A way is given up as
/// soon as it has made more gates than one that is known.
fn cheapest(circuit: &mut Circuit, members: &[Member], means: &Means<'_>) -> Option<Attempt> {
    let repeated = USUAL_SWEEPS * members.iter().map(Member::literals).sum::<usize>();
    let eliminated = eliminated(circuit, members, repeated, means);
    let fewer = match &eliminated {
        Some(attempt) => attempt.gates.checked_sub(1),
        None => Some(repeated),
    };
    fewer.and_then(|most| unrolled(circuit, members, most, means)).or(eliminated)
}

fn eliminated(
    circuit: &mut Circuit,
    members: &[Member],
    most: usize,
    means: &Means<'_>,
) -> Option<Attempt> {
    let room = GateRoom::new(&circuit.network, most, means);
    let signals = eliminate(&mut circuit.network, members, &room)?;
    let gates = room.made(&circuit.network);
    Some(Attempt { way: Way::Eliminated, signals, gates }).filter(|_| gates <= most)
}

fn unrolled(
    circuit: &mut Circuit,
    members: &[Member],
    most: usize,
    means: &Means<'_>,
) -> Option<Attempt> {
    let literals: usize = members.iter().map(Member::literals).sum();
    if members.len() * literals > MAX_UNROLLED {
        return None;
    }
    let room = GateRoom::new(&circuit.network, most, means);
    let (sweeps, signals) = unroll(&mut circuit.network, members, &room)?;
    let gates = room.made(&circuit.network);
    Some(Attempt { way: Way::Unrolled(sweeps), signals, gates })
}

/// Room for the gates of an attempt.
struct GateRoom<'b> {
    /// The two-input gates that there were before.
    before: usize,
    /// How many may be made.
    most: usize,
    means: &'b Means<'b>,
}

impl<'b> GateRoom<'b> {
    fn new(network: &Network, most: usize, means: &'b Means<'b>) -> Self {
        GateRoom { before: network.two_input_gates(), most, means }
    }

    /// The two-input gates that were made.
    fn made(&self, network: &Network) -> usize {
        network.two_input_gates() - self.before
    }

    /// Whether no room is left after this many literals more: too many gates, too much work for
    /// what they are, or the work is to end.
    fn is_used_up(&self, network: &Network, literals: usize) -> bool {
        let budget = self.means.budget;
        let work = literals as u64 * LITERAL;
        budget.spend(work);
        let is_spent = budget.proofs() <= self.means.reserve;
        self.made(network) > self.most || is_spent || !budget.goes_on(work)
    }
}

impl Member {
    fn literals(&self) -> usize {
        self.bodies.iter().map(|(_, inside)| inside.len() + 1).sum()
    }

    /// The bodies, each as what comes from outside and the set of members that it reads.
    fn equation(&self) -> Vec<(Signal, u64)> {
        let set = |inside: &[usize]| inside.iter().fold(0, |set, &at| set | 1 << at);
        self.bodies.iter().map(|(outside, inside)| (*outside, set(inside))).collect()
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
fn eliminate(
    network: &mut Network,
    members: &[Member],
    room: &GateRoom<'_>,
) -> Option<Vec<Signal>> {
    if members.len() > u64::BITS as usize {
        return None;
    }
    // By member, a list of (signal, bit set of members) whose OR it is.
    let mut equations: Vec<Vec<(Signal, u64)>> = members.iter().map(Member::equation).collect();
    for at in 0..members.len() {
        let bit = 1u64 << at;
        // Without itself: what needs the member to conclude the member says nothing.
        equations[at].retain(|(_, set)| set & bit == 0);
        let own = equations[at].clone();
        for (other, equation) in equations.iter_mut().enumerate() {
            if other != at {
                *equation = substituted(network, std::mem::take(equation), bit, &own, room)?;
            }
        }
        if equations.iter().map(Vec::len).sum::<usize>() > MAX_BODIES {
            return None;
        }
    }
    let solved = equations.into_iter().map(|bodies| {
        let signals = bodies.into_iter().map(|(signal, _)| signal).collect();
        network.or(signals)
    });
    Some(solved.collect())
}

/// Bodies in which the member with this bit is replaced by its own bodies. None without room.
fn substituted(
    network: &mut Network,
    bodies: Vec<(Signal, u64)>,
    bit: u64,
    own: &[(Signal, u64)],
    room: &GateRoom<'_>,
) -> Option<Vec<(Signal, u64)>> {
    let mut replaced = Vec::with_capacity(bodies.len());
    for (signal, set) in bodies {
        if set & bit == 0 {
            replaced.push((signal, set));
            continue;
        }
        for &(inner, inner_set) in own {
            replaced.push((network.and(vec![signal, inner]), (set & !bit) | inner_set));
        }
        if room.is_used_up(network, own.len()) {
            return None;
        }
    }
    Some(merged(network, replaced))
}

/// Bodies over the same members joined into one.
fn merged(network: &mut Network, mut bodies: Vec<(Signal, u64)>) -> Vec<(Signal, u64)> {
    bodies.retain(|(signal, _)| *signal != Signal::FALSE);
    bodies.sort_unstable_by_key(|(signal, set)| (*set, *signal));
    let mut merged: Vec<(Signal, u64)> = Vec::new();
    for same in bodies.chunk_by(|a, b| a.1 == b.1) {
        let signals = same.iter().map(|(signal, _)| *signal).collect();
        merged.push((network.or(signals), same[0].1));
    }
    merged
}

/// Sweeps over the members from all-false; each uses what this sweep has found already. Ends with
/// the first sweep that provably finds nothing new. None without room.
fn unroll(
    network: &mut Network,
    members: &[Member],
    room: &GateRoom<'_>,
) -> Option<(usize, Vec<Signal>)> {
    let order = order(members);
    let first = network.len() as u32;
    let Means { budget, reserve, .. } = room.means;
    let left = budget.proofs();
    let share = left.saturating_sub(*reserve) / SHARE;
    let mut signals = vec![Signal::FALSE; members.len()];
    for sweep in 0..members.len() {
        let before = signals.clone();
        for &at in &order {
            signals[at] = members[at].signal(network, &signals);
            if room.is_used_up(network, members[at].literals()) {
                return None;
            }
        }
        let pairs: Vec<(Signal, Signal)> =
            order.iter().map(|&at| (before[at], signals[at])).collect();
        let allowed = share.saturating_sub(left - budget.proofs());
        if are_equivalent(network, first, &pairs, budget, allowed) {
            return Some((sweep, before));
        }
    }
    Some((members.len(), signals))
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
