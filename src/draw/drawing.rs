//! The picture of a whole state.

use super::hints::Hints;
use super::knowledge::Knowledge;
use super::layout::{BoardLayout, List};
use super::pieces::Pieces;
use super::text::{arranged, board_lines, wrap};

/// Draws the states of one game. A board keeps its size and its symbols while the game is played.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    layout: BoardLayout,
    /// By group of boards.
    pieces: Vec<Pieces>,
    roles: Vec<String>,
    hints: Hints,
    /// The legends that were shown before and need not be shown again.
    shown: Vec<Option<Vec<String>>>,
}

impl Drawing {
    /// The drawings of a game, from what is known about it.
    pub fn new(knowledge: &Knowledge) -> Self {
        let layout = BoardLayout::new(knowledge);
        let shown = vec![None; layout.groups().len()];
        let roles = knowledge.roles.clone();
        let hints = knowledge.hints.clone();
        let pieces = layout.groups().iter().map(|group| Pieces::new(group, &roles, &hints));
        let pieces = pieces.collect();
        Drawing { layout, pieces, roles, hints, shown }
    }

    /// The state with these sentences, as lines of text. Symbols are explained once.
    pub fn draw(&mut self, sentences: &[String]) -> String {
        self.layout.include(sentences);
        for (pieces, group) in self.pieces.iter_mut().zip(self.layout.groups()) {
            if !pieces.know_all(group) {
                *pieces = Pieces::new(group, &self.roles, &self.hints);
            }
        }
        let position = self.layout.position(sentences);
        let mut text = String::new();
        for (number, pieces) in self.pieces.iter().enumerate() {
            let boards = self.layout.boards.iter().zip(&position.contents);
            let boards: Vec<_> = boards
                .filter(|(board, _)| board.group == number)
                .map(|(board, contents)| {
                    let symbols: Vec<String> =
                        contents.iter().map(|contents| pieces.on_cell(contents)).collect();
                    (board, board_lines(board, &symbols))
                })
                .collect();
            text.push_str(&arranged(boards));
            let legend = pieces.legend();
            if let Some(entries) = legend.as_ref().filter(|_| legend != self.shown[number]) {
                text.push_str(&wrap("  legend", entries));
                self.shown[number] = legend;
            }
        }
        position.lists.iter().for_each(|entries| text.push_str(&list(entries)));
        text
    }
}

