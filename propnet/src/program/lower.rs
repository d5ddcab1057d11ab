//! Cells -> routine: an order, a place for each word, and the operations themselves.
//!
//! The order is depth first from the outputs, so that what is made is soon used up, and the place
//! that became free last is taken first: both keep the words that are in use few and near.

use std::ops::Deref;

use super::cover::{Cell, Mapping, cells};
use super::op::{Block, Feedback, Op, Routine, Slot, Space, table};
use super::slots::{Lives, WordPlaces};
use crate::circuit::{Gate, Loop, Network, Schedule, Signal, Stretch, cone};

/// A signal that leaves a routine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Output {
    /// What leaves.
    pub(super) signal: Signal,
    /// Where to. A slot of the work space is kept.
    pub(super) slot: Slot,
}

/// What is to be made into a routine.
pub(super) struct RoutineTask<'a> {
    /// The gates.
    pub(super) network: &'a Network,
    /// The blocks that are repeated, dependencies first.
    pub(super) loops: &'a [Loop],
    /// The operations that there are.
    pub(super) mapping: Mapping,
    /// Where the input with a number is.
    pub(super) input: &'a dyn Fn(u32) -> Slot,
    /// What leaves.
    pub(super) outputs: &'a [Output],
    /// Nodes whose words are not to be complements, since very many read them.
    pub(super) positive: &'a [u32],
    /// The first index of the work space that is free for words of the routine's own.
    pub(super) first_free: usize,
    /// Whether the caller still wants the routine; if not, any routine will do.
    pub(super) proceed: &'a dyn Fn() -> bool,
}

/// The routine, and how many words of the work space it needs.
pub(super) fn lower(task: &RoutineTask<'_>) -> (Routine, usize) {
    let ([routine, _], words) = lower_in_two(task, &|_| false);
    (routine, words)
}

/// Two routines, to be done one after the other on the same words, and how many of the work space
/// they need. In the second is what depends on inputs that are late: they are set between the two.
pub(super) fn lower_in_two(
    task: &RoutineTask<'_>,
    is_late: &dyn Fn(u32) -> bool,
) -> ([Routine; 2], usize) {
    // What was stopped is given up as a whole; see `Program::with_options_while`.
    if !(task.proceed)() {
        return Default::default();
    }
    let outputs = task.outputs.iter().map(|output| output.signal);
    let members = task.loops.iter().flat_map(|block| &block.members);
    let roots = outputs.chain(members.map(|member| member.value));
    let cells = cells(task.network, task.mapping, roots, task.proceed);
    if !(task.proceed)() {
        return Default::default();
    }
    let task = &Covered { task, cells };
    let needed = needed(task);
    let stretches = ordered(task, &needed);
    let late = late_nodes(task, &stretches, is_late);
    let halves = [false, true].map(|second| part(&stretches, &late, second));
    let lives = Lives::new(task, &halves.concat());
    let mut lowering = Lowering {
        task,
        places: WordPlaces::new(task, &needed, lives),
        complemented: vec![false; task.network.len()],
    };
    let mut time = 0;
    let [mut first, rest] = [false, true].map(|second| {
        let is_here = |output: &&Output| late[output.signal.node() as usize] == second;
        let outputs = task.outputs.iter().filter(is_here);
        lowering.routine(&halves[usize::from(second)], outputs, &mut time)
    });
    first.keeps.extend(rest.reads().into_iter().filter(|slot| slot.space() == Space::Work));
    ([first, rest], lowering.places.words())
}

/// By node, whether it depends on a late input.
fn late_nodes(
    task: &Covered<'_>,
    stretches: &[Stretch],
    is_late: &dyn Fn(u32) -> bool,
) -> Vec<bool> {
    let nodes = 0..task.network.len() as u32;
    let is_input =
        |node| matches!(task.network.gate(node), Gate::Fluent(number) if is_late(number));
    let mut late: Vec<bool> = nodes.map(is_input).collect();
    let reads_late = |late: &[bool], node: u32| {
        let mut inputs = task.cells[node as usize].iter().flat_map(Cell::inputs);
        inputs.any(|input| late[input as usize])
    };
    for stretch in stretches {
        match stretch.repeats {
            None => {
                for &node in &stretch.gates {
                    late[node as usize] = reads_late(&late, node);
                }
            }
            // A loop is late as a whole.
            Some(number) if stretch.gates.iter().any(|&node| reads_late(&late, node)) => {
                let members = task.loops[number].members.iter();
                let fed = members.map(|member| member.feedback.node());
                fed.chain(stretch.gates.iter().copied())
                    .for_each(|node| late[node as usize] = true);
            }
            Some(_) => {}
        }
    }
    late
}

