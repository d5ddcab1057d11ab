//! Nodes, the moves of their roles, and children by joint move, in arenas.
//!
//! ```text
//! nodes     state, hash, visits | state, hash, visits | ...
//! listed    role 0: n, its moves, role 1: n, its moves | ...   of nodes that are not open
//! spans     a b c               | c d e               | ...    one more than there are roles
//! moves     |role 0 | role 1 |    |role 0 | role 1 |           what, visits, total, child or edge
//! columns   |role 0 | role 1 |    |role 0 | role 1 |           each further statistic
//! edges     joint move, child | joint move, child | ...
//! ```
//!
//! Most nodes are leaves: added, and never chosen from. So the moves of a new node are only listed,
//! and it is opened when a descent reaches it for the first time: then they get their statistics,
//! which take six times the memory.
//!
//! Each role has its own statistics and chooses its own move. A child belongs to a joint move. Where
//! one role chooses, the child is stored in that role's move: a descent is a chain of such steps, each
//! of which waits for memory, so there is nothing in between. Where several choose, a joint move is
//! a number, the roles' choices as digits, and the child is found by an edge.
//!
//! A visit is counted when a simulation descends, its score when the simulation ends. Until then it
//! looks like a loss (virtual loss), so that other simulations in flight choose other moves.

use std::hash::{Hash, Hasher};
use std::ops::{Index, IndexMut, Range};
use std::sync::Arc;

use propnet::game::{Move, MoveSet, Role, State, TableId};
use rustc_hash::FxHasher;
use smallvec::SmallVec;

use super::columns::{ColumnSpec, Columns};
use super::edges::{Edges, Joint};
use super::goal_range::GoalRange;
use super::hash_index::HashIndex;
use super::ids::{EdgeId, MoveId, NodeId};
use super::lists::{ListBytes, bytes_with_copies, grow};
use super::proofs::{Proofs, UNASKED};

/// No goals, no listed moves, nothing after a move.
const NONE: u32 = u32::MAX;

/// A state that was reached.
pub(crate) struct Node {
    pub(crate) state: Arc<State>,
    hash: u64,
    /// How many simulations visited it, those in flight included.
    pub(crate) visits: f64,
    /// Where its goals begin, if nothing follows.
    goals: u32,
    /// Where its moves are listed, until it is open.
    listed: u32,
    /// The last descent that visited it.
    pub(crate) descent: u32,
    /// The number of its proof, or why there is none.
    pub(super) proof: u32,
}

impl Node {
    /// The hash of its state.
    pub(crate) fn hash(&self) -> u64 {
        self.hash
    }
}

/// What is known of a state that is to become a node.
pub(crate) struct NewNode {
    pub(crate) state: State,
    /// By role.
    pub(crate) legal: Vec<MoveSet>,
    /// By role, if nothing follows: the game is over, or cannot go on.
    pub(crate) goals: Option<Vec<f64>>,
}

/// A move of a role in a node.
#[derive(Clone, Copy)]
pub(crate) struct MoveEntry {
    /// How often it was chosen, simulations in flight included.
    pub(crate) visits: f64,
    /// The sum of its scores.
    pub(crate) total: f64,
    /// Its index in the table of moves; see [`Tree::what`].
    what: u32,
    /// The child, where no other role has a choice; elsewhere the first edge of the joint moves
    /// that it is part of.
    next: u32,
}

impl MoveEntry {
    /// Its index in the table of moves.
    pub(crate) fn index(&self) -> usize {
        self.what as usize
    }

    /// A move with its statistics.
    pub(crate) fn new(what: u32, visits: f64, total: f64) -> Self {
        MoveEntry { visits, total, what, next: NONE }
    }
}

/// A child of a node, and the joint move that leads to it.
pub(crate) struct Link {
    /// The move that stores the child or its edge, counted from the node's first move.
    hook: usize,
    /// The number of the joint move, where several roles choose.
    joint: u64,
    pub(crate) child: NodeId,
}

/// The tree, or with transpositions the graph, of a search.
pub(crate) struct Tree {
    /// What all states and moves belong to. It is kept once, since moves are many.
    table: TableId,
    roles: usize,
    transpositions: bool,
    pub(crate) nodes: Vec<Node>,
    listed: Vec<u32>,
    spans: Vec<u32>,
    pub(crate) moves: Vec<MoveEntry>,
    pub(crate) columns: Columns,
    edges: Edges,
    goals: Vec<f64>,
    pub(crate) proofs: Proofs,
    /// Nodes by state.
    by_state: HashIndex,
    /// The words of all states.
    state_words: usize,
    pub(crate) goal_range: GoalRange,
    pub(crate) root: NodeId,
}

