//! A step of a playout as a routine.

use super::copier::Input;
use super::cover::Mapping;
use super::leaves::Choices;
use super::lower::{Output, Task, lower};
use super::op::{Routine, Slot, Space};
use super::random::STATE_BITS;
use super::slots::ZERO;
use super::step::Step;
use crate::circuit::Circuit;

/// A step of a playout as a routine.
///
/// The words of the state are the carried fluents, then the state of the random generators. The
/// work space begins with a word that must be false in every lane, and the words that are named
/// here.
#[derive(Clone, Debug)]
pub struct StepProgram {
    /// The operations.
    pub routine: Routine,
    /// The carried fluents.
    pub fluents: usize,
    /// The words of the work space.
    pub work_words: usize,
    /// Lanes that are at play: to be set.
    pub active: Slot,
    /// Lanes in which the game was over when the step began.
    pub ended: Slot,
    /// Lanes in which a role had no legal move though the game was not over.
    pub stuck: Slot,
}

impl StepProgram {
    /// The step of a circuit.
    pub fn new(circuit: &Circuit, mapping: Mapping) -> Self {
        let choices = Choices::new(circuit);
        let step = Step::new(circuit, &choices, None);
        Self::lowered(&step, mapping)
    }

    fn lowered(step: &Step, mapping: Mapping) -> Self {
        let fluents = step.next.len();
        let named = |at: usize| Slot::new(Space::Work, ZERO + 1 + at);
        let [active, ended, stuck] = [0, 1, 2].map(named);
        let input = |number: u32| match step.inputs[number as usize] {
            Input::State(at) => Slot::new(Space::Before, at),
            Input::Random(bit) => Slot::new(Space::Before, fluents + bit),
            Input::Active => active,
            Input::Weight(..) | Input::Does(..) => unreachable!("a plain step has no such input"),
        };
        let mut outputs = vec![
            Output { signal: step.ended, slot: ended },
            Output { signal: step.stuck, slot: stuck },
        ];
        let after = step.next.iter().chain(&step.random).enumerate();
        outputs.extend(
            after.map(|(at, &signal)| Output { signal, slot: Slot::new(Space::After, at) }),
        );
        let task = Task {
            network: &step.network,
            loops: &step.loops,
            mapping,
            input: &input,
            outputs: &outputs,
            positive: &[step.going.node()],
            first_free: ZERO + 4,
        };
        let (routine, work_words) = lower(&task);
        StepProgram { routine, fluents, work_words, active, ended, stuck }
    }

    /// The words of a state.
    pub fn state_words(&self) -> usize {
        self.fluents + STATE_BITS
    }
}
