//! A match, from its start to its end.

use std::io;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use propnet::game::{Game, Move, PlayError, Role, State};

use super::error::ManagerError;
use super::event::MatchEvent;
use super::judge::Judge;
use super::player_thread::{Fault, PlayerAnswer, PlayerReply, PlayerRequest};
use super::players::Players;
use super::round::{Answers, Round};
use super::setup::MatchSetup;
use crate::record::{Head, MatchRecord, Recorder, now};
use crate::search::Report;
use crate::text::{plain, shortened};

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// The game is over. The goals, by role, as far as the rules give one.
    Completed(Vec<Result<i32, PlayError>>),
    /// The match reached its limit of joint moves.
    Limit,
    /// The rules do not say how to go on.
    Stuck(PlayError),
    /// The caller interrupted it.
    Interrupted,
    /// The player of this role left.
    Left(Role),
}

/// The result of a match.
#[derive(Clone, Debug)]
pub struct MatchOutcome {
    /// Its record.
    pub record: MatchRecord,
    /// How it ended.
    pub end: EndReason,
}

/// Is called for each event; an error ends the match.
pub type Observer<'w> = &'w mut dyn FnMut(MatchEvent<'_>) -> io::Result<()>;

/// Plays a match from a state of a game, and records it if there is a recorder.
pub fn play_match(
    game: &mut dyn Game,
    state: State,
    setup: &MatchSetup,
    recorder: Option<Recorder>,
    observer: Observer<'_>,
) -> Result<MatchOutcome, ManagerError> {
    if setup.players.len() != game.roles().len() {
        let (players, roles) = (setup.players.len(), game.roles().to_vec());
        return Err(ManagerError::PlayerCount { players, roles });
    }
    let (replies, received) = channel();
    let (notes, noted) = channel();
    let players = Players::new(setup, &replies, &notes).map_err(ManagerError::PlayerThread)?;
    let judge = Judge::new(game, state, setup.seed);
    let record = MatchRecord::new(head(setup), now());
    let mut referee =
        Referee { setup, judge, players, received, noted, notes, record, recorder, observer };
    let end = referee.play().inspect_err(|_| referee.give_up())?;
    Ok(MatchOutcome { record: referee.record, end })
}

fn head(setup: &MatchSetup) -> Head {
    Head {
        match_id: setup.match_id.clone(),
        game: setup.game.clone(),
        sheet: setup.sheet.clone(),
        roles: setup.roles.clone(),
        players: setup.players.iter().map(|player| player.name.clone()).collect(),
        start_clock: setup.clocks.start,
        play_clock: setup.clocks.play,
    }
}

struct Referee<'m> {
    setup: &'m MatchSetup,
    judge: Judge<'m>,
    players: Players,
    received: Receiver<PlayerReply>,
    /// Lines for the log, from any thread.
    noted: Receiver<String>,
    notes: Sender<String>,
    record: MatchRecord,
    recorder: Option<Recorder>,
    observer: Observer<'m>,
}

/// A move, what was wrong with the answer, and the report of the search.
struct Chosen {
    what: Move,
    error: Mistake,
    report: Option<Report>,
}

/// What was wrong with an answer, for the record and for the observer; empty if nothing was.
#[derive(Default)]
struct Mistake {
    recorded: String,
    told: String,
}

/// How many letters of an answer that is not a move are recorded.
const SHOWN_ANSWER: usize = 100;

/// How many letters of a reason are shown.
const SHOWN_REASON: usize = 300;

impl Mistake {
    fn illegal(answer: &str) -> Self {
        let error = format!("IL {}", shortened(&plain(answer), SHOWN_ANSWER));
        Mistake { recorded: error.clone(), told: error }
    }

    fn late() -> Self {
        Mistake { recorded: "TO".to_string(), told: "TO".to_string() }
    }

    fn broken(reason: &str) -> Self {
        let told = format!("CE {}", shortened(&plain(reason), SHOWN_REASON));
        Mistake { recorded: "CE".to_string(), told }
    }
}

