//! A share of a turn for contests between schemes, as long as they have not said which one plays.

use std::time::{Duration, Instant};

use propnet::game::PlayError;

use super::turn::Turn;
use crate::search::{Budget, ChoiceEffort, ChoiceReport, Chooser, Search};

/// The share of the start clock for contests, and of the turns after it.
const OF_START: f64 = 0.5;
const OF_TURN: f64 = 0.25;

/// Turns of the match with contests.
const MOST_TURNS: u32 = 5;

/// With a budget for each move: contests may take as much as so many moves, but not more than so many
/// simulations.
const MOVES: u64 = 20;
const MOST_SIMULATIONS: u64 = 2_000_000;

/// The choice of a scheme in a match.
pub(super) struct SchemeChoice {
    chooser: Chooser,
    /// The simulations of all contests together, if the player has a budget for each move.
    simulations: Option<u64>,
    /// The time that it takes to make another program.
    cost: Duration,
    /// Turns so far, the start clock as the first.
    turns: u32,
    seed: u64,
    is_over: bool,
}

impl SchemeChoice {
    pub(super) fn new(
        chooser: Chooser,
        budget: Option<&Budget>,
        cost: Duration,
        seed: u64,
    ) -> Self {
        let counted = |budget: &Budget| budget.simulations.or(budget.expansions).unwrap_or(0);
        let all = |budget: &Budget| counted(budget).saturating_mul(MOVES).min(MOST_SIMULATIONS);
        SchemeChoice { chooser, simulations: budget.map(all), cost, turns: 0, seed, is_over: false }
    }

    /// Plays contests in a part of this turn. The search that takes over, at the same position, if one
    /// was chosen.
    pub(super) fn go_on(
        &mut self,
        turn: &Turn,
        search: &mut Search,
        may_go_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Search>, PlayError> {
        let left = turn.budget.deadline.map(|end| end.saturating_duration_since(Instant::now()));
        let effort = effort(self.turns, left, self.simulations, self.cost);
        self.turns += 1;
        if self.is_over || search.is_over() {
            return Ok(None);
        }
        let Some(effort) = effort else { return Ok(None) };
        self.chooser.go_on(effort, may_go_on)?;
        self.is_over = self.chooser.is_over() || self.simulations.is_some();
        let Some((settings, game)) = self.chooser.winner() else { return Ok(None) };
        self.is_over = true;
        let sentences = search.sentences()?;
        Search::at_sentences(&game, &settings, self.seed, &sentences).map(Some)
    }

    /// What was chosen, and why.
    pub(super) fn report(&self) -> ChoiceReport {
        self.chooser.report()
    }

    /// Whether nothing will change any more.
    pub(super) fn is_over(&self) -> bool {
        self.is_over || self.turns > MOST_TURNS
    }
}

/// What contests may take in a turn with so much time left; the first turn is that of the start clock.
fn effort(
    turn: u32,
    left: Option<Duration>,
    simulations: Option<u64>,
    cost: Duration,
) -> Option<ChoiceEffort> {
    match (simulations, left) {
        (Some(count), _) => (turn == 0).then_some(ChoiceEffort::Simulations(count)),
        (None, Some(left)) if turn <= MOST_TURNS => {
            let share = if turn == 0 { OF_START } else { OF_TURN };
            let time = left.mul_f64(share);
            // Where the program of a candidate takes most of that time, nothing is left for games.
            (time > 2 * cost).then_some(ChoiceEffort::Time(time))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contests_have_a_share_of_the_start_clock_and_of_the_first_turns() {
        let seconds = Duration::from_secs;
        let of = |turn, left, cost| effort(turn, Some(left), None, cost);
        assert_eq!(of(0, seconds(10), seconds(1)), Some(ChoiceEffort::Time(seconds(5))));
        assert_eq!(of(1, seconds(8), seconds(0)), Some(ChoiceEffort::Time(seconds(2))));
        assert_eq!(of(0, seconds(10), seconds(3)), None, "programs take too long");
        assert_eq!(of(6, seconds(10), seconds(0)), None);
        assert_eq!(effort(0, None, None, seconds(0)), None);
    }

    #[test]
    fn with_a_budget_contests_are_before_the_first_move() {
        let of = |turn| effort(turn, Some(Duration::ZERO), Some(40), Duration::from_secs(9));
        assert_eq!((of(0), of(1)), (Some(ChoiceEffort::Simulations(40)), None));
    }
}
