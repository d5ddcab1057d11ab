//! A match, from its start to its end.

use std::io;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use propnet::game::{Game, Move, PlayError, Role, State};

use super::error::ManagerError;
use super::event::Event;
use super::judge::Judge;
use super::round::{Answers, Round};
use super::seat::{Ask, Fault, Reply, Said};
use super::setup::MatchSetup;
use super::table::Table;
use crate::record::{Head, MatchRecord, Recorder, now};
use crate::search::Report;
use crate::text::{plain, shortened};

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// As the rules say. The goals, by role, as far as the rules give one.
    Completed(Vec<Result<i32, PlayError>>),
    /// After as many joint moves as it may have.
    Limit,
    /// The rules say nothing about how to go on.
    Stuck(PlayError),
    /// Somebody from outside ended it.
    Interrupted,
    /// The player of this role left.
    Left(Role),
}

/// What came of a match.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Everything about it.
    pub record: MatchRecord,
    /// How it ended.
    pub end: End,
}

/// Told what happens; an error ends the match.
pub type Watch<'w> = &'w mut dyn FnMut(Event<'_>) -> io::Result<()>;

/// Plays a match from a state of a game. It is written down as it goes, if there is somebody to write.
pub fn play_match(
    game: &mut dyn Game,
    state: State,
    setup: &MatchSetup,
    recorder: Option<Recorder>,
    watch: Watch<'_>,
) -> Result<Outcome, ManagerError> {
    if setup.players.len() != game.roles().len() {
        let (players, roles) = (setup.players.len(), game.roles().to_vec());
        return Err(ManagerError::PlayerCount { players, roles });
    }
    let (replies, received) = channel();
    let (notes, noted) = channel();
    let table = Table::new(setup, &replies, &notes).map_err(ManagerError::Seat)?;
    let judge = Judge::new(game, state, setup.seed);
    let record = MatchRecord::new(head(setup), now());
    let mut referee =
        Referee { setup, judge, table, received, noted, notes, record, recorder, watch };
    let end = referee.play().inspect_err(|_| referee.give_up())?;
    Ok(Outcome { record: referee.record, end })
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
    table: Table,
    received: Receiver<Reply>,
    /// Lines for the log, from any thread.
    noted: Receiver<String>,
    notes: Sender<String>,
    record: MatchRecord,
    recorder: Option<Recorder>,
    watch: Watch<'m>,
}

/// A move, what was wrong with the answer, and the search behind it.
struct Chosen {
    what: Move,
    error: Mistake,
    report: Option<Report>,
}

/// What was wrong with an answer, as it is recorded and as those who watch are told; empty if
/// nothing was.
#[derive(Default)]
struct Mistake {
    recorded: String,
    told: String,
}

/// So many letters of an answer that is no move are recorded.
const SHOWN_ANSWER: usize = 100;

/// So many letters are told of why there is no answer.
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
    fn play(&mut self) -> Result<End, ManagerError> {
        self.note(&format!("match {} of {}", self.setup.match_id, self.setup.game));
        self.save()?;
        let end = match self.begin()? {
            Some(end) => end,
            None => self.moves()?,
        };
        self.note(&match &end {
            End::Completed(_) => format!("over after {} joint moves", self.record.moves.len()),
            End::Limit => "given up: it takes too many joint moves".to_string(),
            End::Stuck(error) => format!("given up: {error}"),
            End::Interrupted => "aborted from outside".to_string(),
            End::Left(role) => format!("aborted: {} left", self.setup.roles[*role]),
        });
        match &end {
            End::Completed(goals) => {
                self.record
                    .complete(goals.iter().map(|goal| goal.as_ref().ok().copied()).collect());
            }
            _ => self.record.abort(),
        }
        self.save()?;
        self.table.dismiss(self.record.is_completed, self.record.moves.last(), &self.notes);
        self.save()?;
        Ok(end)
    }

    /// Ends a match that cannot be shown or recorded, as well as it can be done.
    fn give_up(&mut self) {
        // What was played to its end stays so, even where it cannot be written down.
        if !self.record.is_completed {
            self.record.abort();
        }
        // The first error is the one that is reported.
        let _ = self.save();
        self.table.dismiss(false, None, &self.notes);
    }

    /// Gives the players their start clock. One that does not say that it is ready may play all
    /// the same, but that is an error.
    fn begin(&mut self) -> Result<Option<End>, ManagerError> {
        let answers = match self.ask(0, self.setup.clocks.start) {
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
            None if self.table.is_asked(role) => Mistake::late(),
            None => Mistake::default(),
        });
        let (errors, told): (Vec<String>, Vec<String>) =
            mistakes.map(|mistake| (mistake.recorded, mistake.told)).unzip();
        let sentences = self.judge.sentences()?;
        self.record.push_state(&sentences, now(), errors);
        self.save()?;
        (self.watch)(Event::Start { errors: &told }).map_err(ManagerError::Watch)?;
        Ok(None)
    }

    /// Plays until the end.
    fn moves(&mut self) -> Result<End, ManagerError> {
        for step in 0.. {
            let sentences = self.judge.sentences()?;
            (self.watch)(Event::State { step, sentences: &sentences })
                .map_err(ManagerError::Watch)?;
            if self.setup.interrupt.load(Ordering::Relaxed) {
                return Ok(End::Interrupted);
            }
            match self.judge.goes_on() {
                Ok(true) if step >= self.setup.max_steps => return Ok(End::Limit),
                Ok(true) => {}
                Ok(false) => return Ok(End::Completed(self.judge.goals())),
                Err(error) => return Ok(End::Stuck(error)),
            }
            let answers = match self.ask(step + 1, self.setup.clocks.play) {
                Ok(answers) => answers,
                Err(end) => return Ok(end),
            };
            if let Err(error) = self.make(step + 1, answers)? {
                return Ok(End::Stuck(error));
            }
        }
        Ok(End::Limit)
    }

    /// Makes the joint move that the answers are, or that is made for those who have none.
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
        let event = Event::Moves { step, moves: &moves, errors: &told, reports: &reports };
        (self.watch)(event).map_err(ManagerError::Watch)?;
        Ok(Ok(()))
    }

    /// The move of a role; none if it has none.
    fn choose(&mut self, role: Role, answer: Option<Result<Said, Fault>>) -> Option<Chosen> {
        let own = self.table.own_choice(role, &mut self.judge);
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

    /// The mistake that a fault is; the log has the details.
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

    /// Asks everybody who is to be asked and waits, as long as the clock allows. All machines think
    /// at the same time; people are asked one after the other.
    fn ask(&mut self, turn: u64, clock: Duration) -> Result<Answers, End> {
        let previous = self.record.moves.last();
        // A time too long to be told is no bound.
        let end = Instant::now().checked_add(clock);
        let deadline = |role: Role| end.filter(|_| self.table.has_clock(role));
        let roles = 0..self.setup.roles.len();
        let mut round = Round {
            turn,
            deadlines: roles.clone().map(deadline).collect(),
            received: &self.received,
            interrupt: &self.setup.interrupt,
            answers: roles.map(|_| None).collect(),
        };
        let ask = |role: Role, legal: Vec<String>| {
            let ask = Ask { turn, previous: previous.cloned(), legal, deadline: deadline(role) };
            self.table.ask(role, ask);
        };
        let machines = self.table.machines();
        for &role in &machines {
            ask(role, Vec::new());
        }
        for role in self.table.people() {
            let legal = if turn == 0 { Vec::new() } else { self.judge.moves(role) };
            ask(role, legal.into_iter().map(|(text, _)| text).collect());
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

    /// Writes everything down.
    fn save(&mut self) -> Result<(), ManagerError> {
        let notes: Vec<String> = self.noted.try_iter().collect();
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        for note in notes {
            recorder.log(&note).map_err(ManagerError::Record)?;
        }
        recorder.save(&self.record).map_err(ManagerError::Record)
    }
}
