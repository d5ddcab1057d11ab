//! What is kept of a tree: when a move was made, and when memory is short.
//!
//! What stays is copied to new arenas, so nothing is left over, cycles included. When memory is
//! short, nodes that were rarely visited go: their parents keep the statistics of the moves that lead
//! to them, so the search goes on as well informed as before, and grows them again if they matter.

use super::tree::{NONE, Tree};

/// A new tree, and where the nodes of the old one are in it.
pub(super) struct Kept {
    pub(super) tree: Tree,
    /// By old node: the new one, or none.
    pub(super) moved: Vec<u32>,
}

/// What can be reached from a node, over nodes that were visited so often.
pub(super) fn keep(old: &Tree, root: u32, least_visits: f64, pinned: &[u32]) -> Kept {
    let mut tree = old.empty_like();
    let mut moved = vec![NONE; old.nodes.len()];
    let mut todo: Vec<u32> = Vec::new();
    for &node in [root].iter().chain(pinned) {
        if moved[node as usize] == NONE {
            moved[node as usize] = tree.copy_node(old, node);
            todo.push(node);
        }
    }
    while let Some(node) = todo.pop() {
        for (hook, joint, child) in old.edges_of(node) {
            if moved[child as usize] == NONE {
                if old.nodes[child as usize].visits < least_visits {
                    continue;
                }
                moved[child as usize] = tree.copy_node(old, child);
                todo.push(child);
            }
            tree.copy_edge(moved[node as usize], hook, joint, moved[child as usize]);
        }
    }
    tree.root = moved[root as usize];
    Kept { tree, moved }
}

/// The number of visits that so many of the nodes at most have, and the others do not.
pub(super) fn visits_of_most(tree: &Tree, nodes: usize) -> f64 {
    let mut visits: Vec<f64> = tree.nodes.iter().map(|node| node.visits).collect();
    visits.sort_unstable_by(|a, b| b.total_cmp(a));
    // One more than a node has that must go.
    visits.get(nodes).map_or(0.0, |&visits| visits + 1.0)
}
