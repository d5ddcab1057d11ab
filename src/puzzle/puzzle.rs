//! A game for one role, and what is known about it before the search.

use std::sync::Arc;

use propnet::circuit::plan::{StepCounter, sooner_is_better_from, step_counter};
use propnet::circuit::{Circuit, WorkBudget};
use propnet::game::{State, goal_value};
use propnet::lanes::{CompactLayout, ExclusiveFluents};

use super::error::PuzzleError;
use crate::pipeline::{Control, LaneProgram, PipelineOptions, Stages};

/// A game for one role from one of its states on.
#[derive(Clone)]
pub struct Puzzle {
    /// The game.
    pub circuit: Arc<Circuit>,
    /// What steps its states.
    pub lanes: LaneProgram,
    /// How its states are written.
    pub layout: Arc<CompactLayout>,
    /// What counts the steps, if something does.
    pub counter: Option<Arc<StepCounter>>,
    /// A state that was seen at an earlier step need not be searched again, if that step is at
    /// least this one, counted from the first state of the game on.
    pub sooner_from: usize,
    /// By goal of the circuit: its value, where it is a number.
    pub values: Vec<Option<i32>>,
    /// The state it starts in.
    pub start: State,
    /// The same, compact.
    pub start_code: Vec<u64>,
    /// How many moves were made before.
    pub first_step: usize,
}

impl Puzzle {
    /// The puzzle of a sheet, from its first state on.
    pub fn new(
        stages: &Stages,
        options: &PipelineOptions,
        control: Control<'_>,
    ) -> Result<Self, PuzzleError> {
        let roles = propnet::reference::Reasoner::new(stages.rules());
        let roles = propnet::game::Game::roles(&roles).to_vec();
        let [role] = roles.as_slice() else {
            return Err(PuzzleError::SeveralRoles { count: roles.len(), roles: roles.join(", ") });
        };
        let circuit = stages.circuit(options, control)?;
        let value = |goal: &propnet::circuit::GoalPort| goal_value(&circuit.names.text(goal.value));
        let values: Vec<Option<i32>> = circuit.goals[0].iter().map(value).collect();
        if values.iter().all(Option::is_none) {
            return Err(PuzzleError::NoGoal { role: role.clone() });
        }
        let budget = WorkBudget::with_proofs(PROOFS, control.may_go_on);
        let counter = step_counter(&circuit, &budget);
        let sooner_from = |counter| sooner_is_better_from(&circuit, counter, &budget);
        let sooner_from = counter.as_ref().map_or(0, sooner_from);
        let lanes = LaneProgram::for_questions_while(&circuit, options.lanes, control)?;
        let groups = circuit.groups.iter().map(|group| ExclusiveFluents {
            members: &group.members,
            exactly_one: group.exactly_one,
        });
        let left_out = counter.as_ref().map_or(&[][..], |counter| &counter.fluents);
        let layout = CompactLayout::new(&lanes.program, groups, left_out);
        let start = lanes.program.initial.clone();
        let (start_code, _) =
            layout.pack(&lanes.program, &start).map_err(propnet::game::PlayError::from)?;
        Ok(Puzzle {
            circuit,
            lanes,
            layout: Arc::new(layout),
            counter: counter.map(Arc::new),
            sooner_from,
            values,
            start,
            start_code,
            first_step: 0,
        })
    }

    /// The same puzzle from a state on that was reached by so many moves.
    pub fn after(&self, moves: usize, sentences: &[String]) -> Result<Self, PuzzleError> {
        let start = self.circuit.names.state_of(sentences)?;
        let packed = self.layout.pack(&self.lanes.program, &start);
        let (start_code, _) = packed.map_err(propnet::game::PlayError::from)?;
        Ok(Puzzle { start, start_code, first_step: moves, ..self.clone() })
    }

    /// The highest goal value that the rules mention.
    pub fn highest(&self) -> i32 {
        self.values.iter().flatten().copied().max().unwrap_or_default()
    }

    /// No line has more moves than this, from the start of the puzzle on.
    pub fn horizon(&self) -> Option<usize> {
        let counter = self.counter.as_ref()?;
        Some(counter.horizon().saturating_sub(self.first_step))
    }

    /// Whether a state that was seen so many moves from the start need not be searched again later.
    pub fn is_seen_for_good(&self, depth: usize) -> bool {
        self.first_step + depth >= self.sooner_from
    }

    /// What the step counter says after so many moves from the start of the puzzle.
    pub fn counts(&self, depth: usize) -> &[bool] {
        match &self.counter {
            Some(counter) => &counter.course[(self.first_step + depth).min(counter.horizon())],
            None => &[],
        }
    }

    /// By fluent: whether it is true at the start.
    pub fn start_truths(&self) -> Vec<bool> {
        let mut truths = vec![false; self.circuit.fluents.len()];
        self.start.iter().for_each(|fluent| truths[fluent] = true);
        truths
    }
}

/// Work on what is proven of a puzzle before its search: about half a second at most.
const PROOFS: u64 = 500_000_000;
