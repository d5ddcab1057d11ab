//! The principal variation: what is played, and what would be played from there on.

use propnet::game::{JointMove, Move};
use rustc_hash::FxHashSet;

use super::tree_search::TreeSearch;
use crate::search::decision::Field;
use crate::search::tree::{MoveStats, NodeId, move_stats};

impl TreeSearch {
    /// The joint moves from the root on, as far as they lead, when this one is made first: the best
    /// line where there is one, otherwise each role's most promising move.
    pub(crate) fn principal_variation(&self, first: &[Move]) -> Vec<JointMove> {
        match &self.parts.best_line {
            Some(line) if line.next().is_some_and(|next| next == first) => line.moves.clone(),
            _ => self.most_promising_line(first),
        }
    }

    fn most_promising_line(&self, first: &[Move]) -> Vec<JointMove> {
        let tree = &self.tree;
        let mut line = vec![first.to_vec()];
        let mut node = tree.root;
        let mut seen: FxHashSet<NodeId> = [node].into_iter().collect();
        while let Some(joint) = line.last()
            && let Some(places) = tree.places(node, joint)
            && let Some(child) = tree.child(node, &places)
            && seen.insert(child)
        {
            let roles = 0..tree.roles();
            let next: Option<JointMove> = roles.map(|role| self.best_tried(child, role)).collect();
            let Some(next) = next else { break };
            line.push(next);
            node = child;
        }
        line
    }

    /// The first of the most promising moves of a role, of those that were tried.
    fn best_tried(&self, node: NodeId, role: usize) -> Option<Move> {
        let tried = move_stats(&self.tree, node, role).filter(|stats| stats.visits > 0.0);
        let tried: Vec<MoveStats> = tried.collect();
        let (decision, field) = (&self.parts.decision, Field::of(&tried));
        tried.iter().min_by(|a, b| decision.compare(a, b, &field)).map(|best| best.what)
    }
}
