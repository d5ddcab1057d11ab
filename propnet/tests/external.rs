//! Tests that need something from outside the repository: the corpus, or a processor that code is
//! made for. See `trials` for what happens where it is absent.

#[allow(dead_code, reason = "suite uses the rest")]
mod common;
mod corpus;
mod levels;
#[path = "common/trials.rs"]
mod trials;

#[allow(dead_code, reason = "suite uses the rest")]
mod generated {
    pub(crate) mod agree;
    pub(crate) mod ways;
}

#[allow(dead_code, reason = "suite uses the rest")]
mod lanes {
    pub(crate) mod engine;
    pub(crate) mod sheets;
    pub(crate) mod support;
}

#[allow(dead_code, reason = "suite uses the rest")]
mod passes {
    pub(crate) mod in_play;
    pub(crate) mod support;
}

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut trials = trials::Trials::new();
    for add in [
        corpus::grounding::add,
        corpus::passes::add,
        corpus::spoiled::add,
        corpus::text::add,
        levels::add,
    ] {
        add(&mut trials);
    }
    trials.run()
}
