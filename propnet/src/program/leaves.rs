//! Which moves are chosen from which tree.
//!
//! A move that is never legal together with another move of its role needs no choice: it is made
//! where it is legal. Roles that provably never have a choice at the same time share a tree, and
//! moves that are provably never legal together share a leaf.

use crate::circuit::{Circuit, Exclusive};

/// A move: role and index.
pub(super) type RoleMove = (usize, usize);

/// How the moves of all roles are chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MoveChoices {
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

impl MoveChoices {
    /// The best that is known to be right.
    pub(super) fn new(circuit: &Circuit) -> Self {
        let exclusive = Exclusive::new(circuit);
        let mut choices = MoveChoices::default();
        // By tree: its roles, each with the moves that it chooses from.
        let mut trees: Vec<Vec<(usize, Vec<usize>)>> = Vec::new();
        for role in 0..circuit.moves.len() {
            let alone = exclusive.alone(role);
            let mut moves = exclusive.possible(role);
            moves.retain(|at| alone.binary_search(at).is_err());
            choices.alone.extend(alone.into_iter().map(|at| (role, at)));
            let fits = |tree: &&mut Vec<(usize, Vec<usize>)>| {
                let mut roles = tree.iter();
                roles.all(|(other, theirs)| {
                    exclusive.never_both((role, &moves[..]), (*other, &theirs[..]))
                })
            };
            match trees.iter_mut().find(fits) {
                _ if moves.is_empty() => {}
                Some(tree) => tree.push((role, moves)),
                None => trees.push(vec![(role, moves)]),
            }
        }
        let plan = |tree: Vec<(usize, Vec<usize>)>| {
            let roles: Vec<usize> = tree.iter().map(|(role, _)| *role).collect();
            let mut leaves = exclusive.shared_leaves(&roles);
            leaves
                .iter_mut()
                .for_each(|leaf| leaf.retain(|chosen| !choices.alone.contains(chosen)));
            leaves.retain(|leaf| !leaf.is_empty());
            TreePlan { roles, leaves }
        };
        choices.trees = trees.into_iter().map(plan).collect();
        choices
    }
}

impl TreePlan {
    /// The moves of one role, leaf by leaf, each with the number of its leaf.
    pub(super) fn moves(&self, role: usize) -> impl Iterator<Item = (usize, RoleMove)> + '_ {
        let leaves = self.leaves.iter().enumerate();
        let moves =
            leaves.flat_map(|(leaf, moves)| moves.iter().map(move |&chosen| (leaf, chosen)));
        moves.filter(move |(_, (owner, _))| *owner == role)
    }

    /// The moves with those of roles that never choose together at the same positions: by position,
    /// one move of each role that has enough moves.
    pub(super) fn positions(&self) -> Vec<Vec<RoleMove>> {
        let mut positions: Vec<Vec<RoleMove>> = Vec::new();
        for &role in &self.roles {
            for (position, (_, chosen)) in self.moves(role).enumerate() {
                if position == positions.len() {
                    positions.push(Vec::new());
                }
                positions[position].push(chosen);
            }
        }
        positions
    }
}
