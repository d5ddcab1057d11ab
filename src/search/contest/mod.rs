//! Games between two strategies, to find out which one is stronger.
//!
//! Each contestant plays every role equally often: in game `g` the first contestant has role
//! `g mod roles` and the second one has the others. In a game for one role each plays alone in turn.
//!
//! ```text
//! contest_game  one game, search by search    table  many games that share lanes, in one thread
//! ```

mod contest_game;
mod table;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use propnet::game::{PlayError, Role};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use serde::Serialize;

use super::budget::Budget;
use super::playout::SearchGame;
use super::settings::Settings;
use crate::statistics::Estimate;
use table::Table;

pub use contest_game::GameResult;

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
    /// If there are any, it makes the first of these moves that is legal, or the first legal one, and
    /// does not search: an opponent that is known to be perfect, for example.
    pub moves: Vec<String>,
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
    /// The role of the first contestant; none if it has all in turn.
    pub seat: Option<Role>,
    /// The threads that play; none for one on each processor.
    pub threads: Option<usize>,
    /// The most games at once in a thread. Searches with a budget that counts then share lanes, and
    /// the games are the same as one at a time.
    pub at_once: usize,
}

impl Default for Contest {
    /// No games, as many at once as is useful.
    fn default() -> Self {
        Contest {
            games: 0,
            seed: 1,
            limit: 1000,
            every_turn: false,
            seat: None,
            threads: None,
            at_once: 64,
        }
    }
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

/// Plays games between two contestants, in parallel.
pub fn contest(
    first: &Contestant,
    second: &Contestant,
    contest: Contest,
) -> Result<Score, PlayError> {
    let results = Mutex::new(Vec::new());
    let games: Vec<u64> = (0..contest.games).collect();
    play_games(first, second, &contest, &games, &|result| {
        results.lock().unwrap_or_else(PoisonError::into_inner).push(result.clone());
        true
    })?;
    Ok(Score::of(results.into_inner().unwrap_or_else(PoisonError::into_inner)))
}

/// Plays the games with these numbers, in parallel. The caller is told of each that is over; no other
/// begins once the answer was that no more are wanted.
pub fn play_games(
    first: &Contestant,
    second: &Contestant,
    contest: &Contest,
    games: &[u64],
    note: &(dyn Fn(&GameResult) -> bool + Sync),
) -> Result<(), PlayError> {
    play_while(first, second, contest, games, note, &|| true)
}

/// The same as long as the caller wants it to go on: then games are broken off wherever they are.
pub(super) fn play_while(
    first: &Contestant,
    second: &Contestant,
    contest: &Contest,
    games: &[u64],
    note: &(dyn Fn(&GameResult) -> bool + Sync),
    goes_on: &(dyn Fn() -> bool + Sync),
) -> Result<(), PlayError> {
    let next = AtomicUsize::new(0);
    let next_game = || games.get(next.fetch_add(1, Ordering::Relaxed)).copied();
    let game_over = |result: &GameResult| {
        if !note(result) {
            next.store(games.len(), Ordering::Relaxed);
        }
    };
    let play = |_| Table::new([first, second], contest).play(&next_game, &game_over, goes_on);
    let threads = contest.threads.unwrap_or_else(rayon::current_num_threads).max(1);
    let play_all = || (0..threads).into_par_iter().with_max_len(1).try_for_each(play);
    match ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(play_all),
        Err(_) => play_all(),
    }
}

impl Score {
    /// The score of games that are over.
    pub fn of(mut results: Vec<GameResult>) -> Score {
        results.sort_unstable_by_key(|result| result.game);
        let count = results.len().max(1) as f64;
        let points: Vec<f64> = results.iter().map(|result| result.points).collect();
        let goals = results.iter().map(|result| result.goals[result.seat]);
        Score {
            games: results.len() as u64,
            percent: points.iter().sum::<f64>() / count,
            interval: Estimate::of(&points, 100.0).map(|estimate| (estimate.low, estimate.high)),
            goals: goals.sum::<f64>() / count,
            points,
        }
    }
}
