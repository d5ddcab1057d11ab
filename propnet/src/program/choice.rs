//! The choice of moves as part of the circuit: of the legal moves of a role one, each as likely as
//! the others.
//!
//! ```text
//! legal bits -> a tree of adders -> their count -> a random rank below it
//!                                                        |
//! moves made <- leaf whose turn it is <- down the tree, left if the rank is below the left count,
//!                                        else right with the rank less that count
//! ```
//!
//! With weights the same tree adds the weights of the legal moves, and a rank is below their sum.

use super::numbers::{Number, add, bits_for, subtract};
use crate::circuit::{Network, Signal};

/// Sums over the leaves of a tree.
pub(super) enum Tree {
    /// The value of a leaf.
    Leaf(Number),
    /// Two parts and their sum.
    Fork(Box<Fork>),
}

/// A part of a tree that is made of two.
pub(super) struct Fork {
    left: Tree,
    right: Tree,
    sum: Number,
    /// The leaves below.
    leaves: usize,
}

impl Tree {
    /// The tree over leaves with these values, each at most `most`; at least one leaf.
    pub(super) fn new(network: &mut Network, leaves: &[Number], most: usize) -> Tree {
        match leaves {
            [leaf] => Tree::Leaf(leaf.clone()),
            _ => {
                let (left, right) = leaves.split_at(leaves.len().div_ceil(2));
                let left = Tree::new(network, left, most);
                let right = Tree::new(network, right, most);
                let bits = bits_for(leaves.len() * most);
                let sum = add(network, left.sum(), right.sum(), bits);
                Tree::Fork(Box::new(Fork { left, right, sum, leaves: leaves.len() }))
            }
        }
    }

    /// The sum over all leaves.
    pub(super) fn sum(&self) -> &[Signal] {
        match self {
            Tree::Leaf(value) => value,
            Tree::Fork(fork) => &fork.sum,
        }
    }

    fn leaves(&self) -> usize {
        match self {
            Tree::Leaf(_) => 1,
            Tree::Fork(fork) => fork.leaves,
        }
    }

    /// By leaf, where it is the one that the rank leads to; only where `here` holds.
    pub(super) fn descend(
        &self,
        network: &mut Network,
        here: Signal,
        rank: &[Signal],
        most: usize,
        chosen: &mut Vec<Signal>,
    ) {
        let Tree::Fork(fork) = self else {
            chosen.push(here);
            return;
        };
        let (rest, is_left) = subtract(network, rank, fork.left.sum());
        let left = network.and(vec![here, is_left]);
        let right = network.and(vec![here, !is_left]);
        // A rank is below the sum of its part, so the bits above that are false.
        let below = |part: &Tree, rank: &[Signal]| {
            rank[..rank.len().min(bits_for(part.leaves() * most - 1))].to_vec()
        };
        fork.left.descend(network, left, &below(&fork.left, rank), most, chosen);
        fork.right.descend(network, right, &below(&fork.right, &rest), most, chosen);
    }
}
