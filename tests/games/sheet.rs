//! The sheets under test, each read and made into a circuit once for all tests.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use ludens::pipeline::{PipelineOptions, circuit_within};
use propnet::circuit::optimize::Pass;
use propnet::circuit::{Circuit, CircuitGame};
use propnet::gdl::Rules;
use rayon::prelude::*;

use crate::support;

/// A sheet that can be played.
pub(crate) struct Sheet {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) rules: Rules,
    pub(crate) circuit: Circuit,
}

impl Sheet {
    pub(crate) fn game(&self) -> CircuitGame {
        CircuitGame::new(self.circuit.clone())
    }
}

/// The sheets of `games/`, or those that are asked for, by name.
pub(crate) fn sheets() -> &'static [Sheet] {
    static SHEETS: OnceLock<Vec<Sheet>> = OnceLock::new();
    SHEETS.get_or_init(|| {
        let paths: Vec<PathBuf> =
            support::games().into_iter().filter(|path| is_asked_for(path)).collect();
        paths.into_par_iter().with_max_len(1).map(sheet).collect()
    })
}

/// Whether only some sheets are tested, so that nothing can be said about all.
pub(crate) fn is_restricted() -> bool {
    env::var_os("GAMES").is_some()
}

fn is_asked_for(path: &Path) -> bool {
    let name = support::name_of(path);
    env::var("GAMES").map_or(true, |names| names.split(',').any(|asked| asked == name))
}

/// Cheap passes only: the proofs of the others are the business of other suites.
fn sheet(path: PathBuf) -> Sheet {
    let rules = support::load(&path);
    let options = PipelineOptions { passes: vec![Pass::Dead], ..PipelineOptions::default() };
    let circuit = circuit_within(&rules, &options);
    let circuit = circuit.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Sheet { name: support::name_of(&path), rules, circuit, path }
}
