//! Which nodes are asked about: where does the game end after one more joint move?
//!
//! Answers come from the lanes, for many nodes at once, so that ends are known before a playout
//! happens to meet them. Where no end is near this would be wasted, so nodes are asked about later and
//! later, by their visits, until an end is found again.

use crate::search::tree::{EndsAsked, NodeId, Tree};

/// A node with more joint moves is not asked about.
const MOST_JOINT_MOVES: u64 = 1024;

/// Nodes are asked about together when they have this many joint moves, ...
const ENOUGH_JOINT_MOVES: u64 = 256;

/// ... or after this many descents.
const PATIENCE: u32 = 16;

/// After this many nodes without an end, more visits are needed; each further time, more again.
const FRUITLESS: u32 = 64;

/// The visits that are needed at first, then, and so on.
const VISITS: [f64; 4] = [0.0, 8.0, 32.0, 128.0];

/// Nodes that wait to be asked about.
#[derive(Default)]
pub(crate) struct Asks {
    pub(crate) queue: Vec<NodeId>,
    joint_moves: u64,
    /// The descents since a node was queued.
    descents: u32,
    /// The nodes asked about since an end was found.
    fruitless: u32,
}

impl Asks {
    /// The visits that a node must have had to be asked about.
    pub(crate) fn least_visits(&self) -> f64 {
        VISITS[(self.fruitless / FRUITLESS).min(VISITS.len() as u32 - 1) as usize]
    }

    /// Queues open nodes that a descent has met.
    pub(crate) fn add(&mut self, tree: &mut Tree, met: &[NodeId]) {
        self.descents += u32::from(!self.queue.is_empty());
        for &node in met {
            let counts = (0..tree.roles()).map(|role| tree.span(node, role).len() as u64);
            let joint_moves = counts.fold(1, u64::saturating_mul);
            let may_ask = joint_moves <= MOST_JOINT_MOVES;
            tree.set_asking(node, if may_ask { EndsAsked::Queued } else { EndsAsked::Asked });
            if may_ask {
                self.queue.push(node);
                self.joint_moves += joint_moves;
                // Nothing is known about a root.
                self.descents += if node == tree.root { PATIENCE } else { 0 };
            }
        }
    }

    /// The nodes to be asked about now, if they are enough.
    pub(crate) fn take(&mut self) -> Vec<NodeId> {
        if self.joint_moves < ENOUGH_JOINT_MOVES && self.descents < PATIENCE {
            return Vec::new();
        }
        (self.joint_moves, self.descents) = (0, 0);
        std::mem::take(&mut self.queue)
    }

    /// A node was asked about, and this many ends were found.
    pub(crate) fn answered(&mut self, ends: usize) {
        self.fruitless = if ends > 0 { 0 } else { self.fruitless.saturating_add(1) };
    }

    /// Follows nodes to where they are in a new tree, as far as it has them.
    pub(crate) fn follow(&mut self, moved: &[NodeId]) {
        self.queue.iter_mut().for_each(|node| *node = moved[node.index()]);
        self.queue.retain(|node| node.some().is_some());
    }

    /// Asks nothing after all.
    pub(crate) fn clear(&mut self, tree: &mut Tree) {
        self.queue.drain(..).for_each(|node| tree.set_asking(node, EndsAsked::Unasked));
        (self.joint_moves, self.descents) = (0, 0);
    }
}
