//! What follows from a signal being true.
//!
//! From an AND follow its inputs and what follows from them, from an OR what follows from each
//! alternative, and from a move that is made that it is legal. Of each signal only a limited number
//! of consequences are kept, inputs of the network first.

use super::super::circuit::Circuit;
use super::super::cones::Cone;
use super::super::network::{Gate, Signal};
use super::super::rebuild::cone;
use super::pass::PassWork;

/// Looking at a consequence, in units of the budget.
const CONSEQUENCE: u64 = 5;

/// By signal, what follows from it.
#[derive(Debug, Default)]
pub(super) struct Implied {
    /// Where the consequences of each signal end; they begin where the ones before end.
    ends: Vec<usize>,
    consequences: Vec<Signal>,
}

impl Implied {
    /// What follows from the signals of a circuit.
    pub(super) fn new(circuit: &Circuit, work: PassWork<'_>) -> Self {
        Implied::found(circuit, work, true)
    }

    /// What follows from the moves of a circuit, and from the signals that say whether they are
    /// legal.
    pub(super) fn of_moves(circuit: &Circuit, work: PassWork<'_>) -> Self {
        Implied::found(circuit, work, false)
    }

    fn found(circuit: &Circuit, work: PassWork<'_>, all_signals: bool) -> Self {
        // What is legal does not depend on what is made, so it is looked at first.
        let outputs = Cone::Legal.outputs(circuit).into_iter();
        let in_legal = cone(&circuit.network, &circuit.loops, outputs);
        let legal = Implied::collect(circuit, work, |node| in_legal[node as usize], |_| Vec::new());
        let mut when_made = vec![Signal::TRUE; circuit.network.len()];
        for port in circuit.moves.iter().flatten() {
            when_made[port.does.node() as usize] = port.legal;
        }
        let made = |node: u32| match when_made[node as usize] {
            Signal::TRUE => Vec::new(),
            signal => legal.and_itself(signal),
        };
        Implied::collect(circuit, work, |node| all_signals || in_legal[node as usize], made)
    }

    fn collect(
        circuit: &Circuit,
        work: PassWork<'_>,
        wanted: impl Fn(u32) -> bool,
        from_move: impl Fn(u32) -> Vec<Signal>,
    ) -> Self {
        let kept = work.params.consequences;
        let goes_on =
            |inputs: &[Signal]| work.budget.goes_on((inputs.len() * kept) as u64 * CONSEQUENCE);
        let mut implied = Implied::default();
        for node in 0..circuit.network.len() as u32 {
            let inputs = circuit.network.inputs(node);
            let (holds, fails) = match circuit.network.gate(node) {
                Gate::And if wanted(node) && goes_on(inputs) => {
                    (implied.of_all(inputs), implied.of_one(inputs))
                }
                Gate::Move(..) => (from_move(node), Vec::new()),
                _ => (Vec::new(), Vec::new()),
            };
            for mut consequences in [holds, fails] {
                consequences.truncate(kept);
                implied.consequences.append(&mut consequences);
                implied.ends.push(implied.consequences.len());
            }
        }
        implied
    }

    /// What follows from a signal, ascending, itself left out.
    pub(super) fn by(&self, signal: Signal) -> &[Signal] {
        let at = signal.index();
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.consequences[start..self.ends[at]]
    }

    /// What follows from a signal, ascending, with itself.
    pub(super) fn and_itself(&self, signal: Signal) -> Vec<Signal> {
        let mut all = self.by(signal).to_vec();
        if let Err(place) = all.binary_search(&signal) {
            all.insert(place, signal);
        }
        all
    }

    /// What follows from all of the signals together, ascending, with themselves.
    pub(super) fn of_all(&self, signals: &[Signal]) -> Vec<Signal> {
        let by = signals.iter().flat_map(|&signal| self.by(signal));
        let mut all: Vec<Signal> = by.chain(signals).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// What follows from the complement of any of the signals.
    fn of_one(&self, signals: &[Signal]) -> Vec<Signal> {
        let mut common = signals.first().map(|&first| self.and_itself(!first)).unwrap_or_default();
        for &signal in signals {
            if common.is_empty() {
                break;
            }
            let (itself, others) = (!signal, self.by(!signal));
            common.retain(|&one| one == itself || others.binary_search(&one).is_ok());
        }
        common
    }
}
