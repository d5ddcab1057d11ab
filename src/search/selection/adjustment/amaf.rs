//! All moves as first (AMAF): each move of a simulation is a sample for every node before it.
//!
//! Gelly and Silver 2007; section 4.1.5 of the CadiaPlayer thesis.

use propnet::game::{Move, Role};

use crate::search::policy::Finished;

/// Walks a simulation from its end to the root and knows the moves made from each level on.
#[derive(Default)]
pub(super) struct LaterMoves {
    /// By role and move: the last walk that met it.
    marks: Vec<Vec<u32>>,
    walk: u32,
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
        self.walk = self.walk.wrapping_add(1);
        self.met.clear();
        self.marks.resize_with(roles, Vec::new);
        let mut scores = finished.goals.to_vec();
        let joints = finished.path.chunks_exact(roles).chain(finished.playout.chunks_exact(roles));
        let joints: Vec<&[Move]> = joints.collect();
        for (level, joint) in joints.iter().enumerate().rev() {
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
        let marks = &mut self.marks[role];
        if at >= marks.len() {
            marks.resize(at + 1, self.walk.wrapping_sub(1));
        }
        if marks[at] != self.walk {
            marks[at] = self.walk;
            self.met.push((role, at));
        }
    }

    /// Whether a role makes this move on this level or later.
    pub(super) fn has(&self, role: Role, at: usize) -> bool {
        self.marks[role].get(at) == Some(&self.walk)
    }
}

#[cfg(test)]
mod tests {
    use propnet::game::TableId;

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
            let has: Vec<bool> = [1, 2, 3].map(|at| later.has(0, at)).to_vec();
            seen.push((level, scores[0], has, later.has(1, 5), later.met.len()));
        });
        assert_eq!(
            seen,
            [
                (1, 20.0, vec![true, true, false], true, 4),
                (0, 10.0, vec![true, true, false], true, 4),
            ]
        );
        later.walk(&Finished { playout: &[], ..finished }, 1, |later, _, _| {
            assert!(later.has(0, 1) && !later.has(0, 2) && !later.has(1, 5));
        });
    }
}
