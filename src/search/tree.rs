//! The tree: nodes, the moves of their roles, and edges by joint move, in arenas.
//!
//! ```text
//! nodes     state, hash, visits | state, hash, visits | ...
//! spans     a b c               | c d e               | ...    one more than there are roles
//! moves     |role 0 | role 1 |    |role 0 | role 1 |           what, visits, total, first edge
//! edges     (joint move, child, next edge) ...
//! ```
//!
//! Each role has its own statistics and chooses its own move. A child belongs to a joint move, which
//! is a number: the roles' choices as digits. Edges hang in lists on the moves of the role that has
//! most of them, so that where one role moves at a time a child is found at once.
//!
//! A visit is counted when a simulation comes by, its score when the simulation is over. Until then
//! it looks like a loss, and others that are under way look elsewhere.

use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use propnet::game::{Move, MoveSet, Role, State};
use rustc_hash::FxHasher;

use super::table::Table;

/// No node, no edge, no goals.
pub(super) const NONE: u32 = u32::MAX;

/// A state that was reached.
pub(super) struct Node {
    pub(super) state: Arc<State>,
    hash: u64,
    /// How often a simulation came by, those under way included.
    pub(super) visits: f64,
    /// Where its goals begin, if nothing follows.
    goals: u32,
    /// The last descent that came by.
    pub(super) descent: u32,
}

/// What is known of a state that is to become a node.
pub(super) struct Situation {
    pub(super) state: State,
    /// By role.
    pub(super) legal: Vec<MoveSet>,
    /// By role, if nothing follows: the game is over, or cannot go on.
    pub(super) goals: Option<Vec<f64>>,
}

/// The moves of all nodes' roles: the same index in each list is the same move.
#[derive(Default)]
pub(super) struct Moves {
    pub(super) what: Vec<Move>,
    /// How often it was chosen, simulations under way included.
    pub(super) visits: Vec<f64>,
    /// The sum of its scores.
    pub(super) total: Vec<f64>,
    /// Its highest score; only in games for one role.
    pub(super) best: Vec<f32>,
    /// The first edge of the joint moves that it is part of.
    pub(super) edge: Vec<u32>,
}

/// Where a joint move leads.
struct Edge {
    joint: u64,
    child: u32,
    next: u32,
}

/// The tree, or with transpositions the graph, of a search.
pub(super) struct Tree {
    roles: usize,
    transpositions: bool,
    /// Whether moves have a highest score.
    keeps_best: bool,
    pub(super) nodes: Vec<Node>,
    spans: Vec<u32>,
    pub(super) moves: Moves,
    edges: Vec<Edge>,
    goals: Vec<f64>,
    table: Table,
    /// The words of all states.
    state_words: usize,
    pub(super) root: u32,
}

impl Tree {
    /// The most bytes that a tree may hold: its moves and edges, 16 bytes each at least, are
    /// numbered in 32 bits.
    pub(super) const MOST_BYTES: usize = (u32::MAX as usize).saturating_mul(8);

    /// A tree of one node.
    pub(super) fn new(
        root: Situation,
        roles: usize,
        transpositions: bool,
        keeps_best: bool,
    ) -> Self {
        let mut tree = Tree::empty(roles, transpositions, keeps_best);
        tree.root = tree.add(root);
        tree
    }

    /// A tree without nodes that is otherwise alike.
    pub(super) fn empty_like(&self) -> Self {
        Tree::empty(self.roles, self.transpositions, self.keeps_best)
    }

    fn empty(roles: usize, transpositions: bool, keeps_best: bool) -> Self {
        Tree {
            roles,
            transpositions,
            keeps_best,
            nodes: Vec::new(),
            spans: Vec::new(),
            moves: Moves::default(),
            edges: Vec::new(),
            goals: Vec::new(),
            table: Table::default(),
            state_words: 0,
            root: NONE,
        }
    }

    /// How many roles there are.
    pub(super) fn roles(&self) -> usize {
        self.roles
    }

    /// The node of a situation, which is new unless the state is known.
    pub(super) fn add(&mut self, situation: Situation) -> u32 {
        let hash = hash(&situation.state);
        if let Some(known) = self.find(hash, &situation.state) {
            return known;
        }
        let node = self.push_node(Arc::new(situation.state), hash, 0.0);
        if let Some(goals) = situation.goals {
            self.nodes[node as usize].goals = self.goals.len() as u32;
            self.goals.extend(goals);
        }
        let ended = self.nodes[node as usize].goals != NONE;
        for legal in &situation.legal {
            self.spans.push(self.moves.what.len() as u32);
            // Where nothing follows, nothing is chosen.
            for index in legal.iter().filter(|_| !ended) {
                self.push_move(Move(index as u32), 0.0, 0.0, f32::NEG_INFINITY);
            }
        }
        self.spans.push(self.moves.what.len() as u32);
        node
    }

    /// The node of a state, if it is known and nodes are found by state.
    fn find(&self, hash: u64, state: &State) -> Option<u32> {
        let is_it = |node: u32| {
            let node = &self.nodes[node as usize];
            node.hash == hash && *node.state == *state
        };
        self.table.find(hash, is_it)
    }

    fn push_node(&mut self, state: Arc<State>, hash: u64, visits: f64) -> u32 {
        let number = self.nodes.len() as u32;
        self.state_words += state.bits().len().div_ceil(64);
        self.nodes.push(Node { state, hash, visits, goals: NONE, descent: 0 });
        if self.transpositions {
            let nodes = &self.nodes;
            self.table.insert(hash, number, |node| nodes[node as usize].hash);
        }
        number
    }

