//! What is true at the end of random playouts from a state: the share of them for each sentence.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use propnet::game::{ForeignError, Game, PlayError, State};
use rand::SeedableRng;
use rand_pcg::Pcg64;

use crate::pipeline::LaneProgram;
use crate::vector::VectorGame;

/// Counts of what was true when playouts ended.
pub(super) struct EndCounts {
    game: Box<dyn Game + Send>,
    /// Where there is a circuit, playouts run side by side.
    lanes: Option<LanePlayouts>,
    start: State,
    rng: Pcg64,
    pub(super) playouts: u64,
    counts: HashMap<String, u64>,
}

/// Playouts are given up after this many joint moves, and not counted.
const LONGEST: usize = 2_000;

/// Sentences with fewer ends than this share are not told.
const LEAST: f64 = 0.005;

/// No more sentences are told.
const MOST: usize = 2_000;

impl EndCounts {
    /// No playout yet, from the state with these sentences.
    pub(super) fn new(
        mut game: Box<dyn Game + Send>,
        program: Option<&LaneProgram>,
        sentences: &[String],
    ) -> Result<Self, PlayError> {
        let start = game.state_of(sentences)?;
        let lanes = program.map(|program| LanePlayouts::new(program, &start)).transpose()?;
        let rng = Pcg64::seed_from_u64(0);
        Ok(EndCounts { game, lanes, start, rng, playouts: 0, counts: HashMap::new() })
    }

    /// Plays for a while.
    pub(super) fn play(&mut self, time: Duration) -> Result<(), PlayError> {
        let end = Instant::now() + time;
        while Instant::now() < end {
            let last = match &mut self.lanes {
                Some(lanes) => lanes.step()?,
                None => match self.playout(end + time)? {
                    Some(last) => vec![last],
                    None => return Ok(()),
                },
            };
            self.playouts += last.len() as u64;
            for state in &last {
                for sentence in self.game.sentences(state)? {
                    *self.counts.entry(sentence).or_default() += 1;
                }
            }
        }
        Ok(())
    }

    /// The last state of a playout; none if it takes too long.
    fn playout(&mut self, end: Instant) -> Result<Option<State>, PlayError> {
        let mut state = self.start.clone();
        for _ in 0..LONGEST {
            if self.game.is_terminal(&state)? {
                return Ok(Some(state));
            }
            if Instant::now() > end {
                return Ok(None);
            }
            let joint = self.game.complete_joint_move(&state, &[], &mut self.rng)?;
            state = self.game.next_state(&state, &joint)?;
        }
        Ok(None)
    }

    /// The share of each sentence, the most frequent first.
    pub(super) fn shares(&self) -> Vec<(&str, f64)> {
        let share = |count: u64| count as f64 / self.playouts.max(1) as f64;
        let shares = self.counts.iter().map(|(sentence, &count)| (sentence.as_str(), share(count)));
        let mut shares: Vec<(&str, f64)> = shares.filter(|(_, share)| *share >= LEAST).collect();
        shares.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        shares.truncate(MOST);
        shares
    }
}

/// Playouts side by side, in rounds: all begin together, and are counted when the last one is over,
/// so that short ones do not count more often than long ones.
struct LanePlayouts {
    games: VectorGame,
    program: LaneProgram,
    starts: Vec<State>,
    actions: Vec<i32>,
    over: Vec<bool>,
    steps: usize,
    /// The rounds that are over; each has its own seed.
    rounds: u64,
}

impl LanePlayouts {
    fn new(program: &LaneProgram, start: &State) -> Result<Self, ForeignError> {
        let starts = vec![start.clone(); program.setup.width().lanes()];
        let roles = program.program.names.roles().len();
        Ok(LanePlayouts {
            games: VectorGame::at(program, &starts, 0)?,
            program: program.clone(),
            actions: vec![0; starts.len() * roles],
            over: vec![false; starts.len()],
            starts,
            steps: 0,
            rounds: 0,
        })
    }

    /// Makes a joint move in each; at the end of a round, the last states of those that ended.
    fn step(&mut self) -> Result<Vec<State>, ForeignError> {
        self.games.over(&mut self.over);
        let is_done = self.steps >= LONGEST || self.over.iter().all(|&over| over);
        if !is_done {
            self.games.sample(&mut self.actions);
            self.steps += 1;
        }
        // A step fails only where a role has no legal move: the round ends there.
        if !is_done && self.games.step(&self.actions).is_ok() {
            return Ok(Vec::new());
        }
        let states = self.games.states().into_iter().zip(&self.over);
        let last = states.filter(|(_, over)| **over).map(|(state, _)| state).collect();
        self.rounds += 1;
        self.games = VectorGame::at(&self.program, &self.starts, self.rounds)?;
        self.steps = 0;
        Ok(last)
    }
}

#[cfg(test)]
mod tests {
    use propnet::gdl::Source;
    use propnet::reference::{Reasoner, load};

    use super::*;

    const SHEET: &str = "(role a) (init (n 0)) (succ 0 1) (succ 1 2) (legal a up)
        (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= (next (seen ?x)) (true (n ?x)))
        (<= terminal (true (n 2))) (goal a 100)";

    #[test]
    fn shares_are_those_of_the_last_states() {
        let rules = load(Source::from_text("sheet", SHEET)).expect("rules");
        let game = Box::new(Reasoner::new(&rules));
        let mut ends = EndCounts::new(game, None, &["(n 0)".to_string()]).expect("a state");
        ends.play(Duration::from_millis(20)).expect("playouts");
        assert!(ends.playouts > 0);
        assert_eq!(ends.shares(), [("(n 2)", 1.0), ("(seen 1)", 1.0)]);
    }

    #[test]
    fn playouts_side_by_side_end_in_the_same_states() {
        let game = crate::Game::named("tic_tac_toe").expect("a game");
        let compiled = game.compiled();
        let program = LaneProgram::for_questions(compiled.circuit(), compiled.setup());
        let program = program.expect("a program");
        let share = |lanes: Option<&LaneProgram>| {
            let mut game = program.game();
            let start = game.initial_state().expect("a state");
            let sentences = game.sentences(&start).expect("sentences");
            let mut ends = EndCounts::new(game, lanes, &sentences).expect("a state");
            while ends.playouts < 2_000 {
                ends.play(Duration::from_millis(20)).expect("playouts");
            }
            let shares = ends.shares();
            shares.iter().find(|(text, _)| *text == "(cell 2 2 x)").map_or(0.0, |(_, share)| *share)
        };
        // Two samples of at least 2,000 playouts each.
        let (lanes, plain) = (share(Some(&program)), share(None));
        assert!((lanes - plain).abs() < 0.07 && lanes > 0.1, "{lanes} {plain}");
    }
}
