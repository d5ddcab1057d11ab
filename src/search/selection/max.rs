//! MAX: UCT by the highest score of a move instead of its mean, in games for one role.
//!
//! Equation 5 of Świechowski, Mańdziuk and Ong 2016: without opponents a line that was played once
//! can be played again. With several roles it is UCT.

use super::bounds::{Bound, Bounds, Terms, mean};
use super::uct::C;
use super::{MakeSelection, NodeMoves};
use crate::search::scheme::Part;
use crate::search::tree::{BEST, ColumnSpec};

/// The part with this name.
pub(crate) const PART: Part<MakeSelection> = Part {
    name: "max",
    help: "in games for one role, moves in the tree by their highest score instead of the mean",
    paper: "Świechowski, Mańdziuk and Ong 2016, equation 5",
    parameters: &[C],
    make: |values, adjustments| Box::new(Bounds { base: Max { c: values.get(&C) }, adjustments }),
};

struct Max {
    c: f64,
}

impl Bound for Max {
    const COLUMNS: &'static [ColumnSpec] = &[BEST];

    fn fill(&self, node: &NodeMoves, terms: &mut Terms) {
        let spread = self.c * node.visits.max(1.0).ln().sqrt();
        let best = node.tree.columns.get(BEST).filter(|_| node.tree.roles() == 1);
        for (at, entry) in node.span.clone().zip(node.moves()) {
            // Only what has ended has a highest score.
            let best = best.map(|best| best[at]).filter(|best| best.is_finite());
            let value = match best {
                Some(best) if entry.visits > 0.0 => best,
                _ => mean(entry),
            };
            terms.push(value, spread / entry.visits.sqrt());
        }
    }
}

#[cfg(test)]
mod tests {
    use propnet::lanes::Ending;
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    use super::super::Choose;
    use super::*;
    use crate::search::tree::Closed;
    use crate::search::tree_search::{CHOICE, Trial};

    #[test]
    fn the_highest_score_counts_and_not_the_mean() {
        let mut trial = Trial::new(CHOICE, "uct", &["in_flight=1"]);
        // The first move scores 90 once and 0 twice, the second 50 three times.
        for (first, score) in [(0, 90), (0, 0), (0, 0), (1, 50), (1, 50), (1, 50)] {
            trial.simulate(&trial.moves(&[first; 8]), score, Ending::Terminal);
        }
        let tree = &trial.search.tree;
        let span = tree.span(tree.root, 0);
        let node = NodeMoves {
            tree,
            role: 0,
            span,
            visits: 6.0,
            path: &[tree.root],
            chosen: &[],
            closed: Closed::default(),
        };
        let chosen = |c: f64| {
            let selection = Bounds { base: Max { c }, adjustments: Vec::new() };
            selection.choose(&node, &mut Pcg64::seed_from_u64(1))
        };
        // Both have three visits: 90 + c sqrt(ln 6 / 3) against 50 + the same.
        let first = chosen(40.0);
        assert_eq!(first.at, 0);
        let expected = 90.0 + 40.0 * (6f64.ln() / 3.0).sqrt();
        assert!((first.bound - expected).abs() < 1e-9, "{}", first.bound);
    }
}
