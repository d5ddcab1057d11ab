//! Proof numbers: moves after which a win is nearly proven are preferred.
//!
//! Kowalski, Soemers, Kosakowski and Winands 2025, "Generalized Proof-Number Monte-Carlo Tree Search". The
//! proof number of a node for a role is how many leaves have to turn out as wins, at least, until a win
//! of the role is proven there: that of its best move, where a move needs all replies of the others.
//! A leaf counts 1, a proven win 0, and where no win is possible any more the number is infinite. Each
//! role has its own numbers, so disproof numbers are not needed. The bonus of a move is
//! `c_pn * (1 - (pn - least) / (1 + most - least))` over the moves with finite numbers.
//!
//! Where several roles choose at once, a move needs all joint moves that it is part of. A win is the
//! highest goal of GDL; bounds of a solver count where there are any. In a tree with transpositions
//! leaves may be counted more than once, as in any proof-number search on a graph.

use super::{Adjustment, MakeAdjustment, NodeMoves, Terms};
use crate::search::scheme::{Parameter, Part};
use crate::search::tree::{ColumnSpec, MoveId, NodeId, ScoreRange, Tree};
use crate::search::tree_search::Simulation;

/// The bonus of the move with the least proof number.
const C_PN: Parameter = Parameter::number(
    "c_pn",
    "the bonus of the move after which a win is the nearest to being proven, on the scale of goals",
    20.0,
    0.0,
    1e6,
);

/// The part with this name.
pub(super) const PART: Part<MakeAdjustment> = Part {
    name: "proof_numbers",
    help: "moves after which a win is nearly proven are preferred",
    paper: "Kowalski and others 2025 (GPN-MCTS)",
    parameters: &[C_PN],
    make: MakeAdjustment {
        kind: "proofs",
        plays_most_visited: false,
        make: |values| Box::new(ProofNumbers { c: values.get(&C_PN), numbers: Vec::new() }),
    },
};

/// By move of a role: the leaves that have to be its wins until it has proven one by the move.
pub(super) const PROOF_NUMBER: ColumnSpec = ColumnSpec { name: "proof_number", initial: 1.0 };

/// Numbers do not grow beyond this: states that are reached in several ways count each time.
const MOST: f64 = 1e9;

struct ProofNumbers {
    c: f64,
    /// By move of a node, for one node after the other.
    numbers: Vec<f64>,
}

impl Adjustment for ProofNumbers {
    fn columns(&self) -> &'static [ColumnSpec] {
        &[PROOF_NUMBER]
    }

    fn adjust(&self, node: &NodeMoves, terms: &mut Terms) {
        let Some(numbers) = node.tree.columns.get(PROOF_NUMBER) else { return };
        let own = &numbers[node.span.clone()];
        let finite = || node.open().filter(|&at| own[at].is_finite());
        let least = finite().map(|at| own[at]).fold(f64::INFINITY, f64::min);
        let most = finite().map(|at| own[at]).fold(least, f64::max);
        for at in finite() {
            terms.bonuses[at] += self.c * (1.0 - (own[at] - least) / (1.0 + most - least));
        }
    }

    fn back_up(&mut self, tree: &mut Tree, simulation: &Simulation) {
        for &node in simulation.nodes.iter().rev() {
            self.count(tree, node);
            let first = tree.span(node, 0).start;
            if let Some(column) = tree.columns.get_mut(PROOF_NUMBER) {
                column[first..first + self.numbers.len()].copy_from_slice(&self.numbers);
            }
        }
    }
}

impl ProofNumbers {
    /// Finds the numbers of all moves in an open node by those of its children.
    fn count(&mut self, tree: &Tree, node: NodeId) {
        let roles = 0..tree.roles();
        let counts = roles.clone().map(|role| tree.span(node, role).len() as f64);
        let joint_moves: f64 = counts.clone().product();
        self.numbers.clear();
        for count in counts {
            // As many leaves as others can reply.
            let len = self.numbers.len() + count as usize;
            self.numbers.resize(len, joint_moves / count);
        }
        let first = tree.span(node, 0).start;
        let numbers = &mut self.numbers;
        let mut add = |role, place: usize, child| {
            numbers[place - first] += proof_number(tree, child, role) - 1.0;
        };
        if let Some(chooser) = tree.chooser(node) {
            for place in tree.span(node, chooser) {
                let Some(child) = tree.child_of(MoveId::new(place)) else { continue };
                for role in roles.clone() {
                    let only = tree.span(node, role).start;
                    add(role, if role == chooser { place } else { only }, child);
                }
            }
        } else {
            for link in tree.children(node) {
                for (role, at) in tree.indices(node, &link).into_iter().enumerate() {
                    add(role, tree.span(node, role).start + at, link.child);
                }
            }
        }
        let finite = self.numbers.iter_mut().filter(|number| number.is_finite());
        finite.for_each(|number| *number = number.min(MOST));
    }
}

/// The leaves that have to be wins of a role until it has proven one in a node.
fn proof_number(tree: &Tree, node: NodeId, role: usize) -> f64 {
    let range = tree.range(node, role);
    if range.lower >= ScoreRange::ANY.upper {
        return 0.0;
    }
    if range.upper < ScoreRange::ANY.upper {
        return f64::INFINITY;
    }
    match tree.columns.get(PROOF_NUMBER) {
        Some(numbers) if tree.is_open(node) => {
            numbers[tree.span(node, role)].iter().copied().fold(f64::INFINITY, f64::min)
        }
        _ => 1.0,
    }
}
