//! The entry point: start, play, stop.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use propnet::game::Role;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::answers::Answers;
use super::error::AgentError;
use super::match_tracker::{MatchTracker, receive};
use super::options::AgentOptions;
use super::position_tracker::Position;
use super::puzzle_thread::PuzzleThread;
use super::search_thread::SearchThread;
use super::search_worker::WorkerHandle;
use super::sheet::Sheet;
use super::signals::{LOOK_EVERY, StopHandle};
use super::turn::{JointText, Origin, SearchAnswer, Turn, TurnDeadlines};
use crate::pipeline::Stages;
use crate::search::{Budget, Report};

/// The time for a move if the caller gives neither a deadline nor a budget.
const USUAL_TIME: Duration = Duration::from_secs(1);

/// One player of one role in one match. Its threads end soon after it is dropped.
pub struct Agent {
    options: AgentOptions,
    roles: Vec<String>,
    role: Role,
    match_tracker: MatchTracker,
    /// The search on the reference reasoner first, as long as it is needed; then the search on the
    /// circuit, if the strategy needs one.
    workers: Vec<WorkerHandle>,
    /// What solves a game for one role.
    puzzle: Option<WorkerHandle>,
    stop_handle: StopHandle,
    rng: Pcg64,
}

/// A question that the search workers are working on.
pub struct Question {
    answers: Receiver<SearchAnswer>,
    times: TurnDeadlines,
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
    /// Reads a sheet and searches for the first move until shortly before the deadline. It reads
    /// the whole sheet, however long that takes.
    ///
    /// With a budget for each move it returns as soon as its circuit is ready, or at the deadline
    /// if there is one.
    pub fn start(
        sheet: impl Into<Sheet>,
        role: &str,
        options: &AgentOptions,
        deadline: Option<Instant>,
    ) -> Result<Self, AgentError> {
        Self::start_stoppable(sheet, role, options, deadline, &StopHandle::default())
    }

    /// The same with a handle that stops the player at any time, also while it starts.
    pub fn start_stoppable(
        sheet: impl Into<Sheet>,
        role: &str,
        options: &AgentOptions,
        deadline: Option<Instant>,
        stop_handle: &StopHandle,
    ) -> Result<Self, AgentError> {
        let times = TurnDeadlines::before(deadline, options.settings.margin, Instant::now());
        let (match_tracker, reading) =
            MatchTracker::start(sheet.into(), role, stop_handle, options)?;
        let symbols = &reading.stages.rules().symbols;
        let mut agent = Agent {
            options: options.clone(),
            roles: reading.roles.iter().map(|role| symbols.spell(role)).collect(),
            role: reading.role,
            match_tracker,
            workers: Vec::new(),
            puzzle: None,
            stop_handle: stop_handle.clone(),
            rng: Pcg64::seed_from_u64(options.seed),
        };
        agent.start_workers(&reading.stages)?;
        for worker in agent.workers.iter().chain(&agent.puzzle) {
            stop_handle.follow(worker.signals.clone());
        }
        let budget = match options.budget {
            // A budget of zero: the call returns as soon as the search has begun.
            Some(_) => Budget::simulations(0),
            None => Budget::default(),
        };
        // The start clock is for making the circuit, even if only one move is legal.
        let answers = agent.ask(None, budget, times, false);
        drop(agent.collect(&answers, times.answer));
        Ok(agent)
    }

    /// The move to make now.
    ///
    /// `previous` is the joint move since the last question, one text for each role; none if there
    /// was none. If the rules do not allow it, the log says so and the position stays as it was.
    /// Without a deadline the budget of the options decides, or one second if there is none.
    pub fn play(
        &mut self,
        previous: Option<&[String]>,
        deadline: Option<Instant>,
    ) -> Result<Answer, AgentError> {
        let question = self.consider(previous, deadline);
        self.conclude(&question)
    }

