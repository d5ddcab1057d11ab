//! What can go wrong while a game is played, in words; and that nothing of it lingers.

use propnet::game::{Game, Move, PlayError};
use propnet::reference::{Reasoner, ReasonerLimits};

use super::sheets::RACE;
use super::support::{describe, game, joint, state, unchecked};

fn message<T: std::fmt::Debug>(answer: Result<T, PlayError>) -> String {
    answer.expect_err("an error").to_string()
}

const MOVES: &str = "(role r) (role s) (init (p 1)) (init (stuck no)) (<= (legal r go) (true (stuck no)))
    (<= (legal s go) (true (p ?x))) (<= (next (stuck yes)) (does r go)) (<= (next (end)) (true (gone)))
    (<= (next (gone)) (true (stuck yes))) (<= terminal (true (end)))";

#[test]
fn no_legal_move() {
    let mut game = game(MOVES);
    let stuck = state(&mut game, "(stuck yes), (p 1)");
    let said = "role r has no legal move in a state that is not terminal";
    assert_eq!(message(game.legal_moves(&stuck, 0)), said);
    assert_eq!(game.legal_moves(&stuck, 1).map(|moves| moves.len()), Ok(1));
    let go = joint(&mut game, "go, go");
    assert_eq!(message(game.next_state(&stuck, &go)), said);
    let mut rng = <rand_pcg::Pcg64Mcg as rand::SeedableRng>::seed_from_u64(1);
    assert_eq!(message(game.complete_joint_move(&stuck, &[], &mut rng)), said);
    // Where the game is over nobody needs a move.
    let over = state(&mut game, "end");
    assert_eq!(game.legal_moves(&over, 0).map(|moves| moves.len()), Ok(0));
    let said = "the move go of role r is not legal in this state";
    assert_eq!(message(game.next_state(&over, &go)), said);
    assert!(message(game.complete_joint_move(&over, &[], &mut rng)).contains("no legal move"));
}

#[test]
fn moves_that_cannot_be_made() {
    let mut game = game(RACE);
    let initial = game.initial_state().expect("a state");
    let far = joint(&mut game, "stay, (step 3)");
    let said = "the move (step 3) of role (team 2) is not legal in this state";
    assert_eq!(message(game.next_state(&initial, &far)), said);
    let said = "a joint move needs 2 moves, one for each role, but has 1";
    assert_eq!(message(game.next_state(&initial, &far[..1])), said);
    assert!(
        game.next_state(&initial, &[0, 9_999].map(|index| Move::new(initial.table(), index)))
            .is_err()
    );
    for text in ["jump", "(step)", "(step 1 2)", "(step ?x)", "", "stay stay", "(stay", "step"] {
        let said = format!("{text} is not a move of role ann in this game");
        assert_eq!(message(game.move_of(0, text)), said);
    }
}

#[test]
fn sentences_that_no_state_has() {
    let mut game = game(RACE);
    for (text, reason) in [
        ("(at ann nowhere)", "the sheet has no symbol nowhere"),
        ("(succ 0 1)", "no init or next rule can make it true"),
        ("clock", "no init or next rule can make it true"),
        ("(clock 1 2)", "no init or next rule can make it true"),
        ("(clock ?x)", "it is not one ground term"),
        ("(clock 1) (clock 2)", "it is not one ground term"),
        ("", "it is not one ground term"),
    ] {
        let said = format!("{text} is not a state sentence of this game: {reason}");
        assert_eq!(message(game.state_of(&[text.to_string()])), said);
    }
    let deep = format!("{}1{}", "(at ".repeat(600), ")".repeat(600));
    assert!(message(game.state_of(&[deep])).ends_with("it is not one ground term"));
}

