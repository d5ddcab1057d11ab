//! GRAVE: values of all moves as first, from the nearest ancestor with enough samples.
//!
//! Cazenave 2015, "Generalized Rapid Action Value Estimation". Few simulations pass a node far from
//! the root, so its own samples say little; those of an ancestor are less local, but many. A bound is
//! `b * amaf + (1 - b) * bound` with b = m / (m + n + bias * m * n), for m samples of the ancestor and
//! n visits of the move.

use propnet::game::Role;
use rustc_hash::FxHashMap;

use super::amaf::{LaterMoves, landed};
use super::{Adjustment, MakeAdjustment, NodeMoves, Terms};
use crate::search::policy::Finished;
use crate::search::scheme::{Parameter, Part};
use crate::search::tree::{BACKED_UP, ColumnSpec, Tree};
use crate::search::tree_search::Simulation;

/// The samples that an ancestor needs.
const REFERENCE: Parameter =
    Parameter::count("grave_ref", "samples that an ancestor needs to be used", 50, 1, 1 << 40);

/// How soon means are trusted more.
const BIAS: Parameter = Parameter::number(
    "grave_bias",
    "how soon a move's own mean is trusted more than all-moves-as-first values",
    1e-5,
    0.0,
    1.0,
);

/// The part with this name.
pub(super) const PART: Part<MakeAdjustment> = Part {
    name: "grave",
    help: "as rave, with the samples of the nearest ancestor that has enough",
    paper: "Cazenave 2015",
    parameters: &[REFERENCE, BIAS],
    make: MakeAdjustment {
        kind: "all moves as first",
        plays_most_visited: true,
        make: |values| {
            Box::new(Grave {
                reference: values.get(&REFERENCE),
                bias: values.get(&BIAS),
                tables: FxHashMap::default(),
                later: LaterMoves::default(),
                samples: 0,
            })
        },
    },
};

/// The most nodes with samples: they are those nearest to the root, which many simulations pass.
const MOST_TABLES: usize = 4096;

struct Grave {
    reference: f64,
    bias: f64,
    /// By the hash of a node's state, which stays when a tree is copied.
    tables: FxHashMap<u64, Samples>,
    later: LaterMoves,
    samples: u64,
}

/// The samples of a node, whatever moves are legal there.
#[derive(Default)]
struct Samples {
    simulations: f64,
    /// By role and move: the sum of the scores, and how many there are.
    moves: Vec<Vec<(f64, f64)>>,
}

impl Samples {
    fn add(&mut self, role: Role, at: usize, score: f64, count: f64) {
        let moves = &mut self.moves[role];
        if at >= moves.len() {
            moves.resize(at + 1, (0.0, 0.0));
        }
        moves[at].0 += count * score;
        moves[at].1 += count;
    }
}

impl Adjustment for Grave {
    fn columns(&self) -> &'static [ColumnSpec] {
        &[BACKED_UP]
    }

    fn adjust(&self, node: &NodeMoves, terms: &mut Terms) {
        let samples = node.path.iter().rev().find_map(|&ancestor| {
            let samples = self.tables.get(&node.tree[ancestor].hash())?;
            (samples.simulations >= self.reference).then_some(samples)
        });
        let Some(samples) = samples else { return };
        let Some(backed_up) = node.tree.columns.get(BACKED_UP) else { return };
        let moves = node.moves().iter().zip(&backed_up[node.span.clone()]);
        for (at, (entry, &backed_up)) in moves.enumerate() {
            if let Some(&(total, count)) = samples.moves[node.role].get(entry.index())
                && count > 0.0
            {
                let visits = entry.visits;
                let share = count / (count + visits + self.bias * count * visits);
                terms.blend(at, landed(backed_up, visits) * total / count, share);
            }
        }
    }

    fn learns(&self) -> bool {
        true
    }

    fn learn(&mut self, tree: &mut Tree, simulation: &Simulation, finished: &Finished) {
        let Grave { tables, later, samples, .. } = self;
        later.walk(finished, simulation.nodes.len(), |later, level, scores| {
            let hash = tree[simulation.nodes[level]].hash();
            if !tables.contains_key(&hash) && tables.len() >= MOST_TABLES {
                return;
            }
            let table = tables.entry(hash).or_default();
            table.moves.resize_with(scores.len(), Vec::new);
            table.simulations += finished.count;
            for &(role, at) in &later.met {
                table.add(role, at, scores[role], finished.count);
            }
            *samples += later.met.len() as u64;
        });
    }

    fn change_root(&mut self) {
        // Other nodes are near the root now; they soon have samples of their own.
        self.tables.clear();
    }

    fn amaf_samples(&self) -> u64 {
        self.samples
    }
}
