//! The commands of the laboratory.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Subcommand;
use serde::Serialize;

use super::chart::{png, svg};
use super::experiment::Experiment;
use super::figure::Figure;
use super::rating::Results;
use super::records::Records;
use super::report::html;
use super::run::{RunOptions, run};
use super::score::points;
use super::sequential::Hypotheses;
use super::sprt::sprt;
use super::sweep::Sweep;
use super::table::{csv, in_order, markdown, scores};

/// What can be done with an experiment.
#[derive(Subcommand)]
pub(crate) enum LabCommand {
    /// Play the games of an experiment that are not recorded yet, all cells, roles swapped
    ///
    /// A run that was killed goes on where it was. Records of several machines are merged by
    /// concatenation; a game that is there twice counts once.
    Run(RunArgs),
    /// Print the games that are not recorded yet, cell by cell, as JSON
    Missing {
        #[command(flatten)]
        recorded: RecordedArgs,
    },
    /// Print the scores beside the published numbers, as Markdown
    Table {
        #[command(flatten)]
        recorded: RecordedArgs,
        /// Print all figures as CSV instead
        #[arg(long)]
        csv: bool,
    },
    /// Draw the scores, as SVG and as PNG
    Plot {
        #[command(flatten)]
        recorded: RecordedArgs,
        /// The files, with the extensions .svg and .png [default: the name of the experiment's file]
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// Write the tables and plots of several experiments as one page of HTML
    Report {
        /// The experiments, TOML files with their records beside them
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The page
        #[arg(long, default_value = "report.html")]
        out: PathBuf,
    },
    /// Print ratings of all sides of an experiment, from all its games
    Elo {
        #[command(flatten)]
        recorded: RecordedArgs,
        /// Count only cells whose GAME/FIRST/SECOND contains one of these texts
        #[arg(long, value_delimiter = ',')]
        only: Vec<String>,
        /// Drawn games that are added between sides that met, so that all ratings are finite
        #[arg(long, default_value_t = 1.0)]
        prior: f64,
    },
    /// Play cells until it is known whether the first side is better, or until all games are played
    ///
    /// A sequential probability ratio test of two hypotheses about the share of points (Wald 1945).
    Sprt {
        #[command(flatten)]
        run: RunArgs,
        /// The percentage of points of a side that is no better
        #[arg(long, default_value_t = 50.0)]
        null: f64,
        /// The percentage of points of a side that is better by what matters
        #[arg(long, default_value_t = 55.0)]
        better: f64,
        /// How often the test may say "better" wrongly
        #[arg(long, default_value_t = 0.05)]
        alpha: f64,
        /// How often the test may say "not better" wrongly
        #[arg(long, default_value_t = 0.05)]
        beta: f64,
    },
    /// Write an experiment: two strategies at growing budgets of simulations and time, to be plotted as
    /// a curve
    Sweep(Sweep),
}

/// What to play, and how.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// The experiment, a TOML file
    file: PathBuf,
    /// The records, a line of JSON for each game [default: the file with the extension .jsonl]
    #[arg(long)]
    out: Option<PathBuf>,
    /// The threads that play [default: one for each processor]
    #[arg(short = 'j', long)]
    threads: Option<usize>,
    /// The most games at once in a thread; their searches share lanes, with the same games as 1
    #[arg(long)]
    at_once: Option<usize>,
    /// Play only cells whose GAME/FIRST/SECOND contains one of these texts
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Play only the cell with this place in the experiment, as `lab missing` counts them
    #[arg(long, value_name = "N", requires = "numbers")]
    cell: Option<usize>,
    /// Play only the games of that cell that have these numbers
    #[arg(long, value_name = "N,...", value_delimiter = ',', requires = "cell")]
    numbers: Vec<u64>,
}

/// An experiment that was played.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct RecordedArgs {
    /// The experiment, a TOML file
    file: PathBuf,
    /// The records, in one file or several [default: the file with the extension .jsonl]
    #[arg(long)]
    records: Vec<PathBuf>,
}

/// What a command prints.
pub(crate) fn lab(command: &LabCommand) -> Result<String> {
    match command {
        LabCommand::Run(args) => {
            let (experiment, out, options) = args.read()?;
            let played = run(&experiment, &out, &options)?;
            Ok(format!("{played} games played, recorded in {}\n", out.display()))
        }
        LabCommand::Missing { recorded } => {
            let (experiment, records) = recorded.read()?;
            missing(&experiment, &records)
        }
        LabCommand::Table { recorded, csv: as_csv } => {
            let (experiment, records) = recorded.read()?;
            let scores = scores(&experiment, &records);
            if *as_csv {
                return csv(&scores);
            }
            let warnings = records.warnings.iter().map(|warning| format!("\n> {warning}\n"));
            Ok(markdown(&experiment, &scores) + &warnings.collect::<String>())
        }
        LabCommand::Plot { recorded, out } => {
            let (experiment, records) = recorded.read()?;
            let figure = Figure::of(&experiment, &scores(&experiment, &records));
            let out = out.as_ref().unwrap_or(&recorded.file);
            let (as_svg, as_png) = (out.with_extension("svg"), out.with_extension("png"));
            write(&as_svg, svg(&figure)?.as_bytes())?;
            write(&as_png, &png(&figure)?)?;
            Ok(format!("{}\n{}\n", as_svg.display(), as_png.display()))
        }
        LabCommand::Report { files, out } => report(files, out),
        LabCommand::Elo { recorded, only, prior } => elo(recorded, only, *prior),
        LabCommand::Sprt { run, null, better, alpha, beta } => {
            let hypotheses = hypotheses(*null, *better, *alpha, *beta)?;
            let (experiment, out, options) = run.read()?;
            sprt(&experiment, &out, &options, hypotheses)
        }
        LabCommand::Sweep(sweep) => sweep.experiment(),
    }
}

