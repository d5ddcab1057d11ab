//! Circuits say what their ground rules say.

mod loops;
