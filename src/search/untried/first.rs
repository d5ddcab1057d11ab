//! Untried moves first: every move is tried once before selection chooses among all.
//!
//! Section 4.1 of the CadiaPlayer thesis: among them the playout policy chooses, or chance.

use propnet::game::Move;
use rand::RngExt;
use rand_pcg::Pcg64;

use super::{MakeUntried, Untried};
use crate::search::policy::Sampler;
use crate::search::scheme::Part;
use crate::search::selection::NodeMoves;
use crate::search::tree::{MoveEntry, MoveId};

/// The part of this name.
pub(crate) const PART: Part<MakeUntried> = Part {
    name: "first",
    help: "untried moves come first, chosen by the playout policy",
    paper: "Finnsson 2012, section 4.1",
    parameters: &[],
    make: |_| Box::new(First),
};

struct First;

impl Untried for First {
    fn choose(
        &self,
        node: &NodeMoves,
        count: usize,
        policy: Option<&dyn Sampler>,
        rng: &mut Pcg64,
    ) -> Option<usize> {
        let moves = node.moves();
        let mut places = (0..moves.len()).filter(|&at| is_untried(&moves[at]));
        let chosen = match policy {
            None => rng.random_range(0..count),
            Some(policy) => {
                let first = node.span.start;
                let what = |at| node.tree.what(MoveId::new(first + at));
                let untried: Vec<Move> = places.clone().map(what).collect();
                policy.choose(node.role, &untried, rng)
            }
        };
        places.nth(chosen)
    }
}

fn is_untried(entry: &MoveEntry) -> bool {
    entry.visits == 0.0
}

#[cfg(test)]
mod tests {
    use propnet::game::{MoveSet, State, TableId};
    use rand::SeedableRng;

    use super::*;
    use crate::search::policy::{Gibbs, MoveAverages};
    use crate::search::tree::{NewNode, Tree};

    /// How often each move of a node with these visits is chosen.
    fn counts(visits: &[f64], policy: Option<&dyn Sampler>, times: usize) -> Vec<usize> {
        let table = TableId::unique();
        let legal = vec![MoveSet::new(table, 0..visits.len())];
        let root = NewNode { state: State::new(table, []), legal, goals: None };
        let mut tree = Tree::new(root, 1, true, &[]);
        for (entry, &visits) in tree.moves.iter_mut().zip(visits) {
            entry.visits = visits;
        }
        let node = NodeMoves { tree: &tree, role: 0, span: tree.span(tree.root, 0), visits: 10.0 };
        let count = visits.iter().filter(|&&visits| visits == 0.0).count();
        let mut rng = Pcg64::seed_from_u64(5);
        let mut counts = vec![0; visits.len()];
        for _ in 0..times {
            counts[First.choose(&node, count, policy, &mut rng).expect("an untried move")] += 1;
        }
        counts
    }

    #[test]
    fn each_untried_move_is_as_likely() {
        let counts = counts(&[1.0, 0.0, 5.0, 0.0], None, 1000);
        assert_eq!((counts[0], counts[2]), (0, 0));
        assert!((400..600).contains(&counts[1]), "{counts:?}");
    }

    #[test]
    fn untried_moves_are_chosen_by_the_policy() {
        let mut averages = MoveAverages::new(&[3]);
        let table = TableId::unique();
        for (index, score) in [(0, 60.0), (1, 50.0), (2, 50.0)] {
            averages.add(0, Move::new(table, index), score, 1.0);
        }
        let policy = Gibbs { averages, tau: 10.0 };
        let counts = counts(&[0.0, 0.0, 1.0], Some(&policy), 10_000);
        // e : 1 among the two that were not tried.
        assert_eq!(counts[2], 0);
        assert!((7100..7500).contains(&counts[0]), "{counts:?}");
    }
}
