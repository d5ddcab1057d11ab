//! What is kept of a tree: when a move was made, and when memory is short.
//!
//! What stays is copied to new arenas, so nothing is left over, cycles included. When memory is
//! short, nodes that were rarely visited go: their parents keep the statistics of the moves that lead
//! to them, so the search goes on as well informed as before, and grows them again if they matter.
//!
//! A large tree takes seconds to be copied, or to be thrown away. So copying ends without a result
//! when time is up, and what is thrown away is left to a thread of its own.

use super::budget::Clock;
use super::tree::{NONE, Tree};

/// After so many nodes the clock is looked at.
const PATIENCE: usize = 1024;

/// A tree of more nodes is thrown away by another thread.
const LARGE: usize = 50_000;

/// A new tree, and where the nodes of the old one are in it.
pub(super) struct Kept {
    pub(super) tree: Tree,
    /// By old node: the new one, or none.
    pub(super) moved: Vec<u32>,
}

/// What can be reached from the root, over nodes that were visited so often; none if time is up
/// before all is copied.
pub(super) fn keep(
    old: &Tree,
    least_visits: f64,
    pinned: &[u32],
    clock: &mut Clock,
) -> Option<Kept> {
    let mut tree = old.empty_like();
    let mut moved = vec![NONE; old.nodes.len()];
    let mut todo: Vec<u32> = Vec::new();
    for &node in [old.root].iter().chain(pinned) {
        if moved[node as usize] == NONE {
            moved[node as usize] = tree.copy_node(old, node);
            todo.push(node);
        }
    }
    let mut seen: usize = 0;
    while let Some(node) = todo.pop() {
        seen += 1;
        if seen.is_multiple_of(PATIENCE) && clock.is_over() {
            throw_away(tree);
            return None;
        }
        for link in old.children(node) {
            let child = link.child;
            if moved[child as usize] == NONE {
                if old.nodes[child as usize].visits < least_visits {
                    continue;
                }
                moved[child as usize] = tree.copy_node(old, child);
                todo.push(child);
            }
            tree.copy_link(moved[node as usize], link, moved[child as usize]);
        }
    }
    tree.set_root(moved[old.root as usize]);
    Some(Kept { tree, moved })
}

/// Drops a tree, without delay where it is large.
pub(super) fn throw_away(tree: Tree) {
    if tree.nodes.len() > LARGE {
        // Where there is no thread to be had, it is dropped here after all.
        let _ = std::thread::Builder::new().spawn(move || drop(tree));
    }
}

/// The number of visits that so many of the nodes at most have, and the others do not.
pub(super) fn visits_of_most(tree: &Tree, nodes: usize) -> f64 {
    let mut visits: Vec<f64> = tree.nodes.iter().map(|node| node.visits).collect();
    if nodes >= visits.len() {
        return 0.0;
    }
    // One more than a node has that must go.
    *visits.select_nth_unstable_by(nodes, |a, b| b.total_cmp(a)).1 + 1.0
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::super::budget::Budget;
    use super::super::tree::Situation;
    use super::super::trial::ring;
    use super::*;

    fn clock(deadline: Instant) -> Clock {
        Clock::new(&Budget::until(deadline), Duration::ZERO)
    }

    #[test]
    fn what_can_be_reached_is_kept_unless_time_is_up() {
        let mut tree = ring(5000);
        tree.add(Situation {
            state: [100].into_iter().collect(),
            legal: vec![[0].into_iter().collect()],
            goals: None,
        });
        let ample = Instant::now() + Duration::from_secs(3600);
        let kept = keep(&tree, 0.0, &[], &mut clock(ample)).expect("time enough").tree;
        assert_eq!((tree.nodes.len(), kept.nodes.len()), (5001, 5000));
        let rarely = keep(&tree, 4001.0, &[4999], &mut clock(ample)).expect("time enough").tree;
        assert_eq!(rarely.nodes.len(), 1001, "1000 near ones, and one that is held");
        assert!(keep(&tree, 0.0, &[], &mut clock(Instant::now())).is_none());
        throw_away(tree);
    }

    #[test]
    fn a_tree_and_what_is_kept_take_no_more_than_they_may() {
        let ample = Instant::now() + Duration::from_secs(3600);
        for states in [1, 2, 10, 33, 100, 520, 1000, 1025, 3000] {
            let tree = ring(states);
            let kept = keep(&tree, 0.0, &[], &mut clock(ample)).expect("time enough").tree;
            let both = tree.bytes() + kept.bytes() - kept.state_bytes();
            assert!(both <= tree.bytes_with_copy(), "{both} bytes of {states} states");
            assert!(states < 10 || tree.bytes_with_copy() < 3 * tree.bytes(), "{states}");
        }
    }

    #[test]
    fn half_of_the_nodes_are_rarely_visited() {
        let tree = ring(1000);
        assert_eq!(visits_of_most(&tree, 500), 501.0);
        assert_eq!(visits_of_most(&tree, 1000), 0.0);
    }
}
