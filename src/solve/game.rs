//! A game for any number of roles, from one of its states on, and how its states are written.

use std::sync::Arc;

use propnet::circuit::plan::{GoalSum, goal_sum};
use propnet::circuit::{Circuit, WorkBudget};
use propnet::game::{PlayError, goal_value};
use propnet::lanes::{CompactLayout, ExclusiveFluents};

use super::error::SolveError;
use crate::pipeline::{Control, LaneProgram, PipelineOptions, Stages};

/// A position to solve.
#[derive(Clone)]
pub struct SolveGame {
    /// The game.
    pub circuit: Arc<Circuit>,
    /// What steps its states.
    pub lanes: LaneProgram,
    /// How its states are written.
    pub layout: Arc<CompactLayout>,
    /// By role and goal of the circuit: its value, where it is a number.
    pub values: Vec<Vec<Option<i32>>>,
    /// What is proven about the sum of all goals at the end.
    pub sum: GoalSum,
    /// The state to start from.
    pub start: Vec<u64>,
    /// The same as sentences.
    pub sentences: Vec<String>,
}

/// Work on the proof that all goals have the same sum: about half a second at most.
const PROOFS: u64 = 500_000_000;

impl SolveGame {
    /// The game of a sheet, from its first state on, or from the one with these sentences, which must
    /// be one that can be reached.
    pub fn new(
        stages: &Stages,
        options: &PipelineOptions,
        control: Control<'_>,
        sentences: Option<&[String]>,
    ) -> Result<Self, SolveError> {
        let circuit = stages.circuit(options, control)?;
        let value = |goal: &propnet::circuit::GoalPort| goal_value(&circuit.names.text(goal.value));
        let values: Vec<Vec<Option<i32>>> =
            circuit.goals.iter().map(|goals| goals.iter().map(value).collect()).collect();
        for (role, values) in circuit.names.roles().iter().zip(&values) {
            if values.iter().all(Option::is_none) {
                return Err(SolveError::NoGoals { role: role.clone() });
            }
        }
        let budget = WorkBudget::with_proofs(PROOFS, control.may_go_on);
        let sum = goal_sum(&circuit, &budget);
        let lanes = LaneProgram::for_questions(&circuit, options.lanes)?;
        let groups = circuit.groups.iter().map(|group| ExclusiveFluents {
            members: &group.members,
            exactly_one: group.exactly_one,
        });
        let layout = CompactLayout::new(&lanes.program, groups, &[]);
        let start = match sentences {
            Some(sentences) => circuit.names.state_of(sentences)?,
            None => lanes.program.initial.clone(),
        };
        let sentences = circuit.names.sentences(&start)?;
        let (start, _) = layout.pack(&lanes.program, &start).map_err(PlayError::from)?;
        Ok(SolveGame { circuit, lanes, layout: Arc::new(layout), values, sum, start, sentences })
    }

    /// The names of all roles.
    pub fn roles(&self) -> &[String] {
        self.circuit.names.roles()
    }

    /// The lowest and the highest goal of a role that the rules mention.
    pub fn range(&self, role: usize) -> (i32, i32) {
        let values = self.values[role].iter().flatten();
        // There is a number for each role.
        let least = values.clone().min().copied().unwrap_or_default();
        (least, values.max().copied().unwrap_or_default())
    }
}
