//! The grounder against the reference reasoner: on random sheets with everything that GDL has, by
//! every way the grounder can take. And all engines and back ends against each other, on random
//! sheets with much recursion, and on some that were changed.

mod agree;
mod all_engines;
mod bytes;
mod choices;
mod determinism;
mod engines;
mod found;
mod lanes;
pub(crate) mod make;
mod mutate;
mod recursion;
mod rules;
mod sheet;
mod terms;
mod ways;

use std::panic::catch_unwind;

use agree::compare;
use sheet::Sheet;
use ways::ways;

use crate::lanes::{engine, replay};

/// How many sheets are made. Seeds count up from 0, so the same ones every time.
const SHEETS: u64 = 1_600;

#[test]
fn random_sheets_even() {
    play_all((0..SHEETS).filter(|seed| seed % 2 == 0));
}

#[test]
fn random_sheets_odd() {
    play_all((0..SHEETS).filter(|seed| seed % 2 == 1));
}

/// For a longer look, by hand.
#[test]
#[ignore = "takes many minutes"]
fn random_sheets_by_the_thousand() {
    play_all(SHEETS..20 * SHEETS);
}

fn play_all(seeds: impl Iterator<Item = u64>) {
    let (mut made, mut refused, mut skipped, mut steps) = (0, 0, 0, 0);
    for seed in seeds {
        made += 1;
        let sheet = make::sheet(seed);
        let text = sheet.text();
        match catch_unwind(|| compare(&text, &ways(seed), seed)) {
            Ok(Ok(None)) => refused += 1,
            Ok(Ok(Some(done))) => {
                skipped += done.skipped;
                steps += done.steps;
            }
            Ok(Err(_)) | Err(_) => report(seed, &sheet),
        }
    }
    assert!(refused * 10 < made, "{refused} of {made} sheets are refused");
    assert!(skipped * 20 < made * 5, "{skipped} groundings are too large");
    assert!(steps > made * 5, "only {steps} states were compared");
}

/// Makes the sheet as small as it can be while something is still wrong, and shows it.
fn report(seed: u64, sheet: &Sheet) {
    let is_wrong = |sheet: &Sheet| {
        let text = sheet.text();
        !matches!(catch_unwind(|| compare(&text, &ways(seed), seed)), Ok(Ok(_)))
    };
    let small = sheet.reduced(&is_wrong);
    let why = compare(&small.text(), &ways(seed), seed).err().unwrap_or_default();
    panic!("seed {seed}: {why}\n\n{}", small.text());
}
