//! A scheme made for a game, ready to search.

use std::sync::Arc;

use propnet::game::{Game, PlayError};
use propnet::program::StepOptions;

use super::parameter::Values;
use super::playing::playing;
use super::scheme::Scheme;
use crate::search::decision::Decision;
use crate::search::evaluation::Evaluation;
use crate::search::expansion::Expansion;
use crate::search::policy::{Finished, Policy, WEIGHT_BITS};
use crate::search::selection::{Adjustment, Selection};
use crate::search::solver::{BestLine, ScoreBounds, Solvers};
use crate::search::tree::{ColumnSpec, MoveId, NodeId, SQUARES, Tree};
use crate::search::tree_search::Simulation;
use crate::search::untried::Untried;

/// The parts of a search.
pub(crate) struct Parts {
    pub(crate) selection: Box<dyn Selection>,
    pub(crate) untried: Box<dyn Untried>,
    pub(crate) expansion: Expansion,
    pub(crate) policy: Option<Policy>,
    pub(crate) evaluation: Arc<dyn Evaluation>,
    /// Only in games for one role.
    pub(crate) best_line: Option<BestLine>,
    pub(crate) score_bounds: Option<ScoreBounds>,
    pub(crate) decision: Box<dyn Decision>,
    /// The least step of moving averages; none where they are not used.
    pub(crate) least_step: Option<f64>,
    /// Whether the squares of scores are summed up.
    pub(crate) wants_squares: bool,
    /// Whether an adjustment of selection learns from moves.
    adjusts: bool,
}

impl Parts {
    /// The parts of a scheme for a game with these numbers of moves by role.
    pub(crate) fn new(scheme: &Scheme, values: &Values, moves: &[usize]) -> Self {
        let adjustments = scheme.adjustments.iter().map(|part| (part.make.make)(values));
        let adjustments: Vec<Box<dyn Adjustment>> = adjustments.collect();
        let least_step = adjustments.iter().find_map(|adjustment| adjustment.least_step());
        let adjusts = adjustments.iter().any(|adjustment| adjustment.learns());
        let selection = (scheme.selection().make)(values, adjustments);
        let wants_squares = selection.columns().contains(&SQUARES);
        let Solvers { best_line, score_bounds } = (scheme.solver().make)(values, moves.len());
        // Random play follows no line.
        let best_line = best_line.filter(|_| selection.uses_statistics());
        // Without a tree nothing is proven.
        let expansion = scheme.expansion().make;
        let score_bounds = score_bounds.filter(|_| expansion.keeps_tree);
        Parts {
            selection,
            untried: (scheme.untried().make)(values),
            expansion,
            policy: Policy::new(&scheme.policies, values, moves),
            evaluation: (scheme.evaluation().make)(values, best_line.is_none()),
            best_line,
            score_bounds,
            decision: (scheme.decision().make)(values),
            least_step,
            wants_squares,
            adjusts,
        }
    }

    /// Whether anything is learned from the moves of playouts.
    pub(crate) fn learns(&self) -> bool {
        self.reads_playouts() || self.adjusts
    }

    /// Whether there is a policy that learns from the moves of playouts.
    pub(crate) fn reads_playouts(&self) -> bool {
        self.policy.as_ref().is_some_and(Policy::reads_playouts)
    }

    /// Whether an adjustment of selection learns from them.
    pub(crate) fn adjusts(&self) -> bool {
        self.adjusts
    }

    /// Samples of all moves as first; none where nothing counts them.
    pub(crate) fn amaf_samples(&self) -> Option<u64> {
        let samples = self.selection.amaf_samples();
        self.adjusts.then_some(samples)
    }

    /// Gets ready for a game.
    pub(crate) fn prepare(&mut self, game: &mut dyn Game) {
        if let Some(score_bounds) = &mut self.score_bounds {
            score_bounds.prepare(game);
        }
        let adjustments = self.selection.adjustments().iter_mut();
        adjustments.for_each(|adjustment| adjustment.prepare(game));
    }

    /// A joint move of a node leads to a child from now on.
    pub(crate) fn link(
        &mut self,
        tree: &mut Tree,
        node: NodeId,
        joint: &[MoveId],
        child: NodeId,
        game: &mut dyn Game,
    ) -> Result<(), PlayError> {
        if let Some(score_bounds) = &mut self.score_bounds {
            score_bounds.link(tree, node, child);
        }
        let mut adjustments = self.selection.adjustments().iter_mut();
        adjustments.try_for_each(|adjustment| adjustment.link(tree, node, joint, child, game))
    }

    /// A simulation is over, and its scores are backed up.
    pub(crate) fn back_up(&mut self, tree: &mut Tree, simulation: &Simulation) {
        for adjustment in self.selection.adjustments() {
            adjustment.back_up(tree, simulation);
        }
    }

    /// Learns from a finished simulation.
    pub(crate) fn learn(&mut self, tree: &mut Tree, simulation: &Simulation, finished: &Finished) {
        if let Some(policy) = &mut self.policy {
            policy.learn(finished);
        }
        for adjustment in self.selection.adjustments() {
            adjustment.learn(tree, simulation, finished);
        }
    }

    /// The statistics of moves that the parts need.
    pub(crate) fn columns(&self) -> Vec<ColumnSpec> {
        let best_line = self.best_line.as_ref().map_or(&[][..], |_| BestLine::COLUMNS);
        [&self.selection.columns()[..], best_line].concat()
    }
}

/// The joint moves after which playouts are cut.
pub(crate) fn playout_limit(scheme: &Scheme, values: &Values) -> u64 {
    (scheme.evaluation().make)(values, true).limit()
}

/// What a step of playouts must be able to do: the union of what the parts need.
pub(crate) fn step_needs(scheme: &Scheme, values: &Values, roles: usize) -> StepOptions {
    let limit = playout_limit(scheme, values);
    let policy = Policy::new(&scheme.policies, values, &vec![0; roles]);
    let has_policy = policy.is_some();
    let reads_moves = policy.is_some_and(|policy| policy.reads_playouts() || policy.looks_back());
    let adjusts = scheme.adjustments.iter().any(|part| (part.make.make)(values).learns());
    let observes = (scheme.evaluation().make)(values, true).sampling().is_some();
    let (decisive, ends_early) = playing(values);
    let Solvers { best_line, score_bounds } = (scheme.solver().make)(values, roles);
    StepOptions {
        decisive,
        ends_early,
        weights: has_policy.then(|| values.count(&WEIGHT_BITS) as usize),
        forced: true,
        limit_bits: StepOptions::bits_for(limit),
        record: reads_moves || adjusts || observes || best_line.is_some(),
        // Only for two roles does anything follow from it.
        goal_sum: roles == 2 && score_bounds.is_some(),
        ..StepOptions::default()
    }
}
