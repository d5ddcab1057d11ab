//! Scores and proofs on small puzzles, against all states by the reference reasoner.

use std::collections::HashSet;
use std::sync::Arc;

use ludens::pipeline::{Control, PipelineOptions, Stages};
use ludens::puzzle::{METHODS, Puzzle, PuzzleOptions, PuzzleReport, independent_parts, solve};
use propnet::game::Game;
use propnet::gdl::Source;
use propnet::reference::{self, Reasoner};

use super::sheets;

/// Puzzles: their highest goal, and whether it can be reached.
fn puzzles() -> Vec<(&'static str, String, i32, bool)> {
    vec![
        ("2x3, near", sheets::sliding(3, &[1, 2, 3, 0, 4, 5], 8), 100, true),
        ("2x3, parity", sheets::sliding(3, &[2, 1, 3, 4, 5, 0], 12), 100, false),
        ("2x3, too few moves", sheets::sliding(3, &[4, 1, 3, 0, 2, 5], 3), 100, false),
        ("hanoi 3", sheets::hanoi(3, 7), 30, true),
        ("hanoi 3, too few moves", sheets::hanoi(3, 6), 30, false),
        ("hanoi 3, a move to lose", sheets::hanoi(3, 8), 30, true),
        ("hanoi 4", sheets::hanoi(4, 15), 40, true),
        ("hanoi 4, too few moves", sheets::hanoi(4, 14), 40, false),
        ("lights", sheets::lights(&[0, 1, 2, 3, 4, 5, 6, 7, 8], 5), 100, true),
        ("lights, too few presses", sheets::lights(&[0, 1, 2, 3, 4, 5, 6, 7, 8], 4), 100, false),
    ]
}

/// The highest score at the end of any line, by the reference reasoner alone.
fn highest(sheet: &str) -> Option<i32> {
    let rules = reference::load(Source::from_text("puzzle", sheet)).expect("a sheet");
    let mut game = Reasoner::new(&rules);
    let mut level = HashSet::from([game.initial_state().expect("a state")]);
    let mut top = None;
    while !level.is_empty() {
        let mut next = HashSet::new();
        for state in &level {
            if game.is_terminal(state).expect("an answer") {
                top = top.max(game.proper_goal(state, 0).expect("an answer"));
                continue;
            }
            for chosen in game.legal_moves(state, 0).expect("moves").iter() {
                next.insert(game.next_state(state, &[chosen]).expect("a state"));
            }
        }
        level = next;
    }
    top
}

pub(super) fn solved(sheet: &str, methods: &[&str]) -> PuzzleReport {
    solved_within(sheet, methods, 1 << 28)
}

pub(super) fn puzzle(sheet: &str) -> (Stages, Puzzle) {
    let rules = reference::load(Source::from_text("puzzle", sheet)).expect("a sheet");
    let stages = Stages::new(Arc::new(rules));
    let puzzle = Puzzle::new(&stages, &PipelineOptions::default(), Control::default());
    (stages, puzzle.expect("a puzzle"))
}

fn solved_within(sheet: &str, methods: &[&str], memory: u64) -> PuzzleReport {
    let (stages, puzzle) = puzzle(sheet);
    let methods = methods.iter().map(|name| name.to_string()).collect();
    let options = PuzzleOptions { methods, memory, ..PuzzleOptions::default() };
    solve(stages.rules(), &puzzle, &options, &|| true).expect("a report")
}

#[test]
fn all_methods_together_prove_what_a_search_of_all_states_finds() {
    for (name, sheet, goal, is_solvable) in puzzles() {
        let top = highest(&sheet);
        let report = solved(&sheet, &[]);
        assert_eq!((report.score, report.is_proven), (top, true), "{name}");
        assert_eq!(top == Some(goal), is_solvable, "{name}");
    }
}

