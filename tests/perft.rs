//! Counts of move sequences, against a trusted recorder. Those of our own sheets are in
//! `tests/games/counts.rs`.

use std::path::Path;

use ludens::perft::{Level, count};
use ludens::pipeline::{Made, Stages};
use rayon::prelude::*;

use crate::support::{self, VARIANTS};
use crate::trials::Trials;

/// Levels with more states than this are left out, so that the suite stays quick.
const MAX_STATES: u64 = 8_000;

pub(crate) fn add(trials: &mut Trials) {
    trials.with_corpus(recorded_counts_agree);
}

fn recorded_counts_agree(shared: &Path) {
    let counts = support::counts(&shared.join("perft.json"));
    assert!(counts.len() >= 33, "perft.json has {} sheets", counts.len());
    check_all(&shared.join("corpus"), &counts);
}

fn check_all(directory: &Path, counts: &[(String, Vec<Level>)]) {
    counts.par_iter().with_max_len(1).for_each(|(name, levels)| {
        let rules = support::load(&directory.join(format!("{name}.kif")));
        let stages = Stages::new(rules.clone());
        for variant in VARIANTS {
            check(&format!("{name}, {}", variant.name), variant.make(&stages), levels);
        }
    });
}

fn check(name: &str, mut made: Made, expected: &[Level]) {
    let place = |depth| format!("{name}, depth {depth}");
    let start = made.game.initial_state().expect("an initial state");
    let (mut perft, _) = count(&mut *made.game, made.lanes.as_ref(), start, 0).expect("a level");
    let mut compared = 0;
    for level in expected.iter().take_while(|level| level.states <= MAX_STATES) {
        let mut level = level.clone();
        // The recorded counts have no entry for goals that are missing.
        level.goal_errors = vec![0; level.goal_sums.len()];
        let found = perft.next_level();
        let found = found.unwrap_or_else(|error| panic!("{}: {error}", place(level.depth)));
        assert_eq!(found, Some(level.clone()), "{}", place(level.depth));
        compared += 1;
    }
    assert!(compared > 0, "{name}: not even the first level was compared");
}
