//! UCT: the move with the highest upper confidence bound.
//!
//! Kocsis and Szepesvári 2006; section 3.3 of the CadiaPlayer thesis. Ties are broken at random.

use rand_pcg::Pcg64;

use super::bounds::{Bound, Bounds, Highest, Terms, mean};
use super::{Choice, Choose, MakeSelection, NodeMoves};
use crate::search::scheme::{Parameter, Part, Values};
use crate::search::tree::{MoveEntry, Tree};

/// How strongly little-visited moves are preferred.
pub(crate) const C: Parameter = Parameter::number(
    "c",
    "how strongly little-visited moves are preferred in the tree, on the scale of goals",
    40.0,
    0.0,
    1e6,
);

/// Whether the preference fits the goals that occur.
const SCALED: Parameter = Parameter::switch(
    "scaled_c",
    "whether c is for goals from 0 to 100 and shrinks with the spread of those that occur",
    false,
);

/// Ties among bounds, so that decoupled UCT does not run in circles.
const TIES: Parameter = Parameter::number(
    "ties",
    "where several roles choose at once: bounds that are this close to the highest are equal",
    0.0,
    0.0,
    100.0,
);

/// The part with this name.
pub(crate) const PART: Part<MakeSelection> = Part {
    name: "uct",
    help: "moves in the tree by upper confidence bounds (UCB1)",
    paper: "Kocsis and Szepesvári 2006",
    parameters: &[C, SCALED, TIES],
    make: |values, adjustments| {
        let base = Uct::new(values);
        if adjustments.is_empty() { Box::new(base) } else { Box::new(Bounds { base, adjustments }) }
    },
};

/// UCT, which other schemes use where only one role chooses.
pub(super) struct Uct {
    c: f64,
    is_scaled: bool,
    /// Tak, Lanctot and Winands 2014, "Monte Carlo tree search variants for simultaneous move games":
    /// one of the moves within 0.01 of the highest bound is chosen at random, with scores from 0 to 1.
    ties: f64,
}

impl Uct {
    pub(super) fn new(values: &Values) -> Self {
        Uct { c: values.get(&C), is_scaled: values.is_on(&SCALED), ties: values.get(&TIES) }
    }

    /// The preference for little-visited moves in a tree.
    #[inline]
    fn preference(&self, tree: &Tree) -> f64 {
        if self.is_scaled { self.c * tree.goal_range.spread() } else { self.c }
    }
}

impl Choose for Uct {
    #[inline]
    fn choose(&self, node: &NodeMoves, rng: &mut Pcg64) -> Choice {
        let has_ties = self.ties > 0.0 && node.several_choose();
        if node.closed.is_empty() && !has_ties {
            return highest_bound(self.preference(node.tree), node.moves(), node.visits, rng);
        }
        let mut terms = Terms::default();
        self.fill(node, &mut terms);
        terms.close(node);
        if has_ties { terms.one_of_highest(self.ties, rng) } else { terms.highest(rng) }
    }
}

impl Bound for Uct {
    fn fill(&self, node: &NodeMoves, terms: &mut Terms) {
        let spread = self.preference(node.tree) * node.visits.max(1.0).ln().sqrt();
        for entry in node.moves() {
            terms.push(mean(entry), spread / entry.visits.sqrt());
        }
    }
}

/// Bounds computed at once, in vectors: square roots and divisions are slow.
const AT_ONCE: usize = 4;

/// The highest bound. Bounds of moves never tried are NaN, so these moves are not chosen.
#[inline]
fn highest_bound(c: f64, moves: &[MoveEntry], visits: f64, rng: &mut Pcg64) -> Choice {
    // The bound is total/n + c sqrt(ln N / n); a node is visited at least once where moves are tried.
    let spread = c * visits.max(1.0).ln().sqrt();
    let bound = |entry: &MoveEntry| {
        let inverse = 1.0 / entry.visits;
        entry.total * inverse + spread * inverse.sqrt()
    };
    let mut highest = Highest::default();
    let (groups, rest) = moves.as_chunks::<AT_ONCE>();
    for (at, group) in groups.iter().enumerate() {
        let bounds = group.each_ref().map(bound);
        if bounds.iter().fold(false, |any, &bound| any | (bound >= highest.bound)) {
            highest.compare(at * AT_ONCE, bounds, rng);
        }
    }
    highest.compare(moves.len() - rest.len(), rest.iter().map(bound), rng);
    highest.choice()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    fn moves(visits: &[f64], total: &[f64]) -> Vec<MoveEntry> {
        let statistics = (0..).zip(visits.iter().zip(total));
        statistics.map(|(at, (&visits, &total))| MoveEntry::new(at, visits, total)).collect()
    }

    fn counts(c: f64, moves: &[MoveEntry], visits: f64, times: usize) -> Vec<usize> {
        let mut rng = Pcg64::seed_from_u64(5);
        let mut counts = vec![0; moves.len()];
        for _ in 0..times {
            counts[highest_bound(c, moves, visits, &mut rng).at] += 1;
        }
        counts
    }

    #[test]
    fn the_highest_bound_is_chosen() {
        // With N = 12: 50 + 40 sqrt(ln 12 / 10) = 69.9, 20 + 40 sqrt(ln 12 / 2) = 64.6.
        let known = moves(&[10.0, 2.0], &[500.0, 40.0]);
        assert_eq!(counts(40.0, &known, 12.0, 10), [10, 0]);
        // 50 + 60 sqrt(ln 12 / 10) = 79.9, 20 + 60 sqrt(ln 12 / 2) = 86.9.
        assert_eq!(counts(60.0, &known, 12.0, 10), [0, 10]);
    }

    #[test]
    fn the_highest_bound_is_found_at_every_place() {
        for count in 2..15 {
            for best in 0..count {
                let mut total = vec![100.0; count];
                total[best] = 101.0;
                let expected: Vec<usize> = (0..count).map(|at| usize::from(at == best)).collect();
                assert_eq!(counts(40.0, &moves(&vec![2.0; count], &total), 30.0, 1), expected);
            }
        }
    }

    #[test]
    fn ties_are_broken_at_random() {
        for count in [3, 7] {
            let known = moves(&vec![2.0; count], &vec![100.0; count]);
            let counts = counts(40.0, &known, 6.0, 1000 * count);
            assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
        }
    }
}
