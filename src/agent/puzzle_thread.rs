//! A thread that answers turns of a game for one role by the best line that is known, while a
//! [`LineHunt`] searches for better ones.
//!
//! As long as the best line is not proven, the search begins again after each move that was chosen
//! among several: from the state that was reached there are fewer lines.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use propnet::game::{Game, Move, PlayError, State};

use super::builder::pipeline_options;
use super::line_hunt::LineHunt;
use super::options::AgentOptions;
use super::position_tracker::moves_of;
use super::signals::Signals;
use super::turn::{Origin, SearchAnswer, Turn};
use crate::pipeline::{Control, Stages};
use crate::puzzle::{Puzzle, PuzzleError, PuzzleOptions};
use crate::search::{LineReport, Report};

/// How often a turn looks at what was found.
const LOOK: Duration = Duration::from_millis(5);

/// What the thread gets from its agent.
pub(super) struct PuzzleThread {
    pub(super) stages: Arc<Stages>,
    pub(super) options: AgentOptions,
    /// The bytes that the methods may hold.
    pub(super) memory: u64,
}

impl PuzzleThread {
    /// Makes the puzzle and answers all turns until the channel is closed.
    pub(super) fn run(self, turns: Receiver<Turn>, signals: Arc<Signals>) {
        let (log, begun) = (self.options.log.clone(), Instant::now());
        match self.worker(turns, signals.clone()) {
            Ok(worker) => {
                let seconds = begun.elapsed().as_secs_f64();
                log.line(&format!("the puzzle is searched after {seconds:.3} s"));
                worker.run();
            }
            Err(_) if signals.is_stopped() => {}
            Err(error) => log.line(&format!("no puzzle is solved: {error}")),
        }
    }

    fn worker(
        self,
        turns: Receiver<Turn>,
        signals: Arc<Signals>,
    ) -> Result<PuzzleWorker, PuzzleError> {
        let may_go_on = || signals.may_go_on();
        let pipeline = pipeline_options(&self.options);
        let puzzle = Puzzle::new(&self.stages, &pipeline, Control::stoppable(&may_go_on))?;
        let threads = self.options.settings.search.threads();
        let options = PuzzleOptions {
            cores: threads.unwrap_or_else(rayon::current_num_threads),
            // Methods share the cores by time, until the match is over.
            time: Some(Duration::from_secs(1 << 30)),
            memory: self.memory,
            seed: self.options.seed,
            methods: Vec::new(),
        };
        let log = self.options.log.clone();
        let hunt = LineHunt::start(puzzle.clone(), options.clone(), None, signals.clone(), log)?;
        Ok(PuzzleWorker {
            game: puzzle.lanes.game(),
            state: puzzle.start.clone(),
            step: 0,
            puzzle,
            hunt: Some(hunt),
            search: options,
            told: None,
            turns,
            signals,
            options: self.options,
        })
    }
}

/// The puzzle of a match, at its present state.
struct PuzzleWorker {
    puzzle: Puzzle,
    game: Box<dyn Game + Send>,
    state: State,
    /// The moves of the match so far.
    step: usize,
    /// None if no thread could be started.
    hunt: Option<LineHunt>,
    search: PuzzleOptions,
    /// What the log said last: who found the line, its score and its bound.
    told: Option<(&'static str, i32, i32)>,
    turns: Receiver<Turn>,
    signals: Arc<Signals>,
    options: AgentOptions,
}

impl PuzzleWorker {
    fn run(mut self) {
        let mut next = self.turns.recv().ok();
        while let Some(turn) = next {
            if self.signals.is_stopped() {
                return;
            }
            if let Some(previous) = &turn.previous
                && let Err(error) = self.follow(previous)
            {
                self.options.log.line(&format!("the puzzle: {error}"));
            }
            next = self.answer(&turn).or_else(|| self.turns.recv().ok());
        }
    }

    /// Makes a move of the match. What the rules do not allow changes nothing.
    fn follow(&mut self, joint: &[String]) -> Result<(), PuzzleError> {
        let game = self.game.as_mut();
        if game.is_terminal(&self.state)? {
            return Ok(());
        }
        let joint = moves_of(game, joint)?;
        let legal = game.legal_moves(&self.state, 0)?;
        if !legal.contains(joint[0]) {
            return Ok(());
        }
        self.state = game.next_state(&self.state, &joint)?;
        self.step += 1;
        let is_over = game.is_terminal(&self.state)?;
        let Some(hunt) = &mut self.hunt else { return Ok(()) };
        hunt.follow(joint[0].index() as u32);
        if !is_over && legal.iter().count() > 1 && !hunt.is_proven() {
            let sentences = self.game.sentences(&self.state)?;
            let puzzle = self.puzzle.after(self.step, &sentences)?;
            let (signals, log) = (self.signals.clone(), self.options.log.clone());
            let before = self.hunt.take();
            self.hunt = Some(LineHunt::start(puzzle, self.search.clone(), before, signals, log)?);
        }
        Ok(())
    }

    /// Answers a turn: at once, and again when its time is up or nothing more will be found. The
    /// next turn, if that came before.
    fn answer(&mut self, turn: &Turn) -> Option<Turn> {
        if turn.answers.send(self.current(false)).is_err() {
            // The turn was over before this thread began it.
            return None;
        }
        let is_forced = turn.hurries && self.legal_moves().is_ok_and(|count| count == 1);
        let mut next = None;
        while !is_forced && !self.hunt.as_ref().is_none_or(LineHunt::is_done) {
            let left =
                turn.budget.deadline.map(|end| end.saturating_duration_since(Instant::now()));
            if left == Some(Duration::ZERO) || self.signals.is_stopped() {
                break;
            }
            match self.turns.recv_timeout(left.map_or(LOOK, |left| left.min(LOOK))) {
                Ok(turn) => {
                    next = Some(turn);
                    break;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        // Nobody waits for an answer that comes too late.
        let _ = turn.answers.send(self.current(true));
        next
    }

    fn legal_moves(&mut self) -> Result<usize, PlayError> {
        Ok(self.game.legal_moves(&self.state, 0)?.iter().count())
    }

    /// The next move of the best line, if there is one.
    fn current(&mut self, is_final: bool) -> SearchAnswer {
        let known = self.hunt.as_ref().and_then(|hunt| {
            let line = hunt.line()?;
            Some((hunt.report(&line), self.spelled(&line.moves)?))
        });
        let mut answer =
            SearchAnswer { origin: Origin::Puzzle, text: None, report: None, is_final };
        if let Some((line, moves)) = known {
            self.tell(&line);
            answer.text = moves.first().cloned();
            let role = self.game.roles()[0].clone();
            let scheme = self.options.settings.search.scheme.clone();
            answer.report = Some(Report::of_line(scheme, role, line, moves));
        }
        answer
    }

    /// The moves of a line, in the letter case of the sheet.
    fn spelled(&self, moves: &[u32]) -> Option<Vec<String>> {
        let names = &self.puzzle.circuit.names;
        let spell = |&chosen: &u32| names.move_spelling(0, Move::new(names.table(), chosen)).ok();
        moves.iter().map(spell).collect()
    }

    /// Logs what is new about the line.
    fn tell(&mut self, line: &LineReport) {
        let told = (line.found_by, line.score, line.bound);
        if self.told != Some(told) {
            self.told = Some(told);
            self.options.log.line(&line.to_string());
        }
    }
}
