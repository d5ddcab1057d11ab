//! A state as a picture: boards with pieces in SVG, and marks over them.

use std::fmt::Write;

use super::board_places::{BoardPlaces, UNIT};
use super::hints::Hints;
use super::knowledge::Knowledge;
use super::layout::{BoardLayout, BoardShape, CellIndex, List};
use super::look::Looks;
use super::marks::{Marks, marks_svg};
use super::move_cells::CellNames;
use super::piece_svg::piece_svg;
use super::pieces::Pieces;
use crate::text::{shortened, xml};

/// Draws the states of one game as SVG. Pieces and cells keep their places while the game is played.
#[derive(Clone, Debug)]
pub struct BoardPicture {
    layout: BoardLayout,
    roles: Vec<String>,
    hints: Hints,
    /// By group of boards.
    pieces: Vec<Pieces>,
    looks: Vec<Looks>,
    names: CellNames,
    places: BoardPlaces,
}

/// The most letters of a name in a picture.
const SHOWN: usize = 60;

impl BoardPicture {
    /// The pictures of a game, from what is known about it.
    pub fn new(knowledge: &Knowledge) -> Self {
        let layout = BoardLayout::new(knowledge);
        let (roles, hints) = (knowledge.roles.clone(), knowledge.hints.clone());
        let mut picture = BoardPicture {
            layout,
            roles,
            hints,
            pieces: Vec::new(),
            looks: Vec::new(),
            names: CellNames::default(),
            places: BoardPlaces::default(),
        };
        picture.arrange();
        picture
    }

    /// Adds cells that were not known before, and their contents.
    pub fn include(&mut self, sentences: &[String]) {
        let before = self.layout.boards.len();
        let cells = |layout: &BoardLayout| -> usize {
            layout.boards.iter().map(|board| board.cells.len()).sum()
        };
        let count = cells(&self.layout);
        self.layout.include(sentences);
        let is_known = |(pieces, group): (&Pieces, _)| pieces.know_all(group);
        let has_grown = self.layout.boards.len() != before
            || cells(&self.layout) != count
            || !self.pieces.iter().zip(self.layout.groups()).all(is_known);
        if has_grown {
            self.arrange();
        }
    }

    fn arrange(&mut self) {
        let groups = self.layout.groups();
        let pieces = groups.iter().map(|group| Pieces::new(group, &self.roles, &self.hints));
        self.pieces = pieces.collect();
        let looks = groups.iter().zip(&self.pieces);
        self.looks = looks.map(|(group, pieces)| Looks::new(group, pieces, &self.roles)).collect();
        self.names = CellNames::new(&self.layout);
        self.places = BoardPlaces::new(&self.layout);
    }

    /// Whether the game has a board.
    pub fn has_boards(&self) -> bool {
        !self.layout.boards.is_empty()
    }

    /// The boards.
    pub fn layout(&self) -> &BoardLayout {
        &self.layout
    }

    /// The sentences of a state that are on no board. Its cells must have been included.
    pub fn lists(&self, sentences: &[String]) -> Vec<List> {
        self.layout.position(sentences).lists
    }

    /// The cell of each sentence, if it is on a board.
    pub fn cells_of_sentences(&self, sentences: &[String]) -> Vec<Option<CellIndex>> {
        let found = self.layout.cells_of(sentences.iter().map(String::as_str));
        found.into_iter().map(|cell| cell.map(|(at, _)| at)).collect()
    }

    /// The cells that a move names, in their order.
    pub fn cells_of(&self, text: &str) -> Vec<CellIndex> {
        self.names.of_move(text)
    }

    /// A state with marks, as a whole SVG document. Its cells must have been included.
    pub fn svg(&self, sentences: &[String], marks: &Marks) -> String {
        let position = self.layout.position(sentences);
        let mut body = String::new();
        for (number, board) in self.layout.boards.iter().enumerate() {
            self.places.write_labels(&mut body, board, number);
            for cell in 0..board.cells.len() {
                let at = CellIndex { board: number, cell };
                self.write_cell(&mut body, at, &position.contents[number][cell], marks);
            }
        }
        body.push_str(&marks_svg(marks, &self.places, &self.looks, &self.layout));
        self.document("board", &body)
    }

    /// The marks alone, in a document of the same size, to be laid over the state.
    pub fn overlay(&self, marks: &Marks) -> String {
        let body = marks_svg(marks, &self.places, &self.looks, &self.layout);
        self.document("overlay", &body)
    }

    fn document(&self, class: &str, body: &str) -> String {
        let (width, height) = self.places.size;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"{class}\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-family=\"'DejaVu Sans', \
             'Noto Sans', Arial, sans-serif\">\n{body}</svg>\n"
        )
    }

    fn write_cell(&self, body: &mut String, at: CellIndex, contents: &[String], marks: &Marks) {
        let board = &self.layout.boards[at.board];
        let cell = board.cells[at.cell];
        let (pieces, looks) = (&self.pieces[board.group], &self.looks[board.group]);
        // The sheet names all empty cells, and not this one: it does not exist at this time.
        let is_gone = contents.is_empty() && pieces.has_blanks();
        let is_odd = (self.names.has_steps || looks.have_walkers())
            && board.shape == BoardShape::Square
            && (cell.column + cell.row).is_multiple_of(2);
        let (class, fill) = match (is_gone, is_odd) {
            (true, _) => ("gone", "none"),
            (_, true) => ("odd", "#d9c4a0"),
            (_, false) => ("even", "#f3e9d6"),
        };
        let is_last = marks.last.contains(&at);
        let last = if is_last { " last" } else { "" };
        let fill = if is_last { "#e8d66b" } else { fill };
        let name = self.cell_name(at);
        let shown: Vec<&str> =
            contents.iter().map(String::as_str).filter(|one| looks.of(one).is_some()).collect();
        let said = if shown.is_empty() { "empty".to_string() } else { shown.join(", ") };
        let title = xml(&shortened(&format!("{name}: {said}"), 2 * SHOWN));
        let outline = self.places.outline(board.shape);
        let (x, y) = self.places.corner(at);
        // Writing to a string cannot fail.
        let _ = write!(
            body,
            "<g class=\"cell {class}{last}\" data-board=\"{}\" data-cell=\"{}\" \
             aria-label=\"{title}\" transform=\"translate({x} {y})\"><title>{title}</title>\
             <path class=\"ground\" d=\"{outline}\" fill=\"{fill}\" stroke=\"#a08f70\" \
             stroke-width=\"1\"/>",
            at.board, at.cell,
        );
        let drawn: Vec<String> =
            contents.iter().filter_map(|content| looks.of(content)).map(piece_svg).collect();
        let scale = UNIT / 100.0 / drawn.len().max(1) as f64;
        for (number, piece) in drawn.iter().enumerate() {
            let across = number as f64 * UNIT / drawn.len() as f64;
            let down = (UNIT - 100.0 * scale) / 2.0 + self.places.inset(board.shape);
            let _ = write!(
                body,
                "<g transform=\"translate({across:.1} {down:.1}) scale({scale:.3})\">{piece}</g>"
            );
        }
        body.push_str("</g>\n");
    }

    /// What a cell is called: its coordinates, after those of its board.
    fn cell_name(&self, at: CellIndex) -> String {
        let board = &self.layout.boards[at.board];
        let cell = board.cells[at.cell];
        let place = [&board.columns[cell.column], &board.rows[cell.row]];
        let words = board.part.iter().chain(place).map(String::as_str);
        shortened(&words.collect::<Vec<_>>().join(" "), SHOWN)
    }
}
