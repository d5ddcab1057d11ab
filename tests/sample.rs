//! A sample of the corpus in random games, on all engines side by side.

use std::path::Path;

use rayon::prelude::*;

use crate::support::alike;
use crate::trials::Trials;

/// Sheets of many kinds: simultaneous moves, puzzles, counters, recursion on the state, fluents
/// that are only for show, goals that are missing before the end.
const SAMPLE: &[&str] = &[
    "base_connectFour",
    "base_maze",
    "dresden_AVON_S_3359145990",
    "rep_aipsrovers01",
    "rep_blocker",
    "rep_blocks2player",
    "rep_bomberman2p",
    "rep_breakthrough",
    "rep_cubicup_3player",
    "rep_firefighter",
    "rep_golden_rectangle",
    "rep_minichess",
    "rep_snake2p",
    "rep_ticblock",
    "sironi_hexbad3",
    "sironi_hexworse4",
    "test_case_2b",
];

pub(crate) fn add(trials: &mut Trials) {
    trials.with_corpus(random_games_are_answered_alike);
}

fn random_games_are_answered_alike(shared: &Path) {
    SAMPLE.par_iter().with_max_len(1).for_each(|name| {
        alike::check(&shared.join(format!("corpus/{name}.kif")), 2, 60);
    });
}
