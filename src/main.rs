//! `ludens`: arguments -> command -> exit code.

mod cli;

use std::io::{self, BufWriter};
use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut out = BufWriter::new(io::stdout().lock());
    let result = match cli.command {
        Command::Check(args) => cli::check::run(args, &mut out),
        Command::Show(args) => cli::show::run(args, &mut out),
        Command::Dot(args) => cli::dot::run(args, &mut out),
        Command::Ground(args) => cli::ground::run(args, &mut out),
        Command::Games(args) => cli::games::run(args, &mut out),
        Command::Match(args) => cli::match_::run(args, &mut out),
        Command::Play(args) => cli::play::run(args, &mut out),
        Command::Perft(args) => cli::perft::run(args, &mut out),
        Command::Solve(args) => cli::solve::run(args, &mut out),
        Command::Playouts(args) => cli::playouts::run(args, &mut out),
        Command::Bench(args) => cli::bench::run(args, &mut out),
        Command::Strategies(args) => cli::strategies::run(args, &mut out),
        Command::Replay(args) => cli::replay::run(args, &mut out),
        Command::Trace(args) => cli::trace::run(args, &mut out),
        Command::Verify(args) => cli::verify::run(args, &mut out),
        Command::Serve(args) => cli::serve::run(args, &mut out),
        Command::Web(args) => cli::web::run(args, &mut out),
        Command::Completions(args) => cli::completions::run(args, &mut out),
        Command::Man(args) => cli::man::run(args, &mut out),
    };
    cli::exit::code(result, &mut out)
}
