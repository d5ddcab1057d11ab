//! Where moves lead: which constants of a move name the cell that a piece leaves and the cell that
//! a piece of the mover appears on.
//!
//! Both are found by play, not by the order of the arguments: `(move a 1 b 2)`, `(move 2 b 1 a)`
//! and `(jump a 1 b 2 c 3)` are all understood.

use std::collections::HashMap;

use propnet::game::Role;

use super::board::{Board, Coordinates};
use super::episode::Episode;
use super::move_terms::{MoveTerms, pairs};
use super::owners::contents;

/// Which two constants of a move are the coordinates of a cell.
pub type CoordinateLeaves = (usize, usize);

/// How moves of one shape name cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveReading {
    /// The cell that a piece of the mover leaves.
    pub from: Option<CoordinateLeaves>,
    /// The cell that a piece of the mover appears on.
    pub to: Option<CoordinateLeaves>,
}

/// The cells of one move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveCells {
    /// The cell that a piece of the mover leaves.
    pub from: Option<usize>,
    /// The cell that a piece of the mover appears on.
    pub to: Option<usize>,
}

/// The share of the moves made that must do what their cells say. In games with simultaneous moves
/// others interfere.
const KEPT_SHARE: f64 = 0.5;

/// Moves with more constants than this are not read.
const MOST_LEAVES: usize = 12;

/// By shape of moves: how they name cells.
pub(super) fn move_readings(
    board: &Board,
    owners: &[Option<Role>],
    moves: &MoveTerms,
    episodes: &[Episode],
    places: &[Option<(usize, usize)>],
) -> Vec<MoveReading> {
    let cells = board.cell_index();
    let mut tallies: Vec<Tally> =
        moves.shapes.iter().map(|shape| Tally::new(shape.leaves)).collect();
    for (before, joint, after) in episodes.iter().flat_map(Episode::steps) {
        let before = contents(before, places, board.cells.len());
        let after = contents(after, places, board.cells.len());
        for (role, chosen) in joint.iter().enumerate() {
            let is_own = |content: Option<usize>| {
                content.is_some_and(|content| owners[content] == Some(role))
            };
            let tally = &mut tallies[moves.shape(role, chosen.index())];
            tally.made += 1;
            for pair in &mut tally.pairs {
                let cell = moves.cell(role, chosen.index(), pair.leaves, &cells);
                let Some(cell) = cell.filter(|&cell| before[cell] != after[cell]) else { continue };
                pair.left += u64::from(is_own(before[cell]));
                pair.reached += u64::from(is_own(after[cell]));
            }
        }
    }
    tallies.iter().map(Tally::reading).collect()
}

/// By role and move: its cells.
pub(super) fn cells_of_moves(
    readings: &[MoveReading],
    moves: &MoveTerms,
    cells: &HashMap<Coordinates, usize>,
) -> Vec<Vec<MoveCells>> {
    let cells_of = |role: Role, index: usize| {
        let MoveReading { from, to } = readings[moves.shape(role, index)];
        let cell = |leaves: Option<CoordinateLeaves>| moves.cell(role, index, leaves?, cells);
        MoveCells { from: cell(from), to: cell(to) }
    };
    let roles = 0..moves.roles();
    roles.map(|role| (0..moves.count(role)).map(|at| cells_of(role, at)).collect()).collect()
}

/// What moves of one shape did.
struct Tally {
    made: u64,
    pairs: Vec<PairTally>,
}

/// What happened on the cell that two constants name.
struct PairTally {
    leaves: CoordinateLeaves,
    /// An own piece was there and no longer is.
    left: u64,
    /// An own piece is there and was not before.
    reached: u64,
}

impl Tally {
    fn new(leaves: usize) -> Self {
        let leaves = if leaves > MOST_LEAVES { 0 } else { leaves };
        let pairs = pairs(leaves).map(|leaves| PairTally { leaves, left: 0, reached: 0 });
        Tally { made: 0, pairs: pairs.collect() }
    }

    fn reading(&self) -> MoveReading {
        MoveReading { from: self.best(|pair| pair.left), to: self.best(|pair| pair.reached) }
    }

    /// The pair of which something is true most often, if it is often enough.
    fn best(&self, count: impl Fn(&PairTally) -> u64) -> Option<CoordinateLeaves> {
        // Of equal ones the first.
        let best = self.pairs.iter().rev().max_by_key(|pair| count(pair))?;
        let is_kept = count(best) > 0 && count(best) as f64 >= KEPT_SHARE * self.made as f64;
        is_kept.then_some(best.leaves)
    }
}
