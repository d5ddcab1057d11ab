//! The tree: nodes, the moves of their roles, and edges by joint move, in arenas.
//!
//! ```text
//! nodes     state, hash, visits | state, hash, visits | ...
//! listed    role 0: n, its moves, role 1: n, its moves | ...   of nodes that are not open
//! spans     a b c               | c d e               | ...    one more than there are roles
//! moves     |role 0 | role 1 |    |role 0 | role 1 |           what, visits, total, child or edge
//! edges     joint move, child | joint move, child | ...
//! ```
//!
//! Most nodes are leaves: added, and never chosen from. So the moves of a new node are only listed,
//! and it is opened when a descent comes to it for the first time: then they get their statistics,
//! which take six times the memory.
//!
//! Each role has its own statistics and chooses its own move. A child belongs to a joint move. Where
//! one role chooses, it hangs on that role's move: a descent is a chain of such steps, each of which
//! waits for memory, so there is nothing in between. Where several choose, a joint move is a number,
//! the roles' choices as digits, and the child is found by an edge.
//!
//! A visit is counted when a simulation comes by, its score when the simulation is over. Until then
//! it looks like a loss, and others that are under way look elsewhere.

use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use propnet::game::{Move, MoveSet, Role, State};
use rustc_hash::FxHasher;

use super::edges::{Edges, Joint};
use super::lists::{ListBytes, bytes_with_copies, grow};
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
    /// Where its moves are listed, until it is open.
    listed: u32,
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

/// A move of a role in a node.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    /// How often it was chosen, simulations under way included.
    pub(super) visits: f64,
    /// The sum of its scores.
    pub(super) total: f64,
    pub(super) what: Move,
    /// The child, where no other role has a choice; elsewhere the first edge of the joint moves
    /// that it is part of.
    behind: u32,
}

impl Choice {
    /// A move with its statistics.
    pub(super) fn new(what: Move, visits: f64, total: f64) -> Self {
        Choice { visits, total, what, behind: NONE }
    }
}

/// A child of a node, and how it hangs there.
pub(super) struct Link {
    /// The place of the move that it hangs on, counted from the node's first move.
    hook: usize,
    /// The number of the joint move, where several roles choose.
    joint: u64,
    pub(super) child: u32,
}

/// The tree, or with transpositions the graph, of a search.
pub(super) struct Tree {
    roles: usize,
    transpositions: bool,
    /// Whether moves have a highest score.
    keeps_best: bool,
    pub(super) nodes: Vec<Node>,
    listed: Vec<u32>,
    spans: Vec<u32>,
    pub(super) moves: Vec<Choice>,
    /// By move, its highest score; only in games for one role.
    pub(super) best: Vec<f32>,
    edges: Edges,
    goals: Vec<f64>,
    /// Nodes by state.
    table: Table,
    /// The words of all states.
    state_words: usize,
    pub(super) root: u32,
}

impl Tree {
    /// The most bytes that a tree may hold: what it lists, 4 bytes each at least, is numbered in
    /// 32 bits.
    pub(super) const MOST_BYTES: usize = (u32::MAX as usize).saturating_mul(4);

