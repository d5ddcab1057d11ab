//! A scheme made for a game, ready to search.

use propnet::program::StepOptions;

use super::parameter::Values;
use super::scheme::Scheme;
use crate::search::decision::Decision;
use crate::search::evaluation::Evaluation;
use crate::search::expansion::Expansion;
use crate::search::policy::{Policy, WEIGHT_BITS};
use crate::search::selection::Selection;
use crate::search::solver::BestLine;
use crate::search::tree::ColumnSpec;
use crate::search::untried::Untried;

/// The parts of a search.
pub(crate) struct Parts {
    pub(crate) selection: Box<dyn Selection>,
    pub(crate) untried: Box<dyn Untried>,
    pub(crate) expansion: Expansion,
    pub(crate) policy: Option<Box<dyn Policy>>,
    pub(crate) evaluation: Box<dyn Evaluation>,
    /// Only in games for one role.
    pub(crate) best_line: Option<BestLine>,
    pub(crate) decision: Box<dyn Decision>,
}

impl Parts {
    /// The parts of a scheme for a game with these numbers of moves by role.
    pub(crate) fn new(scheme: &Scheme, values: &Values, moves: &[usize]) -> Self {
        let selection = (scheme.selection().make)(values);
        let best_line = (scheme.solver().make)(values, moves.len());
        // Chance alone follows no line.
        let best_line = best_line.filter(|_| selection.uses_statistics());
        Parts {
            selection,
            untried: (scheme.untried().make)(values),
            expansion: scheme.expansion().make,
            policy: scheme.policy.map(|part| (part.make)(values, moves)),
            evaluation: (scheme.evaluation().make)(values, best_line.is_none()),
            best_line,
            decision: (scheme.decision().make)(values),
        }
    }

    /// The statistics of moves that the parts need.
    pub(crate) fn columns(&self) -> Vec<ColumnSpec> {
        let best_line = self.best_line.as_ref().map_or(&[][..], |_| BestLine::COLUMNS);
        [self.selection.columns(), best_line].concat()
    }
}

/// The joint moves after which playouts are cut.
pub(crate) fn playout_limit(scheme: &Scheme, values: &Values) -> u64 {
    (scheme.evaluation().make)(values, true).limit()
}

/// What a step of playouts must be able to do: the union of what the parts need.
pub(crate) fn step_needs(scheme: &Scheme, values: &Values, roles: usize) -> StepOptions {
    let limit = playout_limit(scheme, values);
    let has_policy = scheme.policy.is_some();
    StepOptions {
        weights: has_policy.then(|| values.count(&WEIGHT_BITS) as usize),
        forced: true,
        limit_bits: StepOptions::bits_for(limit),
        record: has_policy || (scheme.solver().make)(values, roles).is_some(),
        ..StepOptions::default()
    }
}
