//! What `examine` says about sheets that are well formed but do not play well.

use propnet::gdl::Source;
use propnet::reference::examine;

/// All findings about a sheet, rendered.
fn check(sheet: &str, expected: &str) {
    let (rules, findings) = examine(Source::from_text("s.kif", sheet));
    let text: Vec<String> = findings.iter().map(|found| found.render(&rules.source)).collect();
    assert_eq!(text.join(""), expected, "{sheet}");
}

const GOOD: &str = "(role r)
(init (n 0))
(succ 0 1)
(succ 1 2)
(legal r go)
(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
(<= terminal (true (n 2)))
";

#[test]
fn a_good_sheet() {
    check(&format!("{GOOD}(goal r 100)"), "");
}

#[test]
fn bad_goal() {
    check(
        &format!("{GOOD}(<= (goal r 100) (true (n 1)))"),
        "warning[bad-goal]: in a terminal state that random play reached, role r has no goal value
  --> s.kif:8:5
  |
8 | (<= (goal r 100) (true (n 1)))
  |     ^^^^^^^^^^^^
  = help: give each role exactly one goal value from 0 to 100 in every terminal state
",
    );
    check(
        &format!("{GOOD}(<= (goal r ?x) (true (n ?y)) (succ ?x ?z))"),
        "warning[bad-goal]: in a terminal state that random play reached, role r has several goal values: 0, 1
  --> s.kif:8:5
  |
8 | (<= (goal r ?x) (true (n ?y)) (succ ?x ?z))
  |     ^^^^^^^^^^^
  = help: give each role exactly one goal value from 0 to 100 in every terminal state
",
    );
    check(
        &format!("{GOOD}(value 101) (<= (goal r ?x) (value ?x))"),
        "warning[bad-goal]: in a terminal state that random play reached, role r has the goal value 101
  --> s.kif:8:17
  |
8 | (value 101) (<= (goal r ?x) (value ?x))
  |                 ^^^^^^^^^^^
  = help: give each role exactly one goal value from 0 to 100 in every terminal state
",
    );
    check(
        &format!("{GOOD}(value high) (<= (goal r ?x) (value ?x))"),
        "warning[bad-goal]: in a terminal state that random play reached, role r has the goal value high, which is no integer from 0 to 100
  --> s.kif:8:18
  |
8 | (value high) (<= (goal r ?x) (value ?x))
  |                  ^^^^^^^^^^^
  = help: give each role exactly one goal value from 0 to 100 in every terminal state
",
    );
}

#[test]
fn bad_base_and_input() {
    check(
        &format!("{GOOD}(goal r 1) (<= (base (n ?x)) (succ ?x ?y)) (input r go)"),
        "warning[bad-base]: base does not list (n 2), but random play reached it
  --> s.kif:8:16
  |
8 | (goal r 1) (<= (base (n ?x)) (succ ?x ?y)) (input r go)
  |                ^^^^^^^^^^^^^
  = help: let base list every state sentence
",
    );
    check(
        &format!(
            "{GOOD}(goal r 1) (<= (legal r (to ?x)) (succ ?x ?y)) (<= (input r (to ?y)) (succ ?x ?y)) (input r go)"
        ),
        "warning[bad-input]: input does not list (r (to 0)), but the move was legal
  --> s.kif:8:52
  |
8 | (goal r 1) (<= (legal r (to ?x)) (succ ?x ?y)) (<= (input r (to ?y)) (succ ?x ?y)) (input r go)
  |                                                    ^^^^^^^^^^^^^^^^^
  = help: let input list every move
",
    );
}

#[test]
fn play_fails() {
    check(
        "(role r)\n(init a)\n(<= (legal r go) (true a))\n(<= (next b) (does r go))\n(<= terminal (true c))\n(<= (next c) (true c))\n(goal r 1)",
        "warning[play-fails]: random play came to a halt: role r has no legal move in a state that is not terminal
  --> s.kif
  = help: make sure that every state that can be reached has a way on
",
    );
}

#[test]
fn no_initial_state() {
    check(
        &format!("{GOOD}(goal r 1)\n(<= (init (s ?x)) (init ?x))"),
        "error[no-initial-state]: the initial state cannot be computed: line 9, column 1: the rule for init builds terms without end (deeper than 500, or of more than 16384 words)
  --> s.kif
warning[word-in-body]: `init` in a body: the specification has it in heads only
  --> s.kif:9:19
  |
9 | (<= (init (s ?x)) (init ?x))
  |                   ^^^^^^^^^
  = help: accepted here; to be safe, give the conditions a relation of their own and use it in both rules
warning[recursion]: `init` depends on itself, and `?x` is limited by nothing else
  --> s.kif:9:25
  |
9 | (<= (init (s ?x)) (init ?x))
  |                         ^^
  = help: add a positive literal that contains `?x` and does not depend on `init`, or the set of true sentences may have no end
",
    );
}

#[test]
fn unstratified() {
    check(
        &format!(
            "{GOOD}(goal r 1)\n(<= (Win ?x) (succ ?x ?y) (not (Win ?z)) (succ ?z ?y))\n(<= terminal (win 1))"
        ),
        "error[unstratified]: (Win 1) depends on its own negation, so its truth is open
  --> s.kif:9:32
  |
9 | (<= (Win ?x) (succ ?x ?y) (not (Win ?z)) (succ ?z ?y))
  |                                ^^^^^^^^
  = help: break the circle: no sentence may follow, by any chain of rules, from its own absence
",
    );
}

/// A million instances and more are not listed; play will tell.
#[test]
fn negation_not_judged() {
    let numbers: String = (0..101).map(|at| format!("(d {at})")).collect();
    check(
        &format!(
            "{GOOD}(goal r 1)
(<= (p ?x ?y ?z) (d ?x) (d ?y) (d ?z) (not (p ?y ?z ?x)) (true (n 0)) (true (n 1)))
(<= terminal (p 0 0 0))
{numbers}"
        ),
        "warning[negation-not-judged]: negation within a recursion that is too large to be judged beforehand
  --> s.kif:9:44
  |
9 | (<= (p ?x ?y ?z) (d ?x) (d ?y) (d ?z) (not (p ?y ?z ?x)) (true (n 0)) (true (n 1)))
  |                                            ^^^^^^^^^^^^
  = help: play stops with an error in a state where a sentence depends on its own negation
",
    );
}

/// What is too large for a trial is not held against the sheet. Facts with many arguments count
/// as several.
#[test]
fn not_tried() {
    let numbers: String = (0..70).map(|at| format!("(d {at})")).collect();
    let more = " a".repeat(160);
    check(
        &format!(
            "{GOOD}(goal r 1)
(<= (w ?x ?y ?z{more}) (d ?x) (d ?y) (d ?z))
(<= (init (p ?x)) (w ?x ?y ?z{more}))
{numbers}"
        ),
        "warning[not-tried]: too large to be tried out: line 9, column 1: evaluating the rule for w exceeded the limit of 3000000 facts
  --> s.kif
  = help: the sheet was checked, but not played; expect it to be slow
",
    );
}

/// A game that never ends is not played for ever.
#[test]
fn endless_games() {
    check(
        "(role r) (init a) (legal r go) (<= (next a) (true a)) (<= (next b) (true b)) (<= terminal (true b)) (goal r 1)",
        "",
    );
    check(
        "(role r) (init a) (legal r go) (<= terminal (true a) (true b)) (goal r 1) (<= (next b) (true b))",
        "",
    );
}
