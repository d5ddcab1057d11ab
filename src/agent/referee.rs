//! The match as the rules see it, whatever searches think: what is true, and what is legal.
//!
//! The reference reasoner follows it from the first moment on. Where that keeps somebody waiting
//! and the circuit is there, the circuit makes the same joint moves beside it, and whoever knows
//! something first is believed: they never differ.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use propnet::game::{Game, PlayError, Role};
use propnet::gdl::{Rules, Source};
use propnet::reference::{ReadError, Reasoner, WorkWatch, load_watched};

use super::clerk::{Clerk, Command, Numbered, Order, Position};
use super::error::AgentError;
use super::limits::LIMITS;
use super::options::Log;
use super::precedence::{Claim, Precedence};
use super::signals::{Ender, LOOK_EVERY};
use super::turn::JointText;
use crate::search::LaneProgram;

/// What runs on the circuit, as soon as it is made.
pub(super) type Readiness = Arc<OnceLock<LaneProgram>>;

/// So long the reference reasoner is waited for before the circuit is asked, too.
const PATIENCE: Duration = Duration::from_millis(100);

/// What the referee has read.
pub(super) struct Reading {
    pub(super) rules: Arc<Rules>,
    pub(super) roles: Vec<String>,
    pub(super) role: Role,
}

/// The way to those who follow the match.
pub(super) struct Referee {
    /// The one with the reference reasoner first.
    desks: Vec<Desk>,
    /// What a desk with the circuit is made of.
    circuit: Readiness,
    precedence: Arc<Precedence>,
    roles: Vec<String>,
    role: Role,
    /// All joint moves.
    told: Vec<JointText>,
    publish: Sender<Numbered>,
    positions: Receiver<Numbered>,
    /// How many positions are known.
    known: usize,
    latest: Position,
    /// Those that nobody has asked for yet.
    fresh: Vec<Position>,
    log: Log,
}

/// The way to a clerk.
struct Desk {
    orders: Sender<Order>,
    thread: JoinHandle<()>,
    /// There as long as somebody may ask.
    _asker: Arc<()>,
}

impl Referee {
    /// Reads a sheet for the player of a role, as long as that takes, unless someone ends it.
    pub(super) fn start(
        sheet: &str,
        role: &str,
        ender: &Ender,
        log: Log,
    ) -> Result<(Self, Reading), AgentError> {
        let (publish, positions) = channel();
        let (reading, read) = channel();
        let (sheet, role, published) = (sheet.to_string(), role.to_lowercase(), publish.clone());
        // A match counts as running as long as a thread holds its log.
        let noted = log.clone();
        let desk = Desk::new(move |orders, asker| match self::read(&sheet, &role, asker) {
            Ok((clerk, what)) => {
                if reading.send(Ok(what)).is_ok()
                    && let Err(error) = clerk.serve(orders, &published)
                    && error != PlayError::Stopped
                {
                    noted.line(&format!("the reference reasoner gives up: {error}"));
                }
            }
            // Nobody is there to be told if someone has ended it.
            Err(error) => drop(reading.send(Err(error))),
        });
        let desk = desk.map_err(|error| AgentError::Broken(error.to_string()))?;
        let reading: Reading = loop {
            match read.recv_timeout(LOOK_EVERY) {
                Ok(reading) => break reading?,
                Err(RecvTimeoutError::Timeout) if ender.is_ended() => {
                    return Err(AgentError::Ended);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(AgentError::Broken("the sheet made the reader fail".to_string()));
                }
            }
        };
        let referee = Referee {
            desks: vec![desk],
            circuit: Readiness::default(),
            precedence: Arc::default(),
            roles: reading.roles.clone(),
            role: reading.role,
            told: Vec::new(),
            publish,
            positions,
            known: 0,
            latest: Position::default(),
            fresh: Vec::new(),
            log,
        };
        Ok((referee, reading))
    }

    /// Where the circuit is put when it is ready.
    pub(super) fn readiness(&self) -> &Readiness {
        &self.circuit
    }

    /// Who goes first.
    pub(super) fn precedence(&self) -> &Arc<Precedence> {
        &self.precedence
    }

    /// Makes a joint move; the position after it is waited for elsewhere.
    pub(super) fn tell(&mut self, joint: JointText) {
        self.ask(&Command::Move(joint.clone()));
        self.told.push(joint);
    }

