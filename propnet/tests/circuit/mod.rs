//! Circuits say what their ground rules say.

mod budget;
mod loops;
