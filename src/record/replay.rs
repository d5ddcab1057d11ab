//! A record -> its match, played again by the rules.

use propnet::game::{Game, Move, PlayError};
use serde::Serialize;

use super::format::MatchRecord;
use crate::run::{Run, Setup};
use crate::start::StartError;

/// A match that was played again, as far as that is possible.
#[derive(Debug)]
pub struct ReplayedMatch {
    /// Its states, the first one first.
    pub steps: Vec<ReplayedStep>,
    /// The goals by role, if the game is over; none where the rules give no proper one.
    pub goals: Option<Vec<Option<i32>>>,
    /// Why not all of its moves could be made.
    pub error: Option<StartError>,
}

/// A state, and the joint move that led there.
#[derive(Clone, Debug, Serialize)]
pub struct ReplayedStep {
    /// The number of joint moves before it.
    pub step: usize,
    /// The joint move, a text for each role; none for the first state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<String>>,
    /// What is true, sorted.
    pub state: Vec<String>,
}

impl MatchRecord {
    /// Where its match starts, and its moves. `name` stands for the record in error messages.
    pub fn setup(&self, name: &str) -> Result<Setup, StartError> {
        let state = self.state(name, 0)?;
        Ok(Setup { state, script: self.script(name), ..Setup::default() })
    }
}

impl ReplayedMatch {
    /// Makes all moves of a record, and keeps the states they lead to.
    pub fn play(record: &MatchRecord, name: &str, game: &mut dyn Game) -> Self {
        let mut replayed = ReplayedMatch { steps: Vec::new(), goals: None, error: None };
        let run = record.setup(name).and_then(|setup| Run::new(game, &setup));
        replayed.error = run.and_then(|run| replayed.make(run, game)).err();
        replayed
    }

    fn make(&mut self, mut run: Run, game: &mut dyn Game) -> Result<(), StartError> {
        self.keep(None, &run, game)?;
        while run.has_script() {
            if game.is_terminal(&run.state)? {
                return run.check_script_is_done();
            }
            let joint = run.advance(game)?;
            let spelling = |(role, &one): (usize, &Move)| game.move_spelling(role, one);
            let moves = joint.iter().enumerate().map(spelling).collect::<Result<_, _>>()?;
            self.keep(Some(moves), &run, game)?;
        }
        if game.is_terminal(&run.state)? {
            let roles = 0..game.roles().len();
            let goals: Result<_, _> =
                roles.map(|role| game.proper_goal(&run.state, role)).collect();
            self.goals = Some(goals?);
        }
        Ok(())
    }

    fn keep(
        &mut self,
        moves: Option<Vec<String>>,
        run: &Run,
        game: &dyn Game,
    ) -> Result<(), PlayError> {
        let mut state = game.sentences(&run.state)?;
        state.sort_unstable();
        self.steps.push(ReplayedStep { step: run.step, moves, state });
        Ok(())
    }
}
