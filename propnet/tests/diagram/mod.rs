//! Circuits to look at: both views say what the circuit says, parts are the right ones, and the
//! DOT text is what a person has read and accepted.

mod golden;
mod highlight;
mod labels;
mod select;
mod support;
mod views;
