//! Replays a trace on a game and compares everything in it.
//!
//! The replay follows the moves of the trace; in each state it asks the engine for everything that
//! the trace claims there. The first difference ends the replay, since all later ones would follow
//! from it.

use std::collections::BTreeSet;

use propnet::game::{Game, PlayError, State};
use serde::{Deserialize, Serialize};

use super::difference::{Difference, Where};
use crate::trace::{
    RecordedPlayout, RecordedStep, Trace, hash_lines, legal_lines, sorted_moves, sorted_sentences,
};

/// How a replay went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayOutcome {
    /// The number of sets and values compared, including the one that differs.
    pub comparisons: u64,
    /// The number of joint moves replayed.
    pub steps: u64,
    /// The result.
    pub verdict: Verdict,
}

/// The result of a replay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// Everything compared is equal.
    Agree,
    /// The first difference.
    Differ(Difference),
    /// The replay could not be done: what went wrong, with its place.
    Failed(String),
}

/// Compares a trace with a game, at most `max_steps` steps of each playout. It is a failure if
/// nothing is compared.
pub fn replay(game: &mut dyn Game, trace: &Trace, max_steps: Option<u64>) -> ReplayOutcome {
    TraceReplayer::new(game).run(|replay| replay.trace(trace, max_steps.unwrap_or(u64::MAX)))
}

/// The same for one playout.
pub(super) fn replay_playout(
    game: &mut dyn Game,
    roles: Option<&[String]>,
    playout: &RecordedPlayout,
    max_steps: Option<u64>,
) -> ReplayOutcome {
    TraceReplayer::new(game).run(|replay| {
        replay.roles(roles)?;
        let initial = replay.game.initial_state()?;
        replay.playout(playout, &initial, max_steps.unwrap_or(u64::MAX))
    })
}

enum Stop {
    Differ(Box<Difference>),
    Failed(PlayError),
}

impl From<PlayError> for Stop {
    fn from(error: PlayError) -> Self {
        Stop::Failed(error)
    }
}

type Compared = Result<(), Stop>;

struct TraceReplayer<'g> {
    game: &'g mut dyn Game,
    comparisons: u64,
    steps: u64,
    at: Where,
}

impl<'g> TraceReplayer<'g> {
    fn new(game: &'g mut dyn Game) -> Self {
        TraceReplayer { game, comparisons: 0, steps: 0, at: Where::default() }
    }

    /// Compares, and returns the result.
    fn run(mut self, compare: impl FnOnce(&mut Self) -> Compared) -> ReplayOutcome {
        let verdict = match compare(&mut self) {
            Ok(()) if self.comparisons == 0 => {
                Verdict::Failed("nothing was compared: there are no claims".to_string())
            }
            Ok(()) => Verdict::Agree,
            Err(Stop::Differ(difference)) => Verdict::Differ(*difference),
            Err(Stop::Failed(error)) => Verdict::Failed(format!("{}{error}", self.at)),
        };
        ReplayOutcome { comparisons: self.comparisons, steps: self.steps, verdict }
    }

    fn roles(&mut self, roles: Option<&[String]>) -> Compared {
        let Some(roles) = roles else { return Ok(()) };
        let found = self.game.roles().join(" ");
        self.value("the roles in their order", &roles.join(" "), &found)
    }

    fn trace(&mut self, trace: &Trace, max_steps: u64) -> Compared {
        self.roles(trace.roles.as_deref())?;
        let initial = self.game.initial_state()?;
        if let Some(init) = &trace.init {
            self.state_set("the initial state", init, &initial)?;
        }
        for (index, playout) in trace.playouts.iter().enumerate() {
            self.at = Where { playout: Some(index), ..Where::default() };
            self.playout(playout, &initial, max_steps)?;
        }
        Ok(())
    }

