//! What is kept of a tree when a move is made, and when memory is short.
//!
//! ```text
//! mark: what can be reached -> rank: what was visited often -> number -> copy, in the same order
//! ```
//!
//! What stays is copied to new arenas, so nothing is left over, cycles included. When memory is
//! short, nodes that were rarely visited go: their parents keep the statistics of the moves that lead
//! to them, so the search goes on as well informed as before, and grows them again if they matter.
//!
//! A node almost always comes after its parents, so each step goes through the arenas from front to
//! back, and does not wait for memory node by node.
//!
//! A large tree still takes a while to be copied, or to be thrown away. So copying ends without a
//! result when time is up, and what is thrown away is left to a thread of its own.

use std::time::Duration;

use super::ids::NodeId;
use super::tree::Tree;
use crate::search::budget::Clock;

/// The clock is read after this many nodes.
const PATIENCE: usize = 1024;

/// A tree of more nodes is thrown away by another thread.
const LARGE: usize = 50_000;

/// The pause after each portion of nodes that is dropped while a search runs.
const PAUSE: Duration = Duration::from_micros(100);

/// The visits of this many nodes, spread over the tree, are compared.
const RANKED: usize = 1 << 16;

/// A new tree, and where the nodes of the old one are in it.
pub(crate) struct Kept {
    pub(crate) tree: Tree,
    /// By old node: the new one, or none.
    pub(crate) moved: Vec<NodeId>,
}

/// By node: whether it can be reached from the root. None if time is up before that is known.
pub(crate) fn mark(tree: &Tree, clock: &mut Clock) -> Option<Vec<bool>> {
    let mut copy_clock = CopyClock { clock, seen: 0 };
    let mut is_marked = vec![false; tree.nodes.len()];
    is_marked[tree.root.index()] = true;
    // The node at hand, and others that were marked when they had been passed already.
    let mut todo: Vec<NodeId> = Vec::new();
    for at in 0..tree.nodes.len() {
        copy_clock.go_on()?;
        if is_marked[at] {
            todo.push(NodeId::new(at));
        }
        while let Some(node) = todo.pop() {
            copy_clock.go_on()?;
            for link in tree.children(node) {
                copy_clock.go_on()?;
                let child = link.child.index();
                if !std::mem::replace(&mut is_marked[child], true) && child < at {
                    todo.push(link.child);
                }
            }
        }
    }
    Some(is_marked)
}

/// Of the nodes that can be reached, about this many at most, the most visited; and those that are
/// held. None if time is up before all is copied.
pub(crate) fn keep(
    old: &Tree,
    is_reachable: &[bool],
    most: usize,
    held: &[NodeId],
    clock: &mut Clock,
) -> Option<Kept> {
    let mut copy_clock = CopyClock { clock, seen: 0 };
    let least_visits = visits_of_most(old, is_reachable, most);
    let moved = number(old, is_reachable, least_visits, held, &mut copy_clock)?;
    let tree = copy(old, &moved, &mut copy_clock)?;
    Some(Kept { tree, moved })
}

/// A clock that is not read for each node.
struct CopyClock<'c> {
    clock: &'c mut Clock,
    seen: usize,
}

impl CopyClock<'_> {
    /// Goes on to another node, unless time is up.
    fn go_on(&mut self) -> Option<()> {
        self.seen += 1;
        (!self.seen.is_multiple_of(PATIENCE) || !self.clock.is_over()).then_some(())
    }
}

/// The number of visits that about this many of the reachable nodes have, and the others do not.
fn visits_of_most(tree: &Tree, is_reachable: &[bool], most: usize) -> f64 {
    let step = tree.nodes.len().div_ceil(RANKED);
    let ranked = (0..tree.nodes.len()).step_by(step).filter(|&node| is_reachable[node]);
    let mut visits: Vec<f64> = ranked.map(|node| tree.nodes[node].visits).collect();
    if most / step >= visits.len() {
        return 0.0;
    }
    // One more than the visits of a node that must go.
    *visits.select_nth_unstable_by(most / step, |a, b| b.total_cmp(a)).1 + 1.0
}

/// By node: its number in the copy if it stays.
fn number(
    tree: &Tree,
    is_reachable: &[bool],
    least_visits: f64,
    held: &[NodeId],
    copy_clock: &mut CopyClock,
) -> Option<Vec<NodeId>> {
    let mut numbers = vec![NodeId::NONE; tree.nodes.len()];
    for &node in held.iter().chain([&tree.root]) {
        numbers[node.index()] = NodeId::new(0);
    }
    let mut next = 0;
    for (at, number) in numbers.iter_mut().enumerate() {
        copy_clock.go_on()?;
        if *number != NodeId::NONE || is_reachable[at] && tree.nodes[at].visits >= least_visits {
            *number = NodeId::new(next);
            next += 1;
        }
    }
    Some(numbers)
}

/// The tree of the nodes that have numbers, in their order.
fn copy(old: &Tree, numbers: &[NodeId], copy_clock: &mut CopyClock) -> Option<Tree> {
    let mut tree = empty_copy(old, numbers);
    for node in (0..numbers.len()).map(NodeId::new) {
        if copy_one(&mut tree, old, numbers, node, copy_clock).is_none() {
            throw_away(tree);
            return None;
        }
    }
    tree.set_root(numbers[old.root.index()]);
    Some(tree)
}

