//! Iterative deepening with little memory, on lanes: the deepest open states, as many as there are
//! lanes, go one step further together.
//!
//! IDA*: Korf 1985; with a table of the states that the round has seen: Reinefeld and Marsland 1994.
//! Where there are pattern databases, lines to the highest goal are searched first, then to the next,
//! and states from which it is too far are left out.

use super::breadth_first::{CHILD, finish};
use super::expand::{Expand, NextStates, expander};
use super::heuristic::Patterns;
use super::method::Task;
use crate::visited::hash;

/// Searches for each goal that may still be reached, depth after depth, until the horizon or the end
/// of all lines.
pub(super) fn run(task: &Task<'_>) {
    let mut expander = expander(task.puzzle);
    let goes_on = |work| task.pace.goes_on(work);
    let mut search = Deepening::new(task, expander.as_mut());
    while task.pace.goes_on(1) {
        let value = task.best.bound();
        search.patterns = Patterns::new(task.puzzle, value, &goes_on);
        if !search.is_searched() {
            return;
        }
        if search.patterns.is_none() {
            return finish(task, search.top);
        }
        task.prove_below(value);
    }
}

enum RoundEnd {
    /// Every line ended within the limit.
    All,
    /// Some lines are longer.
    Cut,
    Stopped,
}

struct Deepening<'t, 'e> {
    task: &'t Task<'t>,
    expander: &'e mut dyn Expand,
    /// By depth: open states, and the moves that lead to each.
    levels: Vec<(Vec<u64>, Vec<u32>)>,
    /// States that were expanded with at least so many moves left, in this round.
    seen: Vec<u64>,
    top: Option<i32>,
    /// What leaves states out; without it all lines are searched.
    patterns: Option<Patterns>,
    /// Rounds so far.
    rounds: u64,
}

impl<'t, 'e> Deepening<'t, 'e> {
    fn new(task: &'t Task<'t>, expander: &'e mut dyn Expand) -> Self {
        // An entry is a state and its depth and round, in one more number.
        let entry = task.puzzle.layout.len() + 1;
        let entries = (task.memory / 2 / 8 / entry as u64).clamp(1, 1 << 28) as usize;
        let entries =
            if entries.is_power_of_two() { entries } else { entries.next_power_of_two() / 2 };
        Deepening {
            task,
            expander,
            levels: Vec::new(),
            seen: vec![0; entries * entry],
            top: None,
            patterns: None,
            rounds: 0,
        }
    }

    /// Searches all lines to the goals that the databases are for. Says whether it came to an end.
    fn is_searched(&mut self) -> bool {
        let last = self.task.puzzle.horizon().unwrap_or(usize::MAX);
        for limit in 1.. {
            match self.round(limit.min(last)) {
                RoundEnd::Stopped => return false,
                RoundEnd::All => return true,
                RoundEnd::Cut if limit >= last => return true,
                RoundEnd::Cut => {}
            }
        }
        false
    }

    /// All lines of at most so many moves.
    fn round(&mut self, limit: usize) -> RoundEnd {
        self.rounds += 1;
        let len = self.task.puzzle.layout.len();
        self.levels.resize_with(limit + 1, Default::default);
        self.levels[0].0 = self.task.puzzle.start_code.clone();
        let mut end = RoundEnd::All;
        let (mut over, mut children) = (Vec::new(), NextStates::default());
        while let Some(depth) = self.levels.iter().rposition(|(codes, _)| !codes.is_empty()) {
            let lanes = self.expander.batch();
            let (codes, paths) = &mut self.levels[depth];
            let states = codes.split_off(codes.len().saturating_sub(lanes * len));
            let count = states.len() / len;
            let moves = paths.split_off(paths.len() - count * depth);
            if depth == limit {
                self.expander.look(&states, depth, &mut over, &mut children);
            } else {
                self.expander.expand(&states, depth, &mut over, &mut children);
            }
            for found in &over {
                let Some(score) = found.score else { continue };
                self.top = self.top.max(Some(score));
                if self.task.best.is_better(score) {
                    self.task.offer(moves[found.place * depth..][..depth].to_vec(), score);
                }
            }
            let each = CHILD + self.patterns.as_ref().map_or(0, Patterns::work);
            let work = self.expander.take_work() + each * children.moves.len() as u64;
            if !self.task.pace.goes_on(work) {
                return RoundEnd::Stopped;
            }
            if depth == limit {
                if !children.moves.is_empty() {
                    end = RoundEnd::Cut;
                }
                continue;
            }
            for ((&parent, &chosen), code) in
                children.parents.iter().zip(&children.moves).zip(children.codes.chunks_exact(len))
            {
                match self.left(code) {
                    None => continue,
                    Some(left) if depth + 1 + left > limit => {
                        end = RoundEnd::Cut;
                        continue;
                    }
                    Some(_) => {}
                }
                if self.is_new(code, depth + 1) {
                    let (codes, paths) = &mut self.levels[depth + 1];
                    codes.extend_from_slice(code);
                    paths.extend_from_slice(&moves[parent as usize * depth..][..depth]);
                    paths.push(chosen);
                }
            }
        }
        end
    }

    /// The moves to the goal at least; `None` where it cannot be reached.
    fn left(&mut self, code: &[u64]) -> Option<usize> {
        match &mut self.patterns {
            Some(patterns) => patterns.largest(code).map(|left| left as usize),
            None => Some(0),
        }
    }

    /// Whether a state is to be searched at this depth: it was not, as far as the table knows, in
    /// this round, with as many moves left.
    fn is_new(&mut self, code: &[u64], depth: usize) -> bool {
        let len = code.len();
        let entries = self.seen.len() / (len + 1);
        let first = (hash(code) as usize & (entries - 1)) * (len + 1);
        let entry = &mut self.seen[first..first + len + 1];
        let tag = (self.rounds << 32) | (depth as u64 + 1);
        if entry[..len] == *code && entry[len] >> 32 == self.rounds {
            let seen = (entry[len] & 0xffff_ffff) as usize - 1;
            let is_for_good = self.task.puzzle.is_seen_for_good(seen);
            if seen == depth || (seen < depth && is_for_good) {
                return false;
            }
        }
        entry[..len].copy_from_slice(code);
        entry[len] = tag;
        true
    }
}
