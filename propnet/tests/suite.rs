//! Tests of the library that need nothing but the repository, in one binary.
//!
//! `cargo test -p propnet --test suite lanes::` runs those of one module.

mod circuit;
mod common;
mod diagram;
mod facade;
mod generated;
mod ground_eval;
mod hostile;
mod lanes;
mod language;
mod limits;
mod machine;
mod passes;
mod reference;
mod reject;
mod sharpen;
