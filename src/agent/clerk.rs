//! Someone who follows a match on one engine: what is true, and what is legal.
//!
//! It works in a thread of its own, because even one state of a hard game may take the reference
//! reasoner longer than a clock allows. It thinks about nothing, so it has a legal move when
//! searches have none.

use std::sync::mpsc::{Receiver, Sender};

use propnet::game::{Game, JointMove, MoveSet, PlayError, Role, State};

use super::precedence::Claim;
use super::turn::JointText;

/// A position of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The joint moves that led there.
    pub step: usize,
    /// Whether it is the one at the start, which no joint move led to, not even a refused one.
    pub is_first: bool,
    /// What is true, as sorted lower-case text.
    pub sentences: Vec<String>,
    /// The legal moves of the player's own role, in the spelling of the sheet.
    pub legal: Vec<String>,
    /// Whether the game is over.
    pub is_over: bool,
    /// By role, where the game is over: the goal; none where the rules give none, or several.
    pub goals: Vec<Option<i32>>,
    /// Why the last joint move was not made: the rules do not allow it.
    pub refused: Option<String>,
}

/// What a clerk is told or asked.
#[derive(Clone)]
pub(super) enum Command {
    Move(JointText),
    CanFollow(JointText, Sender<bool>),
}

/// What is sent to a clerk. The claim is dropped when the command is done.
pub(super) type Order = (Command, Option<Claim>);

/// A position, and how many joint moves were told before it, refused ones included.
pub(super) type Numbered = (usize, Position);

/// Why a joint move is not made.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    /// Rules may well allow moves when all is over.
    #[error("the game is over")]
    Over,
    #[error(transparent)]
    Rules(#[from] PlayError),
}

/// Whether an error says nothing about a move: the state is too much for the engine, or nobody is
/// there any more.
pub(super) fn is_blank(error: &PlayError) -> bool {
    matches!(error, PlayError::TooLarge { .. } | PlayError::Stopped)
}

/// The clerk and the match in front of it.
pub(super) struct Clerk {
    rules: Box<dyn Game>,
    role: Role,
    state: State,
    /// The position as it was published.
    latest: Position,
}

impl Clerk {
    /// A clerk at the start of a match.
    pub(super) fn new(mut rules: Box<dyn Game>, role: Role) -> Result<Self, PlayError> {
        let state = rules.initial_state()?;
        let first = position(&mut *rules, &state, role, 0)?;
        Ok(Clerk { rules, role, state, latest: Position { is_first: true, ..first } })
    }

    /// Publishes a position for the start and one for each joint move, and answers questions, as
    /// long as someone is there. Why it cannot follow any more, if that is so.
    pub(super) fn serve(
        mut self,
        orders: &Receiver<Order>,
        positions: &Sender<Numbered>,
    ) -> Result<(), PlayError> {
        let mut told = 0;
        if positions.send((told, self.latest.clone())).is_err() {
            return Ok(());
        }
        while let Ok((command, _claim)) = orders.recv() {
            match command {
                Command::Move(joint) => {
                    told += 1;
                    if positions.send((told, self.make(&joint)?)).is_err() {
                        return Ok(());
                    }
                }
                Command::CanFollow(joint, answer) => {
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

    /// Makes a joint move. One that cannot be made leaves the position as it was; an error if that
    /// is not known.
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
