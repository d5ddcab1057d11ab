//! Says what changes instead of what stays.
//!
//! Sheets say that a fluent stays true whichever of very many moves is made. Exactly one move of
//! each role is made, so that is: unless one of the few others is. What then remains is
//! next(f) = set OR (f AND NOT cleared). Groups of fluents of which always one is true are shortened
//! in the same way.

use super::super::circuit::Circuit;
use super::super::network::{Gate, Network, Signal};
use super::super::rebuild::{NodePlaces, rebuild};
use super::dead::dead;
use super::exclusive::{AtMostOne, ExclusiveInputs};
use super::flatten::sole_uses;
use super::implied::Implied;
use super::pass::PassWork;

/// The circuit with "none of these" replaced by "one of the others" where the others are fewer.
pub(super) fn frame(circuit: &Circuit, work: PassWork<'_>) -> Circuit {
    let implied = Implied::new(circuit, work);
    let exclusive = ExclusiveInputs::new(circuit, &implied, work.budget);
    let uses = sole_uses(circuit);
    let mut absences = Absences { exclusive, sets: vec![Vec::new(); circuit.network.len()] };
    let mut is_changed = false;
    let changed = rebuild(circuit, work.budget, |network, places, node| {
        if circuit.network.gate(node) != Gate::And {
            return None;
        }
        let inputs = circuit.network.inputs(node);
        let own = absences.own(inputs);
        let cost = |input: &Signal| match uses[input.node() as usize] {
            Some(_) => absences.sets[input.node() as usize].len().max(1),
            None => 1,
        };
        let cost = inputs.iter().map(cost).sum();
        let shorter = absences.shorter(&own, cost);
        if own.others.is_empty() {
            absences.sets[node as usize] = own.absent;
        }
        is_changed |= shorter.is_some();
        shorter.map(|shorter| made(network, places, shorter))
    });
    if is_changed { dead(&changed, work) } else { changed }
}

/// What gates say about inputs that exclude each other.
struct Absences {
    exclusive: ExclusiveInputs,
    /// By gate, the inputs of which it says that none is true, ascending, if it says nothing else.
    sets: Vec<Vec<Signal>>,
}

/// What the inputs of a gate say.
struct Own {
    /// None of these is true: ascending.
    absent: Vec<Signal>,
    /// And these are.
    others: Vec<Signal>,
}

/// A gate written anew.
struct Shorter {
    /// One of each of these.
    one_of: Vec<Vec<Signal>>,
    /// All of these.
    all: Vec<Signal>,
}

impl Absences {
    fn own(&self, inputs: &[Signal]) -> Own {
        let mut own = Own { absent: Vec::new(), others: Vec::new() };
        for &input in inputs {
            if !self.exclusive.of(!input).is_empty() {
                own.absent.push(!input);
            } else if !input.is_complement() && !self.sets[input.node() as usize].is_empty() {
                own.absent.extend_from_slice(&self.sets[input.node() as usize]);
            } else {
                own.others.push(input);
            }
        }
        own.absent.sort_unstable();
        own.absent.dedup();
        own
    }

    /// A way to say the same with fewer inputs than that.
    fn shorter(&self, own: &Own, cost: usize) -> Option<Shorter> {
        let mut absent = own.absent.clone();
        let mut shorter = Shorter { one_of: Vec::new(), all: own.others.clone() };
        while let Some(choice) = self.best_choice(&absent) {
            let is_member = |signal: &Signal| choice.members.binary_search(signal).is_ok();
            let present =
                choice.members.iter().filter(|member| absent.binary_search(member).is_err());
            shorter.one_of.push(present.copied().collect());
            absent.retain(|signal| !is_member(signal));
        }
        let present: usize = shorter.one_of.iter().map(Vec::len).sum();
        if shorter.one_of.is_empty() || present + absent.len() + own.others.len() >= cost {
            return None;
        }
        shorter.all.extend(absent.into_iter().map(|signal| !signal));
        Some(shorter)
    }

    /// The choice that saves most if its other members are named.
    fn best_choice(&self, absent: &[Signal]) -> Option<&AtMostOne> {
        let mut numbers: Vec<u32> =
            absent.iter().flat_map(|&signal| self.exclusive.of(signal)).copied().collect();
        numbers.sort_unstable();
        let saved = |same: &[u32]| {
            let choice = self.exclusive.choice(same[0]);
            let saved = (2 * same.len()).saturating_sub(choice.members.len());
            (choice.exactly_one && saved > 0).then_some((saved, choice))
        };
        let same = numbers.chunk_by(|one, other| one == other);
        // Of equals the first.
        let best = same.filter_map(saved).rev().max_by_key(|(saved, _)| *saved);
        best.map(|(_, choice)| choice)
    }
}

fn made(network: &mut Network, places: &NodePlaces, shorter: Shorter) -> Signal {
    let mut signals = places.all(&shorter.all);
    for one_of in shorter.one_of {
        signals.push(network.or(places.all(&one_of)));
    }
    network.and(signals)
}
