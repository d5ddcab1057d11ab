//! A step of a playout as a routine.

use super::copier::Input;
use super::cover::Mapping;
use super::leaves::MoveChoices;
use super::lower::{Output, RoutineTask, lower_in_two};
use super::op::{Routine, Slot, Space};
use super::options::StepOptions;
use super::random::STATE_BITS;
use super::slots::ZERO;
use super::step::PlayoutStep;
use super::weighted::WeightedChoice;
use crate::circuit::Circuit;

/// A step of a playout as a routine.
///
/// The words of the state are the carried fluents, then the state of the random generators, then
/// the countdown of moves left. The work space begins with a word that must be false in every
/// lane, and the words that are named here.
#[derive(Clone, Debug)]
pub struct StepProgram {
    /// What the step can do.
    pub options: StepOptions,
    /// The operations: all of them, or those before a choice by weights.
    pub routine: Routine,
    /// Those after a choice by weights; none without weights.
    pub rest: Routine,
    /// The carried fluents.
    pub fluents: usize,
    /// The words of the work space.
    pub work_words: usize,
    /// Its words that are to be set, or to be read afterwards.
    pub ports: StepPorts,
}

/// Words of the work space that a step and its caller share. What is to be set stays as it is
/// until it is set anew.
#[derive(Clone, Debug)]
pub struct StepPorts {
    /// Lanes that are at play: to be set.
    pub active: Slot,
    /// Lanes in which the game was over when the step began.
    pub ended: Slot,
    /// Lanes in which a role had no legal move though the game was not over.
    pub stuck: Slot,
    /// Lanes that had no move left though the game was not over, where there are limits.
    pub cut: Option<Slot>,
    /// The moves that are forced, where they can be: to be set. With weights it is the positions
    /// chosen that are to be set instead.
    pub forced: Option<ForcedPorts>,
    /// The playouts that lanes go on with, where they can: to be set.
    pub restart: Option<RestartPorts>,
    /// The choices by weights, where there are weights.
    pub choices: Vec<WeightedChoice>,
    /// By role: the move made, where it is recorded. Means nothing in lanes that made none.
    pub made: Vec<MadePorts>,
}

/// The words that say which move a role made.
#[derive(Clone, Debug)]
pub struct MadePorts {
    /// The choice by weights that it is part of, and its number among the choosers. Where it is the
    /// one that chooses, it made the move at the position.
    pub choice: Option<(usize, usize)>,
    /// The moves that it made otherwise.
    pub moves: Vec<usize>,
    /// The bits of the index of the one made among them.
    pub index: Vec<Slot>,
}

/// The words that say which moves are forced.
#[derive(Clone, Debug)]
pub struct ForcedPorts {
    /// Lanes that have a forced joint move.
    pub lanes: Slot,
    /// By role and move: the lanes that have to make it. One move of each role, a legal one; what
    /// comes of others means nothing.
    pub moves: Vec<Vec<Slot>>,
}

/// The words that say how lanes that are over go on.
#[derive(Clone, Debug)]
pub struct RestartPorts {
    /// Lanes for which a new playout is ready.
    pub ready: Slot,
    /// The random generators with which it starts. The rest of its state is for the caller to add:
    /// only few words of it are true.
    pub random: Vec<Slot>,
}

impl StepProgram {
    /// The step of a game, on a circuit in which moves may be left out and games end early.
    pub(super) fn new(
        game: &Circuit,
        circuit: &Circuit,
        mapping: Mapping,
        options: &StepOptions,
        proceed: &dyn Fn() -> bool,
    ) -> Self {
        let choices = MoveChoices::new(game);
        let step = PlayoutStep::new(circuit, &choices, options);
        let moves: Vec<usize> = circuit.moves.iter().map(Vec::len).collect();
        let (ports, first_free) = StepPorts::new(options, &moves, &choices, &step);
        let fluents = step.next.len();
        let outputs = ports.outputs(&step);
        let ([routine, rest], work_words) =
            ports.routines(&step, mapping, &outputs, first_free, proceed);
        StepProgram { options: *options, routine, rest, fluents, work_words, ports }
    }

    /// The words of a state.
    pub fn state_words(&self) -> usize {
        self.left(self.options.limit_bits)
    }

    /// The word of the state that a bit of the random generators is.
    pub fn random(&self, bit: usize) -> usize {
        self.fluents + bit
    }

    /// The word of the state that a bit of the countdown is. The number is one more than the moves
    /// that are left, or 0 without a limit.
    pub fn left(&self, bit: usize) -> usize {
        self.fluents + STATE_BITS + bit
    }
}

