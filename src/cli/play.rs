//! `ludens play`: a match in the terminal, drawn.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use anyhow::{Result, ensure};
use ludens::draw::Drawing;
use ludens::manager::{Clocks, MatchEvent, Player};
use ludens::run::Run;
use propnet::game::{Game, Move, PlayError};

use super::exit::ExitStatus;
use super::match_args::{Arena, MatchArgs};
use super::match_report::{MatchPrinter, conclude, status};
use super::output;
use super::strategy::StrategyArgs;
use super::svg_folder::SvgFolder;

/// Play a game against the program, or watch others play, with boards drawn
///
/// After each step: the moves, boards as grids (the first coordinate to the right, the second
/// upwards; `.` is an empty cell), and the other sentences of the state as lists. Pieces of two sides
/// are letters, capitals for the first; a legend says once what symbols mean. At the end: the score
/// of each role.
/// `ludens match --help` lists the kinds of players. Without --players you play the first role in a
/// terminal against a strategy; without a terminal all moves are made at random.
///
/// Examples: ludens play connect_four
///           ludens play breakthrough --strategy mast --play-clock 5
///           ludens play games/connect_four.kif --players random,first --seed 3 --delay 500
///           ludens play othello --players uct,mast --svg pictures
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    common: MatchArgs,
    /// A player for each role
    #[arg(long, value_delimiter = ',', value_name = "PLAYER,...")]
    players: Vec<Player>,
    #[command(flatten)]
    strategy: StrategyArgs,
    /// Wait after each step, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0)]
    delay: u64,
    /// Print the record of the match as one JSON document, as `ludens match` does
    #[arg(long)]
    json: bool,
    /// Print the scores only
    #[arg(long, short)]
    quiet: bool,
    /// Write a picture of each state to a folder: 000.svg, 001.svg, ...
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,
}

/// People who play for fun do not want to wait.
const USUAL: Clocks = Clocks { start: Duration::from_secs(2), play: Duration::from_secs(2) };

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<ExitStatus> {
    let mut arena = args.common.prepare(USUAL)?;
    let players = args.players(&arena)?;
    arena.check(&players)?;
    let mut run = Run::new(&mut *arena.game, &arena.start.setup)?;
    let is_drawn = !args.json && !args.quiet;
    let knowledge = (is_drawn || args.svg.is_some()).then(|| arena.knowledge());
    let pictures = args.svg.as_deref().zip(knowledge.as_ref());
    let mut view = GameView {
        drawing: knowledge.as_ref().filter(|_| is_drawn).map(Drawing::new),
        pictures: pictures.map(|(folder, known)| SvgFolder::new(folder, known)).transpose()?,
        delay: Duration::from_millis(args.delay),
    };
    view.play_script(&mut run, &mut arena, out)?;
    let (roles, steps) = (arena.roles.clone(), run.step as u64);
    let printer = MatchPrinter { roles: &roles, steps, reports: args.common.reports };
    let mut observer = |event: MatchEvent<'_>| match event {
        MatchEvent::State { sentences, .. } => view.draw(sentences, out),
        MatchEvent::Start { .. } | MatchEvent::Moves { .. } => {
            if let MatchEvent::Moves { moves, .. } = event {
                view.note_moves(moves);
            }
            if is_drawn { printer.tell(event, out) } else { Ok(()) }
        }
    };
    let outcome = arena.play((run.state, steps), players, 0, &mut observer)?;
    if args.json {
        output::json(out, &outcome.record)?;
        return status(&outcome, steps);
    }
    conclude(out, &outcome, steps)
}

impl Args {
    fn players(&self, arena: &Arena) -> Result<Vec<Player>> {
        if !self.players.is_empty() {
            ensure!(
                !self.strategy.is_given(),
                "--players names the strategies and their parameters, such as uct:c=60; leave out \
                 --strategy, --set and --config"
            );
            return Ok(self.players.clone());
        }
        let asks = !self.json && !self.quiet && io::stdin().is_terminal();
        if !asks && !self.strategy.is_given() {
            return Ok(vec![Player::random(); arena.roles.len()]);
        }
        let mut players = vec![Player::strategy(self.strategy.settings()?); arena.roles.len()];
        if asks && let Some(first) = players.first_mut() {
            *first = Player::human();
        }
        Ok(players)
    }
}

/// How a game is shown.
struct GameView {
    /// None if only the scores are shown.
    drawing: Option<Drawing>,
    /// None if no pictures are written.
    pictures: Option<SvgFolder>,
    delay: Duration,
}

impl GameView {
    /// Makes the scripted moves, and draws them.
    fn play_script(&mut self, run: &mut Run, arena: &mut Arena, out: &mut dyn Write) -> Result<()> {
        let game = &mut *arena.game;
        let printer = MatchPrinter { roles: &arena.roles, steps: 0, reports: false };
        while run.has_script() {
            if game.is_terminal(&run.state)? {
                run.check_script_is_done()?;
            }
            self.draw(&game.sentences(&run.state)?, out)?;
            let joint = run.advance(game)?;
            let moves = spellings(game, &joint)?;
            self.note_moves(&moves);
            if self.drawing.is_some() {
                let none = vec![String::new(); moves.len()];
                let step = run.step as u64;
                let event = MatchEvent::Moves { step, moves: &moves, errors: &none, reports: &[] };
                printer.tell(event, out)?;
            }
        }
        Ok(())
    }

    fn note_moves(&mut self, moves: &[String]) {
        if let Some(pictures) = &mut self.pictures {
            pictures.note_moves(moves);
        }
    }

    fn draw(&mut self, sentences: &[String], out: &mut dyn Write) -> io::Result<()> {
        if let Some(pictures) = &mut self.pictures {
            pictures.write(sentences)?;
        }
        if let Some(drawing) = &mut self.drawing {
            writeln!(out, "{}", drawing.draw(sentences))?;
            out.flush()?;
            thread::sleep(self.delay);
        }
        Ok(())
    }
}

fn spellings(game: &dyn Game, joint: &[Move]) -> Result<Vec<String>, PlayError> {
    joint.iter().enumerate().map(|(role, &one)| game.move_spelling(role, one)).collect()
}
