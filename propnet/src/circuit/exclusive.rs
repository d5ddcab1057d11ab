//! Moves that are never legal together.
//!
//! A move's legality needs things of the state: it is white's turn, the cell holds a pawn. Two
//! moves that need different members of one group, or a fluent and its complement, are never
//! legal together. The choice of moves lets such moves share a place.

use std::collections::{BTreeMap, BTreeSet};

use super::circuit::Circuit;
use super::needs::Needs;
use super::network::{Gate, Signal};
use crate::game::Role;

/// What each move needs of the state, and what follows from that.
#[derive(Clone, Debug)]
pub struct Exclusive {
    /// By role and move, ascending by the thing; `None` for a move that is never legal.
    needs: Vec<Vec<Option<Vec<NeededValue>>>>,
}

/// A thing that has one value in each state, and the value that is needed: a group and the place
/// of its true member, or, after the groups, a fluent and its truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct NeededValue {
    thing: u32,
    value: u32,
}

/// Moves are compared with others in blocks of this many, so that memory stays small.
const BLOCK: usize = 8_192;

impl Exclusive {
    /// What the legality of the moves and the groups of a circuit say.
    pub fn new(circuit: &Circuit) -> Self {
        let legal = circuit.moves.iter().flatten().map(|port| port.legal);
        let needs = Needs::new(circuit, legal);
        let mut groups_of: Vec<Vec<NeededValue>> = vec![Vec::new(); circuit.fluents.len()];
        for (thing, group) in circuit.groups.iter().enumerate() {
            for (value, &member) in group.members.iter().enumerate() {
                let need = NeededValue { thing: thing as u32, value: value as u32 };
                groups_of[member as usize].push(need);
            }
        }
        let of_literal = |&literal: &Signal| {
            let Gate::Fluent(fluent) = circuit.network.gate(literal.node()) else { return vec![] };
            let thing = circuit.groups.len() as u32 + fluent;
            let mut needs = vec![NeededValue { thing, value: !literal.is_complement() as u32 }];
            if !literal.is_complement() {
                needs.extend(&groups_of[fluent as usize]);
            }
            needs
        };
        let of_move = |legal: Signal| {
            let mut all: Vec<NeededValue> = needs.of(legal).iter().flat_map(of_literal).collect();
            all.sort_unstable();
            all.dedup();
            let is_never = |pair: &[NeededValue]| pair[0].thing == pair[1].thing;
            (legal != Signal::FALSE && !all.windows(2).any(is_never)).then_some(all)
        };
        let roles = circuit.moves.iter();
        Exclusive {
            needs: roles.map(|ports| ports.iter().map(|p| of_move(p.legal)).collect()).collect(),
        }
    }

    /// Whether two different moves, of one role or of two, are legal in no state together.
    pub fn never_together(&self, one: (Role, usize), other: (Role, usize)) -> bool {
        match (&self.needs[one.0][one.1], &self.needs[other.0][other.1]) {
            (Some(one), Some(other)) => are_apart(one, other),
            _ => true,
        }
    }

    /// The moves of some roles in as few classes as are easily found, such that the moves of a
    /// class are never legal together. Moves that are never legal are in none.
    pub fn shared_leaves(&self, roles: &[Role]) -> Vec<Vec<(Role, usize)>> {
        let moves =
            roles.iter().flat_map(|&role| (0..self.needs[role].len()).map(move |at| (role, at)));
        let moves: Vec<(Role, usize)> =
            moves.filter(|&(role, at)| self.needs[role][at].is_some()).collect();
        let classes = moves.chunks(BLOCK).flat_map(|block| {
            let needs: Vec<&[NeededValue]> =
                block.iter().filter_map(|&(role, at)| self.needs[role][at].as_deref()).collect();
            let class = |class: Vec<usize>| class.into_iter().map(|at| block[at]).collect();
            cover(&Apart::new(&needs)).into_iter().map(class)
        });
        classes.collect()
    }

    /// Moves of a role that are never legal together with any other move of it: to pass while it
    /// is not one's turn.
    pub fn alone(&self, role: Role) -> Vec<usize> {
        let moves = self.possible(role);
        if let [only] = moves[..] {
            return vec![only];
        }
        let values = self.values_of_all(&[(role, &moves)]);
        let is_alone = |&at: &usize| {
            let own = self.needs[role][at].iter().flatten();
            own.into_iter().any(|need| values.get(need) == Some(&1))
        };
        moves.iter().copied().filter(is_alone).collect()
    }

