//! States grouped so that those after a group come before it: strongly connected components, by the
//! algorithm of Tarjan 1972, without recursion.

use super::graph::GameGraph;

/// Components of a graph, in an order in which all children come first.
pub(super) struct GraphOrder {
    /// All states; none if descending numbers are such an order.
    states: Vec<u32>,
    /// Where components end in it.
    ends: Vec<u32>,
    count: usize,
}

impl GraphOrder {
    /// The components of a graph.
    pub(super) fn new(graph: &GameGraph) -> Self {
        let count = graph.count();
        if graph.is_ordered() {
            return GraphOrder { states: Vec::new(), ends: Vec::new(), count };
        }
        let mut search = ComponentSearch {
            graph,
            index: vec![0; count],
            low: vec![0; count],
            visits: 0,
            open: Vec::new(),
            order: GraphOrder { states: Vec::with_capacity(count), ends: Vec::new(), count },
        };
        for root in 0..count {
            if search.index[root] == 0 {
                search.visit(root as u32);
            }
        }
        search.order
    }

    /// Whether a state can be reached again from itself.
    pub(super) fn is_cyclic(&self, graph: &GameGraph) -> bool {
        !graph.is_ordered() && self.components().any(|component| !component.is_single(graph))
    }

    /// All components. States of a component with several of them reach each other.
    pub(super) fn components(&self) -> impl Iterator<Item = ComponentStates<'_>> {
        let ordered = if self.states.is_empty() { self.count } else { 0 };
        let singles = (0..ordered).rev().map(|number| ComponentStates::Single(number as u32));
        let bounds = std::iter::once(&0).chain(&self.ends).zip(&self.ends);
        let listed = bounds.map(|(&first, &end)| {
            ComponentStates::Listed(&self.states[first as usize..end as usize])
        });
        singles.chain(listed)
    }
}

/// The states of a component.
pub(super) enum ComponentStates<'o> {
    /// One, which does not lead to itself.
    Single(u32),
    /// These.
    Listed(&'o [u32]),
}

impl ComponentStates<'_> {
    /// Whether it is a state that does not lead to itself.
    pub(super) fn is_single(&self, graph: &GameGraph) -> bool {
        match self {
            ComponentStates::Single(_) => true,
            ComponentStates::Listed([state]) => !graph.children(*state as usize).contains(state),
            ComponentStates::Listed(_) => false,
        }
    }

    /// The states.
    pub(super) fn states(&self) -> &[u32] {
        match self {
            ComponentStates::Single(state) => std::slice::from_ref(state),
            ComponentStates::Listed(states) => states,
        }
    }
}

struct ComponentSearch<'g> {
    graph: &'g GameGraph,
    /// By state: when it was first visited, from 1 on; 0 before that.
    index: Vec<u32>,
    /// By state: the earliest open state that it reaches; `u32::MAX` when its component is known.
    low: Vec<u32>,
    visits: u32,
    /// Visited states whose component is not known yet.
    open: Vec<u32>,
    order: GraphOrder,
}

impl ComponentSearch<'_> {
    fn visit(&mut self, root: u32) {
        // States on the way, each with the next child to look at.
        let mut way = vec![(root, 0)];
        self.enter(root);
        while let Some(&mut (state, ref mut next)) = way.last_mut() {
            let children = self.graph.children(state as usize);
            if let Some(&child) = children.get(*next) {
                *next += 1;
                if self.index[child as usize] == 0 {
                    self.enter(child);
                    way.push((child, 0));
                } else if self.low[child as usize] != u32::MAX {
                    let seen = self.index[child as usize];
                    self.low[state as usize] = self.low[state as usize].min(seen);
                }
                continue;
            }
            way.pop();
            let low = self.low[state as usize];
            if low == self.index[state as usize] {
                self.close(state);
            } else if let Some(&(parent, _)) = way.last() {
                self.low[parent as usize] = self.low[parent as usize].min(low);
            }
        }
    }

    fn enter(&mut self, state: u32) {
        self.visits += 1;
        self.index[state as usize] = self.visits;
        self.low[state as usize] = self.visits;
        self.open.push(state);
    }

    /// The open states from this one on are a component.
    fn close(&mut self, state: u32) {
        while let Some(member) = self.open.pop() {
            self.low[member as usize] = u32::MAX;
            self.order.states.push(member);
            if member == state {
                break;
            }
        }
        self.order.ends.push(self.order.states.len() as u32);
    }
}
