//! Parts of a circuit copied into the network of a routine.

use crate::circuit::{
    Circuit, Cone, Cones, FluentKind, Gate, Loop, LoopMember, Network, Signal, cone,
};

/// What an input of a routine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Input {
    /// A word of the state, by its place there.
    State(usize),
    /// A bit of the random generators.
    Random(usize),
    /// Whether a lane is at play.
    Active,
    /// A bit of the number that counts the moves left.
    Left(usize),
    /// Whether a new playout is ready for a lane that is over.
    Ready,
    /// A bit of the random generators with which a new playout starts.
    Fresh(usize),
    /// A bit of the position that was chosen by weights: tree, bit.
    Position(usize, usize),
    /// Whether a lane has a forced joint move.
    IsForced,
    /// Whether a move is forced: role, move.
    Forced(usize, usize),
    /// Whether a move is made: role, move.
    Does(usize, usize),
}

/// A network that takes in parts of a circuit.
pub(super) struct Copier<'a> {
    pub(super) circuit: &'a Circuit,
    /// The gates, none with more than two inputs.
    pub(super) network: Network,
    /// The blocks that are repeated, dependencies first.
    pub(super) loops: Vec<Loop>,
    /// What the input with each number is.
    pub(super) inputs: Vec<Input>,
    /// By node of the circuit: where it is here.
    places: Vec<Signal>,
    /// By node of the circuit: whether it is wanted.
    needed: Vec<bool>,
    /// By node of the circuit: whether it depends on the moves.
    on_moves: Vec<bool>,
}

impl<'a> Copier<'a> {
    /// Takes in what these cones need. The fluents of the state are there from the start.
    pub(super) fn new(circuit: &'a Circuit, wanted: &[Cone]) -> Self {
        let cones = Cones::new(circuit);
        let nodes = 0..circuit.network.len() as u32;
        let mut copier = Copier {
            circuit,
            network: Network::default(),
            loops: Vec::new(),
            inputs: Vec::new(),
            places: vec![Signal::FALSE; circuit.network.len()],
            needed: nodes.map(|node| cones.has_any(node, wanted)).collect(),
            on_moves: depends_on_moves(circuit),
        };
        for (at, fluent) in state_fluents(circuit).into_iter().enumerate() {
            let input = copier.input(Input::State(at));
            copier.put(circuit.fluents[fluent].now, input);
        }
        copier
    }

    /// A new input. Inputs of routines are numbered, as the fluents of circuits are.
    pub(super) fn input(&mut self, input: Input) -> Signal {
        self.inputs.push(input);
        self.network.add_source(Gate::Fluent(self.inputs.len() as u32 - 1))
    }

    /// Where a signal of the circuit is.
    pub(super) fn place(&self, signal: Signal) -> Signal {
        self.places[signal.node() as usize].complement_if(signal.is_complement())
    }

    /// Says where an input of the circuit is.
    pub(super) fn put(&mut self, old: Signal, new: Signal) {
        if old.node() != 0 {
            self.places[old.node() as usize] = new.complement_if(old.is_complement());
        }
    }

    /// Whether a move may be made.
    pub(super) fn legal(&self, role: usize, at: usize) -> Signal {
        self.place(self.circuit.moves[role][at].legal)
    }

    /// Copies the gates whose dependence on the moves is as wanted, and their loops.
    pub(super) fn copy(&mut self, wanted: impl Fn(bool) -> bool) {
        let first = self.loops.len();
        let mut numbers = vec![0; self.circuit.loops.len()];
        let mut copied = Vec::new();
        for (number, block) in self.circuit.loops.iter().enumerate() {
            let node = block.members[0].feedback.node() as usize;
            if self.needed[node] && wanted(self.on_moves[node]) {
                numbers[number] = (first + copied.len()) as u32;
                copied.push(block);
            }
        }
        for node in 1..self.circuit.network.len() as u32 {
            let at = node as usize;
            if !self.needed[at] || !wanted(self.on_moves[at]) {
                continue;
            }
            match self.circuit.network.gate(node) {
                Gate::And => {
                    let inputs = self.circuit.network.inputs(node);
                    let inputs = inputs.iter().map(|&input| self.place(input)).collect();
                    self.places[at] = and_in_pairs(&mut self.network, inputs);
                }
                Gate::Feedback(number, member) => {
                    let gate = Gate::Feedback(numbers[number as usize], member);
                    self.places[at] = self.network.add_source(gate);
                }
                Gate::False | Gate::Fluent(_) | Gate::Move(..) => {}
            }
        }
        for block in copied {
            let member = |member: &LoopMember| LoopMember {
                feedback: self.place(member.feedback),
                value: self.place(member.value),
            };
            let members = block.members.iter().map(member).collect();
            self.loops.push(Loop { members, sweeps: block.sweeps });
        }
    }
}

/// The fluents that are words of a state: first those that are carried, then those that are only
/// observed, which playouts leave out.
pub(super) fn state_fluents(circuit: &Circuit) -> Vec<usize> {
    let of_kind = |kind| {
        let fluents = circuit.fluents.iter().enumerate();
        fluents.filter(move |(_, port)| port.kind == kind).map(|(fluent, _)| fluent)
    };
    of_kind(FluentKind::Carried).chain(of_kind(FluentKind::Observed)).collect()
}

/// By node, whether it depends on the moves.
fn depends_on_moves(circuit: &Circuit) -> Vec<bool> {
    let network = &circuit.network;
    let of_loop = |block: &Loop| {
        let values = block.members.iter().map(|member| member.value);
        let nodes = cone(network, &circuit.loops, values);
        let mut marked = (0..network.len()).filter(|&node| nodes[node]);
        marked.any(|node| matches!(network.gate(node as u32), Gate::Move(..)))
    };
    let loops: Vec<bool> = circuit.loops.iter().map(of_loop).collect();
    let mut depends = vec![false; network.len()];
    for node in 0..network.len() as u32 {
        depends[node as usize] = match network.gate(node) {
            Gate::Move(..) => true,
            Gate::Feedback(number, _) => loops[number as usize],
            _ => network.inputs(node).iter().any(|input| depends[input.node() as usize]),
        };
    }
    depends
}

/// All of the signals, by gates with two inputs.
pub(super) fn and_in_pairs(network: &mut Network, mut signals: Vec<Signal>) -> Signal {
    while signals.len() > 2 {
        signals = signals.chunks(2).map(|pair| network.and(pair.to_vec())).collect();
    }
    network.and(signals)
}

/// One of the signals, by gates with two inputs.
pub(super) fn or_in_pairs(network: &mut Network, signals: Vec<Signal>) -> Signal {
    !and_in_pairs(network, signals.into_iter().map(|signal| !signal).collect())
}
