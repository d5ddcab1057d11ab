//! The board of a game: a fluent with two coordinates and a content, found by template.
//!
//! Names mean nothing here. Of each fluent's arguments two may be the coordinates of a cell, and the
//! rest is its content. Play shows whether they are: a cell has at most one content.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use propnet::names::Names;
use propnet::terms::{TermId, Terms};

use super::episode::Episode;

/// The two coordinates of a cell, in the order of the fluent's arguments.
pub type Coordinates = (TermId, TermId);

/// Cells, what can be on them, and the fluents that say so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The cells, in the order of the fluents.
    pub cells: Vec<Coordinates>,
    /// What can be on a cell: usually one argument of the fluent.
    pub contents: Vec<Vec<TermId>>,
    /// Each fluent of the board, its cell and its content, by their indices.
    pub fluents: Vec<BoardFluent>,
}

/// A fluent that says what is on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardFluent {
    /// The index of the fluent.
    pub fluent: usize,
    /// The index of the cell.
    pub cell: usize,
    /// The index of the content.
    pub content: usize,
}

/// What is on each cell of a board in a state.
pub(super) type Contents = Vec<Option<usize>>;

/// Fewer cells than this are not a board.
const FEWEST_CELLS: usize = 4;

/// A fluent with more arguments than this has more than two coordinates, or is not a cell.
const MOST_ARGUMENTS: usize = 4;

impl Board {
    /// The boards that play does not contradict, the largest first. Relations that have the same
    /// coordinates and no cell in common are parts of one board, as where each colour of the cells
    /// has a relation of its own.
    pub(super) fn candidates(names: &Names, episodes: &[Episode]) -> Vec<Board> {
        let mut readings: Vec<Reading> = relations(names)
            .into_iter()
            .flat_map(|fluents| Reading::all(&fluents))
            .filter(|reading| reading.is_exclusive(names.fluent_count(), episodes))
            .collect();
        // The sort is stable: contents that come last are read so first.
        readings.sort_by_key(|reading| std::cmp::Reverse(reading.fluents.len()));
        let joined = |(at, first): (usize, &Reading)| {
            let mut joined = first.clone();
            for other in readings[at + 1..].iter().filter(|other| first.is_completed_by(other)) {
                if joined.cells.is_disjoint(&other.cells) {
                    joined.cells.extend(&other.cells);
                    joined.fluents.extend(other.fluents.iter().cloned());
                }
            }
            joined
        };
        let joined = readings.iter().enumerate().map(joined);
        joined.filter(Reading::is_board).map(Board::new).collect()
    }

    fn new(reading: Reading) -> Self {
        let (mut cells, mut contents) = (Indices::default(), Indices::default());
        let fluents = reading.fluents.into_iter().map(|(fluent, cell, content)| BoardFluent {
            fluent,
            cell: cells.index(cell),
            content: contents.index(content),
        });
        let fluents = fluents.collect();
        Board { cells: cells.items, contents: contents.items, fluents }
    }

    /// By coordinates: the index of the cell.
    pub(super) fn cell_index(&self) -> HashMap<Coordinates, usize> {
        self.cells.iter().enumerate().map(|(at, &cell)| (cell, at)).collect()
    }

    /// By fluent: its cell and its content.
    pub(super) fn by_fluent(&self, fluents: usize) -> Vec<Option<(usize, usize)>> {
        let mut places = vec![None; fluents];
        for at in &self.fluents {
            places[at.fluent] = Some((at.cell, at.content));
        }
        places
    }

    /// What a cell is called.
    pub fn cell_text(&self, cell: usize, names: &Names) -> String {
        let (one, two) = self.cells[cell];
        format!("{} {}", names.text(one), names.text(two))
    }

    /// What a content is called.
    pub fn content_text(&self, content: usize, names: &Names) -> String {
        let texts: Vec<String> =
            self.contents[content].iter().map(|&term| names.text(term)).collect();
        texts.join(" ")
    }

    /// The names of the relations that its fluents belong to.
    pub fn relations(&self, names: &Names) -> BTreeSet<String> {
        let relation = |at: &BoardFluent| {
            let text = names.fluent_text(at.fluent);
            let word = text.trim_start_matches('(').split(' ').next();
            word.unwrap_or_default().to_string()
        };
        self.fluents.iter().map(relation).collect()
    }
}

/// A relation whose arguments are read as cells and contents.
#[derive(Clone, Debug, Default)]
struct Reading {
    /// The arguments that are the coordinates.
    coordinates: (usize, usize),
    /// Each fluent, its cell and its content.
    fluents: Vec<(usize, Coordinates, Vec<TermId>)>,
    cells: HashSet<Coordinates>,
}