    fn playout(&mut self, playout: &RecordedPlayout, initial: &State, max_steps: u64) -> Compared {
        let mut state = match &playout.start {
            Some(sentences) => self.game.state_of(sentences)?,
            None => initial.clone(),
        };
        for (index, step) in playout.steps.iter().enumerate() {
            if index as u64 >= max_steps {
                return Ok(());
            }
            self.at.step = Some(index);
            self.step(step, &state)?;
            state = self.next_state(step, &state)?;
            self.steps += 1;
        }
        self.at.step = Some(playout.steps.len());
        self.end(playout, &state)
    }

    fn step(&mut self, step: &RecordedStep, state: &State) -> Compared {
        if let Some(expected) = &step.state {
            self.state_set("the state", expected, state)?;
        }
        if let Some(expected) = &step.hash {
            self.state_hash("the hash of the state", expected, state)?;
        }
        // A joint move was made here, so the game was not over.
        self.terminal(false, state)?;
        self.legal_moves(step, state)
    }

    fn legal_moves(&mut self, step: &RecordedStep, state: &State) -> Compared {
        if step.legals.is_none() && step.nlegals.is_none() && step.lhash.is_none() {
            return Ok(());
        }
        let roles = self.game.roles().len();
        let mut found = Vec::with_capacity(roles);
        for role in 0..roles {
            found.push(sorted_moves(self.game, state, role)?);
        }
        if let Some(expected) = &step.legals {
            self.count("the number of roles with legal moves", expected.len(), roles)?;
            for (role, (expected, found)) in expected.iter().zip(&found).enumerate() {
                self.for_role(role, |this| this.set("the legal moves", expected, found))?;
            }
        }
        if let Some(expected) = &step.nlegals {
            self.count("the number of roles with legal moves", expected.len(), roles)?;
            for (role, (&expected, found)) in expected.iter().zip(&found).enumerate() {
                self.for_role(role, |this| {
                    this.count("the number of legal moves", expected, found.len())
                })?;
            }
        }
        if let Some(expected) = &step.lhash {
            let lines = legal_lines(&found);
            self.value("the hash of the legal moves", expected, &hash_lines(&lines))?;
        }
        Ok(())
    }

    fn next_state(&mut self, step: &RecordedStep, state: &State) -> Result<State, Stop> {
        self.make(step, state).map_err(|error| match error {
            // The replayed trace claims that the move was made here.
            PlayError::WrongMoveCount { .. }
            | PlayError::UnknownMove { .. }
            | PlayError::IllegalMove { .. } => {
                let moves = format!("({})", step.moves.join(" "));
                self.comparisons += 1;
                self.difference("the joint move", &moves, &error.to_string())
            }
            error => error.into(),
        })
    }

    fn make(&mut self, step: &RecordedStep, state: &State) -> Result<State, PlayError> {
        let wanted = self.game.roles().len();
        if step.moves.len() != wanted {
            return Err(PlayError::WrongMoveCount { wanted, got: step.moves.len() });
        }
        let mut joint = Vec::with_capacity(wanted);
        for (role, text) in step.moves.iter().enumerate() {
            joint.push(self.game.move_of(role, text)?);
        }
        self.game.next_state(state, &joint)
    }

    fn end(&mut self, playout: &RecordedPlayout, state: &State) -> Compared {
        if let Some(expected) = &playout.final_state {
            self.state_set("the final state", expected, state)?;
        }
        if let Some(expected) = &playout.final_hash {
            self.state_hash("the hash of the final state", expected, state)?;
        }
        if playout.error {
            return self.no_answer(state);
        }
        // A capped playout says false where the recorder did not check.
        if let (Some(expected), false) = (playout.terminal, playout.capped) {
            self.terminal(expected, state)?;
        }
        if let Some(expected) = &playout.goals {
            self.count("the number of goals", expected.len(), self.game.roles().len())?;
            for (role, &expected) in expected.iter().enumerate() {
                self.for_role(role, |this| this.goal(role, expected, state))?;
            }
        }
        Ok(())
    }

