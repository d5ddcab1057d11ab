//! Where boards and cells are in a picture.

use std::fmt::Write;

use super::layout::{BoardLayout, BoardShape, CellIndex, DrawnBoard};
use super::text::{caption, column_labels, rows};
use crate::text::{shortened, xml};

/// The width of a cell.
pub(super) const UNIT: f64 = 48.0;

/// The distance of two rows of hexagons: their sides are vertical, so rows overlap by a quarter of
/// their height.
const HEX_ROW: f64 = UNIT * 0.866;

/// How much higher than wide a hexagon is, above and below.
const HEX_INSET: f64 = UNIT * (1.1547 - 1.0) / 2.0;

/// The room for the names of rows and columns, around a picture, and between boards.
const LABEL: f64 = 22.0;
const MARGIN: f64 = 8.0;
const GAP: f64 = 20.0;
const CAPTION: f64 = 20.0;

/// Boards that are side by side are not wider than this.
const WIDEST: f64 = 900.0;

/// The most letters of a label.
const SHOWN: usize = 12;

/// The places of all boards.
#[derive(Clone, Debug, Default)]
pub(super) struct BoardPlaces {
    /// The size of the picture.
    pub(super) size: (f64, f64),
    /// By board and cell: the left upper corner.
    corners: Vec<Vec<(f64, f64)>>,
    /// By board: where its labels begin, and the upper left corner of its cells.
    origins: Vec<(f64, f64)>,
    has_captions: bool,
}

impl BoardPlaces {
    pub(super) fn new(layout: &BoardLayout) -> Self {
        let has_captions = layout.boards.len() > 1;
        let above = if has_captions { CAPTION } else { 0.0 };
        let mut places = BoardPlaces { has_captions, ..BoardPlaces::default() };
        let none = (0.0, 0.0);
        places.origins = vec![none; layout.boards.len()];
        places.corners = layout.boards.iter().map(|board| vec![none; board.cells.len()]).collect();
        let (mut width, mut top) = (0.0_f64, MARGIN);
        let numbered: Vec<(usize, &DrawnBoard)> = layout.boards.iter().enumerate().collect();
        for group in numbered.chunk_by(|one, other| one.1.group == other.1.group) {
            let widest = group.iter().map(|(_, board)| extent(board).0).fold(1.0, f64::max);
            let room = ((WIDEST / (widest + LABEL + GAP)) as usize).max(1);
            for row in rows(group.iter().map(|&(number, board)| (board, number)).collect(), room) {
                let mut left = MARGIN;
                let mut height = 0.0_f64;
                for (board, number) in row {
                    places.place(number, board, (left + LABEL, top + above));
                    left += LABEL + widest + GAP;
                    height = height.max(extent(board).1);
                }
                width = width.max(left - GAP);
                top += above + height + LABEL + GAP / 2.0;
            }
        }
        places.size = ((width + MARGIN).ceil(), (top - GAP / 2.0 + MARGIN).ceil());
        places
    }

    fn place(&mut self, number: usize, board: &DrawnBoard, origin: (f64, f64)) {
        self.origins[number] = origin;
        let least = board.cells.iter().map(|cell| cell.x).min().unwrap_or(0);
        for (at, cell) in board.cells.iter().enumerate() {
            let down = (board.rows.len() - 1 - cell.row) as f64;
            let x = origin.0 + f64::from(cell.x - least) * UNIT / 2.0;
            self.corners[number][at] = (x, origin.1 + down * pitch(board.shape));
        }
    }

    /// The left upper corner of a cell.
    pub(super) fn corner(&self, at: CellIndex) -> (f64, f64) {
        let (x, y) = self.corners[at.board][at.cell];
        (round(x), round(y))
    }

    /// The middle of a cell.
    pub(super) fn centre(&self, at: CellIndex, shape: BoardShape) -> (f64, f64) {
        let (x, y) = self.corner(at);
        (round(x + UNIT / 2.0), round(y + UNIT / 2.0 + self.inset(shape)))
    }

    /// The outline of a cell, from its corner.
    pub(super) fn outline(&self, shape: BoardShape) -> String {
        match shape {
            BoardShape::Square => format!("M0 0H{UNIT}V{UNIT}H0Z"),
            BoardShape::Hexagonal => {
                let (half, height) = (UNIT / 2.0, UNIT * 1.1547);
                let (upper, lower) = (height / 4.0, height * 0.75);
                format!(
                    "M{half} 0L{UNIT} {upper:.1}V{lower:.1}L{half} {height:.1}L0 {lower:.1}V{upper:.1}Z"
                )
            }
        }
    }

    /// How far the square that a piece fills is below the corner of its cell.
    pub(super) fn inset(&self, shape: BoardShape) -> f64 {
        if shape == BoardShape::Hexagonal { HEX_INSET } else { 0.0 }
    }

    /// The names of a board, its rows and its columns.
    pub(super) fn write_labels(&self, body: &mut String, board: &DrawnBoard, number: usize) {
        let (left, top) = self.origins[number];
        let mut label = |x: f64, y: f64, anchor: &str, text: &str| {
            // Writing to a string cannot fail.
            let _ = writeln!(
                body,
                "<text class=\"label\" x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"12\" \
                 text-anchor=\"{anchor}\" fill=\"#6b6252\">{}</text>",
                xml(&shortened(text, SHOWN))
            );
        };
        if self.has_captions {
            label(left, top - 6.0, "start", &caption(board));
        }
        let inset = self.inset(board.shape);
        for (row, name) in board.rows.iter().enumerate() {
            let down = (board.rows.len() - 1 - row) as f64 * pitch(board.shape);
            let cells = board.cells.iter().enumerate().filter(|(_, cell)| cell.row == row);
            let x = cells.map(|(at, _)| self.corners[number][at].0).fold(f64::INFINITY, f64::min);
            if x.is_finite() {
                label(x - 5.0, top + down + UNIT / 2.0 + inset + 4.0, "end", name);
            }
        }
        let least = board.cells.iter().map(|cell| cell.x).min().unwrap_or(0);
        let below = top + (board.rows.len() as f64 - 1.0) * pitch(board.shape) + UNIT;
        // Where the lowest row lacks columns, names below it would stand under other cells.
        let in_lowest = board.cells.iter().filter(|cell| cell.row == 0).count();
        let has_names = board.shape == BoardShape::Square || in_lowest == board.columns.len();
        for (name, x) in column_labels(board).into_iter().filter(|_| has_names) {
            // Labels of a slanted board stand where the next row would be.
            let x = left + f64::from(x - least) * UNIT / 2.0 + UNIT / 2.0;
            label(x, below + 2.0 * inset + 15.0, "middle", name);
        }
    }
}

/// The distance between two rows.
fn pitch(shape: BoardShape) -> f64 {
    if shape == BoardShape::Hexagonal { HEX_ROW } else { UNIT }
}

/// The size of the cells of a board.
fn extent(board: &DrawnBoard) -> (f64, f64) {
    let least = board.cells.iter().map(|cell| cell.x).min().unwrap_or(0);
    let most = board.cells.iter().map(|cell| cell.x).max().unwrap_or(0);
    let inset = if board.shape == BoardShape::Hexagonal { 2.0 * HEX_INSET } else { 0.0 };
    let height = (board.rows.len() as f64 - 1.0) * pitch(board.shape) + UNIT + inset;
    (f64::from(most - least) * UNIT / 2.0 + UNIT, height)
}

fn round(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
