//! Positions in which one move is better than all others: found by solving what follows each move, and
//! given to searches to find it.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use ludens::count::count;
use ludens::library;
use ludens::pipeline::{Control, PipelineOptions, Stages};
use ludens::search::{Budget, Contestant, Search, Settings};
use ludens::solve::{SolveGame, SolveOptions, solve};
use propnet::game::{Game, Move, Role, State};
use propnet::gdl::Source;
use propnet::reference;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::contestant::{circuit, contestant, decided};

/// What is done with positions.
#[derive(clap::Subcommand)]
pub(crate) enum PositionsCommand {
    /// Find positions of a game of two roles in turn, and print a line of JSON for each
    Find(FindArgs),
    /// Let a search solve the positions of a file, and print how many it has solved as a line of JSON
    Try(TryArgs),
}

#[derive(clap::Args)]
pub(crate) struct FindArgs {
    /// A game of games/
    game: String,
    /// How many positions
    #[arg(long, default_value_t = 25)]
    positions: usize,
    /// Random joint moves before a position, at least and at most
    #[arg(long, num_args = 2, default_values_t = [20, 40])]
    moves: Vec<u64>,
    /// Seconds for what follows a move
    #[arg(long, default_value_t = 5.0)]
    seconds: f64,
    /// The most random games
    #[arg(long, default_value_t = 2000)]
    games: u64,
    /// The seed of the random moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(clap::Args)]
pub(crate) struct TryArgs {
    /// Lines that `positions find` has printed
    file: PathBuf,
    /// The strategy with its parameters, such as uct:c=60
    #[arg(long, default_value = "auto")]
    strategy: String,
    /// Milliseconds for each position
    #[arg(long, default_value_t = 1000)]
    milliseconds: u64,
    /// Simulations for each position, instead of time
    #[arg(long, value_parser = count)]
    simulations: Option<u64>,
}

/// A position.
#[derive(Serialize, Deserialize)]
struct TestPosition {
    game: String,
    /// The role that moves.
    role: String,
    /// What is true.
    state: Vec<String>,
    /// The best move, and what it secures.
    best: String,
    value: f64,
    /// What the second best move gives at most.
    second: f64,
}

/// Does it, and gives the lines to be printed.
pub(crate) fn lines(command: &PositionsCommand) -> Result<String> {
    match command {
        PositionsCommand::Find(args) => find(args),
        PositionsCommand::Try(args) => attempt(args),
    }
}

fn find(args: &FindArgs) -> Result<String> {
    let entry = library::find(&args.game).with_context(|| format!("no game {}", args.game))?;
    let stages = Stages::new(reference::load(Source::from_text(&*args.game, entry.text))?);
    let first = SolveGame::new(&stages, &PipelineOptions::default(), Control::default(), None)?;
    let mut finder = Finder {
        name: args.game.clone(),
        stages,
        game: first.lanes.game(),
        time: Duration::try_from_secs_f64(args.seconds).context("--seconds is no time")?,
    };
    let mut rng = Pcg64::seed_from_u64(args.seed);
    let (mut found, mut lines) = (0, String::new());
    for _ in 0..args.games {
        if found >= args.positions {
            break;
        }
        let steps = rng.random_range(args.moves[0]..=args.moves[1].max(args.moves[0]));
        if let Some(state) = finder.walk(steps, &mut rng)?
            && let Some(position) = finder.position(&state)?
        {
            lines += &serde_json::to_string(&position)?;
            lines.push('\n');
            found += 1;
        }
    }
    Ok(lines)
}

/// Looks for positions of a game.
struct Finder {
    name: String,
    stages: Stages,
    game: Box<dyn Game + Send>,
    time: Duration,
}

impl Finder {
    /// The state after some random joint moves; none if the game is over before.
    fn walk(&mut self, steps: u64, rng: &mut Pcg64) -> Result<Option<State>> {
        let mut state = self.game.initial_state()?;
        for _ in 0..steps {
            if self.game.is_terminal(&state)? {
                return Ok(None);
            }
            let mut joint = Vec::new();
            for role in 0..self.game.roles().len() {
                let legal: Vec<Move> = self.game.legal_moves(&state, role)?.iter().collect();
                joint.push(legal[rng.random_range(0..legal.len())]);
            }
            state = self.game.next_state(&state, &joint)?;
        }
        Ok((!self.game.is_terminal(&state)?).then_some(state))
    }

