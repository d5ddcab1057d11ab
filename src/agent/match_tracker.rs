//! Follows the match by the rules, independently of any search: which facts are true and which
//! moves are legal.
//!
//! The reference reasoner follows it from the start. If the reasoner is slow and the circuit is
//! ready, a second tracker makes the same joint moves on the circuit. The first answer counts: both
//! give the same.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use propnet::game::{Game, PlayError, Role};
use propnet::gdl::Source;
use propnet::reference::{ReadError, Reasoner, WorkWatch, load_watched};

use super::error::AgentError;
use super::limits::LIMITS;
use super::options::{AgentOptions, Log};
use super::position_tracker::{
    ClaimedRequest, NumberedPosition, Position, PositionTracker, TrackerRequest,
};
use super::precedence::{Claim, Precedence};
use super::sheet::Sheet;
use super::signals::{LOOK_EVERY, StopHandle};
use super::turn::JointText;
use crate::pipeline::{Cache, LaneProgram, Stages};

/// The compiled game, once it is made.
pub(super) type SharedProgram = Arc<OnceLock<LaneProgram>>;

/// How long to wait for the reference reasoner before the circuit is asked too.
const PATIENCE: Duration = Duration::from_millis(100);

/// The sheet and the role, after the tracker has read them.
pub(super) struct LoadedSheet {
    pub(super) stages: Arc<Stages>,
    pub(super) roles: Vec<String>,
    pub(super) role: Role,
}

/// Owns the position trackers of a match and collects their positions.
pub(super) struct MatchTracker {
    /// The one on the reference reasoner comes first.
    trackers: Vec<TrackerThread>,
    /// The compiled game for a second position tracker.
    circuit: SharedProgram,
    precedence: Arc<Precedence>,
    role: Role,
    /// All joint moves.
    told: Vec<JointText>,
    publish: Sender<NumberedPosition>,
    positions: Receiver<NumberedPosition>,
    /// The number of known positions.
    known: usize,
    latest: Position,
    /// Positions that [`MatchTracker::fresh`] has not returned yet.
    fresh: Vec<Position>,
    log: Log,
}

/// The thread of a position tracker.
struct TrackerThread {
    requests: Sender<ClaimedRequest>,
    thread: JoinHandle<()>,
    /// Dropped with this handle; the thread sees by it that it is not needed any more.
    _owner: Arc<()>,
}

impl MatchTracker {
    /// Reads a sheet for the player of a role, as long as that takes, unless the handle stops it.
    pub(super) fn start(
        sheet: Sheet,
        role: &str,
        stop_handle: &StopHandle,
        options: &AgentOptions,
    ) -> Result<(Self, LoadedSheet), AgentError> {
        let (publish, positions) = channel();
        let (reading, read) = channel();
        let (role, published) = (role.to_lowercase(), publish.clone());
        // A match counts as running as long as a thread holds its log.
        let (cache, noted) = (options.cache.clone(), options.log.clone());
        let tracker = TrackerThread::new(move |requests, owner| {
            match self::read(sheet, &role, &cache, owner) {
                Ok((position_tracker, what)) => {
                    if reading.send(Ok(what)).is_ok()
                        && let Err(error) = position_tracker.serve(requests, &published)
                        && error != PlayError::Stopped
                    {
                        noted.line(&format!("the reference reasoner gives up: {error}"));
                    }
                }
                // After a stop this is not received.
                Err(error) => drop(reading.send(Err(error))),
            }
        });
        let tracker = tracker.map_err(|error| AgentError::Broken(error.to_string()))?;
        let reading: LoadedSheet = loop {
            match read.recv_timeout(LOOK_EVERY) {
                Ok(reading) => break reading?,
                Err(RecvTimeoutError::Timeout) if stop_handle.is_stopped() => {
                    return Err(AgentError::Stopped);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(AgentError::Broken("the sheet made the reader fail".to_string()));
                }
            }
        };
        let match_tracker = MatchTracker {
            trackers: vec![tracker],
            circuit: SharedProgram::default(),
            precedence: Arc::default(),
            role: reading.role,
            told: Vec::new(),
            publish,
            positions,
            known: 0,
            latest: Position::default(),
            fresh: Vec::new(),
            log: options.log.clone(),
        };
        Ok((match_tracker, reading))
    }

    /// The cell that holds the compiled game when it is ready.
    pub(super) fn program_cell(&self) -> &SharedProgram {
        &self.circuit
    }

    /// Lets other threads of the match wait while the tracker works.
    pub(super) fn precedence(&self) -> &Arc<Precedence> {
        &self.precedence
    }

    /// Makes a joint move; [`MatchTracker::position`] waits for the position after it.
    pub(super) fn tell(&mut self, joint: JointText) {
        self.ask(&TrackerRequest::Move(joint.clone()));
        self.told.push(joint);
    }

    /// The position after all joint moves; none if it is not known in time.
    pub(super) fn position(&mut self, deadline: Option<Instant>) -> Option<&Position> {
        while self.known <= self.told.len() {
            match receive(&self.positions, Some(next_look(deadline))) {
                Ok(position) => self.keep(position),
                // The circuit starts in any case: if time is up now, its answer serves the next
                // question.
                Err(_) if self.call_circuit().is_none() && self.is_hopeless(deadline) => {
                    return None;
                }
                Err(_) => {}
            }
        }
        Some(&self.latest)
    }