impl Index<NodeId> for Tree {
    type Output = Node;

    fn index(&self, node: NodeId) -> &Node {
        &self.nodes[node.index()]
    }
}

impl IndexMut<NodeId> for Tree {
    fn index_mut(&mut self, node: NodeId) -> &mut Node {
        &mut self.nodes[node.index()]
    }
}

impl Index<MoveId> for Tree {
    type Output = MoveEntry;

    fn index(&self, at: MoveId) -> &MoveEntry {
        &self.moves[at.index()]
    }
}

impl IndexMut<MoveId> for Tree {
    fn index_mut(&mut self, at: MoveId) -> &mut MoveEntry {
        &mut self.moves[at.index()]
    }
}

impl Tree {
    /// The most bytes that a tree may hold: what it lists, 4 bytes each at least, is numbered in
    /// 32 bits.
    pub(crate) const MOST_BYTES: usize = (u32::MAX as usize).saturating_mul(4);

    /// A tree of one node, with these columns beside its moves.
    pub(crate) fn new(
        root: NewNode,
        roles: usize,
        transpositions: bool,
        columns: &[ColumnSpec],
    ) -> Self {
        let table = root.state.table();
        let mut tree = Tree::empty(table, roles, transpositions, Columns::new(columns));
        let root = tree.add(root);
        tree.set_root(root);
        tree
    }

    /// A tree without nodes that is otherwise the same.
    pub(crate) fn empty_like(&self) -> Self {
        let columns = self.columns.empty_like();
        let empty = Tree::empty(self.table, self.roles, self.transpositions, columns);
        Tree { goal_range: self.goal_range, ..empty }
    }

    fn empty(table: TableId, roles: usize, transpositions: bool, columns: Columns) -> Self {
        Tree {
            table,
            roles,
            transpositions,
            nodes: Vec::new(),
            listed: Vec::new(),
            spans: Vec::new(),
            moves: Vec::new(),
            columns,
            edges: Edges::default(),
            goals: Vec::new(),
            proofs: Proofs::default(),
            by_state: HashIndex::default(),
            state_words: 0,
            goal_range: GoalRange::default(),
            root: NodeId::NONE,
        }
    }

    /// Makes a node the root, whose moves are always open.
    pub(crate) fn set_root(&mut self, node: NodeId) {
        self.root = node;
        self.open(node);
    }

    /// The number of roles.
    pub(crate) fn roles(&self) -> usize {
        self.roles
    }

    /// Adds a node, unless its state has one already; gives the node of the state.
    pub(crate) fn add(&mut self, new: NewNode) -> NodeId {
        let hash = hash(&new.state);
        if let Some(known) = self.find(hash, &new.state) {
            return known;
        }
        let node = self.push_node(Arc::new(new.state), hash, 0.0);
        self.push_goals(node, new.goals.as_deref());
        grow(&mut self.spans, self.roles + 1);
        self.spans.extend((0..=self.roles).map(|_| 0));
        // Where nothing follows, nothing is chosen.
        if self[node].goals == NONE {
            self[node].listed = self.listed.len() as u32;
            for legal in &new.legal {
                grow(&mut self.listed, 1 + legal.len());
                self.listed.push(legal.len() as u32);
                legal.iter().for_each(|chosen| self.listed.push(chosen.index() as u32));
            }
        }
        node
    }

    /// Gives the moves of a node their statistics, so that they can be chosen, unless they have
    /// them.
    pub(crate) fn open(&mut self, node: NodeId) {
        let listed = std::mem::replace(&mut self[node].listed, NONE);
        if listed == NONE {
            return;
        }
        let mut rest = &self.listed[listed as usize..];
        let spans = &mut self.spans[node.index() * (self.roles + 1)..][..=self.roles];
        for span in &mut spans[..self.roles] {
            *span = self.moves.len() as u32;
            let (moves, others) = rest[1..].split_at(rest[0] as usize);
            grow(&mut self.moves, moves.len());
            self.moves.extend(moves.iter().map(|&what| MoveEntry::new(what, 0.0, 0.0)));
            rest = others;
        }
        spans[self.roles] = self.moves.len() as u32;
        self.columns.resize(self.moves.len());
    }

