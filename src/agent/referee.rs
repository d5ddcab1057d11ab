//! The match as the reference reasoner sees it: what is true and what is legal.
//!
//! It works in a thread of its own, because even one state of a hard game may take the reasoner
//! longer than a clock allows. It thinks about nothing, so it has a legal move when searches have
//! none.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Instant;

use propnet::game::{Game, JointMove, Move, PlayError, Role, State};
use propnet::gdl::{Rules, Source};
use propnet::reference::{self, Reasoner};

use super::error::AgentError;
use super::options::Log;
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

/// What the referee has read.
pub(super) struct Reading {
    pub(super) rules: Arc<Rules>,
    pub(super) roles: Vec<String>,
    pub(super) role: Role,
}

/// The way to a referee.
pub(super) struct Referee {
    commands: Sender<Command>,
    positions: Receiver<Position>,
    latest: Position,
    /// How many positions are still to come.
    owed: usize,
    /// Those that nobody has asked for yet.
    fresh: Vec<Position>,
}

enum Command {
    Move(JointText),
    CanFollow(JointText, Sender<bool>),
}

impl Referee {
    /// Reads a sheet for the player of a role. What came of it is there before the deadline, or
    /// not at all.
    pub(super) fn start(
        sheet: &str,
        role: &str,
        deadline: Option<Instant>,
        log: Log,
    ) -> Result<(Self, Reading), AgentError> {
        let (commands, received) = channel();
        let (positions, published) = channel();
        let (reading, read) = channel();
        let (sheet, role) = (sheet.to_string(), role.to_lowercase());
        let work = move || match Table::read(&sheet, &role) {
            Ok((table, what)) => {
                let is_wanted = positions.send(table.latest.clone()).is_ok();
                if is_wanted && reading.send(Ok(what)).is_ok() {
                    table.serve(&received, &positions, &log);
                }
            }
            // Nobody is there to be told if it took too long.
            Err(error) => drop(reading.send(Err(error))),
        };
        let thread = thread::Builder::new().name("referee".to_string()).spawn(work);
        thread.map_err(|error| AgentError::Broken(error.to_string()))?;
        let reading = match receive(&read, deadline) {
            Ok(reading) => reading?,
            Err(RecvTimeoutError::Timeout) => return Err(AgentError::Late),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(AgentError::Broken("the sheet made the reader fail".to_string()));
            }
        };
        let mut referee = Referee {
            commands,
            positions: published,
            latest: Position::default(),
            owed: 1,
            fresh: Vec::new(),
        };
        referee.position(deadline);
        Ok((referee, reading))
    }

    /// Makes a joint move; the position after it is waited for elsewhere.
    pub(super) fn tell(&mut self, joint: JointText) {
        if self.commands.send(Command::Move(joint)).is_ok() {
            self.owed += 1;
        }
    }

    /// The position after all joint moves; none if it is not there in time.
    pub(super) fn position(&mut self, deadline: Option<Instant>) -> Option<&Position> {
        while self.owed > 0 {
            let position = receive(&self.positions, deadline).ok()?;
            self.keep(position);
        }
        Some(&self.latest)
    }

    /// The positions that are known and were not given before.
    pub(super) fn fresh(&mut self) -> Vec<Position> {
        while let Ok(position) = self.positions.try_recv() {
            self.keep(position);
        }
        std::mem::take(&mut self.fresh)
    }

    fn keep(&mut self, position: Position) {
        self.latest = position.clone();
        self.fresh.push(position);
        self.owed -= 1;
    }

    /// Whether the rules allow a joint move now; none if that is not known in time.
    pub(super) fn can_follow(&self, joint: JointText, deadline: Option<Instant>) -> Option<bool> {
        let (answer, received) = channel();
        self.commands.send(Command::CanFollow(joint, answer)).ok()?;
        receive(&received, deadline).ok()
    }
}

/// Waits until a deadline, or for ever.
pub(super) fn receive<T>(
    from: &Receiver<T>,
    deadline: Option<Instant>,
) -> Result<T, RecvTimeoutError> {
    match deadline {
        Some(deadline) => from.recv_timeout(deadline.saturating_duration_since(Instant::now())),
        None => from.recv().map_err(|_| RecvTimeoutError::Disconnected),
    }
}

/// The match itself.
struct Table {
    game: Reasoner,
    role: Role,
    state: State,
    step: usize,
    /// The position as it was published.
    latest: Position,
}

impl Table {
    fn read(sheet: &str, role: &str) -> Result<(Self, Reading), AgentError> {
        let rules = reference::load(Source::from_text("sheet", sheet))?;
        let mut game = Reasoner::new(&rules);
        let roles = game.roles().to_vec();
        let Some(at) = roles.iter().position(|known| known == role) else {
            return Err(AgentError::Role { role: role.to_string(), known: roles });
        };
        let state = game.initial_state()?;
        let mut table = Table { game, role: at, state, step: 0, latest: Position::default() };
        table.latest = Position { is_first: true, ..table.position()? };
        Ok((table, Reading { rules: Arc::new(rules), roles, role: at }))
    }

    fn serve(mut self, commands: &Receiver<Command>, positions: &Sender<Position>, log: &Log) {
        while let Ok(command) = commands.recv() {
            match command {
                Command::Move(joint) => {
                    let position = self.make(&joint).unwrap_or_else(|error| {
                        let text = format!("the joint move ({}): {error}", joint.join(" "));
                        log.line(&format!("{text}; the position stays as it was"));
                        Position { refused: Some(text), is_first: false, ..self.latest.clone() }
                    });
                    self.latest = Position { refused: None, is_first: false, ..position.clone() };
                    if positions.send(position).is_err() {
                        return;
                    }
                }
                // Nobody waits for an answer that comes too late.
                Command::CanFollow(joint, answer) => drop(answer.send(self.next(&joint).is_ok())),
            }
        }
    }

    /// Makes a joint move.
    fn make(&mut self, joint: &[String]) -> Result<Position, PlayError> {
        let next = self.next(joint)?;
        let before = std::mem::replace(&mut self.state, next);
        self.step += 1;
        let position = self.position();
        if position.is_err() {
            self.state = before;
            self.step -= 1;
        }
        position
    }

    fn next(&mut self, joint: &[String]) -> Result<State, PlayError> {
        let joint = moves_of(&mut self.game, joint)?;
        self.game.next_state(&self.state, &joint)
    }

    fn position(&mut self) -> Result<Position, PlayError> {
        let state = &self.state;
        let is_over = self.game.is_terminal(state)?;
        let legal = match self.game.legal_moves(state, self.role) {
            Err(PlayError::NoLegalMove { .. }) => Default::default(),
            legal => legal?,
        };
        let legal = legal.iter().map(|at| self.game.move_spelling(self.role, Move(at as u32)));
        let legal = legal.collect();
        let roles = if is_over { 0..self.game.roles().len() } else { 0..0 };
        let goals = roles.map(|role| self.game.goal(state, role).ok()).collect();
        let sentences = self.game.sentences(state);
        let step = self.step;
        Ok(Position { step, is_first: false, sentences, legal, is_over, goals, refused: None })
    }
}

/// The joint move with these texts.
pub(super) fn moves_of(game: &mut dyn Game, texts: &[String]) -> Result<JointMove, PlayError> {
    let wanted = game.roles().len();
    if texts.len() != wanted {
        return Err(PlayError::WrongMoveCount { wanted, got: texts.len() });
    }
    texts.iter().enumerate().map(|(role, text)| game.move_of(role, text)).collect()
}
