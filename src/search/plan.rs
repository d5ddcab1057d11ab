//! Games for one role: the best line found so far, entered into the tree and followed.
//!
//! Without an opponent nothing unforeseen happens, so what counts is the highest score ever reached,
//! not the average. The line that reached it is kept with all its nodes.

use propnet::game::{Game, JointMove, Move, PlayError};

use super::flight::Flight;
use super::simulator::situation;
use super::tree::Tree;

/// The highest score that a game can give.
pub(super) const HIGHEST: f64 = 100.0;

/// So many moves of lines that are no better than the best may enter before any simulation.
const FIRST_ALLOWANCE: f64 = 1000.0;

/// So many more for each simulation. Where all lines score alike, each would enter whole, and
/// entering a move costs more than playing a hundred.
const ALLOWANCE: f64 = 1.0 / 16.0;

/// The best line so far.
pub(super) struct Plan {
    /// Its score; nothing below 0 is worth a plan, and neither is 0.
    pub(super) score: f64,
    /// Its joint moves from the root on.
    pub(super) moves: Vec<JointMove>,
    /// The moves of further lines that may enter although they are no better.
    allowance: f64,
}

impl Plan {
    pub(super) fn new() -> Self {
        Plan { score: 0.0, moves: Vec::new(), allowance: FIRST_ALLOWANCE }
    }

    /// Counts simulations.
    pub(super) fn count(&mut self, simulations: usize) {
        self.allowance += ALLOWANCE * simulations as f64;
    }

    /// Whether a line of so many moves with this score is to enter the tree.
    pub(super) fn wants(&self, score: f64, length: u64) -> bool {
        score > self.score || score > 0.0 && score == self.score && self.allowance >= length as f64
    }

    /// Enters a playout behind a flight into the tree and takes it over if it is the best.
    pub(super) fn enter(
        &mut self,
        tree: &mut Tree,
        game: &mut dyn Game,
        flight: &Flight,
        moves: &[Move],
        score: f64,
    ) -> Result<(), PlayError> {
        self.allowance = (self.allowance - moves.len() as f64).max(0.0);
        if score > self.score || self.moves.is_empty() {
            self.score = score;
            let above = (0..flight.depth() - 1).map(|level| tree.joint(flight.level(level)));
            self.moves = above.chain(moves.iter().map(|&chosen| vec![chosen])).collect();
        }
        let mut node = *flight.nodes.last().expect("a flight has the root");
        for (at, &chosen) in moves.iter().enumerate() {
            tree.open(node);
            let Some(places) = tree.places(node, &[chosen]) else { break };
            if at > 0 {
                // The flight itself counts for its own nodes.
                count(tree, node, places[0] as usize, score);
            }
            node = match tree.child(node, &places) {
                Some(child) => child,
                None => {
                    let state = game.next_state(&tree.nodes[node as usize].state, &[chosen])?;
                    let child = tree.add(situation(game, state)?);
                    tree.link(node, &places, child);
                    child
                }
            };
        }
        Ok(())
    }

    /// Goes on to the next state, or forgets a plan that was not followed.
    pub(super) fn advance(&mut self, joint: &[Move]) {
        if self.moves.first().is_some_and(|planned| planned == joint) {
            self.moves.remove(0);
        } else {
            *self = Plan::new();
        }
    }
}

fn count(tree: &mut Tree, node: u32, at: usize, score: f64) {
    tree.nodes[node as usize].visits += 1.0;
    tree.moves[at].visits += 1.0;
    tree.moves[at].total += score;
    if let Some(best) = tree.best.get_mut(at) {
        *best = best.max(score as f32);
    }
}
