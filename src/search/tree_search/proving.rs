//! What is proven on the way: ends after one more move, and bounds of scores along a path.

use std::time::Instant;

use propnet::game::{MoveSet, PlayError};

use super::simulation::Simulation;
use super::tree_search::TreeSearch;
use crate::search::playout::{EndQuestion, Simulator};
use crate::search::selection::{Leaf, Reach};
use crate::search::tree::{EndsAsked, MoveId, NewNode, NodeId, PRUNED, SOLVED, Tree};

impl TreeSearch {
    /// How far the next descent may go.
    pub(super) fn reach(&self) -> Reach {
        let (levels, may_open) = (self.parts.expansion.levels, !self.is_full);
        let (asked_from, closed) = match &self.parts.score_bounds {
            None => (f64::INFINITY, 0),
            Some(bounds) => {
                let asked_from = if may_open { bounds.asks.least_visits() } else { f64::INFINITY };
                (asked_from, if bounds.avoids_solved() { PRUNED | SOLVED } else { PRUNED })
            }
        };
        Reach { levels, may_open, asked_from, closed }
    }

    /// Notes what a descent has met.
    pub(super) fn note_descent(&mut self, simulation: &Simulation, leaf: &Leaf) {
        if let Some(bounds) = &mut self.parts.score_bounds {
            bounds.asks.add(&mut self.tree, &simulation.unasked);
            bounds.met_solved = matches!(leaf, Leaf::Known(_));
        }
    }

    /// Whether the score of the root is proven.
    pub(super) fn is_decided(&self) -> bool {
        self.parts.score_bounds.as_ref().is_some_and(|bounds| bounds.is_decided(&self.tree))
    }

    /// Takes the bounds of nodes up along the path of a simulation, which ended in a known state or
    /// after a playout. Whether it has added to what is known; without a solver everything does.
    pub(super) fn prove(&mut self, simulation: &Simulation, is_known: bool) -> bool {
        let Some(bounds) = &mut self.parts.score_bounds else { return true };
        // A child with a proof that was linked just now has given its parent one.
        let last = simulation.nodes.last();
        let has_news =
            simulation.has_proofs || last.is_some_and(|&node| self.tree.proof(node).is_some());
        let mut is_news = !is_known;
        if has_news {
            let start = Instant::now();
            let discount = self.parts.evaluation.discount();
            is_news |= bounds.update(&mut self.tree, simulation, discount);
            bounds.counts.time += start.elapsed();
        }
        bounds.counts.known_visits += if is_news { 0 } else { simulation.samples as u64 };
        is_news
    }

    /// Asks where the game is over after the joint moves of nodes that wait for it, if they are
    /// enough.
    pub(crate) fn ask_about_ends(
        &mut self,
        simulator: &mut dyn Simulator,
    ) -> Result<(), PlayError> {
        let Some(bounds) = &mut self.parts.score_bounds else { return Ok(()) };
        let nodes = bounds.asks.take();
        if nodes.is_empty() {
            return Ok(());
        }
        let start = Instant::now();
        let joints: Vec<Vec<MoveId>> =
            nodes.iter().map(|&node| joint_moves(&self.tree, node)).collect();
        let question = |(&node, joints): (&NodeId, &Vec<MoveId>)| EndQuestion {
            state: self.tree[node].state.clone(),
            moves: self.tree.joint(joints),
        };
        let questions: Vec<EndQuestion> = nodes.iter().zip(&joints).map(question).collect();
        let ends = simulator.ends_after(&questions)?;
        let mut found = vec![0; nodes.len()];
        let roles = self.tree.roles();
        for end in ends {
            found[end.question] += 1;
            let node = nodes[end.question];
            let joint = &joints[end.question][end.joint * roles..][..roles];
            if self.tree.child(node, joint).is_some() || self.expansions_left() == 0 {
                continue;
            }
            let legal = (0..roles).map(|_| MoveSet::new(end.state.table(), [])).collect();
            let before = self.tree.nodes.len();
            let child = self.tree.add(NewNode { state: end.state, legal, goals: Some(end.goals) });
            self.tree.link(node, joint, child);
            self.parts.link(&mut self.tree, node, joint, child, simulator.game())?;
            self.counts.expansions += (self.tree.nodes.len() - before) as u64;
        }
        let Some(bounds) = &mut self.parts.score_bounds else { return Ok(()) };
        for (&node, &ends) in nodes.iter().zip(&found) {
            self.tree.set_asking(node, EndsAsked::Asked);
            bounds.asks.answered(ends);
            if ends > 0 {
                bounds.compute(&mut self.tree, node);
            }
        }
        bounds.counts.time += start.elapsed();
        Ok(())
    }
}

/// All joint moves of an open node, one after the other.
fn joint_moves(tree: &Tree, node: NodeId) -> Vec<MoveId> {
    let roles = tree.roles();
    let mut all: Vec<MoveId> = Vec::new();
    let mut joint: Vec<MoveId> =
        (0..roles).map(|role| MoveId::new(tree.span(node, role).start)).collect();
    loop {
        all.extend(&joint);
        // Counts up, the last role first.
        let is_last = |role: usize| joint[role].index() + 1 == tree.span(node, role).end;
        let Some(next) = (0..roles).rev().find(|&role| !is_last(role)) else { return all };
        joint[next] = MoveId::new(joint[next].index() + 1);
        for (role, at) in joint.iter_mut().enumerate().skip(next + 1) {
            *at = MoveId::new(tree.span(node, role).start);
        }
    }
}
