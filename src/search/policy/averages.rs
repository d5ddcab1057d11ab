//! Mean scores by role and move, whatever the state a move was made in.

use propnet::game::{Move, Role, TableId};

/// By role and move: the scores of the simulations it was part of.
#[derive(Clone, Debug)]
pub(crate) struct MoveAverages {
    moves: Vec<Vec<Average>>,
    /// What the moves belong to, once one was seen.
    table: Option<TableId>,
    /// The mean of a move that was never seen.
    unseen: f64,
}

/// A mean of scores.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Average {
    total: f64,
    pub(super) count: f64,
}

impl Average {
    /// The mean, once there is a score.
    pub(super) fn value(&self) -> Option<f64> {
        (self.count > 0.0).then(|| self.total / self.count)
    }

    /// Adds a score `count` times.
    pub(super) fn add(&mut self, score: f64, count: f64) {
        self.total += count * score;
        self.count += count;
    }
}

impl MoveAverages {
    /// Nothing seen yet. `moves` has the number of moves of each role, as far as known.
    pub(crate) fn new(moves: &[usize], unseen: f64) -> Self {
        let moves = moves.iter().map(|&count| vec![Average::default(); count]).collect();
        MoveAverages { moves, table: None, unseen }
    }

    /// What a move that was never seen counts as.
    pub(super) fn unseen(&self) -> f64 {
        self.unseen
    }

    /// Adds a score to a move's mean `count` times.
    pub(crate) fn add(&mut self, role: Role, chosen: Move, score: f64, count: f64) {
        let (moves, at) = (&mut self.moves[role], chosen.index());
        if at >= moves.len() {
            moves.resize(at + 1, Average::default());
        }
        moves[at].add(score, count);
        self.table = Some(chosen.table());
    }

    /// What the moves belong to, once one was seen.
    pub(super) fn table(&self) -> Option<TableId> {
        self.table
    }

    /// The mean of a move.
    pub(super) fn value(&self, role: Role, chosen: Move) -> f64 {
        let average = self.moves[role].get(chosen.index());
        average.and_then(Average::value).unwrap_or(self.unseen)
    }

    /// The means of a role's moves; none of those never seen.
    pub(super) fn values(&self, role: Role) -> Vec<Option<f64>> {
        self.moves[role].iter().map(Average::value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_those_of_the_scores() {
        let table = TableId::unique();
        let chosen = |index| Move::new(table, index);
        let mut averages = MoveAverages::new(&[2, 0], 100.0);
        averages.add(0, chosen(1), 100.0, 2.0);
        averages.add(0, chosen(1), 0.0, 2.0);
        averages.add(1, chosen(7), 30.0, 1.0);
        assert_eq!(averages.value(0, chosen(0)), 100.0);
        assert_eq!(averages.value(0, chosen(1)), 50.0);
        assert_eq!(averages.value(1, chosen(7)), 30.0);
        assert_eq!(averages.value(1, chosen(8)), 100.0);
    }
}
