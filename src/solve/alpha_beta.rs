//! Alpha-beta with a transposition table, for one role against all others.
//!
//! A search to some depth takes states at that depth for as bad as they may be, so what it finds is
//! a lower bound. The same search for the other side, with all signs turned, gives the upper bound.
//! Bounds of states are proven and hold for every later search; what only holds up to a depth is
//! kept apart (`limit`) and serves nothing but to prune.
//!
//! All children of a state are stepped and looked at in lanes at once, so that ends among them are
//! known before one is searched.
//!
//! States in which both sides choose are in `simultaneous`.

use super::error::SolveError;
use super::node::{NodeShape, NodeSolver, ValueBounds};
use super::positions::{Positions, StateAnswers, add_joint_moves};
use super::table::{BoundsTable, TableEntry, TableRun};
use super::watch::{SolveProgress, SolveWatch};
use crate::matrix::{POINT, Pruner};

/// The search for one role.
pub(super) struct AlphaBeta {
    role: usize,
    /// No value is outside of these.
    trivial: ValueBounds,
    table: BoundsTable,
    pub(super) solver: NodeSolver,
    pub(super) pruner: Pruner,
    /// By role and move: how often, and how deep, it was the best.
    history: Vec<Vec<u64>>,
    /// Memory by level.
    levels: Vec<SearchLevel>,
    /// The bounds of the root's children, by the number of the joint move.
    pub(super) children: Vec<ValueBounds>,
    pub(super) states: u64,
    /// The sums of goals at the ends that were seen.
    pub(super) sums: EndSums,
}

/// The sums of all goals at ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct EndSums {
    /// The sum at the first end.
    pub(super) first: Option<i64>,
    /// Whether there was another.
    pub(super) differ: bool,
}

/// The root of a search.
#[derive(Clone, Copy)]
pub(super) struct SearchRoot<'r> {
    /// The state.
    pub(super) state: &'r [u64],
    /// The legal moves of all roles.
    pub(super) legal: &'r [Vec<u32>],
}

/// What a caller gives a search: states, and leave to go on.
pub(super) struct SearchMeans<'m, 'w> {
    pub(super) positions: &'m mut dyn Positions,
    pub(super) watch: &'m mut SolveWatch<'w>,
}

/// Why a search ended without a result.
pub(super) enum SearchStop {
    /// The caller stopped it.
    Stopped,
    /// The game has no values.
    Error(SolveError),
}

impl From<SolveError> for SearchStop {
    fn from(error: SolveError) -> Self {
        SearchStop::Error(error)
    }
}

/// What a search found, in its own sign.
#[derive(Clone, Copy)]
pub(super) struct FoundBounds {
    /// Proven.
    pub(super) bounds: ValueBounds,
    /// No search to this depth can prove more as a lower bound.
    pub(super) limit: i64,
}

/// A window: values outside need not be told apart.
#[derive(Clone, Copy)]
pub(super) struct SearchWindow {
    pub(super) alpha: i64,
    pub(super) beta: i64,
}

/// The children of a state on the way.
#[derive(Default)]
pub(super) struct SearchLevel {
    joint: Vec<u32>,
    /// The state, for each joint move.
    parents: Vec<u64>,
    codes: Vec<u64>,
    answers: StateAnswers,
    part: StateAnswers,
    order: Vec<(i64, u32)>,
}

/// A state that is searched.
#[derive(Clone, Copy)]
pub(super) struct SearchNode<'n> {
    pub(super) root: SearchRoot<'n>,
    pub(super) ply: usize,
    pub(super) depth: u32,
    pub(super) window: SearchWindow,
}

/// One of the two searches.
pub(super) struct SearchRun<'s, 'm, 'w> {
    pub(super) search: &'s mut AlphaBeta,
    pub(super) means: &'s mut SearchMeans<'m, 'w>,
    /// Whether the others are searched for, and all signs turned.
    pub(super) is_turned: bool,
    /// The depth of the root.
    pub(super) depth: u32,
    /// What was known about the root before.
    pub(super) before: ValueBounds,
}

impl AlphaBeta {
    /// A search for a role whose goals are between these, in this much memory.
    pub(super) fn new(
        positions: &dyn Positions,
        role: usize,
        range: (i32, i32),
        bytes: u64,
    ) -> Self {
        let trivial =
            ValueBounds { lower: i64::from(range.0) * POINT, upper: i64::from(range.1) * POINT };
        AlphaBeta {
            role,
            trivial,
            table: BoundsTable::new(positions.numbers(), bytes),
            solver: NodeSolver::default(),
            pruner: Pruner::new(),
            history: vec![Vec::new(); positions.roles()],
            levels: Vec::new(),
            children: Vec::new(),
            states: 0,
            sums: EndSums::default(),
        }
    }

