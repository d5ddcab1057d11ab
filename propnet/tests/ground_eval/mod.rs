//! Ground rules as a game and as text, without the grounder: small ground sheets written by hand
//! or by chance, played against the reference reasoner.
#![allow(unreachable_pub)]

mod agree;
mod build;
mod errors;
mod printing;
mod random;
mod recipes;

use std::fmt::Write;

use agree::agree_on;
use build::build;
use propnet::game::{Game, Move};
use propnet::ground::GroundGame;

/// Three cells in a row, two marks; two neighbours of one mark win.
pub const ROW: &str = "
    (role X) (role o)
    (init (cell 1 b)) (init (cell 2 b)) (init (cell 3 b)) (init (control X))
    (<= (next (control o)) (true (control X)))
    (<= (next (control X)) (true (control o)))
    (<= (legal X noop) (true (control o)))
    (<= (legal o noop) (true (control X)))
    (<= (legal X (Mark 1)) (true (cell 1 b)) (true (control X)))
    (<= (legal X (Mark 2)) (true (cell 2 b)) (true (control X)))
    (<= (legal X (Mark 3)) (true (cell 3 b)) (true (control X)))
    (<= (legal o (Mark 1)) (true (cell 1 b)) (true (control o)))
    (<= (legal o (Mark 2)) (true (cell 2 b)) (true (control o)))
    (<= (legal o (Mark 3)) (true (cell 3 b)) (true (control o)))
    (<= (next (cell 1 x)) (does X (Mark 1))) (<= (next (cell 1 x)) (true (cell 1 x)))
    (<= (next (cell 2 x)) (does X (Mark 2))) (<= (next (cell 2 x)) (true (cell 2 x)))
    (<= (next (cell 3 x)) (does X (Mark 3))) (<= (next (cell 3 x)) (true (cell 3 x)))
    (<= (next (cell 1 o)) (does o (Mark 1))) (<= (next (cell 1 o)) (true (cell 1 o)))
    (<= (next (cell 2 o)) (does o (Mark 2))) (<= (next (cell 2 o)) (true (cell 2 o)))
    (<= (next (cell 3 o)) (does o (Mark 3))) (<= (next (cell 3 o)) (true (cell 3 o)))
    (<= (next (cell 1 b)) (true (cell 1 b)) (not (marked 1)))
    (<= (next (cell 2 b)) (true (cell 2 b)) (not (marked 2)))
    (<= (next (cell 3 b)) (true (cell 3 b)) (not (marked 3)))
    (<= (marked 1) (does X (Mark 1))) (<= (marked 1) (does o (Mark 1)))
    (<= (marked 2) (does X (Mark 2))) (<= (marked 2) (does o (Mark 2)))
    (<= (marked 3) (does X (Mark 3))) (<= (marked 3) (does o (Mark 3)))
    (<= (line x) (true (cell 1 x)) (true (cell 2 x)))
    (<= (line x) (true (cell 2 x)) (true (cell 3 x)))
    (<= (line o) (true (cell 1 o)) (true (cell 2 o)))
    (<= (line o) (true (cell 2 o)) (true (cell 3 o)))
    (<= open (true (cell 1 b))) (<= open (true (cell 2 b))) (<= open (true (cell 3 b)))
    (<= (goal X 100) (line x)) (<= (goal X 0) (line o))
    (<= (goal X 50) (not (line x)) (not (line o)))
    (<= (goal o 100) (line o)) (<= (goal o 0) (line x))
    (<= (goal o 50) (not (goal o 100)) (not (goal o 0)))
    (<= terminal (line x)) (<= terminal (line o)) (<= terminal (not open))";

/// One player switches edges of a ring of nodes; what is connected to node 1 shows.
const RING: &str = "
    (role r) (init (edge 1 2))
    (legal r (toggle 1 2)) (legal r (toggle 2 3)) (legal r (toggle 3 1)) (legal r (toggle 3 2))
    (<= (next (edge 1 2)) (true (edge 1 2)) (not (does r (toggle 1 2))))
    (<= (next (edge 1 2)) (not (true (edge 1 2))) (does r (toggle 1 2)))
    (<= (next (edge 2 3)) (true (edge 2 3)) (not (does r (toggle 2 3))))
    (<= (next (edge 2 3)) (not (true (edge 2 3))) (does r (toggle 2 3)))
    (<= (next (edge 3 1)) (true (edge 3 1)) (not (does r (toggle 3 1))))
    (<= (next (edge 3 1)) (not (true (edge 3 1))) (does r (toggle 3 1)))
    (<= (next (edge 3 2)) (true (edge 3 2)) (not (does r (toggle 3 2))))
    (<= (next (edge 3 2)) (not (true (edge 3 2))) (does r (toggle 3 2)))
    (<= (path 1 1) (path 1 3) (true (edge 3 1)))
    (<= (path 1 2) (true (edge 1 2))) (<= (path 1 2) (path 1 1) (true (edge 1 2)))
    (<= (path 1 2) (path 1 3) (true (edge 3 2)))
    (<= (path 1 3) (path 1 2) (true (edge 2 3)))
    (<= (next reached) (path 1 3))
    (<= (goal r 100) (path 1 1)) (<= (goal r 0) (not (path 1 1)))
    (<= terminal (path 1 1) (true (edge 3 2)))";

