//! Untried moves: when, and which, of the moves never tried in a node. One file for each scheme.
//!
//! A scheme says how urgent it is to try one of them: if that is more than the bound of the best move
//! tried so far, one is tried. The playout policy chooses which one, or it is chosen at random.

mod first;
mod first_play;
mod urgency;

use propnet::game::Move;
use rand::RngExt;
use rand_pcg::Pcg64;

use super::policy::{Policy, Situation};
use super::scheme::{Part, Values};
use super::selection::NodeMoves;
use super::tree::MoveId;

/// All schemes for moves never tried; the first is the default.
pub(crate) const UNTRIED: &[&Part<MakeUntried>] =
    &[&first::PART, &urgency::PART, &first_play::CONSTANT, &first_play::RELATIVE];

/// Makes such a scheme from the values of its parameters.
pub(crate) type MakeUntried = fn(&Values) -> Box<dyn Untried>;

/// A scheme for moves never tried.
pub(crate) trait Untried: Send + Sync {
    /// How urgent it is to try one of the `count` moves never tried, on the scale of bounds. Some
    /// were tried before, and some were not.
    fn urgency(&self, node: &NodeMoves, count: usize) -> f64;
}

/// The index of one of the `count` moves never tried, of which there is at least one.
pub(crate) fn choose_untried(
    node: &NodeMoves,
    count: usize,
    policy: Option<&Policy>,
    rng: &mut Pcg64,
) -> usize {
    let mut places = node.untried();
    let chosen = match policy {
        None => rng.random_range(0..count),
        Some(policy) => {
            let first = node.span.start;
            let what = |at| node.tree.what(MoveId::new(first + at));
            let untried: Vec<Move> = places.clone().map(what).collect();
            let made: Vec<Move> = node.chosen.iter().map(|&at| node.tree.what(at)).collect();
            let state = &node.tree[node.path[node.path.len() - 1]].state;
            policy.choose(node.role, &untried, &Situation { state, made: &made }, rng)
        }
    };
    places.nth(chosen).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use propnet::game::{MoveSet, State, TableId};
    use rand::SeedableRng;

    use super::*;
    use crate::search::policy::{Mast, MoveAverages};
    use crate::search::tree::{Closed, NewNode, Tree};

    /// A tree of a node whose moves have these visits and totals.
    fn tree(statistics: &[(f64, f64)]) -> Tree {
        let table = TableId::unique();
        let legal = vec![MoveSet::new(table, 0..statistics.len())];
        let root = NewNode { state: State::new(table, []), legal, goals: None };
        let mut tree = Tree::new(root, 1, true, &[]);
        for (entry, &(visits, total)) in tree.moves.iter_mut().zip(statistics) {
            (entry.visits, entry.total) = (visits, total);
        }
        tree
    }

    fn node(tree: &Tree) -> NodeMoves<'_> {
        let (span, path) = (tree.span(tree.root, 0), std::slice::from_ref(&tree.root));
        let closed = Closed::default();
        NodeMoves { tree, role: 0, span, visits: 10.0, path, chosen: &[], closed }
    }

    /// How often each move of a node with these visits is chosen.
    fn counts(visits: &[f64], policy: Option<&Policy>, times: usize) -> Vec<usize> {
        let statistics: Vec<(f64, f64)> = visits.iter().map(|&visits| (visits, 0.0)).collect();
        let tree = tree(&statistics);
        let count = visits.iter().filter(|&&visits| visits == 0.0).count();
        let mut rng = Pcg64::seed_from_u64(5);
        let mut counts = vec![0; visits.len()];
        for _ in 0..times {
            counts[choose_untried(&node(&tree), count, policy, &mut rng)] += 1;
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
        let mut averages = MoveAverages::new(&[3], 100.0);
        let table = TableId::unique();
        for (index, score) in [(0, 60.0), (1, 50.0), (2, 50.0)] {
            averages.add(0, Move::new(table, index), score, 1.0);
        }
        let policy = Policy::of(Box::new(Mast { averages, tree_only: false }), 10.0);
        let counts = counts(&[0.0, 0.0, 1.0], Some(&policy), 10_000);
        // e : 1 among the two that were not tried.
        assert_eq!(counts[2], 0);
        assert!((7100..7500).contains(&counts[0]), "{counts:?}");
    }

    #[test]
    fn urgency_is_that_of_a_draw_and_falls_as_moves_are_tried() {
        let urgency = |name: &str, count: usize| {
            let part = UNTRIED.iter().find(|part| part.name == name).expect("a part");
            let tree = tree(&[(6.0, 300.0), (2.0, 180.0), (0.0, 0.0), (0.0, 0.0)]);
            (part.make)(&Values::default()).urgency(&node(&tree), count)
        };
        assert_eq!(urgency("first", 2), f64::INFINITY);
        // 50 + 40 sqrt(ln 10 * 2/4), and with one left 1/4.
        assert!((urgency("urgency", 2) - 92.9193).abs() < 1e-3, "{}", urgency("urgency", 2));
        assert!((urgency("urgency", 1) - 80.3485).abs() < 1e-3, "{}", urgency("urgency", 1));
        assert_eq!(urgency("fpu", 2), 75.0);
        // (300 + 180) / 8.
        assert_eq!(urgency("fpu_parent", 2), 60.0);
    }
}
