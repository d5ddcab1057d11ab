//! The boards of a game as plain data: which boards there are, where their cells are, and what is
//! on them in a state. Renderers need no more than this.

use std::collections::{BTreeMap, BTreeSet};

use super::group::Group;
use super::hints::{FluentHint, Hints};
use super::knowledge::Knowledge;
use super::links::Links;
use super::reading::{BoardReading, Sample};
use super::sentence::{Sentence, compare_lists};

/// The boards of a game.
#[derive(Clone, Debug, Default)]
pub struct BoardLayout {
    /// The boards, those of one name together.
    pub boards: Vec<DrawnBoard>,
    groups: Vec<Group>,
    chains: Vec<Vec<String>>,
    links: Links,
    hints: Hints,
}

/// A board: cells in columns and rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnBoard {
    /// The name of its sentences, such as `cell`.
    pub name: String,
    /// Which of several boards of that name it is; empty if there is only one.
    pub part: Vec<String>,
    /// The names of the columns, from left to right.
    pub columns: Vec<String>,
    /// The names of the rows, from bottom to top.
    pub rows: Vec<String>,
    /// How its cells touch.
    pub shape: BoardShape,
    /// The cells that exist.
    pub cells: Vec<Cell>,
    /// The group of boards that it belongs to: one for each name.
    pub group: usize,
}

/// How the cells of a board touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardShape {
    /// At their sides, and perhaps at their corners.
    Square,
    /// Each touches two in its row, and two in each of the rows above and below it.
    Hexagonal,
}

/// A cell of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// Its column, an index.
    pub column: usize,
    /// Its row, an index.
    pub row: usize,
    /// The position of its left side, in half cells.
    pub x: i32,
}

/// A cell of one of the boards of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub struct CellIndex {
    /// The board, an index.
    pub board: usize,
    /// The cell, an index into those of the board.
    pub cell: usize,
}

/// A state on the boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnPosition {
    /// By board and cell: the contents.
    pub contents: Vec<Vec<Vec<String>>>,
    /// The sentences that are on no board.
    pub lists: Vec<List>,
}

/// Sentences of one name that are on no board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// Their name.
    pub name: String,
    /// The arguments of each.
    pub entries: Vec<Vec<String>>,
}

/// A board with the same cells as another one is a list, unless at some time at least one cell in
/// this many is occupied.
const SPARSE: usize = 8;

impl BoardLayout {
    /// The boards of a game.
    pub fn new(knowledge: &Knowledge) -> Self {
        let states: Vec<_> = knowledge.states.iter().map(by_name).collect();
        let all = match &knowledge.fluents {
            // Observed sentences count too: a given state may have sentences that the rules never
            // produce.
            Some(fluents) => by_name(fluents.iter().chain(knowledge.states.iter().flatten())),
            None => by_name(knowledge.states.iter().flatten()),
        };
        let mut found = Vec::new();
        for ((name, arity), sentences) in all {
            let state = |state: &BTreeMap<_, Vec<_>>| {
                state.get(&(name.clone(), arity)).cloned().unwrap_or_default()
            };
            let states: Vec<Vec<Vec<String>>> = states.iter().map(state).collect();
            let chains = &knowledge.chains;
            let sample = Sample { name: &name, arity, all: sentences, states, chains };
            let reading = match knowledge.hints.of(&name) {
                Some(FluentHint::List) => None,
                Some(FluentHint::Board(hint)) => BoardReading::told(hint, &sample),
                None => BoardReading::find(&sample),
            };
            if let Some(reading) = reading {
                let group = Group::new(reading, &sample, knowledge.fluents.is_some());
                let most = sample.states.iter().map(Vec::len).max().unwrap_or(0);
                found.push((group, most));
            }
        }
        let is_main = |at: usize| {
            let (group, most) = &found[at];
            let repeats = |(other, (larger, more)): (usize, &(Group, usize))| {
                let has_all = || group.cells().is_subset(&larger.cells());
                other != at && more > most && has_all()
            };
            let is_told = knowledge.hints.of(group.name()).is_some();
            is_told || most * SPARSE >= group.size() || !found.iter().enumerate().any(repeats)
        };
        let main: Vec<bool> = (0..found.len()).map(is_main).collect();
        let groups = found.into_iter().zip(main).filter(|(_, main)| *main);
        let groups = groups.map(|((group, _), _)| group).collect();
        let (chains, links) = (knowledge.chains.clone(), knowledge.links.clone());
        let hints = knowledge.hints.clone();
        let mut layout = BoardLayout { boards: Vec::new(), groups, chains, links, hints };
        layout.rebuild();
        layout
    }

