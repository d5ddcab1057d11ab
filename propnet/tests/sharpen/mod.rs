//! Sharpening: each pass on a text a person can read, and the same game before and after on
//! thousands of random ones.

mod board;
mod model;
mod passes;
mod random;

mod text;
