//! All engines side by side in the same random games.

use std::path::Path;

use ludens::pipeline::Stages;
use propnet::game::{Game, Move, MoveSet, State};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::VARIANTS;

/// Whatever is asked about a state, as text in a fixed order: all sentences, whether it is the end,
/// and each role's legal moves and goal.
#[derive(Debug, PartialEq, Eq)]
struct Answers {
    sentences: Vec<String>,
    terminal: bool,
    legal: Vec<Vec<String>>,
    goals: Vec<Option<i32>>,
}

impl Answers {
    fn of(game: &mut dyn Game, state: &State) -> Answers {
        let roles = game.roles().len();
        let terminal = game.is_terminal(state).expect("whether the game is over");
        let legal = (0..roles).map(|role| {
            let moves = if terminal { None } else { game.legal_moves(state, role).ok() };
            let texts = moves
                .iter()
                .flat_map(MoveSet::iter)
                .map(|chosen| game.move_text(role, chosen).expect("a text"));
            let mut texts: Vec<String> = texts.collect();
            texts.sort();
            texts
        });
        let legal = legal.collect();
        let goals = (0..roles).map(|role| game.goal(state, role).ok()).collect();
        Answers { sentences: game.sentences(state).expect("sentences"), terminal, legal, goals }
    }
}

/// Plays at random, all games alike, and compares what they answer about every state.
fn play_alike(name: &str, games: &mut [(&str, Box<dyn Game>)], seed: u64, max_steps: usize) {
    let mut rng = Pcg64::seed_from_u64(seed);
    let start = |(_, game): &mut (&str, Box<dyn Game>)| game.initial_state().expect("a state");
    let mut states: Vec<State> = games.iter_mut().map(start).collect();
    for step in 0..max_steps {
        let expected = Answers::of(&mut *games[0].1, &states[0]);
        for ((variant, game), state) in games.iter_mut().zip(&states).skip(1) {
            let found = Answers::of(&mut **game, state);
            assert_eq!(found, expected, "{name}, {variant}, seed {seed}, step {step}");
        }
        if expected.terminal || expected.legal.iter().any(Vec::is_empty) {
            return;
        }
        let pick = |moves: &Vec<String>| moves[rng.random_range(0..moves.len())].clone();
        let chosen: Vec<String> = expected.legal.iter().map(pick).collect();
        for ((_, game), state) in games.iter_mut().zip(&mut states) {
            let moves = chosen.iter().enumerate();
            let moves = moves.map(|(role, text)| game.move_of(role, text).expect("a move"));
            let moves: Vec<Move> = moves.collect();
            *state = game.next_state(state, &moves).expect("a next state");
        }
    }
}

/// Compares every engine with the reference reasoner, which comes first, in random games of a sheet.
pub(crate) fn check(sheet: &Path, seeds: u64, max_steps: usize) {
    let rules = super::load(sheet);
    let stages = Stages::new(rules);
    let mut games: Vec<(&str, Box<dyn Game>)> =
        VARIANTS.iter().map(|variant| (variant.name, variant.start(&stages))).collect();
    for seed in 0..seeds {
        play_alike(&super::name_of(sheet), &mut games, seed, max_steps);
    }
}