    /// The role.
    pub(super) fn role(&self) -> usize {
        self.role
    }

    /// What is proven so far, given what the root's children have.
    pub(super) fn bounds(&mut self, root: SearchRoot<'_>) -> ValueBounds {
        if self.children.is_empty() {
            return self.trivial;
        }
        let shape = NodeShape::new(root.legal.iter().map(Vec::len), self.role);
        let children = &self.children;
        let bounds = self.solver.bounds(shape, |joint| children[joint]);
        let known = self.table.get(root.state).map_or(self.trivial, |entry| entry.bounds);
        tighter(bounds, known)
    }

    /// Matrices that were solved.
    pub(super) fn matrices(&self) -> u64 {
        self.solver.matrices
    }

    /// Searches to a depth, for the lower bound and then for the upper one.
    pub(super) fn deepen(
        &mut self,
        root: SearchRoot<'_>,
        depth: u32,
        means: &mut SearchMeans<'_, '_>,
    ) -> Result<(), SearchStop> {
        for is_turned in [false, true] {
            let before = self.bounds(root);
            let known = turned(before, is_turned);
            if known.is_closed() {
                return Ok(());
            }
            let window = SearchWindow { alpha: known.lower, beta: known.upper };
            let node = SearchNode { root, ply: 0, depth, window };
            SearchRun { search: self, means, is_turned, depth, before }.node(node)?;
        }
        Ok(())
    }
}