impl Referee<'_> {
    fn play(&mut self) -> Result<EndReason, ManagerError> {
        self.note(&format!("match {} of {}", self.setup.match_id, self.setup.game));
        self.save()?;
        let end = match self.begin()? {
            Some(end) => end,
            None => self.moves()?,
        };
        self.note(&match &end {
            EndReason::Completed(_) => {
                format!("over after {} joint moves", self.record.moves.len())
            }
            EndReason::Limit => "given up: it takes too many joint moves".to_string(),
            EndReason::Stuck(error) => format!("given up: {error}"),
            EndReason::Interrupted => "aborted from outside".to_string(),
            EndReason::Left(role) => format!("aborted: {} left", self.setup.roles[*role]),
        });
        match &end {
            EndReason::Completed(goals) => {
                self.record
                    .complete(goals.iter().map(|goal| goal.as_ref().ok().copied()).collect());
            }
            _ => self.record.abort(),
        }
        self.save()?;
        self.players.dismiss(self.record.is_completed, self.record.moves.last(), &self.notes);
        self.save()?;
        Ok(end)
    }

    /// Ends a match that cannot be shown or recorded, as far as possible.
    fn give_up(&mut self) {
        // A match that was played to its end stays completed, even if it cannot be recorded.
        if !self.record.is_completed {
            self.record.abort();
        }
        // The first error is the one that is reported.
        let _ = self.save();
        self.players.dismiss(false, None, &self.notes);
    }

    /// Gives the players their start clock. A player that does not say that it is ready may still
    /// play, but that counts as an error.
    fn begin(&mut self) -> Result<Option<EndReason>, ManagerError> {
        let answers = match self.request(0, self.setup.clocks.start) {
            Ok(answers) => answers,
            Err(end) => return Ok(Some(end)),
        };
        let mistakes = (0..self.setup.roles.len()).map(|role| match &answers[role] {
            Some(Ok(said)) if said.text.trim().eq_ignore_ascii_case("ready") => Mistake::default(),
            Some(Ok(said)) => {
                let text = shortened(&plain(&said.text), SHOWN_ANSWER);
                self.note(&format!("{} answers the start with {text}", self.setup.roles[role]));
                Mistake::illegal(&said.text)
            }
            Some(Err(fault)) => self.mistake(role, fault),
            None if self.players.is_asked(role) => Mistake::late(),
            None => Mistake::default(),
        });
        let (errors, told): (Vec<String>, Vec<String>) =
            mistakes.map(|mistake| (mistake.recorded, mistake.told)).unzip();
        let sentences = self.judge.sentences()?;
        self.record.push_state(&sentences, now(), errors);
        self.save()?;
        (self.observer)(MatchEvent::Start { errors: &told }).map_err(ManagerError::Observer)?;
        Ok(None)
    }

    /// Plays until the end.
    fn moves(&mut self) -> Result<EndReason, ManagerError> {
        for step in 0.. {
            let sentences = self.judge.sentences()?;
            (self.observer)(MatchEvent::State { step, sentences: &sentences })
                .map_err(ManagerError::Observer)?;
            if self.setup.interrupt.load(Ordering::Relaxed) {
                return Ok(EndReason::Interrupted);
            }
            match self.judge.goes_on() {
                Ok(true) if step >= self.setup.max_steps => return Ok(EndReason::Limit),
                Ok(true) => {}
                Ok(false) => return Ok(EndReason::Completed(self.judge.goals())),
                Err(error) => return Ok(EndReason::Stuck(error)),
            }
            let answers = match self.request(step + 1, self.setup.clocks.play) {
                Ok(answers) => answers,
                Err(end) => return Ok(end),
            };
            if let Err(error) = self.make(step + 1, answers)? {
                return Ok(EndReason::Stuck(error));
            }
        }
        Ok(EndReason::Limit)
    }

    /// Makes the joint move of the answers. Players without a legal answer get a random move.
    fn make(&mut self, step: u64, answers: Answers) -> Result<Result<(), PlayError>, ManagerError> {
        let mut chosen = Vec::new();
        for (role, answer) in answers.into_iter().enumerate() {
            match self.choose(role, answer) {
                Some(one) => chosen.push(one),
                None => {
                    let role = self.setup.roles[role].clone();
                    return Ok(Err(PlayError::NoLegalMove { role }));
                }
            }
        }
        let joint: Vec<Move> = chosen.iter().map(|chosen| chosen.what).collect();
        let spelling = |(role, &one): (Role, &Move)| self.judge.spelling(role, one);
        let moves: Vec<String> = joint.iter().enumerate().map(spelling).collect();
        let parts = |Chosen { error, report, .. }| (error.recorded, error.told, report);
        let (errors, told, reports): (Vec<_>, Vec<_>, Vec<_>) =
            chosen.into_iter().map(parts).collect();
        self.note(&format!("{step}. ({})", moves.join(" ")));
        if let Err(error) = self.judge.advance(&joint) {
            return Ok(Err(error));
        }
        self.record.push_moves(moves.clone(), &reports);
        let sentences = self.judge.sentences()?;
        self.record.push_state(&sentences, now(), errors);
        self.save()?;
        let event = MatchEvent::Moves { step, moves: &moves, errors: &told, reports: &reports };
        (self.observer)(event).map_err(ManagerError::Observer)?;
        Ok(Ok(()))
    }

    /// The move of a role; none if it has none.
    fn choose(
        &mut self,
        role: Role,
        answer: Option<Result<PlayerAnswer, Fault>>,
    ) -> Option<Chosen> {
        let own = self.players.own_choice(role, &mut self.judge);
        if let Some(what) = own {
            return Some(Chosen { what, error: Mistake::default(), report: None });
        }
        let (error, report) = match answer.unwrap_or(Err(Fault::Late)) {
            Ok(said) => match self.judge.legal(role, &said.text) {
                Some(what) => {
                    return Some(Chosen { what, error: Mistake::default(), report: said.report });
                }
                None => (Mistake::illegal(&said.text), said.report),
            },
            Err(fault) => (self.mistake(role, &fault), None),
        };
        let what = self.judge.random(role)?;
        let (name, made) = (&self.setup.roles[role], self.judge.spelling(role, what));
        self.note(&format!("{name}: {}; {made} is played at random instead", error.recorded));
        Some(Chosen { what, error, report })
    }

    /// The mistake that corresponds to a fault; the log has the details.
    fn mistake(&self, role: Role, fault: &Fault) -> Mistake {
        match fault {
            Fault::Late => Mistake::late(),
            Fault::Broken(reason) => {
                self.note(&format!("{}: {reason}", self.setup.roles[role]));
                Mistake::broken(reason)
            }
            Fault::Quit => Mistake::default(),
        }
    }

    /// Asks all players and waits as long as the clock allows. Programs search at the same time;
    /// people are asked one after the other.
    fn request(&mut self, turn: u64, clock: Duration) -> Result<Answers, EndReason> {
        let previous = self.record.moves.last();
        // A time that does not fit the clock sets no bound.
        let end = Instant::now().checked_add(clock);
        let deadline = |role: Role| end.filter(|_| self.players.has_clock(role));
        let roles = 0..self.setup.roles.len();
        let mut round = Round {
            turn,
            deadlines: roles.clone().map(deadline).collect(),
            received: &self.received,
            interrupt: &self.setup.interrupt,
            answers: roles.map(|_| None).collect(),
        };
        let request = |role: Role, legal: Vec<String>| {
            let request = PlayerRequest {
                turn,
                previous: previous.cloned(),
                legal,
                deadline: deadline(role),
            };
            self.players.request(role, request);
        };
        let machines = self.players.machines();
        for &role in &machines {
            request(role, Vec::new());
        }
        for role in self.players.people() {
            let legal = if turn == 0 { Vec::new() } else { self.judge.moves(role) };
            request(role, legal.into_iter().map(|(text, _)| text).collect());
            round.wait(&[role])?;
        }
        round.wait(&machines)?;
        Ok(round.answers)
    }

    /// Adds a line to the log, soon.
    fn note(&self, line: &str) {
        // Its other end is here, so the channel cannot be closed.
        let _ = self.notes.send(line.to_string());
    }

    /// Saves the record.
    fn save(&mut self) -> Result<(), ManagerError> {
        let notes: Vec<String> = self.noted.try_iter().collect();
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        for note in notes {
            recorder.log(&note).map_err(ManagerError::Record)?;
        }
        recorder.save(&self.record).map_err(ManagerError::Record)
    }
}
