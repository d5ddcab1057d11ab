//! The program of a game: what its words are, and the routines over them.

use std::cell::Cell;
use std::sync::Arc;

use super::aside::AsideProgram;
use super::copier::state_fluents;
use super::cover::Mapping;
use super::options::StepOptions;
use super::playing::PlayingCircuit;
use super::questions::Questions;
use super::seed::SeedProgram;
use super::step_program::StepProgram;
use crate::circuit::plan::{GoalSum, OpenGoals, goal_sum};
use crate::circuit::{Circuit, FluentKind, FluentPort, GoalPort, WorkBudget};
use crate::game::{GoalDegrees, State};
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
    /// How far goals are reached; none where that takes too long.
    pub degrees: Option<Arc<GoalDegrees>>,
    /// The sum of all goals at every end, if it was to be proven and is.
    pub goal_sum: Option<i64>,
    /// The mix of seed and job number.
    pub seed: SeedProgram,
    /// A step of a playout.
    pub step: StepProgram,
    /// Questions about many states.
    pub questions: Questions,
    /// Which goals are open in a state, where playouts end early.
    pub open_goals: Option<Arc<OpenGoals>>,
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
        Self::make(circuit, mapping, options, &|| true)
    }

    /// The same as [`Program::with_options`], but the caller may stop the work: none when `proceed`
    /// says no.
    pub fn with_options_while(
        circuit: &Circuit,
        mapping: Mapping,
        options: &StepOptions,
        proceed: &dyn Fn() -> bool,
    ) -> Option<Self> {
        // Once stopped, always stopped: a routine that was given up must not be used.
        let is_stopped = Cell::new(false);
        let proceed = || {
            is_stopped.set(is_stopped.get() || !proceed());
            !is_stopped.get()
        };
        let program = Self::make(circuit, mapping, options, &proceed);
        (!is_stopped.get()).then_some(program)
    }

    /// Whether playouts know a fluent; they leave out what no move and no goal depends on.
    pub fn is_in_playouts(&self, fluent: usize) -> bool {
        match self.fluents.get(fluent) {
            Some(&FluentPlace::Word(word) | &FluentPlace::Follows(word, _)) => word < self.carried,
            Some(FluentPlace::Constant(_)) => true,
            None => false,
        }
    }

    fn make(
        circuit: &Circuit,
        mapping: Mapping,
        options: &StepOptions,
        proceed: &dyn Fn() -> bool,
    ) -> Self {
        let names = &circuit.names;
        let values =
            |goals: &Vec<GoalPort>| goals.iter().map(|goal| names.text(goal.value)).collect();
        let carried = circuit.fluents.iter().filter(|port| port.kind == FluentKind::Carried);
        let playing = PlayingCircuit::new(circuit, options, proceed);
        let questions = Questions::new(circuit, playing.circuit(), mapping, proceed);
        Program {
            aside: AsideProgram::new(&questions.score, questions.state_words, mapping),
            names: names.clone(),
            fluents: places(circuit),
            carried: carried.count(),
            initial: circuit.initial_state(),
            goals: circuit.goals.iter().map(values).collect(),
            degrees: circuit.degrees.clone(),
            goal_sum: options.goal_sum.then(|| proven_sum(circuit, proceed)).flatten(),
            seed: SeedProgram::new(mapping),
            step: StepProgram::new(circuit, playing.circuit(), mapping, options, proceed),
            questions,
            open_goals: playing.open_goals,
        }
    }
}

/// Work on the proof that all goals have the same sum: about a tenth of a second at most.
const SUM_PROOFS: u64 = 100_000_000;

fn proven_sum(circuit: &Circuit, proceed: &dyn Fn() -> bool) -> Option<i64> {
    match goal_sum(circuit, &WorkBudget::with_proofs(SUM_PROOFS, proceed)) {
        GoalSum::Proven(sum) => Some(sum),
        GoalSum::Unknown => None,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::build;
    use crate::gdl::Source;
    use crate::ground::{Limits, NoWatch, Options, ground};
    use crate::reference::load;

    const SHEET: &str = "
        (role r) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (<= (legal r (go ?y)) (true (at ?x)) (succ ?x ?y)) (legal r stay)
        (<= (next (at ?y)) (does r (go ?y))) (<= (next (at ?x)) (true (at ?x)) (does r stay))
        (<= terminal (true (at 3))) (goal r 50)";

    #[test]
    fn the_caller_can_stop_it() {
        let rules = load(Source::from_text("sheet", SHEET)).expect("a sheet");
        let rules = ground(&rules, &Options::default(), Limits::default(), &mut NoWatch);
        let circuit = build(&rules.expect("ground rules").rules).expect("a circuit");
        let options = StepOptions::default();
        for mapping in [Mapping::TwoInputs, Mapping::ThreeInputs] {
            let whole = Program::with_options(&circuit, mapping, &options);
            let asked = Cell::new(0);
            // It is stopped at every single ask, and at last not at all.
            for stop in 0.. {
                asked.set(0);
                let proceed = || asked.replace(asked.get() + 1) < stop;
                let Some(program) =
                    Program::with_options_while(&circuit, mapping, &options, &proceed)
                else {
                    continue;
                };
                assert_eq!(program.step.routine.blocks.len(), whole.step.routine.blocks.len());
                assert_eq!(program.step.work_words, whole.step.work_words);
                assert_eq!(asked.get(), stop, "asked until the end");
                break;
            }
        }
    }
}
