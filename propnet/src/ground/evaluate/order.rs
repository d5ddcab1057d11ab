//! The order in which atoms are computed: components of the dependency graph, dependencies first.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::ground::rules::{AtomId, GroundAtom, GroundRules};

/// A set of atoms that depend on each other, by its place in the order.
pub(super) type ComponentId = u32;

/// How the atoms of a component depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ComponentKind {
    /// One atom, which does not depend on itself.
    Single,
    /// A loop without negation.
    Loop,
    /// A loop with a negation in it.
    NegativeLoop,
}

/// All components.
pub(super) struct ComponentOrder {
    pub(super) component_of: Vec<ComponentId>,
    /// The atoms of each component.
    pub(super) atoms: Groups,
    /// The rules of each component: those for its atoms.
    pub(super) rules: Groups,
    /// For each atom, the rules that have it as a positive condition in the same loop, once for
    /// each time they do.
    pub(super) readers: Groups,
    pub(super) kinds: Vec<ComponentKind>,
    /// Whether a component depends on the moves made.
    pub(super) on_moves: Vec<bool>,
}

impl ComponentOrder {
    pub(super) fn new(ground: &GroundRules) -> Self {
        let rules = &ground.rules;
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(ground.atoms.len(), rules.len());
        for _ in &ground.atoms {
            graph.add_node(());
        }
        for (head, body) in rules.iter() {
            for literal in body {
                graph.add_edge(node(head), node(literal.atom()), ());
            }
        }
        // An edge leads to what is needed, and components come with the needed ones first.
        let components = kosaraju_scc(&graph);
        drop(graph);
        let mut component_of = vec![0; ground.atoms.len()];
        for (number, members) in components.iter().enumerate() {
            for member in members {
                component_of[member.index()] = number as ComponentId;
            }
        }
        let heads: Vec<u32> =
            (0..rules.len()).map(|rule| component_of[rules.head(rule) as usize]).collect();
        let mut order = ComponentOrder {
            atoms: Groups::new(components.len(), &component_of),
            rules: Groups::new(components.len(), &heads),
            readers: Groups::default(),
            kinds: vec![ComponentKind::Single; components.len()],
            on_moves: vec![false; components.len()],
            component_of,
        };
        order.find_loops(ground);
        order.find_moves(ground);
        order
    }

    /// Sets the kinds of the components, and who reads whom inside of them.
    fn find_loops(&mut self, ground: &GroundRules) {
        let (mut read, mut readers) = (Vec::new(), Vec::new());
        for (rule, (head, body)) in ground.rules.iter().enumerate() {
            let component = self.component_of[head as usize];
            for literal in body {
                if !self.is_in(literal.atom(), component) {
                    continue;
                }
                let kind = &mut self.kinds[component as usize];
                if literal.negated() {
                    *kind = ComponentKind::NegativeLoop;
                    continue;
                }
                if *kind == ComponentKind::Single {
                    *kind = ComponentKind::Loop;
                }
                read.push(literal.atom());
                readers.push(rule as u32);
            }
        }
        self.readers = Groups::new(ground.atoms.len(), &read);
        self.readers.rename(&readers);
    }

    fn find_moves(&mut self, ground: &GroundRules) {
        for component in 0..self.kinds.len() as ComponentId {
            let is_move =
                |atom: AtomId| matches!(ground.atoms[atom as usize], GroundAtom::Does(..));
            let reads_moves = |atom: AtomId| {
                let read = self.component_of[atom as usize];
                read != component && self.on_moves[read as usize]
            };
            let moved = self.atoms.of(component).iter().any(|&atom| is_move(atom))
                || self.rules.of(component).iter().any(|&rule| {
                    let mut body = ground.rules.body(rule as usize).iter();
                    body.any(|literal| reads_moves(literal.atom()))
                });
            self.on_moves[component as usize] = moved;
        }
    }

    pub(super) fn is_in(&self, atom: AtomId, component: ComponentId) -> bool {
        self.component_of[atom as usize] == component
    }

    /// All that must be computed to know these atoms, dependencies first.
    pub(super) fn cone(
        &self,
        ground: &GroundRules,
        atoms: impl Iterator<Item = AtomId>,
    ) -> Vec<ComponentId> {
        let mut seen = vec![false; self.kinds.len()];
        let mut todo: Vec<ComponentId> = Vec::new();
        let mut reach = |atom: AtomId, todo: &mut Vec<ComponentId>| {
            let component = self.component_of[atom as usize];
            if !std::mem::replace(&mut seen[component as usize], true) {
                todo.push(component);
            }
        };
        for atom in atoms {
            reach(atom, &mut todo);
        }
        while let Some(component) = todo.pop() {
            for &rule in self.rules.of(component) {
                for literal in ground.rules.body(rule as usize) {
                    reach(literal.atom(), &mut todo);
                }
            }
        }
        (0..seen.len() as ComponentId).filter(|&component| seen[component as usize]).collect()
    }
}

fn node(atom: AtomId) -> NodeIndex {
    NodeIndex::new(atom as usize)
}

/// Lists of numbers, one list for each group, in one array.
#[derive(Default)]
pub(super) struct Groups {
    /// Where each group ends in `items`; it begins where the one before ends.
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Groups {
    /// Item `i` belongs to group `group_of[i]`; items are ascending in each group.
    fn new(groups: usize, group_of: &[u32]) -> Self {
        let mut ends = vec![0; groups];
        for &group in group_of {
            ends[group as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            sum += std::mem::replace(end, sum); // for now, where the group begins
        }
        let mut items = vec![0; group_of.len()];
        for (item, &group) in group_of.iter().enumerate() {
            items[ends[group as usize] as usize] = item as u32;
            ends[group as usize] += 1;
        }
        Groups { ends, items }
    }

    /// Item `i` becomes `names[i]`.
    fn rename(&mut self, names: &[u32]) {
        for item in &mut self.items {
            *item = names[*item as usize];
        }
    }

    /// The items of a group.
    pub(super) fn of(&self, group: u32) -> &[u32] {
        let start = if group == 0 { 0 } else { self.ends[group as usize - 1] as usize };
        &self.items[start..self.ends[group as usize] as usize]
    }
}
