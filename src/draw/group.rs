//! The boards of one name, made of the sentences that can be true.

use std::collections::{BTreeMap, BTreeSet};

use super::hexagon::positions;
use super::layout::{BoardShape, Cell, DrawnBoard};
use super::links::Links;
use super::pieces::is_blank;
use super::reading::{BoardReading, CellFluent, CellNaming, MAX_SIDE, Sample, axis};
use super::sentence::{Sentence, compare_lists, coordinate, joined};

/// The boards of one name.
#[derive(Clone, Debug)]
pub(super) struct Group {
    reading: BoardReading,
    /// All known cells.
    places: BTreeSet<(Vec<String>, String, String)>,
    /// All known contents.
    pub(super) contents: BTreeSet<String>,
    /// The contents at the start, each with the number of its cells.
    pub(super) first: BTreeMap<String, usize>,
    /// Whether there cannot be other cells.
    is_complete: bool,
}

impl Group {
    /// The boards of sentences that are read in this way. `is_complete` says that no other
    /// sentences can be true.
    pub(super) fn new(reading: BoardReading, sample: &Sample<'_>, is_complete: bool) -> Self {
        let cells: Vec<CellFluent> =
            sample.all.iter().filter_map(|args| reading.read(args)).collect();
        let mut first = BTreeMap::new();
        for args in sample.states.first().into_iter().flatten() {
            if let Some(cell) = reading.read(args) {
                *first.entry(cell.content).or_insert(0) += 1;
            }
        }
        Group {
            contents: cells.iter().map(|cell| cell.content.clone()).collect(),
            places: cells.into_iter().map(|cell| (cell.part, cell.column, cell.row)).collect(),
            first,
            is_complete,
            reading,
        }
    }

    /// The name of its sentences.
    pub(super) fn name(&self) -> &str {
        &self.reading.name
    }

    /// How its sentences are read.
    pub(super) fn reading(&self) -> &BoardReading {
        &self.reading
    }

    /// The number of its known cells.
    pub(super) fn size(&self) -> usize {
        self.places.len()
    }

    /// What a sentence says, if it is about one of the boards.
    pub(super) fn read(&self, sentence: &Sentence) -> Option<CellFluent> {
        let is_ours = self.reading.name == sentence.name;
        is_ours.then(|| self.reading.read(&sentence.args)).flatten()
    }

    /// Adds what a sentence is about; true if its cell was not known.
    pub(super) fn include(&mut self, cell: CellFluent) -> bool {
        self.contents.insert(cell.content);
        self.places.insert((cell.part, cell.column, cell.row))
    }

    /// Its cells on all boards.
    pub(super) fn cells(&self) -> BTreeSet<(&str, &str)> {
        self.places.iter().map(|(_, column, row)| (column.as_str(), row.as_str())).collect()
    }

    fn square(&self, number: usize, chains: &[Vec<String>]) -> Vec<DrawnBoard> {
        let side = |of: fn(&(Vec<String>, String, String)) -> &String| {
            let values: BTreeSet<&str> =
                self.places.iter().map(|place| of(place).as_str()).collect();
            let names = axis(&values, chains);
            let mut names =
                names.unwrap_or_else(|| values.iter().map(|value| value.to_string()).collect());
            fill_gaps(&mut names);
            names
        };
        let (columns, rows) = (side(|place| &place.1), side(|place| &place.2));
        let parts: BTreeSet<&Vec<String>> = self.places.iter().map(|place| &place.0).collect();
        let mut parts: Vec<&Vec<String>> = parts.into_iter().collect();
        parts.sort_by(|a, b| compare_lists(a, b));
        // If blanks are explicit, or all sentences are known, there are no other cells.
        let is_exact = self.is_complete || self.contents.iter().any(|name| is_blank(name));
        let board = |part: &Vec<String>| {
            let is_cell = |column: usize, row: usize| {
                let place = (part.clone(), columns[column].clone(), rows[row].clone());
                !is_exact || self.places.contains(&place)
            };
            let cells = (0..rows.len())
                .flat_map(|row| (0..columns.len()).map(move |column| (column, row)))
                .filter(|&(column, row)| is_cell(column, row))
                .map(|(column, row)| Cell { column, row, x: 2 * column as i32 });
            DrawnBoard {
                name: self.reading.name.clone(),
                part: part.clone(),
                cells: cells.collect(),
                columns: columns.clone(),
                rows: rows.clone(),
                shape: BoardShape::Square,
                group: number,
            }
        };
        parts.into_iter().map(board).collect()
    }

