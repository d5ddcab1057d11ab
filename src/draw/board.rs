//! Sentences of one name -> a grid, where two of their arguments look like coordinates.
//!
//! The first coordinate runs to the right and the second upwards, as in `(cell x y content)`:
//!
//! ```text
//! 2 | . x
//! 1 | o .
//!     1 2
//! ```

use std::collections::BTreeMap;

use super::pieces::{BLANK, Pieces};
use super::sentence::{compare, compare_lists, coordinate};

/// Boards are not larger than this in either direction; what is larger is a list.
const MAX_SIDE: usize = 40;

/// A board: which arguments are coordinates, and the values they have had so far.
#[derive(Clone, Debug)]
pub(super) struct Board {
    arity: usize,
    /// Arguments that choose one of several boards, e.g. a level or a quarter.
    sheet: Vec<usize>,
    across: usize,
    up: usize,
    columns: Vec<String>,
    rows: Vec<String>,
    pub(super) pieces: Pieces,
}

impl Board {
    /// A board for sentences with these arguments, if they look like one.
    pub(super) fn guess(cells: &[Vec<String>]) -> Option<Board> {
        let arity = cells.first()?.len();
        if arity < 3 || cells.len() < 2 || cells.iter().any(|cell| cell.len() != arity) {
            return None;
        }
        let layout = layouts(cells, arity).into_iter().find(|layout| layout.suits(cells));
        let Layout { sheet, across, up, .. } = layout?;
        let (columns, rows) = (side(cells, across), side(cells, up));
        let pieces = Pieces::default();
        let mut board = Board { arity, sheet, across, up, columns, rows, pieces };
        board.learn(cells);
        Some(board)
    }

    /// Makes room for coordinates and finds symbols for contents not seen before.
    pub(super) fn learn(&mut self, cells: &[Vec<String>]) {
        for (known, arg) in [(&mut self.columns, self.across), (&mut self.rows, self.up)] {
            known.extend(side(cells, arg));
            complete(known);
        }
        let contents: Vec<String> = cells.iter().map(|cell| self.content(cell)).collect();
        self.pieces.learn(contents.iter().map(String::as_str));
    }

    /// Whether the sheet spells out which cells are empty.
    pub(super) fn has_blanks(&self) -> bool {
        self.pieces.has_blanks()
    }

    /// Whether there may be nothing on it: not where empty cells are spelled out, and not where
    /// what is on it says which board it is.
    pub(super) fn may_be_empty(&self) -> bool {
        !self.has_blanks() && self.sheet.is_empty()
    }

    /// Whether the sentences have the arguments that the board needs.
    pub(super) fn fits(&self, cells: &[Vec<String>]) -> bool {
        cells.iter().all(|cell| cell.len() == self.arity)
    }

    /// The grids, each under the name of its sentences.
    pub(super) fn draw(&mut self, name: &str, cells: &[Vec<String>]) -> String {
        self.learn(cells);
        let mut sheets: BTreeMap<Vec<String>, Grid> = BTreeMap::new();
        if self.may_be_empty() {
            sheets.entry(Vec::new()).or_default();
        }
        for cell in cells {
            let sheet: Vec<String> = self.sheet.iter().map(|&arg| cell[arg].clone()).collect();
            let symbol = self.pieces.symbol(&self.content(cell));
            let at = (cell[self.across].clone(), cell[self.up].clone());
            // Two contents on one cell stand beside each other.
            sheets.entry(sheet).or_default().entry(at).or_default().push_str(&symbol);
        }
        let mut sheets: Vec<_> = sheets.into_iter().collect();
        sheets.sort_by(|(a, _), (b, _)| compare_lists(a, b));
        let mut text = String::new();
        for (sheet, grid) in &sheets {
            let title: Vec<&str> =
                std::iter::once(name).chain(sheet.iter().map(String::as_str)).collect();
            text.push_str(&format!("{}\n", title.join(" ")));
            self.draw_grid(&mut text, grid);
        }
        text
    }

