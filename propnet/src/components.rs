//! Things that depend on each other, in the order in which they can be computed.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// The strongly connected components of `0..count`, dependencies first. An edge leads from a thing
/// to one that it depends on; edges may be given several times.
pub(crate) fn components(count: usize, mut edges: Vec<(usize, usize)>) -> Vec<Vec<usize>> {
    edges.sort_unstable();
    edges.dedup();
    let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(count, edges.len());
    for _ in 0..count {
        graph.add_node(());
    }
    for (from, to) in edges {
        graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
    }
    // Kosaraju's algorithm needs no stack: sheets come from strangers.
    let members = |nodes: Vec<NodeIndex>| nodes.into_iter().map(NodeIndex::index).collect();
    kosaraju_scc(&graph).into_iter().map(members).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_come_first_and_circles_together() {
        let found = components(4, vec![(0, 1), (1, 2), (2, 1), (1, 2), (2, 3)]);
        let mut sorted = found.clone();
        sorted.iter_mut().for_each(|members| members.sort_unstable());
        assert_eq!(sorted, [vec![3], vec![1, 2], vec![0]]);
    }
}
