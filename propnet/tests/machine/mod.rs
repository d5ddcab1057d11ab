//! Machine code does what a routine says: judged by a slow and obvious interpreter, run on the
//! processor where it has the instructions, and by an emulator of them where it has not.

mod emulate;
mod errors;
mod golden;
mod judge;
mod loops;
mod make;
mod small;
mod stretches;
mod support;
mod text;
