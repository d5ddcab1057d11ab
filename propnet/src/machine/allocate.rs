//! Values get registers, and operations become instructions on them.

use super::error::MachineError;
use super::instruction::{Instruction, Register, WordSource};
use super::level::Level;
use super::lift::{Action, Event, Lifted, NONE, ValueId};
use super::lower::{Form, ONES};
use super::registers::{Registers, Spills};
use crate::program::table;

/// The caller is asked once per this number of events: every few milliseconds.
const ASK_EVERY: usize = 1 << 12;

/// The instructions of all segments, and how many spill slots they use after the given number of
/// words of the work space.
pub(super) fn allocate(
    segments: &[Lifted],
    level: Level,
    work: usize,
    go_on: &dyn Fn() -> Result<(), MachineError>,
) -> Result<(Vec<Instruction>, usize), MachineError> {
    let mut out = Vec::new();
    let mut count = level.registers();
    if level == Level::Avx2 && segments.iter().any(has_not) {
        count = ONES as usize;
        out.push(Instruction::Ones { to: ONES });
    }
    let mut spills = Spills::new(work);
    for segment in segments {
        clear(segment, &mut out);
        let registers = Registers::new(count, &segment.homes, spills);
        let mut allocator = Allocator { level, registers, out };
        for (position, event) in segment.events.iter().enumerate() {
            if position.is_multiple_of(ASK_EVERY) {
                go_on()?;
            }
            allocator.registers.go_to(position);
            allocator.event(event);
        }
        (out, spills) = (allocator.out, allocator.registers.into_spills());
    }
    Ok((out, spills.made))
}

fn has_not(segment: &Lifted) -> bool {
    segment.events.iter().any(|event| {
        event.arity == 1 && matches!(event.action, Action::Make { table: table::NOT, .. })
    })
}

/// Sets the feedback words to all-false, and marks where the sweep begins.
fn clear(segment: &Lifted, out: &mut Vec<Instruction>) {
    if segment.cleared.is_empty() {
        return;
    }
    out.push(Instruction::Zeros { to: 0 });
    out.extend(segment.cleared.iter().map(|&to| Instruction::Store { from: 0, to }));
    out.push(Instruction::SweepStart);
}

struct Allocator {
    level: Level,
    registers: Registers,
    out: Vec<Instruction>,
}

impl Allocator {
    fn event(&mut self, event: &Event) {
        match event.action {
            Action::Make { table, result, first_use } => {
                self.make(event, Form::of(table, event.arity), result, first_use);
            }
            Action::Store(to) => {
                let from = self.input_register(event);
                self.out.push(Instruction::Store { from, to });
                self.registers.stored(event.inputs[0], to);
                self.release_used_up(event);
            }
            Action::Repeat => {
                let changed = self.input_register(event);
                self.out.push(Instruction::SweepEnd { changed });
                self.release_used_up(event);
            }
        }
    }

    fn make(&mut self, event: &Event, form: Form, result: ValueId, first_use: u32) {
        let sources = self.fetch(event, form.register_input());
        let to = self.target(event);
        form.emit(self.level, to, sources, &mut self.out);
        self.registers.hold(to, result, first_use);
        // Not before the instruction is there: it may read a spill slot that is free now.
        self.release_used_up(event);
    }

    /// Where each input is, after loading all but one.
    fn fetch(&mut self, event: &Event, register_input: Option<usize>) -> [WordSource; 3] {
        let mut sources = [WordSource::Register(0); 3];
        let mut locked = 0;
        let mut absent = [0; 3];
        let mut absences = 0;
        for (input, &value) in event.inputs().iter().enumerate() {
            if let Some(register) = self.registers.register(value) {
                sources[input] = WordSource::Register(register);
                locked |= 1 << register;
            } else {
                absent[absences] = input;
                absences += 1;
            }
        }
        // The input that may stay in memory is the one needed again last.
        let must = |input: usize| register_input == Some(input);
        let absent = &mut absent[..absences];
        absent.sort_unstable_by_key(|&input| (!must(input), event.next[input]));
        for (index, &input) in absent.iter().enumerate() {
            let (value, next) = (event.inputs[input], event.next[input]);
            let stays = index + 1 == absent.len() && !must(input);
            sources[input] = if stays && !self.registers.is_worth_loading(next, locked) {
                WordSource::Memory(self.home(value))
            } else {
                let register = self.load(value, next, locked);
                locked |= 1 << register;
                WordSource::Register(register)
            };
        }
        sources
    }

    /// A register for the result: best that of an input which is used up.
    fn target(&mut self, event: &Event) -> Register {
        let mut used_up = None;
        for (&value, &next) in event.inputs().iter().zip(&event.next) {
            if let Some(register) = self.registers.register(value) {
                self.registers.needed_at(register, next);
                if next == NONE {
                    self.registers.release(value);
                    used_up = used_up.or(Some(register));
                }
            }
        }
        // An input may have to go as well; the instruction still finds it in its register.
        used_up.unwrap_or_else(|| self.registers.acquire(0, &mut self.out))
    }

    /// The register of an event's one input.
    fn input_register(&mut self, event: &Event) -> Register {
        let (value, next) = (event.inputs[0], event.next[0]);
        let register = self.registers.register(value);
        let register = register.unwrap_or_else(|| self.load(value, next, 0));
        self.registers.needed_at(register, next);
        register
    }

    fn release_used_up(&mut self, event: &Event) {
        for (&value, &next) in event.inputs().iter().zip(&event.next) {
            if next == NONE {
                self.registers.release(value);
            }
        }
    }

    fn load(&mut self, value: ValueId, next: u32, locked: u32) -> Register {
        let from = self.home(value);
        let to = self.registers.acquire(locked, &mut self.out);
        self.out.push(Instruction::Load { to, from });
        self.registers.hold(to, value, next);
        to
    }

    fn home(&self, value: ValueId) -> crate::program::Slot {
        self.registers.home(value).expect("a value that is in no register has a home in memory")
    }
}
