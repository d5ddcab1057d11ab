//! Counting in a game, one state at a time.

use indexmap::IndexMap;
use propnet::game::{Game, PlayError, State};
use rustc_hash::FxBuildHasher;

use super::count::Counter;
use super::joint::{JointMoves, all_legal_moves};
use super::level::{Level, PerftError};

/// The states of a level, with the number of sequences to each.
type Frontier = IndexMap<State, u128, FxBuildHasher>;

/// The result of counting a depth.
pub(super) enum CountStep {
    /// The depth; `None` when every sequence has ended.
    Counted(Option<Level>),
    /// The caller stopped it.
    Stopped,
}

/// A count in progress.
pub struct Perft<'g> {
    game: &'g mut dyn Game,
    depth: u64,
    /// The states of the level that are not terminal.
    frontier: Frontier,
    most_states: u64,
}

impl<'g> Perft<'g> {
    /// Starts in a state, which is the level of the depth given.
    pub fn new(
        game: &'g mut dyn Game,
        start: State,
        depth: u64,
    ) -> Result<(Self, Level), PerftError> {
        let frontier = Frontier::from_iter([(start, 1)]);
        let mut perft = Perft { game, depth, frontier, most_states: u64::MAX };
        let level = perft.survey(&mut || false)?;
        Ok((perft, level.expect("nobody stops it")))
    }

    /// Counts the next depth, unless the caller stops it. Nothing can be counted after a stop.
    pub(super) fn step(&mut self, stop: &mut dyn FnMut() -> bool) -> Result<CountStep, PerftError> {
        if self.is_done() {
            return Ok(CountStep::Counted(None));
        }
        let mut reached = Frontier::default();
        for (state, paths) in std::mem::take(&mut self.frontier) {
            if stop() {
                return Ok(CountStep::Stopped);
            }
            let legal = all_legal_moves(self.game, &state).map_err(|error| self.blame(error))?;
            let mut joint_moves = JointMoves::new(&legal);
            while let Some(joint) = joint_moves.next() {
                let next = self
                    .game
                    .next_state(&state, joint)
                    .map_err(|error| PerftError::Play { depth: self.depth, error })?;
                let depth = self.depth + 1;
                let count = reached.entry(next).or_insert(0);
                *count = count.checked_add(paths).ok_or(PerftError::Overflow { depth })?;
                if reached.len() as u64 > self.most_states {
                    return Err(PerftError::States { depth, most: self.most_states });
                }
            }
        }
        self.depth += 1;
        self.frontier = reached;
        let level = self.survey(stop)?;
        Ok(level.map_or(CountStep::Stopped, |level| CountStep::Counted(Some(level))))
    }

    /// Counts the frontier and drops its terminal states; `None` if the caller stops it.
    fn survey(&mut self, stop: &mut dyn FnMut() -> bool) -> Result<Option<Level>, PerftError> {
        let mut level = Level::new(self.depth, self.game.roles().len(), self.frontier.len());
        let mut open = Frontier::default();
        for (state, paths) in std::mem::take(&mut self.frontier) {
            if stop() {
                return Ok(None);
            }
            let is_terminal = self.game.is_terminal(&state).map_err(|error| self.blame(error))?;
            level.add(paths, is_terminal)?;
            if is_terminal {
                self.add_goals(&mut level, &state, paths)?;
            } else {
                open.insert(state, paths);
            }
        }
        self.frontier = open;
        Ok(Some(level))
    }

    fn add_goals(
        &mut self,
        level: &mut Level,
        state: &State,
        paths: u128,
    ) -> Result<(), PerftError> {
        for role in 0..level.goal_sums.len() {
            // A goal that is not proper is counted as such and does not stop the count.
            let goal = self.game.proper_goal(state, role).map_err(|error| self.blame(error))?;
            level.add_goal(role, goal, paths)?;
        }
        Ok(())
    }

    fn blame(&self, error: PlayError) -> PerftError {
        PerftError::Play { depth: self.depth, error }
    }
}

impl Counter for Perft<'_> {
    fn is_done(&self) -> bool {
        self.frontier.is_empty()
    }

    fn limit_states(&mut self, most: u64) {
        self.most_states = most;
    }

    fn next_level(&mut self) -> Result<Option<Level>, PerftError> {
        match self.step(&mut || false)? {
            CountStep::Counted(level) => Ok(level),
            CountStep::Stopped => Ok(None),
        }
    }
}