    /// The positions that are known and were not returned before.
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
        let question = TrackerRequest::CanFollow(joint, answer);
        self.ask(&question);
        loop {
            match receive(&received, Some(next_look(deadline))) {
                Ok(can_follow) => return Some(can_follow),
                Err(_) => {
                    if let Some(tracker) = self.call_circuit() {
                        tracker.ask(question.clone(), None);
                    } else if self.is_hopeless(deadline) {
                        return None;
                    }
                }
            }
        }
    }

    /// Each position tracker sends all positions in order, so the next one comes from whichever is
    /// faster.
    fn keep(&mut self, (number, position): NumberedPosition) {
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

    /// Sends a request to all trackers. Other threads wait only for the one on the reasoner.
    fn ask(&self, request: &TrackerRequest) {
        for (at, tracker) in self.trackers.iter().enumerate() {
            let claim = (at == 0).then(|| Claim::new(&self.precedence));
            tracker.ask(request.clone(), claim);
        }
    }

    /// Whether time is up, or no tracker is left to answer.
    fn is_hopeless(&self, deadline: Option<Instant>) -> bool {
        deadline.is_some_and(|end| end <= Instant::now())
            || self.trackers.iter().all(|tracker| tracker.thread.is_finished())
    }

    /// Starts the tracker on the circuit if the circuit is ready and has no tracker yet.
    fn call_circuit(&mut self) -> Option<&TrackerThread> {
        if self.trackers.len() > 1 {
            return None;
        }
        let program = self.circuit.get()?.clone();
        let (role, publish) = (self.role, self.publish.clone());
        let tracker = TrackerThread::new(move |requests, _| {
            // A circuit answers every question.
            let tracker = PositionTracker::new(program.game(), role);
            let _ = tracker.and_then(|tracker| tracker.serve(requests, &publish));
        });
        // If the system has no thread left, the reasoner goes on alone.
        let tracker = tracker.ok()?;
        self.told.iter().for_each(|joint| tracker.ask(TrackerRequest::Move(joint.clone()), None));
        self.trackers.push(tracker);
        self.trackers.last()
    }
}

impl TrackerThread {
    /// Starts a thread. It ends after this handle is dropped; the second argument of `work` shows
    /// that.
    fn new(
        work: impl FnOnce(&Receiver<ClaimedRequest>, Weak<()>) + Send + 'static,
    ) -> io::Result<Self> {
        let (requests, received) = channel();
        let owner = Arc::new(());
        let theirs = Arc::downgrade(&owner);
        let thread = thread::Builder::new().name("match tracker".to_string());
        let thread = thread.spawn(move || work(&received, theirs))?;
        Ok(TrackerThread { requests, thread, _owner: owner })
    }

    /// A tracker whose thread has ended does not answer.
    fn ask(&self, request: TrackerRequest, claim: Option<Claim>) {
        let _ = self.requests.send((request, claim));
    }
}

fn read(
    sheet: Sheet,
    role: &str,
    cache: &Cache,
    owner: Weak<()>,
) -> Result<(PositionTracker, LoadedSheet), AgentError> {
    let watch = WorkWatch::new(move || owner.strong_count() > 0);
    let stages = match sheet {
        Sheet::Text(text) => {
            let source = Source::from_text("sheet", &text);
            cache.stages(source, |source| load_watched(source, &watch)).map_err(refusal)?
        }
        Sheet::Stages(stages) => stages,
    };
    let game = Reasoner::watched(stages.rules(), LIMITS, watch);
    let roles = game.roles().to_vec();
    let Some(at) = roles.iter().position(|known| known == role) else {
        return Err(AgentError::Role { role: role.to_string(), known: roles });
    };
    let position_tracker = PositionTracker::new(Box::new(game), at)?;
    Ok((position_tracker, LoadedSheet { stages, roles, role: at }))
}

fn refusal(error: ReadError) -> AgentError {
    match error {
        ReadError::Sheet(error) => AgentError::Sheet(error),
        _ => AgentError::Stopped,
    }
}

/// When to stop waiting and to ask the circuit too.
fn next_look(deadline: Option<Instant>) -> Instant {
    let look = Instant::now() + PATIENCE;
    deadline.map_or(look, |deadline| deadline.min(look))
}

/// Waits until a deadline, or without one for as long as it takes.
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
    use propnet::lanes::Setup;

    use super::*;
    use crate::pipeline::{Compile, Control, PipelineOptions};
    use crate::search::Settings;

    const SHEET: &str = "(role a) (init (n 0)) (succ 0 1) (succ 1 2) (legal a go)
        (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= terminal (true (n 2))) (goal a 1)";

    /// A match tracker whose reasoner has given up and whose circuit is ready.
    fn given_up() -> MatchTracker {
        let options = AgentOptions::default();
        let started = MatchTracker::start(SHEET.into(), "a", &StopHandle::default(), &options);
        let (match_tracker, LoadedSheet { stages, roles, .. }) = started.expect("a tracker");
        let step = Settings::default().step_options(roles.len());
        let options = PipelineOptions { lanes: Setup::SCALAR, ..PipelineOptions::default() };
        let program = stages.program(&options, &step, Compile::First, Control::default());
        let is_set = match_tracker.circuit.set(program.expect("a program"));
        assert!(is_set.is_ok());
        let tracker = TrackerThread::new(|_, _| {}).expect("a thread");
        while !tracker.thread.is_finished() {
            thread::yield_now();
        }
        MatchTracker { trackers: vec![tracker], ..match_tracker }
    }

    #[test]
    fn the_circuit_goes_on_where_the_reasoner_has_given_up() {
        let joint = |text: &str| -> JointText { [text.to_string()].into() };
        let mut match_tracker = given_up();
        match_tracker.tell(joint("go"));
        let position = match_tracker.position(None).expect("a position");
        assert_eq!((position.step, &position.sentences[..]), (1, &["(n 1)".to_string()][..]));
        for (text, can_follow) in [("go", true), ("stay", false)] {
            assert_eq!(given_up().can_follow(joint(text), None), Some(can_follow), "{text}");
        }
    }
}
