//! What drawings of a game need to know before it is played.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use ludens::draw::Knowledge;
use ludens::pipeline::Control;
use propnet::game::Game;

use super::args::Start;

/// What is known of a game, unless that is interrupted.
pub(crate) fn knowledge(start: &Start, game: &mut dyn Game, interrupt: &AtomicBool) -> Knowledge {
    let may_go_on = || !interrupt.load(Relaxed);
    let control = Control::stoppable(&may_go_on);
    Knowledge::learn(&start.rules, game, &start.setup, &start.options.bounds, control)
}
