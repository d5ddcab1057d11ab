//! The state of one match, and how its messages change it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use propnet::gdl::visible;
use tracing::Level;

use super::message::{LONGEST_JOINT, StartMessage, is_blank};
use super::record_writer::{PlayedMove, RecordEvent, RecordWriter};
use super::reply::Reply;
use super::running_matches::MatchSlot;
use super::session::SessionOptions;
use crate::agent::{Agent, AgentError, AgentOptions, Answer, Log, StartingAgent, StopHandle};
use crate::record::{Head, now};
use crate::search::Report;
use crate::text::shortened;

/// The time for the end of a match, used twice: until its player has started, and for its last
/// state on the reference reasoner.
pub(super) const STOP_TIME: Duration = Duration::from_secs(2);

/// How long to wait for the position after a joint move, so that it is recorded before the search
/// ends. If the search crashes, the record has the move.
const WRITE_TIME: Duration = Duration::from_millis(50);

/// The longest line of a log, in letters.
const LONGEST_LINE: usize = 4000;

/// The state of a match.
#[derive(Default)]
pub(super) struct MatchState {
    /// Held by everything that runs for the match.
    slot: Option<Arc<MatchSlot>>,
    /// The reply to its START.
    begun: Option<Reply>,
    /// A player that has not read its sheet yet.
    starting: Option<StartingAgent>,
    /// None before and after the match.
    agent: Option<Agent>,
    /// Joint moves from before the player was ready.
    missed: Vec<Vec<String>>,
    record_writer: RecordWriter,
    log: Log,
    /// The last question and its reply.
    last: Option<(Option<Vec<String>>, Reply)>,
    /// The reply to the question before that.
    before: Option<Reply>,
    /// The report of the search that found the last answer.
    report: Option<Report>,
    /// Joint moves whose positions are not known yet.
    moved: VecDeque<PlayedMove>,
}

/// How a match ends.
pub(super) enum MatchEnd {
    /// By its last joint move.
    Stop(Option<Vec<String>>),
    /// Before its end, for a reason.
    Abort(&'static str),
}

impl MatchEnd {
    /// The reply to the message that ends it.
    pub(super) fn reply(&self) -> Reply {
        match self {
            MatchEnd::Stop(_) => Reply::Done,
            MatchEnd::Abort(_) => Reply::Aborted,
        }
    }
}

impl MatchState {
    pub(super) fn new(slot: Arc<MatchSlot>) -> Self {
        MatchState { slot: Some(slot), ..MatchState::default() }
    }

    /// Begins the match; the same answer again if it has begun.
    pub(super) fn begin(
        &mut self,
        start: &StartMessage,
        stop_handle: &StopHandle,
        options: &SessionOptions,
        seed: u64,
        arrived: Instant,
    ) -> Reply {
        if let Some(begun) = &self.begun {
            return begun.clone();
        }
        let reply = self.begin_anew(start, stop_handle, options, seed, arrived);
        self.begun = Some(reply.clone());
        reply
    }

    fn begin_anew(
        &mut self,
        start: &StartMessage,
        stop_handle: &StopHandle,
        options: &SessionOptions,
        seed: u64,
        arrived: Instant,
    ) -> Reply {
        let time = now();
        self.record_writer =
            RecordWriter::start(options.records.as_deref(), &start.id, &options.log);
        let (id, lines, log) =
            (visible(&start.id).into_owned(), self.record_writer.lines(), options.log.clone());
        // All threads of a player hold its log, so the match counts until the last of them is gone.
        let slot = self.slot.clone();
        self.log = Log::with_levels(move |level, line| {
            let _held = &slot;
            let line = shortened(line, LONGEST_LINE);
            lines(&line);
            log.write(level, &format!("{id}: {line}"));
        });
        let options = AgentOptions { seed, log: self.log.clone(), ..options.agent.clone() };
        let deadline = arrived + start.start_clock;
        let begun =
            StartingAgent::begin(&start.sheet, &start.role, &options, deadline, stop_handle);
        self.log.line(&format!("begins; we are {}", start.role));
        self.record_writer.note(RecordEvent::Begin { head: head(start), time });
        let begun = begun.and_then(|starting| {
            self.starting = Some(starting);
            self.settle(deadline)
        });
        match begun {
            // A sheet that is still read by then may well be played later.
            Ok(()) => Reply::Ready,
            Err(error) => self.fail(&error),
        }
    }