    /// Begins to search for the move to make now: the first part of [`Agent::play`], for callers
    /// that have something to do in the meantime.
    pub fn consider(&mut self, previous: Option<&[String]>, deadline: Option<Instant>) -> Question {
        let now = Instant::now();
        let without_end = deadline.is_none() && self.options.budget.is_none();
        let deadline = if without_end { Some(now + USUAL_TIME) } else { deadline };
        let times = TurnDeadlines::before(deadline, self.margin(), now);
        let budget = self.options.budget.clone().unwrap_or_default();
        let hurries = !budget.counts();
        Question { answers: self.ask(previous.map(Arc::from), budget, times, hurries), times }
    }

    /// The move, when it is found or time is up.
    pub fn conclude(&mut self, question: &Question) -> Result<Answer, AgentError> {
        match self.collect(&question.answers, question.times.answer) {
            Some(SearchAnswer { text: Some(text), origin, report, .. }) => {
                Ok(Answer { text, origin, report })
            }
            _ => self.fallback(question.times),
        }
    }

    /// Makes a joint move without asking for an answer.
    pub fn follow(&mut self, joint: &[String]) {
        drop(self.ask(Some(joint.into()), Budget::simulations(0), TurnDeadlines::NONE, false));
    }

    /// Ends the match with its last joint move and returns the last position; none if it is not
    /// known in time.
    pub fn stop(
        &mut self,
        previous: Option<&[String]>,
        deadline: Option<Instant>,
    ) -> Option<Position> {
        self.workers.clear();
        self.puzzle = None;
        if let Some(previous) = previous {
            self.match_tracker.tell(previous.into());
        }
        self.match_tracker.position(deadline).cloned()
    }

    /// The position after the joint moves so far; none if it is not known in time.
    pub fn position(&mut self, deadline: Option<Instant>) -> Option<&Position> {
        self.match_tracker.position(deadline)
    }

    /// The positions that have become known since the last call, one for the start and one for each
    /// joint move. Records are made from them.
    pub fn fresh_positions(&mut self) -> Vec<Position> {
        self.match_tracker.fresh()
    }

    /// Whether the rules allow a joint move now; none if that is not known within half of the time.
    /// The other half is for the search.
    pub fn can_follow(&mut self, joint: &[String], deadline: Option<Instant>) -> Option<bool> {
        let now = Instant::now();
        let think = TurnDeadlines::before(deadline, self.margin(), now).think;
        let half = think.map(|think| now + think.saturating_duration_since(now) / 2);
        self.match_tracker.can_follow(joint.into(), half)
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
        self.match_tracker.program_cell().get().is_some()
    }

    fn margin(&self) -> Duration {
        self.options.settings.margin
    }

    /// With a budget, one worker waits for the circuit. Otherwise a second one searches on the
    /// reference reasoner in the meantime.
    fn start_workers(&mut self, stages: &Arc<Stages>) -> Result<(), AgentError> {
        let broken = |error: std::io::Error| AgentError::Broken(error.to_string());
        if self.options.budget.is_none()
            && self.options.settings.search.uses_portfolio(self.roles.len())
        {
            let memory = self.options.settings.search.halve_memory();
            let options = self.options.clone();
            let puzzle = PuzzleThread { stages: stages.clone(), options, memory };
            let precedence = self.match_tracker.precedence();
            let worker = WorkerHandle::start("puzzle turns", precedence, move |turns, signals| {
                puzzle.run(turns, signals);
            });
            self.puzzle = Some(worker.map_err(broken)?);
        }
        let precedence = self.match_tracker.precedence();
        let needs_circuit = self.options.settings.search.scheme.needs_search();
        let plain_signals = match self.options.budget {
            Some(_) if needs_circuit => None,
            _ => {
                let plain = self.search_thread(stages);
                let worker =
                    WorkerHandle::start("reference search", precedence, move |turns, signals| {
                        plain.search_reference(turns, signals);
                    });
                let worker = worker.map_err(broken)?;
                let signals = worker.signals.clone();
                self.workers.push(worker);
                Some(signals)
            }
        };
        if needs_circuit {
            let circuit = self.search_thread(stages);
            let worker =
                WorkerHandle::start("circuit search", precedence, move |turns, signals| {
                    circuit.search_circuit(turns, signals, plain_signals);
                });
            self.workers.push(worker.map_err(broken)?);
        }
        Ok(())
    }