    /// Whether in every state at most one of two sets of moves has legal ones.
    pub fn never_both(&self, one: (Role, &[usize]), other: (Role, &[usize])) -> bool {
        let values = self.values_of_all(&[one, other]);
        let [ones, others] = [one, other].map(|moves| self.values_of_all(&[moves]));
        let things: BTreeSet<u32> = values.keys().map(|need| need.thing).collect();
        let mut things = things.into_iter();
        things.any(|thing| {
            let of_thing = |need: &&NeededValue| need.thing == thing;
            ones.keys().filter(of_thing).all(|need| !others.contains_key(need))
        })
    }

    /// The moves of a role that may be legal.
    pub fn possible(&self, role: Role) -> Vec<usize> {
        let needs = self.needs[role].iter().enumerate();
        needs.filter(|(_, needs)| needs.is_some()).map(|(at, _)| at).collect()
    }

    /// How many of the moves need each value of the things that all of them need.
    fn values_of_all(&self, sets: &[(Role, &[usize])]) -> BTreeMap<NeededValue, usize> {
        let mut values: BTreeMap<NeededValue, usize> = BTreeMap::new();
        let mut things: BTreeMap<u32, usize> = BTreeMap::new();
        let moves = sets.iter().flat_map(|(role, moves)| moves.iter().map(|&at| (*role, at)));
        let mut count = 0;
        for (role, at) in moves {
            count += 1;
            for need in self.needs[role][at].iter().flatten() {
                *values.entry(*need).or_default() += 1;
                *things.entry(need.thing).or_default() += 1;
            }
        }
        values.retain(|need, _| things[&need.thing] == count);
        values
    }
}

/// Whether two moves need different values of one thing.
fn are_apart(one: &[NeededValue], other: &[NeededValue]) -> bool {
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    while let (Some(a), Some(b)) = (one.peek(), other.peek()) {
        match a.thing.cmp(&b.thing) {
            std::cmp::Ordering::Less => one.next(),
            std::cmp::Ordering::Greater => other.next(),
            std::cmp::Ordering::Equal if a.value != b.value => return true,
            std::cmp::Ordering::Equal => one.next(),
        };
    }
    false
}

/// Which moves of a block are never legal together: a row of bits for each.
struct Apart {
    words: usize,
    rows: Vec<Vec<u64>>,
}

impl Apart {
    fn new(moves: &[&[NeededValue]]) -> Self {
        let words = moves.len().div_ceil(64);
        let mut with_value: BTreeMap<NeededValue, Vec<u64>> = BTreeMap::new();
        let mut with_thing: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        for (at, needs) in moves.iter().enumerate() {
            for need in needs.iter() {
                let value = with_value.entry(*need).or_insert_with(|| vec![0; words]);
                value[at / 64] |= 1 << (at % 64);
                let thing = with_thing.entry(need.thing).or_insert_with(|| vec![0; words]);
                thing[at / 64] |= 1 << (at % 64);
            }
        }
        let row = |needs: &&[NeededValue]| {
            let mut row = vec![0; words];
            for need in needs.iter() {
                let both = with_thing[&need.thing].iter().zip(&with_value[need]);
                row.iter_mut().zip(both).for_each(|(row, (thing, value))| *row |= thing & !value);
            }
            row
        };
        Apart { words, rows: moves.iter().map(row).collect() }
    }
}

/// Classes of moves that are pairwise apart. Begins each class with the move that fits with the
/// fewest, and goes on with those that fit with most of what still fits.
fn cover(apart: &Apart) -> Vec<Vec<usize>> {
    let count = apart.rows.len();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&at| (ones(&apart.rows[at]), at));
    let mut left = vec![0; apart.words];
    (0..count).for_each(|at| left[at / 64] |= 1u64 << (at % 64));
    let mut classes = Vec::new();
    for at in order {
        if left[at / 64] >> (at % 64) & 1 == 0 {
            continue;
        }
        let mut class = vec![at];
        left[at / 64] &= !(1 << (at % 64));
        let mut fitting = both(&apart.rows[at], &left);
        while let Some(best) = best(apart, &fitting) {
            class.push(best);
            left[best / 64] &= !(1 << (best % 64));
            fitting = both(&apart.rows[best], &fitting);
        }
        classes.push(class);
    }
    classes
}

/// How many of the moves that fit are looked at closely.
const LOOKED_AT: usize = 64;

/// The move that leaves most of the fitting ones.
fn best(apart: &Apart, fitting: &[u64]) -> Option<usize> {
    let fits = |at: &usize| fitting[at / 64] >> (at % 64) & 1 == 1;
    let candidates = (0..apart.rows.len()).filter(fits).take(LOOKED_AT);
    let left = |at: usize| ones(&both(&apart.rows[at], fitting));
    candidates.max_by_key(|&at| (left(at), usize::MAX - at))
}

fn both(one: &[u64], other: &[u64]) -> Vec<u64> {
    one.iter().zip(other).map(|(one, other)| one & other).collect()
}

fn ones(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}
