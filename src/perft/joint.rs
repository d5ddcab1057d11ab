//! The joint moves of a state.

use propnet::game::{Game, Move, PlayError, State};

/// The legal moves of each role.
pub(super) fn all_legal_moves(
    game: &mut dyn Game,
    state: &State,
) -> Result<Vec<Vec<Move>>, PlayError> {
    (0..game.roles().len())
        .map(|role| {
            let legal = game.legal_moves(state, role)?;
            Ok(legal.iter().collect())
        })
        .collect()
}

/// The product of the roles' moves, one joint move at a time: an odometer whose last role turns
/// fastest.
pub(super) struct JointMoves<'a> {
    legal: &'a [Vec<Move>],
    at: Vec<usize>,
    joint: Vec<Move>,
    started: bool,
}

impl<'a> JointMoves<'a> {
    pub(super) fn new(legal: &'a [Vec<Move>]) -> Self {
        JointMoves { legal, at: vec![0; legal.len()], joint: Vec::new(), started: false }
    }

    /// Not an iterator: the joint move is lent, and overwritten by the next.
    pub(super) fn next(&mut self) -> Option<&[Move]> {
        if !self.started {
            self.started = true;
            self.joint =
                self.legal.iter().map(|moves| moves.first().copied()).collect::<Option<_>>()?;
            return Some(&self.joint);
        }
        for role in (0..self.at.len()).rev() {
            self.at[role] += 1;
            if let Some(&chosen) = self.legal[role].get(self.at[role]) {
                self.joint[role] = chosen;
                return Some(&self.joint);
            }
            self.at[role] = 0;
            self.joint[role] = self.legal[role][0];
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use propnet::game::TableId;

    use super::*;

    #[test]
    fn joint_moves_are_the_product() {
        let table = TableId::unique();
        let moves = |indices: &[u32]| -> Vec<Move> {
            indices.iter().map(|&index| Move::new(table, index)).collect()
        };
        let legal = [moves(&[1, 2]), moves(&[7]), moves(&[3, 4])];
        let mut odometer = JointMoves::new(&legal);
        let mut seen = Vec::new();
        while let Some(joint) = odometer.next() {
            seen.push(joint.iter().map(|chosen| chosen.index()).collect::<Vec<_>>());
        }
        assert_eq!(seen, [[1, 7, 3], [1, 7, 4], [2, 7, 3], [2, 7, 4]]);
        let none = [moves(&[1]), vec![]];
        assert_eq!(JointMoves::new(&none).next(), None);
    }
}
