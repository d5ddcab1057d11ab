//! Marks over the boards of a picture: moves, how often a search tried them, and what is expected.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::board_places::{BoardPlaces, UNIT};
use super::board_svg::BoardPicture;
use super::layout::{BoardLayout, CellIndex};
use super::look::{INK, Looks};
use crate::text::xml;

/// What is marked.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// The cells of the last move.
    pub last: Vec<CellIndex>,
    /// The cells that may be chosen.
    pub targets: Vec<CellIndex>,
    /// Moves with weights.
    pub(super) weighted: Vec<WeightedMove>,
    /// What is expected on each cell.
    pub(super) expected: Vec<ExpectedContent>,
}

/// A move over its cells.
#[derive(Clone, Debug)]
pub(super) struct WeightedMove {
    cells: Vec<CellIndex>,
    /// From 0 to 1.
    weight: f64,
    title: String,
    label: String,
}

/// A content that a cell may have.
#[derive(Clone, Debug)]
pub(super) struct ExpectedContent {
    at: CellIndex,
    content: String,
    /// From 0 to 1.
    share: f64,
}

/// No more moves are drawn: a board full of arrows shows nothing.
const MOST_MOVES: usize = 12;

/// Moves that were tried less often than this share are not drawn.
const LEAST: f64 = 0.01;

impl BoardPicture {
    /// Marks the cells of the last joint move.
    pub fn last_marks(&self, joint: &[String]) -> Marks {
        let last = joint.iter().flat_map(|text| self.cells_of(text)).collect();
        Marks { last, ..Marks::default() }
    }

    /// Marks moves by the number of times a search has tried them: each a text and a number.
    pub fn mark_visits<'t>(&self, marks: &mut Marks, moves: impl Iterator<Item = (&'t str, u64)>) {
        let moves: Vec<(&str, u64)> = moves.collect();
        let total: u64 = moves.iter().map(|(_, visits)| visits).sum();
        let most = moves.iter().map(|(_, visits)| *visits).max().unwrap_or(0);
        let mut found: Vec<WeightedMove> = Vec::new();
        for (text, visits) in moves {
            let cells = self.cells_of(text);
            let share = visits as f64 / total.max(1) as f64;
            if cells.is_empty() || share < LEAST {
                continue;
            }
            found.push(WeightedMove {
                cells,
                weight: visits as f64 / most.max(1) as f64,
                title: format!("{text}: {visits} visits"),
                label: format!("{:.0}", 100.0 * share),
            });
        }
        found.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        found.truncate(MOST_MOVES);
        marks.weighted = found;
    }

    /// Marks the cells by how often their sentences hold: each with a share from 0 to 1.
    pub fn mark_shares<'t>(&self, marks: &mut Marks, shares: impl Iterator<Item = (&'t str, f64)>) {
        let (sentences, shares): (Vec<&str>, Vec<f64>) = shares.unzip();
        let cells = self.layout().cells_of(sentences.into_iter());
        for (cell, share) in cells.into_iter().zip(shares) {
            if let Some((at, content)) = cell {
                marks.expected.push(ExpectedContent { at, content, share });
            }
        }
    }
}

/// The marks as shapes; the last move is part of the cells.
pub(super) fn marks_svg(
    marks: &Marks,
    places: &BoardPlaces,
    looks: &[Looks],
    layout: &BoardLayout,
) -> String {
    let mut body = String::new();
    let centre = |at: CellIndex| places.centre(at, layout.boards[at.board].shape);
    write_expected(&mut body, marks, places, looks, layout);
    for &at in &marks.targets {
        let (x, y) = centre(at);
        // Writing to a string cannot fail.
        let _ = writeln!(
            body,
            "<circle class=\"target\" cx=\"{x}\" cy=\"{y}\" r=\"7\" fill=\"#3f8f5f\" \
             fill-opacity=\"0.75\"/>"
        );
    }
    for one in marks.weighted.iter().rev() {
        let title = xml(&one.title);
        let _ = write!(body, "<g class=\"visits\"><title>{title}</title>");
        match &one.cells[..] {
            [from, .., to] if is_step(&one.cells) => {
                write_arrow(&mut body, centre(*from), centre(*to), one.weight);
                write_badge(&mut body, centre(*to), &one.label, one.weight);
            }
            cells => {
                // All cells of a column stand for one move: its lowest cell is marked.
                if let Some(&at) = cells.first() {
                    write_badge(&mut body, centre(at), &one.label, one.weight);
                }
            }
        }
        body.push_str("</g>\n");
    }
    body
}

