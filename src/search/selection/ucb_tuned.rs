//! UCB1-Tuned: moves whose scores vary little are explored less.
//!
//! Auer, Cesa-Bianchi and Fischer 2002, "Finite-time Analysis of the Multiarmed Bandit Problem", section
//! 4. With scores from 0 to 1 the bound is `mean + sqrt(ln N / n * min(1/4, V))`, where V is the
//! variance of the scores plus sqrt(2 ln N / n).

use super::bounds::{Bound, Bounds, Terms, mean};
use super::{MakeSelection, NodeMoves};
use crate::search::scheme::{Parameter, Part};
use crate::search::tree::{ColumnSpec, SQUARES};

/// A factor of the bonus.
const FACTOR: Parameter = Parameter::number(
    "tuned_c",
    "a factor for the preference of little-visited moves by ucb_tuned",
    1.0,
    0.0,
    1e3,
);

/// The part with this name.
pub(super) const PART: Part<MakeSelection> = Part {
    name: "ucb_tuned",
    help: "moves in the tree by bounds that depend on the variance of their scores",
    paper: "Auer, Cesa-Bianchi and Fischer 2002 (UCB1-Tuned)",
    parameters: &[FACTOR],
    make: |values, adjustments| {
        Box::new(Bounds { base: UcbTuned { factor: values.get(&FACTOR) }, adjustments })
    },
};

/// The highest goal.
const SCALE: f64 = 100.0;

struct UcbTuned {
    factor: f64,
}

impl Bound for UcbTuned {
    const COLUMNS: &'static [ColumnSpec] = &[SQUARES];

    fn fill(&self, node: &NodeMoves, terms: &mut Terms) {
        let squares = node.tree.columns.get(SQUARES).unwrap_or_default();
        let log = node.visits.max(1.0).ln();
        for (entry, &squares) in node.moves().iter().zip(&squares[node.span.clone()]) {
            let mean = mean(entry);
            terms.push(mean, self.factor * SCALE * bonus(mean, squares, entry.visits, log));
        }
    }
}

/// The bonus of a move, for scores from 0 to 1.
fn bonus(mean: f64, squares: f64, visits: f64, log: f64) -> f64 {
    let mean = mean / SCALE;
    let variance = (squares / (SCALE * SCALE * visits) - mean * mean).max(0.0);
    let ratio = log / visits;
    (ratio * (variance + (2.0 * ratio).sqrt()).min(0.25)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bonus_depends_on_the_variance() {
        // 1,000 visits in all, 500 of the move: ln 1000 / 500 = 0.013816, sqrt(2 * 0.013816) = 0.16623.
        let log = 1000_f64.ln();
        // All scores are 50: V = 0.16623, and sqrt(0.013816 * 0.16623) = 0.047923.
        assert!((bonus(50.0, 500.0 * 2500.0, 500.0, log) - 0.047_923).abs() < 1e-5);
        // Half of them are 100: a variance of 1/4, so the bonus is sqrt(0.013816 / 4) = 0.058770.
        assert!((bonus(50.0, 250.0 * 10_000.0, 500.0, log) - 0.058_770).abs() < 1e-5);
    }
}
