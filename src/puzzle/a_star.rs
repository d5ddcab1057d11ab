//! A* by pattern databases: the states with the fewest moves so far and least to go first, as many
//! as there are lanes at once.
//!
//! Hart, Nilsson and Raphael 1968. A state that is reached again by fewer moves is searched again,
//! so that lines are shortest. States from which the highest goal cannot be reached in time are
//! left out; when all others are searched, it cannot be reached at all.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::breadth_first::CHILD;
use super::expand::{NextStates, Over, expander};
use super::heuristic::Patterns;
use super::line::follow;
use super::method::Task;
use crate::visited::Visited;

/// How a state is reached by the fewest moves that are known.
#[derive(Clone, Copy)]
struct ShortestWay {
    from: u32,
    chosen: u32,
    depth: u32,
}

/// Searches for a shortest line to the highest goal.
pub(super) fn run(task: &Task<'_>) {
    let puzzle = task.puzzle;
    let goes_on = |work| task.pace.goes_on(work);
    let highest = task.best.bound();
    let Some(mut patterns) = Patterns::new(puzzle, highest, &goes_on) else { return };
    let len = puzzle.layout.len();
    let mut expander = expander(puzzle);
    let last = puzzle.horizon().unwrap_or(usize::MAX);
    let (mut over, mut children): (Vec<Over>, _) = (Vec::new(), NextStates::default());
    let mut visited = Visited::new(len);
    visited.add(&puzzle.start_code);
    let mut ways = vec![ShortestWay { from: 0, chosen: 0, depth: 0 }];
    // By moves in all and moves so far: numbers of states.
    let mut open: BTreeMap<(usize, Reverse<usize>), Vec<u32>> = BTreeMap::new();
    open.insert((0, Reverse(0)), vec![0]);
    let mut states = Vec::new();
    while let Some((&key, _)) = open.first_key_value() {
        let (_, Reverse(depth)) = key;
        let Some(waiting) = open.get_mut(&key) else { return };
        let mut batch = waiting.split_off(waiting.len().saturating_sub(expander.batch()));
        if waiting.is_empty() {
            open.remove(&key);
        }
        // Those that were reached by fewer moves since are open at another place.
        batch.retain(|&number| ways[number as usize].depth as usize == depth);
        states.clear();
        batch.iter().for_each(|&number| states.extend_from_slice(visited.state(number as usize)));
        expander.expand(&states, depth, &mut over, &mut children);
        for found in &over {
            if let Some(score) = found.score
                && task.best.is_better(score)
            {
                // States on the way may have been reached by fewer moves since.
                let moves = path(&ways, batch[found.place] as usize);
                if let Some((score, length)) = follow(puzzle, expander.as_mut(), &moves) {
                    task.offer(moves[..length].to_vec(), score);
                }
            }
        }
        let work = expander.take_work() + CHILD * children.moves.len() as u64;
        for ((&parent, &chosen), code) in
            children.parents.iter().zip(&children.moves).zip(children.codes.chunks_exact(len))
        {
            let (number, is_new) = visited.add(code);
            let from = batch[parent as usize];
            let way = ShortestWay { from, chosen, depth: depth as u32 + 1 };
            match ways.get_mut(number) {
                Some(known) if !is_new && known.depth <= way.depth => continue,
                Some(known) => *known = way,
                None => ways.push(way),
            }
            if !task.pace.goes_on(patterns.work()) {
                return;
            }
            let left = patterns.largest(code).map(|left| depth + 1 + left as usize);
            if let Some(all) = left.filter(|&all| all <= last) {
                open.entry((all, Reverse(depth + 1))).or_default().push(number as u32);
            }
        }
        let bytes = visited.bytes() + 20 * ways.capacity() as u64;
        if bytes > task.memory || visited.is_full() || !task.pace.goes_on(work) {
            return;
        }
    }
    // Where a later visit may be better than a sooner one, not all was searched.
    if puzzle.is_seen_for_good(0) {
        task.prove_below(highest);
    }
}

fn path(ways: &[ShortestWay], mut number: usize) -> Vec<u32> {
    let mut moves = Vec::new();
    while number != 0 {
        moves.push(ways[number].chosen);
        number = ways[number].from as usize;
    }
    moves.reverse();
    moves
}
