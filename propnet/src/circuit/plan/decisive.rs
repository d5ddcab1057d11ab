//! Decisive moves as gates: which legal moves win at once, and which let no opponent do so.
//!
//! For each move, the gates of the end and of the role's highest goal are made anew over the state
//! after it, in which the others have made the only move that they had. Most of them read nothing
//! that the move changes, and are the gates that are there already.
//!
//! Playouts that take a win, and stop one of the opponent: Teytaud and Teytaud 2010, "On the Huge
//! Benefit of Decisive Moves in Monte-Carlo Tree Search Algorithms".

use super::super::budget::WorkBudget;
use super::super::circuit::{Circuit, GoalPort};
use super::super::exclusive::Exclusive;
use super::super::network::{Gate, Network, Signal};
use super::super::rebuild::cone;
use super::turns::one_chooses;
use crate::game::goal_value;

/// Which moves playouts leave out where there are better ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DecisiveMoves {
    /// None.
    #[default]
    Off,
    /// All but those that win at once.
    Win,
    /// The same, and where none does, those after which an opponent can win at once.
    Block,
}

/// No more nodes than these are looked at for all moves together.
const MOST_WORK: usize = 20_000_000;
/// With more gates than this share of those of a step, and these besides, playouts would be so much
/// slower that it cannot pay.
const GROWTH: usize = 3;
const SPARE: usize = 2_000;

/// The circuit with the moves that are left as the legal ones: where moves are legal, some are left.
/// What blocks is left out where that takes too many gates. None where what wins takes too many, or
/// where it is not proven that never two roles have a choice.
pub fn decisive(
    circuit: &Circuit,
    kind: DecisiveMoves,
    budget: &WorkBudget<'_>,
) -> Option<Circuit> {
    if kind == DecisiveMoves::Off || !one_chooses(circuit, budget) {
        return None;
    }
    let mut wins = Decisive::new(circuit)?;
    wins.find_wins(budget)?;
    let winning = wins.only_wins();
    let most = GROWTH * step_gates(circuit) + SPARE;
    let fits = |circuit: &Circuit| step_gates(circuit) <= most;
    let blocking = match kind {
        DecisiveMoves::Block => wins.and_blocks(budget),
        _ => None,
    };
    blocking.filter(fits).or(Some(winning).filter(fits))
}

/// The two-input gates that a step of a playout needs.
fn step_gates(circuit: &Circuit) -> usize {
    let legal = circuit.moves.iter().flatten().map(|port| port.legal);
    let next = circuit.fluents.iter().map(|port| port.next);
    let network = &circuit.network;
    let marks = cone(network, &circuit.loops, legal.chain(next).chain([circuit.terminal]));
    let nodes = (1..network.len() as u32).filter(|&node| marks[node as usize]);
    nodes.map(|node| network.inputs(node).len().saturating_sub(1)).sum()
}

/// The gates of decisive moves, as they are made.
struct Decisive<'c> {
    old: &'c Circuit,
    circuit: Circuit,
    /// By role: the moves among which there is a choice.
    chosen: Vec<Vec<usize>>,
    /// By role: the end of the game with its highest goal.
    won: Vec<Signal>,
    /// By role and chosen move: whether it is legal and wins at once.
    wins: Vec<Vec<Signal>>,
    /// By role: whether one does.
    any: Vec<Signal>,
}

impl<'c> Decisive<'c> {
    fn new(old: &'c Circuit) -> Option<Self> {
        let exclusive = Exclusive::new(old);
        let choices = |role: usize| {
            let alone = exclusive.alone(role);
            let mut moves = exclusive.possible(role);
            moves.retain(|at| alone.binary_search(at).is_err());
            moves
        };
        let mut circuit = old.clone();
        let mut won = Vec::new();
        for goals in &old.goals {
            let value = |goal: &&GoalPort| goal_value(&old.names.text(goal.value));
            let highest = goals.iter().max_by_key(value)?;
            won.push(circuit.network.and(vec![old.terminal, highest.holds]));
        }
        let chosen: Vec<Vec<usize>> = (0..old.moves.len()).map(choices).collect();
        let count: usize = chosen.iter().map(Vec::len).sum();
        let has_loops = !old.loops.is_empty();
        (!has_loops && count.saturating_mul(old.network.len()) <= MOST_WORK).then_some(Decisive {
            old,
            circuit,
            chosen,
            won,
            wins: Vec::new(),
            any: Vec::new(),
        })
    }

    /// Makes what says whether moves win.
    fn find_wins(&mut self, budget: &WorkBudget<'_>) -> Option<()> {
        for role in 0..self.chosen.len() {
            let won = self.won[role];
            let after = self.after_moves(role, won, budget)?;
            let legal = self.chosen[role].iter().map(|&at| self.old.moves[role][at].legal);
            let pairs: Vec<Vec<Signal>> =
                legal.zip(after).map(|(legal, won)| vec![legal, won]).collect();
            let wins: Vec<Signal> =
                pairs.into_iter().map(|pair| self.circuit.network.and(pair)).collect();
            self.any.push(self.circuit.network.or(wins.clone()));
            self.wins.push(wins);
        }
        Some(())
    }

