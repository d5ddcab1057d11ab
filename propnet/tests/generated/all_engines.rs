//! All engines and back ends on sheets by chance, a bounded number of them, or as many as are asked
//! for. `propnet/fuzz` does the same with bytes that a fuzzer chooses.

use std::ops::Range;
use std::panic::catch_unwind;

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::bytes::{compare_all, read_sheet, seed_of, sheet_of_bytes};
use super::engines::compare_engines;
use super::sheet::Sheet;

/// How many sheets are made. Seeds count up from 0, so the same ones every time.
const SHEETS: u64 = 160;

#[test]
fn engines_and_back_ends_agree() {
    play_all(0..SHEETS);
}

/// For a longer look, by hand: SHEETS of them, from the one with the number FIRST on.
#[test]
#[ignore = "as long as one likes: SHEETS=100000 FIRST=0"]
fn engines_and_back_ends_agree_for_long() {
    let number = |name: &str, usual: u64| match std::env::var(name) {
        Ok(text) => text.parse().expect("a number"),
        Err(_) => usual,
    };
    let first = number("FIRST", SHEETS);
    play_all(first..first + number("SHEETS", 20 * SHEETS));
}

#[test]
fn any_bytes_are_read_as_a_sheet() {
    for seed in 0..SHEETS {
        let bytes = bytes_of(seed);
        let mut text = sheet_of_bytes(&bytes).text().into_bytes();
        for change in bytes.chunks(3).take(seed as usize % 9) {
            let at = usize::from(change[0]) * 7 % text.len();
            text[at] = if change[1] % 3 == 0 { b"()? \n;"[at % 6] } else { change[1] };
        }
        read_sheet(&bytes);
        read_sheet(&text);
    }
}

fn play_all(seeds: Range<u64>) {
    let (mut made, mut compared) = (0, 0);
    for seed in seeds {
        let bytes = bytes_of(seed);
        made += 1;
        match catch_unwind(|| compare_all(&bytes)) {
            Ok(was_compared) => compared += u64::from(was_compared),
            Err(_) => report(seed, &bytes),
        }
    }
    assert!(compared * 2 > made, "only {compared} of {made} sheets were compared");
}

/// Bytes by chance. The kinds of sheets take turns.
fn bytes_of(seed: u64) -> Vec<u8> {
    let mut bytes = vec![0; 600];
    Pcg64Mcg::seed_from_u64(seed).fill_bytes(&mut bytes);
    bytes[0] = seed as u8;
    bytes
}

/// Makes the sheet as small as it can be while something is still wrong, and shows it.
fn report(seed: u64, bytes: &[u8]) {
    let compare = |sheet: &Sheet| {
        let text = sheet.text();
        catch_unwind(move || compare_engines(&text, seed_of(bytes)).map(|_| ()))
    };
    let small = sheet_of_bytes(bytes).reduced(&|sheet| !matches!(compare(sheet), Ok(Ok(()))));
    let why = match compare(&small) {
        Ok(found) => found.err().unwrap_or_default(),
        Err(_) => "a panic, shown above".to_string(),
    };
    panic!("seed {seed}: {why}\n\n{}", small.text());
}