#[test]
fn three_in_a_row() {
    agree_on(ROW);
}

#[test]
fn loops_hold_only_what_is_founded() {
    agree_on(RING);
    agree_on(
        "(role r) (init p) (legal r a) (legal r b)
         (<= x y) (<= y x) (<= x (true q)) (<= (next p) (not x)) (<= (next q) (does r b) (not y))
         (<= z z) (<= (goal r 1) z) (<= (goal r 2) (not z)) (<= terminal (true q) x (not z))",
    );
}

/// A condition that a rule states twice is met once.
#[test]
fn repeated_conditions_count_alike() {
    agree_on(
        "(role r) (init p) (legal r a)
         (<= x y y x) (<= y x) (<= x (true p) (true p)) (<= (next q) x y) (<= (goal r 1) y y)
         (<= terminal (true q) (true q))",
    );
}

/// A circle through negation that the state cuts: each node wins that has a way to one that does
/// not.
#[test]
fn negation_inside_a_loop_settles_where_it_can() {
    let sheet = "
        (role r) (init (on 1)) (init (on 2)) (init (on 3))
        (legal r (cut 1)) (legal r (cut 2)) (legal r (cut 3)) (legal r wait)
        (<= (next (on 1)) (true (on 1)) (not (does r (cut 1))))
        (<= (next (on 2)) (true (on 2)) (not (does r (cut 2))))
        (<= (next (on 3)) (true (on 3)) (not (does r (cut 3))))
        (<= (next (won 1)) win1) (<= (next (won 2)) win2) (<= (next (won 3)) win3)
        (<= (goal r 1) (true (won 1))) (<= (goal r 0) (not (true (won 1))))
        (<= terminal (not (true (on 1))) (not (true (on 2))) (not (true (on 3))))
        (<= win2 (not win1) (true (on 1))) (<= win3 (not win2) (true (on 2)))
        (<= win1 (not win3) (true (on 3))) (<= win3 win3)";
    agree_on(sheet);
    let mut game = GroundGame::new(build(sheet));
    let state = game.state_of(&["(on 1)".into(), "(on 2)".into()]).expect("fluents");
    let wait = game.move_of(0, "wait").expect("a move");
    let next = game.next_state(&state, &[wait]).expect("it settles");
    assert_eq!(game.sentences(&next).expect("sentences"), ["(on 1)", "(on 2)", "(won 2)"]);
}

/// A state asked about again after another, and after a move, gives the same answers.
#[test]
fn answers_do_not_depend_on_what_was_asked_before() {
    let mut game = GroundGame::new(build(RING));
    let (one, other) = (["(edge 1 2)", "(edge 2 3)", "(edge 3 1)"], ["(edge 3 2)"]);
    let mut state = |texts: &[&str]| {
        let texts: Vec<String> = texts.iter().map(|text| text.to_string()).collect();
        game.state_of(&texts).expect("fluents")
    };
    let (one, other) = (state(&one), state(&other));
    let mut seen = Vec::new();
    for _ in 0..2 {
        for state in [&one, &other] {
            let next = game.next_state(state, &[Move::new(state.table(), 0)]).expect("a state");
            seen.push((
                game.goal(state, 0),
                game.is_terminal(state),
                game.sentences(&next).expect("sentences"),
            ));
        }
    }
    assert_eq!(
        seen[0],
        (Ok(100), Ok(false), vec!["(edge 2 3)".into(), "(edge 3 1)".into(), "reached".into()])
    );
    assert_eq!((&seen[1].0, &seen[1].1), (&Ok(0), &Ok(false)));
    assert_eq!(seen[..2], seen[2..]);
}

/// Long circles and chains, rules in the worst order, take linear time and no stack.
#[test]
fn long_chains_are_no_burden() {
    const LENGTH: usize = 100_000;
    let mut text = String::from(
        "(role r) (init p) (legal r go) (<= (next q) (c 0)) (<= (goal r 1) (d 0)) (goal r 2)
         (<= terminal (true q) (c 1))\n",
    );
    for at in 0..LENGTH {
        let next = at + 1;
        writeln!(text, "(<= (c {at}) (c {next}))\n(<= (d {at}) (not (d {next})))").expect("text");
    }
    write!(text, "(<= (c {LENGTH}) (c 0)) (<= (c {LENGTH}) (true p))").expect("text");
    let mut game = GroundGame::new(build(&text));
    let first = game.initial_state().expect("a state");
    let next = game.next_state(&first, &[Move::new(first.table(), 0)]).expect("a state");
    assert_eq!(game.sentences(&next).expect("sentences"), ["q"]);
    assert_eq!(game.is_terminal(&next), Ok(false), "p no longer feeds the circle");
    assert_eq!(game.goal(&first, 0), Ok(2));
}

#[test]
fn moves_keep_the_spelling_of_the_sheet() {
    let mut game = GroundGame::new(build(ROW));
    assert_eq!(game.roles(), ["x", "o"]);
    let mark = game.move_of(0, " (MARK  2) ").expect("a move");
    assert_eq!(game.move_text(0, mark).expect("a text"), "(mark 2)");
    assert_eq!(game.move_spelling(0, mark).expect("a spelling"), "(Mark 2)");
    assert_eq!(game.rules().roles.len(), 2);
}
