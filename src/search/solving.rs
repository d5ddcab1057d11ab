//! What all trees of a search have proven, together.

use std::sync::atomic::Ordering;

use propnet::game::{Move, Role};
use rand::RngExt;

use super::report::{KnownSum, SolverReport};
use super::search::Search;
use super::solver::ScoreBounds;
use super::tree::{MoveId, ScoreRange, Tree};
use super::tree_search::{RootWorker, TreeSearch};

impl Search {
    /// Lets a tree know what others have seen: that the score of the root is proven, or that less is
    /// known than it seemed.
    pub(super) fn share_proofs(&mut self) {
        let mut solvers =
            self.workers.iter_mut().filter_map(|it| it.search.parts.score_bounds.as_mut());
        if let Some(first) = solvers.next() {
            solvers.for_each(|solver| solver.shared = first.shared.clone());
        }
    }

    /// A run begins: the root may be another one than in the last run.
    pub(super) fn begin_proofs(&mut self) {
        if let Some(solver) = &self.workers[0].search.parts.score_bounds {
            solver.shared.is_decided.store(false, Ordering::Relaxed);
        }
    }

    /// A run is over: what one tree has seen is taken over by the others before anything is said.
    pub(super) fn end_proofs(&mut self) {
        for TreeSearch { parts, tree, .. } in self.workers.iter_mut().map(|it| &mut it.search) {
            if let Some(solver) = &mut parts.score_bounds {
                solver.take_over(tree);
            }
        }
    }

    /// A role's move by the mixed strategy that secures the score of the root, if it is to be played.
    pub(super) fn mixed_move(&mut self, role: Role) -> Option<Move> {
        let strategy = self.mixed_strategy(role)?;
        let mut left = self.rng.random_range(0..total(&strategy).max(1));
        let found = strategy.iter().find(|(_, weight)| {
            let is_it = left < *weight;
            left = left.saturating_sub(*weight);
            is_it
        });
        found.map(|&(chosen, _)| chosen)
    }

    /// The moves of a role with their probabilities in the mixed strategy that secures the score of
    /// the root, if it is to be played.
    pub(super) fn mixed_shares(&mut self, role: Role) -> Vec<(Move, f64)> {
        let strategy = self.mixed_strategy(role).unwrap_or_default();
        let total = total(&strategy).max(1) as f64;
        strategy.iter().map(|&(chosen, weight)| (chosen, weight as f64 / total)).collect()
    }

    /// The same with weights.
    fn mixed_strategy(&mut self, role: Role) -> Option<Vec<(Move, u64)>> {
        let find = |worker: &mut RootWorker| {
            let TreeSearch { parts, tree, .. } = &mut worker.search;
            let weights = parts.score_bounds.as_mut()?.strategy(tree, role)?;
            let moves = tree.span(tree.root, role).map(|at| tree.what(MoveId::new(at)));
            Some(moves.zip(weights).collect())
        };
        self.workers.iter_mut().find_map(find)
    }

    /// What the goals add up to at all ends by what all trees know, and whether that is proven.
    fn known_sum(&self) -> Option<KnownSum> {
        let solvers =
            self.workers.iter().filter_map(|worker| worker.search.parts.score_bounds.as_ref());
        let mut sums = solvers.filter_map(ScoreBounds::sum_of_goals);
        sums.next().map(|(value, is_proven)| KnownSum { value, is_proven })
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
        // Alone, what was reached once can be reached again.
        let best_line = self.best_line_search().and_then(|it| it.parts.best_line.as_ref());
        let line_score = best_line.map_or(0.0, |line| line.score);
        let range = |role| {
            let own = |tree: &Tree| tree.range(tree.root, role);
            let proven =
                solvers().map(|(_, tree)| own(tree)).fold(ScoreRange::ANY, ScoreRange::and);
            let [lower, upper] = proven.points();
            [lower.max(line_score.min(upper)), upper]
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
            sum: self.known_sum(),
            notice: solvers().find_map(|(bounds, _)| bounds.notice(roles)).map(str::to_string),
        }))
    }
}

fn total(strategy: &[(Move, u64)]) -> u64 {
    strategy.iter().map(|(_, weight)| weight).sum()
}
