//! Many random games of a circuit, 64 at a time, by plain evaluation: how long games last, and
//! whether each ends with one goal value for each role.
//!
//! Every game that is begun is played to its end, so that long games count as they should.

use propnet::circuit::{Circuit, Cone, Cones, FluentKind, Schedule, Values};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Games played side by side: the bits of a word.
const LANES: usize = 64;

/// What many random games were like.
#[derive(Clone, Debug, PartialEq)]
pub struct Playouts {
    /// Games, all of which ended.
    pub games: u64,
    /// Joint moves of all games together.
    pub steps: u64,
    /// Joint moves of the longest game.
    pub longest: u64,
    /// Whether some state let two roles choose among several moves.
    pub simultaneous: bool,
    /// By role, the goal values of all games together.
    pub goal_sums: Vec<i64>,
}

impl Playouts {
    /// The mean number of joint moves.
    pub fn mean_steps(&self) -> f64 {
        self.steps as f64 / self.games.max(1) as f64
    }
}

/// What is wrong with a game, found by playing it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayoutError {
    /// A role cannot move although the game is not over.
    #[error(
        "after {step} joint moves role {role} has no legal move in a state that is not terminal"
    )]
    NoMove {
        /// Joint moves made.
        step: u64,
        /// The role.
        role: String,
    },
    /// A role has no goal value, or several, where a game ended.
    #[error("after {step} joint moves a game ended with the goal values [{}] for role {role}", values.join(", "))]
    Goal {
        /// Joint moves made.
        step: u64,
        /// The role.
        role: String,
        /// Its values.
        values: Vec<String>,
    },
    /// A game does not end.
    #[error("a game is not over after {steps} joint moves")]
    Endless {
        /// The joint moves allowed.
        steps: u64,
    },
}

/// Plays so many random games, none of which may be longer than `max_steps`.
pub fn play(
    circuit: &Circuit,
    games: u64,
    seed: u64,
    max_steps: u64,
) -> Result<Playouts, PlayoutError> {
    let mut field = Field::new(circuit, seed);
    let mut result = Playouts {
        games: 0,
        steps: 0,
        longest: 0,
        simultaneous: false,
        goal_sums: vec![0; circuit.moves.len()],
    };
    let mut begun = 0;
    for lane in 0..LANES {
        if begun < games {
            field.begin(lane);
            begun += 1;
        }
    }
    while field.playing != 0 {
        field.values.compute(circuit, &field.before);
        let over = field.values.of(circuit.terminal) & field.playing;
        field.finish(over, &mut result)?;
        field.choose(&mut result)?;
        field.advance();
        if field.steps.iter().any(|&steps| steps > max_steps) {
            return Err(PlayoutError::Endless { steps: max_steps });
        }
        for lane in bits(over) {
            if begun < games {
                field.begin(lane);
                begun += 1;
            }
        }
    }
    Ok(result)
}

/// 64 games in progress.
struct Field<'c> {
    circuit: &'c Circuit,
    before: Schedule,
    next: Schedule,
    goals: Schedule,
    values: Values,
    /// The lanes with a game that is not over.
    playing: u64,
    steps: [u64; LANES],
    rng: Pcg64Mcg,
}

impl<'c> Field<'c> {
    fn new(circuit: &'c Circuit, seed: u64) -> Self {
        let cones = Cones::new(circuit);
        let is_before = |node| cones.has_any(node, &[Cone::Legal, Cone::Terminal]);
        Field {
            circuit,
            before: Schedule::new(circuit, is_before),
            next: Schedule::new(circuit, |node| !is_before(node) && cones.has(node, Cone::Next)),
            goals: Schedule::new(circuit, |node| !is_before(node) && cones.has(node, Cone::Goal)),
            values: Values::new(circuit),
            playing: 0,
            steps: [0; LANES],
            rng: Pcg64Mcg::seed_from_u64(seed),
        }
    }

    /// Puts a new game on a lane.
    fn begin(&mut self, lane: usize) {
        let bit = 1 << lane;
        for port in &self.circuit.fluents {
            if port.kind == FluentKind::Carried {
                let word = self.values.of(port.now);
                let word = if port.initially { word | bit } else { word & !bit };
                self.values.set(port.now, word);
            }
        }
        self.steps[lane] = 0;
        self.playing |= bit;
    }

    /// Counts the games that are over.
    fn finish(&mut self, over: u64, result: &mut Playouts) -> Result<(), PlayoutError> {
        if over == 0 {
            return Ok(());
        }
        self.values.compute(self.circuit, &self.goals);
        for lane in bits(over) {
            let step = self.steps[lane];
            for (role, ports) in self.circuit.goals.iter().enumerate() {
                let held = ports.iter().filter(|port| self.values.of(port.holds) >> lane & 1 == 1);
                let values: Vec<String> =
                    held.map(|port| self.circuit.names.text(port.value)).collect();
                let value = match values.as_slice() {
                    [value] => value.parse::<i64>().ok(),
                    _ => None,
                };
                let role_name = || self.circuit.names.roles()[role].clone();
                let error = || PlayoutError::Goal { step, role: role_name(), values };
                result.goal_sums[role] += value.ok_or_else(error)?;
            }
            result.games += 1;
            result.steps += step;
            result.longest = result.longest.max(step);
            self.steps[lane] = 0;
        }
        self.playing &= !over;
        Ok(())
    }