impl RunArgs {
    /// The experiment, the file of its records, and how it is played.
    fn read(&self) -> Result<(Experiment, PathBuf, RunOptions)> {
        let experiment = Experiment::read(&self.file)?;
        let out = self.out.clone().unwrap_or_else(|| self.file.with_extension("jsonl"));
        let RunArgs { threads, at_once, ref only, .. } = *self;
        let part = self.cell.map(|cell| (cell, self.numbers.clone()));
        Ok((experiment, out, RunOptions { threads, at_once, only: only.clone(), part }))
    }
}

impl RecordedArgs {
    /// The experiment and its records.
    fn read(&self) -> Result<(Experiment, Records)> {
        let experiment = Experiment::read(&self.file)?;
        let own = [self.file.with_extension("jsonl")];
        let paths = if self.records.is_empty() { &own } else { &self.records[..] };
        let records = Records::read(&experiment, paths)?;
        Ok((experiment, records))
    }
}

/// The games that are not recorded, for whoever shares them between machines.
#[derive(Serialize)]
struct MissingGames {
    cell: usize,
    path: String,
    numbers: Vec<u64>,
}

fn missing(experiment: &Experiment, records: &Records) -> Result<String> {
    let cells = experiment.cells.iter().enumerate().map(|(at, cell)| MissingGames {
        cell: at,
        path: cell.path(),
        numbers: records.missing(at, cell),
    });
    let cells: Vec<_> = cells.filter(|cell| !cell.numbers.is_empty()).collect();
    Ok(serde_json::to_string(&cells)? + "\n")
}

fn report(files: &[PathBuf], out: &Path) -> Result<String> {
    let read = |file: &PathBuf| RecordedArgs { file: file.clone(), records: Vec::new() }.read();
    let read: Vec<(Experiment, Records)> = files.iter().map(read).collect::<Result<_>>()?;
    let scored: Vec<_> = read
        .iter()
        .map(|(experiment, records)| (experiment, scores(experiment, records)))
        .collect();
    let warnings = read.iter().flat_map(|(_, records)| records.warnings.clone());
    write(out, html(&scored, &warnings.collect::<Vec<_>>())?.as_bytes())?;
    Ok(format!("{}\n", out.display()))
}

fn elo(recorded: &RecordedArgs, only: &[String], prior: f64) -> Result<String> {
    ensure!((0.0..=1e6).contains(&prior), "--prior {prior}: expected a number from 0 to 1000000");
    let (experiment, records) = recorded.read()?;
    let options = RunOptions { only: only.to_vec(), ..RunOptions::default() };
    let cells = || experiment.cells.iter().zip(&records.cells);
    let played = || cells().filter(|(cell, games)| options.accepts(cell) && !games.is_empty());
    let names = played().flat_map(|(cell, _)| cell.names()[1..].to_vec());
    let names = in_order(names);
    ensure!(!names.is_empty(), "no games are recorded; run `ludens-tools lab run` first");
    let mut results = Results::new(names.iter().map(|name| name.to_string()).collect());
    let place = |name: &str| names.iter().position(|known| *known == name).unwrap_or_default();
    for (cell, games) in played() {
        let [_, first, second] = cell.names().map(place);
        games.iter().for_each(|game| results.add(first, second, points(cell, game) / 100.0));
    }
    let mut text = "| side | Elo | 95 % | games | points |\n|---|---|---|---|---|\n".to_string();
    for it in results.ratings(prior)? {
        text += &format!(
            "| {} | {:+.0} | ± {:.0} | {:.0} | {:.1} % |\n",
            it.name, it.elo, it.half, it.games, it.percent
        );
    }
    Ok(text)
}

/// Hypotheses from percentages and errors.
fn hypotheses(null: f64, better: f64, alpha: f64, beta: f64) -> Result<Hypotheses> {
    ensure!(
        0.0 < null && null < better && better < 100.0,
        "--null {null} --better {better}: expected two percentages between 0 and 100, the first lower"
    );
    let is_error = |share: f64| 0.0 < share && share < 0.5;
    ensure!(
        is_error(alpha) && is_error(beta),
        "--alpha {alpha} --beta {beta}: expected shares between 0 and 0.5"
    );
    Ok(Hypotheses { null: null / 100.0, better: better / 100.0, alpha, beta })
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
