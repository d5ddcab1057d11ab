//! Plays a thousand games side by side, one step of all of them at a time.
//!
//! ```text
//! cargo run --release -p propnet --example batch -- games/connect_four.kif
//! ```
//!
//! Without a file it plays tic-tac-toe. Here the caller sees every state and chooses every move,
//! at random in this case. Where only the results count, `Compiled::playouts` is much faster.
#![allow(clippy::print_stdout)]

mod common;

use std::error::Error;

use propnet::game::{JointMove, State};
use propnet::{CompileOptions, Compiled, Situation, load};
use rand::seq::IteratorRandom;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

const GAMES: usize = 1_000;

/// Some games have no end.
const MOST_MOVES: usize = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let rules = load(&common::sheet()?)?;
    let game = Compiled::new(&rules, &CompileOptions::default())?;
    let mut batch = game.batch();
    let mut rng = Pcg64::seed_from_u64(1);
    let mut states = vec![game.initial_state().clone(); GAMES];
    let mut ended: Vec<State> = Vec::new();

    for step in 0..MOST_MOVES {
        let situations = batch.look(&states)?;
        let mut going = Vec::new();
        let mut moves = Vec::new();
        for (state, situation) in states.into_iter().zip(&situations) {
            match random_moves(situation, &mut rng) {
                Some(joint) if !situation.is_terminal => {
                    going.push(state);
                    moves.push(joint);
                }
                _ => ended.push(state),
            }
        }
        println!("after {step} moves {} games are over", ended.len());
        if going.is_empty() {
            break;
        }
        states = batch.next_states(&going, &moves)?;
    }

    let goals = batch.goals(&ended)?;
    for (role, name) in game.names().roles().iter().enumerate() {
        let known: Vec<i32> = goals.iter().filter_map(|goals| goals[role]).collect();
        let sum: f64 = known.iter().map(|&goal| f64::from(goal)).sum();
        println!("{name}: mean goal {:.2} of {} games", sum / known.len() as f64, known.len());
    }
    Ok(())
}

/// A legal move of each role, if each has one.
fn random_moves(situation: &Situation, rng: &mut impl Rng) -> Option<JointMove> {
    situation.legal.iter().map(|legal| legal.iter().choose(rng)).collect()
}