/// Copies a node that has a number, with its links. A node may have one for each visit.
fn copy_one(
    tree: &mut Tree,
    old: &Tree,
    numbers: &[NodeId],
    node: NodeId,
    copy_clock: &mut CopyClock,
) -> Option<()> {
    copy_clock.go_on()?;
    let number = numbers[node.index()];
    if number == NodeId::NONE {
        return Some(());
    }
    tree.copy_node(old, node);
    for link in old.children(node) {
        copy_clock.go_on()?;
        let child = numbers[link.child.index()];
        if child != NodeId::NONE {
            tree.copy_link(number, link, child);
        }
    }
    Some(())
}

/// A tree without nodes, with room for those that have numbers: the largest lists would otherwise
/// be copied several times while they grow.
fn empty_copy(old: &Tree, numbers: &[NodeId]) -> Tree {
    let mut tree = old.empty_like();
    let stays = |&node: &usize| numbers[node] != NodeId::NONE;
    let moves = |node: usize| {
        let node = NodeId::new(node);
        old.span(node, 0).start..old.span(node, old.roles() - 1).end
    };
    let nodes = (0..numbers.len()).filter(stays);
    tree.moves.reserve_exact(nodes.clone().map(|node| moves(node).len()).sum());
    tree.nodes.reserve_exact(nodes.count());
    tree
}

/// Drops a tree, a large one without delaying the caller.
pub(crate) fn throw_away(tree: Tree) {
    if tree.nodes.len() > LARGE {
        // If no thread can be started, it is dropped here after all.
        let _ = std::thread::Builder::new().spawn(move || drop_slowly(tree));
    }
}

/// Drops a tree bit by bit: freeing millions of states at once keeps other threads from allocating.
fn drop_slowly(mut tree: Tree) {
    while !tree.nodes.is_empty() {
        tree.nodes.truncate(tree.nodes.len().saturating_sub(PATIENCE));
        std::thread::sleep(PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use propnet::game::{MoveSet, State};

    use super::super::tree::NewNode;
    use super::*;
    use crate::search::budget::Budget;
    use crate::search::tree_search::ring;

    /// More nodes than there are.
    const ALL: usize = usize::MAX;

    /// What is kept of all that can be reached.
    fn keep_reachable(
        tree: &Tree,
        most: usize,
        held: &[NodeId],
        deadline: Instant,
    ) -> Option<Kept> {
        let mut clock = Clock::new(&Budget::until(deadline));
        let is_reachable = mark(tree, &mut clock)?;
        keep(tree, &is_reachable, most, held, &mut clock)
    }

    #[test]
    fn what_can_be_reached_is_kept_unless_time_is_up() {
        let mut tree = ring(5000);
        let table = tree[tree.root].state.table();
        tree.add(NewNode {
            state: State::new(table, [100]),
            legal: vec![MoveSet::new(table, [0])],
            goals: None,
        });
        let ample = Instant::now() + Duration::from_secs(3600);
        let kept = keep_reachable(&tree, ALL, &[], ample).expect("time enough").tree;
        assert_eq!((tree.nodes.len(), kept.nodes.len()), (5001, 5000));
        let rarely =
            keep_reachable(&tree, 1000, &[NodeId::new(4999)], ample).expect("time enough").tree;
        assert_eq!(rarely.nodes.len(), 1001, "1000 near ones, and one that is held");
        assert!(keep_reachable(&tree, ALL, &[], Instant::now()).is_none());
        let mut over = Clock::new(&Budget::until(Instant::now()));
        assert!(keep(&tree, &[true; 5001], ALL, &[], &mut over).is_none());
        throw_away(tree);
    }

    #[test]
    fn a_tree_and_what_is_kept_take_no_more_than_they_may() {
        let ample = Instant::now() + Duration::from_secs(3600);
        for states in [1, 2, 10, 33, 100, 520, 1000, 1025, 3000] {
            let tree = ring(states);
            let kept = keep_reachable(&tree, ALL, &[], ample).expect("time enough").tree;
            let both = tree.bytes() + kept.bytes() - kept.state_bytes();
            assert!(both <= tree.bytes_with_copy(), "{both} bytes of {states} states");
            assert!(states < 10 || tree.bytes_with_copy() < 3 * tree.bytes(), "{states}");
        }
    }

    #[test]
    fn nodes_that_come_before_their_parents_are_found() {
        // From any state of a ring all others are reached, the first ones last.
        let ample = Instant::now() + Duration::from_secs(3600);
        let mut tree = ring(100);
        tree.set_root(NodeId::new(70));
        let kept = keep_reachable(&tree, ALL, &[], ample).expect("time enough");
        assert_eq!(kept.tree.nodes.len(), 100);
        assert!(*kept.tree[kept.tree.root].state == *tree.nodes[70].state);
        for (old, &new) in tree.nodes.iter().zip(&kept.moved) {
            assert!(*kept.tree[new].state == *old.state);
            assert_eq!(kept.tree.children(new).count(), 1);
        }
    }

    #[test]
    fn only_what_can_be_reached_is_ranked() {
        let tree = ring(1000);
        let rank = |is_reachable: &[bool], most| visits_of_most(&tree, is_reachable, most);
        assert_eq!(rank(&[true; 1000], 500), 501.0);
        assert_eq!(rank(&[true; 1000], 1000), 0.0);
        let mut is_reachable = [true; 1000];
        // Those that were visited most.
        is_reachable[..300].fill(false);
        assert_eq!(rank(&is_reachable, 500), 201.0);
        assert_eq!(rank(&is_reachable, 700), 0.0);
    }
}
