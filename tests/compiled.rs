//! Playouts whose code is compiled while they are played, on processors that code is made for.

use ludens::playouts::{Codes, PlayoutBudget};
use propnet::lanes::{Backend, Setup};
use propnet::machine::Level;

use crate::support::playing::{played, program};
use crate::support::{load, root};
use crate::trials::Trials;

pub(crate) fn add(trials: &mut Trials) {
    trials.only_where(Level::detect().is_some(), code_that_is_compiled_meanwhile_changes_nothing);
}

fn code_that_is_compiled_meanwhile_changes_nothing() {
    let level = Level::detect().expect("a level that code is made for");
    let setup = Setup::new(None, Some(Backend::Machine(level))).expect("the level is there");
    let program = program(&load(&root().join("games/breakthrough.kif")), setup);
    let budget = PlayoutBudget::Playouts(20_000);
    let ready = Codes::ready(&program, setup.backend()).expect("code");
    let later = Codes::later(&program, level).expect("code");
    assert_eq!(ready.best().backend(), setup.backend());
    let [one, other] =
        [&ready, &later].map(|codes| played(&program, codes, (setup, 2), budget).totals);
    assert_eq!(one, other);
    assert!(later.failure().is_none());
}
