//! `ludens play`: one playout, drawn in the terminal.

use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use ludens::draw::Drawing;
use ludens::run::{Player, Run};
use ludens::trace::record;
use propnet::game::{Game, Move};

use super::args::{Start, StartArgs};
use super::exit::Status;
use super::output;

/// Play a game and draw it
///
/// After each step: what was moved, boards as grids (the first coordinate to the right, the second
/// upwards), and the other sentences of the state as lists. At the end the score of each role.
///
/// Example: ludens play games/connect_four.kif --players random,first --seed 3 --delay 500
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    start: StartArgs,
    /// A player for each role [default: random for all]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "PLAYER,...")]
    players: Vec<Player>,
    /// The seed of all random choices
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Stop after so many steps
    #[arg(long, value_name = "N", default_value_t = 1000)]
    max_steps: u64,
    /// Wait after each step, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0)]
    delay: u64,
    /// Print the playout as one JSON document, in the format of `ludens trace`
    #[arg(long)]
    json: bool,
    /// Print the scores only
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<Status> {
    let start = args.start.prepare(args.seed, args.players)?;
    let mut game = start.game();
    check_players(&start.setup.players, game.roles())?;
    if args.json {
        return play_json(&start, &mut *game, args.max_steps, out);
    }
    let table = Table {
        drawing: (!args.quiet).then(Drawing::default),
        delay: Duration::from_millis(args.delay),
        max_steps: args.max_steps,
    };
    table.play(&start, &mut *game, out)
}

fn check_players(players: &[Player], roles: &[String]) -> Result<()> {
    ensure!(
        players.is_empty() || players.len() == roles.len(),
        "--players names {}, but the game has {}: {}",
        output::count(players.len() as u64, "player"),
        output::count(roles.len() as u64, "role"),
        roles.join(", "),
    );
    Ok(())
}

fn play_json(
    start: &Start,
    game: &mut dyn Game,
    max_steps: u64,
    out: &mut dyn Write,
) -> Result<Status> {
    let trace = record(game, &start.name, &start.setup, max_steps)?;
    output::json(out, &trace)?;
    let goals = trace.playouts.iter().filter_map(|playout| playout.goals.as_ref());
    let lacks_goals = goals.flatten().any(Option::is_none);
    match trace.error {
        Some(error) => bail!("{}: {error}", start.name),
        None => Ok(Status::bad_if(lacks_goals)),
    }
}

/// How long a game is played unseen before it is drawn.
const REHEARSAL: Duration = Duration::from_secs(1);

/// How a game is shown.
struct Table {
    /// Nothing if only the scores are wanted.
    drawing: Option<Drawing>,
    delay: Duration,
    max_steps: u64,
}

impl Table {
    fn play(mut self, start: &Start, game: &mut dyn Game, out: &mut dyn Write) -> Result<Status> {
        let mut run = Run::new(game, &start.setup)?;
        self.rehearse(start, game)?;
        self.draw(game, &run, out)?;
        while !game.is_terminal(&run.state)? {
            if run.step as u64 >= self.max_steps {
                writeln!(out, "stopped after {} steps; the game is not over", run.step)?;
                return Ok(Status::Good);
            }
            let joint = run
                .advance(game)
                .with_context(|| format!("{}, step {}", start.name, run.step + 1))?;
            if self.drawing.is_some() {
                write_moves(out, game, &run, &joint)?;
                self.draw(game, &run, out)?;
            }
        }
        run.check_script_is_done()?;
        write_scores(out, game, &run)
    }

    /// Plays the same game unseen, so that boards whose empty cells are in no state have their
    /// full size from the start. Not for long: a slow game is better drawn at once.
    fn rehearse(&mut self, start: &Start, game: &mut dyn Game) -> Result<()> {
        let Some(drawing) = &mut self.drawing else { return Ok(()) };
        let mut run = Run::new(game, &start.setup)?;
        drawing.learn(&game.sentences(&run.state));
        let begun = Instant::now();
        while !drawing.is_complete() && begun.elapsed() < REHEARSAL {
            // What goes wrong here goes wrong again, and is reported, when it is drawn.
            let over = run.step as u64 >= self.max_steps || game.is_terminal(&run.state)?;
            if over || run.advance(game).is_err() {
                break;
            }
            drawing.learn(&game.sentences(&run.state));
        }
        Ok(())
    }

    fn draw(&mut self, game: &dyn Game, run: &Run, out: &mut dyn Write) -> Result<()> {
        if let Some(drawing) = &mut self.drawing {
            writeln!(out, "{}", drawing.draw(&game.sentences(&run.state)))?;
            out.flush()?;
            thread::sleep(self.delay);
        }
        Ok(())
    }
}

fn write_moves(out: &mut dyn Write, game: &dyn Game, run: &Run, joint: &[Move]) -> Result<()> {
    let moves: Vec<String> = joint
        .iter()
        .zip(game.roles())
        .enumerate()
        .map(|(index, (&chosen, role))| format!("{role} {}", game.move_spelling(index, chosen)))
        .collect();
    writeln!(out, "step {}: {}", run.step, moves.join(", "))?;
    Ok(())
}

fn write_scores(out: &mut dyn Write, game: &mut dyn Game, run: &Run) -> Result<Status> {
    writeln!(out, "the game is over after {}", output::count(run.step as u64, "step"))?;
    let roles = game.roles().to_vec();
    let width = roles.iter().map(|role| role.chars().count()).max().unwrap_or(0);
    let mut wrong = false;
    for (index, role) in roles.iter().enumerate() {
        match game.goal(&run.state, index) {
            Ok(goal) => writeln!(out, "  {role:width$}  {goal}")?,
            Err(error) => {
                wrong = true;
                writeln!(out, "  {role:width$}  {error}")?;
            }
        }
    }
    Ok(Status::bad_if(wrong))
}
