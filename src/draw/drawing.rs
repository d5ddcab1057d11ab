//! The picture of a whole state.

use std::collections::BTreeMap;

use super::board::Board;
use super::sentence::{Sentence, compare_lists};

/// Draws the states of one game.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// The names whose sentences are drawn as boards.
    boards: BTreeMap<String, Board>,
}

/// Lists are broken before this column.
const WIDTH: usize = 96;

impl Drawing {
    /// The state with these sentences, as lines of text.
    pub fn draw(&mut self, sentences: &[String]) -> String {
        let mut text = String::new();
        let mut lists = String::new();
        let mut by_name = by_name(sentences);
        // A board from which everything is gone is still a board.
        for (name, _) in self.boards.iter().filter(|(_, board)| board.may_be_empty()) {
            by_name.entry(name.clone()).or_default();
        }
        for (name, cells) in by_name {
            match self.board(&name, &cells) {
                Some(board) => {
                    text.push_str(&board.draw(&name, &cells));
                    if let Some(legend) = board.pieces.legend() {
                        text.push_str(&wrap("  legend", &legend));
                    }
                }
                None => lists.push_str(&list(&name, &cells)),
            }
        }
        text.push_str(&lists);
        text
    }

    /// Makes room for what is in this state, without drawing it.
    pub fn learn(&mut self, sentences: &[String]) {
        for (name, cells) in by_name(sentences) {
            if let Some(board) = self.board(&name, &cells) {
                board.learn(&cells);
            }
        }
    }

    /// Whether the boards seen so far spell out their empty cells, so that they cannot grow.
    pub fn is_complete(&self) -> bool {
        !self.boards.is_empty() && self.boards.values().all(Board::has_blanks)
    }

    fn board(&mut self, name: &str, cells: &[Vec<String>]) -> Option<&mut Board> {
        if !self.boards.contains_key(name) {
            let board = Board::guess(cells)?;
            self.boards.insert(name.to_string(), board);
        }
        let board = self.boards.get_mut(name)?;
        // A name may be used with another number of arguments, which is no part of the board.
        board.fits(cells).then_some(board)
    }
}

/// The arguments of the sentences of each name, in the order in which they are shown.
fn by_name(sentences: &[String]) -> BTreeMap<String, Vec<Vec<String>>> {
    let mut by_name: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    for text in sentences {
        let sentence = Sentence::read(text);
        by_name.entry(sentence.name).or_default().push(sentence.args);
    }
    for cells in by_name.values_mut() {
        cells.sort_by(|a, b| compare_lists(a, b));
    }
    by_name
}

fn list(name: &str, cells: &[Vec<String>]) -> String {
    let entries: Vec<String> = cells.iter().map(|args| args.join(" ")).collect();
    if entries.iter().all(String::is_empty) {
        return format!("{name}\n");
    }
    wrap(name, &entries)
}

/// `name: entries`, continued on indented lines where it is long.
fn wrap(name: &str, entries: &[String]) -> String {
    let mut text = format!("{name}:");
    let mut column = text.chars().count();
    for (index, entry) in entries.iter().enumerate() {
        let width = entry.chars().count() + 2;
        if index > 0 {
            text.push(',');
        }
        if index > 0 && column + width > WIDTH {
            text.push_str("\n   ");
            column = 3;
        }
        text.push(' ');
        text.push_str(entry);
        column += width;
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws states one after another, each given as words of sentences in one line.
    fn check(states: &[&str], expected: &str) {
        let mut drawing = Drawing::default();
        let mut text = String::new();
        for state in states {
            let sentences: Vec<String> = state.split(';').map(|part| part.trim().into()).collect();
            text = drawing.draw(&sentences);
        }
        assert_eq!(text.trim_end(), expected, "\n{text}");
    }

    #[test]
    fn tic_tac_toe_is_a_grid() {
        check(
            &["(cell 1 1 b); (cell 2 1 x); (cell 1 2 o); (cell 2 2 b); (control xplayer)"],
            "cell\n2 | o .\n1 | . x\n    1 2\ncontrol: xplayer",
        );
    }

    #[test]
    fn chess_has_files_across_and_ranks_upwards() {
        check(
            &["(cell a 1 wr); (cell b 1 b); (cell a 2 bk); (cell b 2 wp); (step 10); (step 9)"],
            "cell\n2 | bk wp\n1 | wr  .\n     a  b\nstep: 9, 10",
        );
    }

    #[test]
    fn pieces_alone_keep_the_size_of_the_board() {
        check(
            &["(holds 1 1 white); (holds 4 3 black)", "(holds 2 1 white); (holds 2 3 black)"],
            "holds\n3 | . b . .\n2 | . . . .\n1 | . w . .\n    1 2 3 4",
        );
    }

    #[test]
    fn a_board_that_is_known_is_drawn_when_it_is_empty() {
        check(
            &["(holds 1 1 white); (holds 2 2 black); a", "(control white)"],
            "holds\n2 | . .\n1 | . .\n    1 2\ncontrol: white",
        );
    }

    #[test]
    fn numbers_stay_numbers() {
        check(
            &["(cell 1 1 1); (cell 2 1 15); (cell 1 2 b); (cell 2 2 7)"],
            "cell\n2 |  .  7\n1 |  1 15\n     1  2",
        );
    }

    #[test]
    fn several_boards_are_drawn_one_after_another() {
        check(
            &["(at 1 1 1 x); (at 1 1 2 x); (at 1 2 2 o); (at 2 1 1 x); (at 2 2 2 o)"],
            "at 1\n2 | x o\n1 | x .\n    1 2\nat 2\n2 | . o\n1 | x .\n    1 2",
        );
    }

    #[test]
    fn everything_else_is_a_list() {
        check(&["(on disk1 pillar2); over; (heap a 3)"], "heap: a 3\non: disk1 pillar2\nover");
        check(&[""], "");
    }

    #[test]
    fn ambiguous_pieces_get_a_legend() {
        check(
            &["(p knight 1 1); (p king 2 1); (p king 1 2); (p queen 2 2)"],
            "p\n2 | k  q\n1 | kn  k\n     1  2\n  legend: k king, kn knight, q queen"
                .replace("2 | k", "2 |  k")
                .as_str(),
        );
    }
}