    fn draw_grid(&self, text: &mut String, grid: &Grid) {
        // Where the sheet spells blanks out, a cell without a sentence is no cell at all.
        let absent = if self.has_blanks() { " " } else { BLANK };
        let shown = grid.values().chain(&self.columns);
        let width = shown.map(|symbol| symbol.chars().count()).max().unwrap_or(1);
        let margin = self.rows.iter().map(|row| row.chars().count()).max().unwrap_or(1);
        for row in self.rows.iter().rev() {
            let mut line = format!("{row:>margin$} |");
            for column in &self.columns {
                let symbol = grid.get(&(column.clone(), row.clone()));
                let symbol = symbol.map_or(absent, String::as_str);
                line.push_str(&format!(" {symbol:>width$}"));
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        let mut line = " ".repeat(margin + 2);
        for column in &self.columns {
            line.push_str(&format!(" {column:>width$}"));
        }
        text.push_str(&line);
        text.push('\n');
    }

    /// The arguments that are no coordinates.
    fn content(&self, cell: &[String]) -> String {
        let is_content =
            |arg: &usize| *arg != self.across && *arg != self.up && !self.sheet.contains(arg);
        let parts: Vec<&str> =
            (0..cell.len()).filter(is_content).map(|arg| cell[arg].as_str()).collect();
        parts.join(" ")
    }
}

/// The symbols by column and row.
type Grid = BTreeMap<(String, String), String>;

/// A way to read sentences as cells.
struct Layout {
    sheet: Vec<usize>,
    across: usize,
    up: usize,
    /// Trust it only where the cells fill at least half of the board.
    needs_density: bool,
}

impl Layout {
    /// Whether the cells make a grid, each with a place of its own.
    fn suits(&self, cells: &[Vec<String>]) -> bool {
        let sides = [side(cells, self.across).len(), side(cells, self.up).len()];
        let is_dense = cells.len() * 2 >= sides[0] * sides[1];
        sides.iter().all(|side| (2..=MAX_SIDE).contains(side))
            && (is_dense || !self.needs_density)
            && self.is_unambiguous(cells)
    }

    fn is_unambiguous(&self, cells: &[Vec<String>]) -> bool {
        let args: Vec<usize> = self.sheet.iter().copied().chain([self.across, self.up]).collect();
        let place = |cell: &Vec<String>| args.iter().map(|&arg| cell[arg].clone()).collect();
        let mut places: Vec<Vec<String>> = cells.iter().map(place).collect();
        places.sort();
        places.windows(2).all(|pair| pair[0] != pair[1])
    }
}

/// The ways to read sentences as cells, the likeliest first.
fn layouts(cells: &[Vec<String>], arity: usize) -> Vec<Layout> {
    let mut coordinates: Vec<usize> = (0..arity).filter(|&arg| is_coordinate(cells, arg)).collect();
    // Something must be on the cells.
    if coordinates.len() == arity {
        coordinates.pop();
    }
    let mut pairs: Vec<(usize, usize)> = coordinates
        .iter()
        .flat_map(|&across| coordinates.iter().map(move |&up| (across, up)))
        .filter(|(across, up)| across < up)
        .collect();
    // `knight1` may be a coordinate, but more likely it is a piece.
    pairs.sort_by_key(|&(across, up)| is_named(cells, across) + is_named(cells, up));
    let plain = |needs_density| {
        let layout = move |&(across, up): &(usize, usize)| Layout {
            sheet: Vec::new(),
            across,
            up,
            needs_density,
        };
        pairs.iter().map(layout)
    };
    // Few cells of several boards may look like those of one, hence the density.
    let several = match coordinates.as_slice() {
        [sheet @ .., across, up] if !sheet.is_empty() => {
            let sheet = sheet.to_vec();
            Some(Layout { sheet, across: *across, up: *up, needs_density: false })
        }
        _ => None,
    };
    plain(true).chain(several).chain(plain(false)).collect()
}

/// The values of a coordinate.
fn side(cells: &[Vec<String>], arg: usize) -> Vec<String> {
    let mut values = cells.iter().filter_map(|cell| cell.get(arg).cloned()).collect();
    complete(&mut values);
    values
}

/// Sorts coordinates, and adds the bare numbers between the smallest and the largest, which a
/// sheet that lists pieces only does not mention.
fn complete(side: &mut Vec<String>) {
    fill_gaps(side);
    side.sort_by(|a, b| compare(a, b));
    side.dedup();
}

fn fill_gaps(side: &mut Vec<String>) {
    let numbers: Option<Vec<i64>> = side
        .iter()
        .map(|text| coordinate(text).filter(|(kind, _)| kind.is_empty()).map(|(_, number)| number))
        .collect();
    let Some(numbers) = numbers else { return };
    let (Some(&least), Some(&most)) = (numbers.iter().min(), numbers.iter().max()) else { return };
    if most.saturating_sub(least) < MAX_SIDE as i64 {
        let missing = (least..=most).filter(|number| !numbers.contains(number));
        side.extend(missing.map(|number| number.to_string()));
    }
}

/// Whether an argument is the same kind of coordinate in every sentence.
fn is_coordinate(cells: &[Vec<String>], arg: usize) -> bool {
    let mut kinds = cells.iter().map(|cell| coordinate(&cell[arg]).map(|(kind, _)| kind));
    match kinds.next().flatten() {
        Some(first) => kinds.all(|kind| kind == Some(first)),
        None => false,
    }
}

/// 1 where an argument is a word with a number, and not a bare number or letter.
fn is_named(cells: &[Vec<String>], arg: usize) -> usize {
    let kind = cells.first().and_then(|cell| coordinate(&cell[arg])).map(|(kind, _)| kind);
    usize::from(!matches!(kind, Some("" | "letter")))
}