    /// Whether the moves of a node have their statistics, as far as there are any to choose.
    pub(crate) fn is_open(&self, node: NodeId) -> bool {
        self[node].listed == NONE
    }

    /// The node of a state, if it is known and nodes are found by state.
    fn find(&self, hash: u64, state: &State) -> Option<NodeId> {
        let is_it = |node: u32| {
            let node = &self.nodes[node as usize];
            node.hash == hash && *node.state == *state
        };
        self.by_state.find(hash, is_it).map(|node| NodeId::new(node as usize))
    }

    fn push_node(&mut self, state: Arc<State>, hash: u64, visits: f64) -> NodeId {
        let number = self.nodes.len();
        self.state_words += state.words().len();
        grow(&mut self.nodes, 1);
        let (goals, listed, descent, proof) = (NONE, NONE, 0, UNASKED);
        self.nodes.push(Node { state, hash, visits, goals, listed, descent, proof });
        if self.transpositions {
            let nodes = &self.nodes;
            self.by_state.insert(hash, number as u32, |node| nodes[node as usize].hash);
        }
        NodeId::new(number)
    }

    fn push_goals(&mut self, node: NodeId, goals: Option<&[f64]>) {
        let Some(goals) = goals else { return };
        self[node].goals = self.goals.len() as u32;
        grow(&mut self.goals, goals.len());
        self.goals.extend(goals);
    }

    /// Copies a node of another tree, without its children.
    pub(crate) fn copy_node(&mut self, other: &Tree, node: NodeId) -> NodeId {
        let old = &other[node];
        let copy = self.push_node(old.state.clone(), old.hash, old.visits);
        self.push_goals(copy, other.goals(node));
        if old.listed != NONE {
            self[copy].listed = self.listed.len() as u32;
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
            self.columns.extend_from(&other.columns, span.clone());
            let moves = other.moves[span].iter();
            self.moves.extend(moves.map(|old| MoveEntry::new(old.what, old.visits, old.total)));
        }
        self.spans.push(self.moves.len() as u32);
        self.copy_proof(copy, other, node);
        copy
    }

    /// The goals of a node where nothing follows.
    pub(crate) fn goals(&self, node: NodeId) -> Option<&[f64]> {
        let first = self[node].goals;
        (first != NONE).then(|| &self.goals[first as usize..][..self.roles])
    }

    /// By role: where its moves in a node begin; finally, where all end.
    fn spans(&self, node: NodeId) -> &[u32] {
        &self.spans[node.index() * (self.roles + 1)..][..=self.roles]
    }

    /// The moves of a role in a node; none where they are only listed.
    pub(crate) fn span(&self, node: NodeId, role: Role) -> Range<usize> {
        let at = node.index() * (self.roles + 1) + role;
        self.spans[at] as usize..self.spans[at + 1] as usize
    }

    /// The move with this number.
    pub(crate) fn what(&self, at: MoveId) -> Move {
        Move::new(self.table, self[at].what)
    }

    /// The moves with these numbers.
    pub(crate) fn joint<M: FromIterator<Move>>(&self, chosen: &[MoveId]) -> M {
        chosen.iter().map(|&at| self.what(at)).collect()
    }

    /// The numbers of these moves in a node that is open, if all are legal there.
    pub(crate) fn places(&self, node: NodeId, joint: &[Move]) -> Option<Vec<MoveId>> {
        let place = |(role, chosen): (Role, &Move)| {
            self.span(node, role).map(MoveId::new).find(|&at| self.what(at) == *chosen)
        };
        joint.iter().enumerate().map(place).collect()
    }

    /// The joint move of these moves; none where there are too many to be numbered.
    fn joint_move(&self, node: NodeId, chosen: &[MoveId]) -> Option<Joint> {
        let (mut number, mut most, mut hook) = (0u64, 0, MoveId::new(0));
        for (&at, span) in chosen.iter().zip(self.spans(node).windows(2)) {
            let own = u64::from(span[1] - span[0]);
            let first = MoveId::new(span[0] as usize);
            number = number.checked_mul(own)?.checked_add(u64::from(at.distance(first)))?;
            if own > most {
                (most, hook) = (own, at);
            }
        }
        Some(Joint { number, hook })
    }

    /// Whether a node can have children: its joint moves can be numbered.
    pub(crate) fn can_link(&self, node: NodeId) -> bool {
        let mut counts = (0..self.roles).map(|role| self.span(node, role).len() as u64);
        counts.try_fold(1, u64::checked_mul).is_some()
    }