/// The gates of stretches that are late, or those that are not.
fn part(stretches: &[Stretch], late: &[bool], second: bool) -> Vec<Stretch> {
    let of_part = |stretch: &Stretch| {
        let gates = stretch.gates.iter().copied();
        let gates = gates.filter(|&node| late[node as usize] == second).collect();
        Stretch { gates, repeats: stretch.repeats }
    };
    // A loop without gates is early.
    let is_there = |(part, whole): &(Stretch, &Stretch)| {
        !part.gates.is_empty() || whole.gates.is_empty() && !second
    };
    let parts = stretches.iter().map(|stretch| (of_part(stretch), stretch));
    parts.filter(is_there).map(|(part, _)| part).collect()
}

/// A task whose cells are known.
pub(super) struct Covered<'a> {
    task: &'a RoutineTask<'a>,
    /// By node: how it is computed.
    pub(super) cells: Vec<Option<Cell>>,
}

impl<'a> Deref for Covered<'a> {
    type Target = RoutineTask<'a>;

    fn deref(&self) -> &RoutineTask<'a> {
        self.task
    }
}

/// By node, whether it is computed or read.
fn needed(task: &Covered<'_>) -> Vec<bool> {
    let roots = task.outputs.iter().map(|output| output.signal);
    let in_cone = cone(task.network, task.loops, roots.clone());
    // Loops that are in the cone are needed with all their members.
    let members = task.loops.iter().flat_map(|block| &block.members);
    let members = members.filter(|member| in_cone[member.feedback.node() as usize]);
    let mut todo: Vec<u32> = roots.map(Signal::node).collect();
    todo.extend(members.flat_map(|member| [member.feedback.node(), member.value.node()]));
    let mut needed = vec![false; task.network.len()];
    while let Some(node) = todo.pop() {
        if !std::mem::replace(&mut needed[node as usize], true) {
            todo.extend(task.cells[node as usize].iter().flat_map(Cell::inputs));
        }
    }
    needed
}

/// The stretches with their gates depth first.
fn ordered(task: &Covered<'_>, needed: &[bool]) -> Vec<Stretch> {
    let schedule = Schedule::of(task.network, task.loops, |node| needed[node as usize]);
    let mut stretches = schedule.stretches;
    let mut done = vec![false; task.network.len()];
    for stretch in &mut stretches {
        let mut inside = vec![false; task.network.len()];
        stretch.gates.iter().for_each(|&node| inside[node as usize] = true);
        let outputs = task.outputs.iter().map(|output| output.signal.node());
        let roots = outputs.chain(stretch.gates.iter().rev().copied());
        let mut order = Vec::with_capacity(stretch.gates.len());
        for root in roots.filter(|&root| inside[root as usize]) {
            depth_first(task, root, &inside, &mut done, &mut order);
        }
        stretch.gates = order;
    }
    stretches
}

fn depth_first(
    task: &Covered<'_>,
    root: u32,
    inside: &[bool],
    done: &mut [bool],
    order: &mut Vec<u32>,
) {
    let mut stack = vec![(root, false)];
    while let Some((node, inputs_done)) = stack.pop() {
        if done[node as usize] {
            continue;
        }
        if inputs_done {
            done[node as usize] = true;
            order.push(node);
            continue;
        }
        stack.push((node, true));
        let inputs = task.cells[node as usize].iter().flat_map(Cell::inputs);
        stack.extend(inputs.filter(|&input| inside[input as usize]).map(|input| (input, false)));
    }
}

struct Lowering<'a> {
    task: &'a Covered<'a>,
    places: WordPlaces,
    /// By node: whether its word holds the complement.
    complemented: Vec<bool>,
}

