//! Counting move sequences, the test that proves a set of rules.
//!
//! Levels are walked breadth-first over distinct states, each with the number of sequences that
//! lead to it, so a game whose states repeat costs its states and not its sequences.

use indexmap::IndexMap;
use propnet::game::{Game, Move, PlayError, State};
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

/// The states of a level, with the number of sequences to each.
type Frontier = IndexMap<State, u128, FxBuildHasher>;

/// What is counted at one depth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Level {
    /// The number of joint moves made.
    #[serde(rename = "d")]
    pub depth: u64,
    /// Sequences of exactly that many joint moves.
    pub paths: u128,
    /// The distinct states they lead to.
    pub states: u64,
    /// The sequences that end the game.
    pub terminal_paths: u128,
    /// The distinct terminal states.
    pub terminal_states: u64,
    /// For each role the sum of its goal values over the sequences that end the game; nothing
    /// where one of the terminal states has no value.
    pub goal_sums: Vec<Option<i128>>,
    /// For each role the number of terminal states that give it no goal value, or several.
    #[serde(default)]
    pub goal_errors: Vec<u64>,
}

/// Why counting stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PerftError {
    /// The rules, or the start, are to blame.
    #[error("after {depth} joint moves: {error}")]
    Play {
        /// The depth of the state.
        depth: u64,
        /// What went wrong.
        error: PlayError,
    },
    /// There are more sequences than can be counted.
    #[error("after {depth} joint moves: the counts do not fit into 128 bits")]
    Overflow {
        /// The depth that could not be counted.
        depth: u64,
    },
}

/// A count in progress.
pub struct Perft<'g> {
    game: &'g mut dyn Game,
    depth: u64,
    /// The states of the level that are not terminal.
    frontier: Frontier,
}

impl<'g> Perft<'g> {
    /// Starts in a state, which is the level of depth 0.
    pub fn new(game: &'g mut dyn Game, start: State) -> Result<(Self, Level), PerftError> {
        Self::at_depth(game, start, 0)
    }

    fn at_depth(
        game: &'g mut dyn Game,
        start: State,
        depth: u64,
    ) -> Result<(Self, Level), PerftError> {
        let mut perft = Perft { game, depth, frontier: Frontier::from_iter([(start, 1)]) };
        let level = perft.survey()?;
        Ok((perft, level))
    }

    /// Whether no state is left that has moves.
    pub fn is_done(&self) -> bool {
        self.frontier.is_empty()
    }

    /// Counts the next depth; `None` when every sequence has ended.
    pub fn next_level(&mut self) -> Result<Option<Level>, PerftError> {
        if self.is_done() {
            return Ok(None);
        }
        let mut reached = Frontier::default();
        for (state, paths) in std::mem::take(&mut self.frontier) {
            let legal = all_legal_moves(self.game, &state).map_err(|error| self.blame(error))?;
            let mut joint_moves = JointMoves::new(&legal);
            while let Some(joint) = joint_moves.next() {
                let next = self
                    .game
                    .next_state(&state, joint)
                    .map_err(|error| PerftError::Play { depth: self.depth, error })?;
                let count = reached.entry(next).or_insert(0);
                *count = count
                    .checked_add(paths)
                    .ok_or(PerftError::Overflow { depth: self.depth + 1 })?;
            }
        }
        self.depth += 1;
        self.frontier = reached;
        self.survey().map(Some)
    }

    /// Counts the frontier and drops its terminal states.
    fn survey(&mut self) -> Result<Level, PerftError> {
        let roles = self.game.roles().len();
        let overflow = PerftError::Overflow { depth: self.depth };
        let mut level = Level {
            depth: self.depth,
            paths: 0,
            states: self.frontier.len() as u64,
            terminal_paths: 0,
            terminal_states: 0,
            goal_sums: vec![Some(0); roles],
            goal_errors: vec![0; roles],
        };
        let mut open = Frontier::default();
        for (state, paths) in std::mem::take(&mut self.frontier) {
            level.paths = level.paths.checked_add(paths).ok_or_else(|| overflow.clone())?;
            if self.game.is_terminal(&state).map_err(|error| self.blame(error))? {
                // No overflow: these are some of the paths.
                level.terminal_paths += paths;
                level.terminal_states += 1;
                self.add_goals(&mut level, &state, paths)?;
            } else {
                open.insert(state, paths);
            }
        }
        self.frontier = open;
        Ok(level)
    }

