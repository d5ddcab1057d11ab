//! Playouts on lanes.

use std::sync::Arc;

use propnet::game::{Game, PlayError};
use propnet::lanes::{Batch, Job, Jobs, LanesGame, Outcome, Word};
use propnet::program::Program;

use super::replay;
use super::simulator::{Effort, Line, LineGoals, Simulator};
use crate::pipeline::LaneProgram;
use crate::playouts::Codes;
use crate::search::budget::Budget;
use crate::search::policy::Policy;

/// Lanes that play jobs, and the game for other questions.
pub(crate) struct LaneSimulator<W> {
    jobs: Jobs<W>,
    game: LanesGame<W>,
    program: Arc<Program>,
    codes: Codes,
    /// Whether it already runs the fastest code.
    is_settled: bool,
    move_counts: Vec<usize>,
    weight_bits: Option<usize>,
    /// By role and move: the weight that lanes have.
    weights: Vec<Vec<u32>>,
    effort: Effort,
}

impl<W: Word> LaneSimulator<W> {
    pub(crate) fn new(program: &LaneProgram, seed: u64) -> Self {
        let LaneProgram { program, codes, .. } = program;
        // Asked first: code that becomes ready in between is used later.
        let is_settled = codes.is_settled();
        let code = codes.best();
        let names = &program.names;
        let counts = (0..names.roles().len()).map(|role| names.move_count(role));
        let move_counts: Vec<usize> = counts.collect();
        let weight_bits = program.step.options.weights;
        let mut simulator = LaneSimulator {
            jobs: Jobs::new(program, code, seed),
            game: LanesGame::new(program.clone(), code),
            program: program.clone(),
            codes: codes.clone(),
            is_settled,
            weights: move_counts.iter().map(|&count| vec![0; count]).collect(),
            move_counts,
            weight_bits,
            effort: Effort::default(),
        };
        if let Some(bits) = weight_bits {
            let even: Vec<Vec<u32>> =
                simulator.move_counts.iter().map(|&count| vec![(1 << bits) - 1; count]).collect();
            simulator.set_weights(even);
        }
        simulator
    }

    /// Switches to faster code if it is ready.
    fn improve_code(&mut self) {
        if self.codes.is_settled() {
            self.jobs.set_code(self.codes.best());
            self.game.set_code(self.codes.best());
            self.is_settled = true;
        }
    }

    fn set_weights(&mut self, weights: Vec<Vec<u32>>) {
        for (role, (old, new)) in self.weights.iter_mut().zip(weights).enumerate() {
            let moves = self.program.names.moves(role);
            for (chosen, (old, new)) in moves.zip(old.iter_mut().zip(new)) {
                if *old != new {
                    *old = new;
                    self.jobs.set_weight(role, chosen, new).expect("a move of the program");
                }
            }
        }
    }
}

impl<W: Word> Simulator for LaneSimulator<W> {
    fn lanes(&self) -> usize {
        W::LANES
    }

    fn begin(&mut self, _: &Budget) {
        self.jobs.clear();
    }

    fn push(&mut self, job: Job) {
        self.jobs.push(job).expect("the program was made for such jobs");
    }

    fn step(&mut self) {
        if !self.is_settled {
            self.improve_code();
        }
        self.jobs.run(1);
        self.effort.lane_steps += W::LANES as u64;
        self.effort.busy_lane_steps += self.jobs.at_play() as u64;
    }

    fn unfinished(&self) -> usize {
        self.jobs.queued() + self.jobs.at_play()
    }

    fn outcomes(&mut self) -> Vec<Outcome> {
        self.jobs.outcomes()
    }

    fn prefer(&mut self, policy: &dyn Policy) {
        if let Some(bits) = self.weight_bits {
            let roles = 0..self.move_counts.len();
            self.set_weights(roles.map(|role| policy.weights(role, bits)).collect());
        }
    }

    fn game(&mut self) -> &mut dyn Game {
        &mut self.game
    }

    fn goals_along(
        &mut self,
        lines: &[Line],
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Vec<LineGoals>>, PlayError> {
        let mut batch = Batch::<W>::new(&self.program, self.codes.best());
        let portions = lines.chunks(W::LANES);
        let portions =
            portions.map(|lines| replay::goals_along(&mut batch, &self.program, lines, goes_on));
        let portions: Option<Vec<_>> = portions.collect::<Result<_, _>>()?;
        Ok(portions.map(|portions| portions.concat()))
    }

    fn move_counts(&self) -> Vec<usize> {
        self.move_counts.clone()
    }

    fn effort(&self) -> Effort {
        self.effort
    }
}
