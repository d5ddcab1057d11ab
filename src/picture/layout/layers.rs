//! A column for each node, so that wires go from left to right.

use super::graph::Graph;

/// The column of each node, and which wires run backwards.
pub(super) struct Layers {
    pub(super) layer: Vec<usize>,
    pub(super) is_back: Vec<bool>,
}

/// Every wire that is not backwards ends in a later column than it starts in.
pub(super) fn layers(graph: &Graph) -> Layers {
    let mut is_back = back_edges(graph);
    let wires = Wires::new(graph, &is_back);
    let order = wires.topological();
    let mut layer = vec![0; graph.sizes.len()];
    for &node in &order {
        for &to in &wires.after[node] {
            layer[to] = layer[to].max(layer[node] + 1);
        }
    }
    shorten(&wires, &order, &mut layer);
    for (edge, back) in graph.edges.iter().zip(&mut is_back) {
        *back = layer[edge.from] >= layer[edge.to];
    }
    Layers { layer, is_back }
}

/// Nodes and the nodes they lead to, without the wires that run backwards.
struct Wires {
    after: Vec<Vec<usize>>,
    before: Vec<Vec<usize>>,
}

impl Wires {
    fn new(graph: &Graph, is_back: &[bool]) -> Self {
        let nodes = graph.sizes.len();
        let mut wires = Wires { after: vec![Vec::new(); nodes], before: vec![Vec::new(); nodes] };
        for (edge, _) in graph.edges.iter().zip(is_back).filter(|(_, back)| !**back) {
            wires.after[edge.from].push(edge.to);
            wires.before[edge.to].push(edge.from);
        }
        wires
    }

    /// All nodes, each after those that lead to it.
    fn topological(&self) -> Vec<usize> {
        let mut open: Vec<usize> = self.before.iter().map(Vec::len).collect();
        let mut order: Vec<usize> = (0..open.len()).filter(|&node| open[node] == 0).collect();
        let mut at = 0;
        while let Some(&node) = order.get(at) {
            at += 1;
            for &to in &self.after[node] {
                open[to] -= 1;
                if open[to] == 0 {
                    order.push(to);
                }
            }
        }
        order
    }
}

/// Moves nodes that would be far left of all nodes they lead to closer to those, if that shortens
/// more wires than it lengthens. So an input is beside its first reader, not in a far column of
/// inputs.
fn shorten(wires: &Wires, order: &[usize], layer: &mut [usize]) {
    for &node in order.iter().rev() {
        let (after, before) = (&wires.after[node], &wires.before[node]);
        if let Some(first) = after.iter().map(|&to| layer[to]).min()
            && after.len() > before.len()
        {
            layer[node] = first - 1;
        }
    }
}

/// The wires that the caller knows to close cycles, and those that lead back to a node whose
/// descendants are being visited.
fn back_edges(graph: &Graph) -> Vec<bool> {
    let mut is_back: Vec<bool> =
        graph.edges.iter().map(|edge| edge.back || edge.from == edge.to).collect();
    let mut leaving = vec![Vec::new(); graph.sizes.len()];
    for (at, edge) in graph.edges.iter().enumerate().filter(|(at, _)| !is_back[*at]) {
        leaving[edge.from].push((at, edge.to));
    }
    let mut state = vec![Visit::New; graph.sizes.len()];
    for start in 0..state.len() {
        if state[start] != Visit::New {
            continue;
        }
        state[start] = Visit::Open;
        let mut path = vec![(start, 0)];
        while let Some((node, next)) = path.last_mut() {
            let Some(&(edge, to)) = leaving[*node].get(*next) else {
                state[*node] = Visit::Done;
                path.pop();
                continue;
            };
            *next += 1;
            match state[to] {
                Visit::New => {
                    state[to] = Visit::Open;
                    path.push((to, 0));
                }
                Visit::Open => is_back[edge] = true,
                Visit::Done => {}
            }
        }
    }
    is_back
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    New,
    Open,
    Done,
}
