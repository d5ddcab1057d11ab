//! The cover by tables of three inputs: what processors with ternary logic do in one operation.
//!
//! A cut of a node is a set of nodes from which it can be computed; with at most three of them the
//! node is one table. Cuts are found from the inputs upwards, the best few are kept, and then the
//! cheapest cover is taken: first by area flow (the cost of a node is shared by those who read it),
//! then by the cells that a choice really saves. Size is all that counts; depth costs nothing.
//!
//! Priority cuts: Mishchenko, Cho, Chatterjee and Brayton 2007.

use super::cover::{Cell, pair};
use crate::circuit::{Gate, Network, Signal};

/// The cuts kept for each node, besides the node itself.
const KEPT: usize = 8;

/// The rounds in which each choice is looked at again.
const ROUNDS: usize = 3;

/// The tables of the three inputs themselves.
const INPUTS: [u8; 3] = [0b1111_0000, 0b1100_1100, 0b1010_1010];

/// Nodes that decide another, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cut {
    /// Ascending; the first `count` count.
    leaves: [u32; 3],
    count: usize,
    /// By the truth of the leaves; does not depend on those that are not there.
    table: u8,
    /// What the cell and its part of all below costs.
    flow: f32,
}

impl Cut {
    fn leaves(&self) -> &[u32] {
        &self.leaves[..self.count]
    }

    /// A node as a cut of itself.
    fn of(node: u32, flow: f32) -> Cut {
        Cut { leaves: [node; 3], count: 1, table: INPUTS[0], flow }
    }

    /// The same function over more leaves.
    fn table_over(&self, leaves: &[u32]) -> u8 {
        let places: Vec<usize> = self
            .leaves()
            .iter()
            .map(|leaf| leaves.iter().position(|other| other == leaf).expect("a leaf of both"))
            .collect();
        let row = |row: usize| {
            let own = (0..3).fold(0, |own, at| {
                let truth = places.get(at).map_or(0, |place| row >> (2 - place) & 1);
                own << 1 | truth
            });
            (self.table >> own & 1) << row
        };
        (0..8).map(row).sum()
    }
}

/// Whether to go on is asked once for this number of nodes looked at.
const ASK_EVERY: usize = 1024;

/// The cells of a network, as seen from these signals. Once the caller does not want them any more,
/// they are incomplete.
pub(super) fn three_input_cells(
    network: &Network,
    roots: impl Iterator<Item = Signal>,
    proceed: &dyn Fn() -> bool,
) -> Vec<Option<Cell>> {
    let mut mapper = Mapper::new(network, roots);
    mapper.find_cuts(proceed);
    mapper.refer_to_roots();
    for _ in 0..ROUNDS {
        mapper.improve(proceed);
    }
    mapper.cells()
}

struct Mapper<'a> {
    network: &'a Network,
    roots: Vec<u32>,
    /// By node: how many gates read it in the network.
    readers: Vec<f32>,
    /// By node: its cuts, the best first.
    cuts: Vec<Vec<Cut>>,
    /// By node: the cut that is used, by its number.
    used: Vec<usize>,
    /// By node: how many cells and roots read it in the cover.
    references: Vec<u32>,
}

impl<'a> Mapper<'a> {
    fn new(network: &'a Network, roots: impl Iterator<Item = Signal>) -> Self {
        let roots: Vec<u32> = roots.map(Signal::node).collect();
        let mut readers = vec![0.0; network.len()];
        for node in 0..network.len() as u32 {
            network.inputs(node).iter().for_each(|input| readers[input.node() as usize] += 1.0);
        }
        roots.iter().for_each(|&root| readers[root as usize] += 1.0);
        let (cuts, references) = (vec![Vec::new(); network.len()], vec![0; network.len()]);
        Mapper { network, roots, readers, cuts, used: vec![0; network.len()], references }
    }

    fn find_cuts(&mut self, proceed: &dyn Fn() -> bool) {
        for node in 0..self.network.len() {
            if node.is_multiple_of(ASK_EVERY) && !proceed() {
                return;
            }
            if self.network.gate(node as u32) == Gate::And {
                self.cuts[node] = self.cuts_of(node as u32);
            }
        }
    }

