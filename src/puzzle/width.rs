//! Width-based search: breadth-first, keeping a state only if a fluent, or a pair of fluents, is
//! true in it that was true in none before. IW(1), then IW(2): Lipovetzky and Geffner 2012. From
//! the best state of a round, in which more of the highest goal holds than before, another round
//! begins, as in their serialised search.

use super::breadth_first::CHILD;
use super::expand::{NextStates, Over, expander};
use super::heuristic::Conditions;
use super::method::Task;

/// Rounds of width 1 and 2, from the start and from states that are nearer to the goal.
pub(super) fn run(task: &Task<'_>) {
    let mut distance = Conditions::of_goal(task.puzzle);
    let words = task.puzzle.lanes.program.carried;
    for width in [1, 2] {
        if width == 2 && (words * words / 8) as u64 > task.memory / 2 {
            return;
        }
        let mut begin = Place { code: task.puzzle.start_code.clone(), moves: Vec::new() };
        let mut nearest = distance.missing(&begin.code, 0);
        while let Some(place) = round(task, &mut distance, &begin, nearest, width) {
            nearest = distance.missing(&place.code, place.moves.len());
            begin = place;
        }
        if !task.pace.goes_on(1) {
            return;
        }
    }
}

/// A state and the line to it.
struct Place {
    code: Vec<u64>,
    moves: Vec<u32>,
}

/// A breadth-first search of some width; ends with the first state that is nearer to the goal.
fn round(
    task: &Task<'_>,
    distance: &mut Conditions,
    begin: &Place,
    nearest: u32,
    width: usize,
) -> Option<Place> {
    let puzzle = task.puzzle;
    let (len, words) = (puzzle.layout.len(), puzzle.lanes.program.carried);
    let mut novelty = Novelty::new(words, width);
    let mut truths = vec![false; words];
    let mut expander = expander(puzzle);
    let (mut over, mut children): (Vec<Over>, _) = (Vec::new(), NextStates::default());
    let mut open = vec![(begin.code.clone(), begin.moves.clone())];
    let last = puzzle.horizon().unwrap_or(usize::MAX);
    for depth in begin.moves.len().. {
        let mut next: Vec<(Vec<u64>, Vec<u32>)> = Vec::new();
        for group in open.chunks(expander.batch()) {
            let states: Vec<u64> = group.iter().flat_map(|(code, _)| code).copied().collect();
            expander.expand(&states, depth, &mut over, &mut children);
            for found in &over {
                if let Some(score) = found.score {
                    task.offer(group[found.place].1.clone(), score);
                }
            }
            for ((&parent, &chosen), code) in
                children.parents.iter().zip(&children.moves).zip(children.codes.chunks_exact(len))
            {
                puzzle.layout.truths(code, &mut truths);
                let is_novel = novelty.add(&truths);
                if !task.pace.goes_on(novelty.take_work() + distance.work()) {
                    return None;
                }
                if !is_novel {
                    continue;
                }
                let mut moves = group[parent as usize].1.clone();
                moves.push(chosen);
                if distance.missing(code, depth + 1) < nearest {
                    return Some(Place { code: code.to_vec(), moves });
                }
                next.push((code.to_vec(), moves));
            }
            let work = expander.take_work() + CHILD * children.moves.len() as u64;
            if !task.pace.goes_on(work) {
                return None;
            }
        }
        if next.is_empty() || depth >= last {
            return None;
        }
        open = next;
    }
    None
}

/// What was true in some state.
struct Novelty {
    width: usize,
    singles: Vec<bool>,
    pairs: Vec<u64>,
    /// Fluents and pairs that were looked at since this was last asked for.
    work: u64,
}

impl Novelty {
    fn new(words: usize, width: usize) -> Self {
        let pairs = if width == 2 { (words * words).div_ceil(64) } else { 0 };
        Novelty { width, singles: vec![false; words], pairs: vec![0; pairs], work: 0 }
    }

    fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    /// Notes what is true. Says whether some of it was not before.
    fn add(&mut self, truths: &[bool]) -> bool {
        let held: Vec<usize> = (0..truths.len()).filter(|&word| truths[word]).collect();
        let mut is_new = false;
        self.work += truths.len() as u64;
        for &word in &held {
            is_new |= !std::mem::replace(&mut self.singles[word], true);
        }
        if self.width == 2 {
            self.work += (held.len() * held.len()) as u64;
            for (at, &one) in held.iter().enumerate() {
                for &other in &held[at + 1..] {
                    let pair = one * truths.len() + other;
                    let bits = &mut self.pairs[pair / 64];
                    is_new |= *bits >> (pair % 64) & 1 == 0;
                    *bits |= 1 << (pair % 64);
                }
            }
        }
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_new_by_a_fluent_or_by_a_pair() {
        let states = [[true, false, true], [true, true, false], [false, true, true]];
        for (width, expected) in [(1, [true, true, false]), (2, [true, true, true])] {
            let mut novelty = Novelty::new(3, width);
            assert_eq!(states.map(|truths| novelty.add(&truths)), expected, "width {width}");
            assert!(!novelty.add(&[true, false, false]));
        }
    }
}