    /// The position in this state, if only one role has a choice and one of its moves is proven to be
    /// better than all others.
    fn position(&mut self, state: &State) -> Result<Option<TestPosition>> {
        let roles = self.game.roles().to_vec();
        let mut legal: Vec<Vec<Move>> = Vec::new();
        for role in 0..roles.len() {
            legal.push(self.game.legal_moves(state, role)?.iter().collect());
        }
        let mut choosers = (0..roles.len()).filter(|&role| legal[role].len() > 1);
        let (Some(mover), None) = (choosers.next(), choosers.next()) else { return Ok(None) };
        let mut values = Vec::new();
        for &own in &legal[mover] {
            let joint: Vec<Move> = (0..roles.len())
                .map(|role| if role == mover { own } else { legal[role][0] })
                .collect();
            let Some(value) = self.value_after(state, &joint, mover)? else { return Ok(None) };
            values.push((value, own));
        }
        values.sort_by(|a, b| b.0.total_cmp(&a.0));
        let [(value, best), (second, _), ..] = values[..] else { return Ok(None) };
        if value <= second {
            return Ok(None);
        }
        Ok(Some(TestPosition {
            game: self.name.clone(),
            role: roles[mover].clone(),
            state: self.game.sentences(state)?,
            best: self.game.move_text(mover, best)?,
            value,
            second,
        }))
    }

    /// What a role has after a joint move; none if that cannot be proven in time.
    fn value_after(&mut self, state: &State, joint: &[Move], role: Role) -> Result<Option<f64>> {
        let next = self.game.next_state(state, joint)?;
        if self.game.is_terminal(&next)? {
            return Ok(Some(f64::from(self.game.goal(&next, role)?)));
        }
        let sentences = self.game.sentences(&next)?;
        let options = PipelineOptions::default();
        let game = SolveGame::new(&self.stages, &options, Control::default(), Some(&sentences))?;
        let options = SolveOptions { time: Some(self.time), ..SolveOptions::default() };
        let solution = solve(&game, &options, &mut |_| true)?;
        let own = &solution.roles[role];
        Ok(own.is_solved.then_some(own.lower))
    }
}

fn attempt(args: &TryArgs) -> Result<String> {
    let name = args.file.display().to_string();
    let text = fs::read_to_string(&args.file).with_context(|| format!("cannot read {name}"))?;
    let mut settings: Settings = args.strategy.parse()?;
    settings.limit_threads(1);
    let mut lines = String::new();
    let mut positions: Vec<TestPosition> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let read = serde_json::from_str(line);
        positions.push(read.with_context(|| format!("{name}, line {}", at + 1))?);
    }
    let mut games: Vec<&str> = positions.iter().map(|position| position.game.as_str()).collect();
    games.dedup();
    for game in games {
        let own: Vec<&TestPosition> = positions.iter().filter(|one| one.game == game).collect();
        let side = player(game, args, &settings)?;
        let mut solved = 0;
        for (at, position) in own.iter().enumerate() {
            solved += usize::from(solves(&side, position, at as u64)?);
        }
        let line = json!({
            "file": args.file.file_name().unwrap_or_default().to_string_lossy(),
            "game": game,
            "strategy": args.strategy,
            "plays": side.settings.scheme,
            "milliseconds": args.simulations.is_none().then_some(args.milliseconds),
            "simulations": args.simulations,
            "positions": own.len(),
            "solved": solved,
        });
        lines += &format!("{line}\n");
    }
    Ok(lines)
}

/// What plays a game; `auto` chooses its scheme before.
fn player(game: &str, args: &TryArgs, settings: &Settings) -> Result<Contestant> {
    let entry = library::find(game).with_context(|| format!("there is no game {game}"))?;
    let circuit = circuit(Source::from_text(game, entry.text), game)?;
    let side = contestant(&circuit, settings.clone())?;
    let side = match args.simulations {
        Some(count) => Contestant { budget: Budget::simulations(count), ..side },
        None => Contestant { time: Some(Duration::from_millis(args.milliseconds)), ..side },
    };
    decided(&circuit, side, game)
}

/// Whether a search finds the best move.
fn solves(side: &Contestant, position: &TestPosition, seed: u64) -> Result<bool> {
    let mut search = Search::at_sentences(&side.game, &side.settings, seed, &position.state)?;
    search.run(&side.time.map_or_else(|| side.budget.clone(), Budget::time))?;
    let roles = search.game().roles();
    let role = roles.iter().position(|role| *role == position.role);
    let role = role.with_context(|| format!("{} has no role {}", position.game, position.role))?;
    let Some(best) = search.best_move(role) else { return Ok(false) };
    Ok(search.game().move_text(role, best)? == position.best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_found_and_solved() {
        let args = FindArgs {
            game: "tic_tac_toe".to_string(),
            positions: 5,
            moves: vec![3, 5],
            seconds: 10.0,
            games: 200,
            seed: 1,
        };
        let lines = find(&args).expect("positions");
        assert_eq!(lines.lines().count(), 5);
        assert_eq!(find(&args).expect("positions"), lines, "the same seed finds the same");
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("positions.jsonl");
        fs::write(&file, &lines).expect("a file");
        let solved = |strategy: &str| {
            let (strategy, simulations) = (strategy.to_string(), Some(2000));
            let args = TryArgs { file: file.clone(), strategy, milliseconds: 0, simulations };
            let line = attempt(&args).expect("a line");
            let line: serde_json::Value = serde_json::from_str(&line).expect("JSON");
            assert_eq!(line["positions"], 5);
            line["solved"].as_u64().expect("a number")
        };
        assert_eq!(solved("uct+solver"), 5);
        assert!(solved("random") < 5);
    }
}
