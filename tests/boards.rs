//! Boards of sheets that others wrote.

use std::path::Path;

use ludens::draw::{BoardLayout, BoardShape, DrawnBoard};

use crate::support::known;
use crate::trials::Trials;

/// The boards of one name.
struct Expected {
    sheet: &'static str,
    name: &'static str,
    boards: usize,
    columns: usize,
    rows: usize,
    /// Of each board.
    cells: usize,
    shape: BoardShape,
}

const fn square(sheet: &'static str, name: &'static str, columns: usize, rows: usize) -> Expected {
    let shape = BoardShape::Square;
    Expected { sheet, name, boards: 1, columns, rows, cells: columns * rows, shape }
}

const fn hexagonal(sheet: &'static str, columns: usize, rows: usize, cells: usize) -> Expected {
    let shape = BoardShape::Hexagonal;
    Expected { sheet, name: "cell", boards: 1, columns, rows, cells, shape }
}

const SHEETS: &[Expected] = &[
    square("base_connectFour", "cell", 8, 6),
    square("rep_reversi", "cell", 8, 8),
    square("rep_breakthrough", "cellholds", 8, 8),
    square("rep_amazons_8x8", "cell", 8, 8),
    square("rep_skirmish", "location", 8, 8),
    square("dresden_bender_Othello", "cell", 8, 8),
    // Coordinates are words, which the sheet puts in order.
    square("dresden_MINICHESS_S_3357334846", "copich", 4, 4),
    // The same on a cylinder.
    square("dresden_RONALDO_3361209825", "ponifint", 8, 8),
    Expected { cells: 33, ..square("rep_peg", "hole", 7, 7) },
    Expected { boards: 4, ..square("rep_pentago", "cellholds", 3, 3) },
    Expected { boards: 9, ..square("rep_nineBoardTicTacToe", "mark", 3, 3) },
    Expected { boards: 4, ..square("rep_tictactoe_3d_2player", "cell", 4, 4) },
    hexagonal("sironi_hexbad4", 4, 4, 16),
    hexagonal("sironi_hexworse", 9, 9, 81),
    // A star whose cells are called a1, b1, b2 and so on, row by row.
    hexagonal("rep_chineseCheckers6", 7, 9, 37),
    // Diamonds over which pieces only go up: no link leads along a row.
    hexagonal("rep_chineseCheckers1", 5, 9, 25),
    hexagonal("rep_chineseCheckers2", 5, 9, 25),
];

pub(crate) fn add(trials: &mut Trials) {
    trials.with_corpus(boards_have_their_size_and_shape);
}

fn boards_have_their_size_and_shape(shared: &Path) {
    for expected in SHEETS {
        let (_, knowledge) = known(&shared.join(format!("corpus/{}.kif", expected.sheet)));
        let layout = BoardLayout::new(&knowledge);
        let boards: Vec<&DrawnBoard> =
            layout.boards.iter().filter(|board| board.name == expected.name).collect();
        assert_eq!(boards.len(), expected.boards, "{}: {:?}", expected.sheet, layout.boards);
        for board in boards {
            let found = (board.columns.len(), board.rows.len(), board.cells.len(), board.shape);
            let Expected { columns, rows, cells, shape, .. } = *expected;
            assert_eq!(found, (columns, rows, cells, shape), "{}: {board:?}", expected.sheet);
        }
    }
}
