//! The circuit that playouts are made on, where that is not the one of the game.

use std::borrow::Cow;
use std::sync::Arc;

use super::options::StepOptions;
use crate::circuit::plan::{DecisiveMoves, OpenGoals, decisive, latches};
use crate::circuit::{Circuit, WorkBudget};

/// A circuit for playouts.
pub(super) struct PlayingCircuit<'c> {
    circuit: Cow<'c, Circuit>,
    /// Which goals are open, where playouts end early.
    pub(super) open_goals: Option<Arc<OpenGoals>>,
}

impl<'c> PlayingCircuit<'c> {
    /// The circuit of a game, in which moves are left out and playouts end as the options say, where
    /// that is known within a budget of work.
    pub(super) fn new(
        game: &'c Circuit,
        options: &StepOptions,
        proceed: &dyn Fn() -> bool,
    ) -> Self {
        let mut circuit = Cow::Borrowed(game);
        let budget = WorkBudget::new(proceed);
        if options.decisive != DecisiveMoves::Off
            && let Some(decisive) = decisive(game, options.decisive, &budget)
        {
            circuit = Cow::Owned(decisive);
        }
        let mut open_goals = None;
        if options.ends_early
            && let Some(found) = OpenGoals::new(&circuit, &latches(game, &budget))
        {
            if found.can_be_decided() {
                circuit = Cow::Owned(found.ending_early());
            }
            open_goals = Some(Arc::new(found));
        }
        PlayingCircuit { circuit, open_goals }
    }

    pub(super) fn circuit(&self) -> &Circuit {
        &self.circuit
    }
}
