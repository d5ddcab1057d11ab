//! Score-bounded MCTS (section 6.2 and 6.3 of the thesis): the search with its solver, until the bounds
//! of the root meet.

use std::time::{Duration, Instant};

use super::error::SolveError;
use super::game::SolveGame;
use super::node::ValueBounds;
use super::report::{MoveShare, RoleValue, Solution, SumOfGoals, SumProof};
use super::watch::{SolveProgress, SolveWatch};
use crate::matrix::{POINT, SAME};
use crate::pipeline::{Compile, LaneProgram};
use crate::search::{Budget, MoveReport, Report, RunEnd, Search, SearchGame, Settings};
use propnet::circuit::plan::GoalSum;

/// The caller is asked after this many simulations.
const SLICE: u64 = 4096;

/// After this many descents in a row that proved nothing and played nothing, if they are half of all,
/// it ends: some bounds never meet.
const FRUITLESS: u64 = 1 << 18;

/// Searches a position that is not over, by `s_uct` or `e_uct`, in this many bytes.
pub(super) fn by_search(
    game: &SolveGame,
    (name, solver_variant): (&'static str, &str),
    bytes: u64,
    watch: &mut SolveWatch<'_>,
) -> Result<Solution, SolveError> {
    let begin = Instant::now();
    let strategy = format!("uct+solver:solver_variant={solver_variant}:decide=mixed:threads=1");
    let mut settings: Settings = strategy.parse().expect("the search has this solver");
    settings.limit_memory(bytes);
    let step = settings.step_options(game.roles().len());
    let lanes = LaneProgram::new(&game.circuit, game.lanes.setup, &step, Compile::First)?;
    let lanes = SearchGame::Lanes(lanes);
    let mut search = Search::at_sentences(&lanes, &settings, 0, &game.sentences)?;
    let (mut nodes, mut descents, mut fruitless) = (0, 0, 0);
    loop {
        let report = search.run(&Budget::simulations(SLICE))?;
        nodes += report.expansions;
        let progress = SolveProgress {
            method: name,
            stage: "nodes",
            states: nodes,
            depth: Some(report.depth as u32),
            bounds: bounds(&report).next().map(|(range, _)| in_units(range)),
        };
        descents += SLICE;
        fruitless = if report.simulations == 0 { fruitless + SLICE } else { 0 };
        let is_settled = fruitless >= FRUITLESS && 2 * fruitless >= descents;
        let is_closed = bounds(&report).all(|(_, is_closed)| is_closed);
        let is_over = report.end == RunEnd::Solved || is_closed || is_settled;
        if is_over || !watch(&progress) {
            let found = solution(game, name, &report);
            return Ok(Solution { states: nodes, time: begin.elapsed(), ..found });
        }
    }
}

fn in_units([lower, upper]: [f64; 2]) -> ValueBounds {
    let [lower, upper] = [lower, upper].map(|bound| (bound * POINT as f64).round() as i64);
    ValueBounds { lower, upper }
}

/// By role: the bounds, and whether they are one value.
fn bounds(report: &Report) -> impl Iterator<Item = ([f64; 2], bool)> + '_ {
    let solver = report.solver.iter().flat_map(|solver| &solver.bounds);
    solver.map(|&[lower, upper]| ([lower, upper], upper - lower <= SAME as f64 / POINT as f64))
}

fn solution(game: &SolveGame, variant: &'static str, report: &Report) -> Solution {
    let role_value = |(role, ([lower, upper], is_solved)): (usize, ([f64; 2], bool))| RoleValue {
        role: game.roles()[role].clone(),
        lower,
        upper,
        is_solved,
        strategy: strategy(report, role),
    };
    let roles: Vec<RoleValue> = bounds(report).enumerate().map(role_value).collect();
    let is_solved = roles.iter().all(|role| role.is_solved);
    let sum = report.solver.as_ref().and_then(|solver| solver.sum);
    let observed = sum.map(|sum| SumOfGoals { value: sum.value, known_by: SumProof::Observed });
    Solution {
        variant,
        is_solved,
        is_complete: is_solved || report.end == RunEnd::Solved,
        sum: match game.sum {
            GoalSum::Proven(value) => Some(SumOfGoals { value, known_by: SumProof::Circuit }),
            GoalSum::Unknown => observed,
        },
        roles,
        states: 0,
        is_cyclic: None,
        matrices: report.solver.as_ref().map_or(0, |solver| solver.matrices),
        depth: None,
        time: Duration::ZERO,
    }
}

/// How a role plays: its best move, or where several choose at once the mixed strategy that secures its
/// score, once that is proven; no single move secures anything there.
fn strategy(report: &Report, role: usize) -> Vec<MoveShare> {
    let choosers = report.roles.iter().filter(|role| role.moves.len() > 1).count();
    if choosers < 2 {
        let share = |text: &str| MoveShare { text: text.to_string(), probability: 1.0 };
        return report.best_move(role).map(share).into_iter().collect();
    }
    let share = |found: &MoveReport| {
        let probability = found.share.filter(|share| *share > 0.0)?;
        Some(MoveShare { text: found.text.clone(), probability })
    };
    report.roles[role].moves.iter().filter_map(share).collect()
}
