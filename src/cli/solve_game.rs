//! `ludens solve` for several roles: the value of each, and how to play for it.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use indicatif::ProgressBar;
use ludens::matrix::POINT;
use ludens::solve::{
    MoveShare, RoleValue, Solution, SolveGame, SolveOptions, SolveProgress, SumProof, solve,
};
use serde::Serialize;

use super::exit::ExitStatus;
use super::{output, progress};

/// Solves a position, and prints what is proven.
pub(crate) fn run(
    name: &str,
    game: &SolveGame,
    options: &SolveOptions,
    may_go_on: &dyn Fn() -> bool,
    json: bool,
    out: &mut dyn Write,
) -> Result<ExitStatus> {
    let mut shown = Shown { bar: progress::message(), last: None };
    let mut watch = |progress: &SolveProgress| {
        shown.show(progress);
        may_go_on()
    };
    let solution = solve(game, options, &mut watch);
    shown.bar.finish_and_clear();
    let solution = solution.with_context(|| format!("{name} cannot be solved"))?;
    if json {
        output::json(out, &NamedSolution { game: name, solution: &solution })?;
    } else {
        write(name, &solution, out)?;
    }
    Ok(ExitStatus::Good)
}

/// The solution, for scripts.
#[derive(Serialize)]
struct NamedSolution<'s> {
    game: &'s str,
    #[serde(flatten)]
    solution: &'s Solution,
}

/// Progress on a terminal.
struct Shown {
    bar: ProgressBar,
    last: Option<Instant>,
}

/// How often progress is shown.
const OFTEN: Duration = Duration::from_millis(100);

impl Shown {
    fn show(&mut self, progress: &SolveProgress) {
        if self.bar.is_hidden() || self.last.is_some_and(|last| last.elapsed() < OFTEN) {
            return;
        }
        self.last = Some(Instant::now());
        let mut text = format!("{}: ", progress.method);
        text += &format!("{} {}", output::short(progress.states as f64), progress.stage);
        if let Some(depth) = progress.depth {
            text += &format!(", depth {depth}");
        }
        if let Some(bounds) = progress.bounds {
            let points = |units: i64| number(units as f64 / POINT as f64);
            text += &format!(", {} to {}", points(bounds.lower), points(bounds.upper));
        }
        self.bar.set_message(text);
    }
}

fn write(name: &str, solution: &Solution, out: &mut dyn Write) -> io::Result<()> {
    let by = solution.variant;
    match (solution.is_solved, solution.is_complete) {
        (true, _) => writeln!(out, "{name}: solved by {by}")?,
        (false, true) => writeln!(out, "{name}: bounds by {by}, all that can be proven")?,
        (false, false) => writeln!(out, "{name}: not solved, bounds by {by} so far")?,
    }
    let width = solution.roles.iter().map(|role| role.role.chars().count()).max().unwrap_or(0);
    let values: Vec<String> = solution.roles.iter().map(value).collect();
    let value_width = values.iter().map(String::len).max().unwrap_or(0);
    for (role, value) in solution.roles.iter().zip(values) {
        let strategy = strategy(&role.strategy);
        let line = format!("  {:width$}  {value:value_width$}  {strategy}", role.role);
        writeln!(out, "{}", line.trim_end())?;
    }
    if let Some(sum) = solution.sum {
        let known = match sum.known_by {
            SumProof::Circuit => "proven from the rules",
            SumProof::States => "in all states",
            SumProof::Observed => "observed, not proven",
        };
        writeln!(out, "the goals of all roles add up to {} at every end ({known})", sum.value)?;
    }
    if solution.is_cyclic == Some(true) {
        writeln!(out, "play may go on for ever, which gives nobody a goal")?;
    }
    let mut figures = vec![output::count(solution.states, "state")];
    if solution.matrices > 0 {
        figures.push(output::count(solution.matrices, "matrix game"));
    }
    figures.extend(solution.depth.map(|depth| format!("depth {depth}")));
    figures.push(format!("{:.3} s", solution.time.as_secs_f64()));
    writeln!(out, "{}", figures.join(", "))
}

fn value(role: &RoleValue) -> String {
    match role.is_solved {
        true => number(role.lower),
        false => format!("{} to {}", number(role.lower), number(role.upper)),
    }
}

/// A move, or several with their probabilities.
fn strategy(shares: &[MoveShare]) -> String {
    let text = |share: &MoveShare| match shares.len() {
        1 => share.text.clone(),
        _ => format!("{} {:.4}", share.text, share.probability),
    };
    shares.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// At most four decimals, and no more than are needed.
fn number(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}
