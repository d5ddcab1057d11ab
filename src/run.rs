//! One playout: scripted joint moves first, then moves at random.
//!
//! A run holds the state, the script and the only random generator, so that the same seed gives the
//! same playout again.

use propnet::game::{Game, JointMove, PlayError, State};
use rand::SeedableRng;
use rand_pcg::Pcg64;

use crate::start::{Given, ScriptedMove, StartError, make_state};

/// Where a run starts and what happens in it.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// The state to start from instead of the initial one.
    pub state: Option<Vec<Given>>,
    /// The joint moves to make first.
    pub script: Vec<ScriptedMove>,
    /// The seed of all random choices.
    pub seed: u64,
}

/// A playout in progress.
pub struct Run {
    /// The state it is in.
    pub state: State,
    /// How many joint moves were made.
    pub step: usize,
    script: std::vec::IntoIter<ScriptedMove>,
    rng: Pcg64,
}

impl Run {
    /// A run at its first state.
    pub fn new(game: &mut dyn Game, setup: &Setup) -> Result<Run, StartError> {
        let state = match &setup.state {
            Some(sentences) => make_state(game, sentences)?,
            None => game.initial_state()?,
        };
        Ok(Run {
            state,
            step: 0,
            script: setup.script.clone().into_iter(),
            rng: Pcg64::seed_from_u64(setup.seed),
        })
    }

    /// Makes one joint move, scripted or random, and returns it; the next state replaces the
    /// current one, which must not be terminal.
    pub fn advance(&mut self, game: &mut dyn Game) -> Result<JointMove, StartError> {
        let Some(scripted) = self.script.next() else {
            let joint = game.complete_joint_move(&self.state, &[], &mut self.rng)?;
            self.state = game.next_state(&self.state, &joint)?;
            self.step += 1;
            return Ok(joint);
        };
        let joint = self.resolve(game, &scripted)?;
        // The script is the cause of a refused move, and only of that.
        self.state = game.next_state(&self.state, &joint).map_err(|error| match error {
            PlayError::IllegalMove { .. } => scripted.given.refuse(error),
            error => StartError::Play(error),
        })?;
        self.step += 1;
        Ok(joint)
    }

    /// Whether scripted moves are left.
    pub fn has_script(&self) -> bool {
        !self.script.as_slice().is_empty()
    }

    /// Makes the scripted moves only.
    pub fn play_script(&mut self, game: &mut dyn Game) -> Result<(), StartError> {
        while self.has_script() {
            if game.is_terminal(&self.state)? {
                return self.check_script_is_done();
            }
            self.advance(game)?;
        }
        Ok(())
    }

    /// An error if scripted moves are left when the game is over.
    pub fn check_script_is_done(&self) -> Result<(), StartError> {
        match self.script.as_slice().first() {
            Some(left) => Err(left.given.refuse(format!(
                "the joint move {} cannot be made: the game is over after {} steps",
                left.given.text, self.step
            ))),
            None => Ok(()),
        }
    }

    fn resolve(
        &mut self,
        game: &mut dyn Game,
        scripted: &ScriptedMove,
    ) -> Result<JointMove, StartError> {
        let roles = game.roles().len();
        if scripted.moves.len() != roles {
            return Err(scripted.given.refuse(format!(
                "{} has {} moves, but the game has {roles} roles ({}); write * for a move \
                 chosen at random",
                scripted.given.text,
                scripted.moves.len(),
                game.roles().join(", "),
            )));
        }
        let mut given = Vec::with_capacity(roles);
        for (role, entry) in scripted.moves.iter().enumerate() {
            given.push(match entry {
                Some(entry) => {
                    Some(game.move_of(role, &entry.text).map_err(|error| entry.refuse(error))?)
                }
                None => None,
            });
        }
        Ok(game.complete_joint_move(&self.state, &given, &mut self.rng)?)
    }
}
