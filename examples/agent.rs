//! A player for game managers: text in, text out, or served over HTTP.
//!
//! ```text
//! cargo run --release --example agent            a few messages and their replies
//! cargo run --release --example agent -- 9147    serves on this port until it is interrupted
//! ```
#![allow(clippy::print_stdout)]

use std::env;
use std::error::Error;
use std::time::Instant;

use ludens::Game;
use ludens::agent::Log;
use ludens::protocol::{Server, ServerOptions, Session, SessionOptions};

fn main() -> Result<(), Box<dyn Error>> {
    match env::args().nth(1) {
        Some(port) => serve(port.parse()?),
        None => {
            for (message, reply) in conversation(&Game::named("tic_tac_toe")?) {
                println!("> {message}\n< {reply}");
            }
            Ok(())
        }
    }
}

/// Serves the default player on a port of this machine.
fn serve(port: u16) -> Result<(), Box<dyn Error>> {
    let session = Session::new(SessionOptions::default());
    let options = ServerOptions { port, ..ServerOptions::default() };
    let server = Server::bind(options, session, Log::default())?;
    println!("listening on http://{}", server.address()?);
    Ok(server.run()?)
}

/// The messages of a manager that begins a match of a game and ends it after the first move, each
/// with the player's reply.
pub(crate) fn conversation(game: &Game) -> Vec<(String, String)> {
    let session = Session::new(SessionOptions::default());
    let role = game.roles().first().map_or("", String::as_str);
    let start = format!("(START demo {role} ({}) 1 1)", game.sheet());
    let messages = ["(INFO)", start.as_str(), "(PLAY demo nil)", "(ABORT demo)"];
    let answer = |message: &str| session.answer(message, Instant::now()).to_string();
    // The sheet is long, so only its beginning is shown.
    let shown = |message: &str| message.lines().next().unwrap_or_default().to_string();
    messages.into_iter().map(|message| (shown(message), answer(message))).collect()
}
