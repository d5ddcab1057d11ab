//! Puzzles whose moves permute things, such as Rubik's cube: solved from subgroup to subgroup.
//!
//! Thistlethwaite 1981: a chain of groups, each made by fewer moves than the one before. A stage uses
//! the moves of its group and ends in the next one; the last ends in the goal. Kociemba 1992: each
//! stage is a search by IDA* with a table of distances for each kind of thing. Here all of it is found
//! by the game itself:
//!
//! ```text
//! moved   what moves take from place to place, seen in random play
//! home    where things must be for the highest goal
//! points  the places that things of a kind share, and moves as permutations of them
//! group   orbits and orders of groups
//! chain   which moves to do without, stage by stage
//! stage   the tables of a stage, and its search
//! ```
//!
//! What was seen in random play is not proven, but lines are played before they count.

mod chain;
mod group;
mod home;
mod moved;
mod points;
mod stage;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use super::expand::expander;
use super::goal_codes::GoalCodes;
use super::line::follow;
use super::method::Task;
use chain::chain;
use home::home;
use moved::{Moved, WatchedPlay, moved_facts};
use points::Points;
use stage::{GroupStage, StageEnd};

/// Goal states that are tried.
const GOALS: usize = 4;
/// Searches with stages in other orders of moves, and the states that the first may look at in a
/// stage; each may look at twice as many as the one before.
const ATTEMPTS: u32 = 12;
const STATES: u64 = 1_000_000;

/// Searches for lines to the highest goal.
pub(super) fn run(task: &Task<'_>) {
    let Some(play) = WatchedPlay::watch(task) else { return };
    for (moved, code) in with_goals(task, &play) {
        let Some(points) = Points::new(task.puzzle, &moved, &code) else { continue };
        tracing::debug!(
            points = points.homes.len(),
            moves = points.moves.len(),
            "things are moved"
        );
        task.pace.progress();
        let mut rng = Pcg64Mcg::seed_from_u64(task.seed);
        let Some(stages) = chain(&points, &mut rng, &|work| task.pace.goes_on(work)) else {
            continue;
        };
        task.pace.progress();
        if attempts(task, &points, stages, &mut rng) {
            return;
        }
    }
}

/// What is moved, with each state in which it is where it belongs.
fn with_goals(task: &Task<'_>, play: &WatchedPlay) -> Vec<(Moved, Vec<u64>)> {
    if let Some(moved) = play.closed_things()
        && let Some(code) = home(task.puzzle, &moved)
    {
        return vec![(moved, code)];
    }
    let highest = task.puzzle.values.iter().flatten().max().copied().unwrap_or_default();
    let codes = GoalCodes::new(task).of_value(highest, GOALS).unwrap_or_default();
    let moved = |code: Vec<u64>| {
        let things = play.closed_things().or_else(|| moved_facts(task.puzzle, play, &code))?;
        Some((things, code))
    };
    codes.into_iter().filter_map(moved).collect()
}

/// Searches all stages, again and again. Says whether a line was found, or the time is up.
fn attempts(
    task: &Task<'_>,
    points: &Points,
    mut stages: Vec<GroupStage>,
    rng: &mut Pcg64Mcg,
) -> bool {
    for attempt in 0..ATTEMPTS {
        match line(task, points, &stages, STATES << attempt) {
            StageEnd::Stopped => return true,
            StageEnd::None => {}
            StageEnd::Line(moves) => {
                let moves: Vec<u32> = moves.iter().map(|&at| points.moves[at]).collect();
                let mut expander = expander(task.puzzle);
                match follow(task.puzzle, expander.as_mut(), &moves) {
                    Some((score, length)) => task.offer(moves[..length].to_vec(), score),
                    // What was seen in random play is not so everywhere.
                    None => return false,
                }
                return true;
            }
        }
        stages.iter_mut().for_each(|stage| stage.order.shuffle(rng));
    }
    false
}

/// The lines of all stages, one after the other.
fn line(task: &Task<'_>, points: &Points, stages: &[GroupStage], states: u64) -> StageEnd {
    let mut homes = points.homes.clone();
    let mut moves = Vec::new();
    let most = task.puzzle.horizon().unwrap_or(usize::MAX);
    for stage in stages {
        let left = most.saturating_sub(moves.len());
        match stage.search(&homes, left, states, &|work| task.pace.goes_on(work)) {
            StageEnd::Line(part) => {
                part.iter().for_each(|&at| homes = points.after(&homes, at));
                moves.extend(part);
            }
            other => return other,
        }
    }
    StageEnd::Line(moves)
}