#[test]
fn goals() {
    let mut game = game(
        "(role r) (init (v 1)) (legal r go) (<= (next (v ?x)) (number ?x)) (<= terminal (true (v 1)))
         (number 007) (number 100) (number 20) (number 3) (number win) (number (f 1)) (number -5)
         (number 99999999999) (<= (goal r ?x) (true (v ?x)))",
    );
    for (sentences, expected) in [
        ("", "role r has no goal value in this state"),
        ("(v 007)", "7"),
        ("(v -5)", "-5"),
        ("(v 100), (v 20), (v 3)", "role r has several goal values in this state: 3, 20, 100"),
        ("(v win)", "role r has the goal value win, which is not an integer from 0 to 100"),
        ("(v (f 1))", "role r has the goal value (f 1), which is not an integer from 0 to 100"),
        (
            "(v 99999999999)",
            "role r has the goal value 99999999999, which is not an integer from 0 to 100",
        ),
    ] {
        let state = state(&mut game, sentences);
        let said = game.goal(&state, 0).map_or_else(|error| error.to_string(), |v| v.to_string());
        assert_eq!(said, expected);
    }
}

#[test]
fn terms_without_end() {
    let mut game = game(
        "(role r) (legal r go) (num 0) (<= (num (s ?x)) (num ?x)) (goal r 1)
         (<= terminal (num 1))",
    );
    let initial = game.initial_state().expect("a state");
    let said = "line 1, column 31: the rule for num builds terms without end (deeper than 500, or of more than 16384 words)";
    assert_eq!(message(game.is_terminal(&initial)), said);
    assert_eq!(message(game.is_terminal(&initial)), said);
    assert_eq!(game.goal(&initial, 0), Ok(1));
    // Over the states of a game.
    let mut game = super::support::game(
        "(role r) (legal r go) (init (n 0)) (<= (next (n (s ?x))) (true (n ?x))) (goal r 1)
         (<= terminal (true (n 1)))",
    );
    let go = joint(&mut game, "go");
    let mut state = game.initial_state().expect("a state");
    let error = loop {
        match game.next_state(&state, &go) {
            Ok(next) => state = next,
            Err(error) => break error,
        }
    };
    assert!(matches!(error, PlayError::TermTooLarge { depth: 500, .. }), "{error}");
    assert_eq!(game.is_terminal(&state), Ok(false));
    let sentences = game.sentences(&state).expect("sentences");
    assert_eq!(game.state_of(&sentences), Ok(state));
    // Terms that hold the one before them twice are long before they are deep.
    let mut game = super::support::game(
        "(role r) (legal r go) (init (n 0)) (<= (next (n (f ?x ?x))) (true (n ?x))) (goal r 1)
         (<= terminal (true (n 1)))",
    );
    let go = joint(&mut game, "go");
    let mut state = game.initial_state().expect("a state");
    for _ in 0..13 {
        state = game.next_state(&state, &go).expect("a state");
    }
    let longest = game.sentences(&state).expect("sentences");
    assert_eq!(longest[0].split_whitespace().count(), 1 << 14);
    let error = game.next_state(&state, &go).expect_err("no state");
    assert!(matches!(error, PlayError::TermTooLarge { words: 16384, .. }), "{error}");
}

