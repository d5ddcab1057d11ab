//! Evaluations that callers stop, and what they may hold in memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};

use propnet::game::{Game, PlayError};
use propnet::gdl::Source;
use propnet::reference::{
    ReadError, Reasoner, ReasonerLimits, WorkWatch, examine_watched, load, load_watched,
};

use super::support::{joint, unchecked};

/// A move whose consequences have no end in memory: pairs of pairs.
const PAIRS: &str = "(role r) (init (s 1)) (legal r go) (goal r 1) (<= terminal (true (s 2)))
    (leaf a) (leaf b) (<= (tree ?x) (leaf ?x)) (<= (tree (node ?x ?y)) (tree ?x) (tree ?y))
    (<= (next (s 2)) (tree ?x) (true (s ?x)))";

/// A move whose consequences have no end in time: eleven different numbers of ten.
fn many_ways() -> String {
    let mut sheet = String::from(
        "(role r) (init (s 1)) (legal r go) (goal r 1) (<= terminal (true (s 2)))
        (<= (next (s 2)) (does r go)",
    );
    for x in 0..11 {
        for y in 0..x {
            sheet.push_str(&format!(" (differ ?x{y} ?x{x})"));
        }
    }
    sheet.push(')');
    for x in 0..10 {
        for y in (0..10).filter(|&y| y != x) {
            sheet.push_str(&format!(" (differ {x} {y})"));
        }
    }
    sheet
}

#[test]
fn a_watch_stops_a_question_and_the_next_one_is_answered() {
    for sheet in [PAIRS, &many_ways()] {
        let rules = load(Source::from_text("s", sheet)).expect("a sheet");
        // The first asks are for the small questions before.
        let left = Arc::new(AtomicU64::new(u64::MAX));
        let asked = left.clone();
        let watch = WorkWatch::new(move || asked.fetch_sub(1, SeqCst) > 0);
        let mut game = Reasoner::watched(&rules, ReasonerLimits::default(), watch);
        let initial = game.initial_state().expect("a state");
        let go = joint(&mut game, "go");
        left.store(20, SeqCst);
        assert_eq!(game.next_state(&initial, &go), Err(PlayError::Stopped));
        left.store(u64::MAX, SeqCst);
        assert_eq!(game.is_terminal(&initial), Ok(false));
        assert_eq!(game.goal(&initial, 0), Ok(1));
    }
}

#[test]
fn bytes_are_bounded() {
    let mut game = unchecked(PAIRS, ReasonerLimits { bytes: 1 << 22, ..ReasonerLimits::default() });
    let initial = game.initial_state().expect("a state");
    let go = joint(&mut game, "go");
    for _ in 0..2 {
        let error = game.next_state(&initial, &go).expect_err("no state").to_string();
        let said =
            "line 2, column 48: evaluating the rule for tree exceeded the limit of 4194304 bytes";
        assert_eq!(error, said);
        assert_eq!(game.is_terminal(&initial), Ok(false));
    }
}

#[test]
fn reading_can_be_stopped() {
    let numbers: String = (0..100).map(|at| format!("(n {at})")).collect();
    let sheet = format!(
        "(role r) (init (s 1)) (legal r go) (goal r 1) (<= terminal (true (s 2)))
        {numbers} (<= (next (s ?x)) (n ?x))
        (<= (p ?x ?y ?z) (n ?x) (n ?y) (n ?z) (true (s ?x)) (not (p ?y ?z ?x)))"
    );
    let asks = Arc::new(AtomicU64::default());
    let asked = asks.clone();
    let stopped = Arc::new(AtomicBool::default());
    let is_stopped = stopped.clone();
    let watch = WorkWatch::new(move || {
        asked.fetch_add(1, SeqCst);
        !is_stopped.load(SeqCst)
    });
    let read = || load_watched(Source::from_text("s", &sheet), &watch);
    let examine = || examine_watched(Source::from_text("s", &sheet), &watch);
    assert!(read().is_ok());
    let to_read = asks.swap(0, SeqCst);
    assert!(examine().is_some());
    let to_examine = asks.swap(0, SeqCst);
    stopped.store(true, SeqCst);
    assert!(matches!(read(), Err(ReadError::Stopped)));
    let stopped = asks.swap(0, SeqCst);
    assert!(10 * stopped < to_read, "{stopped} of {to_read}");
    assert!(examine().is_none());
    let stopped = asks.swap(0, SeqCst);
    assert!(10 * stopped < to_examine, "{stopped} of {to_examine}");
}