    /// Waits for a player that still starts.
    fn settle(&mut self, deadline: Instant) -> Result<(), AgentError> {
        let Some(starting) = &self.starting else { return Ok(()) };
        let Some(agent) = starting.wait(deadline) else { return Ok(()) };
        self.starting = None;
        let mut agent = agent?;
        let roles = agent.roles().to_vec();
        // Managers do not say who plays the other roles.
        let player = |role: usize| if role == agent.role() { "ludens" } else { "unknown" };
        let players = (0..roles.len()).map(|role| player(role).to_string()).collect();
        self.record_writer.note(RecordEvent::Seats { roles, players });
        self.missed.drain(..).for_each(|joint| agent.follow(&joint));
        write_down(&mut agent, &mut self.moved, &self.record_writer);
        self.agent = Some(agent);
        Ok(())
    }

    /// Gives up a match that cannot be played.
    fn fail(&mut self, error: &AgentError) -> Reply {
        let text = error.to_string();
        self.log.write(Level::WARN, &text);
        self.record_writer.finish(RecordEvent::Aborted);
        Reply::Refused(text.lines().take(2).collect::<Vec<_>>().join(" "))
    }

    /// Answers with a move; a repeated question gets the same one. If there was none, there may
    /// be one now.
    pub(super) fn answer(
        &mut self,
        previous: Option<Vec<String>>,
        has_waited: bool,
        deadline: Instant,
    ) -> Reply {
        if let Err(error) = self.settle(deadline) {
            return self.fail(&error);
        }
        let previous = self.told(previous);
        let fits = previous.as_ref().is_none_or(|joint| self.fits(joint));
        let is_repeated = !fits || self.is_repeated(previous.as_ref(), has_waited, deadline);
        // What cannot be a joint move is not kept: it counts as the last question repeated.
        let asked = || self.last.as_ref().and_then(|(asked, _)| asked.clone());
        let previous = if fits { previous } else { asked() };
        if let Some((_, reply @ Reply::Move(_))) = self.last.as_ref().filter(|_| is_repeated) {
            return reply.clone();
        }
        if self.agent.is_none() && self.starting.is_none() {
            return Reply::Busy;
        }
        let joint = previous.clone().filter(|_| !is_repeated);
        if let Some(joint) = &joint {
            self.note_moved(joint);
        }
        let answer = self.think(joint, deadline);
        let reply = self.reply(answer);
        let last = self.last.replace((previous, reply.clone()));
        if !is_repeated {
            self.before = last.map(|(_, reply)| reply);
        }
        reply
    }

    /// The joint move in the message; none where it says nothing.
    fn told(&self, previous: Option<Vec<String>>) -> Option<Vec<String>> {
        previous.filter(|joint| self.last.is_some() || !is_blank(joint))
    }

    /// Finds a move after a joint move, which is recorded meanwhile.
    fn think(
        &mut self,
        joint: Option<Vec<String>>,
        deadline: Instant,
    ) -> Result<Answer, AgentError> {
        let Some(agent) = &mut self.agent else {
            self.missed.extend(joint);
            return Err(AgentError::Late);
        };
        let question = agent.consider(joint.as_deref(), Some(deadline));
        let now = Instant::now();
        let patience = WRITE_TIME.min(deadline.saturating_duration_since(now) / 2);
        agent.position(Some(now + patience));
        write_down(agent, &mut self.moved, &self.record_writer);
        let answer = agent.conclude(&question);
        write_down(agent, &mut self.moved, &self.record_writer);
        answer
    }

    /// Whether a joint move has a move for each role, as far as they are known, and a length that
    /// can be kept. What the rules say of it is found out later.
    fn fits(&self, joint: &[String]) -> bool {
        let bytes: usize = joint.iter().map(|text| text.len() + 1).sum();
        let roles = self.agent.as_ref().map_or(joint.len(), |agent| agent.roles().len());
        let misfit = match joint.len() {
            _ if bytes > LONGEST_JOINT => format!("more than {LONGEST_JOINT} bytes"),
            moves if moves != roles => format!("{moves} moves for {roles} roles"),
            _ => return true,
        };
        let line = format!("the joint move has {misfit}; the position stays as it was");
        self.log.write(Level::WARN, &line);
        false
    }

    fn note_moved(&mut self, joint: &[String]) {
        let role = self.agent.as_ref().map(Agent::role);
        if let (Some((_, Reply::Move(ours))), Some(role)) = (&self.last, role)
            && !is_made(ours, joint.get(role))
        {
            let made = joint.get(role).map_or("nothing", String::as_str);
            let line = format!("we answered {ours}, but {made} was made");
            self.log.write(Level::WARN, &line);
        }
        self.log.line(&format!("moves: {}", joint.join(" ")));
        let report = role.map(|role| (role, self.report.take()));
        self.moved.push_back(PlayedMove { joint: joint.to_vec(), time: now(), report });
    }

