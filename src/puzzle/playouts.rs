//! Playouts side by side in lanes, all from states at one depth, with moves of the caller's choice.

use super::expand::{Expand, NextStates, Over, expander};
use super::heuristic::Conditions;
use super::method::Task;

/// What a playout came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Playout {
    /// The moves, from the start of the puzzle on.
    pub(super) moves: Vec<u32>,
    /// Its score, and how little was missing for the highest goal at its end. A playout that did
    /// not end has the lowest.
    pub(super) value: Value,
}

/// Playouts are compared by score, then by what is missing for the highest goal.
pub(super) type Value = (i32, i64);

/// The value of nothing.
pub(super) const WORST: Value = (i32::MIN, i64::MIN);

/// Where playouts begin: a state, and the moves to it.
#[derive(Clone, Debug)]
pub(super) struct Begin {
    pub(super) code: Vec<u64>,
    pub(super) moves: Vec<u32>,
}

/// Runs playouts of a puzzle.
pub(super) struct Lockstep<'t> {
    task: &'t Task<'t>,
    expander: Box<dyn Expand + Send>,
    distance: Conditions,
    len: usize,
    longest: usize,
}

/// Playouts that no step counter ends are cut off here.
const LONGEST: usize = 1000;

/// About the work of a step in a lane, and of one of the moves that are offered.
const LANE_STEP: u64 = 100;
const OFFER: u64 = 10;

impl<'t> Lockstep<'t> {
    pub(super) fn new(task: &'t Task<'t>) -> Self {
        let puzzle = task.puzzle;
        Lockstep {
            task,
            expander: expander(puzzle),
            distance: Conditions::of_goal(puzzle),
            len: puzzle.layout.len(),
            longest: puzzle.horizon().unwrap_or(LONGEST),
        }
    }

    /// How many playouts run side by side.
    pub(super) fn lanes(&self) -> usize {
        self.expander.lanes()
    }

    /// The states after each legal move of one.
    pub(super) fn children(&mut self, begin: &Begin) -> Vec<Begin> {
        let (mut over, mut children) = (Vec::new(), NextStates::default());
        self.expander.expand(&begin.code, begin.moves.len(), &mut over, &mut children);
        let codes = children.codes.chunks_exact(self.len);
        let child = |(code, &chosen): (&[u64], &u32)| {
            let mut moves = begin.moves.clone();
            moves.push(chosen);
            Begin { code: code.to_vec(), moves }
        };
        codes.zip(&children.moves).map(child).collect()
    }

    /// A playout from each of these states, at most as many as there are lanes, all after equally
    /// many moves. `choose` gets the lane, the depth and the legal moves, and says which, by its
    /// place, is made. Where time runs out, playouts are left as they are.
    pub(super) fn run(
        &mut self,
        begins: &[Begin],
        mut choose: impl FnMut(usize, usize, &[u32]) -> usize,
    ) -> Vec<Playout> {
        let mut playouts: Vec<Playout> = begins
            .iter()
            .map(|begin| Playout { moves: begin.moves.clone(), value: WORST })
            .collect();
        let Some(first) = begins.first().map(|begin| begin.moves.len()) else { return playouts };
        let mut states: Vec<u64> = begins.iter().flat_map(|begin| begin.code.clone()).collect();
        // The playouts that go on, by the lane that they are in.
        let mut running: Vec<usize> = (0..begins.len()).collect();
        let (mut over, mut legal): (Vec<Over>, _) = (Vec::new(), NextStates::default());
        let mut made = NextStates::default();
        for depth in first..=self.longest.max(first) {
            self.expander.look(&states, depth, &mut over, &mut legal);
            for found in &over {
                let code = &states[found.place * self.len..(found.place + 1) * self.len];
                let missing = self.distance.missing(code, depth);
                if let Some(score) = found.score {
                    playouts[running[found.place]].value = (score, -i64::from(missing));
                }
            }
            let work = LANE_STEP * running.len() as u64 + OFFER * legal.moves.len() as u64;
            if !self.task.pace.goes_on(self.expander.take_work() + work) {
                break;
            }
            let offers = by_parent(&legal, running.len());
            made.parents.clear();
            made.moves.clear();
            let mut chosen: Vec<(u32, u32)> = Vec::with_capacity(running.len());
            for (lane, offer) in offers.iter().enumerate() {
                if !offer.is_empty() {
                    let place = choose(running[lane], depth, offer).min(offer.len() - 1);
                    chosen.push((offer[place], lane as u32));
                }
            }
            if chosen.is_empty() || depth == self.longest {
                break;
            }
            // Equal moves side by side are made at once.
            chosen.sort_unstable();
            made.parents.extend(chosen.iter().map(|&(_, lane)| lane));
            made.moves.extend(chosen.iter().map(|&(chosen, _)| chosen));
            self.expander.step(&states, depth, &mut made);
            let before = std::mem::take(&mut running);
            running.extend(chosen.iter().map(|&(_, lane)| before[lane as usize]));
            for (&playout, &(chosen, _)) in running.iter().zip(&chosen) {
                playouts[playout].moves.push(chosen);
            }
            std::mem::swap(&mut states, &mut made.codes);
        }
        playouts
    }
}

/// The moves of each parent.
fn by_parent(children: &NextStates, parents: usize) -> Vec<Vec<u32>> {
    let mut offers = vec![Vec::new(); parents];
    for (&parent, &chosen) in children.parents.iter().zip(&children.moves) {
        offers[parent as usize].push(chosen);
    }
    offers
}
