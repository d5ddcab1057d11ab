//! Boards as people see them: pictures of our games that were read and accepted, and what must be
//! true of boards of sheets from elsewhere.

#[path = "../support/mod.rs"]
mod support;

mod corpus;
mod golden;

use std::path::Path;
use std::sync::Arc;

use ludens::draw::Knowledge;
use ludens::ground::{Bounds, ground_within};
use ludens::run::Setup;
use propnet::game::Game;
use propnet::ground::GroundGame;
use propnet::reference::Reasoner;

/// A game, and all that is known of it.
fn known(path: &Path) -> (Box<dyn Game>, Knowledge) {
    let rules = support::load(path);
    let ground = ground_within(&rules, &Bounds::default()).expect("ground rules").rules;
    let ground = Arc::new(ground);
    let mut game = GroundGame::new(ground.clone());
    let mut knowledge = Knowledge::new(&rules, game.roles());
    knowledge.learn_ground(&ground);
    knowledge.learn_play(&mut game, &Setup::default(), &mut || true);
    (Box::new(game), knowledge)
}

/// A game that was only watched in a few playouts.
fn watched(path: &Path) -> Knowledge {
    let rules = support::load(path);
    let mut game = Reasoner::new(&rules);
    let mut knowledge = Knowledge::new(&rules, game.roles());
    knowledge.learn_play(&mut game, &Setup::default(), &mut || true);
    knowledge
}