fn list(List { name, entries }: &List) -> String {
    let entries: Vec<String> = entries.iter().map(|args| args.join(" ")).collect();
    if entries.iter().all(String::is_empty) {
        return format!("{name}\n");
    }
    wrap(name, &entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(state: &str) -> Vec<String> {
        state.split(';').map(|part| part.trim().into()).collect()
    }

    /// Draws the last of some states, all of which were observed before.
    fn check(states: &[&str], expected: &str) {
        let states: Vec<Vec<String>> = states.iter().map(|state| sentences(state)).collect();
        let last = states.last().expect("a state").clone();
        let knowledge = Knowledge { states, ..Knowledge::default() };
        let text = Drawing::new(&knowledge).draw(&last);
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
            "cell\n2 | k P\n1 | R .\n    a b\n  legend: capitals white, small letters black\nstep: 9, 10",
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
    fn what_can_be_true_tells_the_size_and_which_cells_are_there() {
        let fluents =
            "(cell 1 1 x); (cell 2 1 x); (cell 3 1 x); (cell 1 2 x); (cell 2 2 x); (step 1)";
        let states = vec![sentences("(cell 1 1 x); (cell 1 2 x)")];
        let fluents = Some(sentences(fluents));
        let knowledge = Knowledge { fluents, states, ..Knowledge::default() };
        let text = Drawing::new(&knowledge).draw(&sentences("(cell 1 1 x); (step 1)"));
        assert_eq!(text, "cell\n2 | . .\n1 | x . .\n    1 2 3\nstep: 1\n");
    }

    #[test]
    fn cells_that_nobody_knew_are_added() {
        let states = vec![sentences("(cell 1 1 x); (cell 2 2 x)")];
        let mut drawing = Drawing::new(&Knowledge { states, ..Knowledge::default() });
        let text = drawing.draw(&sentences("(cell 4 1 x); (cell 1 1 orange)"));
        assert_eq!(text, "cell\n2 | . . . .\n1 | o . . x\n    1 2 3 4\n");
    }

    #[test]
    fn names_in_the_order_of_the_sheet_are_coordinates() {
        let state = "(at low one x); (at low two y); (at mid one y); (at high two x)";
        let chains = ["one two three", "low mid high"];
        let chain = |text: &str| text.split(' ').map(String::from).collect();
        let knowledge = Knowledge {
            states: vec![sentences(state)],
            chains: chains.map(chain).to_vec(),
            ..Knowledge::default()
        };
        let text = Drawing::new(&knowledge).draw(&sentences(state));
        assert_eq!(text, "at\ntwo |    y    .    x\none |    x    y    .\n       low  mid high\n");
    }

    #[test]
    fn numbers_stay_numbers() {
        check(
            &["(cell 1 1 1); (cell 2 1 15); (cell 1 2 b); (cell 2 2 7)"],
            "cell\n2 |  .  7\n1 |  1 15\n     1  2",
        );
    }

    #[test]
    fn several_boards_stand_side_by_side() {
        check(
            &["(at 1 1 1 x); (at 1 1 2 x); (at 1 2 2 o); (at 2 1 1 x); (at 2 2 2 o)"],
            "at 1       at 2\n2 | x o    2 | . o\n1 | x .    1 | x .\n    1 2        1 2",
        );
    }

    #[test]
    fn boards_that_two_arguments_choose_stand_as_these_say() {
        let all = || {
            (0..16).map(|bits: u32| {
                [1 + (bits >> 3), 1 + (bits >> 2) % 2, 1 + (bits >> 1) % 2, 1 + bits % 2]
            })
        };
        let mark = |at: [u32; 4], by: &str| {
            let at = at.map(|number| number.to_string()).join(" ");
            format!("(mark {at} {by})")
        };
        let fluents = all().flat_map(|at| ["x", "o"].map(|by| mark(at, by))).collect();
        let state = vec![mark([1, 1, 1, 1], "x"), mark([1, 1, 2, 1], "o"), mark([2, 1, 2, 2], "x")];
        let states = vec![state.clone()];
        let knowledge = Knowledge { fluents: Some(fluents), states, ..Knowledge::default() };
        let rows = [
            "mark 1 2    mark 2 2",
            "2 | . .     2 | . .",
            "1 | . .     1 | . .",
            "    1 2         1 2",
            "",
            "mark 1 1    mark 2 1",
            "2 | . .     2 | . x",
            "1 | x o     1 | . .",
            "    1 2         1 2",
        ];
        assert_eq!(Drawing::new(&knowledge).draw(&state).trim_end(), rows.join("\n"));
    }

    #[test]
    fn everything_else_is_a_list() {
        check(&["(on disk1 pillar2); over; (heap a 3)"], "heap: a 3\non: disk1 pillar2\nover");
        check(&[""], "");
    }

    #[test]
    fn ambiguous_pieces_get_a_legend_once() {
        let state = sentences("(p knight 1 1); (p king 2 1); (p king 1 2); (p queen 2 2)");
        let knowledge = Knowledge { states: vec![state.clone()], ..Knowledge::default() };
        let mut drawing = Drawing::new(&knowledge);
        let board = "p\n2 |  k  q\n1 | kn  k\n     1  2\n";
        assert_eq!(drawing.draw(&state), format!("{board}  legend: k king, kn knight, q queen\n"));
        assert_eq!(drawing.draw(&state), board);
    }
}
