//! The relations of a sheet, and which depends on which.
//!
//! A relation is a name with a number of arguments. It depends on the relations in the bodies of
//! its rules; those that depend on each other form a component.

use indexmap::IndexMap;
use indexmap::map::Entry;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::heads;
use crate::gdl::rules::{Atom, Rules};
use crate::gdl::symbols::Symbol;

/// Name and number of arguments.
pub(super) type RelationKey = (Symbol, usize);

pub(super) struct RelationGraph<'a> {
    ids: IndexMap<RelationKey, RelationInfo<'a>, FxBuildHasher>,
    /// An edge from a relation to each that its rules' bodies name.
    graph: DiGraph<(), (), u32>,
    /// For each relation the number of its component.
    component: Vec<usize>,
    /// For each relation whether it depends on itself.
    recursive: Vec<bool>,
}

pub(super) struct RelationInfo<'a> {
    /// The rules that conclude it, by index.
    pub(super) rules: Vec<usize>,
    /// Its first occurrence in a body.
    pub(super) first_use: Option<&'a Atom>,
    /// Whether a rule of another relation has it in its body.
    pub(super) used_elsewhere: bool,
}

impl<'a> RelationGraph<'a> {
    pub(super) fn new(rules: &'a Rules) -> Self {
        let mut ids: IndexMap<RelationKey, RelationInfo<'a>, FxBuildHasher> = IndexMap::default();
        let mut edges: FxHashSet<(u32, u32)> = FxHashSet::default();
        let mut ordered: Vec<(u32, u32)> = Vec::new();
        for (index, rule) in rules.rules.iter().enumerate() {
            let head = intern(&mut ids, key(&rule.head));
            ids[head].rules.push(index);
            // What a refused rule would conclude must not give rise to further complaints.
            let counts = !heads::is_refused(rule);
            for literal in &rule.body {
                literal.for_each_atom(false, &mut |atom, _| {
                    let body = intern(&mut ids, key(atom));
                    let relation = &mut ids[body];
                    relation.first_use.get_or_insert(atom);
                    relation.used_elsewhere |= body != head;
                    let edge = (head as u32, body as u32);
                    if counts && edges.insert(edge) {
                        ordered.push(edge);
                    }
                });
            }
        }
        let mut graph = DiGraph::with_capacity(ids.len(), ordered.len());
        for _ in 0..ids.len() {
            graph.add_node(());
        }
        graph.extend_with_edges(ordered);
        // Kosaraju's algorithm as petgraph has it keeps its own stack; Tarjan's recurses, and a
        // chain of a million relations would overflow.
        let mut component = vec![0; ids.len()];
        let mut recursive: Vec<bool> =
            (0..ids.len() as u32).map(|id| edges.contains(&(id, id))).collect();
        for (number, members) in kosaraju_scc(&graph).into_iter().enumerate() {
            for &member in &members {
                component[member.index()] = number;
                recursive[member.index()] |= members.len() > 1;
            }
        }
        RelationGraph { ids, graph, component, recursive }
    }

    /// The relations in the order of their first occurrence.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, RelationKey, &RelationInfo<'a>)> {
        self.ids.iter().enumerate().map(|(id, (&key, relation))| (id, key, relation))
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// The number of the relation that an atom names.
    pub(super) fn id(&self, atom: &Atom) -> Option<usize> {
        self.ids.get_index_of(&key(atom))
    }

    pub(super) fn id_of(&self, key: RelationKey) -> Option<usize> {
        self.ids.get_index_of(&key)
    }

    pub(super) fn key(&self, id: usize) -> RelationKey {
        self.ids.get_index(id).map_or((Symbol(0), 0), |(&key, _)| key)
    }

    pub(super) fn component(&self, id: usize) -> usize {
        self.component[id]
    }

    /// Whether two relations depend on each other.
    pub(super) fn in_cycle(&self, a: usize, b: usize) -> bool {
        self.component[a] == self.component[b] && self.recursive[a]
    }

    /// The relations whose rules have the given one in a body.
    pub(super) fn users(&self, id: usize) -> impl Iterator<Item = usize> {
        let node = NodeIndex::new(id);
        self.graph.neighbors_directed(node, petgraph::Incoming).map(NodeIndex::index)
    }
}

/// The relation that an atom names.
pub(super) fn key(atom: &Atom) -> RelationKey {
    (atom.relation, atom.args.len())
}

fn intern<'a>(
    ids: &mut IndexMap<RelationKey, RelationInfo<'a>, FxBuildHasher>,
    key: RelationKey,
) -> usize {
    match ids.entry(key) {
        Entry::Occupied(known) => known.index(),
        Entry::Vacant(free) => {
            let id = free.index();
            free.insert(RelationInfo { rules: Vec::new(), first_use: None, used_elsewhere: false });
            id
        }
    }
}
