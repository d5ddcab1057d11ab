//! The program of a game: what its words are, and the routines over them.

use std::sync::Arc;

use super::aside::AsideProgram;
use super::copier::state_fluents;
use super::cover::Mapping;
use super::options::StepOptions;
use super::questions::Questions;
use super::seed::SeedProgram;
use super::step_program::StepProgram;
use crate::circuit::{Circuit, FluentKind, FluentPort, GoalPort};
use crate::game::State;
use crate::names::Names;

/// A game as routines over words; immutable, and shared between threads.
#[derive(Clone, Debug)]
pub struct Program {
    /// What fluents and moves are called.
    pub names: Arc<Names>,
    /// By fluent: how its truth is known.
    pub fluents: Vec<FluentPlace>,
    /// The fluents that are carried; the words of the state begin with them.
    pub carried: usize,
    /// The state that the game starts in.
    pub initial: State,
    /// By role: its goal values, as text.
    pub goals: Vec<Vec<String>>,
    /// The mix of seed and job number.
    pub seed: SeedProgram,
    /// A step of a playout.
    pub step: StepProgram,
    /// Questions about many states.
    pub questions: Questions,
    /// Putting aside what goals depend on.
    pub aside: AsideProgram,
}

/// How the truth of a fluent is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FluentPlace {
    /// It is a word of the state.
    Word(usize),
    /// It is what a word of the state says, or the complement.
    Follows(usize, bool),
    /// It never changes.
    Constant(bool),
}

impl Program {
    /// The program of a circuit, for a back end with these operations. Its step does nothing but
    /// play at random, as fast as it can.
    pub fn new(circuit: &Circuit, mapping: Mapping) -> Self {
        let options = StepOptions { restart: true, ..StepOptions::default() };
        Self::with_options(circuit, mapping, &options)
    }

    /// The same with a step that can do more.
    pub fn with_options(circuit: &Circuit, mapping: Mapping, options: &StepOptions) -> Self {
        let names = &circuit.names;
        let fluents = circuit.fluents.iter().enumerate();
        let initial = fluents.filter(|(_, port)| port.initially).map(|(fluent, _)| fluent);
        let values =
            |goals: &Vec<GoalPort>| goals.iter().map(|goal| names.text(goal.value)).collect();
        let carried = circuit.fluents.iter().filter(|port| port.kind == FluentKind::Carried);
        let questions = Questions::new(circuit, mapping);
        Program {
            aside: AsideProgram::new(&questions.score, questions.state_words, mapping),
            names: names.clone(),
            fluents: places(circuit),
            carried: carried.count(),
            initial: initial.collect(),
            goals: circuit.goals.iter().map(values).collect(),
            seed: SeedProgram::new(mapping),
            step: StepProgram::new(circuit, mapping, options),
            questions,
        }
    }
}

fn places(circuit: &Circuit) -> Vec<FluentPlace> {
    let words = state_fluents(circuit);
    let mut word_of_input = vec![None; circuit.network.len()];
    for (word, &fluent) in words.iter().enumerate() {
        word_of_input[circuit.fluents[fluent].now.node() as usize] = Some(word);
    }
    let place = |port: &FluentPort| match (port.kind, word_of_input[port.now.node() as usize]) {
        (FluentKind::Follows, Some(word)) => FluentPlace::Follows(word, port.now.is_complement()),
        (_, Some(word)) => FluentPlace::Word(word),
        (_, None) => FluentPlace::Constant(port.now.is_complement()),
    };
    circuit.fluents.iter().map(place).collect()
}
