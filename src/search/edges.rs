//! Where joint moves lead in nodes in which several roles choose.
//!
//! A node may have as many joint moves as visits, so an edge is found by a table. To be copied with
//! its node it also hangs in a list: on the chosen move of the role that has most of them.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::lists::{ListBytes, grow};
use super::table::Table;

/// A joint move in a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Joint {
    pub(super) number: u64,
    /// The place of the move that it hangs on, which no other node has.
    pub(super) hook: u32,
}

impl Joint {
    fn hash(self) -> u64 {
        let mut hasher = FxHasher::default();
        // In halves: the places of a table are the top bits of a product, and numbers that differ
        // in their own top bits only would change too few of them.
        for part in [self.hook, (self.number >> 32) as u32, self.number as u32] {
            hasher.write_u32(part);
        }
        hasher.finish()
    }
}

/// Where a joint move leads.
pub(super) struct Edge {
    pub(super) joint: Joint,
    pub(super) child: u32,
    /// The next one of its list.
    next: u32,
}

/// All edges of a tree.
#[derive(Default)]
pub(super) struct Edges {
    edges: Vec<Edge>,
    /// By joint move.
    table: Table,
}

impl Edges {
    /// Where a joint move leads, if that is known.
    pub(super) fn child(&self, joint: Joint) -> Option<u32> {
        let is_it = |edge: u32| self.edges[edge as usize].joint == joint;
        let found = self.table.find(joint.hash(), is_it);
        found.map(|edge| self.edges[edge as usize].child)
    }

    /// Adds an edge in front of a list, and gives its number: the list begins with it now.
    pub(super) fn add(&mut self, joint: Joint, child: u32, next: u32) -> u32 {
        let number = self.edges.len() as u32;
        grow(&mut self.edges, 1);
        self.edges.push(Edge { joint, child, next });
        let edges = &self.edges;
        self.table.insert(joint.hash(), number, |edge| edges[edge as usize].joint.hash());
        number
    }

    /// The edges of the list that begins with this one.
    pub(super) fn list(&self, first: u32) -> impl Iterator<Item = &Edge> {
        let edge = |at: u32| self.edges.get(at as usize);
        std::iter::successors(edge(first), move |last| edge(last.next))
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.edges.len()
    }

    /// The bytes of the edges, and beside them of the table.
    pub(super) fn list_bytes(&self) -> ListBytes {
        ListBytes::of(&self.edges)
    }

    pub(super) fn table_bytes(&self) -> usize {
        self.table.bytes()
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
            assert!(edges.table.find(edge.joint.hash(), is_it).is_some());
        }
        steps.get()
    }

    #[test]
    fn joint_moves_are_found_at_once_whatever_their_numbers_are() {
        for bits in [0, 20, 32, 44, 54] {
            let mut edges = Edges::default();
            for at in 0..1000 {
                edges.add(Joint { number: at << bits, hook: 7 }, at as u32, u32::MAX);
            }
            assert!((0..1000).all(|at| {
                edges.child(Joint { number: at << bits, hook: 7 }) == Some(at as u32)
            }));
            assert!(edges.child(Joint { number: 0, hook: 8 }).is_none());
            assert!(steps(&edges) < 4 * 1000, "{} steps, {bits} bits", steps(&edges));
        }
    }
}
