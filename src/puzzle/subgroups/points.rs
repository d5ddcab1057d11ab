//! The places that things of a kind share. A place of one thing is the same as a place of another if
//! moves do the same to both; so moves are permutations of places, and a state says which thing is
//! where.
//!
//! Places of a thing may also be turned into each other without any difference to moves: a corner
//! that is twisted in its place is moved as it would be otherwise. So each thing fills several
//! points, one for each way to turn it.

use super::super::puzzle::Puzzle;
use super::moved::{Moved, Thing};

/// Nothing that matters is at the point.
pub(super) const EMPTY: u16 = u16::MAX;
/// More points are not looked at.
const MOST: usize = 96;

/// Points, and how moves permute them.
pub(super) struct Points {
    /// By move that changes something: where it takes each point. No two do the same, and for each
    /// there is one that takes it back.
    pub(super) permutations: Vec<Vec<u16>>,
    /// The same moves, by their index in the circuit.
    pub(super) moves: Vec<u32>,
    /// By point: where what is there belongs.
    pub(super) homes: Vec<u16>,
    /// Permutations of points that go with all moves.
    pub(super) turns: Vec<Vec<u16>>,
}

struct ThingKind<'m> {
    thing: &'m Thing,
    first: usize,
    turns: Vec<Vec<u16>>,
}

impl Points {
    /// The points of a puzzle at its start; what is where in the goal state is at home.
    pub(super) fn new(puzzle: &Puzzle, moved: &Moved, goal: &[u64]) -> Option<Self> {
        let mut truths = vec![false; puzzle.lanes.program.carried];
        puzzle.layout.truths(&puzzle.start_code, &mut truths);
        let mut goal_truths = vec![false; puzzle.lanes.program.carried];
        puzzle.layout.truths(goal, &mut goal_truths);
        let mut kinds: Vec<ThingKind<'_>> = Vec::new();
        let mut count = 0;
        // By point: what is there, and what belongs there.
        let (mut homes, mut is_home) = (Vec::new(), Vec::new());
        for thing in &moved.things {
            let same =
                kinds.iter().find_map(|kind| Some((kind, same_places(thing, kind.thing).next()?)));
            let (first, places, turns) = match same {
                Some((kind, places)) => (kind.first, places, kind.turns.clone()),
                None => {
                    let turns: Vec<Vec<u16>> = same_places(thing, thing).collect();
                    let places = turns.first()?.clone();
                    kinds.push(ThingKind { thing, first: count, turns: turns.clone() });
                    let first = count;
                    count += places.len();
                    if count > MOST {
                        return None;
                    }
                    homes.resize(count, EMPTY);
                    is_home.resize(count, false);
                    (first, places, turns)
                }
            };
            let (now, home) = (thing.place(&truths)?, thing.place(&goal_truths)?);
            for turn in &turns {
                let now = first + turn[places[now] as usize] as usize;
                let home = first + turn[places[home] as usize] as usize;
                if homes[now] != EMPTY || std::mem::replace(&mut is_home[home], true) {
                    return None;
                }
                homes[now] = home as u16;
            }
        }
        let mut points = Points {
            permutations: Vec::new(),
            moves: Vec::new(),
            homes,
            turns: turns(&kinds, count),
        };
        points.add_moves(moved, &kinds);
        (points.moves.len() > 1).then_some(points)
    }

    fn add_moves(&mut self, moved: &Moved, kinds: &[ThingKind<'_>]) {
        let count = self.homes.len();
        let all: Vec<Vec<u16>> = (0..moved.moves.len())
            .map(|at| joined(kinds, count, |kind| &kind.thing.next[at]))
            .collect();
        let identity: Vec<u16> = (0..count as u16).collect();
        for (permutation, &made) in all.iter().zip(&moved.moves) {
            let is_back = |other: &Vec<u16>| {
                permutation
                    .iter()
                    .enumerate()
                    .all(|(from, &to)| other[to as usize] as usize == from)
            };
            if *permutation != identity
                && !self.permutations.contains(permutation)
                && all.iter().any(is_back)
            {
                self.permutations.push(permutation.clone());
                self.moves.push(made);
            }
        }
    }

    /// What is where after a move.
    pub(super) fn after(&self, homes: &[u16], made: usize) -> Vec<u16> {
        let mut next = vec![EMPTY; homes.len()];
        for (&home, &to) in homes.iter().zip(&self.permutations[made]) {
            next[to as usize] = home;
        }
        next
    }
}

/// A permutation of all points from one for the places of each kind.
fn joined<'k>(
    kinds: &'k [ThingKind<'_>],
    count: usize,
    of: impl Fn(&'k ThingKind<'_>) -> &'k Vec<u16>,
) -> Vec<u16> {
    let mut all: Vec<u16> = (0..count as u16).collect();
    for kind in kinds {
        for (place, &to) in of(kind).iter().enumerate() {
            all[kind.first + place] = kind.first as u16 + to;
        }
    }
    all
}

/// The turns of each kind, the points of the others staying.
fn turns(kinds: &[ThingKind<'_>], count: usize) -> Vec<Vec<u16>> {
    let stay: Vec<u16> = (0..count as u16).collect();
    let turn = |(kind, turn): (&ThingKind<'_>, &Vec<u16>)| {
        let mut all = stay.clone();
        turn.iter().enumerate().for_each(|(place, &to)| {
            all[kind.first + place] = kind.first as u16 + to;
        });
        all
    };
    kinds
        .iter()
        .flat_map(|kind| kind.turns.iter().map(move |turn| (kind, turn)))
        .map(turn)
        .collect()
}

/// All ways to tell which place of one thing is which of another, such that each move does the same
/// to both.
fn same_places<'t>(one: &'t Thing, other: &'t Thing) -> impl Iterator<Item = Vec<u16>> + 't {
    let count = one.next[0].len();
    let others = if other.next[0].len() == count { count } else { 0 };
    (0..others as u16).filter_map(move |first| {
        let mut same = vec![EMPTY; count];
        let mut is_taken = vec![false; count];
        (same[0], is_taken[first as usize]) = (first, true);
        let mut todo = vec![0];
        while let Some(place) = todo.pop() {
            for (one, other) in one.next.iter().zip(&other.next) {
                let (next, wanted) = (one[place] as usize, other[same[place] as usize]);
                if same[next] == wanted {
                    continue;
                }
                if same[next] != EMPTY || std::mem::replace(&mut is_taken[wanted as usize], true) {
                    return None;
                }
                same[next] = wanted;
                todo.push(next);
            }
        }
        (!same.contains(&EMPTY)).then_some(same)
    })
}
