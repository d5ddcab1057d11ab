//! Small routines, each with something that is easily got wrong.

use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::support::{check, check_ternary};
use super::text::routine;

fn agrees(text: &str) {
    check(&routine(text), &mut Pcg64::seed_from_u64(1));
}

#[test]
fn nothing_to_do() {
    agrees("");
    agrees("keep w3");
    agrees("block\nblock");
}

#[test]
fn each_operation_on_words_before_after_and_between() {
    for table in ["and", "andnot", "or", "xor"] {
        agrees(&format!("a0 = {table} b0 b1"));
        agrees(&format!("a0 = {table} b0 b0"));
        agrees(&format!("w0 = {table} w1 b0\nw0 = {table} b1 w0\na0 = {table} w0 w1\nkeep w0"));
    }
    agrees("a0 = not b0\na1 = not a0\na0 = not a1\nw0 = not w0\nkeep w0");
    agrees("a0 = copy b0\na1 = copy a0\nw0 = copy w1\nkeep w0");
}

#[test]
fn every_table_with_inputs_in_registers_and_in_memory() {
    let mut rng = Pcg64::seed_from_u64(2);
    for table in 0..=255 {
        let text = format!(
            "a0 = {table:x} b0 b1 b2
             w0 = and b0 b1
             w1 = or b1 b2
             w2 = xor b2 b0
             a1 = {table:x} w0 w1 w2
             a2 = {table:x} w1 w2 w0
             a3 = {table:x} b0 w1 w0
             a4 = {table:x} w2 b1 w0
             a5 = {table:x} w0 w2 b2
             a6 = {table:x} w0 w0 w1
             a7 = {table:x} w0 w1 w0
             a8 = {table:x} w1 w0 w0
             a9 = {table:x} w0 w0 w0
             a10 = {table:x} w0 w1 w2"
        );
        check_ternary(&routine(&text), &mut rng);
    }
}

#[test]
fn a_copy_outlives_the_word_that_it_was_made_of() {
    // The first copy must be taken before the word is overwritten, although it is used afterwards.
    agrees(
        "w1 = copy w0
         w0 = and b0 b1
         a0 = xor w1 w0
         keep w0
         keep w1",
    );
    // Words change places.
    agrees("w2 = copy w0\nw0 = copy w1\nw1 = copy w2\nkeep w0\nkeep w1");
    // A copy of a copy, and of a word before the step.
    agrees("w1 = copy b0\nw2 = copy w1\nw1 = not w2\na0 = and w1 w2\na1 = copy w2\nkeep w1");
}

#[test]
fn a_state_word_is_written_twice_and_read_between() {
    agrees("a0 = and b0 b1\na1 = not a0\na0 = or a1 b2");
    agrees("a0 = and b0 b1\nblock\na1 = not a0\nblock\na0 = or a1 b2");
}

#[test]
fn a_state_word_that_is_read_before_it_is_written() {
    agrees("a1 = not a0\na0 = and a0 b0");
}