    /// The position after all joint moves; none if it is not there in time.
    pub(super) fn position(&mut self, deadline: Option<Instant>) -> Option<&Position> {
        while self.known <= self.told.len() {
            match receive(&self.positions, Some(next_look(deadline))) {
                Ok(position) => self.keep(position),
                // It is called in any case: time may be up now, but there is a next time.
                Err(_) if self.call_circuit().is_none() && self.is_hopeless(deadline) => {
                    return None;
                }
                Err(_) => {}
            }
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

    /// Whether the rules allow a joint move now; none if that is not known in time.
    pub(super) fn can_follow(
        &mut self,
        joint: JointText,
        deadline: Option<Instant>,
    ) -> Option<bool> {
        let (answer, received) = channel();
        let question = Command::CanFollow(joint, answer);
        self.ask(&question);
        loop {
            match receive(&received, Some(next_look(deadline))) {
                Ok(can_follow) => return Some(can_follow),
                Err(_) => {
                    if let Some(desk) = self.call_circuit() {
                        desk.ask(question.clone(), None);
                    } else if self.is_hopeless(deadline) {
                        return None;
                    }
                }
            }
        }
    }

    /// Each clerk gives all positions in their order, so the next one comes from whoever is first.
    fn keep(&mut self, (number, position): Numbered) {
        if number != self.known {
            return;
        }
        if let Some(refused) = &position.refused {
            self.log.line(&format!("{refused}; the position stays as it was"));
        }
        self.known += 1;
        self.latest = position.clone();
        self.fresh.push(position);
    }

    /// Asks all; others wait for the reasoner.
    fn ask(&self, command: &Command) {
        for (at, desk) in self.desks.iter().enumerate() {
            let claim = (at == 0).then(|| Claim::new(&self.precedence));
            desk.ask(command.clone(), claim);
        }
    }

    /// Whether there is nobody to wait for, or no time.
    fn is_hopeless(&self, deadline: Option<Instant>) -> bool {
        deadline.is_some_and(|end| end <= Instant::now())
            || self.desks.iter().all(|desk| desk.thread.is_finished())
    }

    /// Lets the circuit follow the match, too, if it is there and does not yet.
    fn call_circuit(&mut self) -> Option<&Desk> {
        if self.desks.len() > 1 {
            return None;
        }
        let program = self.circuit.get()?.clone();
        let (roles, role, publish) = (self.roles.clone(), self.role, self.publish.clone());
        let desk = Desk::new(move |orders, _| {
            if let Some(clerk) = on_circuit(&program, &roles, role) {
                // A circuit answers every question.
                let _ = clerk.serve(orders, &publish);
            }
        });
        // Where the system has no thread left, the reasoner goes on alone.
        let desk = desk.ok()?;
        self.told.iter().for_each(|joint| desk.ask(Command::Move(joint.clone()), None));
        self.desks.push(desk);
        self.desks.last()
    }
}

impl Desk {
    /// Starts a thread. It ends when the desk is gone, and can see whether it is.
    fn new(work: impl FnOnce(&Receiver<Order>, Weak<()>) + Send + 'static) -> io::Result<Self> {
        let (orders, received) = channel();
        let asker = Arc::new(());
        let theirs = Arc::downgrade(&asker);
        let thread = thread::Builder::new().name("referee".to_string());
        let thread = thread.spawn(move || work(&received, theirs))?;
        Ok(Desk { orders, thread, _asker: asker })
    }

    /// A clerk that is gone will not answer.
    fn ask(&self, command: Command, claim: Option<Claim>) {
        let _ = self.orders.send((command, claim));
    }
}

fn read(sheet: &str, role: &str, asker: Weak<()>) -> Result<(Clerk, Reading), AgentError> {
    let watch = WorkWatch::new(move || asker.strong_count() > 0);
    let rules = load_watched(Source::from_text("sheet", sheet), &watch).map_err(refusal)?;
    let game = Reasoner::watched(&rules, LIMITS, watch);
    let roles = game.roles().to_vec();
    let Some(at) = roles.iter().position(|known| known == role) else {
        return Err(AgentError::Role { role: role.to_string(), known: roles });
    };
    let clerk = Clerk::new(Box::new(game), at)?;
    Ok((clerk, Reading { rules: Arc::new(rules), roles, role: at }))
}

fn refusal(error: ReadError) -> AgentError {
    match error {
        ReadError::Sheet(error) => AgentError::Sheet(error),
        _ => AgentError::Ended,
    }
}

/// A clerk with the game of a circuit; none if that is another game, which somebody else has made.
fn on_circuit(program: &LaneProgram, roles: &[String], role: Role) -> Option<Clerk> {
    let game = program.game();
    let is_same = game.roles() == roles;
    is_same.then(|| Clerk::new(game, role).ok()).flatten()
}

/// How long to wait before somebody else is asked.
fn next_look(deadline: Option<Instant>) -> Instant {
    let look = Instant::now() + PATIENCE;
    deadline.map_or(look, |deadline| deadline.min(look))
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

#[cfg(test)]
mod tests {
    use propnet::circuit::optimize::Pass;
    use propnet::lanes::Setup;

    use super::*;
    use crate::circuit::circuit_in_time;
    use crate::engine::{EngineOptions, Stages};
    use crate::search::Settings;

    const SHEET: &str = "(role a) (init (n 0)) (succ 0 1) (succ 1 2) (legal a go)
        (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= terminal (true (n 2))) (goal a 1)";

    /// A referee whose clerk with the reasoner has given up, and whose circuit is ready.
    fn given_up() -> Referee {
        let (referee, reading) =
            Referee::start(SHEET, "a", &Ender::default(), Log::default()).expect("a referee");
        let bounds = EngineOptions::default().bounds;
        let ground = Stages::new(&reading.rules).ground_rules(&bounds);
        let circuit = circuit_in_time(ground.expect("ground rules").as_ref(), Pass::ALL, &bounds);
        let circuit = circuit.expect("a circuit");
        let program = LaneProgram::new(&circuit, Setup::SCALAR, &Settings::default());
        let is_set = referee.circuit.set(program.expect("a program"));
        assert!(is_set.is_ok());
        let desk = Desk::new(|_, _| {}).expect("a thread");
        while !desk.thread.is_finished() {
            thread::yield_now();
        }
        Referee { desks: vec![desk], ..referee }
    }

    #[test]
    fn the_circuit_goes_on_where_the_reasoner_has_given_up() {
        let joint = |text: &str| -> JointText { [text.to_string()].into() };
        let mut referee = given_up();
        referee.tell(joint("go"));
        let position = referee.position(None).expect("a position");
        assert_eq!((position.step, &position.sentences[..]), (1, &["(n 1)".to_string()][..]));
        for (text, can_follow) in [("go", true), ("stay", false)] {
            assert_eq!(given_up().can_follow(joint(text), None), Some(can_follow), "{text}");
        }
    }
}
