//! The front door: start, play, stop.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use propnet::game::Role;
use propnet::gdl::Rules;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::clerk::Position;
use super::error::AgentError;
use super::options::AgentOptions;
use super::referee::{Referee, receive};
use super::signals::{Ender, LOOK_EVERY};
use super::thinker::Handle;
use super::turn::{JointText, Origin, Thought, Times, Turn};
use super::workplace::Workplace;
use crate::search::{Budget, Report};

/// The time for a move where nobody says how much there is.
const USUAL_TIME: Duration = Duration::from_secs(1);

/// One player of one role in one match. Its threads end soon after it is dropped.
pub struct Agent {
    options: AgentOptions,
    roles: Vec<String>,
    role: Role,
    referee: Referee,
    /// The search on the circuit, if there shall be one, and before it the one on the reference
    /// reasoner, as long as it is needed.
    thinkers: Vec<Handle>,
    ender: Ender,
    rng: Pcg64,
}

/// A question that is being thought about.
pub struct Question {
    thoughts: Receiver<Thought>,
    times: Times,
}

/// A move, and how it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The move, each constant spelled as the sheet does.
    pub text: String,
    /// Where it came from.
    pub origin: Origin,
    /// The search that found it; none for a fallback.
    pub report: Option<Report>,
}

impl Agent {
    /// Reads a sheet, and thinks about the first move until shortly before the deadline. The
    /// sheet is read to its end, however long that takes.
    ///
    /// With a budget for each move it is back as soon as its circuit is ready. A deadline holds all
    /// the same, if there is one.
    pub fn start(
        sheet: &str,
        role: &str,
        options: &AgentOptions,
        deadline: Option<Instant>,
    ) -> Result<Self, AgentError> {
        Self::start_endable(sheet, role, options, deadline, &Ender::default())
    }

    /// The same with someone who can end it at any time, also while it starts.
    pub fn start_endable(
        sheet: &str,
        role: &str,
        options: &AgentOptions,
        deadline: Option<Instant>,
        ender: &Ender,
    ) -> Result<Self, AgentError> {
        let times = Times::before(deadline, options.settings.margin, Instant::now());
        let (referee, reading) = Referee::start(sheet, role, ender, options.log.clone())?;
        let mut agent = Agent {
            options: options.clone(),
            roles: reading.roles.iter().map(|role| reading.rules.symbols.spell(role)).collect(),
            role: reading.role,
            referee,
            thinkers: Vec::new(),
            ender: ender.clone(),
            rng: Pcg64::seed_from_u64(options.seed),
        };
        agent.start_thinkers(&reading.rules)?;
        for thinker in &agent.thinkers {
            ender.follow(thinker.signals.clone());
        }
        let budget = match options.budget {
            // Only until there is someone to think.
            Some(_) => Budget::simulations(0),
            None => Budget::default(),
        };
        // The time of a start is for the circuit, also where only one move is legal.
        let thoughts = agent.ask(None, budget, times, false);
        agent.collect(&thoughts, times.answer);
        Ok(agent)
    }

    /// The move to make now.
    ///
    /// `previous` is the joint move since the last question, a text for each role; none if there
    /// was none. One that the rules do not allow is noted, and the position stays as it was.
    /// Without a deadline the budget of the options decides, or a second where there is none.
    pub fn play(
        &mut self,
        previous: Option<&[String]>,
        deadline: Option<Instant>,
    ) -> Result<Answer, AgentError> {
        let question = self.consider(previous, deadline);
        self.conclude(&question)
    }

    /// Begins to think about the move to make now: the first part of [`Agent::play`], for those who
    /// have something to do meanwhile.
    pub fn consider(&mut self, previous: Option<&[String]>, deadline: Option<Instant>) -> Question {
        let now = Instant::now();
        let without_end = deadline.is_none() && self.options.budget.is_none();
        let deadline = if without_end { Some(now + USUAL_TIME) } else { deadline };
        let times = Times::before(deadline, self.margin(), now);
        let budget = self.options.budget.clone().unwrap_or_default();
        let hurries = !budget.counts();
        Question { thoughts: self.ask(previous.map(Arc::from), budget, times, hurries), times }
    }

    /// The move, when it is found or time is up.
    pub fn conclude(&mut self, question: &Question) -> Result<Answer, AgentError> {
        match self.collect(&question.thoughts, question.times.answer) {
            Some(Thought { text: Some(text), origin, report }) => {
                Ok(Answer { text, origin, report })
            }
            _ => self.fallback(question.times),
        }
    }

    /// Makes a joint move that nobody asks about.
    pub fn follow(&mut self, joint: &[String]) {
        drop(self.ask(Some(joint.into()), Budget::simulations(0), Times::NONE, false));
    }

    /// Ends the match with its last joint move, and gives its last position; none if it is not
    /// known in time.
    pub fn stop(
        &mut self,
        previous: Option<&[String]>,
        deadline: Option<Instant>,
    ) -> Option<Position> {
        self.thinkers.clear();
        if let Some(previous) = previous {
            self.referee.tell(previous.into());
        }
        self.referee.position(deadline).cloned()
    }

    /// The position after the joint moves so far; none if it is not known in time.
    pub fn position(&mut self, deadline: Option<Instant>) -> Option<&Position> {
        self.referee.position(deadline)
    }