impl SearchRun<'_, '_, '_> {
    pub(super) fn trivial(&self) -> ValueBounds {
        turned(self.search.trivial, self.is_turned)
    }

    /// What is known about a state, for a search to this depth.
    fn known(&self, state: &[u64], depth: u32) -> (FoundBounds, u32) {
        let Some(entry) = self.search.table.get(state) else {
            let bounds = self.trivial();
            return (FoundBounds { bounds, limit: bounds.upper }, u32::MAX);
        };
        let bounds = turned(entry.bounds, self.is_turned);
        let run = entry.runs[usize::from(self.is_turned)];
        let limit = if run.depth >= depth { run.limit.min(bounds.upper) } else { bounds.upper };
        (FoundBounds { bounds, limit: limit.max(bounds.lower) }, run.best)
    }

    /// Searches a state that is not an end.
    fn node(&mut self, node: SearchNode<'_>) -> Result<FoundBounds, SearchStop> {
        let SearchNode { root, ply, depth, window } = node;
        let (known, best) = self.known(root.state, depth);
        let is_settled = known.bounds.lower >= window.beta
            || known.limit <= window.alpha
            || known.bounds.is_closed();
        // The children of the root are searched in any case: their bounds are asked for.
        if is_settled && ply > 0 {
            return Ok(known);
        }
        if depth == 0 {
            return Ok(FoundBounds { limit: known.bounds.lower, ..known });
        }
        self.count()?;
        if self.search.levels.len() <= ply {
            self.search.levels.resize_with(ply + 1, SearchLevel::default);
        }
        let mut level = std::mem::take(&mut self.search.levels[ply]);
        let found = match self.expand(root, &mut level) {
            Ok(()) => {
                if ply == 0 {
                    self.note_known(&level);
                }
                self.choose(node, known, best, &mut level)
            }
            Err(error) => Err(error.into()),
        };
        self.search.levels[ply] = level;
        let (found, best) = found?;
        Ok(self.keep(node, known, found, best))
    }

    /// Counts a state, and asks now and then whether to go on.
    fn count(&mut self) -> Result<(), SearchStop> {
        self.search.states += 1;
        if self.search.states % 256 != 1 {
            return Ok(());
        }
        let progress = SolveProgress {
            method: "alpha-beta",
            stage: "states",
            states: self.search.states,
            depth: Some(self.depth),
            bounds: (self.search.role == 0).then_some(self.before),
        };
        if (self.means.watch)(&progress) { Ok(()) } else { Err(SearchStop::Stopped) }
    }

    /// Steps to all children, and looks at them.
    fn expand(&mut self, root: SearchRoot<'_>, level: &mut SearchLevel) -> Result<(), SolveError> {
        let positions = &mut *self.means.positions;
        let (roles, len, width) = (positions.roles(), positions.numbers(), positions.width());
        level.joint.clear();
        let count = add_joint_moves(root.legal, &mut level.joint)?;
        level.codes.clear();
        level.answers.reset(roles, count);
        let mut first = 0;
        for joint in level.joint.chunks(width * roles) {
            let part = joint.len() / roles;
            level.parents.clear();
            (0..part).for_each(|_| level.parents.extend_from_slice(root.state));
            positions.step(&level.parents, joint, &mut level.codes);
            if count <= width {
                positions.look(&level.codes, &mut level.answers)?;
            } else {
                positions.look(&level.codes[first * len..], &mut level.part)?;
                level.answers.take(first, &mut level.part, part);
            }
            first += part;
        }
        let sums = &mut self.search.sums;
        for goals in (0..count).filter_map(|at| level.answers.end(at)) {
            let sum = goals.iter().map(|&goal| i64::from(goal)).sum();
            sums.differ |= *sums.first.get_or_insert(sum) != sum;
        }
        Ok(())
    }

    /// The bounds of an end among the children, or what is known about another one.
    pub(super) fn child_known(&self, level: &SearchLevel, child: usize, depth: u32) -> FoundBounds {
        match level.answers.end(child) {
            Some(goals) => {
                let value = i64::from(goals[self.search.role]) * POINT;
                let value = if self.is_turned { -value } else { value };
                FoundBounds { bounds: ValueBounds::exactly(value), limit: value }
            }
            None => self.known(self.code(level, child), depth).0,
        }
    }

    fn code<'l>(&self, level: &'l SearchLevel, child: usize) -> &'l [u64] {
        let len = self.means.positions.numbers();
        &level.codes[child * len..(child + 1) * len]
    }

    /// Searches a child.
    pub(super) fn child(
        &mut self,
        node: SearchNode<'_>,
        level: &SearchLevel,
        child: usize,
        window: SearchWindow,
    ) -> Result<FoundBounds, SearchStop> {
        let found = if level.answers.end(child).is_some() {
            self.child_known(level, child, 0)
        } else {
            let state = self.code(level, child);
            let root = SearchRoot { state, legal: level.answers.legal(child) };
            let (ply, depth) = (node.ply + 1, node.depth - 1);
            self.node(SearchNode { root, ply, depth, window })?
        };
        if node.ply == 0 {
            self.note(child, found);
        }
        Ok(found)
    }

    /// Notes what is known about the root's children before they are searched.
    fn note_known(&mut self, level: &SearchLevel) {
        let count = level.joint.len() / self.means.positions.roles();
        self.search.children.resize(count, self.search.trivial);
        for child in 0..count {
            self.note(child, self.child_known(level, child, 0));
        }
    }

    fn note(&mut self, child: usize, found: FoundBounds) {
        let bounds = &mut self.search.children[child];
        *bounds = tighter(*bounds, turned(found.bounds, self.is_turned));
    }

    /// Searches the children as far as the window needs it. What was found, and the best joint move.
    fn choose(
        &mut self,
        node: SearchNode<'_>,
        known: FoundBounds,
        best: u32,
        level: &mut SearchLevel,
    ) -> Result<(FoundBounds, u32), SearchStop> {
        let shape = NodeShape::new(node.root.legal.iter().map(Vec::len), self.search.role);
        let (own, others) = match self.is_turned {
            false => (shape.rows, shape.columns),
            true => (shape.columns, shape.rows),
        };
        if own > 1 && others > 1 {
            return self.matrix(node, known, level, shape);
        }
        self.sort(node, level, best, others == 1);
        if others == 1 { self.highest(node, known, level) } else { self.lowest(node, known, level) }
    }

    /// Sorts children: ends that settle the state first and those that do not last; between them the
    /// one that was best before, then by history.
    fn sort(&self, node: SearchNode<'_>, level: &mut SearchLevel, best: u32, is_own: bool) {
        let roles = node.root.legal.len();
        let mover = node.root.legal.iter().position(|moves| moves.len() > 1).unwrap_or(0);
        let history = &self.search.history[mover];
        let mut order = std::mem::take(&mut level.order);
        order.clear();
        for child in 0..level.joint.len() / roles {
            let key = if level.answers.end(child).is_some() {
                let value = self.child_known(level, child, 0).bounds.lower;
                let settles =
                    if is_own { value > node.window.alpha } else { value < node.window.beta };
                let good = if is_own { value } else { -value };
                if settles { i64::MIN / 2 - good } else { i64::MAX / 2 - good }
            } else if child as u32 == best {
                i64::MIN / 4
            } else {
                let chosen = level.joint[child * roles + mover] as usize;
                -(history.get(chosen).copied().unwrap_or(0).min(1 << 60) as i64)
            };
            order.push((key, child as u32));
        }
        order.sort_unstable();
        level.order = order;
    }

    /// The own side chooses.
    fn highest(
        &mut self,
        node: SearchNode<'_>,
        known: FoundBounds,
        level: &SearchLevel,
    ) -> Result<(FoundBounds, u32), SearchStop> {
        let beta = node.window.beta;
        let (mut lower, mut best) = (known.bounds.lower, u32::MAX);
        let (mut upper, mut limit) = (i64::MIN, i64::MIN);
        for &(_, child) in &level.order {
            let window = SearchWindow { alpha: node.window.alpha.max(lower), beta };
            let found = self.child(node, level, child as usize, window)?;
            if found.bounds.lower > lower || best == u32::MAX {
                best = child;
            }
            lower = lower.max(found.bounds.lower);
            upper = upper.max(found.bounds.upper);
            limit = limit.max(found.limit);
            if lower >= beta {
                self.credit(node, level, child);
                let bounds = ValueBounds { lower, upper: known.bounds.upper };
                return Ok((FoundBounds { bounds, limit: known.limit.max(lower) }, best));
            }
        }
        let bounds = ValueBounds { lower, upper: upper.min(known.bounds.upper) };
        Ok((FoundBounds { bounds, limit: limit.max(lower) }, best))
    }

    /// The other side chooses.
    fn lowest(
        &mut self,
        node: SearchNode<'_>,
        known: FoundBounds,
        level: &SearchLevel,
    ) -> Result<(FoundBounds, u32), SearchStop> {
        let alpha = node.window.alpha;
        let (mut upper, mut limit, mut best) = (known.bounds.upper, known.limit, u32::MAX);
        let mut lower = i64::MAX;
        for &(_, child) in &level.order {
            let window = SearchWindow { alpha, beta: node.window.beta.min(limit) };
            let found = self.child(node, level, child as usize, window)?;
            if found.limit < limit || best == u32::MAX {
                best = child;
            }
            lower = lower.min(found.bounds.lower);
            upper = upper.min(found.bounds.upper);
            limit = limit.min(found.limit);
            if limit <= alpha {
                self.credit(node, level, child);
                let bounds = ValueBounds { lower: known.bounds.lower, upper };
                return Ok((FoundBounds { bounds, limit: limit.max(bounds.lower) }, best));
            }
        }
        let bounds = ValueBounds { lower: lower.max(known.bounds.lower), upper };
        Ok((FoundBounds { bounds, limit: limit.max(bounds.lower) }, best))
    }

    /// A joint move that settled a state is tried sooner elsewhere.
    fn credit(&mut self, node: SearchNode<'_>, level: &SearchLevel, child: u32) {
        let legal = node.root.legal;
        let Some(mover) = legal.iter().position(|moves| moves.len() > 1) else { return };
        let chosen = level.joint[child as usize * legal.len() + mover] as usize;
        let history = &mut self.search.history[mover];
        if history.len() <= chosen {
            history.resize(chosen + 1, 0);
        }
        history[chosen] += u64::from(node.depth) * u64::from(node.depth);
    }

    /// Keeps what was found about a state.
    fn keep(
        &mut self,
        node: SearchNode<'_>,
        known: FoundBounds,
        found: FoundBounds,
        best: u32,
    ) -> FoundBounds {
        let bounds = tighter(known.bounds, found.bounds);
        let limit = found.limit.min(bounds.upper).max(bounds.lower);
        let old = self.search.table.get(node.root.state);
        let mut runs = old.map_or([TableRun::NONE; 2], |entry| entry.runs);
        let run = &mut runs[usize::from(self.is_turned)];
        if run.depth <= node.depth {
            *run = TableRun { depth: node.depth, limit, best };
        }
        let entry = TableEntry { bounds: turned(bounds, self.is_turned), runs };
        self.search.table.put(node.root.state, entry);
        FoundBounds { bounds, limit }
    }
}

/// The same bounds, seen from the other side if asked for.
fn turned(bounds: ValueBounds, is_turned: bool) -> ValueBounds {
    match is_turned {
        false => bounds,
        true => ValueBounds { lower: -bounds.upper, upper: -bounds.lower },
    }
}

/// What both say.
fn tighter(one: ValueBounds, other: ValueBounds) -> ValueBounds {
    ValueBounds { lower: one.lower.max(other.lower), upper: one.upper.min(other.upper) }
}
