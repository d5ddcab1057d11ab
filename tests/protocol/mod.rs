//! What is said to game managers: transcripts as text with a fake clock, matches at once, records,
//! and the same over real sockets.

mod crowd;
mod figures;
mod large;
mod long;
mod matches;
mod pages;
mod parallel;
mod records;
mod running;
pub(crate) mod serve;
mod soak;
mod sockets;
mod transcripts;

use ludens::agent::AgentOptions;
use ludens::pipeline::PipelineOptions;
use ludens::protocol::SessionOptions;
use ludens::search::{Budget, Settings};
use propnet::lanes::Setup;

/// Two roles, spelled in many ways. White has to go twice before it wins by stopping, unless it
/// hides; who hides has lost.
pub(crate) const STEPS: &str = "
    (ROLE White) (role BLACK)
    (init (Step 0)) (Succ 0 1) (succ 1 2) (succ 2 3)
    (<= (legal white Go) (true (step 0)))
    (<= (Legal white (HIDE ?n)) (true (step 0)) (succ 2 ?n))
    (<= (legal white Go) (true (step 1)))
    (<= (legal white (Stop\tAt ?n)) (true (step 2)) (succ ?m ?n) (true (step ?m)))
    (<= (legal white (Stop At 3)) (true hidden))
    (<= (legal black Wait) (true (step ?n)))
    (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
    (<= (next hidden) (does white (hide ?n)))
    (<= (next hidden) (true hidden))
    (<= terminal (true (step 3)))
    (<= (goal white 100) (true (step 3)) (not (true hidden)))
    (<= (goal white 0) (true (step 3)) (true hidden))
    (<= (goal black 0) (true (step 3)) (not (true hidden)))
    (<= (goal black 100) (true (step 3)) (true hidden))";

/// White scores with each of three moves that is the right one: Left, Right, Left. All are always
/// legal, and so is passing, also when the game is over.
pub(crate) const TURNS: &str = "
    (role white) (role black)
    (init (step 1)) (init (score 0))
    (after 1 2) (after 2 3) (after 3 4) (after 4 5)
    (more 0 30) (more 30 60) (more 60 90)
    (best 1 Left) (best 2 Right) (best 3 left)
    (legal white Left) (legal white Right) (legal white Pass) (legal black Wait)
    (<= (next (step ?m)) (true (step ?n)) (after ?n ?m))
    (<= scores (true (step ?n)) (best ?n ?move) (does white ?move))
    (<= (next (score ?m)) (true (score ?n)) (more ?n ?m) scores)
    (<= (next (score ?n)) (true (score ?n)) (not scores))
    (<= terminal (true (step 4)))
    (<= (goal white ?n) (true (score ?n)))
    (goal black 0)";

/// A session whose answers depend on nothing but its messages.
pub(crate) fn options() -> SessionOptions {
    let agent = AgentOptions {
        settings: "uct:threads=1".parse::<Settings>().expect("settings").into(),
        pipeline: PipelineOptions { lanes: Setup::SCALAR, ..PipelineOptions::default() },
        budget: Some(Budget::simulations(200)),
        ..AgentOptions::default()
    };
    SessionOptions { agent, ..SessionOptions::default() }
}
