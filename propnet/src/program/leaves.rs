//! Which moves are chosen from which tree.
//!
//! A move that is never legal together with another move of its role needs no choice: it is made
//! where it is legal. Roles that provably never have a choice at the same time share a tree, and
//! moves that are provably never legal together share a leaf.

use crate::circuit::{Circuit, Signal};

/// A move: role and index.
pub(super) type RoleMove = (usize, usize);

/// How the moves of all roles are chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Choices {
    /// Moves that are made wherever they are legal.
    pub(super) alone: Vec<RoleMove>,
    /// The trees; each role is in one of them at most.
    pub(super) trees: Vec<TreePlan>,
}

/// The leaves of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TreePlan {
    /// The roles that choose from it.
    pub(super) roles: Vec<usize>,
    /// By leaf: moves of which never two are legal.
    pub(super) leaves: Vec<Vec<RoleMove>>,
}

impl Choices {
    /// Without any knowledge: a tree for each role, a leaf for each move that may be legal.
    pub(super) fn plain(circuit: &Circuit) -> Self {
        let tree = |role: usize| {
            let moves = circuit.moves[role].iter().enumerate();
            let legal = moves.filter(|(_, port)| port.legal != Signal::FALSE);
            TreePlan { roles: vec![role], leaves: legal.map(|(at, _)| vec![(role, at)]).collect() }
        };
        let trees = (0..circuit.moves.len()).map(tree).filter(|tree| !tree.leaves.is_empty());
        Choices { alone: Vec::new(), trees: trees.collect() }
    }
}
