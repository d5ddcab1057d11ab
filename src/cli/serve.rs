//! `ludens serve`: a player that game managers reach over HTTP.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use ludens::agent::AgentOptions;
use ludens::count::count_within;
use ludens::pipeline::PipelineOptions;
use ludens::protocol::{Access, Server, ServerOptions, Session, SessionOptions};
use ludens::search::{Budget, machine_bytes};

use super::args::{LaneArgs, OptionArgs};
use super::exit::ExitStatus;
use super::logging::LogArgs;
use super::recorded;
use super::strategy::StrategyArgs;

/// Play matches for game managers, over HTTP
///
/// Speaks the protocol of general game playing: messages in KIF by POST, from INFO to STOP. It
/// searches during the start clock, during the play clock, and while others move. Ctrl-C ends it.
///
/// GET /health returns the status in JSON, GET /metrics the counters for Prometheus. Web pages are
/// refused unless --allow-origin names them, and so are requests for unknown host names.
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
    /// The number of matches at once, including those that are still ending; further ones get `busy`
    #[arg(long, value_name = "N", default_value = "1")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    matches: u32,
    /// The longest clock of a match, in seconds; a START with a longer one is refused
    #[arg(long, value_name = "SECONDS", default_value = "3600")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    max_clock: u64,
    /// End a match if its next message does not come within the clock of the last one plus this
    /// many seconds
    #[arg(long, value_name = "SECONDS", default_value = "30")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    patience: u64,
    /// Let web pages of an origin use the player, such as http://example.org; * for all pages. May be
    /// repeated
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<String>,
    /// Answer requests for a host name, such as player.example.org, besides those for addresses,
    /// localhost and the name of this machine; * for all names. May be repeated
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// A folder for records of the matches
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The seed of all random choices; each further match uses the next number
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Make N simulations for each move instead of using all the time
    #[arg(long, value_name = "N", value_parser = count_within(1, u64::MAX))]
    simulations: Option<u64>,
    #[command(flatten)]
    logging: LogArgs,
    #[command(flatten)]
    strategy: StrategyArgs,
    #[command(flatten)]
    options: OptionArgs,
    #[command(flatten)]
    lanes: LaneArgs,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<ExitStatus> {
    let log = args.logging.start()?;
    let mut settings = args.strategy.settings()?;
    // Matches share the resources of one search.
    settings.search.limit_memory(machine_bytes() / 4 / u64::from(args.matches));
    let agent = AgentOptions {
        settings,
        pipeline: PipelineOptions { lanes: args.lanes.setup()?, ..args.options.options() },
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
        max_clock: Duration::from_secs(args.max_clock),
        patience: Duration::from_secs(args.patience),
        records: args.out,
        log: log.clone(),
    });
    let access = Access { origins: args.allow_origin, hosts: args.allow_host };
    let options = ServerOptions { host: args.host, port: args.port, access };
    let server = Server::bind(options, session, log)?;
    writeln!(out, "ludens listens on http://{}", server.address()?)?;
    out.flush()?;
    server.run()?;
    Ok(ExitStatus::Good)
}
