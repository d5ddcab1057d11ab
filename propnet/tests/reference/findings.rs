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
  = moves: (go) (go)
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
  = moves: (go) (go)
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
  = moves: (go) (go)
  = help: give each role exactly one goal value from 0 to 100 in every terminal state
",
    );
    check(
        &format!("{GOOD}(value high) (<= (goal r ?x) (value ?x))"),
        "warning[bad-goal]: in a terminal state that random play reached, role r has the goal value high, which is not an integer from 0 to 100
  --> s.kif:8:18
  |
8 | (value high) (<= (goal r ?x) (value ?x))
  |                  ^^^^^^^^^^^
  = moves: (go) (go)
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
  = moves: (go) (go)
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
  = moves: none, it is the first state
  = help: let input list every move
",
    );
}

/// Of all random games the shortest way to a halt is told.
#[test]
fn play_fails() {
    check(
        "(role r)\n(role S)\n(init a)\n(<= (legal r (go ?x)) (true a) (role ?x))\n(legal S Stay)
(<= (next b) (does r (go S)))\n(<= (next a) (does r (go r)))\n(<= terminal (true c))
(<= (next c) (does r (go r)) (true b))\n(goal r 1)\n(goal s 1)",
        "warning[play-fails]: random play came to a halt: role r has no legal move in a state that is not terminal
  --> s.kif
  = moves: ((go S) Stay)
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

/// A game that never ends is not played for ever, and said to be endless.
#[test]
fn endless_games() {
    check(
        "(role r) (init a) (legal r go) (goal r 1) (<= (next a) (true b)) (<= (next b) (true a))
(<= terminal (true a) (true b))",
        "warning[endless]: no random game ended: 10 games were broken off after 1000 joint moves
  --> s.kif:2:5
  |
2 | (<= terminal (true a) (true b))
  |     ^^^^^^^^
  = help: let the state count the moves, and end the game at some number
",
    );
}

/// A game that may take long, but ends now and then, is not.
#[test]
fn long_games() {
    let steps: String = (0..600).map(|at| format!("(succ {at} {})", at + 1)).collect();
    check(
        &format!(
            "(role r) (init (n 0)) {steps} (legal r go) (goal r 1)
(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
(<= terminal (true (n 600)))"
        ),
        "",
    );
}

/// Conditions that can never hold, by name and by value, with what was meant.
#[test]
fn conditions_that_never_hold() {
    check(
        "(role x) (role o)
(init (control x)) (init (step 1)) (init (cell 1 b)) (init (cell 2 x))
(succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal x (pick ?k)) (true (control x)) (succ ?k ?n))
(<= (legal ?p noop) (true (control ?q)) (role ?p) (distinct ?p ?q))
(<= (next (control o)) (true (control x)))
(<= (next (control x)) (true (contrl ?p)))
(<= (next (cell 1 x)) (does x (pik ?k)))
(<= (next (cell 1 x)) (does o (pick ?k)))
(<= (next (cell 2 x)) (does ?p (pick 7)))
(<= (next (step ?n)) (true (step ?s)) (succ ?s ?n))
(<= (next extra) (true extra))
(<= terminal (true (step four)))
(<= terminal (true (cell 2 b)))
(<= terminal (true (cell 2 x)) (not (true (cell 1))) (true (step 4)))
(<= terminal (not (true (control ?p))) (role ?p))
(goal x 100) (goal o 0)",
        "warning[never-reached]: `(contrl ?p)` is true in no state that can be reached, so this condition never holds
  --> s.kif:7:30
  |
7 | (<= (next (control x)) (true (contrl ?p)))
  |                              ^^^^^^^^^^^
  = help: did you mean `control`?
warning[never-legal]: `(pik ?k)` is never a legal move, so this condition never holds
  --> s.kif:8:31
  |
8 | (<= (next (cell 1 x)) (does x (pik ?k)))
  |                               ^^^^^^^^
  = help: did you mean `pick`?
warning[never-legal]: `(pick ?k)` is never a legal move of `o`, only of others, so this condition never holds
  --> s.kif:9:31
  |
9 | (<= (next (cell 1 x)) (does o (pick ?k)))
  |                               ^^^^^^^^^
  = help: mend the move, or the rules for `legal`
warning[never-legal]: `(pick 7)` is never a legal move, so this condition never holds
   --> s.kif:10:32
   |
10 | (<= (next (cell 2 x)) (does ?p (pick 7)))
   |                                ^^^^^^^^
   = help: argument 1 is never `7`; it can be 1, 2, 3
warning[never-reached]: `extra` is true in no state that can be reached, so this condition never holds
   --> s.kif:12:24
   |
12 | (<= (next extra) (true extra))
   |                        ^^^^^
   ::: s.kif:12:5
   |
12 | (<= (next extra) (true extra))
   |     ^^^^^^^^^^^^ only rules that never apply conclude it, such as this one
   = help: mend the conditions of that rule, or remove this one
warning[never-reached]: `(step four)` is true in no state that can be reached, so this condition never holds
   --> s.kif:13:20
   |
13 | (<= terminal (true (step four)))
   |                    ^^^^^^^^^^^
   = help: argument 1 is never `four`; it can be 1, 2, 3, 4
warning[never-reached]: `(cell 2 b)` is true in no state that can be reached, so this condition never holds
   --> s.kif:14:20
   |
14 | (<= terminal (true (cell 2 b)))
   |                    ^^^^^^^^^^
   = help: mend the fluent, or the rules for `init` and `next`
warning[function-arities]: function `cell` has 1 argument here and 2 elsewhere
   --> s.kif:15:43
   |
15 | (<= terminal (true (cell 2 x)) (not (true (cell 1))) (true (step 4)))
   |                                           ^^^^^^^^
   ::: s.kif:2:42
   |
 2 | (init (control x)) (init (step 1)) (init (cell 1 b)) (init (cell 2 x))
   |                                          ^^^^^^^^^^ first here
   = help: the two never match each other; give them two names, or mend one
warning[never-reached]: `(cell 1)` is true in no state that can be reached, so this condition always holds
   --> s.kif:15:43
   |
15 | (<= terminal (true (cell 2 x)) (not (true (cell 1))) (true (step 4)))
   |                                           ^^^^^^^^
   = help: `cell` has 2 arguments elsewhere, and 1 argument here
",
    );
}

/// Where there is too much that may be true, the heads of rules still tell names.
#[test]
fn conditions_that_no_head_allows() {
    let numbers: String = (0..100).map(|at| format!("(d {at})")).collect();
    check(
        &format!(
            "{GOOD}(goal r 1)
(<= (next (p ?x ?y ?z)) (d ?x) (d ?y) (d ?z) (true (n 2)))
(<= (next (p 0 0 (f ?z))) (true (p ?z 0 0)) (true (q 1)) (does r stay))
(<= (next (k b)) (true (n 0)))
(<= terminal (true (k a)) (true (p 7 2 3)))
{numbers}"
        ),
        "warning[never-reached]: `(q 1)` is true in no state that can be reached, so this condition never holds
   --> s.kif:10:51
   |
10 | (<= (next (p 0 0 (f ?z))) (true (p ?z 0 0)) (true (q 1)) (does r stay))
   |                                                   ^^^^^
   = help: mend the name, or let `init` or `next` conclude it
warning[never-legal]: `stay` is never a legal move, so this condition never holds
   --> s.kif:10:66
   |
10 | (<= (next (p 0 0 (f ?z))) (true (p ?z 0 0)) (true (q 1)) (does r stay))
   |                                                                  ^^^^
   = help: mend the name, or let `legal` conclude it
warning[never-reached]: `(k a)` is true in no state that can be reached, so this condition never holds
   --> s.kif:12:20
   |
12 | (<= terminal (true (k a)) (true (p 7 2 3)))
   |                    ^^^^^
   = help: mend the fluent, or the rules for `init` and `next`
",
    );
}
