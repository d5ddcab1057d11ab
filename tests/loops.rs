//! Recorded sheets whose rules are recursive, each resolved in the way that is expected of it.
//!
//! That their circuits say what was recorded is shown with all other sheets, in `agree`.

mod support;

use std::fs;

use propnet::circuit::{Way, build};
use propnet::gdl::Source;
use propnet::ground::{Limits, NoWatch, Options, ground};
use propnet::reference::load;

/// The ways in which the loops of a recorded sheet were resolved.
fn ways(name: &str) -> Option<Vec<Way>> {
    let path = support::shared()?.join("corpus").join(format!("{name}.kif"));
    let text = fs::read(path).expect("a sheet of the corpus");
    let rules = load(Source::from_bytes(name, &text)).expect("rules");
    let ground = ground(&rules, &Options::default(), Limits::default(), &mut NoWatch);
    let circuit = build(&ground.expect("ground rules").rules).expect("a circuit");
    Some(circuit.resolved.iter().map(|resolved| resolved.way).collect())
}

#[test]
fn small_loops_are_eliminated() {
    let Some(ways) = ways("rep_cubicup_3player") else { return };
    assert_eq!(ways, [Way::Eliminated; 3]);
}

#[test]
fn loops_of_middle_size_are_unrolled_as_deep_as_needed() {
    let Some(ways) = ways("sironi_hexbad3") else { return };
    // Eight cells each, but no path has more than four turns.
    assert_eq!(ways.iter().filter(|way| **way == Way::Unrolled(4)).count(), 2, "{ways:?}");
}

#[test]
fn large_loops_are_repeated() {
    let Some(ways) = ways("sironi_hexbad") else { return };
    assert_eq!(ways, [Way::Repeated(80); 18]);
}
