//! Exploration: states that are unlike the last ones of the playout.
//!
//! Equations 2 to 4 of Świechowski, Mańdziuk and Ong 2016: the difference of two states is the number
//! of facts that are new, and with a delta of 1 also of those that are gone. A state counts by its
//! difference to the most similar one of the last N. Six variants: N of 4, 6, 8; delta of 0, 1.

use propnet::game::{PlayError, State};

use super::{Look, MakeStrategies, SimulationStrategy, share};
use crate::search::scheme::{Parameter, Part};

const SHARE: Parameter = share("exploration_share", 0.9);

/// Which N there are: table IV of the same paper compares these.
const DEPTHS: Parameter = Parameter::word(
    "exploration_depths",
    "how many of their last states playouts look back at: 4, 6 and 8; 3, 5 and 7; or 1 to 8",
    &["468", "357", "1-8"],
);

/// The part with this name.
pub(crate) const PART: Part<MakeStrategies> = Part {
    name: "exploration",
    help: "playouts seek states unlike their last 4, 6 or 8",
    paper: "Świechowski, Mańdziuk and Ong 2016, section V",
    parameters: &[SHARE, DEPTHS],
    make: |values| {
        let depths: &[usize] = match values.show(&DEPTHS).as_str() {
            "357" => &[3, 5, 7],
            "1-8" => &[1, 2, 3, 4, 5, 6, 7, 8],
            _ => &[4, 6, 8],
        };
        let variants = depths.iter().flat_map(|&back| [(back, false), (back, true)]);
        variants
            .map(|(back, both_ways)| {
                Box::new(Exploration { back, both_ways, share: values.get(&SHARE) })
                    as Box<dyn SimulationStrategy>
            })
            .collect()
    },
};

struct Exploration {
    /// The states that are looked back at.
    back: usize,
    /// Whether facts that are gone count, too.
    both_ways: bool,
    share: f64,
}

impl SimulationStrategy for Exploration {
    fn share(&self) -> f64 {
        self.share
    }

    fn values(&mut self, look: &mut Look<'_>) -> Result<Option<Vec<f64>>, PlayError> {
        let last: Vec<State> = look.recent.iter().rev().take(self.back).cloned().collect();
        let least = |next: &State| {
            let differences = last.iter().map(|state| difference(next, state, self.both_ways));
            f64::from(differences.min().unwrap_or_default())
        };
        Ok(Some(look.next()?.iter().map(least).collect()))
    }
}

/// The facts of the first state that the second has not, and perhaps those the other way round.
fn difference(one: &State, other: &State, both_ways: bool) -> u32 {
    let (one, other) = (one.words(), other.words());
    let word = |words: &[u64], at: usize| words.get(at).copied().unwrap_or_default();
    let count = |at: usize| {
        let (one, other) = (word(one, at), word(other, at));
        if both_ways { (one ^ other).count_ones() } else { (one & !other).count_ones() }
    };
    (0..one.len().max(other.len())).map(count).sum()
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use propnet::game::{Game, TableId};
    use propnet::gdl::Source;
    use propnet::reference::{self, Reasoner};

    use super::*;
    use crate::search::scheme::Values;

    #[test]
    fn differences_count_new_facts_and_those_that_are_gone() {
        let table = TableId::unique();
        let state = |facts: &[usize]| State::new(table, facts.iter().copied());
        let (one, other) = (state(&[1, 2, 200]), state(&[2, 3, 4]));
        assert_eq!((difference(&one, &other, false), difference(&one, &other, true)), (2, 4));
        assert_eq!((difference(&other, &one, false), difference(&other, &one, true)), (2, 4));
        assert_eq!(difference(&state(&[1]), &state(&[1, 2, 3]), false), 0);
    }

    /// From a: staying keeps p; right makes p and q true; away makes only r true.
    const SHEET: &str =
        "(role a) (init p) (init (n 0)) (legal a stay) (legal a right) (legal a away)
        (<= (next p) (does a stay)) (<= (next p) (does a right)) (<= (next q) (does a right))
        (<= (next r) (does a away)) (<= terminal (true r)) (goal a 100)";

    #[test]
    fn a_state_counts_by_its_difference_to_the_most_similar_of_the_last() {
        let rules = reference::load(Source::from_text("sheet", SHEET)).expect("a sheet");
        let mut game = Reasoner::new(&rules);
        let first = game.initial_state().expect("a state");
        let right = game.move_of(0, "right").expect("a move");
        let second = game.next_state(&first, &[right]).expect("a state");
        let legal = ["stay", "right", "away"].map(|text| game.move_of(0, text).expect("a move"));
        // The states {p, n0} and {p, q}; the moves lead to {p}, {p, q} and {r}.
        let recent = VecDeque::from([first, second]);
        let mut values = |back, both_ways| {
            let mut look = Look::new(&mut game, 0, &legal[..1], &legal, &recent);
            let mut strategy = Exploration { back, both_ways, share: 1.0 };
            strategy.values(&mut look).expect("states").expect("values")
        };
        assert_eq!(values(4, false), [0.0, 0.0, 1.0]);
        assert_eq!(values(4, true), [1.0, 0.0, 3.0]);
        // Only the last state counts.
        assert_eq!(values(1, true), [1.0, 0.0, 3.0]);
    }

    #[test]
    fn there_are_two_variants_for_each_depth() {
        for (word, count) in [6, 6, 16].into_iter().enumerate() {
            let mut values = Values::default();
            values.put(&DEPTHS, word as f64);
            assert_eq!((PART.make)(&values).len(), count, "word {word}");
        }
    }
}
