//! The table of methods: each is one file that searches a puzzle in its own way.

use super::best::Best;
use super::pace::MethodPace;
use super::puzzle::Puzzle;
use super::{
    a_star, best_first, both_ends, breadth_first, constraints, nested, nrpa, parts, satisfy,
    subgroups, width,
};

/// A way to search.
pub struct Method {
    /// Its name, for people and records.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Its share of the cores before any has made progress, beside the others.
    pub weight: u64,
    /// Searches until it is done or told to end.
    pub run: fn(&Task<'_>),
}

/// What a method works on.
pub struct Task<'t> {
    /// The puzzle.
    pub puzzle: &'t Puzzle,
    /// What all methods have found.
    pub best: &'t Best,
    /// Its share of the cores.
    pub pace: MethodPace<'t>,
    /// The bytes that it may hold.
    pub memory: u64,
    /// For random choices.
    pub seed: u64,
    /// Its name.
    pub name: &'static str,
}

impl Task<'_> {
    /// Offers a line that need not be kept otherwise.
    pub(super) fn offer_if_better(&self, moves: &[u32], score: i32) {
        if self.best.is_better(score) {
            self.offer(moves.to_vec(), score);
        }
    }

    /// Offers a line, and takes note if it is the best so far.
    pub fn offer(&self, moves: Vec<u32>, score: i32) {
        if self.best.is_better(score) && self.best.offer(moves, score, self.name) {
            self.pace.progress();
        }
    }
}

impl Task<'_> {
    /// Notes that no line scores this value or more.
    pub(super) fn prove_below(&self, value: i32) {
        let lower = self.puzzle.values.iter().flatten().filter(|&&other| other < value);
        match lower.max() {
            Some(&lower) if value <= self.best.bound() => self.best.prove(lower, self.name),
            Some(_) => {}
            // No line ends with a score: nothing can be found by anyone.
            None => self.best.stop(),
        }
    }
}

/// All methods.
pub const METHODS: &[Method] = &[
    Method {
        name: "breadth-first",
        about: "all states, level by level, in lanes",
        weight: 4,
        run: breadth_first::run,
    },
    Method {
        name: "both-ends",
        about: "from the start and from the goal states, until they meet",
        weight: 2,
        run: both_ends::run,
    },
    Method {
        name: "subgroups",
        about: "moves that permute things, from subgroup to subgroup",
        weight: 2,
        run: subgroups::run,
    },
    Method {
        name: "a-star",
        about: "A* by pattern databases over closed sets of fluents",
        weight: 1,
        run: a_star::run,
    },
    Method {
        name: "patterns",
        about: "the states with the smallest sum of distances in pattern databases first",
        weight: 1,
        run: best_first::by_patterns,
    },
    Method {
        name: "parts",
        about: "parts that do not depend on each other, one after the other",
        weight: 1,
        run: parts::run,
    },
    Method {
        name: "goal-count",
        about: "the states that lack the fewest conditions of the goal first",
        weight: 1,
        run: best_first::by_goal_count,
    },
    Method {
        name: "depth-first",
        about: "the deepest states first",
        weight: 1,
        run: best_first::by_depth,
    },
    Method {
        name: "constraints",
        about: "the condition of the goal that can be met in the fewest ways first",
        weight: 4,
        run: constraints::run,
    },
    Method {
        name: "relaxed-plan",
        about: "the states with the shortest relaxed plans first",
        weight: 1,
        run: best_first::by_relaxed_plan,
    },
    Method {
        name: "width",
        about: "only states in which a fluent, or a pair, is new: IW(1), IW(2)",
        weight: 1,
        run: width::run,
    },
    Method { name: "nested", about: "nested Monte-Carlo search", weight: 1, run: nested::run },
    Method { name: "nrpa", about: "nested rollout policy adaptation", weight: 1, run: nrpa::run },
    Method {
        name: "sat",
        about: "the unrolled game, depth by depth, as a question to the SAT solver",
        weight: 2,
        run: satisfy::run,
    },
];
