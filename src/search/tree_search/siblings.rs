//! All moves of a leaf at once: whether the game is over after one of them is known from birth.

use smallvec::SmallVec;

use super::simulation::Simulation;
use super::tree_search::{TreeSearch, WorkerNumber};
use crate::search::tree::MoveId;

/// The most joint moves that are tried at once.
const MOST: usize = 64;

impl TreeSearch {
    /// Begins simulations like this one for the other joint moves of its last node, as many as there may
    /// be, where all moves of a leaf are tried at once and none of them has led anywhere yet.
    pub(super) fn play_siblings(&mut self, worker: WorkerNumber, first: &Simulation, most: u64) {
        let last = first.depth() - 1;
        let node = first.nodes[last];
        let tries_all = self.parts.expansion.tries_all && first.expands && !self.is_full;
        if !tries_all || self.tree.children(node).next().is_some() {
            return;
        }
        let samples = first.samples as u64;
        let room = (2 * self.lanes).saturating_sub(self.simulations[worker].pending());
        let most = (most / samples.max(1)).min((room / first.samples.max(1)) as u64);
        let joints = self.other_joints(first, (most as usize).min(MOST));
        for joint in joints {
            let mut sibling = self.simulations[worker].spare();
            sibling.reset(self.tree.roles(), first.samples);
            sibling.nodes.extend(&first.nodes);
            sibling.chosen.extend(&first.chosen[..last * self.tree.roles()]);
            sibling.chosen.extend(joint);
            (sibling.expands, sibling.has_proofs) = (self.expansions_left() > 0, first.has_proofs);
            sibling.count_visits(&mut self.tree);
            self.begin_sibling(worker, sibling);
        }
    }

    /// The joint moves of a simulation's last node, but for its own.
    fn other_joints(&self, first: &Simulation, most: usize) -> Vec<SmallVec<[MoveId; 4]>> {
        let last = first.depth() - 1;
        let own = first.level(last);
        let mut joints: Vec<SmallVec<[MoveId; 4]>> = vec![SmallVec::new()];
        for role in 0..self.tree.roles() {
            let span = self.tree.span(first.nodes[last], role);
            let longer = joints.iter().flat_map(|joint| {
                span.clone().map(|at| {
                    let mut longer = joint.clone();
                    longer.push(MoveId::new(at));
                    longer
                })
            });
            // One more than wanted: the simulation's own may be among them.
            joints = longer.take(most + 1).collect();
        }
        joints.retain(|joint| joint[..] != *own);
        joints.truncate(most);
        joints
    }
}

#[cfg(test)]
mod tests {
    use crate::search::budget::Budget;
    use crate::search::tree_search::{CHOICE, Trial};

    #[test]
    fn all_moves_of_a_leaf_are_tried_at_once() {
        for (strategy, jobs) in [("uct", 1), ("expand_all", 2)] {
            let mut trial = Trial::new(CHOICE, strategy, &["in_flight=1", "one_role=off"]);
            trial.search.begin(&Budget::simulations(100));
            assert!(trial.launch(&Budget::simulations(100)));
            let launched = trial.jobs();
            assert_eq!(launched.len(), jobs, "{strategy}");
            trial.play(launched);
            let tree = &trial.search.tree;
            assert_eq!(tree.children(tree.root).count(), jobs, "{strategy}");
            assert_eq!(tree[tree.root].visits, jobs as f64);
        }
    }

    #[test]
    fn a_budget_is_not_exceeded() {
        let mut trial = Trial::new(CHOICE, "expand_all", &["one_role=off"]);
        trial.run(&Budget::simulations(7));
        assert_eq!(trial.search.counts.simulations, 7);
        let tree = &trial.search.tree;
        assert_eq!(tree[tree.root].visits, 7.0);
    }
}
