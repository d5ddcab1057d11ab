//! Two strategies play a game against each other in this process.
//!
//! ```text
//! cargo run --release --example self_play -- connect_four uct mast 1000
//! ```
//!
//! The arguments are a game for two roles, the strategy of each, and the simulations for each move;
//! all have defaults.
#![allow(clippy::print_stdout)]

use std::env;
use std::error::Error;

use ludens::Game;
use ludens::search::Budget;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let argument = |at: usize, default: &'static str| {
        arguments.get(at).map_or(default, String::as_str).to_string()
    };
    let game = Game::named(&argument(0, "connect_four"))?;
    let strategies = [argument(1, "uct"), argument(2, "mast")];
    let played = play(&game, &strategies, argument(3, "1000").parse()?)?;
    for (at, joint) in (1..).zip(&played.moves) {
        println!("step {at}: {}", joint.join(", "));
    }
    for ((role, strategy), goal) in game.roles().iter().zip(&strategies).zip(&played.goals) {
        println!("{role} ({strategy}): {goal}");
    }
    Ok(())
}

/// A game that is over.
pub(crate) struct Played {
    /// The joint moves, a text for each role.
    pub(crate) moves: Vec<Vec<String>>,
    /// The goals, by role.
    pub(crate) goals: Vec<f64>,
}

/// Plays one game. Each strategy has its own search, which makes every joint move.
pub(crate) fn play(
    game: &Game,
    strategies: &[String],
    simulations: u64,
) -> Result<Played, Box<dyn Error>> {
    if strategies.len() != game.roles().len() {
        let (given, roles) = (strategies.len(), game.roles().len());
        return Err(format!("{given} strategies, but the game has {roles} roles").into());
    }
    let mut searches = Vec::new();
    for (seed, strategy) in (1..).zip(strategies) {
        searches.push(game.start_search(strategy, seed)?);
    }
    let mut moves = Vec::new();
    while !searches[0].is_over() {
        let mut joint = Vec::new();
        for (role, search) in searches.iter_mut().enumerate() {
            search.run(&Budget::simulations(simulations))?;
            joint.push(search.best_move(role).ok_or("a role has no legal move")?);
        }
        let names = searches[0].game();
        let text = |(role, &chosen)| names.move_spelling(role, chosen);
        moves.push(joint.iter().enumerate().map(text).collect::<Result<_, _>>()?);
        for search in &mut searches {
            search.advance(&joint)?;
        }
    }
    let goals = searches[0].goals().unwrap_or_default().to_vec();
    Ok(Played { moves, goals })
}
