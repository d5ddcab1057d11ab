//! One match of a session: its messages one after the other.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use super::message::Start;
use super::reply::Reply;
use super::scribe::{Event, Moved, Scribe};
use super::session::SessionOptions;
use crate::agent::{Agent, AgentOptions, Ender, Log};
use crate::record::{Head, game_name};
use crate::search::Report;

/// How long the end of a match may take: one state of the reference reasoner.
const STOP_TIME: Duration = Duration::from_secs(2);

/// A match.
pub(super) struct Contest {
    pub(super) start: Start,
    ender: Ender,
    heard: Mutex<Instant>,
    /// How often a move was answered; who waits sees by it that someone else was answered.
    answers: AtomicU64,
    /// Locked while a message is worked on.
    play: Mutex<Play>,
}

/// What is known of a match.
#[derive(Default)]
struct Play {
    /// What its START was answered with.
    begun: Option<Reply>,
    /// None before and after the match.
    agent: Option<Agent>,
    scribe: Scribe,
    log: Log,
    /// What was asked last, and answered.
    last: Option<(Option<Vec<String>>, Reply)>,
    /// The search behind the last answer.
    report: Option<Report>,
    /// Joint moves whose positions are not known yet.
    moved: VecDeque<Moved>,
}

/// How a match ends.
pub(super) enum End {
    /// By its last joint move.
    Stop(Option<Vec<String>>),
    /// Before its end, for a reason.
    Abort(&'static str),
}

impl Contest {
    pub(super) fn new(start: Start, arrived: Instant) -> Self {
        Contest {
            start,
            ender: Ender::default(),
            heard: Mutex::new(arrived),
            answers: AtomicU64::default(),
            play: Mutex::default(),
        }
    }

    /// Whether a START that came again is the one that began this match, which still stands at its
    /// beginning.
    pub(super) fn is_begun_by(&self, start: &Start) -> bool {
        self.start == *start && self.answers.load(SeqCst) == 0
    }

    /// Begins the match; the same answer again if it has begun.
    pub(super) fn begin(&self, options: &SessionOptions, seed: u64, arrived: Instant) -> Reply {
        let mut play = self.lock(arrived);
        if let Some(begun) = &play.begun {
            return begun.clone();
        }
        let reply = play.begin(&self.start, &self.ender, options, seed, arrived);
        play.begun = Some(reply.clone());
        reply
    }

    /// Answers with a move.
    pub(super) fn play(&self, previous: Option<Vec<String>>, arrived: Instant) -> Reply {
        let answers = self.answers.load(SeqCst);
        let mut play = self.lock(arrived);
        let has_waited = self.answers.load(SeqCst) != answers;
        let deadline = arrived + self.start.play_clock;
        if let Some(reply) = play.repeated(previous.as_ref(), has_waited, deadline) {
            return reply;
        }
        let reply = play.answer(previous, deadline);
        self.answers.fetch_add(1, SeqCst);
        reply
    }

    /// Ends the match, also while it thinks. All is written down when this is back.
    pub(super) fn end(&self, how: End, arrived: Instant) -> Reply {
        self.ender.end();
        self.lock(arrived).end(how)
    }

    /// Whether nobody has asked for so long that nobody will.
    pub(super) fn is_forgotten(&self, now: Instant, patience: Duration) -> bool {
        let heard = *self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let clocks = self.start.start_clock + self.start.play_clock;
        let is_at_work = matches!(self.play.try_lock(), Err(TryLockError::WouldBlock));
        !is_at_work && now.saturating_duration_since(heard) > clocks + patience
    }

