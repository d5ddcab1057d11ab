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
//! Moves that have weights are chosen elsewhere: see `weighted.rs`.

use super::copier::or_in_pairs;
use super::numbers::{Number, add, bits_for, choose, subtract};
use crate::circuit::{Network, Signal};

/// The number of bits that are compared in every node.
const SMALL: usize = 2;

/// Counts over the leaves of a tree.
pub(super) enum Tree {
    /// A leaf: whether it counts.
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
    /// The tree over leaves that count where these signals are true; at least one leaf.
    pub(super) fn new(network: &mut Network, leaves: &[Signal]) -> Tree {
        match *leaves {
            [leaf] => Tree::Leaf(vec![leaf]),
            _ => {
                let (left, right) = leaves.split_at(leaves.len().div_ceil(2));
                let left = Tree::new(network, left);
                let right = Tree::new(network, right);
                let bits = bits_for(leaves.len());
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
    ///
    /// In a lane the way down is one node of each level, so one rank and one comparison are enough
    /// for a level: with the left sum of the node on the way. To bring that there costs less than to
    /// compare in every node, but for small numbers.
    pub(super) fn descend(
        &self,
        network: &mut Network,
        here: Signal,
        rank: &[Signal],
    ) -> Vec<Signal> {
        let mut rank = rank.to_vec();
        let mut level = vec![Subtree { tree: self, here }];
        while widest_left_sum(&level) > SMALL {
            level = descend_level(network, level, &mut rank);
        }
        let mut chosen = Vec::with_capacity(self.leaves());
        for place in level {
            place.descend_apart(network, &rank, &mut chosen);
        }
        chosen
    }
}

/// A part of a tree on the way down.
struct Subtree<'t> {
    tree: &'t Tree,
    /// Where the way leads here.
    here: Signal,
}

impl Subtree<'_> {
    /// Goes down with a rank for each node.
    fn descend_apart(&self, network: &mut Network, rank: &[Signal], chosen: &mut Vec<Signal>) {
        let Tree::Fork(fork) = self.tree else {
            chosen.push(self.here);
            return;
        };
        let rank = below(rank, self.tree.leaves());
        let (rest, is_left) = subtract(network, rank, fork.left.sum());
        let [left, right] = self.parts(network, fork, is_left);
        left.descend_apart(network, rank, chosen);
        right.descend_apart(network, &rest, chosen);
    }

    /// Both parts of a fork.
    fn parts<'f>(
        &self,
        network: &mut Network,
        fork: &'f Fork,
        is_left: Signal,
    ) -> [Subtree<'f>; 2] {
        let left = network.and(vec![self.here, is_left]);
        let right = network.and(vec![self.here, !is_left]);
        [Subtree { tree: &fork.left, here: left }, Subtree { tree: &fork.right, here: right }]
    }
}

/// A rank in a part is below its sum, so the bits above that are false.
fn below(rank: &[Signal], leaves: usize) -> &[Signal] {
    &rank[..rank.len().min(bits_for(leaves - 1))]
}

/// The bits of the widest left sum of a level.
fn widest_left_sum(level: &[Subtree]) -> usize {
    let bits = |place: &Subtree| match place.tree {
        Tree::Leaf(_) => 0,
        Tree::Fork(fork) => fork.left.sum().len(),
    };
    level.iter().map(bits).max().unwrap_or(0)
}

/// The parts below the forks of a level, and the rank in the one on the way.
fn descend_level<'t>(
    network: &mut Network,
    level: Vec<Subtree<'t>>,
    rank: &mut Number,
) -> Vec<Subtree<'t>> {
    let left_sum = left_sum_on_the_way(network, &level);
    let (rest, is_left) = subtract(network, rank, &left_sum);
    let parts = level.into_iter().flat_map(|place| match place.tree {
        Tree::Leaf(_) => vec![place],
        Tree::Fork(fork) => place.parts(network, fork, is_left).into(),
    });
    let parts: Vec<Subtree> = parts.collect();
    let most_leaves = parts.iter().map(|place| place.tree.leaves()).max().unwrap_or(1);
    let rest = choose(network, is_left, rank, &rest);
    *rank = below(&rest, most_leaves).to_vec();
    parts
}

/// The left sum of the fork on the way.
fn left_sum_on_the_way(network: &mut Network, level: &[Subtree]) -> Number {
    let bit = |at: usize| {
        let mut masked = Vec::with_capacity(level.len());
        for place in level {
            if let Tree::Fork(fork) = place.tree
                && let Some(&bit) = fork.left.sum().get(at)
            {
                // Where the way does not lead to the only fork, nothing is chosen anyway.
                let is_only = level.len() == 1;
                masked.push(if is_only { bit } else { network.and(vec![bit, place.here]) });
            }
        }
        or_in_pairs(network, masked)
    };
    (0..widest_left_sum(level)).map(bit).collect()
}

#[cfg(test)]
mod tests {
    use super::super::numbers::tests::{inputs, value};
    use super::*;

    /// The leaf that a rank leads to, counted by hand.
    fn leaf_of(values: &[u64], mut rank: u64) -> usize {
        let mut leaf = 0;
        while rank >= values[leaf] {
            rank -= values[leaf];
            leaf += 1;
        }
        leaf
    }

    #[test]
    fn every_rank_leads_to_its_legal_move() {
        for leaves in 1..=11 {
            let (mut network, legal, rank) = inputs([leaves, bits_for(leaves)]);
            let tree = Tree::new(&mut network, &legal);
            let chosen = tree.descend(&mut network, Signal::TRUE, &rank);
            for given in 0..1u64 << leaves {
                let values: Vec<u64> = (0..leaves).map(|at| given >> at & 1).collect();
                for rank in 0..values.iter().sum() {
                    let truth = value(&network, &chosen, given | rank << leaves);
                    assert_eq!(truth, 1 << leaf_of(&values, rank), "{values:?} {rank}");
                }
            }
        }
    }
}