/// Whether the cells are those of a step, not a whole column.
fn is_step(cells: &[CellIndex]) -> bool {
    (2..=4).contains(&cells.len())
}

/// The likeliest piece of each cell as a tint, with all of them in its title.
fn write_expected(
    body: &mut String,
    marks: &Marks,
    places: &BoardPlaces,
    looks: &[Looks],
    layout: &BoardLayout,
) {
    let mut by_cell: BTreeMap<CellIndex, Vec<&ExpectedContent>> = BTreeMap::new();
    for one in &marks.expected {
        by_cell.entry(one.at).or_default().push(one);
    }
    for (at, mut contents) in by_cell {
        let board = &layout.boards[at.board];
        let looks = &looks[board.group];
        contents.sort_by(|a, b| b.share.total_cmp(&a.share));
        let Some(first) = contents.iter().find(|one| looks.of(&one.content).is_some()) else {
            continue;
        };
        let tint = looks.of(&first.content).map_or(INK, |look| look.tint());
        let said: Vec<String> = contents
            .iter()
            .map(|one| format!("{} {:.0} %", one.content, 100.0 * one.share))
            .collect();
        let (x, y) = places.corner(at);
        let side = UNIT * first.share.clamp(0.0, 1.0).sqrt() * 0.9;
        let (cx, cy) = places.centre(at, board.shape);
        let _ = writeln!(
            body,
            "<g class=\"share\"><title>{}</title><path d=\"{}\" \
             transform=\"translate({x} {y})\" fill=\"#ffffff\" fill-opacity=\"0\"/><rect \
             class=\"fill-{}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" \
             rx=\"4\" fill=\"{}\" stroke=\"#8a8a8a\" stroke-width=\"0.8\" \
             fill-opacity=\"0.72\"/></g>",
            xml(&said.join(", ")),
            places.outline(board.shape),
            tint.name,
            cx - side / 2.0,
            cy - side / 2.0,
            tint.fill,
        );
    }
}

fn write_badge(body: &mut String, (x, y): (f64, f64), label: &str, weight: f64) {
    let radius = UNIT * (0.2 + 0.14 * weight);
    // Numbers have an outline: they are read on faint badges and on pieces of any colour.
    let _ = write!(
        body,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius:.1}\" fill=\"#2f6f9f\" \
         fill-opacity=\"{:.2}\"/><text x=\"{x}\" y=\"{:.1}\" font-size=\"12\" fill=\"#ffffff\" \
         stroke=\"#1b3f5c\" stroke-width=\"2.5\" paint-order=\"stroke\" text-anchor=\"middle\" \
         font-weight=\"600\">{}</text>",
        strength(weight),
        y + 4.0,
        xml(label)
    );
}

fn write_arrow(body: &mut String, from: (f64, f64), to: (f64, f64), weight: f64) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    // It ends at the badge of its move.
    let (ex, ey) = (to.0 - dx / length * 10.0, to.1 - dy / length * 10.0);
    let _ = write!(
        body,
        "<path d=\"M{:.1} {:.1}L{ex:.1} {ey:.1}\" stroke=\"#2f6f9f\" stroke-width=\"{:.1}\" \
         stroke-opacity=\"{:.2}\" stroke-linecap=\"round\" fill=\"none\"/>",
        from.0,
        from.1,
        3.0 + 6.0 * weight,
        strength(weight),
    );
}

/// How strong the mark of a move is drawn, by its weight.
fn strength(weight: f64) -> f64 {
    0.35 + 0.55 * weight
}