    fn add_goals(
        &mut self,
        level: &mut Level,
        state: &State,
        paths: u128,
    ) -> Result<(), PerftError> {
        for role in 0..level.goal_sums.len() {
            let goal = match self.game.goal(state, role) {
                Ok(goal) => goal,
                Err(error) if is_goal_error(&error) => {
                    level.goal_errors[role] += 1;
                    level.goal_sums[role] = None;
                    continue;
                }
                Err(error) => return Err(self.blame(error)),
            };
            if let Some(sum) = &mut level.goal_sums[role] {
                *sum = i128::try_from(paths)
                    .ok()
                    .and_then(|paths| paths.checked_mul(i128::from(goal)))
                    .and_then(|goals| sum.checked_add(goals))
                    .ok_or(PerftError::Overflow { depth: self.depth })?;
            }
        }
        Ok(())
    }

    fn blame(&self, error: PlayError) -> PerftError {
        PerftError::Play { depth: self.depth, error }
    }
}

/// The counts at one depth behind one first joint move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branch {
    /// The first joint move.
    pub moves: Vec<String>,
    /// What is counted at the depth asked for; nothing if all sequences end before it.
    pub level: Option<Level>,
}

/// Counts depth `depth` (at least 1) apart for each first joint move, handing out each branch as
/// it is done.
pub fn divide<E: From<PerftError>>(
    game: &mut dyn Game,
    start: &State,
    depth: u64,
    mut done: impl FnMut(Branch) -> Result<(), E>,
) -> Result<(), E> {
    let blame = |error| PerftError::Play { depth: 0, error };
    if game.is_terminal(start).map_err(blame)? {
        return Ok(());
    }
    let legal = all_legal_moves(game, start).map_err(blame)?;
    let mut joint_moves = JointMoves::new(&legal);
    while let Some(joint) = joint_moves.next() {
        let moves =
            joint.iter().enumerate().map(|(role, &chosen)| game.move_text(role, chosen)).collect();
        let next = game.next_state(start, joint).map_err(blame)?;
        let (mut perft, first) = Perft::at_depth(game, next, 1)?;
        let mut level = Some(first);
        while level.as_ref().is_some_and(|level| level.depth < depth) {
            level = perft.next_level()?;
        }
        done(Branch { moves, level })?;
    }
    Ok(())
}

/// Whether the rules give no proper goal value, which is counted and does not stop a count.
fn is_goal_error(error: &PlayError) -> bool {
    matches!(
        error,
        PlayError::NoGoal { .. }
            | PlayError::SeveralGoals { .. }
            | PlayError::GoalNotInteger { .. }
    )
}

fn all_legal_moves(game: &mut dyn Game, state: &State) -> Result<Vec<Vec<Move>>, PlayError> {
    (0..game.roles().len())
        .map(|role| {
            let legal = game.legal_moves(state, role)?;
            Ok(legal.iter().map(|index| Move(index as u32)).collect())
        })
        .collect()
}

/// The product of the roles' moves, one joint move at a time: an odometer whose last role turns
/// fastest.
struct JointMoves<'a> {
    legal: &'a [Vec<Move>],
    at: Vec<usize>,
    joint: Vec<Move>,
    started: bool,
}

impl<'a> JointMoves<'a> {
    fn new(legal: &'a [Vec<Move>]) -> Self {
        JointMoves { legal, at: vec![0; legal.len()], joint: Vec::new(), started: false }
    }

    /// Not an iterator: the joint move is lent, and overwritten by the next.
    fn next(&mut self) -> Option<&[Move]> {
        if !self.started {
            self.started = true;
            self.joint =
                self.legal.iter().map(|moves| moves.first().copied()).collect::<Option<_>>()?;
            return Some(&self.joint);
        }
        for role in (0..self.at.len()).rev() {
            self.at[role] += 1;
            if let Some(&chosen) = self.legal[role].get(self.at[role]) {
                self.joint[role] = chosen;
                return Some(&self.joint);
            }
            self.at[role] = 0;
            self.joint[role] = self.legal[role][0];
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joint_moves_are_the_product() {
        let legal = [vec![Move(1), Move(2)], vec![Move(7)], vec![Move(3), Move(4)]];
        let mut odometer = JointMoves::new(&legal);
        let mut seen = Vec::new();
        while let Some(joint) = odometer.next() {
            seen.push(joint.iter().map(|chosen| chosen.0).collect::<Vec<_>>());
        }
        assert_eq!(seen, [[1, 7, 3], [1, 7, 4], [2, 7, 3], [2, 7, 4]]);
        let none = [vec![Move(1)], vec![]];
        assert_eq!(JointMoves::new(&none).next(), None);
    }
}
