//! Mobility: states with many legal moves, less those of the others.

use propnet::game::{Game, PlayError, Role, State};

use super::{Look, MakeStrategies, SimulationStrategy, share};
use crate::search::scheme::{Parameter, Part};

const SHARE: Parameter = share("mobility_share", 0.8);

/// The part with this name.
pub(crate) const PART: Part<MakeStrategies> = Part {
    name: "mobility",
    help: "playouts seek states with many legal moves, and few of the others",
    paper: "Świechowski and Mańdziuk 2014",
    parameters: &[SHARE],
    make: |values| vec![Box::new(Mobility { share: values.get(&SHARE) })],
};

struct Mobility {
    share: f64,
}

impl SimulationStrategy for Mobility {
    fn share(&self) -> f64 {
        self.share
    }

    fn values(&mut self, look: &mut Look<'_>) -> Result<Option<Vec<f64>>, PlayError> {
        let next = look.next()?.to_vec();
        let roles = 0..look.game.roles().len();
        let mut values = Vec::new();
        for state in &next {
            let mut value = 0.0;
            for role in roles.clone() {
                let count = legal_moves(look.game, state, role)? as f64;
                value += if role == look.role { count } else { -count };
            }
            values.push(value);
        }
        Ok(Some(values))
    }
}

fn legal_moves(game: &mut dyn Game, state: &State, role: Role) -> Result<usize, PlayError> {
    match game.legal_moves(state, role) {
        Err(PlayError::NoLegalMove { .. }) => Ok(0),
        legal => Ok(legal?.iter().count()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use propnet::gdl::Source;
    use propnet::reference::{self, Reasoner};

    use super::*;

    /// After `wide` a has three moves and b one; after `narrow` a has one and b two.
    const SHEET: &str = "(role a) (role b) (init start)
        (<= (legal a wide) (true start)) (<= (legal a narrow) (true start))
        (<= (legal a (pick ?x)) (true open) (n ?x)) (<= (legal a noop) (true shut))
        (n 1) (n 2) (n 3) (legal b noop) (<= (legal b other) (true shut))
        (<= (next open) (does a wide)) (<= (next shut) (does a narrow))
        (<= terminal (not (true start))) (goal a 0) (goal b 0)";

    #[test]
    fn own_moves_count_for_and_those_of_others_against() {
        let rules = reference::load(Source::from_text("sheet", SHEET)).expect("a sheet");
        let mut game = Reasoner::new(&rules);
        let state = game.initial_state().expect("a state");
        let legal = ["wide", "narrow"].map(|text| game.move_of(0, text).expect("a move"));
        let noop = game.move_of(1, "noop").expect("a move");
        let recent = VecDeque::from([state]);
        let joint = [legal[0], noop];
        let mut look = Look::new(&mut game, 0, &joint, &legal, &recent);
        let values = Mobility { share: 1.0 }.values(&mut look).expect("states");
        assert_eq!(values, Some(vec![3.0 - 1.0, 1.0 - 2.0]));
    }
}
