//! Wires that cross columns get a bend in each, so that only neighbouring columns are linked.
//!
//! All wires that leave a node share one chain of bends and branch off where necessary, as in a
//! circuit diagram. A wire that runs backwards has a chain of its own, with a turn on either side:
//!
//! ```text
//!   turn ─── bend ─── bend ─── turn        columns  l(to)-1 ... l(from)+1
//!     └────▶ to        ···  from ──┘
//! ```

use super::graph::{Graph, TooManyBends};
use super::layers::Layers;

/// More bends than this are refused.
const MAX_BENDS: u64 = 1_000_000;

/// Nodes first, then bends; each in its column and linked to its neighbours.
pub(super) struct Chains {
    /// The column of each vertex.
    pub(super) layer: Vec<usize>,
    /// The vertices to the left of each that it is linked with.
    pub(super) left: Vec<Vec<usize>>,
    /// The vertices to the right.
    pub(super) right: Vec<Vec<usize>>,
    /// The bends of each wire, in the direction of the wire.
    pub(super) bends: Vec<Vec<usize>>,
    /// How many vertices are nodes.
    pub(super) nodes: usize,
}

/// Cuts wires at the columns they cross.
pub(super) fn chains(graph: &Graph, layers: &Layers) -> Result<Chains, TooManyBends> {
    // Columns for the turns on the left.
    let shift = usize::from(layers.is_back.contains(&true));
    let layer: Vec<usize> = layers.layer.iter().map(|layer| layer + shift).collect();
    refuse_too_many(graph, &layer, &layers.is_back)?;
    let nodes = layer.len();
    let mut chains = Chains {
        left: vec![Vec::new(); nodes],
        right: vec![Vec::new(); nodes],
        bends: Vec::with_capacity(graph.edges.len()),
        layer,
        nodes,
    };
    // The shared chain of each node so far.
    let mut trunks: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for (edge, &back) in graph.edges.iter().zip(&layers.is_back) {
        let bends = if back {
            chains.backward(edge.from, edge.to)
        } else {
            chains.forward(edge.from, edge.to, &mut trunks[edge.from])
        };
        chains.bends.push(bends);
    }
    Ok(chains)
}

fn refuse_too_many(graph: &Graph, layer: &[usize], is_back: &[bool]) -> Result<(), TooManyBends> {
    let mut furthest = layer.to_vec();
    let mut bends = 0;
    for (edge, &back) in graph.edges.iter().zip(is_back) {
        if back {
            bends += (layer[edge.from] + 3 - layer[edge.to]) as u64;
        } else {
            furthest[edge.from] = furthest[edge.from].max(layer[edge.to] - 1);
        }
    }
    bends += furthest.iter().zip(layer).map(|(far, near)| (far - near) as u64).sum::<u64>();
    if bends > MAX_BENDS { Err(TooManyBends { bends, limit: MAX_BENDS }) } else { Ok(()) }
}

impl Chains {
    /// How many columns there are.
    pub(super) fn columns(&self) -> usize {
        self.layer.iter().map(|layer| layer + 1).max().unwrap_or(0)
    }

    fn forward(&mut self, from: usize, to: usize, trunk: &mut Vec<usize>) -> Vec<usize> {
        let needed = self.layer[to] - self.layer[from] - 1;
        while trunk.len() < needed {
            let last = trunk.last().copied().unwrap_or(from);
            let bend = self.bend(self.layer[last] + 1);
            self.link(last, bend);
            trunk.push(bend);
        }
        let bends = trunk[..needed].to_vec();
        self.link(bends.last().copied().unwrap_or(from), to);
        bends
    }

    fn backward(&mut self, from: usize, to: usize) -> Vec<usize> {
        let columns = self.layer[to] - 1..=self.layer[from] + 1;
        let chain: Vec<usize> = columns.map(|layer| self.bend(layer)).collect();
        self.link(chain[0], to);
        self.link(from, chain[chain.len() - 1]);
        for pair in chain.windows(2) {
            self.link(pair[0], pair[1]);
        }
        chain.into_iter().rev().collect()
    }

    fn bend(&mut self, layer: usize) -> usize {
        self.layer.push(layer);
        self.left.push(Vec::new());
        self.right.push(Vec::new());
        self.layer.len() - 1
    }

    fn link(&mut self, left: usize, right: usize) {
        self.right[left].push(right);
        self.left[right].push(left);
    }
}
