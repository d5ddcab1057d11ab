//! What cannot be machine code, and what it is told.

use propnet::machine::{Executable, Level, MachineError, assemble};
use wide::{u64x4, u64x8};

use super::support::{before, work};
use super::text::routine;

fn error(text: &str, level: Level) -> MachineError {
    assemble(&routine(text), level).expect_err("no code")
}

#[test]
fn tables_of_three_inputs_need_ternary_logic() {
    let text = "a0 = e8 b0 b1 b2";
    assert_eq!(error(text, Level::Avx2), MachineError::Table { table: 0xe8 });
    assert!(assemble(&routine(text), Level::Avx512).is_ok());
    // Of two inputs, but no instruction does it.
    assert_eq!(error("a0 = 3f b0 b1", Level::Avx2), MachineError::Table { table: 0x3f });
}

#[test]
fn the_state_before_a_step_is_not_written() {
    for level in [Level::Avx2, Level::Avx512] {
        let slot = before(1);
        assert_eq!(error("b1 = not b0", level), MachineError::ReadOnly { slot });
        assert_eq!(error("feed b1 from b0", level), MachineError::ReadOnly { slot });
    }
}

#[test]
fn a_feedback_word_has_one_source() {
    let wrong = |index| MachineError::Feedback { slot: work(index) };
    let error = |text| error(text, Level::Avx2);
    assert_eq!(error("w0 = not b0\nfeed w0 from w1"), wrong(0));
    assert_eq!(error("feed w0 from w1\nfeed w0 from w2"), wrong(0));
    assert_eq!(error("feed w0 from w1\nfeed w1 from w2"), wrong(1));
    // In another block it is a word like any other.
    assert!(assemble(&routine("feed w0 from w1\nblock\nw0 = not w0"), Level::Avx2).is_ok());
}

#[test]
fn there_are_words_beyond_reach() {
    let index = 1 << 22;
    let words = index + 1;
    let found = error(&format!("a0 = not w{index}"), Level::Avx512);
    assert_eq!(found, MachineError::Words { words, limit: index });
    assert!(found.to_string().contains("4194305 words is too large"), "{found}");
    // The last one within reach is reached.
    assert!(assemble(&routine(&format!("a0 = not w{}", index - 1)), Level::Avx512).is_ok());
}

#[test]
fn code_runs_on_words_of_its_level_only() {
    let code = assemble(&routine("a0 = not b0"), Level::Avx2).expect("code");
    match Executable::new(code) {
        Ok(executable) => {
            let mut words = [[u64x8::ZERO; 1]; 2];
            let [after, work] = &mut words;
            let found = executable.run(&[u64x8::ZERO], after, work);
            assert_eq!(found, Err(MachineError::Width { level: Level::Avx2, bytes: 64 }));
            // As long as a register, but anywhere in memory.
            let found = executable.run(&[[0u64; 4]], &mut [[0; 4]], &mut []);
            assert_eq!(found, Err(MachineError::Width { level: Level::Avx2, bytes: 32 }));
        }
        Err(error) => assert_eq!(error, MachineError::Level { level: Level::Avx2 }),
    }
}

#[test]
fn a_level_that_is_detected_is_available_and_the_highest() {
    match Level::detect() {
        Some(level) => {
            assert!(level.is_available());
            assert!(level == Level::Avx512 || !Level::Avx512.is_available());
        }
        None => assert!(!Level::Avx2.is_available() && !Level::Avx512.is_available()),
    }
}

/// Runs `a0 = (not b1) and w2` with spaces of these sizes, where the processor can.
fn run_with_words(before: usize, after: usize, work: usize) {
    let code = assemble(&routine("a0 = andnot b1 w2"), Level::Avx2).expect("code");
    assert_eq!([code.before_words(), code.after_words(), code.work_words()], [2, 1, 3]);
    let words = |count| vec![u64x4::new([!0; 4]); count];
    let (before, mut after, mut work) = (words(before), words(after), words(work));
    match Executable::new(code) {
        Ok(executable) => {
            let done = executable.run(&before, &mut after, &mut work);
            assert_eq!((done, after[0]), (Ok(()), u64x4::new([0; 4])));
        }
        Err(_) => assert!(before.len() > 1 && !after.is_empty() && work.len() > 2, "too few words"),
    }
}

#[test]
fn enough_words() {
    run_with_words(2, 1, 3);
    run_with_words(5, 5, 5);
}

#[test]
#[should_panic(expected = "too few words")]
fn too_few_words_before() {
    run_with_words(1, 1, 3);
}

#[test]
#[should_panic(expected = "too few words")]
fn too_few_words_after() {
    run_with_words(2, 0, 3);
}

#[test]
#[should_panic(expected = "too few words")]
fn too_few_words_to_work_with() {
    run_with_words(2, 1, 2);
}
