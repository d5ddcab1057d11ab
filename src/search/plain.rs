//! Playouts on any game, one after the other: for the reference reasoner, while there is no circuit.

use std::collections::VecDeque;

use propnet::game::{Game, JointMove, Move, MoveSet, PlayError, State};
use propnet::lanes::{Ending, FirstState, Job, Outcome};
use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::mast::{Averages, gibbs};
use super::simulator::{Effort, Simulator};

/// A game that plays jobs.
pub(super) struct PlainSimulator {
    game: Box<dyn Game + Send>,
    seed: u64,
    queue: VecDeque<Job>,
    outcomes: Vec<Outcome>,
    averages: Option<Averages>,
    effort: Effort,
}

impl PlainSimulator {
    pub(super) fn new(game: Box<dyn Game + Send>, seed: u64) -> Self {
        PlainSimulator {
            game,
            seed,
            queue: VecDeque::new(),
            outcomes: Vec::new(),
            averages: None,
            effort: Effort::default(),
        }
    }

    /// Plays a job to its end. Where the rules fail, the playout is stuck there.
    fn play(&mut self, job: Job) -> Outcome {
        let mut rng =
            Pcg64::seed_from_u64(self.seed ^ job.number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut playout =
            Playout { state: State::clone(&job.state), moves: Vec::new(), length: 0, first: None };
        let ending = self.run(&job, &mut playout, &mut rng).unwrap_or(Ending::Stuck);
        let roles = 0..self.game.roles().len();
        let goals = roles.map(|role| self.game.goal(&playout.state, role).ok()).collect();
        self.effort.lane_steps += playout.length;
        self.effort.busy_lane_steps += playout.length;
        Outcome {
            tag: job.tag,
            ending,
            goals,
            length: playout.length,
            moves: if job.wants_moves { playout.moves } else { Vec::new() },
            first: playout.first,
        }
    }

    fn run(
        &mut self,
        job: &Job,
        playout: &mut Playout,
        rng: &mut Pcg64,
    ) -> Result<Ending, PlayError> {
        let mut forced = job.forced.as_deref().map(<[Move]>::to_vec);
        loop {
            if self.game.is_terminal(&playout.state)? {
                return Ok(Ending::Terminal);
            }
            if job.limit.is_some_and(|limit| playout.length >= limit) {
                return Ok(Ending::Limit);
            }
            let joint = match forced.take() {
                Some(joint) => joint,
                None => self.choose(&playout.state, rng)?,
            };
            playout.state = self.game.next_state(&playout.state, &joint)?;
            playout.length += 1;
            playout.moves.extend(&joint);
            if playout.length == 1 && job.wants_first {
                playout.first = Some(self.first(&playout.state, joint)?);
            }
        }
    }

    fn choose(&mut self, state: &State, rng: &mut Pcg64) -> Result<JointMove, PlayError> {
        let Some(averages) = &self.averages else {
            return self.game.complete_joint_move(state, &[], rng);
        };
        let mut joint = Vec::new();
        for role in 0..self.game.roles().len() {
            let legal: Vec<Move> =
                self.game.legal_moves(state, role)?.iter().map(|at| Move(at as u32)).collect();
            let values: Vec<f64> = legal.iter().map(|&at| averages.value(role, at)).collect();
            let chosen = if legal.len() > 1 { gibbs(&values, averages.tau(), rng) } else { 0 };
            joint.push(legal[chosen]);
        }
        Ok(joint)
    }

    fn first(&mut self, state: &State, moves: JointMove) -> Result<FirstState, PlayError> {
        let mut legal: Vec<MoveSet> = Vec::new();
        for role in 0..self.game.roles().len() {
            legal.push(match self.game.legal_moves(state, role) {
                Err(PlayError::NoLegalMove { .. }) => MoveSet::default(),
                moves => moves?,
            });
        }
        let is_terminal = self.game.is_terminal(state)?;
        Ok(FirstState { moves, state: state.clone(), legal, is_terminal })
    }
}

/// A playout so far.
struct Playout {
    state: State,
    moves: Vec<Move>,
    length: u64,
    first: Option<FirstState>,
}

impl Simulator for PlainSimulator {
    fn lanes(&self) -> usize {
        1
    }

    fn push(&mut self, job: Job) {
        self.queue.push_back(job);
    }

    fn step(&mut self) {
        if let Some(job) = self.queue.pop_front() {
            let outcome = self.play(job);
            self.outcomes.push(outcome);
        }
    }

    fn unfinished(&self) -> usize {
        self.queue.len()
    }

    fn outcomes(&mut self) -> Vec<Outcome> {
        std::mem::take(&mut self.outcomes)
    }

    fn prefer(&mut self, averages: &Averages) {
        self.averages = Some(averages.clone());
    }

    fn game(&mut self) -> &mut dyn Game {
        &mut *self.game
    }

    fn move_counts(&self) -> Vec<usize> {
        // Moves are found as they are met.
        vec![0; self.game.roles().len()]
    }

    fn effort(&self) -> Effort {
        self.effort
    }
}
