//! Operations on slots become operations on values.
//!
//! A slot is a name that is used again and again; a value is made once. With values it is plain
//! when something is needed next, and never again. Copies are no operations here but second names.

use super::error::MachineError;
use super::level::Level;
use super::segments::{Segment, SpaceSizes};
use super::tables::reduce;
use crate::program::{Op, Slot, table};

/// A value, numbered within its segment.
pub(super) type ValueId = u32;

/// No value; also: no position.
pub(super) const NONE: u32 = u32::MAX;

/// A OR (B XOR C): what is gathered of changes in a sweep.
const GATHER: u8 = 0b1111_0110;

/// What is done with values, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) action: Action,
    /// The values read; as many as the arity says, all different.
    pub(super) inputs: [ValueId; 3],
    pub(super) arity: u8,
    /// Where each of them is read next after this event.
    pub(super) next: [u32; 3],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Makes a value by a truth table whose first inputs matter, and only these.
    Make { table: u8, result: ValueId, first_use: u32 },
    /// Writes the input to memory.
    Store(Slot),
    /// Ends a sweep: it is repeated where any lane of the input is set.
    Repeat,
}

/// A segment with values in place of slots.
pub(super) struct Lifted {
    pub(super) events: Vec<Event>,
    /// Of each value: where it is in memory at the beginning.
    pub(super) homes: Vec<Option<Slot>>,
    /// Words that are set to all-false before the first sweep. Not empty where there are sweeps.
    pub(super) cleared: Vec<Slot>,
}

impl Event {
    pub(super) fn inputs(&self) -> &[ValueId] {
        &self.inputs[..self.arity as usize]
    }

    fn result(&self) -> Option<ValueId> {
        if let Action::Make { result, .. } = self.action { Some(result) } else { None }
    }
}

/// Lifts segments one after the other; holds what they share.
pub(super) struct Lifter {
    level: Level,
    sizes: SpaceSizes,
    /// The value that each word has now, by its number.
    current: Vec<ValueId>,
    /// The words that have one.
    touched: Vec<usize>,
}

impl Lifter {
    pub(super) fn new(level: Level, sizes: SpaceSizes) -> Self {
        Lifter { level, sizes, current: vec![NONE; sizes.total()], touched: Vec::new() }
    }

    pub(super) fn lift(&mut self, segment: &Segment) -> Result<Lifted, MachineError> {
        let cleared = segment.feedback().iter().map(|feedback| feedback.word).collect();
        let mut lifted = Lifted { events: Vec::new(), homes: Vec::new(), cleared };
        for (op, &store) in segment.ops().zip(&segment.stores) {
            let value = self.op(op, segment, &mut lifted)?;
            self.name(op.target, value);
            if store {
                lifted.push(Action::Store(op.target), &[value]);
            }
        }
        self.feed_back(segment, &mut lifted);
        for number in self.touched.drain(..) {
            self.current[number] = NONE;
        }
        lifted.drop_unused();
        lifted.link_uses();
        Ok(lifted)
    }

    /// The value of an operation's result.
    fn op(
        &mut self,
        op: &Op,
        segment: &Segment,
        lifted: &mut Lifted,
    ) -> Result<ValueId, MachineError> {
        if self.level == Level::Avx2 && !TWO_INPUT_TABLES.contains(&op.table) {
            return Err(MachineError::Table { table: op.table });
        }
        let values = op.inputs.map(|slot| self.read(slot, lifted));
        let reduced = reduce(op.table, values);
        let inputs = reduced.sources.map(|source| values[source as usize]);
        let inputs = &inputs[..reduced.arity as usize];
        // A second name for a word that is overwritten later on would outlive its memory.
        let is_rewritten = |value: ValueId| {
            let home = lifted.homes[value as usize];
            home.is_some_and(|slot| segment.rewritten.binary_search(&slot).is_ok())
        };
        if reduced.arity == 1 && reduced.table == table::COPY && !is_rewritten(inputs[0]) {
            return Ok(inputs[0]);
        }
        Ok(lifted.make(reduced.table, inputs))
    }

    /// Gathers what a sweep changed, hands on its values, and asks for another one.
    fn feed_back(&mut self, segment: &Segment, lifted: &mut Lifted) {
        let mut changed = None;
        for feedback in segment.feedback() {
            let old = self.read(feedback.word, lifted);
            let new = self.read(feedback.value, lifted);
            if old == new {
                continue;
            }
            changed = Some(match (changed, self.level) {
                (None, _) => lifted.make(table::XOR, &[old, new]),
                (Some(changed), Level::Avx512) => lifted.make(GATHER, &[changed, old, new]),
                (Some(changed), Level::Avx2) => {
                    let differs = lifted.make(table::XOR, &[old, new]);
                    lifted.make(table::OR, &[changed, differs])
                }
            });
            lifted.push(Action::Store(feedback.word), &[new]);
        }
        if let Some(changed) = changed {
            lifted.push(Action::Repeat, &[changed]);
        }
    }

    /// The value that a word has now.
    fn read(&mut self, slot: Slot, lifted: &mut Lifted) -> ValueId {
        let known = self.current[self.sizes.number(slot)];
        if known != NONE {
            return known;
        }
        let value = lifted.value(Some(slot));
        self.name(slot, value);
        value
    }

    fn name(&mut self, slot: Slot, value: ValueId) {
        let number = self.sizes.number(slot);
        if self.current[number] == NONE {
            self.touched.push(number);
        }
        self.current[number] = value;
    }
}

/// What there are instructions for without ternary logic.
const TWO_INPUT_TABLES: [u8; 6] =
    [table::AND, table::AND_NOT, table::OR, table::XOR, table::NOT, table::COPY];

impl Lifted {
    fn value(&mut self, home: Option<Slot>) -> ValueId {
        self.homes.push(home);
        self.homes.len() as ValueId - 1
    }

    fn make(&mut self, table: u8, inputs: &[ValueId]) -> ValueId {
        let result = self.value(None);
        self.push(Action::Make { table, result, first_use: NONE }, inputs);
        result
    }

    fn push(&mut self, action: Action, inputs: &[ValueId]) {
        let mut event =
            Event { action, inputs: [NONE; 3], arity: inputs.len() as u8, next: [NONE; 3] };
        event.inputs[..inputs.len()].copy_from_slice(inputs);
        self.events.push(event);
    }

    /// Drops what makes values that nothing needs.
    fn drop_unused(&mut self) {
        let mut used = vec![false; self.homes.len()];
        for event in self.events.iter().rev() {
            if event.result().is_none_or(|result| used[result as usize]) {
                event.inputs().iter().for_each(|&value| used[value as usize] = true);
            }
        }
        self.events.retain(|event| event.result().is_none_or(|result| used[result as usize]));
    }

    /// Notes for each value read where it is read next.
    fn link_uses(&mut self) {
        let mut next_use = vec![NONE; self.homes.len()];
        for (position, event) in self.events.iter_mut().enumerate().rev() {
            if let Action::Make { result, first_use, .. } = &mut event.action {
                *first_use = next_use[*result as usize];
            }
            for input in 0..event.arity as usize {
                let value = event.inputs[input] as usize;
                event.next[input] = std::mem::replace(&mut next_use[value], position as u32);
            }
        }
    }
}
