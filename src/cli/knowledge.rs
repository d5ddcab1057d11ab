//! What drawings of a game need to know before it is played.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use ludens::draw::Knowledge;
use ludens::pipeline::{Control, PipelineBounds, ground_within};
use propnet::game::Game;

use super::args::Start;

/// The limits for grounding a game to draw it: a board of the wrong size is better than a long
/// wait.
const GROUNDING: Duration = Duration::from_secs(2);
const GROUNDING_BYTES: u64 = 512 << 20;

/// How long playouts are watched before a game is drawn.
const WATCHING: Duration = Duration::from_secs(1);

/// What is known of a game: the sentences that can be true, if the rules are grounded in time, and
/// how a few playouts go.
pub(crate) fn knowledge(start: &Start, game: &mut dyn Game, interrupt: &AtomicBool) -> Knowledge {
    let Start { rules, options, setup, .. } = start;
    let mut knowledge = Knowledge::new(rules, game.roles());
    let bounds = &options.bounds;
    let (time, bytes) = (bounds.time.min(GROUNDING), bounds.bytes.min(GROUNDING_BYTES));
    let may_go_on = || !interrupt.load(Relaxed);
    let control = Control::stoppable(&may_go_on);
    if let Ok(grounding) = ground_within(rules, &PipelineBounds { time, bytes }, control) {
        knowledge.learn_ground(&grounding.rules);
    }
    let patience = control.within(WATCHING);
    knowledge.learn_play(game, setup, &mut || patience.goes_on());
    knowledge
}