    fn search_thread(&self, stages: &Arc<Stages>) -> SearchThread {
        SearchThread {
            stages: stages.clone(),
            roles: self.roles.len(),
            role: self.role,
            options: self.options.clone(),
            program_cell: self.match_tracker.program_cell().clone(),
        }
    }

    /// Sends the joint move to the match tracker and to all workers, and asks the workers for a
    /// move.
    fn ask(
        &mut self,
        previous: Option<JointText>,
        budget: Budget,
        times: TurnDeadlines,
        hurries: bool,
    ) -> Receiver<SearchAnswer> {
        if let Some(previous) = &previous {
            self.match_tracker.tell(previous.clone());
        }
        if self.is_ready() && self.workers.len() > 1 {
            self.workers.remove(0);
        }
        let (answers, received) = channel();
        let budget = Budget { deadline: times.think, ..budget };
        let turn = Turn { previous, budget, hurries, answers };
        // With a budget, workers do not ponder between turns, and a wake-up would end their search.
        let wakes = self.options.budget.is_none();
        for worker in self.workers.iter().chain(&self.puzzle) {
            worker.ask(turn.clone(), wakes);
        }
        received
    }

    /// The best of the workers' answers, after all workers that can answer have answered.
    fn collect(
        &self,
        answers: &Receiver<SearchAnswer>,
        deadline: Option<Instant>,
    ) -> Option<SearchAnswer> {
        let mut all = Answers::default();
        while let Some(answer) = self.next_answer(answers, deadline) {
            all.add(answer, self.is_ready());
            if all.are_enough(self.puzzle.is_some()) {
                break;
            }
        }
        all.best()
    }

    /// The next answer; none if time is up, all workers have answered or the player was stopped. A
    /// search that is busy with one slow move of a hard game does not notice the stop soon.
    fn next_answer(
        &self,
        answers: &Receiver<SearchAnswer>,
        deadline: Option<Instant>,
    ) -> Option<SearchAnswer> {
        loop {
            let look = Instant::now() + LOOK_EVERY;
            match receive(answers, Some(deadline.map_or(look, |deadline| deadline.min(look)))) {
                Ok(answer) => return Some(answer),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.stop_handle.is_stopped() || deadline.is_some_and(|end| end <= Instant::now()) {
                return None;
            }
        }
    }

    /// A random legal move, for the case that no search has an answer.
    fn fallback(&mut self, times: TurnDeadlines) -> Result<Answer, AgentError> {
        let position = self.match_tracker.position(times.last).ok_or(AgentError::NoMove)?;
        let legal = position.legal.clone();
        // The rules may allow moves in terminal states.
        if position.is_over {
            return Err(AgentError::Over);
        }
        if legal.is_empty() {
            return Err(AgentError::NoMove);
        }
        self.options.log.line("no search has an answer; playing a random legal move");
        let text = legal[self.rng.random_range(0..legal.len())].clone();
        Ok(Answer { text, origin: Origin::Fallback, report: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHEET: &str = "(role a) (init (n 0)) (succ 0 1) (succ 1 2) (legal a go) (legal a stay)
        (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= terminal (true (n 2))) (goal a 1)";

    #[test]
    fn searches_that_break_down_leave_legal_moves() {
        let options = AgentOptions { budget: Some(Budget::simulations(10)), ..Default::default() };
        let mut agent = Agent::start(SHEET, "a", &options, None).expect("a player");
        agent.workers.clear();
        for previous in [None, Some(["go".to_string()])] {
            let answer = agent.play(previous.as_ref().map(|joint| &joint[..]), None);
            let answer = answer.expect("a move");
            let position = agent.position(None).expect("a position");
            assert!(position.legal.contains(&answer.text), "{}", answer.text);
            assert_eq!(answer.origin, Origin::Fallback);
        }
    }
}