    fn lock(&self, arrived: Instant) -> MutexGuard<'_, Play> {
        // A match that broke down is answered for as well as it can be.
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        *heard = (*heard).max(arrived);
        drop(heard);
        self.play.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Play {
    fn begin(
        &mut self,
        start: &Start,
        ender: &Ender,
        options: &SessionOptions,
        seed: u64,
        arrived: Instant,
    ) -> Reply {
        self.scribe = Scribe::start(options.records.as_deref(), &start.id, &options.log);
        let (id, lines, log) = (start.id.clone(), self.scribe.lines(), options.log.clone());
        self.log = Log::new(move |line| {
            lines(line);
            log.line(&format!("{id}: {line}"));
        });
        let options = AgentOptions { seed, log: self.log.clone(), ..options.agent.clone() };
        let deadline = Some(arrived + start.start_clock);
        let agent = Agent::start_endable(&start.sheet, &start.role, &options, deadline, ender);
        match agent {
            Ok(agent) => {
                self.scribe.note(Event::Begin(head(start, &agent)));
                self.log.line(&format!("begins; we are {}", start.role));
                self.agent = Some(agent);
                self.write_down();
                Reply::Ready
            }
            Err(error) => {
                let text = error.to_string();
                self.log.line(&text);
                self.scribe.finish(Event::Aborted);
                Reply::Refused(text.lines().take(2).collect::<Vec<_>>().join(" "))
            }
        }
    }

    /// The last answer, if this is the last question once more. The same joint move may well be
    /// made twice in a row; then the rules allow it again, and who asks has not waited for the
    /// answer to the same question.
    fn repeated(
        &self,
        previous: Option<&Vec<String>>,
        has_waited: bool,
        deadline: Instant,
    ) -> Option<Reply> {
        let (asked, reply) = self.last.as_ref()?;
        let is_same = match (asked, previous) {
            (Some(asked), Some(previous)) => same(asked, previous),
            (asked, previous) => asked.is_none() && previous.is_none(),
        };
        let may_be_next = || match (&self.agent, previous) {
            (Some(agent), Some(joint)) => agent.can_follow(joint, Some(deadline)) == Some(true),
            _ => false,
        };
        (is_same && (has_waited || !may_be_next())).then(|| reply.clone())
    }

    fn answer(&mut self, previous: Option<Vec<String>>, deadline: Instant) -> Reply {
        let Some(agent) = &mut self.agent else { return Reply::Busy };
        if let Some(joint) = &previous {
            let own = joint.get(agent.role());
            if let Some((_, Reply::Move(ours))) = &self.last
                && own.is_none_or(|own| !own.eq_ignore_ascii_case(ours))
            {
                let made = own.map_or("nothing", String::as_str);
                self.log.line(&format!("we answered {ours}, but {made} was made"));
            }
            let report = (agent.role(), self.report.take());
            self.moved.push_back(Moved { joint: joint.clone(), report });
        }
        let reply = match agent.play(previous.as_deref(), Some(deadline)) {
            Ok(answer) => {
                self.log.line(&format!("{} (by {})", answer.text, answer.origin.name()));
                if let Some(report) = &answer.report {
                    self.log.line(&report.to_string());
                }
                self.report = answer.report;
                Reply::Move(answer.text)
            }
            Err(error) => {
                self.log.line(&error.to_string());
                Reply::Refused(error.to_string())
            }
        };
        self.last = Some((previous, reply.clone()));
        self.write_down();
        reply
    }

    fn end(&mut self, how: End) -> Reply {
        let Some(mut agent) = self.agent.take() else {
            return if matches!(how, End::Stop(_)) { Reply::Done } else { Reply::Aborted };
        };
        let deadline = Some(Instant::now() + STOP_TIME);
        let (reply, last) = match how {
            End::Stop(previous) => {
                if let Some(joint) = previous.clone() {
                    let report = (agent.role(), self.report.take());
                    self.moved.push_back(Moved { joint, report });
                }
                (Reply::Done, agent.stop(previous.as_deref(), deadline))
            }
            End::Abort(why) => {
                self.log.line(why);
                agent.stop(None, deadline);
                (Reply::Aborted, None)
            }
        };
        self.agent = Some(agent);
        self.write_down();
        self.agent = None;
        let end = match last.filter(|last| last.is_over) {
            Some(last) => Event::Completed(last.goals),
            None => Event::Aborted,
        };
        self.scribe.note(Event::Line(format!("{reply}: {}", described(&end))));
        self.scribe.finish(end);
        reply
    }

    /// Hands on what has become known of the match.
    fn write_down(&mut self) {
        let Some(agent) = &mut self.agent else { return };
        for position in agent.fresh_positions() {
            // The first position comes by no move.
            let moved = if position.is_first { None } else { self.moved.pop_front() };
            if position.refused.is_none() {
                self.scribe.note(Event::State { sentences: position.sentences, moved });
            }
        }
    }
}

fn head(start: &Start, agent: &Agent) -> Head {
    let own = agent.role();
    // Managers do not tell who plays the other roles, nor what the game is called.
    let player = |role: usize| if role == own { "ludens" } else { "unknown" };
    Head {
        match_id: start.id.clone(),
        game: game_name(&start.sheet),
        sheet: start.sheet.clone(),
        roles: agent.roles().to_vec(),
        players: (0..agent.roles().len()).map(|role| player(role).to_string()).collect(),
        start_clock: start.start_clock,
        play_clock: start.play_clock,
    }
}

fn described(end: &Event) -> String {
    match end {
        Event::Completed(goals) => {
            let goal = |goal: &Option<i32>| goal.map_or("?".to_string(), |goal| goal.to_string());
            format!("the goals are {}", goals.iter().map(goal).collect::<Vec<_>>().join(" "))
        }
        _ => "the game was not over".to_string(),
    }
}

/// Whether two joint moves are one, in whatever letter case.
fn same(a: &[String], b: &[String]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_lowercase() == b.to_lowercase())
}
