//! Tests of the player that need nothing but the repository, in one binary.
//!
//! `cargo test --test suite cli::` runs those of one module.

mod analysis;
mod check;
mod circuit;
mod cli;
mod dot;
mod draw;
mod features;
mod games;
mod ground;
mod picture;
mod playouts;
mod puzzle;
mod replay;
mod search;
mod solve;
mod support;
mod tidy;
mod vector;
mod verify;
