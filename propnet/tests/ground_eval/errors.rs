//! Every error a ground game can give.

use propnet::game::{Game, Move, PlayError};
use propnet::ground::GroundGame;

use super::ROW;
use super::build::build;

fn game(text: &str) -> GroundGame {
    GroundGame::new(build(text))
}

fn message<T: std::fmt::Debug>(answer: Result<T, PlayError>) -> String {
    answer.expect_err("an error").to_string()
}

#[test]
fn no_legal_move() {
    let text = "(role R) (init p) (<= (legal R a) (true p)) (<= (next q) (does R a)) (goal R 1)";
    let mut open = game(text);
    let first = open.initial_state().expect("a state");
    let go = [Move::new(first.table(), 0)];
    let stuck = open.next_state(&first, &go).expect("a state");
    let expected = "role r has no legal move in a state that is not terminal";
    assert_eq!(message(open.legal_moves(&stuck, 0)), expected);
    assert_eq!(message(open.next_state(&stuck, &go)), expected);
    // At the end nobody needs a move.
    let mut over = game(&format!("{text} (<= terminal (true q))"));
    let first = over.initial_state().expect("a state");
    let go = [Move::new(first.table(), 0)];
    let end = over.next_state(&first, &go).expect("a state");
    assert!(over.legal_moves(&end, 0).expect("a set").is_empty());
    assert!(matches!(over.next_state(&end, &go), Err(PlayError::IllegalMove { .. })));
}

#[test]
fn illegal_and_missing_moves() {
    let mut row = game(ROW);
    let first = row.initial_state().expect("a state");
    let mark = row.move_of(1, "(mark 1)").expect("a move");
    let noop = row.move_of(0, "noop").expect("a move");
    assert_eq!(
        message(row.next_state(&first, &[noop, mark])),
        "the move noop of role x is not legal in this state"
    );
    let unknown = row.next_state(&first, &[Move::new(first.table(), 99), mark]);
    assert_eq!(unknown, Err(PlayError::IllegalMove { role: "x".into(), text: String::new() }));
    assert_eq!(
        message(row.next_state(&first, &[noop])),
        "a joint move needs 2 moves, one for each role, but has 1"
    );
}

#[test]
fn goals() {
    let mut row = game(
        "(role a) (role b) (role c) (role d) (init p) (legal a m) (legal b m) (legal c m)
         (legal d m) (<= terminal (true p))
         (<= (goal a 1) (not (true p)))
         (<= (goal b 20) (true p)) (<= (goal b 100) (true p)) (goal b 3)
         (goal c many) (<= (goal d 7) (true p)) (goal d 7)",
    );
    let first = row.initial_state().expect("a state");
    assert_eq!(message(row.goal(&first, 0)), "role a has no goal value in this state");
    assert_eq!(
        message(row.goal(&first, 1)),
        "role b has several goal values in this state: 3, 20, 100"
    );
    assert_eq!(
        message(row.goal(&first, 2)),
        "role c has the goal value many, which is not an integer from 0 to 100"
    );
    assert_eq!(row.goal(&first, 3), Ok(7));
}

#[test]
fn unknown_texts() {
    let mut row = game(ROW);
    for (text, reason) in [
        ("(cell 1 x", "it is not one ground term"),
        ("(cell ?n x)", "it is not one ground term"),
        ("(cell 9 x)", "the sheet has no symbol 9"),
        ("(cell 1 control)", "it can never be true in this game"),
        ("(cell (cell 1 b) b)", "it can never be true in this game"),
        ("(mark 1)", "it can never be true in this game"),
    ] {
        let texts = ["(control x)".to_string(), text.to_string()];
        let unknown = PlayError::UnknownSentence { text: text.into(), reason: reason.into() };
        assert_eq!(row.state_of(&texts), Err(unknown));
    }
    for text in ["(mark 9)", "(mark", "(mark x)", "(cell 1 b)", "pass"] {
        let unknown = PlayError::UnknownMove { role: "o".into(), text: text.into() };
        assert_eq!(row.move_of(1, text), Err(unknown));
    }
}

#[test]
fn a_sentence_that_depends_on_its_negation() {
    let mut odd = game(
        "(role r) (init p) (legal r m) (<= (next p) (true p)) (goal r 1)
         (<= terminal
             (liar It))
         (<= (liar It) (true p) (not (liar It)))
         (<= (next q) (liar It))",
    );
    let first = odd.initial_state().expect("a state");
    let expected = "line 4, column 10: (liar it) depends on its own negation in this state";
    assert_eq!(message(odd.is_terminal(&first)), expected);
    assert_eq!(message(odd.next_state(&first, &[Move::new(first.table(), 0)])), expected);
    // What does not need it is answered, and a state that settles it has no problem.
    assert_eq!(odd.goal(&first, 0), Ok(1));
    assert_eq!(odd.legal_moves(&first, 0).expect("a set").len(), 1);
    let empty = odd.state_of(&[]).expect("a state");
    assert_eq!(odd.is_terminal(&empty), Ok(false));
    assert_eq!(message(odd.is_terminal(&first)), expected);
}