    /// The child after these moves, if it is known.
    pub(crate) fn child(&self, node: NodeId, chosen: &[MoveId]) -> Option<NodeId> {
        let joint = self.joint_move(node, chosen)?;
        if self.one_chooses(node) {
            return NodeId::new(self[joint.hook].next as usize).some();
        }
        self.edges.child(joint)
    }

    /// Makes a node the child after these moves; there must be none yet.
    pub(crate) fn link(&mut self, node: NodeId, chosen: &[MoveId], child: NodeId) {
        if let Some(joint) = self.joint_move(node, chosen) {
            self.push_link(node, joint, child);
        }
    }

    fn push_link(&mut self, node: NodeId, joint: Joint, child: NodeId) {
        let next = self[joint.hook].next;
        self[joint.hook].next = match self.one_chooses(node) {
            true => child.index() as u32,
            false => self.edges.add(joint, child, EdgeId::new(next as usize)).index() as u32,
        };
    }

    /// Whether several roles have a choice in a node that is open.
    pub(crate) fn several_choose(&self, node: NodeId) -> bool {
        !self.one_chooses(node)
    }

    /// Whether at most one role has a choice in a node.
    fn one_chooses(&self, node: NodeId) -> bool {
        self.spans(node).windows(2).filter(|span| span[1] - span[0] > 1).count() <= 1
    }

    /// The role that chooses in a node that is open, the first where none has a choice; none where
    /// several have.
    pub(crate) fn chooser(&self, node: NodeId) -> Option<Role> {
        let chooses = |span: &[u32]| span[1] - span[0] > 1;
        let role = self.spans(node).windows(2).position(chooses).unwrap_or(0);
        self.one_chooses(node).then_some(role)
    }

    /// The last role that chooses in an open node, where several do.
    pub(crate) fn last_of_several(&self, node: NodeId) -> Option<Role> {
        let chooses = |span: &[u32]| span[1] - span[0] > 1;
        let last = self.spans(node).windows(2).rposition(chooses);
        last.filter(|_| !self.one_chooses(node))
    }

    /// Where a move of the only role that chooses leads, if that is known.
    pub(crate) fn child_of(&self, chosen: MoveId) -> Option<NodeId> {
        NodeId::new(self[chosen].next as usize).some()
    }

    /// By role: the index among its moves, of a joint move where several choose.
    pub(crate) fn indices(&self, node: NodeId, link: &Link) -> SmallVec<[usize; 4]> {
        let mut number = link.joint;
        let mut digit = |role: Role| {
            let count = self.span(node, role).len() as u64;
            let digit = number % count;
            number /= count;
            digit as usize
        };
        let mut indices: SmallVec<[usize; 4]> = (0..self.roles).rev().map(&mut digit).collect();
        indices.reverse();
        indices
    }

    /// The children of a node.
    pub(crate) fn children(&self, node: NodeId) -> impl Iterator<Item = Link> {
        let first = self.span(node, 0).start;
        let one_chooses = self.one_chooses(node);
        (first..self.span(node, self.roles - 1).end).flat_map(move |place| {
            let (next, hook) = (self.moves[place].next, place - first);
            let (child, list) = if one_chooses { (next, NONE) } else { (NONE, next) };
            let child = NodeId::new(child as usize).some();
            let alone = child.map(|child| Link { hook, joint: 0, child });
            let edges = self.edges.list(EdgeId::new(list as usize));
            let links =
                edges.map(move |edge| Link { hook, joint: edge.joint.number, child: edge.child });
            alone.into_iter().chain(links)
        })
    }

    /// Adds a link of another tree's node to its copy, where it leads to this child.
    pub(crate) fn copy_link(&mut self, node: NodeId, link: Link, child: NodeId) {
        let hook = MoveId::new(self.span(node, 0).start + link.hook);
        self.push_link(node, Joint { number: link.joint, hook }, child);
    }

    /// The approximate number of bytes it holds.
    pub(crate) fn bytes(&self) -> usize {
        let lists: usize = self.lists().map(|list| list.held).sum();
        self.state_bytes() + lists + self.by_state.bytes() + self.edges.index_bytes()
    }

    /// The bytes that it takes at most while it is copied, however much of it. The copies share
    /// their states.
    pub(crate) fn bytes_with_copy(&self) -> usize {
        let index = |entries: usize| if entries > 0 { HashIndex::most_bytes(entries) } else { 0 };
        let by_state = if self.transpositions { self.nodes.len() } else { 0 };
        let indexes = index(by_state) + index(self.edges.len());
        // Where each node is in the copy, and those whose children are to be looked at.
        let numbers = 3 * size_of::<u32>() * self.nodes.len();
        self.state_bytes() + bytes_with_copies(self.lists()) + 2 * indexes + numbers
    }

