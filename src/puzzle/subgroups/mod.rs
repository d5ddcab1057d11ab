//! Puzzles whose moves permute things, such as Rubik's cube: solved from subgroup to subgroup.
//!
//! Thistlethwaite 1981: a chain of groups, each made by fewer moves than the one before. A stage uses
//! the moves of its group and ends in the next one; the last ends in the goal. Kociemba 1992: each
//! stage is a search by IDA* with a table of distances for each kind of thing. Here all of it is found
//! by the game itself:
//!
//! ```text
//! moved   what moves take from place to place, seen in random play
//! points  the places that things of a kind share, and moves as permutations of them
//! group   orbits and orders of groups
//! chain   which moves to do without, stage by stage
//! stage   the tables of a stage, and its search
//! ```
//!
//! What was seen in random play is not proven, but lines are played before they count.

mod chain;
mod group;
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
use moved::{Play, moved};
use points::Points;
use stage::{Stage, StageEnd};

/// Goal states that are tried.
const GOALS: usize = 4;
/// Searches with stages in other orders of moves, and the states that the first may look at in a
/// stage; each may look at twice as many as the one before.
const ATTEMPTS: u32 = 12;
const STATES: u64 = 1_000_000;

/// Searches for lines to the highest goal.
pub(super) fn run(task: &Task<'_>) {
    let Some(play) = Play::watch(task) else { return };
    let mut goals = GoalCodes::new(task);
    let highest = task.puzzle.values.iter().flatten().max();
    let Some(codes) = goals.of_value(highest.copied().unwrap_or_default(), GOALS) else { return };
    for code in codes {
        let Some(moved) = moved(task.puzzle, &play, &code) else { continue };
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

/// Searches all stages, again and again. Says whether a line was found, or the time is up.
fn attempts(task: &Task<'_>, points: &Points, mut stages: Vec<Stage>, rng: &mut Pcg64Mcg) -> bool {
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
fn line(task: &Task<'_>, points: &Points, stages: &[Stage], states: u64) -> StageEnd {
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
