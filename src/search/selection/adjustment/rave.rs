//! RAVE: values of all moves as first, which count less the more a node is visited.
//!
//! Gelly and Silver 2007; section 4.1.5 of the CadiaPlayer thesis. Every move that a role makes later
//! in a simulation is a sample for the same move in each node of the path. With n visits of the node
//! a bound is `b * amaf + (1 - b) * bound`, b = sqrt(k / (3n + k)).

use super::amaf::{LaterMoves, landed};
use super::{Adjustment, MakeAdjustment, NodeMoves, Terms};
use crate::search::policy::Finished;
use crate::search::scheme::{Parameter, Part};
use crate::search::tree::{BACKED_UP, ColumnSpec, Tree};
use crate::search::tree_search::Simulation;

/// The visits for which both estimates count the same.
const K: Parameter = Parameter::number(
    "rave_k",
    "visits of a node at which all-moves-as-first values and means count the same",
    500.0,
    0.0,
    1e9,
);

/// The part with this name.
pub(super) const PART: Part<MakeAdjustment> = Part {
    name: "rave",
    help: "little-visited moves also count what came of them later (AMAF); the most visited is played",
    paper: "Gelly and Silver 2007; Finnsson 2012, section 4.1.5",
    parameters: &[K],
    make: MakeAdjustment {
        kind: "all moves as first",
        plays_most_visited: true,
        make: |values| {
            let later = LaterMoves::default();
            Box::new(Rave { k: values.get(&K), later, samples: 0 })
        },
    },
};

/// The sum of the scores after a move was made here or later, and how many there were.
const TOTAL: ColumnSpec = ColumnSpec { name: "amaf_total", initial: 0.0 };
const COUNT: ColumnSpec = ColumnSpec { name: "amaf_count", initial: 0.0 };

struct Rave {
    k: f64,
    later: LaterMoves,
    samples: u64,
}

impl Adjustment for Rave {
    fn columns(&self) -> &'static [ColumnSpec] {
        &[TOTAL, COUNT, BACKED_UP]
    }

    fn adjust(&self, node: &NodeMoves, terms: &mut Terms) {
        let columns = &node.tree.columns;
        let (Some(totals), Some(counts)) = (columns.get(TOTAL), columns.get(COUNT)) else { return };
        let Some(backed_up) = columns.get(BACKED_UP) else { return };
        let share = (self.k / (3.0 * node.visits + self.k)).sqrt();
        let span = node.span.clone();
        let samples = totals[span.clone()].iter().zip(&counts[span.clone()]);
        for (at, ((&total, &count), &backed_up)) in samples.zip(&backed_up[span]).enumerate() {
            if count > 0.0 {
                let landed = landed(backed_up, node.moves()[at].visits);
                terms.blend(at, landed * total / count, share);
            }
        }
    }

    fn learns(&self) -> bool {
        true
    }

    fn learn(&mut self, tree: &mut Tree, simulation: &Simulation, finished: &Finished) {
        let Rave { later, samples, .. } = self;
        let nodes = &simulation.nodes;
        let mut added = 0.0;
        later.walk(finished, nodes.len(), |later, level, scores| {
            for (role, score) in scores.iter().enumerate() {
                let span = tree.span(nodes[level], role);
                // A choice of one needs no samples.
                if span.len() == 1 {
                    continue;
                }
                let Tree { moves, columns, .. } = tree;
                let Some([totals, counts]) = columns.pair_mut(TOTAL, COUNT) else { return };
                let made = later.made(role);
                for at in span {
                    let sample =
                        made.get(moves[at].index()).map_or(0.0, |made| made * finished.count);
                    totals[at] += sample * score;
                    counts[at] += sample;
                    added += sample;
                }
            }
        });
        *samples += (added / finished.count) as u64;
    }

    fn amaf_samples(&self) -> u64 {
        self.samples
    }
}