    /// The recorder got no answer in this state, so the engine must not have one either.
    fn no_answer(&mut self, state: &State) -> Compared {
        self.comparisons += 1;
        let game = &mut *self.game;
        let mut roles = 0..game.roles().len();
        // A recorder asks for moves where the game goes on, and for goals where it is over.
        let (fails, found) = match game.is_terminal(state) {
            Err(_) => return Ok(()),
            Ok(false) => (
                roles.any(|role| game.legal_moves(state, role).is_err()),
                "every role has a legal move",
            ),
            Ok(true) => (
                roles.any(|role| game.proper_goal(state, role).is_err()),
                "the game is over, and every goal can be asked for",
            ),
        };
        if fails { Ok(()) } else { self.differ("the rules' answer", "an error", found) }
    }

    fn terminal(&mut self, expected: bool, state: &State) -> Compared {
        let text = |terminal| if terminal { "over" } else { "not over" };
        let found = self.game.is_terminal(state)?;
        self.value("whether the game is over", text(expected), text(found))
    }

    fn goal(&mut self, role: usize, expected: Option<i32>, state: &State) -> Compared {
        let found = match self.game.goal(state, role) {
            Ok(goal) => Ok(goal),
            Err(error) if error.is_about_goal() => Err(error),
            Err(error) => return Err(error.into()),
        };
        self.comparisons += 1;
        match (expected, found) {
            (None, Err(_)) => Ok(()),
            (None, Ok(found)) => self.differ("the goal", "no proper value", &found.to_string()),
            (Some(expected), Ok(found)) if expected == found => Ok(()),
            (Some(expected), Ok(found)) => {
                self.differ("the goal", &expected.to_string(), &found.to_string())
            }
            (Some(expected), Err(error)) => {
                self.differ("the goal", &expected.to_string(), &error.to_string())
            }
        }
    }

    fn state_set(&mut self, what: &str, expected: &[String], state: &State) -> Compared {
        let found = self.game.sentences(state)?;
        self.set(what, expected, &found)
    }

    fn state_hash(&mut self, what: &str, expected: &str, state: &State) -> Compared {
        let found = hash_lines(&sorted_sentences(self.game, state)?);
        self.value(what, expected, &found)
    }

    fn set(&mut self, what: &str, expected: &[String], found: &[String]) -> Compared {
        self.comparisons += 1;
        let expected: BTreeSet<&String> = expected.iter().collect();
        let found: BTreeSet<&String> = found.iter().collect();
        if expected == found {
            return Ok(());
        }
        let minus = |left: &BTreeSet<&String>, right: &BTreeSet<&String>| {
            left.difference(right).map(|text| (*text).clone()).collect()
        };
        Err(Stop::Differ(Box::new(Difference {
            at: self.at.clone(),
            what: what.to_string(),
            expected: None,
            found: None,
            missing: minus(&expected, &found),
            surplus: minus(&found, &expected),
        })))
    }

    fn count(&mut self, what: &str, expected: usize, found: usize) -> Compared {
        self.value(what, &expected.to_string(), &found.to_string())
    }

    fn value(&mut self, what: &str, expected: &str, found: &str) -> Compared {
        self.comparisons += 1;
        if expected == found { Ok(()) } else { self.differ(what, expected, found) }
    }

    fn differ(&self, what: &str, expected: &str, found: &str) -> Compared {
        Err(self.difference(what, expected, found))
    }

    fn difference(&self, what: &str, expected: &str, found: &str) -> Stop {
        Stop::Differ(Box::new(Difference {
            at: self.at.clone(),
            what: what.to_string(),
            expected: Some(expected.to_string()),
            found: Some(found.to_string()),
            missing: Vec::new(),
            surplus: Vec::new(),
        }))
    }

    /// Runs a comparison whose place includes a role.
    fn for_role(&mut self, role: usize, compare: impl FnOnce(&mut Self) -> Compared) -> Compared {
        self.at.role = self.game.roles().get(role).cloned();
        compare(self)?;
        self.at.role = None;
        Ok(())
    }
}
