//! Recorded sheets whose rules are recursive, each resolved in the way that is expected of it.
//!
//! That their circuits say what was recorded is shown with all other sheets, in `agree`.

use std::fs;
use std::path::Path;

use propnet::circuit::{Way, build};
use propnet::gdl::Source;
use propnet::ground::{Limits, NoWatch, Options, ground};
use propnet::reference::load;

use crate::trials::Trials;

pub(crate) fn add(trials: &mut Trials) {
    trials.with_corpus(small_loops_are_eliminated);
    trials.with_corpus(loops_of_middle_size_are_unrolled_as_deep_as_needed);
    trials.with_corpus(large_loops_are_repeated);
}

/// The ways in which the loops of a recorded sheet were resolved.
fn ways(shared: &Path, name: &str) -> Vec<Way> {
    let path = shared.join(format!("corpus/{name}.kif"));
    let text = fs::read(path).expect("a sheet of the corpus");
    let rules = load(Source::from_bytes(name, &text)).expect("rules");
    let ground = ground(&rules, &Options::default(), Limits::default(), &mut NoWatch);
    let circuit = build(&ground.expect("ground rules").rules).expect("a circuit");
    circuit.resolved.iter().map(|resolved| resolved.way).collect()
}

fn small_loops_are_eliminated(shared: &Path) {
    let ways = ways(shared, "rep_cubicup_3player");
    assert_eq!(ways, [Way::Eliminated; 3]);
}

fn loops_of_middle_size_are_unrolled_as_deep_as_needed(shared: &Path) {
    let ways = ways(shared, "sironi_hexbad3");
    // Eight cells each, but no path has more than four turns.
    assert_eq!(ways.iter().filter(|way| **way == Way::Unrolled(4)).count(), 2, "{ways:?}");
}

fn large_loops_are_repeated(shared: &Path) {
    let ways = ways(shared, "sironi_hexbad");
    assert_eq!(ways, [Way::Repeated(80); 18]);
}
