//! Games for one role, solved: scores and proofs against a search of all states by the reference
//! reasoner, and `ludens solve`.

mod commands;
mod pace;
mod permuted;
mod proofs;
mod sheets;
