//! Leaves out what follows from the rest of a gate.
//!
//! Sheets repeat in `next` what was already needed for the move to be legal, and say of a cell that
//! it is blank and nothing else. What changes is only ever one gate, never what it shares.

use rustc_hash::FxHashMap;

use super::super::budget::WorkBudget;
use super::super::circuit::Circuit;
use super::super::network::{Gate, Signal};
use super::super::rebuild::rebuild;
use super::dead::dead;
use super::flatten::sole_uses;
use super::implied::Implied;
use super::known::{Context, KnownSignals};
use super::pass::PassWork;
use super::superfluous::Alternatives;
use super::turns::turns;

/// The circuit with inputs left out that follow from others of the same gate.
pub(super) fn redundant(circuit: &Circuit, work: PassWork<'_>) -> Circuit {
    let circuit = &without_forced(circuit, work);
    let known = KnownSignals::new(circuit, work);
    let gates = Gates { circuit, known, uses: sole_uses(circuit), budget: work.budget };
    let mut effort = work.params.redundant_effort;
    let changed = rebuild(circuit, work.budget, |network, places, node| {
        if circuit.network.gate(node) != Gate::And {
            return None;
        }
        let inputs = circuit.network.inputs(node);
        let Some(needed) = gates.needed(inputs, &mut effort) else {
            return Some(Signal::FALSE);
        };
        let mut is_changed = needed.len() < inputs.len();
        let context = gates.context(&needed);
        let mut left = Vec::with_capacity(needed.len());
        for input in needed {
            let within = gates.within(&context, input);
            is_changed |= !matches!(within, Within::Same);
            match within {
                Within::Same => left.push(places.of(input)),
                Within::True => {}
                Within::NotAll(open) => left.push(!network.and(places.all(&open))),
            }
        }
        is_changed.then(|| network.and(left))
    });
    dead(&changed, work)
}

/// The circuit with moves that a role cannot but make replaced by the fluents that say so.
fn without_forced(circuit: &Circuit, work: PassWork<'_>) -> Circuit {
    let mut instead: FxHashMap<u32, Signal> = FxHashMap::default();
    for turn in turns(circuit, &Implied::of_moves(circuit, work), work.budget) {
        instead.extend(turn.forced.into_iter().map(|(does, fluent)| (does.node(), fluent)));
    }
    if instead.is_empty() {
        return circuit.clone();
    }
    let seen = |input: Signal| match instead.get(&input.node()) {
        Some(fluent) => fluent.complement_if(input.is_complement()),
        None => input,
    };
    rebuild(circuit, work.budget, |network, places, node| {
        let inputs = circuit.network.inputs(node);
        let is_changed = inputs.iter().any(|&input| seen(input) != input);
        is_changed.then(|| {
            let inputs = inputs.iter().map(|&input| places.of(seen(input)));
            network.and(inputs.collect())
        })
    })
}

struct Gates<'a> {
    circuit: &'a Circuit,
    known: KnownSignals,
    /// By node, how a gate reads it, if nothing else does.
    uses: Vec<Option<Signal>>,
    budget: &'a WorkBudget<'a>,
}

/// What is left of an input when the others are true.
enum Within {
    Same,
    True,
    /// Not all of these hold.
    NotAll(Vec<Signal>),
}

impl Gates<'_> {
    /// The inputs without those that follow from others; nothing if they are never true together.
    fn needed(&self, inputs: &[Signal], effort: &mut u64) -> Option<Vec<Signal>> {
        let context = self.known.context(inputs)?;
        let mut is_needed = vec![true; inputs.len()];
        for (at, &input) in inputs.iter().enumerate() {
            if !is_needed[at] {
                continue;
            }
            for consequence in self.known.implied.by(input) {
                if let Ok(other) = inputs.binary_search(consequence) {
                    is_needed[other] &= other == at;
                }
            }
        }
        for (is_needed, &input) in is_needed.iter_mut().zip(inputs) {
            *is_needed &= !self.known.is_excluded(&context, !input);
        }
        let alternatives = Alternatives::new(&self.circuit.network, inputs);
        alternatives.unmark(&self.known, &mut is_needed, effort, self.budget);
        let needed = inputs.iter().zip(is_needed).filter(|(_, is_needed)| *is_needed);
        Some(needed.map(|(&input, _)| input).collect())
    }

    /// What holds while inputs do, leaving out those that are to be seen in this context.
    fn context(&self, inputs: &[Signal]) -> Option<Context> {
        let plain = inputs.iter().copied().filter(|&input| !self.is_open(input));
        self.known.context(&plain.collect::<Vec<_>>())
    }

    /// Whether an input is a gate seen from the other side that only this gate reads.
    fn is_open(&self, input: Signal) -> bool {
        input.is_complement() && self.uses[input.node() as usize] == Some(input)
    }

    /// What an input says when the context holds.
    fn within(&self, context: &Option<Context>, input: Signal) -> Within {
        let Some(context) = context.as_ref().filter(|_| self.is_open(input)) else {
            return Within::Same;
        };
        let parts = self.circuit.network.inputs(input.node());
        if parts.iter().any(|&part| self.known.holds(context, !part)) {
            return Within::True;
        }
        let is_open = |part: &Signal| !self.known.holds(context, *part);
        let open: Vec<Signal> = parts.iter().copied().filter(is_open).collect();
        match open.len() == parts.len() {
            true => Within::Same,
            false => Within::NotAll(open),
        }
    }
}
