//! AGE: states in which the highest goal is nearly reached.
//!
//! Approximate goal evaluation: the share of conditions that hold, the maximum over alternatives.
//! Where degrees are not known, as on the reference reasoner, nothing is.

use std::sync::Arc;

use propnet::game::{GoalDegrees, PlayError};

use super::{Look, MakeStrategies, SimulationStrategy, share};
use crate::search::scheme::{Parameter, Part};

const SHARE: Parameter = share("age_share", 0.8);

/// The part with this name.
pub(crate) const PART: Part<MakeStrategies> = Part {
    name: "age",
    help: "playouts seek states in which the highest goal is nearly reached",
    paper: "Świechowski and Mańdziuk 2014",
    parameters: &[SHARE],
    make: |values| {
        vec![Box::new(Age { share: values.get(&SHARE), degrees: None, scratch: Vec::new() })]
    },
};

struct Age {
    share: f64,
    /// What the game knows, once it was asked.
    degrees: Option<Option<Arc<GoalDegrees>>>,
    scratch: Vec<f64>,
}

impl SimulationStrategy for Age {
    fn share(&self) -> f64 {
        self.share
    }

    fn values(&mut self, look: &mut Look<'_>) -> Result<Option<Vec<f64>>, PlayError> {
        let degrees = self.degrees.get_or_insert_with(|| look.game.goal_degrees()).clone();
        let Some(degrees) = degrees else { return Ok(None) };
        let role = look.role;
        let scratch = &mut self.scratch;
        let next = look.next()?.iter();
        Ok(Some(next.map(|state| degrees.of(state, scratch).highest(role)).collect()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;
    use crate::search::tree_search::game_on_lanes;

    /// The highest goal needs three facts, of which (f 1) is always true: the ground rules leave it out.
    const SHEET: &str = "(role a) (init (f 1)) (init (n 0)) (succ 0 1) (succ 1 2)
        (legal a (set 1)) (legal a (set 2)) (legal a none)
        (<= (next (f ?x)) (true (f ?x))) (<= (next (f ?x)) (does a (set ?x)))
        (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= terminal (true (n 2)))
        (<= (goal a 100) (true (f 1)) (true (f 2)) (true (n 2)))
        (<= (goal a 50) (not (true (f 2))))";

    #[test]
    fn the_share_of_conditions_of_the_highest_goal_counts() {
        let mut game = game_on_lanes(SHEET);
        let state = game.initial_state().expect("a state");
        let texts = ["(set 1)", "(set 2)", "none"];
        let legal = texts.map(|text| game.move_of(0, text).expect("a move"));
        let recent = VecDeque::from([state]);
        let mut age = Age { share: 1.0, degrees: None, scratch: Vec::new() };
        let mut look = Look::new(game.as_mut(), 0, &legal[..1], &legal, &recent);
        let values = age.values(&mut look).expect("states").expect("values");
        // Of (f 2) and (n 2), the first holds after (set 2), and none after the others.
        assert_eq!(values, [0.0, 0.5, 0.0]);
    }
}