    /// Sentences that may be about two cells.
    pub(super) fn links(&self) -> &Links {
        &self.links
    }

    /// The boards of one name, each with the group it was made from.
    pub(super) fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Adds cells that were not known before.
    pub fn include(&mut self, sentences: &[String]) {
        let mut has_grown = false;
        for text in sentences {
            let sentence = Sentence::read(text);
            for group in &mut self.groups {
                if let Some(cell) = group.read(&sentence) {
                    has_grown |= group.include(cell);
                }
            }
        }
        if has_grown {
            self.rebuild();
        }
    }

    /// A state on the boards. Cells must have been included.
    pub fn position(&self, sentences: &[String]) -> DrawnPosition {
        let mut contents: Vec<Vec<Vec<String>>> =
            self.boards.iter().map(|board| vec![Vec::new(); board.cells.len()]).collect();
        let mut lists: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
        let places = self.cells_of(sentences.iter().map(String::as_str));
        for (text, place) in sentences.iter().zip(places) {
            match place {
                Some((at, content)) => contents[at.board][at.cell].push(content),
                None => {
                    let sentence = Sentence::read(text);
                    lists.entry(sentence.name).or_default().push(sentence.args);
                }
            }
        }
        let list = |(name, mut entries): (String, Vec<Vec<String>>)| {
            entries.sort_by(|a, b| compare_lists(a, b));
            List { name, entries }
        };
        contents.iter_mut().flatten().for_each(|contents| contents.sort());
        DrawnPosition { contents, lists: lists.into_iter().map(list).collect() }
    }

    /// The cell and the content of each sentence, if it is on a board.
    pub(super) fn cells_of<'t>(
        &self,
        sentences: impl Iterator<Item = &'t str>,
    ) -> Vec<Option<(CellIndex, String)>> {
        let mut at = BTreeMap::new();
        for (number, board) in self.boards.iter().enumerate() {
            for (index, cell) in board.cells.iter().enumerate() {
                let place = (&board.columns[cell.column], &board.rows[cell.row]);
                let found = CellIndex { board: number, cell: index };
                at.insert((board.group, &board.part, place), found);
            }
        }
        let read = |text: &str| {
            let sentence = Sentence::read(text);
            self.groups.iter().enumerate().find_map(|(group, about)| {
                let cell = about.read(&sentence)?;
                let key = (group, &cell.part, (&cell.column, &cell.row));
                at.get(&key).map(|&place| (place, cell.content))
            })
        };
        sentences.map(read).collect()
    }

    fn rebuild(&mut self) {
        self.boards.clear();
        for (number, group) in self.groups.iter_mut().enumerate() {
            let may_slant = self.hints.may_be_hexagonal(group.name());
            let none = Links::default();
            let links = if may_slant { &self.links } else { &none };
            let mut boards = group.boards(number, &self.chains, links);
            self.boards.append(&mut boards);
        }
    }
}

/// The arguments of the sentences of each name and number of arguments.
fn by_name<'a>(
    sentences: impl IntoIterator<Item = &'a String>,
) -> BTreeMap<(String, usize), Vec<Vec<String>>> {
    let mut by_name: BTreeMap<(String, usize), BTreeSet<Vec<String>>> = BTreeMap::new();
    for text in sentences {
        let Sentence { name, args } = Sentence::read(text);
        by_name.entry((name, args.len())).or_default().insert(args);
    }
    by_name.into_iter().map(|(name, args)| (name, args.into_iter().collect())).collect()
}
