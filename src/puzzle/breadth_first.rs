//! Breadth-first search on lanes: each level is all that the one before leads to and that was not
//! seen. When all is seen, the best score is proven.
//!
//! From the step on from which sooner is provably better, and where nothing counts the steps, a
//! state is searched once. Before that the step may matter: states are only equal within a level.

use super::deepen;
use super::expand::{NextStates, Over, expander};
use super::method::Task;
use crate::visited::Visited;

/// About the work that it takes to store a child.
pub(super) const CHILD: u64 = 60;

/// How a state was first reached: the number of the state before, and the move.
#[derive(Clone, Copy)]
struct LevelLink {
    from: u32,
    chosen: u32,
}

/// What became of a search.
enum SearchEnd {
    /// There is no other state; the best score of all.
    All(Option<i32>),
    /// Told to end.
    Stopped,
    /// The next level does not fit the memory.
    Full,
}

/// Searches all states. What does not fit the memory is left to iterative deepening.
pub(super) fn run(task: &Task<'_>) {
    match search(task) {
        SearchEnd::All(top) => finish(task, top),
        SearchEnd::Stopped => {}
        SearchEnd::Full => deepen::run(task),
    }
}

/// Notes that all lines are searched.
pub(super) fn finish(task: &Task<'_>, top: Option<i32>) {
    match top {
        Some(top) => task.best.prove(top, task.name),
        // No line ends with a score: nothing can be found by anyone.
        None => task.best.stop(),
    }
}

fn search(task: &Task<'_>) -> SearchEnd {
    let puzzle = task.puzzle;
    let len = puzzle.layout.len();
    let mut expander = expander(puzzle);
    let (mut over, mut children): (Vec<Over>, _) = (Vec::new(), NextStates::default());
    let mut visited = Visited::new(len);
    visited.add(&puzzle.start_code);
    let mut links = vec![LevelLink { from: 0, chosen: 0 }];
    let mut open = puzzle.start_code.clone();
    // Numbers of the first open state, and of the first one that `visited` has.
    let (mut first, mut base) = (0, 0);
    let mut top = None;
    for depth in 0.. {
        let mut is_last = true;
        if !puzzle.is_seen_for_good(depth) {
            base = links.len();
            visited = Visited::new(len);
        }
        let before = links.len();
        let lanes = expander.batch();
        for (at, states) in open.chunks(lanes * len).enumerate() {
            expander.expand(states, depth, &mut over, &mut children);
            for found in &over {
                let Some(score) = found.score else { continue };
                top = top.max(Some(score));
                if task.best.is_better(score) {
                    task.offer(path(&links, first + at * lanes + found.place), score);
                }
            }
            visited.prepare(&children.codes);
            for ((&parent, &chosen), code) in
                children.parents.iter().zip(&children.moves).zip(children.codes.chunks_exact(len))
            {
                if visited.add(code).1 {
                    let from = (first + at * lanes) as u32 + parent;
                    links.push(LevelLink { from, chosen });
                }
            }
            is_last &= links.len() == before;
            let work = expander.take_work() + CHILD * children.moves.len() as u64;
            if !task.pace.goes_on(work) {
                return SearchEnd::Stopped;
            }
            let bytes = visited.bytes() + 8 * (links.capacity() + open.capacity()) as u64;
            if bytes > task.memory || links.len() >= u32::MAX as usize - lanes {
                return SearchEnd::Full;
            }
        }
        if is_last {
            return SearchEnd::All(top);
        }
        open.clear();
        open.extend_from_slice(visited.states(before - base..links.len() - base));
        first = before;
    }
    SearchEnd::Stopped
}

/// The moves that lead to a state.
fn path(links: &[LevelLink], mut number: usize) -> Vec<u32> {
    let mut moves = Vec::new();
    while number != 0 {
        moves.push(links[number].chosen);
        number = links[number].from as usize;
    }
    moves.reverse();
    moves
}