impl StepPorts {
    /// The words that a step with these options needs, and the first index after them.
    pub(super) fn new(
        options: &StepOptions,
        moves: &[usize],
        choices: &MoveChoices,
        step: &PlayoutStep,
    ) -> (Self, usize) {
        let mut next = ZERO + 1;
        let mut named = || {
            next += 1;
            Slot::new(Space::Work, next - 1)
        };
        let mut words = |count: usize| -> Vec<Slot> { (0..count).map(|_| named()).collect() };
        let mut word = || words(1)[0];
        let [active, ended, stuck] = [(); 3].map(|()| word());
        let cut = (options.limit_bits > 0).then(&mut word);
        let forced_lanes = (options.forced && options.weights.is_none()).then(&mut word);
        let forced = forced_lanes.map(|lanes| {
            let moves = moves.iter().map(|&count| words(count)).collect();
            ForcedPorts { lanes, moves }
        });
        let restart =
            options.restart.then(|| RestartPorts { ready: words(1)[0], random: words(STATE_BITS) });
        let indices: Vec<Vec<Slot>> =
            step.made.iter().map(|made| words(made.index.len())).collect();
        let weighted = choices.trees.iter().filter(|_| options.weights.is_some());
        let choices: Vec<WeightedChoice> =
            weighted.map(|plan| WeightedChoice::new(plan, &mut next)).collect();
        let made = step.made.iter().zip(indices).enumerate();
        let made = made.map(|(role, (made, index))| MadePorts {
            choice: choices.iter().enumerate().find_map(|(at, choice)| {
                Some((at, choice.choosers.iter().position(|chooser| chooser.role == role)?))
            }),
            moves: made.moves.clone(),
            index,
        });
        let made = made.collect();
        (StepPorts { active, ended, stuck, cut, forced, restart, choices, made }, next)
    }

    /// Where an input is, after this number of fluents.
    fn input(&self, input: Input, fluents: usize) -> Slot {
        let forced = || self.forced.as_ref().expect("moves can be forced in this step");
        let restart = || self.restart.as_ref().expect("lanes go on with new playouts in this step");
        match input {
            Input::State(at) => Slot::new(Space::Before, at),
            Input::Random(bit) => Slot::new(Space::Before, fluents + bit),
            Input::Left(bit) => Slot::new(Space::Before, fluents + STATE_BITS + bit),
            Input::Active => self.active,
            Input::Ready => restart().ready,
            Input::Fresh(bit) => restart().random[bit],
            Input::Position(tree, bit) => work(self.choices[tree].position.start + bit),
            Input::IsForced => forced().lanes,
            Input::Forced(role, at) => forced().moves[role][at],
            Input::Does(..) => unreachable!("a step finds its moves itself"),
        }
    }

    /// The routines that compute outputs of a step, before and after a choice by weights, and the
    /// words of their work space.
    pub(super) fn routines(
        &self,
        step: &PlayoutStep,
        mapping: Mapping,
        outputs: &[Output],
        first_free: usize,
        proceed: &dyn Fn() -> bool,
    ) -> ([Routine; 2], usize) {
        let fluents = step.next.len();
        let task = RoutineTask {
            network: &step.network,
            loops: &step.loops,
            mapping,
            input: &|number: u32| self.input(step.inputs[number as usize], fluents),
            outputs,
            positive: &[step.going.node()],
            first_free,
            proceed,
        };
        lower_in_two(&task, &|number| matches!(step.inputs[number as usize], Input::Position(..)))
    }

    fn outputs(&self, step: &PlayoutStep) -> Vec<Output> {
        let mut outputs = vec![
            Output { signal: step.ended, slot: self.ended },
            Output { signal: step.stuck, slot: self.stuck },
        ];
        outputs.extend(self.cut.map(|slot| Output { signal: step.cut, slot }));
        let made = step.made.iter().flat_map(|made| &made.index);
        let made = made.zip(self.made.iter().flat_map(|made| &made.index));
        outputs.extend(made.map(|(&signal, &slot)| Output { signal, slot }));
        let offers = step.offers.iter().zip(&self.choices);
        let offered = offers.flat_map(|(offer, choice)| offer.words(choice));
        outputs.extend(offered.map(|(signal, word)| Output { signal, slot: work(word) }));
        let after = step.next.iter().chain(&step.random).chain(&step.left).enumerate();
        outputs.extend(
            after.map(|(at, &signal)| Output { signal, slot: Slot::new(Space::After, at) }),
        );
        outputs
    }
}

fn work(word: usize) -> Slot {
    Slot::new(Space::Work, word)
}