    /// The cuts of a gate: those of its inputs, put together.
    fn cuts_of(&self, node: u32) -> Vec<Cut> {
        let [a, b] = pair(self.network, node);
        let mut found: Vec<Cut> = Vec::new();
        for of_a in self.with_itself(a.node()) {
            for of_b in self.with_itself(b.node()) {
                let Some((leaves, count)) = union(of_a.leaves(), of_b.leaves()) else { continue };
                if found.iter().any(|cut| cut.leaves() == &leaves[..count]) {
                    continue;
                }
                let table = |signal: Signal, cut: &Cut| {
                    let table = cut.table_over(&leaves[..count]);
                    if signal.is_complement() { !table } else { table }
                };
                let table = table(a, &of_a) & table(b, &of_b);
                let below: f32 = leaves[..count].iter().map(|&leaf| self.flow(leaf)).sum();
                let flow = (1.0 + below) / self.readers[node as usize].max(1.0);
                found.push(Cut { leaves, count, table, flow });
            }
        }
        found.sort_by(|a, b| a.flow.total_cmp(&b.flow).then(a.leaves.cmp(&b.leaves)));
        found.truncate(KEPT);
        found
    }

    fn with_itself(&self, node: u32) -> impl Iterator<Item = Cut> + '_ {
        let itself = Cut::of(node, self.flow(node));
        self.cuts[node as usize].iter().copied().chain([itself])
    }

    fn flow(&self, node: u32) -> f32 {
        self.cuts[node as usize].first().map_or(0.0, |cut| cut.flow)
    }

    fn refer_to_roots(&mut self) {
        for root in self.roots.clone() {
            self.refer(root);
        }
    }

    /// Adds a reader of a node; returns the cells that become necessary.
    fn refer(&mut self, node: u32) -> usize {
        let mut cells = 0;
        let mut todo = vec![node];
        while let Some(node) = todo.pop() {
            let at = node as usize;
            self.references[at] += 1;
            if self.references[at] == 1 && !self.cuts[at].is_empty() {
                cells += 1;
                todo.extend(self.cuts[at][self.used[at]].leaves());
            }
        }
        cells
    }

    /// Takes a reader of a node away; returns the cells that become needless.
    fn release(&mut self, node: u32) -> usize {
        let mut cells = 0;
        let mut todo = vec![node];
        while let Some(node) = todo.pop() {
            let at = node as usize;
            self.references[at] -= 1;
            if self.references[at] == 0 && !self.cuts[at].is_empty() {
                cells += 1;
                todo.extend(self.cuts[at][self.used[at]].leaves());
            }
        }
        cells
    }

    /// Looks at each cell of the cover again and takes the cut that needs the fewest cells.
    fn improve(&mut self, proceed: &dyn Fn() -> bool) {
        // A node near the outputs may be alone in reading most of the network.
        let mut looked_at = ASK_EVERY;
        for node in 0..self.network.len() {
            looked_at += 1;
            if looked_at > ASK_EVERY {
                looked_at = 0;
                if !proceed() {
                    return;
                }
            }
            if self.references[node] == 0 || self.cuts[node].len() < 2 {
                continue;
            }
            let change = |mapper: &mut Self, add: bool| -> usize {
                let cut = mapper.cuts[node][mapper.used[node]];
                let leaves = cut.leaves().iter();
                leaves
                    .map(|&leaf| if add { mapper.refer(leaf) } else { mapper.release(leaf) })
                    .sum()
            };
            change(self, false);
            let mut best = (usize::MAX, self.used[node]);
            for cut in 0..self.cuts[node].len() {
                self.used[node] = cut;
                let cells = change(self, true);
                change(self, false);
                looked_at += cells;
                best = best.min((cells, cut));
            }
            self.used[node] = best.1;
            change(self, true);
        }
    }

    fn cells(self) -> Vec<Option<Cell>> {
        let cell = |(cuts, used): (&Vec<Cut>, &usize)| {
            cuts.get(*used).map(|cut| {
                let last = cut.leaves[cut.count - 1];
                let leaf = |at: usize| if at < cut.count { cut.leaves[at] } else { last };
                Cell::Table(cut.table, [0, 1, 2].map(leaf))
            })
        };
        self.cuts.iter().zip(&self.used).map(cell).collect()
    }
}

/// The union of two ascending sets, if it has at most three members.
fn union(a: &[u32], b: &[u32]) -> Option<([u32; 3], usize)> {
    let (mut result, mut count) = ([0; 3], 0);
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    loop {
        let next = match (a.peek(), b.peek()) {
            (None, None) => return Some((result, count)),
            (Some(&&x), None) => x,
            (None, Some(&&y)) => y,
            (Some(&&x), Some(&&y)) => x.min(y),
        };
        a.next_if(|&&x| x == next);
        b.next_if(|&&y| y == next);
        *result.get_mut(count)? = next;
        count += 1;
    }
}