    /// By chosen move of a role: what a signal will be after it. None where it takes too many gates.
    fn after_moves(
        &mut self,
        role: usize,
        signal: Signal,
        budget: &WorkBudget<'_>,
    ) -> Option<Vec<Signal>> {
        let old = self.old;
        let network = &mut self.circuit.network;
        let read = cone(network, &[], [signal].into_iter());
        let later = AndNodes::of(network, &read);
        let fluents: Vec<usize> = (0..old.fluents.len())
            .filter(|&fluent| {
                let node = old.fluents[fluent].now.node();
                matches!(network.gate(node), Gate::Fluent(own) if own as usize == fluent)
                    && read[node as usize]
            })
            .collect();
        let next = fluents.iter().map(|&fluent| old.fluents[fluent].next);
        let sooner = AndNodes::of(network, &cone(network, &[], next));
        let most = 2 * (GROWTH + 1) * old.network.len() + 10 * SPARE;
        let mut found = Vec::with_capacity(self.chosen[role].len());
        for &at in &self.chosen[role] {
            let cost = (sooner.nodes.len() + later.nodes.len()) as u64;
            if network.len() > most || !budget.goes_on(100 * cost) {
                return None;
            }
            let mut does = Places::new(network);
            for (other, ports) in old.moves.iter().enumerate() {
                for (number, port) in ports.iter().enumerate() {
                    // What the others do is the only thing that they can do.
                    does.put(
                        port.does,
                        match (other == role, number == at) {
                            (true, true) => Signal::TRUE,
                            (true, false) => Signal::FALSE,
                            (false, _) => port.legal,
                        },
                    );
                }
            }
            does.make(network, &sooner);
            let mut after = Places::new(network);
            for &fluent in &fluents {
                let port = &old.fluents[fluent];
                after.put(port.now, does.of(port.next));
            }
            after.make(network, &later);
            found.push(after.of(signal));
        }
        Some(found)
    }

    /// The circuit in which what wins is all that is left, where there is such a move.
    fn only_wins(&self) -> Circuit {
        let mut circuit = self.circuit.clone();
        for (role, moves) in self.chosen.iter().enumerate() {
            for (&at, &win) in moves.iter().zip(&self.wins[role]) {
                let port = &mut circuit.moves[role][at];
                let other = circuit.network.and(vec![!self.any[role], port.legal]);
                port.legal = circuit.network.or(vec![win, other]);
            }
        }
        circuit
    }

    /// The same, in which else only moves are left after which no opponent can win at once.
    fn and_blocks(&mut self, budget: &WorkBudget<'_>) -> Option<Circuit> {
        let mut ports = self.old.moves.clone();
        for (role, own) in ports.iter_mut().enumerate() {
            let others = (0..self.any.len()).filter(|&other| other != role);
            let threats = others.map(|other| self.any[other]).collect();
            let threat = self.circuit.network.or(threats);
            let after = self.after_moves(role, threat, budget)?;
            let network = &mut self.circuit.network;
            let legal = |at: usize| self.old.moves[role][at].legal;
            let moves = self.chosen[role].iter().zip(&after);
            let safe: Vec<Signal> =
                moves.map(|(&at, &threat)| network.and(vec![legal(at), !threat])).collect();
            let any_safe = network.or(safe.clone());
            for ((&at, &win), &safe) in self.chosen[role].iter().zip(&self.wins[role]).zip(&safe) {
                let safe = network.and(vec![!self.any[role], safe]);
                let other = network.and(vec![!self.any[role], !any_safe, legal(at)]);
                own[at].legal = network.or(vec![win, safe, other]);
            }
        }
        Some(Circuit { moves: ports, ..self.circuit.clone() })
    }
}

/// The gates among some nodes, inputs before what reads them.
struct AndNodes {
    nodes: Vec<u32>,
}

impl AndNodes {
    fn of(network: &Network, marks: &[bool]) -> Self {
        let is_gate = |&node: &u32| marks[node as usize] && network.gate(node) == Gate::And;
        AndNodes { nodes: (1..network.len() as u32).filter(is_gate).collect() }
    }
}

/// By node: what stands in its place.
struct Places(Vec<Signal>);

impl Places {
    /// Every node stands for itself.
    fn new(network: &Network) -> Self {
        Places((0..network.len() as u32).map(Signal::of).collect())
    }

    /// What stands in the place of a signal.
    fn of(&self, signal: Signal) -> Signal {
        self.0[signal.node() as usize].complement_if(signal.is_complement())
    }

    /// Says what stands in the place of an input.
    fn put(&mut self, input: Signal, other: Signal) {
        if input.node() != 0 {
            self.0[input.node() as usize] = other.complement_if(input.is_complement());
        }
    }

    /// Makes the gates anew whose inputs are others.
    fn make(&mut self, network: &mut Network, gates: &AndNodes) {
        for &node in &gates.nodes {
            let inputs = network.inputs(node);
            if inputs.iter().any(|&input| self.of(input) != input) {
                let inputs = inputs.iter().map(|&input| self.of(input)).collect();
                self.0[node as usize] = network.and(inputs);
            }
        }
    }
}
