//! The search: that it plays well, that it is the same every time, and that it is honest.

mod choice;
mod cutoffs;
mod forced;
mod games;
mod policies;
mod proofs;
mod same;
mod settled;
mod strength;
mod tactics;
mod tree;
mod weights;