    /// The positions that have become known since this was asked last, one for the start and one
    /// for each joint move: for those who write matches down.
    pub fn fresh_positions(&mut self) -> Vec<Position> {
        self.referee.fresh()
    }

    /// Whether the rules allow a joint move now; none if that is not known in half of the time:
    /// the rest is for a move.
    pub fn can_follow(&mut self, joint: &[String], deadline: Option<Instant>) -> Option<bool> {
        let now = Instant::now();
        let think = Times::before(deadline, self.margin(), now).think;
        let half = think.map(|think| now + think.saturating_duration_since(now) / 2);
        self.referee.can_follow(joint.into(), half)
    }

    /// The roles of the game, in the spelling of the sheet.
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    /// The role that is played.
    pub fn role(&self) -> Role {
        self.role
    }

    /// Whether the search on the circuit has begun.
    fn is_ready(&self) -> bool {
        self.referee.readiness().get().is_some()
    }

    fn margin(&self) -> Duration {
        self.options.settings.margin
    }

    /// With a budget one thinker waits for the circuit; otherwise another one thinks meanwhile.
    fn start_thinkers(&mut self, rules: &Arc<Rules>) -> Result<(), AgentError> {
        let broken = |error: std::io::Error| AgentError::Broken(error.to_string());
        let precedence = self.referee.precedence();
        let needs_circuit = self.options.settings.search.scheme.needs_search();
        let plain_signals = match self.options.budget {
            Some(_) if needs_circuit => None,
            _ => {
                let plain = self.workplace(rules);
                let thinker =
                    Handle::start("reference search", precedence, move |turns, signals| {
                        plain.think_plainly(turns, signals);
                    });
                let thinker = thinker.map_err(broken)?;
                let signals = thinker.signals.clone();
                self.thinkers.push(thinker);
                Some(signals)
            }
        };
        if needs_circuit {
            let circuit = self.workplace(rules);
            let thinker = Handle::start("circuit search", precedence, move |turns, signals| {
                circuit.think_on_circuit(turns, signals, plain_signals);
            });
            self.thinkers.push(thinker.map_err(broken)?);
        }
        Ok(())
    }

    fn workplace(&self, rules: &Arc<Rules>) -> Workplace {
        Workplace {
            rules: rules.clone(),
            role: self.role,
            options: self.options.clone(),
            readiness: self.referee.readiness().clone(),
        }
    }

    /// Tells everybody what was moved, and asks what they think.
    fn ask(
        &mut self,
        previous: Option<JointText>,
        budget: Budget,
        times: Times,
        hurries: bool,
    ) -> Receiver<Thought> {
        if let Some(previous) = &previous {
            self.referee.tell(previous.clone());
        }
        if self.is_ready() && self.thinkers.len() > 1 {
            self.thinkers.remove(0);
        }
        let (thoughts, received) = channel();
        let budget = Budget { deadline: times.think, ..budget };
        let turn = Turn { previous, budget, hurries, thoughts };
        // Those who have a budget do not think between turns, and are not to be disturbed in them.
        let wakes = self.options.budget.is_none();
        for thinker in &self.thinkers {
            thinker.ask(turn.clone(), wakes);
        }
        received
    }

    /// The best of what thinkers say, when all have spoken who can.
    fn collect(&self, thoughts: &Receiver<Thought>, deadline: Option<Instant>) -> Option<Thought> {
        let mut best: Option<Thought> = None;
        while let Some(thought) = self.next_thought(thoughts, deadline) {
            let is_last_word = thought.report.is_some();
            let is_circuit = thought.origin == Origin::Circuit;
            if best.as_ref().is_none_or(|best| weight(&thought) >= weight(best)) {
                best = Some(thought);
            }
            if is_last_word && (is_circuit || !self.is_ready()) {
                break;
            }
        }
        // A first word is no search.
        best.map(|best| match best.report {
            Some(_) => best,
            None => Thought { origin: Origin::Fallback, ..best },
        })
    }

    /// What is said next, unless time is up, all have spoken, or someone has ended it all: a search
    /// that is busy with one slow move of a hard game does not see that soon.
    fn next_thought(
        &self,
        thoughts: &Receiver<Thought>,
        deadline: Option<Instant>,
    ) -> Option<Thought> {
        loop {
            let look = Instant::now() + LOOK_EVERY;
            match receive(thoughts, Some(deadline.map_or(look, |deadline| deadline.min(look)))) {
                Ok(thought) => return Some(thought),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.ender.is_ended() || deadline.is_some_and(|end| end <= Instant::now()) {
                return None;
            }
        }
    }

    /// A legal move where searches have none.
    fn fallback(&mut self, times: Times) -> Result<Answer, AgentError> {
        let position = self.referee.position(times.last).ok_or(AgentError::NoMove)?;
        let legal = position.legal.clone();
        // Rules may well allow moves when all is over.
        if position.is_over {
            return Err(AgentError::Over);
        }
        if legal.is_empty() {
            return Err(AgentError::NoMove);
        }
        self.options.log.line("no search has an answer; a legal move is made at random");
        let text = legal[self.rng.random_range(0..legal.len())].clone();
        Ok(Answer { text, origin: Origin::Fallback, report: None })
    }
}

/// Thoughts with more simulations count more; of first words the later one.
fn weight(thought: &Thought) -> u64 {
    thought.report.as_ref().map_or(0, |report| report.simulations + 1)
}
