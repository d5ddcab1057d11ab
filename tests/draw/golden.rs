//! The pictures of our games: the first state, and one that random play brings, in `NAME.txt`.
//!
//! `UPDATE_GOLDEN=1` rewrites the pictures; look at them before you commit them.

use std::fmt::Write;
use std::fs;

use ludens::draw::{BoardLayout, BoardShape, Drawing};
use ludens::run::{Run, Setup};

use super::watched;
use crate::support::{known, root};

/// Each game, and how many random steps lead to the second picture.
const GAMES: &[(&str, usize)] = &[
    ("tic_tac_toe", 5),
    ("connect_four", 20),
    ("othello", 12),
    ("chess", 30),
    ("breakthrough", 24),
    ("checkers", 20),
    ("hex_small", 9),
    ("pentago", 16),
    ("peg_solitaire", 6),
    ("chinese_checkers_3p", 12),
    ("eight_puzzle", 9),
    ("tron", 8),
    ("tic_tac_toe_3d", 14),
    ("quarto", 9),
    ("tccc4_3p", 20),
];

fn pictures(name: &str, steps: usize) -> String {
    let (mut game, knowledge) = known(&root().join(format!("games/{name}.kif")));
    let mut drawing = Drawing::new(&knowledge);
    let mut run = Run::new(&mut *game, &Setup { seed: 7, ..Setup::default() }).expect("a start");
    let mut text = drawing.draw(&game.sentences(&run.state).expect("sentences"));
    while run.step < steps && !game.is_terminal(&run.state).expect("an answer") {
        run.advance(&mut *game).expect("a move");
    }
    let later = drawing.draw(&game.sentences(&run.state).expect("sentences"));
    write!(text, "\nafter {} steps\n{later}", run.step).expect("text");
    text
}

#[test]
fn our_games_look_as_expected() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut differing = Vec::new();
    for &(name, steps) in GAMES {
        let golden = root().join(format!("tests/draw/{name}.txt"));
        let text = pictures(name, steps);
        if update {
            fs::write(&golden, &text).expect("the golden file can be written");
        } else if fs::read_to_string(&golden).ok().as_deref() != Some(&text) {
            differing.push(format!("{name}\n{text}"));
        }
    }
    assert!(differing.is_empty(), "set UPDATE_GOLDEN=1 to accept\n{}", differing.join("\n"));
}

/// Where there are no ground rules, playouts tell the size.
#[test]
fn playouts_alone_tell_the_size_too() {
    for (name, sides) in [("tic_tac_toe", [3, 3]), ("connect_four", [7, 6]), ("othello", [8, 8])] {
        let layout = BoardLayout::new(&watched(&root().join(format!("games/{name}.kif"))));
        let [board] = layout.boards.as_slice() else { panic!("{name}: {:?}", layout.boards) };
        assert_eq!([board.columns.len(), board.rows.len()], sides, "{name}");
        assert_eq!(
            (board.cells.len(), board.shape),
            (sides[0] * sides[1], BoardShape::Square),
            "{name}"
        );
    }
}
