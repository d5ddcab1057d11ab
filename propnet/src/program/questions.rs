//! Questions about many states at once, one state in each lane: what is legal, whether the game is
//! over, the goals, and what comes next after given moves.

use super::copier::{Copier, Input, state_fluents};
use super::cover::Mapping;
use super::lower::{Output, RoutineTask, lower};
use super::op::{Routine, Slot, Space};
use super::slots::ZERO;
use crate::circuit::{Circuit, Cone, Signal};

/// The routines that answer, and where their words are.
///
/// The words of the state are the carried fluents, then the observed ones. The work space begins
/// with a word that must be false in every lane, and the words that are named here.
#[derive(Clone, Debug)]
pub struct Questions {
    /// Whether the game is over, and what is legal.
    pub look: Routine,
    /// The goals.
    pub score: Routine,
    /// The next state after the moves in `does`.
    pub advance: Routine,
    /// The words of the state.
    pub state_words: usize,
    /// The words of the work space.
    pub work_words: usize,
    mapping: Mapping,
    /// Whether the game is over.
    pub terminal: Slot,
    /// By role and move: whether it is legal.
    pub legal: Vec<Vec<Slot>>,
    /// By role and goal value: whether the role has it.
    pub goals: Vec<Vec<Slot>>,
    /// By role and move: whether it is made. To be set, one move of each role.
    pub does: Vec<Vec<Slot>>,
}

impl Questions {
    /// The questions about a circuit. Goals are those of another one with the same ports, which also
    /// knows those of playouts that ended early.
    pub(super) fn new(
        circuit: &Circuit,
        playing: &Circuit,
        mapping: Mapping,
        proceed: &dyn Fn() -> bool,
    ) -> Self {
        let mut next = ZERO + 1;
        let mut named = |count: usize| -> Vec<Slot> {
            next += count;
            (next - count..next).map(|index| Slot::new(Space::Work, index)).collect()
        };
        let terminal = named(1)[0];
        let moves = || circuit.moves.iter().map(Vec::len);
        let mut questions = Questions {
            look: Routine::default(),
            score: Routine::default(),
            advance: Routine::default(),
            state_words: state_fluents(circuit).len(),
            work_words: 0,
            mapping,
            terminal,
            legal: moves().map(&mut named).collect(),
            goals: circuit.goals.iter().map(|goals| named(goals.len())).collect(),
            does: moves().map(&mut named).collect(),
        };
        questions.work_words = next;
        questions.add_look(circuit, next, proceed);
        questions.add_score(playing, next, proceed);
        questions.add_advance(circuit, next, proceed);
        questions
    }

    fn add_look(&mut self, circuit: &Circuit, first_free: usize, proceed: &dyn Fn() -> bool) {
        let mut copier = Copier::new(circuit, &[Cone::Legal, Cone::Terminal]);
        copier.copy(|on_moves| !on_moves);
        let mut outputs = vec![(circuit.terminal, self.terminal)];
        for (ports, slots) in circuit.moves.iter().zip(&self.legal) {
            outputs.extend(ports.iter().zip(slots).map(|(port, &slot)| (port.legal, slot)));
        }
        self.look = self.routine(&copier, outputs, first_free, proceed);
    }

    fn add_score(&mut self, circuit: &Circuit, first_free: usize, proceed: &dyn Fn() -> bool) {
        let mut copier = Copier::new(circuit, &[Cone::Goal]);
        copier.copy(|on_moves| !on_moves);
        let mut outputs = Vec::new();
        for (ports, slots) in circuit.goals.iter().zip(&self.goals) {
            outputs.extend(ports.iter().zip(slots).map(|(port, &slot)| (port.holds, slot)));
        }
        self.score = self.routine(&copier, outputs, first_free, proceed);
    }

    fn add_advance(&mut self, circuit: &Circuit, first_free: usize, proceed: &dyn Fn() -> bool) {
        let mut copier = Copier::new(circuit, &[Cone::Next, Cone::Observed]);
        for (role, ports) in circuit.moves.iter().enumerate() {
            for (at, port) in ports.iter().enumerate() {
                let does = copier.input(Input::Does(role, at));
                copier.put(port.does, does);
            }
        }
        copier.copy(|on_moves| !on_moves);
        copier.copy(|on_moves| on_moves);
        let fluents = state_fluents(circuit).into_iter().enumerate();
        let next =
            fluents.map(|(at, fluent)| (circuit.fluents[fluent].next, Slot::new(Space::After, at)));
        self.advance = self.routine(&copier, next.collect(), first_free, proceed);
    }

    /// The routine for outputs of the circuit.
    fn routine(
        &mut self,
        copier: &Copier<'_>,
        outputs: Vec<(Signal, Slot)>,
        first_free: usize,
        proceed: &dyn Fn() -> bool,
    ) -> Routine {
        let input = |number: u32| match copier.inputs[number as usize] {
            Input::State(at) => Slot::new(Space::Before, at),
            Input::Does(role, at) => self.does[role][at],
            _ => unreachable!("only playouts have other inputs"),
        };
        let output = |(signal, slot)| Output { signal: copier.place(signal), slot };
        let outputs: Vec<Output> = outputs.into_iter().map(output).collect();
        let task = RoutineTask {
            network: &copier.network,
            loops: &copier.loops,
            mapping: self.mapping,
            input: &input,
            outputs: &outputs,
            positive: &[],
            first_free,
            proceed,
        };
        let (routine, work_words) = lower(&task);
        self.work_words = self.work_words.max(work_words);
        routine
    }
}
