//! The reference reasoner: sheets in, what follows from them out.
//!
//! Every sheet here is our own and shows one thing. `bodies` is about what a single rule means,
//! `recursion` about rules that depend on each other, `play` about whole games, `errors` about
//! what can go wrong, `wide` about evaluation on demand, `findings` about what `examine` says,
//! `hostile` about sheets made to hurt, `stopped` about callers that lose patience; `random` compares with a naive evaluator.

mod bodies;
mod errors;
mod findings;
mod hostile;
mod naive;
mod play;
mod random;
mod recursion;
mod sheets;
mod stopped;
mod support;
mod wide;
