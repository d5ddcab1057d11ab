//! Where joint moves lead in nodes in which several roles choose.
//!
//! A node may have as many joint moves as visits, so an edge is found by a hash index. To be copied
//! with its node it is also in a list, which begins at the chosen move of the role that has most moves.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::hash_index::HashIndex;
use super::ids::{EdgeId, MoveId, NodeId};
use super::lists::{ListBytes, grow};

/// A joint move in a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Joint {
    pub(crate) number: u64,
    /// The move that stores its first edge, which no other node has.
    pub(crate) hook: MoveId,
}

impl Joint {
    fn hash(self) -> u64 {
        let mut hasher = FxHasher::default();
        // In halves: the places of a table are the top bits of a product, and numbers that differ
        // in their own top bits only would change too few of them.
        for part in [self.hook.index() as u32, (self.number >> 32) as u32, self.number as u32] {
            hasher.write_u32(part);
        }
        hasher.finish()
    }
}

/// Where a joint move leads.
pub(crate) struct Edge {
    pub(crate) joint: Joint,
    pub(crate) child: NodeId,
    /// The next one of its list.
    next: EdgeId,
}

/// All edges of a tree.
#[derive(Default)]
pub(crate) struct Edges {
    edges: Vec<Edge>,
    by_joint_move: HashIndex,
}

impl Edges {
    /// Where a joint move leads, if that is known.
    pub(crate) fn child(&self, joint: Joint) -> Option<NodeId> {
        let is_it = |edge: u32| self.edges[edge as usize].joint == joint;
        let found = self.by_joint_move.find(joint.hash(), is_it);
        found.map(|edge| self.edges[edge as usize].child)
    }

    /// Adds an edge in front of a list, and gives its number: the list begins with it now.
    pub(crate) fn add(&mut self, joint: Joint, child: NodeId, next: EdgeId) -> EdgeId {
        let number = self.edges.len();
        grow(&mut self.edges, 1);
        self.edges.push(Edge { joint, child, next });
        let edges = &self.edges;
        self.by_joint_move
            .insert(joint.hash(), number as u32, |edge| edges[edge as usize].joint.hash());
        EdgeId::new(number)
    }

    /// The edges of the list that begins with this one.
    pub(crate) fn list(&self, first: EdgeId) -> impl Iterator<Item = &Edge> {
        let edge = |at: EdgeId| self.edges.get(at.index());
        std::iter::successors(edge(first), move |last| edge(last.next))
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.edges.len()
    }

    /// The bytes of the edges, and those of their index.
    pub(crate) fn list_bytes(&self) -> ListBytes {
        ListBytes::of(&self.edges)
    }

    pub(crate) fn index_bytes(&self) -> usize {
        self.by_joint_move.bytes()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// How many edges are looked at to find each of them once.
    fn steps(edges: &Edges) -> usize {
        let steps = Cell::new(0);
        for edge in &edges.edges {
            let is_it = |other: u32| {
                steps.set(steps.get() + 1);
                edges.edges[other as usize].joint == edge.joint
            };
            assert!(edges.by_joint_move.find(edge.joint.hash(), is_it).is_some());
        }
        steps.get()
    }

    #[test]
    fn joint_moves_are_found_at_once_whatever_their_numbers_are() {
        const HOOK: usize = 7;
        for bits in [0, 20, 32, 44, 54] {
            let mut edges = Edges::default();
            for at in 0..1000 {
                edges.add(
                    Joint { number: at << bits, hook: MoveId::new(HOOK) },
                    NodeId::new(at as usize),
                    EdgeId::new(u32::MAX as usize),
                );
            }
            assert!((0..1000).all(|at| {
                edges.child(Joint { number: at << bits, hook: MoveId::new(HOOK) })
                    == Some(NodeId::new(at as usize))
            }));
            assert!(edges.child(Joint { number: 0, hook: MoveId::new(8) }).is_none());
            assert!(steps(&edges) < 4 * 1000, "{} steps, {bits} bits", steps(&edges));
        }
    }
}