    /// A tree of one node.
    pub(super) fn new(
        root: Situation,
        roles: usize,
        transpositions: bool,
        keeps_best: bool,
    ) -> Self {
        let mut tree = Tree::empty(roles, transpositions, keeps_best);
        let root = tree.add(root);
        tree.set_root(root);
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
            listed: Vec::new(),
            spans: Vec::new(),
            moves: Vec::new(),
            best: Vec::new(),
            edges: Edges::default(),
            goals: Vec::new(),
            table: Table::default(),
            state_words: 0,
            root: NONE,
        }
    }

    /// Makes a node the root, whose moves are always open.
    pub(super) fn set_root(&mut self, node: u32) {
        self.root = node;
        self.open(node);
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
        self.push_goals(node, situation.goals.as_deref());
        grow(&mut self.spans, self.roles + 1);
        self.spans.extend((0..=self.roles).map(|_| 0));
        // Where nothing follows, nothing is chosen.
        if self.nodes[node as usize].goals == NONE {
            self.nodes[node as usize].listed = self.listed.len() as u32;
            for legal in &situation.legal {
                grow(&mut self.listed, 1 + legal.len());
                self.listed.push(legal.len() as u32);
                legal.iter().for_each(|index| self.listed.push(index as u32));
            }
        }
        node
    }

    /// Gives the moves of a node their statistics, so that they can be chosen, unless they have
    /// them.
    pub(super) fn open(&mut self, node: u32) {
        let listed = std::mem::replace(&mut self.nodes[node as usize].listed, NONE);
        if listed == NONE {
            return;
        }
        let mut rest = &self.listed[listed as usize..];
        let spans = &mut self.spans[node as usize * (self.roles + 1)..][..=self.roles];
        for span in &mut spans[..self.roles] {
            *span = self.moves.len() as u32;
            let (moves, others) = rest[1..].split_at(rest[0] as usize);
            grow(&mut self.moves, moves.len());
            self.moves.extend(moves.iter().map(|&what| Choice::new(Move(what), 0.0, 0.0)));
            rest = others;
        }
        spans[self.roles] = self.moves.len() as u32;
        if self.keeps_best {
            let more = self.moves.len() - self.best.len();
            grow(&mut self.best, more);
            self.best.resize(self.moves.len(), f32::NEG_INFINITY);
        }
    }

    /// Whether the moves of a node have their statistics, as far as there are any to choose.
    pub(super) fn is_open(&self, node: u32) -> bool {
        self.nodes[node as usize].listed == NONE
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
        grow(&mut self.nodes, 1);
        self.nodes.push(Node { state, hash, visits, goals: NONE, listed: NONE, descent: 0 });
        if self.transpositions {
            let nodes = &self.nodes;
            self.table.insert(hash, number, |node| nodes[node as usize].hash);
        }
        number
    }

    fn push_goals(&mut self, node: u32, goals: Option<&[f64]>) {
        let Some(goals) = goals else { return };
        self.nodes[node as usize].goals = self.goals.len() as u32;
        grow(&mut self.goals, goals.len());
        self.goals.extend(goals);
    }

    /// Copies a node of another tree, without its edges.
    pub(super) fn copy_node(&mut self, other: &Tree, node: u32) -> u32 {
        let old = &other.nodes[node as usize];
        let copy = self.push_node(old.state.clone(), old.hash, old.visits);
        self.push_goals(copy, other.goals(node));
        if old.listed != NONE {
            self.nodes[copy as usize].listed = self.listed.len() as u32;
            let mut rest = &other.listed[old.listed as usize..];
            for _ in 0..self.roles {
                let (own, others) = rest.split_at(1 + rest[0] as usize);
                grow(&mut self.listed, own.len());
                self.listed.extend(own);
                rest = others;
            }
        }
        grow(&mut self.spans, self.roles + 1);
        for role in 0..self.roles {
            self.spans.push(self.moves.len() as u32);
            let span = other.span(node, role);
            grow(&mut self.moves, span.len());
            if self.keeps_best {
                grow(&mut self.best, span.len());
                self.best.extend(&other.best[span.clone()]);
            }
            let moves = other.moves[span].iter();
            self.moves.extend(moves.map(|old| Choice::new(old.what, old.visits, old.total)));
        }
        self.spans.push(self.moves.len() as u32);
        copy
    }

    /// The goals of a node where nothing follows.
    pub(super) fn goals(&self, node: u32) -> Option<&[f64]> {
        let first = self.nodes[node as usize].goals;
        (first != NONE).then(|| &self.goals[first as usize..][..self.roles])
    }

    /// By role: where its moves in a node begin; at last, where all end.
    fn spans(&self, node: u32) -> &[u32] {
        &self.spans[node as usize * (self.roles + 1)..][..=self.roles]
    }

    /// The moves of a role in a node; none where they are only listed.
    pub(super) fn span(&self, node: u32, role: Role) -> Range<usize> {
        let at = node as usize * (self.roles + 1) + role;
        self.spans[at] as usize..self.spans[at + 1] as usize
    }

    /// The moves at these places.
    pub(super) fn joint<M: FromIterator<Move>>(&self, chosen: &[u32]) -> M {
        chosen.iter().map(|&at| self.moves[at as usize].what).collect()
    }

    /// The places of these moves in a node that is open, if all are legal there.
    pub(super) fn places(&self, node: u32, joint: &[Move]) -> Option<Vec<u32>> {
        let place = |(role, chosen): (Role, &Move)| {
            let found = self.span(node, role).find(|&at| self.moves[at].what == *chosen);
            found.map(|at| at as u32)
        };
        joint.iter().enumerate().map(place).collect()
    }

    /// The joint move of the moves at these places; none where there are too many to be numbered.
    fn joint_move(&self, node: u32, chosen: &[u32]) -> Option<Joint> {
        let (mut number, mut most, mut hook) = (0u64, 0, 0);
        for (&at, span) in chosen.iter().zip(self.spans(node).windows(2)) {
            let own = u64::from(span[1] - span[0]);
            number = number.checked_mul(own)?.checked_add(u64::from(at - span[0]))?;
            if own > most {
                (most, hook) = (own, at);
            }
        }
        Some(Joint { number, hook })
    }

    /// Whether a node can have children: its joint moves can be numbered.
    pub(super) fn can_link(&self, node: u32) -> bool {
        let mut counts = (0..self.roles).map(|role| self.span(node, role).len() as u64);
        counts.try_fold(1, u64::checked_mul).is_some()
    }

    /// Where the moves at these places lead, if that is known.
    pub(super) fn child(&self, node: u32, chosen: &[u32]) -> Option<u32> {
        let joint = self.joint_move(node, chosen)?;
        if self.one_chooses(node) {
            let child = self.moves[joint.hook as usize].behind;
            return (child != NONE).then_some(child);
        }
        self.edges.child(joint)
    }

    /// Says where the moves at these places lead; it must not be known.
    pub(super) fn link(&mut self, node: u32, chosen: &[u32], child: u32) {
        if let Some(joint) = self.joint_move(node, chosen) {
            self.push_link(node, joint, child);
        }
    }

    fn push_link(&mut self, node: u32, joint: Joint, child: u32) {
        let hook = joint.hook as usize;
        self.moves[hook].behind = match self.one_chooses(node) {
            true => child,
            false => self.edges.add(joint, child, self.moves[hook].behind),
        };
    }

    /// Whether at most one role has a choice in a node.
    fn one_chooses(&self, node: u32) -> bool {
        self.spans(node).windows(2).filter(|span| span[1] - span[0] > 1).count() <= 1
    }

    /// The children of a node.
    pub(super) fn children(&self, node: u32) -> impl Iterator<Item = Link> {
        let first = self.span(node, 0).start;
        let one_chooses = self.one_chooses(node);
        (first..self.span(node, self.roles - 1).end).flat_map(move |place| {
            let (behind, hook) = (self.moves[place].behind, place - first);
            let (child, list) = if one_chooses { (behind, NONE) } else { (NONE, behind) };
            let alone = (child != NONE).then_some(Link { hook, joint: 0, child });
            let edges = self.edges.list(list);
            let links =
                edges.map(move |edge| Link { hook, joint: edge.joint.number, child: edge.child });
            alone.into_iter().chain(links)
        })
    }

    /// Adds a link of another tree's node to its copy, where it leads to this child.
    pub(super) fn copy_link(&mut self, node: u32, link: Link, child: u32) {
        let hook = (self.span(node, 0).start + link.hook) as u32;
        self.push_link(node, Joint { number: link.joint, hook }, child);
    }

    /// The bytes it holds, about.
    pub(super) fn bytes(&self) -> usize {
        let lists: usize = self.lists().iter().map(|list| list.held).sum();
        self.state_bytes() + lists + self.table.bytes() + self.edges.table_bytes()
    }

    /// The bytes that it takes at most while it is copied, however much of it. The copies share
    /// their states.
    pub(super) fn bytes_with_copy(&self) -> usize {
        let table = |entries: usize| if entries > 0 { Table::most_bytes(entries) } else { 0 };
        let by_state = if self.transpositions { self.nodes.len() } else { 0 };
        let tables = table(by_state) + table(self.edges.len());
        // Where each node is in the copy, and those whose children are to be looked at.
        let numbers = 3 * size_of::<u32>() * self.nodes.len();
        self.state_bytes() + bytes_with_copies(&self.lists()) + 2 * tables + numbers
    }

    fn lists(&self) -> [ListBytes; 7] {
        [
            ListBytes::of(&self.nodes),
            ListBytes::of(&self.listed),
            ListBytes::of(&self.spans),
            ListBytes::of(&self.moves),
            ListBytes::of(&self.best),
            self.edges.list_bytes(),
            ListBytes::of(&self.goals),
        ]
    }

    /// The bytes of all states beside their nodes.
    pub(super) fn state_bytes(&self) -> usize {
        // A state is counted by two numbers and has a place of its own, a list of words another.
        const STATE: usize = 2 * size_of::<usize>() + size_of::<State>() + 2 * 8;
        self.nodes.len() * STATE + self.state_words * size_of::<u64>()
    }
}

