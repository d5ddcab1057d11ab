//! Boards as lines of text. The first coordinate runs to the right and the second upwards, as in
//! `(cell x y content)`; rows of hexagons are shifted:
//!
//! ```text
//! 2 | . x        2 |  . x
//! 1 | o .        1 | o .
//!     1 2          1 2
//! ```

use super::layout::{BoardShape, Cell, DrawnBoard};
use super::sentence::compare_lists;

/// Lines are broken before this column.
const WIDTH: usize = 96;

/// The space between boards that are side by side.
const GAP: usize = 4;

/// A board with its caption; `symbols` holds what is shown on each cell.
pub(super) fn board_lines(board: &DrawnBoard, symbols: &[String]) -> Vec<String> {
    let labels = column_labels(board);
    let shown = symbols.iter().map(String::as_str).chain(labels.iter().map(|label| label.0));
    let width = shown.map(|symbol| symbol.chars().count()).max().unwrap_or(1);
    // Half a cell must be a whole number of characters.
    let half = (width + 1).div_ceil(2);
    let pitch = if board.shape == BoardShape::Hexagonal { 2 * half } else { width + 1 };
    let places = board.cells.iter().map(|cell| cell.x).chain(labels.iter().map(|label| label.1));
    let least = places.min().unwrap_or(0);
    let column = |x: i32| usize::try_from(x - least).unwrap_or(0) * pitch / 2;
    let margin = board.rows.iter().map(|row| row.chars().count()).max().unwrap_or(1);
    let mut lines = vec![caption(board)];
    for (number, row) in board.rows.iter().enumerate().rev() {
        let cells = board.cells.iter().zip(symbols).filter(|(cell, _)| cell.row == number);
        let placed = cells.map(|(cell, symbol)| (column(cell.x), symbol.as_str()));
        lines.push(line(&format!("{row:>margin$} |"), placed, width));
    }
    let labels = labels.iter().map(|&(name, x)| (column(x), name));
    lines.push(line(&" ".repeat(margin + 2), labels, width));
    if lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// Texts in their columns after a margin.
fn line<'a>(
    margin: &str,
    mut texts: impl Iterator<Item = (usize, &'a str)>,
    width: usize,
) -> String {
    let mut line = margin.to_string();
    let start = margin.chars().count();
    texts.by_ref().for_each(|(column, text)| {
        let wanted = start + column + 1 + width - text.chars().count();
        let missing = wanted.saturating_sub(line.chars().count());
        line.push_str(&" ".repeat(missing));
        line.push_str(text);
    });
    line.trim_end().to_string()
}

/// The names of the columns and their horizontal positions below the last row. Rows of hexagons
/// that are not shifted evenly have no columns to name.
pub(super) fn column_labels(board: &DrawnBoard) -> Vec<(&str, i32)> {
    let leans: &[i32] = if board.shape == BoardShape::Square { &[0] } else { &[1, -1] };
    let base = |cell: &Cell, lean: i32| cell.x - 2 * cell.column as i32 - lean * cell.row as i32;
    let Some(first) = board.cells.first() else { return Vec::new() };
    let is_even =
        |lean: &&i32| board.cells.iter().all(|cell| base(cell, **lean) == base(first, **lean));
    let Some(&lean) = leans.iter().find(is_even) else { return Vec::new() };
    let x = |column: usize| 2 * column as i32 - lean + base(first, lean);
    board.columns.iter().enumerate().map(|(at, name)| (name.as_str(), x(at))).collect()
}

pub(super) fn caption(board: &DrawnBoard) -> String {
    let words = std::iter::once(&board.name).chain(&board.part);
    words.map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// A board and how it is drawn: as lines of text, or in another way.
pub(super) type Drawn<'a, T> = (&'a DrawnBoard, T);

/// The boards of one name, drawn. If two arguments choose a board, these arguments arrange the
/// boards to the right and upwards; otherwise the boards are side by side, as far as they fit on a
/// line.
pub(super) fn arranged(boards: Vec<Drawn<'_, Vec<String>>>) -> String {
    let width = |lines: &Vec<String>| lines.iter().map(|line| line.chars().count()).max();
    let widest = boards.iter().filter_map(|(_, lines)| width(lines)).max().unwrap_or(0);
    let room = ((WIDTH + GAP) / (widest + GAP)).max(1);
    let mut text = String::new();
    for (at, row) in rows(boards, room).iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        let height = row.iter().map(|(_, lines)| lines.len()).max().unwrap_or(0);
        for number in 0..height {
            let mut line = String::new();
            for (_, lines) in row {
                let part = lines.get(number).map_or("", String::as_str);
                line.push_str(&format!("{part:<width$}", width = widest + GAP));
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}

/// The boards in rows of at most this many. If two arguments choose a board and all rows are alike,
/// the second argument gives the row, and the last row comes first.
pub(super) fn rows<T: Clone>(mut boards: Vec<Drawn<'_, T>>, room: usize) -> Vec<Vec<Drawn<'_, T>>> {
    let row = |one: &Drawn<'_, T>| one.0.part.get(1..).unwrap_or_default().to_vec();
    if boards.iter().all(|(board, _)| board.part.len() == 2) {
        let mut sorted = boards.clone();
        sorted.sort_by(|a, b| {
            compare_lists(&row(b), &row(a)).then_with(|| compare_lists(&a.0.part, &b.0.part))
        });
        let rows: Vec<_> = sorted.chunk_by(|a, b| row(a) == row(b)).map(<[_]>::to_vec).collect();
        if rows.iter().all(|other| other.len() == rows[0].len() && other.len() <= room) {
            return rows;
        }
    }
    let mut rows = Vec::new();
    while !boards.is_empty() {
        let rest = boards.split_off(room.min(boards.len()));
        rows.push(std::mem::replace(&mut boards, rest));
    }
    rows
}

/// `name: entries`, continued on indented lines if it is long.
pub(super) fn wrap(name: &str, entries: &[String]) -> String {
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
