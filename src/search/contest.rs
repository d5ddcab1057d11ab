//! Games between two strategies, to find out which one is stronger.
//!
//! Each contestant plays every role equally often: in game `g` the first contestant has role
//! `g mod roles` and the second one has the others. In a game for one role each plays alone in turn.

use std::time::{Duration, Instant};

use propnet::game::{JointMove, PlayError};
use rayon::prelude::*;
use serde::Serialize;

use super::budget::Budget;
use super::playout::SearchGame;
use super::search::Search;
use super::settings::Settings;
use crate::statistics::Estimate;

/// One side of a contest.
#[derive(Clone)]
pub struct Contestant {
    /// What it plays on.
    pub game: SearchGame,
    /// How it plays.
    pub settings: Settings,
    /// What it may spend on a move. A budget of simulations makes the contest the same every time.
    pub budget: Budget,
    /// The time for each move, if there is a limit to it.
    pub time: Option<Duration>,
}

/// The number of games and their seeds.
#[derive(Clone, Copy, Debug)]
pub struct Contest {
    /// The number of games.
    pub games: u64,
    /// Game `g` has the seed `seed + g`.
    pub seed: u64,
    /// The joint moves after which a game is given up; its points are those of the state it is in.
    pub limit: usize,
    /// Whether a side also searches where it has no choice, as it can in a match, where every turn
    /// has its time. What is remembered then helps in the next turn.
    pub every_turn: bool,
}

/// What the first contestant achieved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Score {
    /// The number of games.
    pub games: u64,
    /// Points in percent: goals where it plays alone; otherwise 100 for a goal higher than the
    /// highest of the other side, 50 for an equal one.
    pub percent: f64,
    /// The ends of the 95 % interval of that mean; none where goals are not from 0 to 100.
    pub interval: Option<(f64, f64)>,
    /// The mean goal of the first contestant.
    pub goals: f64,
    /// The points of each game.
    pub points: Vec<f64>,
}

/// Plays games between two contestants, in parallel on all cores.
pub fn contest(
    first: &Contestant,
    second: &Contestant,
    contest: Contest,
) -> Result<Score, PlayError> {
    let played: Result<Vec<(f64, f64)>, PlayError> = (0..contest.games)
        .into_par_iter()
        .map(|game| play(first, second, game, &contest))
        .collect();
    let played = played?;
    let count = played.len().max(1) as f64;
    let points: Vec<f64> = played.iter().map(|(points, _)| *points).collect();
    Ok(Score {
        games: contest.games,
        percent: points.iter().sum::<f64>() / count,
        interval: Estimate::of(&points, 100.0).map(|estimate| (estimate.low, estimate.high)),
        goals: played.iter().map(|(_, goal)| goal).sum::<f64>() / count,
        points,
    })
}

/// Plays one game and gives the points and the goal of the first contestant.
fn play(
    first: &Contestant,
    second: &Contestant,
    game: u64,
    contest: &Contest,
) -> Result<(f64, f64), PlayError> {
    let seed = contest.seed + game;
    let search = |side: &Contestant, seed: u64| {
        // Games run in parallel, so each side has one thread, unless it says otherwise.
        let mut settings = side.settings.clone();
        settings.limit_threads(1);
        Search::new(&side.game, &settings, seed)
    };
    let mut first_search = search(first, 2 * seed)?;
    let roles = first_search.game().roles().len();
    let seat = (game % roles as u64) as usize;
    let mut second_search = if roles > 1 { Some(search(second, 2 * seed + 1)?) } else { None };
    for _ in 0..contest.limit {
        if first_search.is_over() {
            break;
        }
        think(&mut first_search, first, &[seat], contest)?;
        if let Some(search) = &mut second_search {
            let others: Vec<usize> = (0..roles).filter(|&role| role != seat).collect();
            think(search, second, &others, contest)?;
        }
        let mut texts: Vec<String> = Vec::with_capacity(roles);
        for role in 0..roles {
            let search = match &mut second_search {
                Some(search) if role != seat => search,
                _ => &mut first_search,
            };
            if let Some(chosen) = search.best_move(role) {
                texts.push(search.game().move_text(role, chosen)?);
            }
        }
        advance(&mut first_search, &texts)?;
        if let Some(search) = &mut second_search {
            advance(search, &texts)?;
        }
    }
    let state = first_search.state().clone();
    let game = first_search.game();
    let goals: Vec<f64> =
        (0..roles).map(|role| game.goal(&state, role).map_or(0.0, f64::from)).collect();
    Ok((points(&goals, seat), goals[seat]))
}

/// Makes a joint move by its texts: the sides may have different engines.
fn advance(search: &mut Search, texts: &[String]) -> Result<(), PlayError> {
    let game = search.game();
    let joint = texts.iter().enumerate().map(|(role, text)| game.move_of(role, text));
    let joint = joint.collect::<Result<JointMove, _>>()?;
    search.advance(&joint)
}

/// Lets a side search, if it should.
fn think(
    search: &mut Search,
    side: &Contestant,
    roles: &[usize],
    contest: &Contest,
) -> Result<(), PlayError> {
    if contest.every_turn || roles.iter().any(|&role| search.legal_moves(role).len() > 1) {
        let deadline = side.time.map(|time| Instant::now() + time);
        search.run(&Budget { deadline, ..side.budget.clone() })?;
    }
    Ok(())
}

fn points(goals: &[f64], seat: usize) -> f64 {
    let own = goals[seat];
    let others = goals.iter().enumerate().filter(|(role, _)| *role != seat);
    match others.map(|(_, goal)| *goal).reduce(f64::max) {
        None => own,
        Some(other) if own > other => 100.0,
        Some(other) if own == other => 50.0,
        Some(_) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_those_of_the_seat() {
        assert_eq!(points(&[100.0, 0.0], 0), 100.0);
        assert_eq!(points(&[100.0, 0.0], 1), 0.0);
        assert_eq!(points(&[30.0, 30.0, 20.0], 1), 50.0);
        assert_eq!(points(&[40.0], 0), 40.0);
    }
}
