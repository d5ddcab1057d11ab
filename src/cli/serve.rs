//! `ludens serve`: a player that game managers reach over HTTP.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;
use ludens::agent::{AgentOptions, Log};
use ludens::engine::EngineOptions;
use ludens::protocol::{Server, Session, SessionOptions};
use ludens::record::{now, timestamp};
use ludens::search::{Budget, machine_bytes};

use super::args::{LaneArgs, OptionArgs};
use super::exit::Status;
use super::recorded;
use super::strategy::StrategyArgs;

/// Play matches for game managers, over HTTP
///
/// Speaks the protocol of general game playing: messages in KIF by POST, from INFO to STOP. Thinks
/// in the start clock, in the play clock, and while others think. Ends with Ctrl-C.
///
/// Examples:
///   ludens serve --port 9147 --strategy mast --out records
///   curl -d '(info)' http://127.0.0.1:9147
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The port to listen on; 0 for any that is free
    #[arg(long, default_value_t = 9147)]
    port: u16,
    /// The address to listen on; 0.0.0.0 for managers on other machines
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// The number of matches at once; there is no room for more
    #[arg(long, value_name = "N", default_value = "1")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    matches: u32,
    /// A folder for records of the matches
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// What all chance comes from; each match has the next number
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Spend so many simulations on each move instead of the time there is
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    simulations: Option<u64>,
    /// Say nothing but where it listens
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    strategy: StrategyArgs,
    #[command(flatten)]
    options: OptionArgs,
    #[command(flatten)]
    lanes: LaneArgs,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<Status> {
    let log = if args.quiet { Log::default() } else { Log::new(say) };
    let mut settings = args.strategy.settings()?;
    // Matches share what one search would take.
    let share = || machine_bytes() / 4 / u64::from(args.matches);
    settings.memory = settings.memory.or_else(|| Some(share()));
    let agent = AgentOptions {
        settings,
        engine: EngineOptions { lanes: args.lanes.setup()?, ..args.options.options() },
        seed: args.seed,
        budget: args.simulations.map(Budget::simulations),
        ..AgentOptions::default()
    };
    if let Some(folder) = &args.out {
        recorded::prepare_folder(folder, |line| log.line(line))?;
    }
    let session = Session::new(SessionOptions {
        agent,
        matches: args.matches as usize,
        records: args.out,
        log: log.clone(),
        ..SessionOptions::default()
    });
    let server = Server::bind(&args.host, args.port, session, log)?;
    writeln!(out, "ludens listens on http://{}", server.address()?)?;
    out.flush()?;
    server.run()?;
    Ok(Status::Good)
}

/// Lines go to whoever watches; nothing is lost if nobody does.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{} {line}", timestamp(now()));
}
