//! Each pass: a text in, a text out. A rule a line, then what became of fluents.

use propnet::ground::sharpen::{SharpenReport, Stopped, sharpen};

use super::board::board;
use super::model::same_game;
use super::text::{ground, print};

/// Sharpens the text, compares, and checks that the game is the same.
#[track_caller]
fn check(text: &str, expected: &str) -> SharpenReport {
    let before = ground(text);
    let (after, report) = sharpen(before.clone(), &mut || true).expect("not stopped");
    let lines: Vec<&str> =
        expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(print(&after), lines.join("\n"));
    same_game(&before, &after).expect("the same game");
    report
}

/// A game of one role with a switch that flips as it likes; each test adds what it is about.
const SWITCH: &str = "
    (role r) (legal r flip) (legal r wait)
    (<= (next on) (not (true on)) (does r flip))
    (<= (next on) (true on) (does r wait))";

fn check_switch(text: &str, expected: &str) -> SharpenReport {
    let switch = "
        (legal r flip)
        (legal r wait)
        (<= (next on) (not (true on)) (does r flip))
        (<= (next on) (true on) (does r wait))";
    check(&format!("{SWITCH} {text}"), &format!("{switch}\n{expected}"))
}

#[test]
fn constants_vanish_from_bodies() {
    let report = check_switch(
        "(<= terminal (true on) always (not never) (not never))
         (<= (goal r 100) (true on) never)
         (<= (goal r 50) (true on) (not (true on)))
         (<= (goal r 0) (not never) always)
         always
         (<= never (not always))",
        "(<= terminal (true on))
         (goal r 0)",
    );
    assert_eq!((report.known, report.after.atoms), (2, 8));
}

#[test]
fn loops_without_support_are_false() {
    check_switch(
        "(<= a b) (<= b a) (<= a (true on) b)
         (<= terminal (not a) (true on))",
        "(<= terminal (true on))",
    );
}

#[test]
fn loops_do_not_hold_themselves_up() {
    // a is true exactly when the switch is on, although it supports itself through b.
    check_switch(
        "(<= a (true on)) (<= a b c) (<= b a) (<= c a)
         (<= terminal (not a))",
        "(<= terminal (not (true on)))",
    );
}

#[test]
fn a_fluent_that_keeps_its_value_is_constant() {
    let report = check_switch(
        "(init board) (<= (next board) (true board))
         (init here) (<= (next here) (true here) (true board) (not (true moved)))
         (<= (next moved) (true moved))
         (<= terminal (true on) (true here))
         (<= (goal r 100) (true moved))",
        "(<= terminal (true on))
         board: true
         here: true
         moved: false",
    );
    assert_eq!((report.constant, report.after.carried), (3, 1));
}

#[test]
fn a_fluent_that_becomes_true_for_good_is_not_constant() {
    check_switch(
        "(next later)
         (<= terminal (true on) (true later))",
        "(next later)
         (<= terminal (true on) (true later))",
    );
}

#[test]
fn moves_that_are_never_legal_are_dropped() {
    let report = check(
        "(role r) (role s)
         (<= (legal r fly) (true wings)) (legal r a) (legal r b)
         (<= (legal s fly) (true wings))
         (<= (next wings) (does r fly))
         (<= (next p) (not (does r fly)) (does r b))
         (<= terminal (true p))",
        "(legal r a)
         (legal r b)
         (<= (next p) (does r b))
         (<= terminal (true p))
         wings: false",
    );
    // Role s is left without any move, and is still a role.
    assert_eq!((report.moves_dropped, report.after.moves), (2, 2));
}

#[test]
fn the_only_move_is_always_made() {
    check(
        "(role r) (role s) (legal r noop) (legal s a) (legal s b)
         (<= (next p) (does r noop) (does s a))
         (<= terminal (true p))",
        "(legal r noop)
         (legal s a)
         (legal s b)
         (<= (next p) (does s a))
         (<= terminal (true p))",
    );
}

#[test]
fn a_role_makes_one_move_in_a_step() {
    check_switch(
        "(<= (next p) (does r flip) (not (does r wait)))
         (<= (next p) (does r flip) (does r wait))
         (<= terminal (true p))",
        "(<= (next p) (does r flip))
         (<= terminal (true p))
         on: observed",
    );
}

#[test]
fn equal_helpers_become_one() {
    let report = check_switch(
        "(<= a (true on) (true x)) (<= a (true y))
         (<= b (true y)) (<= b (true x) (true on) (true x))
         (<= c (not b) (true x)) (<= d (true x) (not a))
         (<= (next x) (true on)) (<= (next y) (not (true on)))
         (<= terminal a c) (<= terminal b (true on)) (<= (goal r 1) c) (<= (goal r 2) d)",
        "(<= a (true on) (true x))
         (<= a (true y))
         (<= c (not a) (true x))
         (<= (next x) (true on))
         (<= (next y) (not (true on)))
         (<= terminal a c)
         (<= terminal (true on) a)
         (<= (goal r 1) c)
         (<= (goal r 2) c)",
    );
    assert_eq!(report.merged, 2);
}

