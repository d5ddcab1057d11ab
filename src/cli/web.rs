//! `ludens web`: the page in a browser.

use std::io::Write;

use anyhow::Result;
use ludens::web::{WebOptions, WebServer};

use super::exit::ExitStatus;
use super::input;

/// Watch, play, inspect and analyse games in a browser
///
/// Serves a page, and prints its address: games and what is wrong with them, play against people,
/// strategies and players at an address, matches and records, searches that go on, circuits gate by
/// gate, and saved runs side by side. GET /api lists what scripts may ask, such as an analysis of any
/// position. Nothing is installed and nothing is loaded from elsewhere. Ctrl-C ends it.
///
/// Only this machine can reach it, unless --host says otherwise; then the address contains a token, and
/// files are not opened by their path.
///
/// Examples: ludens web
///           ludens web games/breakthrough.kif --port 9180
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The rules of a game to begin with: a file, or the name of a game; `-` for standard input
    sheet: Option<String>,
    /// The port to listen on; 0 for any that is free
    #[arg(long, default_value_t = 9180)]
    port: u16,
    /// The address to listen on; 0.0.0.0 for browsers on other machines
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// Answer requests for a host name, such as games.example.org, besides those for addresses,
    /// localhost and the name of this machine. May be repeated
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<ExitStatus> {
    let sheet = args.sheet.as_deref().map(input::read_sheet).transpose()?;
    let options = WebOptions { host: args.host, port: args.port, hosts: args.allow_host };
    let mut server = WebServer::bind(&options)?;
    if let Some(sheet) = sheet {
        server.open(sheet);
    }
    writeln!(out, "the page is at {}", server.url()?)?;
    out.flush()?;
    server.run()?;
    Ok(ExitStatus::Good)
}
