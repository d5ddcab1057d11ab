//! Lanes play what the rules say: every move as likely as it should be, the same playouts at every
//! width and on every back end, and the same statistics as the reference reasoner.

mod agree;
mod batch;
mod choice;
mod contexts;
mod correlation;
pub(crate) mod engine;
mod foreign;
mod jobs;
mod parties;
mod recorded;
pub(crate) mod replay;
mod sheets;
mod statistics;
mod support;