    /// The boards with the number of the group, slanted if links show that their cells are
    /// hexagons.
    pub(super) fn boards(
        &mut self,
        number: usize,
        chains: &[Vec<String>],
        links: &Links,
    ) -> Vec<DrawnBoard> {
        let square = self.square(number, chains);
        let slanted = self.slanted(square.clone(), links);
        slanted.or_else(|| self.turned(number, chains, links)).unwrap_or(square)
    }

    /// In places such as `c4`, the row is either the letter or the number; links decide which.
    fn turned(
        &mut self,
        number: usize,
        chains: &[Vec<String>],
        links: &Links,
    ) -> Option<Vec<DrawnBoard>> {
        let CellNaming::Joined { arg, letters_up: false } = self.reading.place else { return None };
        let mut turned = self.clone();
        turned.reading.place = CellNaming::Joined { arg, letters_up: true };
        turned.places = self.places.iter().cloned().map(|(part, x, y)| (part, y, x)).collect();
        let slanted = turned.slanted(turned.square(number, chains), links)?;
        *self = turned;
        Some(slanted)
    }

    /// The boards, slanted; only if all of them are alike.
    fn slanted(&self, mut boards: Vec<DrawnBoard>, links: &Links) -> Option<Vec<DrawnBoard>> {
        let first = boards.first()?;
        if boards.iter().any(|board| board.cells != first.cells) {
            return None;
        }
        let index = |names: &[String]| -> BTreeMap<String, usize> {
            names.iter().enumerate().map(|(at, name)| (name.clone(), at)).collect()
        };
        let (columns, rows) = (index(&first.columns), index(&first.rows));
        let cells: BTreeMap<(usize, usize), usize> = first
            .cells
            .iter()
            .enumerate()
            .map(|(at, cell)| ((cell.column, cell.row), at))
            .collect();
        let cell =
            |column: &str, row: &str| cells.get(&(*columns.get(column)?, *rows.get(row)?)).copied();
        let places: Vec<(usize, usize)> =
            first.cells.iter().map(|cell| (cell.column, cell.row)).collect();
        let found = links
            .pairs(|args| named_cells(self.reading.place, args, cell))
            .find_map(|links| positions(&places, &links))?;
        for board in &mut boards {
            board.shape = BoardShape::Hexagonal;
            for (cell, &x) in board.cells.iter_mut().zip(&found) {
                cell.x = x;
            }
        }
        Some(boards)
    }
}

/// The cells that arguments name. Coordinates come last, so the search for them starts at the end.
fn named_cells(
    place: CellNaming,
    args: &[String],
    cell: impl Fn(&str, &str) -> Option<usize>,
) -> Vec<usize> {
    let mut found = Vec::new();
    match place {
        CellNaming::Joined { letters_up, .. } => {
            for (letter, number) in args.iter().filter_map(|arg| joined(arg)) {
                let at = if letters_up { cell(number, letter) } else { cell(letter, number) };
                found.extend(at);
            }
        }
        CellNaming::Pair { .. } => {
            let mut end = args.len();
            while end >= 2 {
                match cell(&args[end - 2], &args[end - 1]) {
                    Some(at) => {
                        found.push(at);
                        end -= 2;
                    }
                    None => end -= 1,
                }
            }
        }
    }
    found
}

/// Adds the bare numbers between the smallest and the largest. None of them is known to be a cell,
/// but they keep the other cells at their numerical positions.
fn fill_gaps(names: &mut Vec<String>) {
    let number = |text: &String| match coordinate(text) {
        Some(("", number)) => Some(number),
        _ => None,
    };
    let numbers: Option<Vec<i64>> = names.iter().map(number).collect();
    let Some(numbers) = numbers else { return };
    let (Some(&least), Some(&most)) = (numbers.iter().min(), numbers.iter().max()) else { return };
    if most.saturating_sub(least) < MAX_SIDE as i64 {
        // Names keep their spelling: 01 is not 1.
        let by_number: BTreeMap<i64, String> =
            numbers.into_iter().zip(std::mem::take(names)).collect();
        let name = |number: i64| by_number.get(&number).cloned().unwrap_or(number.to_string());
        *names = (least..=most).map(name).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_between_others_are_added_and_names_stay_as_they_are() {
        let filled = |names: &[&str]| {
            let mut names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
            fill_gaps(&mut names);
            names
        };
        assert_eq!(filled(&["1", "4"]), ["1", "2", "3", "4"]);
        assert_eq!(filled(&["01", "03", "10"])[..4], ["01", "2", "03", "4"]);
        assert_eq!(filled(&["a", "c"]), ["a", "c"]);
    }
}