impl Lowering<'_> {
    fn routine<'o>(
        &mut self,
        stretches: &[Stretch],
        outputs: impl Iterator<Item = &'o Output> + Clone,
        time: &mut usize,
    ) -> Routine {
        let blocks = stretches.iter().map(|stretch| self.block(stretch, time));
        let mut blocks: Vec<Block> = blocks.collect();
        blocks.push(self.outputs(outputs.clone()));
        blocks.retain(|block| !block.ops.is_empty() || !block.feedback.is_empty());
        let keeps = outputs.map(|output| output.slot);
        Routine { blocks, keeps: keeps.filter(|slot| slot.space() == Space::Work).collect() }
    }

    fn block(&mut self, stretch: &Stretch, time: &mut usize) -> Block {
        let mut ops = Vec::with_capacity(stretch.gates.len());
        for &node in &stretch.gates {
            self.compute(node, *time, &mut ops);
            *time += 1;
        }
        let mut feedback = Vec::new();
        if let Some(number) = stretch.repeats {
            for member in &self.task.loops[number].members {
                let value = self.positive(member.value, &mut ops);
                feedback.push(Feedback { word: self.places.of(member.feedback.node()), value });
            }
        }
        self.places.release(*time);
        *time += 1;
        Block { ops, feedback }
    }

    /// Adds the operations that make the word of a node.
    fn compute(&mut self, node: u32, time: usize, ops: &mut Vec<Op>) {
        let (table, inputs, complemented) = self.operation(node);
        let inputs = inputs.map(|input| self.places.of(input));
        self.places.release(time);
        let turn = complemented && self.task.positive.contains(&node);
        self.complemented[node as usize] = complemented && !turn;
        let target = self.places.take(node, complemented && !turn);
        ops.push(Op { table, inputs, target });
        if turn {
            ops.push(Op { table: table::NOT, inputs: [target; 3], target });
        }
    }

    /// The table for a node, what it reads, and whether the complement comes out.
    fn operation(&self, node: u32) -> (u8, [u32; 3], bool) {
        let two = |a: Signal, b: Signal| [a.node(), b.node(), b.node()];
        match self.task.cells[node as usize].expect("a gate has a cell") {
            Cell::And(a, b) => match (self.is_complement(a), self.is_complement(b)) {
                (false, false) => (table::AND, two(a, b), false),
                (true, false) => (table::AND_NOT, two(a, b), false),
                (false, true) => (table::AND_NOT, two(b, a), false),
                (true, true) => (table::OR, two(a, b), true),
            },
            Cell::Xor(a, b) => {
                (table::XOR, two(a, b), self.is_complement(a) != self.is_complement(b))
            }
            Cell::Table(table, inputs) => (table, inputs, false),
        }
    }

    /// Whether the word of the signal's node has to be complemented to be the signal.
    fn is_complement(&self, signal: Signal) -> bool {
        signal.is_complement() != self.complemented[signal.node() as usize]
    }

    /// A slot that holds the signal itself.
    fn positive(&mut self, signal: Signal, ops: &mut Vec<Op>) -> Slot {
        let slot = self.places.of(signal.node());
        if !self.is_complement(signal) && !self.is_feedback(signal) {
            return slot;
        }
        let target = self.places.fresh();
        let table = if self.is_complement(signal) { table::NOT } else { table::COPY };
        ops.push(Op { table, inputs: [slot; 3], target });
        target
    }

    fn is_feedback(&self, signal: Signal) -> bool {
        matches!(self.task.network.gate(signal.node()), Gate::Feedback(..))
    }

    /// Copies to where outputs are expected, unless they are there.
    fn outputs<'o>(&self, outputs: impl Iterator<Item = &'o Output>) -> Block {
        let mut ops = Vec::new();
        for output in outputs {
            let slot = self.places.of(output.signal.node());
            let table = match self.is_complement(output.signal) {
                true => table::NOT,
                false if slot == output.slot => continue,
                false => table::COPY,
            };
            ops.push(Op { table, inputs: [slot; 3], target: output.slot });
        }
        Block { ops, feedback: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::LoopMember;
    use crate::lanes::run;

    fn work(index: usize) -> Slot {
        Slot::new(Space::Work, index)
    }

    /// `early` is made before the late input is known. Of the loop's members one waits for the late
    /// input, the other one has a value that is early.
    #[test]
    fn what_is_late_is_in_the_second_routine() {
        let mut network = Network::default();
        let [a, b, late] = [0, 1, 2].map(|number| network.add_source(Gate::Fluent(number)));
        let [fed, other] = [0, 1].map(|member| network.add_source(Gate::Feedback(0, member)));
        let early = network.and(vec![a, b]);
        let grown = network.and(vec![other, late]);
        let value = network.or(vec![grown, fed]);
        let members = [(fed, value), (other, early)];
        let members = members.map(|(feedback, value)| LoopMember { feedback, value }).into();
        let loops = [Loop { members, sweeps: 3 }];
        let outputs = [(early, 4), (fed, 5), (!late, 6)]
            .map(|(signal, index)| Output { signal, slot: work(index) });
        let task = RoutineTask {
            network: &network,
            loops: &loops,
            mapping: Mapping::TwoInputs,
            input: &|number| work(number as usize + 1),
            outputs: &outputs,
            positive: &[],
            first_free: 7,
            proceed: &|| true,
        };
        let ([first, rest], words) = lower_in_two(&task, &|number| number == 2);
        let mut memory = vec![0u64; words];
        memory[1..3].copy_from_slice(&[0b0101, 0b0011]);
        run(&first, &[], &mut [], &mut memory);
        assert_eq!(memory[4], 0b0001);
        memory[3] = 0b1111;
        run(&rest, &[], &mut [], &mut memory);
        assert_eq!(memory[4..7], [0b0001, 0b0001, !0b1111]);
        assert!(first.keeps.contains(&work(4)), "the loop reads it");
        let (whole, _) = lower(&task);
        assert!(whole.keeps.len() == outputs.len());
    }
}
