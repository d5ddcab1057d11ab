//! PlanLines of play to a goal, as models of the unrolled game: highest goal first, depth by depth, in
//! one solver that keeps what it learnt.

use batsat::Lit;

use super::super::budget::WorkBudget;
use super::super::circuit::Circuit;
use super::super::solver::Answer;
use super::frames::{FrameStart, Frames};

/// What became of the question for a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineAnswer {
    /// The moves of the only role, by their index.
    Line(Vec<usize>),
    /// There is none of this length.
    Never,
    /// More work than allowed.
    Unknown,
}

/// A game of one role, from a state on, unrolled as far as it was asked for.
pub struct PlanLines<'b> {
    frames: Frames<'b>,
    /// By frame that has a successor: a move is made there.
    made: Vec<Lit>,
}

impl<'b> PlanLines<'b> {
    /// From a state, given as the truth of each fluent.
    pub fn new(circuit: &'b Circuit, start: &[bool], budget: &'b WorkBudget<'b>) -> Self {
        let mut frames = Frames::new(circuit, budget);
        frames.add(FrameStart::Free, start.iter().map(|&is_true| Some(is_true)).collect());
        PlanLines { frames, made: Vec::new() }
    }

    /// About the bytes that each depth takes.
    pub fn bytes_of_step(circuit: &Circuit) -> u64 {
        Frames::bytes_of_frame(circuit)
    }

    /// Whether a line of exactly this many moves ends the game with the goal, by its index.
    pub fn ask(&mut self, depth: usize, goal: usize, effort: u64) -> LineAnswer {
        let circuit = self.frames.circuit;
        while self.made.len() < depth {
            let frame = self.made.len();
            let made = self.frames.move_made(frame);
            self.made.push(made);
            let next = self.frames.add(FrameStart::After(frame), Vec::new());
            self.frames.keep_groups(next);
        }
        let mut question = self.made[..depth].to_vec();
        question.push(self.frames.literal(depth, circuit.terminal));
        question.push(self.frames.literal(depth, circuit.goals[0][goal].holds));
        match self.frames.ask(&question, effort) {
            Answer::Never => LineAnswer::Never,
            Answer::Unknown => LineAnswer::Unknown,
            Answer::Possible => {
                let moves = (0..depth).map(|frame| self.frames.example_move(frame, 0));
                moves.collect::<Option<_>>().map_or(LineAnswer::Unknown, LineAnswer::Line)
            }
        }
    }
}
