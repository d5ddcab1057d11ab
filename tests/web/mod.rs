//! The page's server without a browser: its API, who may use it, and its limits.

mod analyses;
mod circuits;
mod commands;
mod matches;
mod safety;
mod sheets;
pub(crate) mod site;
