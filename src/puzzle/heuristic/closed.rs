//! Closed sets of fluents: what they will be depends on the move and on them alone. So a game that
//! knows nothing but such a set can be played, and its lines are never longer.

use propnet::circuit::FluentKind;

use super::super::puzzle::Puzzle;
use super::reads::{is_quick, reads};

/// A set with more fluents is not looked at.
pub(super) const LARGEST: usize = 128;
/// No more sets than these are looked at.
const MOST: usize = 64;

/// The smallest closed sets of fluents, each ascending, without those that are all of the state or
/// need the step counter.
pub(in super::super) fn closed_sets(puzzle: &Puzzle) -> Vec<Vec<u32>> {
    let circuit = &puzzle.circuit;
    if !is_quick(circuit) {
        return Vec::new();
    }
    let counter = puzzle.counter.as_ref().map_or(&[][..], |counter| &counter.fluents);
    let is_searched = |&fluent: &u32| {
        circuit.fluents[fluent as usize].kind == FluentKind::Carried
            && counter.binary_search(&fluent).is_err()
    };
    let searched: Vec<u32> = (0..circuit.fluents.len() as u32).filter(is_searched).collect();
    let mut needs: Vec<Option<Vec<u32>>> = vec![None; circuit.fluents.len()];
    for &fluent in &searched {
        let read = reads(circuit, circuit.fluents[fluent as usize].next);
        needs[fluent as usize] = Some(read.fluents);
    }
    let mut sets: Vec<Vec<u32>> = Vec::new();
    for &fluent in &searched {
        let Some(set) = closure(fluent, &needs) else { continue };
        if set.len() < searched.len() && !sets.contains(&set) {
            sets.push(set);
        }
    }
    // What is part of another set is known there as well.
    let is_within = |one: &[u32], other: &[u32]| {
        one.len() < other.len() && one.iter().all(|fluent| other.binary_search(fluent).is_ok())
    };
    let all = sets.clone();
    sets.retain(|set| !all.iter().any(|other| is_within(set, other)));
    sets.truncate(MOST);
    sets
}

/// The smallest closed set that has a fluent; `None` where it is too large or reads what is not
/// searched.
fn closure(fluent: u32, needs: &[Option<Vec<u32>>]) -> Option<Vec<u32>> {
    let (mut set, mut todo) = (vec![fluent], vec![fluent]);
    while let Some(fluent) = todo.pop() {
        for &other in needs[fluent as usize].as_ref()? {
            if !set.contains(&other) {
                set.push(other);
                todo.push(other);
            }
        }
        if set.len() > LARGEST {
            return None;
        }
    }
    set.sort_unstable();
    Some(set)
}