#[test]
fn complete_methods_prove_alone() {
    for (name, sheet, ..) in puzzles() {
        let top = highest(&sheet);
        for method in ["breadth-first", "sat"] {
            let report = solved(&sheet, &[method]);
            assert_eq!((report.score, report.is_proven), (top, true), "{name} by {method}");
            let by_rules = report.proven_by == Some("the rules");
            assert!(by_rules || report.proven_by == Some(method), "{name} by {method}");
        }
    }
}

/// Methods for puzzles of a certain kind, with tests of their own.
const SPECIAL: &[&str] = &["parts", "subgroups", "constraints"];

#[test]
fn every_method_finds_a_line_of_an_easy_puzzle() {
    let sheet = sheets::sliding(3, &[1, 2, 3, 0, 4, 5], 8);
    for method in METHODS.iter().filter(|method| !SPECIAL.contains(&method.name)) {
        let report = solved(&sheet, &[method.name]);
        assert_eq!((report.score, report.found_by), (Some(100), Some(method.name)));
    }
}

#[test]
fn the_same_seed_on_one_core_is_the_same_search() {
    let sheet = sheets::hanoi(4, 15);
    let [one, other] = [solved(&sheet, &[]), solved(&sheet, &[])];
    assert_eq!(
        (one.moves, one.found_by, one.proven_by),
        (other.moves, other.found_by, other.proven_by)
    );
}

/// The methods that come to an end by themselves.
const ENDING: &[&str] = &[
    "breadth-first",
    "both-ends",
    "subgroups",
    "a-star",
    "patterns",
    "parts",
    "goal-count",
    "depth-first",
    "constraints",
    "relaxed-plan",
    "width",
    "sat",
];

#[test]
fn no_method_proves_too_much() {
    for (name, sheet, ..) in puzzles() {
        let top = highest(&sheet).expect("a score");
        for method in ENDING {
            let report = solved(&sheet, &[method]);
            assert!(report.bound >= top, "{name} by {method}: {} < {top}", report.bound);
            assert!(report.score <= Some(top), "{name} by {method}");
        }
    }
}

#[test]
fn pattern_databases_find_shortest_lines_and_prove_that_there_is_none() {
    let far = sheets::sliding(3, &[4, 1, 3, 0, 2, 5], 20);
    let near = sheets::sliding(3, &[1, 2, 3, 0, 4, 5], 20);
    for sheet in [far, near] {
        let [by_levels, by_patterns] =
            ["breadth-first", "a-star"].map(|method| solved(&sheet, &[method]));
        assert_eq!((by_patterns.score, by_patterns.found_by), (Some(100), Some("a-star")));
        assert_eq!(by_patterns.moves.len(), by_levels.moves.len());
    }
    let parity = sheets::sliding(3, &[2, 1, 3, 4, 5, 0], 12);
    assert!(solved(&parity, &["a-star"]).bound < 100, "no line leads to the highest goal");
}

#[test]
fn deepening_proves_the_same_where_breadth_first_has_no_memory() {
    for (name, sheet, ..) in puzzles() {
        // Lines of hanoi 4 are too many without a table of states.
        if name.starts_with("hanoi 4") {
            continue;
        }
        let top = highest(&sheet);
        let report = solved_within(&sheet, &["breadth-first"], 4000);
        assert_eq!((report.score, report.is_proven), (top, true), "{name}");
    }
}

#[test]
fn parts_that_do_not_depend_on_each_other_are_solved_one_by_one() {
    // 512 states for each board, and as many to the third power together.
    let sheet = sheets::boards(3, 15);
    let parts = independent_parts(&puzzle(&sheet).1);
    assert_eq!(parts.iter().map(|part| part.moves.len()).collect::<Vec<_>>(), [9, 9, 9]);
    let report = solved(&sheet, &["parts"]);
    assert_eq!((report.score, report.moves.len()), (Some(100), 15));
    // The shortest lines of all parts together are too long by one.
    assert_eq!(solved(&sheets::boards(3, 14), &["parts"]).score, Some(0));
    let one = sheets::lights(&[0, 1, 2, 3, 4, 5, 6, 7, 8], 5);
    assert_eq!(independent_parts(&puzzle(&one).1).len(), 1, "all lamps hang together");
}
