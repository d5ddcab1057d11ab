//! All methods side by side on one puzzle, until the best score is proven or the time is up.

use std::time::{Duration, Instant};

use super::best::Best;
use super::error::PuzzleError;
use super::line::replay;
use super::method::{METHODS, Method, Task};
use super::pace::{MethodPace, Turns};
use super::puzzle::Puzzle;
use super::report::{MethodFigures, PuzzleReport};
use propnet::gdl::Rules;

/// How a puzzle is searched.
#[derive(Clone, Debug)]
pub struct PuzzleOptions {
    /// How many methods work at the same time.
    pub cores: usize,
    /// When the search ends at the latest.
    pub time: Option<Duration>,
    /// The bytes that all methods together may hold.
    pub memory: u64,
    /// For random choices.
    pub seed: u64,
    /// The methods by name; all where there is none.
    pub methods: Vec<String>,
}

impl Default for PuzzleOptions {
    /// All methods on one core, without a deadline, in two gigabytes.
    fn default() -> Self {
        PuzzleOptions { cores: 1, time: None, memory: 2 << 30, seed: 1, methods: Vec::new() }
    }
}

/// Searches a puzzle, and replays the best line in the reference reasoner.
pub fn solve(
    rules: &Rules,
    puzzle: &Puzzle,
    options: &PuzzleOptions,
    may_go_on: &(dyn Fn() -> bool + Sync),
) -> Result<PuzzleReport, PuzzleError> {
    let best = Best::new(puzzle.highest());
    let begin = Instant::now();
    let methods = search(puzzle, options, &best, may_go_on)?;
    let names = &puzzle.circuit.names;
    let line = best.line();
    let moves: Vec<String> = line
        .iter()
        .flat_map(|line| &line.moves)
        .map(|&chosen| names.text_of_move(0, chosen as usize))
        .collect();
    if let Some(line) = &line {
        let start = names.sentences(&puzzle.start)?;
        let score = replay(rules, &start, &moves)?;
        if score != Some(line.score) {
            return Err(PuzzleError::Disagreement {
                found_by: line.found_by,
                expected: line.score,
                replayed: score,
            });
        }
    }
    Ok(PuzzleReport {
        score: line.as_ref().map(|line| line.score),
        moves,
        is_proven: best.is_proven(),
        bound: best.bound(),
        found_by: line.as_ref().map(|line| line.found_by),
        proven_by: best.is_proven().then(|| best.proven_by().unwrap_or("the rules")),
        found_after: line.map(|line| line.after),
        time: begin.elapsed(),
        state_bits: puzzle.layout.bits(),
        horizon: puzzle.horizon(),
        methods,
    })
}

/// Searches until the best score is proven, the time is up, all methods are done, or the caller
/// wants no more. What was found is in `best`.
pub fn search(
    puzzle: &Puzzle,
    options: &PuzzleOptions,
    best: &Best,
    may_go_on: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<MethodFigures>, PuzzleError> {
    let known = |name: &&String| METHODS.iter().any(|method| method.name == name.as_str());
    if let Some(name) = options.methods.iter().find(|name| !known(name)) {
        let names: Vec<&str> = METHODS.iter().map(|method| method.name).collect();
        return Err(PuzzleError::UnknownMethod { name: name.clone(), known: names.join(", ") });
    }
    let is_chosen = |method: &&Method| {
        options.methods.is_empty() || options.methods.iter().any(|name| name == method.name)
    };
    let methods: Vec<&Method> = METHODS.iter().filter(is_chosen).collect();
    let deadline = options.time.and_then(|time| Instant::now().checked_add(time));
    let weights = methods.iter().map(|method| method.weight);
    let turns = Turns::new(weights, options.cores, deadline, may_go_on);
    let memory = options.memory / methods.len().max(1) as u64;
    std::thread::scope(|scope| {
        for (me, method) in methods.iter().enumerate() {
            let turns = &turns;
            let work = move || {
                let pace = MethodPace::begin(turns, best, me);
                let task =
                    Task { puzzle, best, pace, memory, seed: options.seed, name: method.name };
                (method.run)(&task);
            };
            std::thread::Builder::new().name(method.name.to_string()).spawn_scoped(scope, work)?;
        }
        Ok::<(), std::io::Error>(())
    })?;
    let used = turns.used();
    let figures = methods.iter().zip(used);
    Ok(figures.map(|(method, work)| MethodFigures { name: method.name, work }).collect())
}