    /// Whether this is the last question repeated.
    ///
    /// The same joint move may well be made twice in a row. It was not if the rules do not allow it
    /// again; nor if our part of it is what we answered before, and not what we answered last: then
    /// the manager has not received our answer. Otherwise the joint move is the truth, even if a
    /// manager moves for us. That holds also where it is not known in time what the rules allow:
    /// an impossible move is refused later.
    fn is_repeated(
        &mut self,
        previous: Option<&Vec<String>>,
        has_waited: bool,
        deadline: Instant,
    ) -> bool {
        let Some((asked, reply)) = &self.last else { return false };
        let joint = match (asked, previous) {
            (None, None) => return true,
            (Some(asked), Some(joint)) if same(asked, joint) => joint,
            // At first it said nothing; now it may be a move of that name.
            (None, Some(joint)) if is_blank(joint) => joint,
            _ => return false,
        };
        if has_waited {
            return true;
        }
        let Some(agent) = &mut self.agent else { return false };
        let own = joint.get(agent.role());
        let is_unheard = match (reply, &self.before) {
            (Reply::Move(last), Some(Reply::Move(before))) => {
                !is_made(last, own) && is_made(before, own)
            }
            _ => false,
        };
        is_unheard || agent.can_follow(joint, Some(deadline)) == Some(false)
    }

    fn reply(&mut self, answer: Result<Answer, AgentError>) -> Reply {
        match answer {
            Ok(answer) => {
                self.log.line(&format!("{} (by {})", answer.text, answer.origin.name()));
                if let Some(report) = &answer.report {
                    let lines = report.to_string();
                    lines.lines().for_each(|line| self.log.write(Level::DEBUG, line));
                    self.slot.iter().for_each(|slot| slot.count_search(report));
                }
                self.report = answer.report;
                Reply::Move(answer.text)
            }
            Err(error) => {
                self.log.write(Level::WARN, &error.to_string());
                Reply::Refused(error.to_string())
            }
        }
    }

    pub(super) fn end(&mut self, how: MatchEnd) -> Reply {
        // A match that has ended before it began does not begin.
        self.begun.get_or_insert(Reply::Aborted);
        // A player that still starts has been told to end, so that this does not take long.
        if let Err(error) = self.settle(Instant::now() + STOP_TIME) {
            self.fail(&error);
        }
        let reply = how.reply();
        let joint = match how {
            MatchEnd::Stop(previous) => self.told(previous).filter(|joint| self.fits(joint)),
            MatchEnd::Abort(why) => {
                self.log.line(why);
                None
            }
        };
        if let Some(joint) = &joint {
            self.note_moved(joint);
        }
        let Some(mut agent) = self.agent.take() else {
            // It was never played, but its beginning was recorded.
            self.record_writer.finish(RecordEvent::Aborted);
            return reply;
        };
        // The last position of an aborted match is not needed.
        let time = if reply == Reply::Done { STOP_TIME } else { Duration::ZERO };
        let last = agent.stop(joint.as_deref(), Some(Instant::now() + time));
        let last = last.filter(|_| reply == Reply::Done);
        write_down(&mut agent, &mut self.moved, &self.record_writer);
        let end = match last.filter(|last| last.is_over) {
            Some(last) => {
                self.slot.iter().for_each(|slot| slot.complete());
                RecordEvent::Completed(last.goals)
            }
            None => RecordEvent::Aborted,
        };
        self.log.line(&format!("{reply}: {}", end.described()));
        self.record_writer.finish(end);
        reply
    }
}

/// Passes on what has become known of a match since its joint moves arrived.
fn write_down(agent: &mut Agent, told: &mut VecDeque<PlayedMove>, record_writer: &RecordWriter) {
    for position in agent.fresh_positions() {
        // No move leads to the first position.
        let moved = if position.is_first { None } else { told.pop_front() };
        if position.refused.is_none() {
            let time = moved.as_ref().map_or_else(now, |moved| moved.time);
            let (sentences, moved) = (position.sentences, moved.map(Box::new));
            record_writer.note(RecordEvent::State { sentences, time, moved });
        }
    }
}

/// What is known of a match before its sheet is read.
fn head(start: &StartMessage) -> Head {
    Head {
        match_id: start.id.clone(),
        sheet: start.sheet.clone(),
        start_clock: start.start_clock,
        play_clock: start.play_clock,
        ..Head::default()
    }
}

/// Whether two joint moves are one, in whatever letter case.
fn same(a: &[String], b: &[String]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_lowercase() == b.to_lowercase())
}

/// Whether our answer is our part of a joint move.
fn is_made(ours: &str, own: Option<&String>) -> bool {
    own.is_some_and(|own| own.eq_ignore_ascii_case(ours))
}
