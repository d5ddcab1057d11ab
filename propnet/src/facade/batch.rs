//! Questions about any number of states, whatever the width of the lanes.

use std::sync::Arc;

use super::error::BatchError;
use crate::game::{JointMove, MoveSet, PlayError, State, one_goal};
use crate::lanes::{Batch, Code, PerWidth, Width, Word};
use crate::names::Names;
use crate::program::Program;

/// Questions about many states at once; see [`Compiled::batch`](super::Compiled::batch).
///
/// States are taken in portions, one state a lane. [`Batch`] does the same for words of a known
/// width, and can keep states in its lanes from step to step.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../games/tic_tac_toe.kif"));
/// use propnet::{CompileOptions, Compiled, load};
///
/// let game = Compiled::new(&load(text)?, &CompileOptions::default())?;
/// let mut batch = game.batch();
/// let start = game.initial_state();
/// // All moves of the first player, each in a copy of the initial state.
/// let legal = batch.look(std::slice::from_ref(start))?.remove(0).legal;
/// let wait = game.names().move_of(1, "noop")?;
/// let moves: Vec<_> = legal[0].iter().map(|chosen| vec![chosen, wait]).collect();
/// let states = batch.next_states(&vec![start.clone(); moves.len()], &moves)?;
/// assert_eq!(states.len(), 9);
/// assert!(batch.look(&states)?.iter().all(|situation| situation.legal[1].len() == 8));
/// # Ok(())
/// # }
/// ```
pub struct StateBatch {
    lanes: Box<dyn Ask>,
    names: Arc<Names>,
}

/// What is known of a state before a move is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Situation {
    /// Whether the game is over.
    pub is_terminal: bool,
    /// By role: its legal moves.
    pub legal: Vec<MoveSet>,
}

impl StateBatch {
    pub(super) fn new(program: &Arc<Program>, code: &Arc<Code>, width: Width) -> Self {
        let lanes = width.dispatch(MakeLanes { program, code });
        StateBatch { lanes, names: program.names.clone() }
    }

    /// The number of states that are computed together; portions of this size cost least.
    pub fn lanes(&self) -> usize {
        self.lanes.count()
    }

    /// For each state: whether the game is over, and what is legal.
    pub fn look(&mut self, states: &[State]) -> Result<Vec<Situation>, BatchError> {
        self.check(states)?;
        let (lanes, roles) = (&mut self.lanes, self.names.roles().len());
        let portions = states.chunks(lanes.count());
        Ok(portions.flat_map(|portion| lanes.look(portion, roles)).collect())
    }

    /// For each state: the goal value of each role, where the rules give a proper one.
    pub fn goals(&mut self, states: &[State]) -> Result<Vec<Vec<Option<i32>>>, BatchError> {
        self.check(states)?;
        let (lanes, roles) = (&mut self.lanes, self.names.roles().len());
        let portions = states.chunks(lanes.count());
        Ok(portions.flat_map(|portion| lanes.goals(portion, roles)).collect())
    }

    /// For each state: the one after its joint move; an error if one of the moves is not legal.
    pub fn next_states(
        &mut self,
        states: &[State],
        moves: &[JointMove],
    ) -> Result<Vec<State>, BatchError> {
        if states.len() != moves.len() {
            return Err(BatchError::Count { states: states.len(), moves: moves.len() });
        }
        self.check(states)?;
        let (count, roles) = (self.lanes.count(), self.names.roles().len());
        let mut next = Vec::with_capacity(states.len());
        for (states, moves) in states.chunks(count).zip(moves.chunks(count)) {
            let situations = self.lanes.look(states, roles);
            for (at, (situation, joint)) in situations.iter().zip(moves).enumerate() {
                self.check_move(situation, joint)
                    .map_err(|error| BatchError::Play { at: next.len() + at, error })?;
            }
            next.extend(self.lanes.advance(moves));
        }
        Ok(next)
    }

    fn check(&self, states: &[State]) -> Result<(), BatchError> {
        states.iter().enumerate().try_for_each(|(at, state)| {
            self.names.table().check_state(state).map_err(|error| BatchError::Foreign { at, error })
        })
    }

    fn check_move(&self, situation: &Situation, joint: &JointMove) -> Result<(), PlayError> {
        self.names.check_joint_move(joint)?;
        let mut moves = joint.iter().zip(&situation.legal).enumerate();
        let illegal = moves.find(|(_, (chosen, legal))| !legal.contains(**chosen));
        illegal.map_or(Ok(()), |(role, (&chosen, _))| Err(self.names.illegal_move(role, chosen)))
    }
}

/// Why lanes never see a state or a move of another engine.
const CHECKED: &str = "a StateBatch checks before it asks";

/// Lanes of a width that is known only at run time. Each question is about as many states as there
/// are lanes at most.
trait Ask: Send {
    /// The number of lanes.
    fn count(&self) -> usize;

    /// Loads states, and says what is known of them.
    fn look(&mut self, states: &[State], roles: usize) -> Vec<Situation>;

    /// Loads states, and gives their goals.
    fn goals(&mut self, states: &[State], roles: usize) -> Vec<Vec<Option<i32>>>;

    /// The states after legal moves in those that were loaded.
    fn advance(&mut self, moves: &[JointMove]) -> Vec<State>;
}

impl<W: Word> Ask for Batch<W> {
    fn count(&self) -> usize {
        W::LANES
    }

    fn look(&mut self, states: &[State], roles: usize) -> Vec<Situation> {
        self.load(states).expect(CHECKED);
        Batch::look(self);
        let mut legal: Vec<_> =
            (0..roles).map(|role| self.legal_moves(role, states.len()).into_iter()).collect();
        let situation = |lane| Situation {
            is_terminal: self.is_terminal(lane),
            legal: legal.iter_mut().filter_map(Iterator::next).collect(),
        };
        (0..states.len()).map(situation).collect()
    }

    fn goals(&mut self, states: &[State], roles: usize) -> Vec<Vec<Option<i32>>> {
        self.load(states).expect(CHECKED);
        self.score();
        // Only an error would name the role.
        let goal = |lane, role| one_goal("", Batch::goals(self, lane, role)).ok();
        let goals = |lane| (0..roles).map(|role| goal(lane, role)).collect();
        (0..states.len()).map(goals).collect()
    }

    fn advance(&mut self, moves: &[JointMove]) -> Vec<State> {
        self.make(moves.iter().map(Vec::as_slice)).expect(CHECKED);
        Batch::advance(self);
        self.next_states(moves.len())
    }
}

struct MakeLanes<'a> {
    program: &'a Arc<Program>,
    code: &'a Arc<Code>,
}

impl PerWidth for MakeLanes<'_> {
    type Output = Box<dyn Ask>;

    fn run<W: Word>(self) -> Box<dyn Ask> {
        Box::new(Batch::<W>::new(self.program, self.code))
    }
}
