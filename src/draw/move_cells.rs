//! Which cells a move names, so that it can be shown on a board and made there by a click.

use std::collections::HashMap;

use super::layout::{BoardLayout, CellIndex};
use super::sentence::Sentence;

/// The cells of all boards by the arguments that name them.
#[derive(Clone, Debug, Default)]
pub(super) struct CellNames {
    /// By group of boards, the largest first: the number of arguments, and the cells.
    groups: Vec<(usize, HashMap<Vec<String>, CellIndex>)>,
    /// Where no move names a cell: the cells of each column, if there is only one board.
    columns: HashMap<String, Vec<CellIndex>>,
    /// Whether pieces move from cell to cell.
    pub(super) has_steps: bool,
}

impl CellNames {
    pub(super) fn new(layout: &BoardLayout) -> Self {
        let mut groups = Vec::new();
        for (number, group) in layout.groups().iter().enumerate() {
            let reading = group.reading();
            let args = reading.naming_args();
            let mut cells = HashMap::new();
            for (board, drawn) in layout.boards.iter().enumerate() {
                if drawn.group != number {
                    continue;
                }
                for (cell, place) in drawn.cells.iter().enumerate() {
                    let (column, row) = (&drawn.columns[place.column], &drawn.rows[place.row]);
                    let named = reading.name_cell(&args, &drawn.part, column, row);
                    cells.insert(named, CellIndex { board, cell });
                }
            }
            groups.push((args.len(), cells));
        }
        groups.sort_by_key(|(_, cells)| std::cmp::Reverse(cells.len()));
        let mut names = CellNames { groups, ..CellNames::default() };
        let counts = layout.links().moves().map(|args| names.in_args(args).len());
        let most = counts.max().unwrap_or(0);
        names.has_steps = most > 1;
        if let ([board], 0) = (&layout.boards[..], most) {
            for (cell, place) in board.cells.iter().enumerate() {
                let column = names.columns.entry(board.columns[place.column].clone()).or_default();
                column.push(CellIndex { board: 0, cell });
            }
        }
        names
    }

    /// The cells that a move names, in their order: for a step the one that is left and the one that
    /// is reached. `(drop 3)` names all cells of its column, where no move names a single cell.
    pub(super) fn of_move(&self, text: &str) -> Vec<CellIndex> {
        let words: Vec<String> = words(text).skip(1).collect();
        let found = self.in_args(&words);
        match &words[..] {
            [only] if found.is_empty() => self.columns.get(only).cloned().unwrap_or_default(),
            _ => found,
        }
    }

    /// Coordinates come last, so the search for them starts at the end.
    fn in_args(&self, args: &[String]) -> Vec<CellIndex> {
        for (length, cells) in &self.groups {
            let mut found = Vec::new();
            let mut end = args.len();
            while end >= *length && *length > 0 {
                match cells.get(&args[end - length..end]) {
                    Some(&cell) => {
                        found.push(cell);
                        end -= length;
                    }
                    None => end -= 1,
                }
            }
            if !found.is_empty() {
                found.reverse();
                return found;
            }
        }
        Vec::new()
    }
}

/// The name of a move and the words of its arguments, nested or not, in lower case.
fn words(text: &str) -> impl Iterator<Item = String> {
    let Sentence { name, args } = Sentence::read(&text.to_lowercase());
    let split = |arg: String| -> Vec<String> {
        arg.split(['(', ')', ' ']).filter(|word| !word.is_empty()).map(String::from).collect()
    };
    std::iter::once(name).chain(args.into_iter().flat_map(split))
}
