//! Fluents that playouts need not carry are shown all the same.

use propnet::game::Game;
use propnet::ground::{GroundGame, GroundRules, Recipe, print_ground};

use super::agree::agree;
use super::build::{add_fluent, build, fluent, read};

/// What the recipes leave out.
const CORE: &str = "
    (role r) (init on)
    (legal r keep) (legal r flip)
    (<= (next on) (true on) (does r keep))
    (<= (next on) (not (true on)) (does r flip))
    (<= (next count) (does r flip) (true seen))
    (<= (next seen) (does r flip))
    (<= (next seen) (true seen) (true count))
    (<= (goal r 1) (true on)) (<= (goal r 0) (not (true on)))
    (<= terminal (not (true on)))";

/// The same, written out.
const WHOLE: &str = "
    (init always) (init light)
    (<= (next always) (true always))
    (<= (next nothing) (true nothing))
    (<= (next light) (true light) (does r keep))
    (<= (next light) (not (true light)) (does r flip))
    (<= (next late) (does r flip) (true seen))";

fn reduced() -> GroundRules {
    let mut ground = build(CORE);
    let (on, count, seen) =
        (fluent(&ground, "on"), fluent(&ground, "count"), fluent(&ground, "seen"));
    ground.fluents[count].recipe = Recipe::Observed;
    ground.fluents[seen].recipe = Recipe::Observed;
    add_fluent(&mut ground, "Always", true, Recipe::Constant(true));
    add_fluent(&mut ground, "nothing", false, Recipe::Constant(false));
    add_fluent(&mut ground, "light", true, Recipe::Copy(on));
    add_fluent(&mut ground, "late", false, Recipe::Copy(count));
    ground
}

#[test]
fn all_fluents_are_shown() {
    agree(&format!("{CORE}{WHOLE}"), &reduced(), 50);
}

#[test]
fn all_fluents_are_printed() {
    let printed = print_ground(&reduced());
    for line in [
        "(init Always)",
        "(next Always)",
        "(init light)",
        "(<= (next light) (true on) (does r keep))",
        "(<= (next late) (does r flip) (true seen))",
    ] {
        assert!(printed.lines().any(|printed| printed == line), "{line} is not in\n{printed}");
    }
    assert!(!printed.contains("nothing"), "{printed}");
    read(&printed);
}

/// A state may contradict the recipes; the next one does not.
#[test]
fn given_sentences_are_taken_as_they_are() {
    let mut game = GroundGame::new(reduced());
    let texts = ["nothing", "on"].map(String::from);
    let state = game.state_of(&texts).expect("fluents");
    assert_eq!(game.sentences(&state).expect("sentences"), texts);
    assert_eq!(game.goal(&state, 0), Ok(1));
    let keep = game.move_of(0, "keep").expect("a move");
    let next = game.next_state(&state, &[keep]).expect("a state");
    assert_eq!(game.sentences(&next).expect("sentences"), ["always", "light", "on"]);
}
