//! History: moves that did well on average, whatever the state.
//!
//! The history heuristic of Schaeffer 1989, by mean scores of playouts.

use propnet::game::{Move, PlayError, Role};
use rustc_hash::FxHashMap;

use super::{EndedPlayout, Look, MakeStrategies, SimulationStrategy, share};
use crate::search::scheme::{Parameter, Part};

const SHARE: Parameter = share("history_share", 0.7);

/// The part with this name.
pub(crate) const PART: Part<MakeStrategies> = Part {
    name: "history",
    help: "playouts follow moves that did well on average",
    paper: "Świechowski and Mańdziuk 2014",
    parameters: &[SHARE],
    make: |values| {
        vec![Box::new(History { share: values.get(&SHARE), scores: FxHashMap::default() })]
    },
};

struct History {
    share: f64,
    /// By role and move: how often it was made, and the sum of its scores.
    scores: FxHashMap<(Role, usize), (f64, f64)>,
}

impl History {
    fn mean(&self, role: Role, chosen: Move) -> Option<f64> {
        self.scores.get(&(role, chosen.index())).map(|(count, sum)| sum / count)
    }
}

impl SimulationStrategy for History {
    fn share(&self) -> f64 {
        self.share
    }

    fn values(&mut self, look: &mut Look<'_>) -> Result<Option<Vec<f64>>, PlayError> {
        let means: Vec<Option<f64>> =
            look.legal.iter().map(|&chosen| self.mean(look.role, chosen)).collect();
        let known: Vec<f64> = means.iter().flatten().copied().collect();
        if known.is_empty() {
            return Ok(None);
        }
        // A move that was never made is as good as the others are on average.
        let usual = known.iter().sum::<f64>() / known.len() as f64;
        Ok(Some(means.into_iter().map(|mean| mean.unwrap_or(usual)).collect()))
    }

    fn learn(&mut self, ended: &EndedPlayout<'_>) {
        for joint in ended.moves.chunks_exact(ended.goals.len().max(1)) {
            for (role, (chosen, goal)) in joint.iter().zip(ended.goals).enumerate() {
                let (count, sum) = self.scores.entry((role, chosen.index())).or_default();
                *count += 1.0;
                *sum += goal;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use propnet::game::Game;
    use propnet::gdl::Source;
    use propnet::reference::{self, Reasoner};

    use super::*;

    const SHEET: &str = "(role a) (init s) (legal a left) (legal a right) (legal a up)
        (next s) (<= terminal (true t)) (goal a 0)";

    #[test]
    fn moves_are_worth_the_mean_of_their_scores() {
        let rules = reference::load(Source::from_text("sheet", SHEET)).expect("a sheet");
        let mut game = Reasoner::new(&rules);
        let state = game.initial_state().expect("a state");
        let legal = ["left", "right", "up"].map(|text| game.move_of(0, text).expect("a move"));
        let [left, right, _] = legal;
        let mut history = History { share: 1.0, scores: FxHashMap::default() };
        let recent = VecDeque::from([state.clone()]);
        let mut look = Look::new(&mut game, 0, &legal[..1], &legal, &recent);
        assert_eq!(history.values(&mut look).expect("values"), None, "nothing is known");
        for (moves, goal) in [(vec![left, left], 40.0), (vec![left, right], 100.0)] {
            history.learn(&EndedPlayout { moves: &moves, state: &state, goals: &[goal] });
        }
        // Left: (40 + 40 + 100) / 3; right: 100; up: the mean of both.
        assert_eq!(history.values(&mut look).expect("values"), Some(vec![60.0, 100.0, 80.0]));
    }
}
