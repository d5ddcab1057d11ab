//! Passes on the circuits of sheets, in play: random sheets, ours, and those of the field.

use std::path::Path;

use propnet::circuit::optimize::Pass;
use propnet::circuit::{Circuit, build};
use propnet::gdl::Source;
use propnet::ground::{Limits, NoWatch, Options, ground};
use propnet::reference;

use super::support::same_in_play;
use super::{after, common, make};

/// How many random sheets are tried.
const SHEETS: u64 = 300;
/// Sheets of the field that ground to more than this are left out: the test is to be quick.
const FIELD: u64 = 3_000;

/// The circuit of a sheet, if it is not refused and no larger than that.
pub(crate) fn circuit(text: &str, rules: u64) -> Option<Circuit> {
    let sheet = reference::load(Source::from_text("s", text)).ok()?;
    let limits = Limits { facts: 10 * rules, rules, bytes: 1 << 28 };
    let grounding = ground(&sheet, &Options::default(), limits, &mut NoWatch).ok()?;
    build(&grounding.rules).ok()
}

/// All passes together, and each of them alone.
fn check(name: &str, circuit: &Circuit, steps: usize) {
    for pass in Pass::ALL {
        let same = same_in_play(circuit, &after(circuit, &[*pass]), 1, steps);
        assert_eq!(same, Ok(()), "{name}, {}", pass.name());
    }
    let same = same_in_play(circuit, &after(circuit, Pass::ALL), 2, steps);
    assert_eq!(same, Ok(()), "{name}, all passes");
}

#[test]
fn random_sheets() {
    let mut checked = 0;
    for seed in 0..SHEETS {
        if let Some(circuit) = circuit(&make::sheet(seed).text(), 4_000) {
            check(&format!("sheet {seed}"), &circuit, 12);
            checked += 1;
        }
    }
    assert!(checked * 3 > SHEETS * 2, "only {checked} sheets have a circuit");
}

#[test]
fn our_sheets() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../games"));
    for entry in std::fs::read_dir(folder).expect("games") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "kif") {
            let text = std::fs::read_to_string(&path).expect("a sheet");
            let circuit = circuit(&text, 100_000).expect("our sheets have circuits");
            check(&common::stem(&path), &circuit, 60);
        }
    }
}

#[test]
fn sheets_of_the_field() {
    let sheets = common::corpus();
    let mut checked = 0;
    for (name, bytes) in &sheets {
        if let Some(circuit) = circuit(&String::from_utf8_lossy(bytes), FIELD) {
            check(name, &circuit, 20);
            checked += 1;
        }
    }
    assert!(sheets.is_empty() || checked > 100, "only {checked} sheets have a circuit");
}
