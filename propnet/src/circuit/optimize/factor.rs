//! Takes common factors out: (a AND b) OR (a AND c) becomes a AND (b OR c).
//!
//! The rules of one sentence mostly share conditions: whose turn it is, which move was made, that
//! the fluent was true before. An OR over bodies that nothing else reads is written anew: what most
//! of them share is taken out first, then the same is done inside and outside the brackets.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::super::circuit::Circuit;
use super::super::network::{Gate, Network, Signal};
use super::super::rebuild::rebuild;
use super::flatten::{flatten, sole_uses};
use super::pass::PassWork;

/// Signals that are to hold together.
type Body = Vec<Signal>;

/// The circuit with common factors taken out.
pub(super) fn factor(circuit: &Circuit, work: PassWork<'_>) -> Circuit {
    let circuit = flatten(circuit, work.budget);
    let uses = sole_uses(&circuit);
    // A gate is an OR, seen from the other side, over the complements of its inputs.
    let is_body = |node: u32| uses[node as usize] == Some(!Signal::of(node));
    let mut bodies: Vec<Body> = vec![Vec::new(); circuit.network.len()];
    rebuild(&circuit, work.budget, |network, places, node| {
        if circuit.network.gate(node) != Gate::And {
            return None;
        }
        let mut inputs = Vec::new();
        let mut alternatives = Vec::new();
        for &input in circuit.network.inputs(node) {
            match is_body(input.node()) {
                true => alternatives.push(std::mem::take(&mut bodies[input.node() as usize])),
                false => inputs.push(places.of(input)),
            }
        }
        let factored = factored(network, alternatives);
        inputs.extend(factored.into_iter().map(|alternative| !alternative));
        if is_body(node) {
            bodies[node as usize] = inputs;
            return Some(Signal::FALSE); // Nobody asks where it is.
        }
        Some(network.and(inputs))
    })
}

/// An OR over bodies, in brackets after a common factor.
struct Bracket {
    /// One of these and one of the bodies.
    factors: Vec<Body>,
    bodies: Vec<Body>,
    /// Brackets within, by number: all of them higher.
    within: Vec<usize>,
}

/// Signals of which one holds if and only if one of the bodies does.
fn factored(network: &mut Network, bodies: Vec<Body>) -> Vec<Signal> {
    let mut brackets = vec![Bracket { factors: Vec::new(), bodies, within: Vec::new() }];
    let mut at = 0;
    while at < brackets.len() {
        let (within, rest) = take_out(std::mem::take(&mut brackets[at].bodies));
        brackets[at].bodies = rest;
        brackets[at].within = (brackets.len()..brackets.len() + within.len()).collect();
        brackets.extend(within);
        at += 1;
    }
    let mut signals = vec![Signal::FALSE; brackets.len()];
    for (number, bracket) in brackets.into_iter().enumerate().rev() {
        let within = bracket.within.iter().map(|&inner| signals[inner]);
        let mut alternatives: Vec<Signal> = within.collect();
        alternatives.extend(bracket.bodies.into_iter().map(|body| network.and(body)));
        if number == 0 {
            return alternatives;
        }
        let inner = network.or(alternatives);
        signals[number] = match <[Body; 1]>::try_from(bracket.factors) {
            Ok([mut factor]) => {
                factor.push(inner);
                network.and(factor)
            }
            Err(factors) => {
                let factors = factors.into_iter().map(|factor| network.and(factor)).collect();
                let factor = network.or(factors);
                network.and(vec![factor, inner])
            }
        };
    }
    Vec::new()
}

/// The most frequent factors, most frequent first, with what is left of the bodies that have them;
/// and the bodies that share nothing.
fn take_out(bodies: Vec<Body>) -> (Vec<Bracket>, Vec<Body>) {
    let mut holders = holders(&bodies);
    let mut queue: BinaryHeap<(usize, Reverse<Signal>, usize)> = BinaryHeap::new();
    for (at, (signal, bodies)) in holders.iter().enumerate() {
        if bodies.len() > 1 {
            queue.push((bodies.len(), Reverse(*signal), at));
        }
    }
    let mut bodies: Vec<Option<Body>> = bodies.into_iter().map(Some).collect();
    let mut brackets: IndexMap<Vec<Body>, Vec<Body>, FxBuildHasher> = IndexMap::default();
    while let Some((count, signal, at)) = queue.pop() {
        holders[at].1.retain(|&body| bodies[body as usize].is_some());
        let now = holders[at].1.len();
        if now < count {
            if now > 1 {
                queue.push((now, signal, at));
            }
            continue;
        }
        let group = holders[at].1.iter().filter_map(|&body| bodies[body as usize].take());
        let (factor, rest) = split(group.collect());
        brackets.entry(rest).or_default().push(factor);
    }
    let bracket = |(bodies, factors)| Bracket { factors, bodies, within: Vec::new() };
    let brackets = brackets.into_iter().map(bracket).collect();
    (brackets, bodies.into_iter().flatten().collect())
}

/// By signal the bodies that have it, if several bodies are to be told apart at all.
fn holders(bodies: &[Body]) -> Vec<(Signal, Vec<u32>)> {
    if bodies.len() < 2 {
        return Vec::new();
    }
    let number = |(at, body): (usize, &Body)| {
        body.iter().map(move |&signal| (signal, at as u32)).collect::<Vec<_>>()
    };
    let mut pairs: Vec<(Signal, u32)> = bodies.iter().enumerate().flat_map(number).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let same = pairs.chunk_by(|one, other| one.0 == other.0);
    same.map(|same| (same[0].0, same.iter().map(|pair| pair.1).collect())).collect()
}

/// What bodies share, and what is left of them, in order.
fn split(mut bodies: Vec<Body>) -> (Body, Vec<Body>) {
    let mut factor = bodies[0].clone();
    for body in &mut bodies {
        body.sort_unstable();
        factor.retain(|signal| body.binary_search(signal).is_ok());
    }
    factor.sort_unstable();
    factor.dedup();
    for body in &mut bodies {
        body.retain(|signal| factor.binary_search(signal).is_err());
    }
    bodies.sort_unstable();
    (factor, bodies)
}