    fn push_move(&mut self, what: Move, visits: f64, total: f64, best: f32) {
        self.moves.what.push(what);
        self.moves.visits.push(visits);
        self.moves.total.push(total);
        self.moves.edge.push(NONE);
        if self.keeps_best {
            self.moves.best.push(best);
        }
    }

    /// Copies a node of another tree, without its edges.
    pub(super) fn copy_node(&mut self, other: &Tree, node: u32) -> u32 {
        let old = &other.nodes[node as usize];
        let copy = self.push_node(old.state.clone(), old.hash, old.visits);
        if let Some(goals) = other.goals(node) {
            self.nodes[copy as usize].goals = self.goals.len() as u32;
            self.goals.extend(goals);
        }
        for role in 0..self.roles {
            self.spans.push(self.moves.what.len() as u32);
            for at in other.span(node, role) {
                let best = other.moves.best.get(at).copied().unwrap_or(f32::NEG_INFINITY);
                let (visits, total) = (other.moves.visits[at], other.moves.total[at]);
                self.push_move(other.moves.what[at], visits, total, best);
            }
        }
        self.spans.push(self.moves.what.len() as u32);
        copy
    }

    /// The goals of a node where nothing follows.
    pub(super) fn goals(&self, node: u32) -> Option<&[f64]> {
        let first = self.nodes[node as usize].goals;
        (first != NONE).then(|| &self.goals[first as usize..][..self.roles])
    }

    /// The moves of a role in a node.
    pub(super) fn span(&self, node: u32, role: Role) -> Range<usize> {
        let at = node as usize * (self.roles + 1) + role;
        self.spans[at] as usize..self.spans[at + 1] as usize
    }

    /// The moves at these places.
    pub(super) fn joint(&self, chosen: &[u32]) -> Vec<Move> {
        chosen.iter().map(|&at| self.moves.what[at as usize]).collect()
    }

    /// The places of these moves in a node, if all are legal there.
    pub(super) fn places(&self, node: u32, joint: &[Move]) -> Option<Vec<u32>> {
        let place = |(role, chosen): (Role, &Move)| {
            let found = self.span(node, role).find(|&at| self.moves.what[at] == *chosen);
            found.map(|at| at as u32)
        };
        joint.iter().enumerate().map(place).collect()
    }

    /// The number of a joint move in a node, and the place of the move on which its edge hangs; none
    /// where the joint moves are too many to be numbered.
    fn number(&self, node: u32, chosen: &[u32]) -> Option<(u64, usize)> {
        let (mut number, mut most, mut hook) = (0u64, 0, 0);
        for (role, &at) in chosen.iter().enumerate() {
            let span = self.span(node, role);
            number = number.checked_mul(span.len() as u64)?;
            number = number.checked_add(u64::from(at) - span.start as u64)?;
            if span.len() > most {
                (most, hook) = (span.len(), at as usize);
            }
        }
        Some((number, hook))
    }

    /// Whether a node can have children: its joint moves can be numbered.
    pub(super) fn can_link(&self, node: u32) -> bool {
        let mut counts = (0..self.roles).map(|role| self.span(node, role).len() as u64);
        counts.try_fold(1, u64::checked_mul).is_some()
    }

    /// Where the moves at these places lead, if that is known.
    pub(super) fn child(&self, node: u32, chosen: &[u32]) -> Option<u32> {
        let (number, hook) = self.number(node, chosen)?;
        let mut at = self.moves.edge[hook];
        while let Some(edge) = self.edges.get(at as usize) {
            if edge.joint == number {
                return Some(edge.child);
            }
            at = edge.next;
        }
        None
    }

    /// Says where the moves at these places lead; it must not be known.
    pub(super) fn link(&mut self, node: u32, chosen: &[u32], child: u32) {
        if let Some((number, hook)) = self.number(node, chosen) {
            self.push_edge(hook, number, child);
        }
    }

    fn push_edge(&mut self, hook: usize, joint: u64, child: u32) {
        let edge = Edge { joint, child, next: self.moves.edge[hook] };
        self.moves.edge[hook] = self.edges.len() as u32;
        self.edges.push(edge);
    }

    /// All edges of a node: the place of the move that each hangs on, counted from the node's first
    /// move; the number of the joint move; the child.
    pub(super) fn edges_of(&self, node: u32) -> impl Iterator<Item = (usize, u64, u32)> + '_ {
        let first = self.span(node, 0).start;
        let all = first..self.span(node, self.roles - 1).end;
        all.flat_map(move |hook| {
            let edge = |at: u32| self.edges.get(at as usize);
            std::iter::successors(edge(self.moves.edge[hook]), move |last| edge(last.next))
                .map(move |edge| (hook - first, edge.joint, edge.child))
        })
    }

    /// Adds an edge as [`Tree::edges_of`] gave it.
    pub(super) fn copy_edge(&mut self, node: u32, hook: usize, joint: u64, child: u32) {
        self.push_edge(self.span(node, 0).start + hook, joint, child);
    }

    /// The bytes it holds, about: what the lists use, and what each state takes beside its node.
    pub(super) fn bytes(&self) -> usize {
        let best = if self.keeps_best { size_of::<f32>() } else { 0 };
        // A state is counted by two numbers and has a place of its own, a list of words another.
        const STATE: usize = 2 * size_of::<usize>() + size_of::<State>() + 2 * 8;
        self.nodes.len() * (size_of::<Node>() + STATE)
            + self.state_words * size_of::<u64>()
            + self.spans.len() * size_of::<u32>()
            + self.moves.what.len() * (3 * size_of::<f64>() + best)
            + self.edges.len() * size_of::<Edge>()
            + self.goals.len() * size_of::<f64>()
            + self.table.bytes()
    }
}

fn hash(state: &State) -> u64 {
    let mut hasher = FxHasher::default();
    state.hash(&mut hasher);
    hasher.finish()
}
