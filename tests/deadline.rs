//! Answers in time on a machine that has much else to do. It is a suite of its own so that other
//! tests are not disturbed.

mod support;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use ludens::agent::{Agent, AgentOptions};
use propnet::game::Game;
use propnet::gdl::Source;
use propnet::reference::{self, Reasoner};

/// The time for each answer.
const CLOCK: Duration = Duration::from_secs(2);

/// Held by the test that runs: others would take its time.
static TURN: Mutex<()> = Mutex::new(());

fn wait_for_turn() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Threads that do nothing, as fast as they can, until this is dropped.
struct Busy(Arc<AtomicBool>);

impl Busy {
    /// Two threads for each core.
    fn machine() -> Self {
        let is_over = Arc::new(AtomicBool::default());
        let cores = thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..2 * cores {
            let is_over = is_over.clone();
            thread::spawn(move || {
                while !is_over.load(Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        Busy(is_over)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Asks a player with the usual margin, and a thread for each core, some times.
fn assert_in_time(sheet: &str, role: &str, options: &AgentOptions) {
    let start = Some(Instant::now() + CLOCK);
    let mut player = Agent::start(sheet, role, options, start).expect("a player");
    for turn in 0..3 {
        let deadline = Instant::now() + CLOCK;
        let answer = player.play(None, Some(deadline)).expect("a move");
        let now = Instant::now();
        assert!(now < deadline, "turn {turn}: {:?} too late", now - deadline);
        let position = player.position(None).expect("a position");
        assert!(position.legal.contains(&answer.text), "{}", answer.text);
    }
}

/// Plays with a player that makes its circuit meanwhile, against the first of all legal moves.
fn assert_legal_in_time(sheet: &str, turns: usize) {
    let rules = reference::load(Source::from_text("sheet", sheet)).expect("a sheet");
    let mut judge = Reasoner::new(&rules);
    let mut state = judge.initial_state().expect("a state");
    let start = Some(Instant::now() + CLOCK);
    let role = judge.roles()[0].clone();
    let mut player = Agent::start(sheet, &role, &AgentOptions::default(), start).expect("a player");
    let mut previous: Option<Vec<String>> = None;
    for turn in 0..turns {
        let deadline = Instant::now() + CLOCK;
        let answer = player.play(previous.as_deref(), Some(deadline)).expect("a move");
        let now = Instant::now();
        assert!(now < deadline, "turn {turn}: {:?} too late", now - deadline);
        let own = judge.move_of(0, &answer.text).expect("a move");
        let legal = |judge: &mut Reasoner, role| judge.legal_moves(&state, role).expect("moves");
        assert!(legal(&mut judge, 0).contains(own), "turn {turn}: {}", answer.text);
        let other = legal(&mut judge, 1).iter().next().expect("a move");
        state = judge.next_state(&state, &[own, other]).expect("a state");
        previous = Some(vec![answer.text, judge.move_spelling(1, other).expect("a spelling")]);
    }
}

#[test]
fn a_legal_move_is_there_in_time_while_the_circuit_of_a_large_game_is_made() {
    let _turn = wait_for_turn();
    let _busy = Busy::machine();
    let sheet = std::fs::read_to_string(support::root().join("games/chess.kif"));
    assert_legal_in_time(&sheet.expect("a sheet of our own"), 6);
}

#[test]
fn answers_are_there_in_time_where_the_machine_has_much_else_to_do() {
    let _turn = wait_for_turn();
    let _busy = Busy::machine();
    let sheet = std::fs::read_to_string(support::root().join("games/breakthrough.kif"));
    let sheet = sheet.expect("a sheet of our own");
    assert_in_time(&sheet, "white", &AgentOptions::default());
    // Also while schemes play against each other.
    let mut options = AgentOptions::default();
    options.settings.search = "auto".parse().expect("settings");
    assert_in_time(&sheet, "white", &options);
    // And without a circuit.
    let mut options = AgentOptions::default();
    options.pipeline.bounds.bytes = 1 << 20;
    assert_in_time(&support::explosion(), "a", &options);
}