impl Reading {
    /// All readings of a relation; those with the content last come first.
    fn all(fluents: &[(usize, Vec<TermId>)]) -> Vec<Reading> {
        let arity = fluents.first().map_or(0, |(_, args)| args.len());
        let pairs = (1..arity).flat_map(|two| (0..two).map(move |one| (one, two)));
        pairs.map(|pair| Reading::new(fluents, pair)).collect()
    }

    fn new(fluents: &[(usize, Vec<TermId>)], coordinates: (usize, usize)) -> Self {
        let (one, two) = coordinates;
        let read = |(fluent, args): &(usize, Vec<TermId>)| {
            let rest = args.iter().enumerate().filter(|(at, _)| *at != one && *at != two);
            (*fluent, (args[one], args[two]), rest.map(|(_, &arg)| arg).collect())
        };
        let fluents: Vec<(usize, Coordinates, Vec<TermId>)> = fluents.iter().map(read).collect();
        let cells = fluents.iter().map(|(_, cell, _)| *cell).collect();
        Reading { coordinates, fluents, cells }
    }

    /// Whether no cell has two contents in a state that play has met.
    fn is_exclusive(&self, fluent_count: usize, episodes: &[Episode]) -> bool {
        let mut cells = Indices::default();
        let mut cell_of = vec![None; fluent_count];
        for (fluent, cell, _) in &self.fluents {
            cell_of[*fluent] = Some(cells.index(*cell));
        }
        // By cell: the last state, counted from 1, in which something was on it.
        let mut seen = vec![0; self.cells.len()];
        let states = episodes.iter().flat_map(|episode| &episode.states);
        (1..).zip(states).all(|(number, state)| {
            let mut cells = state.iter().filter_map(|fluent| *cell_of.get(fluent)?);
            cells.all(|cell| std::mem::replace(&mut seen[cell], number) != number)
        })
    }

    /// Whether another relation has cells on the same columns and rows, and a content in common.
    fn is_completed_by(&self, other: &Reading) -> bool {
        let side = |reading: &Reading, of: fn(&Coordinates) -> TermId| -> BTreeSet<TermId> {
            reading.cells.iter().map(of).collect()
        };
        let contents: BTreeSet<&Vec<TermId>> = self.fluents.iter().map(|one| &one.2).collect();
        self.coordinates == other.coordinates
            && side(other, |cell| cell.0).is_subset(&side(self, |cell| cell.0))
            && side(other, |cell| cell.1).is_subset(&side(self, |cell| cell.1))
            && other.fluents.iter().any(|one| contents.contains(&one.2))
    }

    fn is_board(&self) -> bool {
        let columns: HashSet<TermId> = self.cells.iter().map(|cell| cell.0).collect();
        let rows: HashSet<TermId> = self.cells.iter().map(|cell| cell.1).collect();
        let contents: HashSet<&Vec<TermId>> = self.fluents.iter().map(|one| &one.2).collect();
        columns.len() > 1
            && rows.len() > 1
            && contents.len() > 1
            && self.cells.len() >= FEWEST_CELLS
    }
}

/// Fluents with their arguments, by relation, in the order of their first ones.
fn relations(names: &Names) -> Vec<Vec<(usize, Vec<TermId>)>> {
    let terms = names.terms();
    let mut order = Indices::default();
    let mut relations: BTreeMap<usize, Vec<(usize, Vec<TermId>)>> = BTreeMap::new();
    for fluent in 0..names.fluent_count() {
        let term = names.fluent_term(fluent);
        let args = arguments(terms, term);
        if (3..=MOST_ARGUMENTS).contains(&args.len()) {
            let relation = order.index((terms.name(term), args.len()));
            relations.entry(relation).or_default().push((fluent, args));
        }
    }
    relations.into_values().collect()
}

/// The arguments of a fluent. Where one of two is a pair, such as in `(at (cell 1 2) x)`, the pair
/// is taken apart.
fn arguments(terms: &Terms, term: TermId) -> Vec<TermId> {
    let args = terms.args(term);
    let is_pair = |arg: &&TermId| terms.args(**arg).len() == 2;
    if args.len() != 2 || args.iter().filter(is_pair).count() != 1 {
        return args.to_vec();
    }
    let parts = args.iter().flat_map(|arg| match terms.args(*arg) {
        pair @ [_, _] => pair,
        _ => std::slice::from_ref(arg),
    });
    parts.copied().collect()
}

/// Items numbered in the order in which they come.
struct Indices<T> {
    items: Vec<T>,
    index: HashMap<T, usize>,
}

impl<T> Default for Indices<T> {
    fn default() -> Self {
        Indices { items: Vec::new(), index: HashMap::new() }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Indices<T> {
    fn index(&mut self, item: T) -> usize {
        *self.index.entry(item).or_insert_with_key(|item| {
            self.items.push(item.clone());
            self.items.len() - 1
        })
    }
}
