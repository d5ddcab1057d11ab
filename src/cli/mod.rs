//! The commands: one file for each, the arguments they share, and how they end.
//!
//! Every command works in two steps: arguments become ready objects, and only then does work
//! begin. Results go to the given writer, which is standard output; nothing else does.

pub(crate) mod analysis_show;
mod args;
pub(crate) mod bench;
pub(crate) mod bench_table;
pub(crate) mod check;
pub(crate) mod circuit_json;
pub(crate) mod circuit_report;
pub(crate) mod circuit_show;
pub(crate) mod circuit_table;
pub(crate) mod color;
pub(crate) mod completions;
pub(crate) mod cutoffs_show;
pub(crate) mod dot;
pub(crate) mod exit;
mod features_show;
pub(crate) mod games;
pub(crate) mod ground;
pub(crate) mod ground_child;
pub(crate) mod ground_csv;
pub(crate) mod ground_report;
pub(crate) mod ground_table;
pub(crate) mod input;
pub(crate) mod interrupt;
pub(crate) mod knowledge;
pub(crate) mod logging;
pub(crate) mod man;
pub(crate) mod match_;
pub(crate) mod match_args;
pub(crate) mod match_report;
pub(crate) mod match_rounds;
pub(crate) mod match_series;
pub(crate) mod match_stats;
pub(crate) mod output;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod playouts;
pub(crate) mod playouts_report;
pub(crate) mod progress;
pub(crate) mod recorded;
pub(crate) mod replay;
mod replay_walk;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod solve_game;
pub(crate) mod solve_puzzle;
pub(crate) mod state_show;
pub(crate) mod strategies;
pub(crate) mod strategy;
pub(crate) mod svg_folder;
pub(crate) mod trace;
pub(crate) mod verify;
pub(crate) mod web;

use clap::{Parser, Subcommand};

/// A general game player: reads the rules of a game in GDL, plays it, and proves its answers.
#[derive(Parser)]
#[command(name = "ludens", version)]
#[command(
    after_help = "Exit codes: 0 all is well, 1 something was found or failed, 2 wrong usage.\n\
                        SHEET is a file of rules in GDL, or the name of a game that `ludens games` lists;\n\
                        `-` reads standard input."
)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Subcommand)]
pub(crate) enum Command {
    Check(check::Args),
    Show(show::Args),
    Dot(dot::Args),
    Ground(ground::Args),
    Games(games::Args),
    Match(match_::Args),
    Play(play::Args),
    Perft(perft::Args),
    Solve(solve::Args),
    Playouts(playouts::Args),
    Bench(bench::Args),
    Strategies(strategies::Args),
    Replay(replay::Args),
    Trace(trace::Args),
    Verify(verify::Args),
    Serve(serve::Args),
    Web(web::Args),
    Completions(completions::Args),
    Man(man::Args),
}