    /// Chooses a move for each role in each game.
    fn choose(&mut self, result: &mut Playouts) -> Result<(), PlayoutError> {
        let mut choosing = [0u64; 2];
        for (role, ports) in self.circuit.moves.iter().enumerate() {
            let mut legal: Vec<Vec<u32>> = vec![Vec::new(); LANES];
            for (index, port) in ports.iter().enumerate() {
                for lane in bits(self.values.of(port.legal) & self.playing) {
                    legal[lane].push(index as u32);
                }
            }
            let mut does = vec![0u64; ports.len()];
            for lane in bits(self.playing) {
                if legal[lane].is_empty() {
                    let role = self.circuit.names.roles()[role].clone();
                    return Err(PlayoutError::NoMove { step: self.steps[lane], role });
                }
                let chosen = legal[lane][self.rng.random_range(0..legal[lane].len())];
                does[chosen as usize] |= 1 << lane;
                if legal[lane].len() > 1 {
                    choosing[1] |= choosing[0] & 1 << lane;
                    choosing[0] |= 1 << lane;
                }
            }
            for (port, word) in ports.iter().zip(does) {
                self.values.set(port.does, word);
            }
        }
        result.simultaneous |= choosing[1] != 0;
        Ok(())
    }

    /// Makes the chosen moves.
    fn advance(&mut self) {
        self.values.compute(self.circuit, &self.next);
        let carried = || {
            let fluents = self.circuit.fluents.iter();
            fluents.filter(|port| port.kind == FluentKind::Carried)
        };
        // All values before any fluent: one may be the plain copy of another.
        let words: Vec<u64> = carried().map(|port| self.values.of(port.next)).collect();
        for (port, word) in carried().zip(words) {
            self.values.set(port.now, word);
        }
        for lane in bits(self.playing) {
            self.steps[lane] += 1;
        }
    }
}

/// The places of the ones in a word.
fn bits(word: u64) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)))
        .take_while(|&rest| rest != 0)
        .map(|rest| rest.trailing_zeros() as usize)
}

#[cfg(test)]
mod tests {
    use propnet::gdl::Source;
    use propnet::reference;

    use super::*;
    use crate::circuit::circuit_within;
    use crate::engine::EngineOptions;

    fn circuit(text: &str) -> Circuit {
        let rules = reference::load(Source::from_text("test", text)).expect("it can be played");
        circuit_within(&rules, &EngineOptions::default()).expect("it can be grounded")
    }

    /// The game is over when role a, who may wait as long as it likes, has walked twice.
    const RACE: &str = "
        (role a) (role b) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (legal a walk) (legal a wait) (legal b look)
        (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y) (does a walk))
        (<= (next (n ?x)) (true (n ?x)) (does a wait))
        (<= terminal (true (n 2)))
        (<= (goal a 100) (true (n 2)))
        (<= (goal a 0) (not (true (n 2))))
        (goal b 30)";

    #[test]
    fn every_game_is_counted_once() {
        let played = play(&circuit(RACE), 1000, 7, 1000).expect("all games end");
        assert_eq!((played.games, &played.goal_sums), (1000, &vec![100_000, 30_000]));
        // A step succeeds half of the time, so two of them take four tries.
        assert!((3.7..4.3).contains(&played.mean_steps()), "{played:?}");
        assert!(!played.simultaneous && played.longest > 4, "{played:?}");
        assert_eq!(
            play(&circuit(RACE), 1000, 7, 1000),
            Ok(played),
            "the same seed, the same games"
        );
    }

    #[test]
    fn several_roles_may_choose_at_once() {
        let both = RACE.replace("(legal b look)", "(legal b look) (legal b blink)");
        assert!(play(&circuit(&both), 10, 1, 1000).expect("all games end").simultaneous);
    }

    #[test]
    fn games_without_end_goal_or_move_are_reported() {
        let endless = RACE.replace(
            "(true (n 2)))\n        (<= (goal a 100)",
            "(true (n 4)))\n        (<= (goal a 100)",
        );
        assert_eq!(play(&circuit(&endless), 3, 1, 50), Err(PlayoutError::Endless { steps: 50 }));
        let twice = RACE.replace("(goal b 30)", "(goal b 30) (goal b 31)");
        let error = play(&circuit(&twice), 3, 1, 50).expect_err("two goals");
        assert!(error.to_string().ends_with("[30, 31] for role b"), "{error}");
        let stuck = RACE.replace("(legal b look)", "(<= (legal b look) (true (n 0)))");
        let error = play(&circuit(&stuck), 3, 1, 50).expect_err("no move");
        assert!(error.to_string().contains("role b has no legal move"), "{error}");
    }
}
