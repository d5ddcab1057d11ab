//! What random games show.

use propnet::circuit::plan::{OpenGoals, RandomGames, random_games};
use propnet::circuit::{Circuit, WorkBudget};
use serde::Serialize;

use crate::search::Cutoff;

/// What random games and the first simulations of a search show.
#[derive(Clone, Debug, Serialize)]
pub struct Observed {
    /// Random games that were played to their end.
    pub games: usize,
    /// Those that were cut.
    pub cut: usize,
    /// The joint moves of those that ended; none if none did.
    pub lengths: Option<ObservedLengths>,
    /// The mean of the joint moves after which each role had only one goal left; none where latches
    /// do not tell.
    pub decided_after: Option<f64>,
    /// The share of states in which several roles had a choice.
    pub simultaneous: f64,
    /// By role.
    pub choices: Vec<ObservedChoices>,
    /// How goals change and where games end, as a search samples it; none where the circuit is too
    /// large for lanes.
    pub cutoff: Option<Cutoff>,
}

/// The lengths of random games, in joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ObservedLengths {
    /// The shortest.
    pub least: usize,
    /// The mean.
    pub mean: f64,
    /// The longest.
    pub most: usize,
}

/// What a role chooses from in random games.
#[derive(Clone, Debug, Serialize)]
pub struct ObservedChoices {
    /// The role.
    pub role: String,
    /// The share of states in which it has more than one legal move.
    pub share: f64,
    /// The mean of the legal moves there; none if there is no such state.
    pub mean: Option<f64>,
    /// The most legal moves.
    pub most: u64,
}

impl Observed {
    /// Plays random games.
    pub(super) fn new(
        circuit: &Circuit,
        open_goals: Option<&OpenGoals>,
        cutoff: Option<Cutoff>,
        seed: u64,
        budget: &WorkBudget<'_>,
    ) -> Self {
        let early = open_goals.filter(|goals| goals.can_be_decided()).map(OpenGoals::ending_early);
        let games = random_games(circuit, early.as_ref(), seed, budget);
        Observed {
            games: games.lengths.len(),
            cut: games.cut,
            lengths: lengths(&games.lengths),
            decided_after: lengths(&games.decided).map(|decided| decided.mean),
            simultaneous: share(games.simultaneous, games.states),
            choices: choices(circuit, &games),
            cutoff,
        }
    }
}

fn lengths(sorted: &[usize]) -> Option<ObservedLengths> {
    let (&least, &most) = (sorted.first()?, sorted.last()?);
    let mean = sorted.iter().sum::<usize>() as f64 / sorted.len() as f64;
    Some(ObservedLengths { least, mean, most })
}

fn choices(circuit: &Circuit, games: &RandomGames) -> Vec<ObservedChoices> {
    let roles = circuit.names.roles().iter().zip(&games.choices);
    let choices = roles.map(|(role, choices)| ObservedChoices {
        role: role.clone(),
        share: share(choices.states, games.states),
        mean: (choices.states > 0).then(|| share(choices.moves, choices.states)),
        most: choices.most,
    });
    choices.collect()
}

fn share(part: u64, all: u64) -> f64 {
    part as f64 / all.max(1) as f64
}