/// A sheet whose states ask for more or less: `(size N)` squares a set of N.
const SIZES: &str = "(role r) (init (size 1)) (legal r go) (goal r 1) (<= terminal (pair 3 3))
    (<= (next (size ?x)) (n ?x)) (n 1) (n 2) (n 3) (n 4) (n 5) (n 6)
    (<= (member ?y) (true (size ?x)) (upto ?y ?x)) (<= (upto ?x ?x) (n ?x))
    (<= (upto ?y ?z) (upto ?y ?x) (succ ?x ?z))
    (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
    (<= (pair ?x ?y) (member ?x) (member ?y))";

#[test]
fn limits() {
    let limits = ReasonerLimits { facts: 60, ..ReasonerLimits::default() };
    let mut game = unchecked(SIZES, limits);
    for (sentences, expected) in [
        ("(size 3)", "true"),
        (
            "(size 6)",
            "line 6, column 5: evaluating the rule for pair exceeded the limit of 60 facts",
        ),
        ("(size 2)", "false"),
        (
            "(size 6)",
            "line 6, column 5: evaluating the rule for pair exceeded the limit of 60 facts",
        ),
        ("(size 3)", "true"),
    ] {
        let state = state(&mut game, sentences);
        let said = game.is_terminal(&state);
        let said = said.map_or_else(|error| error.to_string(), |over| over.to_string());
        assert_eq!(said, expected);
        assert_eq!(game.goal(&state, 0), Ok(1));
    }
    let mut game = unchecked(SIZES, ReasonerLimits { work: 200, ..ReasonerLimits::default() });
    let (small, large) = (state(&mut game, "(size 2)"), state(&mut game, "(size 6)"));
    let said = message(game.is_terminal(&large));
    assert!(said.contains("exceeded the limit of 200 steps"), "{said}");
    assert_eq!(game.is_terminal(&small), Ok(false));
    assert_eq!(game.goal(&large, 0), Ok(1));
}

/// The initial state may be what fails.
#[test]
fn no_initial_state() {
    let sheet = "(role r) (legal r go) (goal r 0) (<= terminal (true x)) (<= (init (s ?x)) (init ?x)) (init 0)";
    let mut game = game(sheet);
    let said = "line 1, column 57: the rule for init builds terms without end (deeper than 500, or of more than 16384 words)";
    assert_eq!(message(game.initial_state()), said);
    let other = state(&mut game, "(s 0)");
    assert_eq!(game.is_terminal(&other), Ok(false));
}

/// `win` depends on itself only where the board says so.
const BOARD: &str =
    "(role r) (init (edge a b)) (legal r go) (<= (goal r 1) (win a)) (<= (goal r 0) (not (win a)))
    (<= (next (edge ?x ?y)) (node ?x) (node ?y)) (node a) (node b) (node c)
    (<= (win ?x) (true (edge ?x ?y)) (not (win ?y))) (<= terminal (win b))";

#[test]
fn negation_without_an_end_in_some_states() {
    let mut game = unchecked(BOARD, ReasonerLimits::default());
    let mut said = |sentences: &str| {
        let state = state(&mut game, sentences);
        let goal = game.goal(&state, 0);
        goal.map_or_else(|error| error.to_string(), |goal| goal.to_string())
    };
    let open = |sentence| {
        format!("line 3, column 5: {sentence} depends on its own negation in this state")
    };
    assert_eq!(said("(edge a b)"), "1");
    assert_eq!(said("(edge a b), (edge b a)"), open("(win b)"));
    assert_eq!(said("(edge a b), (edge b c)"), "0");
    assert_eq!(said("(edge c c)"), open("(win c)"));
    assert_eq!(said("(edge a b), (edge b a), (edge b c)"), "0");
    assert_eq!(said("(edge a c), (edge c a), (edge a b)"), "1");
    let state = state(&mut game, "(edge c c)");
    let error = game.is_terminal(&state).expect_err("an error");
    assert!(matches!(error, PlayError::Unstratified { ref sentence, .. } if sentence == "(win c)"));
    assert_eq!(game.legal_moves(&state, 0).map(|moves| moves.len()), Ok(1));
}

/// After every kind of error the answers are those of a reasoner that never met one.
#[test]
fn errors_leave_nothing_behind() {
    let states =
        ["(edge a b)", "(edge a b), (edge b a)", "(edge b c)", "(edge c c), (edge a c)", ""];
    let fresh = |sentences: &str| {
        let mut game: Reasoner = unchecked(BOARD, ReasonerLimits::default());
        let state = state(&mut game, sentences);
        describe(&mut game, &state)
    };
    let mut game = unchecked(BOARD, ReasonerLimits::default());
    for first in states {
        for second in states {
            for sentences in [first, second] {
                let state = state(&mut game, sentences);
                assert_eq!(describe(&mut game, &state), fresh(sentences));
            }
        }
    }
}
