//! What is known of a game, found within a few seconds.

use std::time::Duration;

use propnet::game::Game;
use propnet::gdl::Rules;

use super::knowledge::Knowledge;
use crate::pipeline::{Control, PipelineBounds, ground_within};
use crate::run::Setup;

/// The limits for grounding a game to draw it: a board of the wrong size is better than a long
/// wait.
const GROUNDING: Duration = Duration::from_secs(2);
const GROUNDING_BYTES: u64 = 512 << 20;

/// How long playouts are watched before a game is drawn.
const WATCHING: Duration = Duration::from_secs(1);

impl Knowledge {
    /// The sentences that can be true, if the rules are grounded in time, and how a few playouts go.
    pub fn learn(
        rules: &Rules,
        game: &mut dyn Game,
        setup: &Setup,
        bounds: &PipelineBounds,
        control: Control<'_>,
    ) -> Knowledge {
        let mut knowledge = Knowledge::new(rules, game.roles());
        let (time, bytes) = (bounds.time.min(GROUNDING), bounds.bytes.min(GROUNDING_BYTES));
        if let Ok(grounding) = ground_within(rules, &PipelineBounds { time, bytes }, control) {
            knowledge.learn_ground(&grounding.rules);
        }
        let patience = control.within(WATCHING);
        knowledge.learn_play(game, setup, &mut || patience.goes_on());
        knowledge
    }
}
