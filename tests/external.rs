//! Tests that need something from outside the repository: the corpus, a shell, a processor that code
//! is made for. See `trials` for what happens where it is absent.

mod agree;
mod boards;
mod compiled;
mod corpus_features;
mod cutoffs;
mod loops;
mod perft;
mod sample;
mod shell;
mod statistics;
mod support;
#[path = "../propnet/tests/common/trials.rs"]
mod trials;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut trials = trials::Trials::new();
    for add in [
        agree::add,
        boards::add,
        compiled::add,
        corpus_features::add,
        cutoffs::add,
        loops::add,
        perft::add,
        sample::add,
        shell::add,
        statistics::add,
    ] {
        add(&mut trials);
    }
    trials.run()
}
