//! The records of a cell in figures.

use ludens::statistics::Estimate;

use super::experiment::{Cell, Published};
use super::records::GameRecord;

/// What the first side of a cell achieved.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CellScore {
    pub(super) games: usize,
    /// Points in percent: of wins, where a draw is half a win; of right first moves; or the goals, where
    /// the first side plays alone.
    pub(super) percent: Estimate,
    /// The mean goal of the first side.
    pub(super) goals: Option<Estimate>,
    /// Joint moves in a game.
    pub(super) length: f64,
    /// By side: simulations and states for each search.
    pub(super) simulations: [f64; 2],
    pub(super) states: [f64; 2],
}

impl CellScore {
    /// The score of some games; none if there are none.
    pub(super) fn of(cell: &Cell, records: &[GameRecord]) -> Option<Self> {
        let games = records.len();
        let points: Vec<f64> = records.iter().map(|record| points(cell, record)).collect();
        let is_alone = records.first()?.goals.len() == 1 && cell.right.is_empty();
        let percent = match is_alone {
            true => Estimate::of_points(&points, 100.0),
            false => Estimate::of(&points, 100.0),
        };
        let goals: Vec<f64> = records.iter().map(|record| best_goal(record, 0)).collect();
        let length: usize = records.iter().map(|record| record.length).sum();
        let per_search = |of: fn(&GameRecord) -> [u64; 2]| {
            [0, 1].map(|side| {
                let searches: u64 = records.iter().map(|record| record.searches[side]).sum();
                let sum: u64 = records.iter().map(|record| of(record)[side]).sum();
                sum as f64 / searches.max(1) as f64
            })
        };
        Some(CellScore {
            games,
            percent: percent?,
            goals: Estimate::of_points(&goals, 100.0),
            length: length as f64 / games as f64,
            simulations: per_search(|record| record.simulations),
            states: per_search(|record| record.states),
        })
    }

    /// Whether the published result says the opposite, and both say it significantly.
    pub(super) fn contradicts(&self, published: Published) -> bool {
        let Published { percent, half } = published;
        let ours = sign(self.percent.low, self.percent.high);
        ours != 0 && ours == -sign(percent - half, percent + half)
    }

    /// Whether the intervals have no point in common.
    pub(super) fn differs(&self, published: Published) -> bool {
        let Published { percent, half } = published;
        self.percent.high < percent - half || percent + half < self.percent.low
    }
}

/// Whether an interval is above half of the points, below it, or neither.
fn sign(low: f64, high: f64) -> i32 {
    i32::from(low > 50.0) - i32::from(high < 50.0)
}

/// The points of the first side in a game, from 0 to 100.
pub(super) fn points(cell: &Cell, record: &GameRecord) -> f64 {
    if !cell.right.is_empty() {
        let is_right = record.opening.as_ref().is_some_and(|opening| cell.right.contains(opening));
        return if is_right { 100.0 } else { 0.0 };
    }
    let own = best_goal(record, 0);
    if record.goals.len() == 1 {
        return own;
    }
    match own.total_cmp(&best_goal(record, 1)) {
        std::cmp::Ordering::Greater => 100.0,
        std::cmp::Ordering::Equal => 50.0,
        std::cmp::Ordering::Less => 0.0,
    }
}

/// The highest goal of the roles that a side has.
fn best_goal(record: &GameRecord, side: usize) -> f64 {
    let roles = record.sides.iter().zip(&record.goals).filter(|(own, _)| **own == side);
    roles.map(|(_, goal)| *goal).fold(0.0, f64::max)
}