#[test]
fn equal_loops_become_one() {
    // Two ways to say that x and y are connected.
    let report = check_switch(
        "(<= (next x) (true on)) (<= (next y) (not (true on)))
         (<= a (true x)) (<= a (true y) b) (<= b (true on)) (<= b (true y) a)
         (<= c (true x)) (<= c (true y) d) (<= d (true on)) (<= d (true y) c)
         (<= terminal a (not (true x))) (<= (goal r 1) a b) (<= (goal r 1) c d)",
        "(<= (next x) (true on))
         (<= (next y) (not (true on)))
         (<= a (true x))
         (<= a (true y) b)
         (<= b (true on))
         (<= b a (true y))
         (<= terminal a (not (true x)))
         (<= (goal r 1) a b)",
    );
    assert_eq!(report.merged, 2);
}

#[test]
fn helpers_of_one_literal_give_way_to_it() {
    let report = check_switch(
        "(<= a (true on)) (<= off (not a)) (<= on2 (not off))
         (<= terminal off (true x)) (<= (next x) on2) (<= (goal r 1) (not off)) (<= (goal r 1) a)",
        "(<= terminal (not (true on)) (true x))
         (<= (next x) (true on))
         (<= (goal r 1) (true on))",
    );
    assert_eq!(report.aliased, 3);
}

#[test]
fn helpers_read_once_are_unfolded() {
    let report = check_switch(
        "(<= (next x) (true on)) (<= (next y) (not (true on)))
         (<= h (true x) k) (<= k (true y) (not (true on)))
         (<= terminal h (true on)) (<= (goal r 1) h2) (<= h2 (true x)) (<= h2 (true y))
         (<= (goal r 0) (not h3)) (<= h3 (true x) (true y))",
        "(<= (next x) (true on))
         (<= (next y) (not (true on)))
         (<= (goal r 1) (true x))
         (<= (goal r 1) (true y))
         (<= (goal r 0) (not h3))
         (<= h3 (true x) (true y))",
    );
    assert_eq!((report.inlined, report.lifted), (2, 1));
}

#[test]
fn equal_fluents_become_copies() {
    let report = check_switch(
        "(<= (next a) (does r flip) (not (true b))) (<= (next a) (true b) (does r wait))
         (<= (next b) (does r flip) (not (true a))) (<= (next b) (true a) (does r wait))
         (init c) (<= (next c) (does r flip) (not (true c))) (<= (next c) (true c) (does r wait))
         (<= terminal (true on) (true a)) (<= terminal (true b) (not (true c)))",
        "(<= (next c) (does r flip) (not (true c)))
         (<= (next c) (does r wait) (true c))
         (<= terminal (true on))
         a: on
         b: on
         c: observed",
    );
    assert_eq!(report.copied, 2);
}

#[test]
fn fluents_that_play_does_not_read_are_observed() {
    let report = check_switch(
        "(<= (next last) (does r flip)) (<= (next before) (true last) h)
         (<= h (true on) (not (true before))) (<= h (true before) (not (true on)))
         (<= terminal (true on))",
        "(<= (next last) (does r flip))
         (<= (next before) (true last) h)
         (<= h (true on) (not (true before)))
         (<= h (not (true on)) (true before))
         (<= terminal (true on))
         last: observed
         before: observed",
    );
    assert_eq!((report.observed, report.after.carried), (2, 1));
}

#[test]
fn superfluous_rules_are_dropped() {
    let report = check_switch(
        "(<= (next x) (true on)) (<= (next y) (true x))
         (<= terminal (true x) (true y)) (<= terminal (true y) (true x) (true on))
         (<= terminal (true y) (true x))
         (<= (goal r 1) (true x)) (<= (goal r 1) (true x) (true on))
         (<= (goal r 1) (not (true x)) (true y))
         (<= (goal r 2) (true x)) (<= (goal r 2) (not (true x)))",
        "(<= (next x) (true on))
         (<= (next y) (true x))
         (<= terminal (true x) (true y))
         (<= (goal r 1) (true x))
         (<= (goal r 1) (true y))
         (goal r 2)",
    );
    assert_eq!(report.subsumed, 3);
}

#[test]
fn helpers_that_nobody_reads_are_dropped() {
    let report = check_switch(
        "(<= a (true on) b) (<= a (does r wait)) (<= b (true on)) (<= b a) (<= b (does r flip))
         (<= terminal (true on))",
        "(<= terminal (true on))",
    );
    assert_eq!(report.unread, 2);
}

#[test]
fn cycles_through_negation_are_left_alone() {
    let report = check_switch(
        "(<= a (not b) (true on)) (<= b (not a)) (<= terminal a)",
        "(<= a (true on) (not b))
         (<= b (not a))
         (<= terminal a)",
    );
    assert_eq!(report.unstable, 2);
}

#[test]
fn it_stops_when_asked_to() {
    let game = board(12, 5);
    let run = |patience: usize| {
        let mut asked = 0;
        let mut proceed = || {
            asked += 1;
            asked <= patience
        };
        (sharpen(game.clone(), &mut proceed).err(), asked)
    };
    let (result, asked) = run(usize::MAX);
    assert!(result.is_none() && asked > 5, "asked {asked} times");
    for patience in 0..asked {
        assert_eq!(run(patience), (Some(Stopped), patience + 1));
    }
}
