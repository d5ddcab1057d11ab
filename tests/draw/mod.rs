//! Boards as people see them: pictures of our games that were read and accepted.

mod golden;
mod svg;

use std::path::Path;

use ludens::draw::Knowledge;
use ludens::run::Setup;
use propnet::game::Game;
use propnet::reference::Reasoner;

use crate::support;

/// A game that was only watched in a few playouts.
fn watched(path: &Path) -> Knowledge {
    let rules = support::load(path);
    let mut game = Reasoner::new(&rules);
    let mut knowledge = Knowledge::new(&rules, game.roles());
    knowledge.learn_play(&mut game, &Setup::default(), &mut || true);
    knowledge
}
