//! What all trees of a search have proven, together.

use std::sync::atomic::Ordering;

use propnet::game::{Move, Role};
use rand::RngExt;

use super::report::SolverReport;
use super::search::Search;
use super::solver::ScoreBounds;
use super::tree::{MoveId, ScoreRange, Tree};
use super::tree_search::{RootWorker, TreeSearch};

impl Search {
    /// Lets a tree know when another one has proven the score of the root.
    pub(super) fn share_proofs(&mut self) {
        let mut solvers =
            self.workers.iter_mut().filter_map(|it| it.search.parts.score_bounds.as_mut());
        if let Some(first) = solvers.next() {
            solvers.for_each(|solver| solver.is_decided = first.is_decided.clone());
        }
    }

    /// A run begins: the root may be another one than in the last run.
    pub(super) fn begin_proofs(&mut self) {
        if let Some(solver) = &self.workers[0].search.parts.score_bounds {
            solver.is_decided.store(false, Ordering::Relaxed);
        }
    }

    /// A role's move by the mixed strategy that secures the score of the root, if it is to be played.
    pub(super) fn mixed_move(&mut self, role: Role) -> Option<Move> {
        let find = |worker: &mut RootWorker| {
            let TreeSearch { parts, tree, .. } = &mut worker.search;
            let weights = parts.score_bounds.as_mut()?.strategy(tree, role)?;
            let moves = tree.span(tree.root, role).map(|at| tree.what(MoveId::new(at)));
            Some((weights, moves.collect::<Vec<Move>>()))
        };
        let (weights, moves) = self.workers.iter_mut().find_map(find)?;
        let mut left = self.rng.random_range(0..weights.iter().sum::<u64>().max(1));
        let at = weights.iter().position(|&weight| {
            let is_it = left < weight;
            left = left.saturating_sub(weight);
            is_it
        })?;
        moves.get(at).copied()
    }

    /// What is proven, after a run of this many seconds on all threads together; none without a
    /// solver.
    pub(super) fn solver_report(&self, seconds: f64) -> Option<Box<SolverReport>> {
        let solvers = || {
            let searches = self.workers.iter().map(|worker| &worker.search);
            searches.filter_map(|search| {
                search.parts.score_bounds.as_ref().map(|bounds| (bounds, &search.tree))
            })
        };
        let first = solvers().next()?;
        let sum = |of: fn(&ScoreBounds) -> u64| solvers().map(|(bounds, _)| of(bounds)).sum();
        let time: f64 = solvers().map(|(bounds, _)| bounds.counts.time.as_secs_f64()).sum();
        let range = |role| {
            let own = |tree: &Tree| tree.range(tree.root, role);
            solvers().map(|(_, tree)| own(tree)).fold(ScoreRange::ANY, ScoreRange::and).points()
        };
        let roles = first.1.roles();
        Some(Box::new(SolverReport {
            bounds: (0..roles).map(range).collect(),
            nodes: solvers().map(|(_, tree)| tree.proofs.len()).sum(),
            solved: sum(|bounds| bounds.counts.solved),
            pruned_moves: sum(|bounds| bounds.counts.pruned),
            matrices: sum(ScoreBounds::solutions),
            known_visits: sum(|bounds| bounds.counts.known_visits),
            time_share: if seconds > 0.0 { time / seconds } else { 0.0 },
            notice: solvers().find_map(|(bounds, _)| bounds.notice(roles)).map(str::to_string),
        }))
    }
}
