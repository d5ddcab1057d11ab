//! Blocks that are repeated.

use propnet::machine::{Level, MachineCode, assemble};
use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::emulate::emulate;
use super::judge::Memory;
use super::support::check;
use super::text::routine;

fn agrees(text: &str) {
    check(&routine(text), &mut Pcg64::seed_from_u64(1));
}

/// A chain in which one thing follows from the one before it, worst order first.
fn chain(length: usize) -> String {
    let mut text = String::new();
    for link in 0..length {
        // Work words from 0: what is fed back; from `length`: what is found.
        let from = if link + 1 == length { "b0".into() } else { format!("w{}", link + 1) };
        text += &format!("w{} = and {from} b{}\n", length + link, 1 + link);
    }
    for link in 0..length {
        text += &format!("feed w{link} from w{}\n", length + link);
    }
    text + "block\na0 = copy w0\na1 = not w1"
}

#[test]
fn a_chain_takes_as_many_sweeps_as_it_has_links() {
    agrees(&chain(2));
    agrees(&chain(40));
    let routine = routine(&chain(40));
    let code = assemble(&routine, Level::Avx512).expect("a routine");
    let mut memory = all_true(&code);
    assert!(emulate(&code, &mut memory));
    assert_eq!(memory.after[0], [u64::MAX; 8], "the last link was reached");
}

fn all_true(code: &MachineCode) -> Memory<8> {
    let words = |count| vec![[u64::MAX; 8]; count];
    Memory {
        before: words(code.before_words()),
        after: words(code.after_words()),
        work: words(code.work_words()),
    }
}

#[test]
fn a_single_lane_is_enough_to_go_on() {
    let routine = routine(&chain(7));
    for lane in 0..512 {
        let code = assemble(&routine, Level::Avx512).expect("a routine");
        let mut memory = all_true(&code);
        memory.before.fill([0; 8]);
        for word in &mut memory.before {
            word[lane / 64] = 1 << (lane % 64);
        }
        assert!(emulate(&code, &mut memory));
        assert_eq!(memory.after[0], memory.before[0], "lane {lane}");
    }
}

#[test]
fn a_sweep_may_read_what_the_last_one_left_without_feeding_it_back() {
    // w5 is read before it is written, and by nothing else.
    agrees(
        "block
         w1 = or w0 b0
         w2 = or w1 w5
         w5 = or w1 b1
         feed w0 from w1
         block
         a0 = copy w2",
    );
}

#[test]
fn values_from_before_a_loop_are_found_in_it_and_after_it() {
    agrees(
        "w3 = xor b0 b1
         w4 = andnot b1 b2
         block
         w1 = or w0 w3
         w2 = and w1 w4
         feed w0 from w2
         block
         w3 = xor w3 w2
         a0 = and w3 w4
         a1 = copy w0",
    );
}

#[test]
fn what_is_fed_back_may_be_anything() {
    // A word from before, a word of the state that is made, itself, and the same value twice.
    agrees("a1 = or a0 b1\nfeed a0 from b0\nfeed w0 from w0\nfeed w1 from b0\nkeep w0\nkeep w1");
    agrees("feed w0 from w0\nblock\na0 = not w0");
    // Fed back through a copy of what another word held.
    agrees(
        "w2 = copy w0
         w3 = or w1 b0
         feed w0 from w3
         feed w1 from w2
         block
         a0 = copy w0
         a1 = copy w1",
    );
}

#[test]
fn a_loop_that_never_comes_to_rest_is_given_up() {
    agrees("w1 = not w0\nfeed w0 from w1\nblock\na0 = copy b0");
    // In some lanes only, and after a loop that does come to rest.
    agrees(
        "w1 = or w0 b0
         feed w0 from w1
         block
         w3 = andnot w2 b1
         feed w2 from w3
         block
         a0 = copy w1",
    );
}