    fn lists(&self) -> impl Iterator<Item = ListBytes> {
        let own = [
            ListBytes::of(&self.nodes),
            ListBytes::of(&self.listed),
            ListBytes::of(&self.spans),
            ListBytes::of(&self.moves),
            self.edges.list_bytes(),
            ListBytes::of(&self.goals),
        ];
        own.into_iter().chain(self.columns.list_bytes()).chain(self.proofs.list_bytes())
    }

    /// The bytes of all states besides their nodes.
    pub(crate) fn state_bytes(&self) -> usize {
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
    use super::super::columns::BEST;
    use super::*;

    #[test]
    fn states_with_the_same_hash_are_two_nodes() {
        let table = TableId::unique();
        let state = |at: usize| State::new(table, [at]);
        let mut tree = Tree::empty(table, 1, true, Columns::default());
        for at in 0..2 {
            assert_eq!(tree.find(7, &state(at)), None);
            assert_eq!(tree.push_node(Arc::new(state(at)), 7, 0.0), NodeId::new(at));
        }
        let found = [0, 1, 2].map(|at| tree.find(7, &state(at)).map(NodeId::index));
        assert_eq!(found, [Some(0), Some(1), None]);
    }

    #[test]
    fn listed_moves_are_copied_and_opened_once() {
        let table = TableId::unique();
        let legal = |moves: &[usize]| MoveSet::new(table, moves.iter().copied());
        let new_node =
            |at: usize, legal| NewNode { state: State::new(table, [at]), legal, goals: None };
        let mut tree = Tree::new(new_node(0, vec![legal(&[1]), legal(&[2])]), 2, true, &[BEST]);
        let node = tree.add(new_node(1, vec![legal(&[3, 70, 5]), legal(&[8])]));
        tree.add(new_node(2, vec![legal(&[9]), legal(&[10, 11])]));
        assert_eq!((tree.moves.len(), tree.span(node, 0).len()), (2, 0), "the root's only");

        let mut other = tree.empty_like();
        let copy = other.copy_node(&tree, node);
        for _ in 0..2 {
            other.open(copy);
        }
        let what = |role: Role| other.moves[other.span(copy, role)].iter().map(|own| own.what);
        assert_eq!(what(0).collect::<Vec<_>>(), [3, 5, 70]);
        assert_eq!(what(1).collect::<Vec<_>>(), [8]);
        assert_eq!(other.moves.len(), 4);
        assert_eq!(other.columns.get(BEST).map(<[f64]>::len), Some(4));
    }

    /// A node in which four roles have this many moves each, and where some of its joint moves lead:
    /// each to a node of its own.
    fn many_joint_moves(own: usize, count: usize) -> (Tree, Vec<(Vec<MoveId>, NodeId)>) {
        let table = TableId::unique();
        let state = |at: usize| State::from_words(table, &[at as u64]);
        let legal = || vec![MoveSet::new(table, 0..own); 4];
        let new_node = |at: usize| NewNode { state: state(at), legal: legal(), goals: None };
        let mut tree = Tree::new(new_node(0), 4, true, &[]);
        let mut links = Vec::new();
        for at in 1..=count {
            let child = tree.add(new_node(at));
            // The last role has the lowest digit, the first one differs least often.
            let digit = |role: usize| at / own.pow(3 - role as u32) % own;
            let chosen: Vec<MoveId> =
                (0..4).map(|role| MoveId::new(role * own + digit(role))).collect();
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
        let mut moved = vec![NodeId::NONE; tree.nodes.len()];
        for link in tree.children(tree.root) {
            let (child, new) = (link.child, copy.copy_node(&tree, link.child));
            moved[child.index()] = new;
            copy.copy_link(root, link, new);
        }
        for (chosen, child) in &links {
            assert_eq!(tree.child(tree.root, chosen), Some(*child));
            assert_eq!(copy.child(root, chosen), Some(moved[child.index()]));
        }
        for tree in [&tree, &copy] {
            assert_eq!(tree.edges.len(), links.len());
        }
        let both = tree.bytes() + copy.bytes() - copy.state_bytes();
        assert!(both <= tree.bytes_with_copy(), "{both} bytes");
    }
}
