//! Score: states that keep a higher score for the role, where a sheet counts one.
//!
//! A fluent keeps a score if its relation is called so (`score`, `points`, ...) and its last argument
//! is a number. With the name of a role among its arguments it is that role's; otherwise it is
//! everybody's.

use propnet::game::{Game, PlayError, Role, State};

use super::symbols::Symbols;
use super::{Look, MakeStrategies, SimulationStrategy, share};
use crate::search::scheme::{Parameter, Part};

const SHARE: Parameter = share("score_share", 0.8);

/// The part with this name.
pub(crate) const PART: Part<MakeStrategies> = Part {
    name: "score",
    help: "playouts seek a high score, where the states of a game keep one",
    paper: "Świechowski, Mańdziuk and Ong 2016, section IV-C",
    parameters: &[SHARE],
    make: |values| {
        vec![Box::new(ScoreStrategy { share: values.get(&SHARE), symbols: Symbols::default() })]
    },
};

/// Parts of names that relations for scores have.
const NAMES: [&str; 4] = ["score", "point", "money", "coin"];

struct ScoreStrategy {
    share: f64,
    symbols: Symbols,
}

impl ScoreStrategy {
    /// The score of a role in a state; none where none is kept.
    fn of(&mut self, game: &mut dyn Game, state: &State, role: Role) -> Option<f64> {
        let roles: Vec<String> = game.roles().iter().map(|role| role.to_lowercase()).collect();
        let mut highest: Option<i64> = None;
        for fluent in state.iter() {
            let words = self.symbols.of(game, state.table(), fluent);
            let [relation, arguments @ .., last] = words else { continue };
            let is_others = |word: &String| roles.contains(word) && *word != roles[role];
            if !NAMES.iter().any(|name| relation.contains(name)) || arguments.iter().any(is_others)
            {
                continue;
            }
            if let Ok(value) = last.parse::<i64>() {
                highest = highest.max(Some(value));
            }
        }
        highest.map(|value| value as f64)
    }
}

impl SimulationStrategy for ScoreStrategy {
    fn share(&self) -> f64 {
        self.share
    }

    fn values(&mut self, look: &mut Look<'_>) -> Result<Option<Vec<f64>>, PlayError> {
        let next = look.next()?.to_vec();
        Ok(next.iter().map(|state| self.of(look.game, state, look.role)).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use propnet::gdl::Source;
    use propnet::reference::{self, Reasoner};

    use super::*;

    const SHEET: &str = "(role red) (role blue) (init (score red 0)) (init (score blue 7))
        (legal red take) (legal red give) (legal blue noop)
        (<= (next (score red 5)) (does red take)) (<= (next (score blue 7)) (does red take))
        (<= (next (score red 0)) (does red give)) (<= (next (score blue 9)) (does red give))
        (<= terminal (true (score red 5))) (goal red 0) (goal blue 0)";

    #[test]
    fn the_score_of_the_role_counts() {
        let rules = reference::load(Source::from_text("sheet", SHEET)).expect("a sheet");
        let mut game = Reasoner::new(&rules);
        let state = game.initial_state().expect("a state");
        let legal = ["take", "give"].map(|text| game.move_of(0, text).expect("a move"));
        let noop = game.move_of(1, "noop").expect("a move");
        let recent = VecDeque::from([state]);
        for (role, joint, moves, expected) in [
            (0, [legal[0], noop], &legal[..], vec![5.0, 0.0]),
            (1, [legal[1], noop], &[noop][..], vec![9.0]),
        ] {
            let mut score = ScoreStrategy { share: 1.0, symbols: Symbols::default() };
            let mut look = Look::new(&mut game, role, &joint, moves, &recent);
            assert_eq!(score.values(&mut look).expect("states"), Some(expected));
        }
    }

    #[test]
    fn without_a_score_nothing_is_known() {
        let sheet = "(role a) (init (cell 1)) (legal a go) (next (cell 2))
            (<= terminal (true (cell 2))) (goal a 0)";
        let rules = reference::load(Source::from_text("sheet", sheet)).expect("a sheet");
        let mut game = Reasoner::new(&rules);
        let state = game.initial_state().expect("a state");
        let go = [game.move_of(0, "go").expect("a move")];
        let recent = VecDeque::from([state]);
        let mut look = Look::new(&mut game, 0, &go, &go, &recent);
        let mut score = ScoreStrategy { share: 1.0, symbols: Symbols::default() };
        assert_eq!(score.values(&mut look).expect("states"), None);
    }
}
