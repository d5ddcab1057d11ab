//! A routine on every way there is to run it.

use bytemuck::Pod;
use propnet::machine::{Executable, Level, MachineCode, assemble};
use propnet::program::{Routine, Slot, Space};
use rand::RngExt;
use rand_pcg::Pcg64;
use wide::{u64x4, u64x8};

use super::emulate::emulate;
use super::judge::Memory;

/// A word of the state before a step.
pub(crate) fn before(index: usize) -> Slot {
    Slot::new(Space::Before, index)
}

/// A word of the state after a step.
pub(crate) fn after(index: usize) -> Slot {
    Slot::new(Space::After, index)
}

/// A word of the work space.
pub(crate) fn work(index: usize) -> Slot {
    Slot::new(Space::Work, index)
}

/// Compares code of every level that has the routine's operations with the judge, on random words.
pub(crate) fn check(routine: &Routine, rng: &mut Pcg64) {
    check_level::<4>(routine, Level::Avx2, rng, run_on_processor::<4, u64x4>);
    check_ternary(routine, rng);
}

/// The same on the level that knows every truth table.
pub(crate) fn check_ternary(routine: &Routine, rng: &mut Pcg64) {
    check_level::<8>(routine, Level::Avx512, rng, run_on_processor::<8, u64x8>);
}

fn check_level<const N: usize>(
    routine: &Routine,
    level: Level,
    rng: &mut Pcg64,
    run: fn(&MachineCode, &mut Memory<N>) -> Option<bool>,
) {
    let code = assemble(routine, level).expect("a routine that can be assembled");
    let start = random_memory::<N>(&code, rng);
    let mut expected = start.clone();
    let rests = expected.interpret(routine);
    let mut emulated = start.clone();
    assert_eq!(emulate(&code, &mut emulated), rests, "{level:?}, emulated: loops come to rest");
    let mut found = start.clone();
    let run = run(&code, &mut found);
    assert!(run.is_none_or(|run| run == rests), "{level:?}, on the processor: loops come to rest");
    if !rests {
        return;
    }
    compare(routine, &start, &expected, &emulated, "emulated");
    if run.is_some() {
        compare(routine, &start, &expected, &found, "on the processor");
        assert_eq!(found, emulated, "the emulator does what the processor does, spills included");
    }
}

/// What is kept is as the judge has it, and nothing is touched that the routine does not write.
fn compare<const N: usize>(
    routine: &Routine,
    start: &Memory<N>,
    expected: &Memory<N>,
    found: &Memory<N>,
    how: &str,
) {
    assert_eq!(found.before, start.before, "{how}: the state before the step");
    for (index, word) in expected.after.iter().enumerate() {
        assert_eq!(found.after[index], *word, "{how}: word {index} of the state after the step");
    }
    for &slot in &routine.keeps {
        assert_eq!(found.read(slot), expected.read(slot), "{how}: {slot:?}");
    }
    let mut written = vec![false; start.work.len()];
    let targets = routine.blocks.iter().flat_map(|block| {
        let words = block.feedback.iter().map(|feedback| feedback.word);
        block.ops.iter().map(|op| op.target).chain(words)
    });
    targets
        .filter(|slot| slot.space() == Space::Work)
        .for_each(|slot| written[slot.index()] = true);
    let own = routine_work_words(routine);
    for index in (0..own).filter(|&index| !written[index]) {
        assert_eq!(found.work[index], start.work[index], "{how}: untouched work word {index}");
    }
}

/// Work words of the routine itself, without spill words.
fn routine_work_words(routine: &Routine) -> usize {
    let slots = routine.blocks.iter().flat_map(|block| {
        block.ops.iter().flat_map(|op| [op.inputs[0], op.inputs[1], op.inputs[2], op.target])
    });
    let works = slots.filter(|slot| slot.space() == Space::Work);
    works.map(|slot| slot.index() + 1).max().unwrap_or(0)
}

/// Random words in all spaces. Much of them is sparse or full, so that loops take several sweeps.
fn random_memory<const N: usize>(code: &MachineCode, rng: &mut Pcg64) -> Memory<N> {
    let mut words = |count: usize| {
        let mut word = || {
            let mut bits = rng.random::<u64>();
            for _ in 0..rng.random_range(0..3) {
                bits &= rng.random::<u64>();
            }
            if rng.random() { bits } else { !bits }
        };
        (0..count).map(|_| std::array::from_fn(|_| word())).collect()
    };
    Memory {
        before: words(code.before_words()),
        after: words(code.after_words()),
        work: words(code.work_words()),
    }
}

/// A word that the judge can read.
trait Parts<const N: usize>: Pod {
    fn from_parts(parts: [u64; N]) -> Self;
    fn parts(self) -> [u64; N];
}

impl Parts<4> for u64x4 {
    fn from_parts(parts: [u64; 4]) -> Self {
        u64x4::new(parts)
    }
    fn parts(self) -> [u64; 4] {
        self.to_array()
    }
}

impl Parts<8> for u64x8 {
    fn from_parts(parts: [u64; 8]) -> Self {
        u64x8::new(parts)
    }
    fn parts(self) -> [u64; 8] {
        self.to_array()
    }
}

/// Runs code where the processor can; whether its loops came to rest.
fn run_on_processor<const N: usize, W: Parts<N>>(
    code: &MachineCode,
    memory: &mut Memory<N>,
) -> Option<bool> {
    if !code.level().is_available() {
        return None;
    }
    let executable = Executable::new(code.clone()).expect("code for this processor");
    let words = |space: &[[u64; N]]| space.iter().map(|&w| W::from_parts(w)).collect::<Vec<_>>();
    let parts = |space: Vec<W>| space.into_iter().map(W::parts).collect::<Vec<_>>();
    let before = words(&memory.before);
    let (mut after, mut work) = (words(&memory.after), words(&memory.work));
    let result = executable.run(&before, &mut after, &mut work);
    (memory.before, memory.after, memory.work) = (parts(before), parts(after), parts(work));
    Some(result.is_ok())
}
