//! Follows a match on one engine: which facts are true and which moves are legal.
//!
//! It runs in a thread of its own, because even one state of a hard game may take the reference
//! reasoner longer than a clock allows. It does not search, so it has a legal move when searches
//! have none.

use std::sync::mpsc::{Receiver, Sender};

use propnet::game::{Game, JointMove, MoveSet, PlayError, Role, State};

use super::precedence::Claim;
use super::turn::JointText;

/// A position of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The number of joint moves that led to it.
    pub step: usize,
    /// Whether this is the position before the first joint move. A refused joint move counts.
    pub is_first: bool,
    /// What is true, as sorted lower-case text.
    pub sentences: Vec<String>,
    /// The legal moves of the player's own role, in the spelling of the sheet.
    pub legal: Vec<String>,
    /// Whether the game is over.
    pub is_over: bool,
    /// By role, if the game is over: the goal; none if the rules give none or several.
    pub goals: Vec<Option<i32>>,
    /// Why the last joint move was not made, if the rules do not allow it.
    pub refused: Option<String>,
}

/// A request to a position tracker.
#[derive(Clone)]
pub(super) enum TrackerRequest {
    Move(JointText),
    CanFollow(JointText, Sender<bool>),
}

/// A request with its claim, which is dropped when the request is done.
pub(super) type ClaimedRequest = (TrackerRequest, Option<Claim>);

/// A position and the number of joint moves before it, refused ones included.
pub(super) type NumberedPosition = (usize, Position);

/// Why a joint move is not made.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    /// The rules may allow moves in terminal states.
    #[error("the game is over")]
    Over,
    #[error(transparent)]
    Rules(#[from] PlayError),
}

/// Whether an error says nothing about the move itself: the state is too large for the engine, or
/// the work was stopped.
pub(super) fn is_blank(error: &PlayError) -> bool {
    matches!(error, PlayError::TooLarge { .. } | PlayError::Stopped)
}

/// A game and the current state of the match in it.
pub(super) struct PositionTracker {
    rules: Box<dyn Game>,
    role: Role,
    state: State,
    /// The position that was sent last.
    latest: Position,
}

impl PositionTracker {
    /// A tracker at the start of a match.
    pub(super) fn new(mut rules: Box<dyn Game>, role: Role) -> Result<Self, PlayError> {
        let state = rules.initial_state()?;
        let first = position(&mut *rules, &state, role, 0)?;
        Ok(PositionTracker { rules, role, state, latest: Position { is_first: true, ..first } })
    }

    /// Sends a position for the start and one for each joint move, and answers requests until the
    /// channel is closed. An error if it cannot follow the match any further.
    pub(super) fn serve(
        mut self,
        requests: &Receiver<ClaimedRequest>,
        positions: &Sender<NumberedPosition>,
    ) -> Result<(), PlayError> {
        let mut told = 0;
        if positions.send((told, self.latest.clone())).is_err() {
            return Ok(());
        }
        while let Ok((request, _claim)) = requests.recv() {
            match request {
                TrackerRequest::Move(joint) => {
                    told += 1;
                    if positions.send((told, self.make(&joint)?)).is_err() {
                        return Ok(());
                    }
                }
                TrackerRequest::CanFollow(joint, answer) => {
                    let next = self.next(&joint);
                    let is_open = matches!(&next, Err(Refusal::Rules(error)) if is_blank(error));
                    if !is_open {
                        // Nobody waits for an answer that comes too late.
                        let _ = answer.send(next.is_ok());
                    }
                }
            }
        }
        Ok(())
    }

    /// Makes a joint move. If the rules do not allow it, the position stays as it was. An error if
    /// the engine cannot tell.
    fn make(&mut self, joint: &[String]) -> Result<Position, PlayError> {
        let refused = match self.follow(joint) {
            Ok((state, position)) => {
                self.state = state;
                self.latest = position;
                None
            }
            Err(Refusal::Rules(error)) if is_blank(&error) => return Err(error),
            Err(error) => Some(format!("the joint move ({}): {error}", joint.join(" "))),
        };
        self.latest.is_first = false;
        Ok(Position { refused, ..self.latest.clone() })
    }

    /// The state and the position after a joint move.
    fn follow(&mut self, joint: &[String]) -> Result<(State, Position), Refusal> {
        let state = self.next(joint)?;
        let step = self.latest.step + 1;
        let position = position(&mut *self.rules, &state, self.role, step)?;
        Ok((state, position))
    }

    fn next(&mut self, joint: &[String]) -> Result<State, Refusal> {
        if self.latest.is_over {
            return Err(Refusal::Over);
        }
        let game = &mut *self.rules;
        let joint = moves_of(game, joint)?;
        Ok(game.next_state(&self.state, &joint)?)
    }
}

fn position(
    game: &mut dyn Game,
    state: &State,
    role: Role,
    step: usize,
) -> Result<Position, PlayError> {
    let is_over = game.is_terminal(state)?;
    let legal = match game.legal_moves(state, role) {
        Err(PlayError::NoLegalMove { .. }) => MoveSet::new(state.table(), []),
        legal => legal?,
    };
    let legal = legal.iter().map(|chosen| game.move_spelling(role, chosen));
    let legal = legal.collect::<Result<_, _>>()?;
    let roles = if is_over { 0..game.roles().len() } else { 0..0 };
    let goals = roles.map(|role| game.proper_goal(state, role)).collect::<Result<_, _>>()?;
    let sentences = game.sentences(state)?;
    Ok(Position { step, is_first: false, sentences, legal, is_over, goals, refused: None })
}

/// The joint move with these texts.
pub(super) fn moves_of(game: &mut dyn Game, texts: &[String]) -> Result<JointMove, PlayError> {
    let wanted = game.roles().len();
    if texts.len() != wanted {
        return Err(PlayError::WrongMoveCount { wanted, got: texts.len() });
    }
    texts.iter().enumerate().map(|(role, text)| game.move_of(role, text)).collect()
}
