//! A step that is not made to its end, so that its parts can be measured apart.
//!
//! A step is one routine, in which nothing marks where the rules end and the choice begins: its
//! operations come in the order that suits their words. What a part takes is the difference between
//! a step that goes no further and one without the part.

use super::cover::Mapping;
use super::leaves::MoveChoices;
use super::lower::Output;
use super::numbers::xor;
use super::op::{Routine, Slot, Space};
use super::options::StepOptions;
use super::step::PlayoutStep;
use super::step_program::StepPorts;
use crate::circuit::{Circuit, Network, Signal};

/// How far a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// What is legal is known, and whether the game is over.
    State,
    /// The moves are chosen, and the random generators have moved on.
    Choice,
}

/// The beginning of a step, over the same words as the whole step.
#[derive(Clone, Debug)]
pub struct StepPrefix {
    /// The operations.
    pub routine: Routine,
    /// The words of the work space.
    pub work_words: usize,
}

impl StepPrefix {
    /// The beginning of the step of a circuit. Where moves have weights it ends before the choice
    /// at the latest.
    pub fn new(circuit: &Circuit, mapping: Mapping, options: &StepOptions, reach: Reach) -> Self {
        let choices = MoveChoices::new(circuit);
        let mut step = PlayoutStep::new(circuit, &choices, options);
        let moves: Vec<usize> = circuit.moves.iter().map(Vec::len).collect();
        let (ports, first_free) = StepPorts::new(options, &moves, &choices, &step);
        let outputs = outputs(&mut step, &ports, reach);
        let ([routine, _], work_words) =
            ports.routines(&step, mapping, &outputs, first_free, &|| true);
        StepPrefix { routine, work_words }
    }
}

/// What leaves the step. Of the many words that a later part would read, only the parity does: it
/// needs all of them, and costs less than it would to write them down.
fn outputs(step: &mut PlayoutStep, ports: &StepPorts, reach: Reach) -> Vec<Output> {
    let mut outputs = vec![Output { signal: step.ended, slot: ports.ended }];
    let read = match reach {
        Reach::State => step.legal.clone(),
        Reach::Choice => {
            let states = step.random.iter().chain(&step.left).enumerate();
            let behind = step.next.len();
            let word = |at: usize| Slot::new(Space::After, behind + at);
            outputs.extend(states.map(|(at, &signal)| Output { signal, slot: word(at) }));
            // Whether a role is stuck comes out of the sums that are made for the choice.
            step.does.iter().copied().chain([step.stuck]).collect()
        }
    };
    let signal = parity(&mut step.network, read);
    outputs.push(Output { signal, slot: ports.stuck });
    outputs
}

/// Whether an odd number of the different ones of these signals is true.
fn parity(network: &mut Network, mut signals: Vec<Signal>) -> Signal {
    // Twice the same would be nothing, and then it would not be computed.
    signals.sort_unstable_by_key(|signal| signal.node());
    signals.dedup_by_key(|signal| signal.node());
    while signals.len() > 1 {
        let pairs = signals.chunks(2).map(|pair| match *pair {
            [one, other] => xor(network, one, other),
            _ => pair[0],
        });
        signals = pairs.collect();
    }
    signals.pop().unwrap_or(Signal::FALSE)
}

#[cfg(test)]
mod tests {
    use super::super::numbers::tests::{inputs, value};
    use super::*;
    use crate::circuit::build;
    use crate::gdl::Source;
    use crate::ground::{Limits, NoWatch, Options, ground};
    use crate::program::StepProgram;
    use crate::reference::load;

    const PICK: &str = "
        (role a) (role b) (init (left 1)) (init (left 2)) (init (left 3))
        (<= (legal ?r (pick ?n)) (role ?r) (true (left ?n)))
        (<= (next (left ?n)) (true (left ?n)) (not (picked ?n)))
        (<= (picked ?n) (does ?r (pick ?n)))
        (<= terminal (not (true (left 1))))
        (<= (goal ?r 50) (role ?r))";

    fn size(routine: &Routine) -> usize {
        routine.blocks.iter().map(|block| block.ops.len()).sum()
    }

    #[test]
    fn each_part_adds_to_the_one_before() {
        let rules = load(Source::from_text("pick", PICK)).expect("a sheet");
        let ground = ground(&rules, &Options::default(), Limits::default(), &mut NoWatch);
        let circuit = build(&ground.expect("ground rules").rules).expect("a circuit");
        let options = StepOptions { limit_bits: 4, ..StepOptions::default() };
        for mapping in [Mapping::TwoInputs, Mapping::ThreeInputs] {
            let prefix = |reach| StepPrefix::new(&circuit, mapping, &options, reach);
            let whole = StepProgram::new(&circuit, &circuit, mapping, &options, &|| true);
            let state = size(&prefix(Reach::State).routine);
            let choice = size(&prefix(Reach::Choice).routine);
            assert!(0 < state && state < choice && choice < size(&whole.routine));
        }
    }

    #[test]
    fn a_parity_needs_every_signal_once() {
        let (mut network, number, _) = inputs([3, 0]);
        let all = [&number[..], &number[..1]].concat();
        let odd = parity(&mut network, all);
        for given in 0..8u64 {
            assert_eq!(value(&network, &[odd], given), u64::from(given.count_ones() % 2 == 1));
        }
        assert_eq!(parity(&mut network, Vec::new()), Signal::FALSE);
    }
}
