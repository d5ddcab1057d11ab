//! Mean scores by role and move, whatever the state a move was made in.

use propnet::game::{Move, Role};

/// The mean of a move that was never seen: the highest score there is.
pub(super) const UNSEEN: f64 = 100.0;

/// By role and move: the scores of the simulations it was part of.
#[derive(Clone, Debug)]
pub(crate) struct MoveAverages(Vec<Vec<Average>>);

#[derive(Clone, Copy, Debug, Default)]
struct Average {
    total: f64,
    count: f64,
}

impl Average {
    fn value(&self) -> f64 {
        if self.count > 0.0 { self.total / self.count } else { UNSEEN }
    }
}

impl MoveAverages {
    /// Nothing seen yet. `moves` has the number of moves of each role, as far as known.
    pub(crate) fn new(moves: &[usize]) -> Self {
        MoveAverages(moves.iter().map(|&count| vec![Average::default(); count]).collect())
    }

    /// Adds a score to a move's mean `count` times.
    pub(crate) fn add(&mut self, role: Role, chosen: Move, score: f64, count: f64) {
        let (moves, at) = (&mut self.0[role], chosen.index());
        if at >= moves.len() {
            moves.resize(at + 1, Average::default());
        }
        moves[at].total += count * score;
        moves[at].count += count;
    }

    /// The mean of a move.
    pub(super) fn value(&self, role: Role, chosen: Move) -> f64 {
        let average = self.0[role].get(chosen.index());
        average.map_or(UNSEEN, Average::value)
    }

    /// The means of a role's moves.
    pub(super) fn values(&self, role: Role) -> Vec<f64> {
        self.0[role].iter().map(Average::value).collect()
    }
}

#[cfg(test)]
mod tests {
    use propnet::game::TableId;

    use super::*;

    #[test]
    fn means_are_those_of_the_scores() {
        let table = TableId::unique();
        let chosen = |index| Move::new(table, index);
        let mut averages = MoveAverages::new(&[2, 0]);
        averages.add(0, chosen(1), 100.0, 2.0);
        averages.add(0, chosen(1), 0.0, 2.0);
        averages.add(1, chosen(7), 30.0, 1.0);
        assert_eq!(averages.value(0, chosen(0)), UNSEEN);
        assert_eq!(averages.value(0, chosen(1)), 50.0);
        assert_eq!(averages.value(1, chosen(7)), 30.0);
        assert_eq!(averages.value(1, chosen(8)), UNSEEN);
    }
}
