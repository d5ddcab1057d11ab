//! A million random playouts of a sheet, and what they come to.
//!
//! ```text
//! cargo run --release -p propnet --example playouts -- games/connect_four.kif
//! ```
//!
//! Without a file it plays tic-tac-toe.
#![allow(clippy::print_stdout)]

mod common;

use std::error::Error;

use propnet::{CompileOptions, Compiled, load};

fn main() -> Result<(), Box<dyn Error>> {
    let rules = load(&common::sheet()?)?;
    let game = Compiled::new(&rules, &CompileOptions::default())?;
    let totals = game.playouts(1_000_000, 1);

    println!("{} playouts in lanes of {}", totals.playouts, game.setup());
    if let Some(length) = totals.mean_length() {
        println!("mean length {length:.2} moves");
    }
    for (role, mean) in game.names().roles().iter().zip(totals.mean_goals(game.program())) {
        match mean {
            Some(mean) => println!("{role}: mean goal {mean:.2}"),
            None => println!("{role}: no goal"),
        }
    }
    Ok(())
}
