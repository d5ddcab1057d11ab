//! All moves as first (AMAF): each move of a simulation is a sample for every node before it.
//!
//! Gelly and Silver 2007; section 4.1.5 of the CadiaPlayer thesis.

use propnet::game::Role;

use crate::search::policy::Finished;

/// Walks a simulation from its end to the root and knows the moves made from each level on.
#[derive(Default)]
pub(super) struct LaterMoves {
    /// By role and move: 1 if this walk has met it, else 0. Numbers, not marks, so that samples are
    /// added without a branch.
    made: Vec<Vec<f64>>,
    /// Those of this walk, each once.
    pub(super) met: Vec<(Role, usize)>,
}

impl LaterMoves {
    /// Calls `visit` for each of the first levels, the deepest first, with the scores of the roles as
    /// seen from there.
    pub(super) fn walk(
        &mut self,
        finished: &Finished,
        levels: usize,
        mut visit: impl FnMut(&Self, usize, &[f64]),
    ) {
        let roles = finished.goals.len();
        for (role, at) in self.met.drain(..) {
            self.made[role][at] = 0.0;
        }
        self.made.resize_with(roles, Vec::new);
        let mut scores = finished.goals.to_vec();
        let path = finished.path.chunks_exact(roles);
        let mut level = path.len() + finished.playout.len() / roles;
        for joint in finished.playout.chunks_exact(roles).rev().chain(path.rev()) {
            level -= 1;
            scores.iter_mut().for_each(|score| *score *= finished.discount);
            for (role, chosen) in joint.iter().enumerate() {
                self.mark(role, chosen.index());
            }
            if level < levels {
                visit(self, level, &scores);
            }
        }
    }

    fn mark(&mut self, role: Role, at: usize) {
        let made = &mut self.made[role];
        if at >= made.len() {
            made.resize(at + 1, 0.0);
        }
        if made[at] == 0.0 {
            made[at] = 1.0;
            self.met.push((role, at));
        }
    }

    /// By move: 1 if the role makes it on this level or later, else 0; the list may end before the
    /// last move.
    pub(super) fn made(&self, role: Role) -> &[f64] {
        &self.made[role]
    }
}

/// The share of a move's visits that are backed up, by which its value shrinks as its mean does: what
/// is in flight looks like a loss. Otherwise all simulations in flight would go the same way.
pub(super) fn landed(backed_up: f64, visits: f64) -> f64 {
    if visits > 0.0 { backed_up / visits } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use propnet::game::{Move, TableId};

    use super::*;

    #[test]
    fn moves_are_known_from_the_level_on_where_they_are_made() {
        let table = TableId::unique();
        let moves = |all: &[u32]| all.iter().map(|&at| Move::new(table, at)).collect::<Vec<_>>();
        let (path, playout) = (moves(&[1, 0]), moves(&[2, 0, 1, 5]));
        let finished = Finished {
            path: &path,
            playout: &playout,
            goals: &[80.0, 0.0],
            discount: 0.5,
            count: 1.0,
        };
        let mut later = LaterMoves::default();
        let mut seen = Vec::new();
        later.walk(&finished, 2, |later, level, scores| {
            seen.push((
                level,
                scores[0],
                later.made(0).to_vec(),
                later.made(1)[5],
                later.met.len(),
            ));
        });
        assert_eq!(
            seen,
            [(1, 20.0, vec![0.0, 1.0, 1.0], 1.0, 4), (0, 10.0, vec![0.0, 1.0, 1.0], 1.0, 4),]
        );
        later.walk(&Finished { playout: &[], ..finished }, 1, |later, _, _| {
            assert_eq!((later.made(0), later.made(1)[5]), (&[0.0, 1.0, 0.0][..], 0.0));
        });
    }
}
