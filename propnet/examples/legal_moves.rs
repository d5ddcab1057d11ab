//! Walks through a game with the reference reasoner: straight from the rules, nothing compiled.
//!
//! ```text
//! cargo run -p propnet --example legal_moves -- games/connect_four.kif
//! ```
//!
//! Without a file it plays tic-tac-toe. In each state it shows the legal moves of all roles, and
//! makes random ones.
#![allow(clippy::print_stdout)]

mod common;

use std::error::Error;

use propnet::game::Game;
use propnet::load;
use propnet::reference::Reasoner;
use rand::SeedableRng;
use rand_pcg::Pcg64;

/// Some games have no end.
const MOST_MOVES: usize = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let rules = load(&common::sheet()?)?;
    let mut game = Reasoner::new(&rules);
    let roles = game.roles().to_vec();
    let mut rng = Pcg64::seed_from_u64(1);
    let mut state = game.initial_state()?;

    for number in 1..=MOST_MOVES {
        if game.is_terminal(&state)? {
            break;
        }
        let joint = game.complete_joint_move(&state, &[], &mut rng)?;
        for (role, name) in roles.iter().enumerate() {
            let legal = game.legal_moves(&state, role)?;
            let texts = legal.iter().map(|chosen| game.move_text(role, chosen));
            let legal: Vec<String> = texts.collect::<Result<_, _>>()?;
            let chosen = game.move_text(role, joint[role])?;
            println!("{number}. {name} plays {chosen} of {}", legal.join(" "));
        }
        state = game.next_state(&state, &joint)?;
    }

    println!("{}", game.sentences(&state)?.join(" "));
    for (role, name) in roles.iter().enumerate() {
        match game.proper_goal(&state, role)? {
            Some(goal) => println!("{name}: {goal}"),
            None => println!("{name}: no goal"),
        }
    }
    Ok(())
}
