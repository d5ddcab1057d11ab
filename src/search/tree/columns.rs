//! Statistics of moves beyond visits and totals: a column for each, beside the moves.
//!
//! A part of a search that needs a statistic asks for its column when the tree is made. Growing,
//! copying and freeing columns is written here once.

use std::ops::Range;

use super::lists::{ListBytes, grow};

/// What a part asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ColumnSpec {
    /// Parts that ask for the same name share a column.
    pub(crate) name: &'static str,
    /// The value of a move that was never tried.
    pub(crate) initial: f64,
}

/// By move: the highest score.
pub(crate) const BEST: ColumnSpec = ColumnSpec { name: "best", initial: f64::NEG_INFINITY };

/// By move: the sum of the squares of its scores.
pub(crate) const SQUARES: ColumnSpec = ColumnSpec { name: "squares", initial: 0.0 };

/// By move: the moving average of its scores.
pub(crate) const MOVING: ColumnSpec = ColumnSpec { name: "moving", initial: 0.0 };

/// By move: how many of its visits are backed up. The others are in flight.
pub(crate) const BACKED_UP: ColumnSpec = ColumnSpec { name: "backed_up", initial: 0.0 };

/// By move: the regret not to have made it, and the sum of the shares with which it was to be chosen.
pub(crate) const REGRET: ColumnSpec = ColumnSpec { name: "regret", initial: 0.0 };
pub(crate) const SHARES: ColumnSpec = ColumnSpec { name: "shares", initial: 0.0 };

/// One statistic of every move.
struct Column {
    spec: ColumnSpec,
    values: Vec<f64>,
}

/// All columns of a tree.
#[derive(Default)]
pub(crate) struct Columns(Vec<Column>);

impl Columns {
    /// Empty columns, one for each name.
    pub(crate) fn new(specs: &[ColumnSpec]) -> Self {
        let mut columns: Vec<Column> = Vec::new();
        for &spec in specs {
            if columns.iter().all(|column| column.spec.name != spec.name) {
                columns.push(Column { spec, values: Vec::new() });
            }
        }
        Columns(columns)
    }

    /// Columns for the same statistics, without values.
    pub(crate) fn empty_like(&self) -> Self {
        let empty = |column: &Column| Column { spec: column.spec, values: Vec::new() };
        Columns(self.0.iter().map(empty).collect())
    }

    /// The values of a statistic by move; none where no part has asked for it.
    pub(crate) fn get(&self, spec: ColumnSpec) -> Option<&[f64]> {
        let found = self.0.iter().find(|column| column.spec.name == spec.name);
        found.map(|column| &column.values[..])
    }

    /// The same, to change them.
    pub(crate) fn get_mut(&mut self, spec: ColumnSpec) -> Option<&mut [f64]> {
        let found = self.0.iter_mut().find(|column| column.spec.name == spec.name);
        found.map(|column| &mut column.values[..])
    }

    /// The values of two statistics, to change both; none where no part has asked for them.
    pub(crate) fn pair_mut(
        &mut self,
        one: ColumnSpec,
        other: ColumnSpec,
    ) -> Option<[&mut [f64]; 2]> {
        let place = |spec: ColumnSpec| self.0.iter().position(|own| own.spec.name == spec.name);
        let places = [place(one)?, place(other)?];
        let columns = self.0.get_disjoint_mut(places).ok()?;
        Some(columns.map(|column| &mut column.values[..]))
    }

    /// Adds a number to a statistic of these moves, where a part has asked for it.
    pub(crate) fn add(&mut self, spec: ColumnSpec, moves: &[usize], number: f64) {
        if let Some(values) = self.get_mut(spec) {
            moves.iter().for_each(|&at| values[at] += number);
        }
    }

    /// Gives moves up to this count their initial values.
    pub(crate) fn resize(&mut self, moves: usize) {
        for Column { spec, values } in &mut self.0 {
            grow(values, moves - values.len());
            values.resize(moves, spec.initial);
        }
    }

    /// Appends the values of another tree's moves.
    pub(crate) fn extend_from(&mut self, other: &Columns, moves: Range<usize>) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            grow(&mut own.values, moves.len());
            own.values.extend(&other.values[moves.clone()]);
        }
    }

    /// The bytes of each column.
    pub(crate) fn list_bytes(&self) -> impl Iterator<Item = ListBytes> {
        self.0.iter().map(|column| ListBytes::of(&column.values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AMAF: ColumnSpec = ColumnSpec { name: "amaf", initial: 0.0 };

    #[test]
    fn parts_that_ask_for_the_same_statistic_share_it() {
        let mut columns = Columns::new(&[BEST, AMAF, BEST]);
        assert_eq!(columns.0.len(), 2);
        columns.resize(3);
        columns.get_mut(AMAF).expect("a column")[1] = 7.0;
        assert_eq!(columns.get(BEST), Some(&[f64::NEG_INFINITY; 3][..]));
        let mut copy = columns.empty_like();
        copy.extend_from(&columns, 1..3);
        assert_eq!(copy.get(AMAF), Some(&[7.0, 0.0][..]));
        assert_eq!(Columns::new(&[BEST]).get(AMAF), None);
    }
}