fn hash(state: &State) -> u64 {
    let mut hasher = FxHasher::default();
    state.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_with_the_same_hash_are_two_nodes() {
        let state = |at: usize| [at].into_iter().collect::<State>();
        let mut tree = Tree::empty(1, true, false);
        for at in 0..2 {
            assert_eq!(tree.find(7, &state(at)), None);
            assert_eq!(tree.push_node(Arc::new(state(at)), 7, 0.0), at as u32);
        }
        assert_eq!([0, 1, 2].map(|at| tree.find(7, &state(at))), [Some(0), Some(1), None]);
    }

    #[test]
    fn listed_moves_are_copied_and_opened_once() {
        let legal = |moves: &[usize]| moves.iter().copied().collect::<MoveSet>();
        let situation =
            |at: usize, legal| Situation { state: [at].into_iter().collect(), legal, goals: None };
        let mut tree = Tree::new(situation(0, vec![legal(&[1]), legal(&[2])]), 2, true, true);
        let node = tree.add(situation(1, vec![legal(&[3, 70, 5]), legal(&[8])]));
        tree.add(situation(2, vec![legal(&[9]), legal(&[10, 11])]));
        assert_eq!((tree.moves.len(), tree.span(node, 0).len()), (2, 0), "the root's only");

        let mut other = tree.empty_like();
        let copy = other.copy_node(&tree, node);
        for _ in 0..2 {
            other.open(copy);
        }
        let what = |role: Role| other.moves[other.span(copy, role)].iter().map(|own| own.what.0);
        assert_eq!(what(0).collect::<Vec<_>>(), [3, 5, 70]);
        assert_eq!(what(1).collect::<Vec<_>>(), [8]);
        assert_eq!((other.moves.len(), other.best.len()), (4, 4));
    }

    /// A node in which four roles have so many moves each, and where some of its joint moves lead:
    /// each to a node of its own.
    fn many_joint_moves(own: u32, count: u32) -> (Tree, Vec<(Vec<u32>, u32)>) {
        let state = |at: usize| (0..32).filter(|bit| at >> bit & 1 == 1).collect::<State>();
        let legal = || vec![(0..own as usize).collect::<MoveSet>(); 4];
        let situation = |at: usize| Situation { state: state(at), legal: legal(), goals: None };
        let mut tree = Tree::new(situation(0), 4, true, false);
        let mut links = Vec::new();
        for at in 1..=count {
            let child = tree.add(situation(at as usize));
            // The last role has the lowest digit, the first one differs least often.
            let digit = |role: u32| at / own.pow(3 - role) % own;
            let chosen: Vec<u32> = (0..4).map(|role| role * own + digit(role)).collect();
            assert_eq!(tree.child(tree.root, &chosen), None);
            tree.link(tree.root, &chosen, child);
            links.push((chosen, child));
        }
        (tree, links)
    }

    #[test]
    fn joint_moves_are_found_however_many_there_are() {
        let (tree, links) = many_joint_moves(10, 9000);
        let mut copy = tree.empty_like();
        let root = copy.copy_node(&tree, tree.root);
        copy.set_root(root);
        let mut moved = vec![NONE; tree.nodes.len()];
        for link in tree.children(tree.root) {
            let (child, new) = (link.child, copy.copy_node(&tree, link.child));
            moved[child as usize] = new;
            copy.copy_link(root, link, new);
        }
        for (chosen, child) in &links {
            assert_eq!(tree.child(tree.root, chosen), Some(*child));
            assert_eq!(copy.child(root, chosen), Some(moved[*child as usize]));
        }
        for tree in [&tree, &copy] {
            assert_eq!(tree.edges.len(), links.len());
        }
        let both = tree.bytes() + copy.bytes() - copy.state_bytes();
        assert!(both <= tree.bytes_with_copy(), "{both} bytes");
    }
}
