//! The principal line: what is played, and what would be played from there on.

use propnet::game::{JointMove, Move};
use rustc_hash::FxHashSet;

use super::grower::Grower;
use super::known::{Known, known};
use super::tree::Tree;

impl Grower {
    /// The joint moves from the root on, as far as they lead, when this one is made first: the plan
    /// where there is one, otherwise each role's most promising move.
    pub(super) fn principal_line(&self, first: &[Move]) -> Vec<JointMove> {
        match &self.plan {
            Some(plan) if plan.moves.first().is_some_and(|planned| planned == first) => {
                plan.moves.clone()
            }
            _ => most_promising_line(&self.tree, first),
        }
    }
}

fn most_promising_line(tree: &Tree, first: &[Move]) -> Vec<JointMove> {
    let mut line = vec![first.to_vec()];
    let mut node = tree.root;
    let mut seen: FxHashSet<u32> = [node].into_iter().collect();
    while let Some(joint) = line.last()
        && let Some(places) = tree.places(node, joint)
        && let Some(child) = tree.child(node, &places)
        && seen.insert(child)
    {
        let next: Option<JointMove> =
            (0..tree.roles()).map(|role| most_promising(known(tree, child, role))).collect();
        let Some(next) = next else { break };
        line.push(next);
        node = child;
    }
    line
}

/// The first of the most promising moves, of those that were tried.
fn most_promising(known: impl Iterator<Item = Known>) -> Option<Move> {
    known.filter(|known| known.visits > 0.0).min_by(Known::compare).map(|best| best.what)
}
