//! The arguments that `match` and `play` share, and the matches that they become.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, ensure};
use ludens::count::{count, count_within};
use ludens::draw::Knowledge;
use ludens::manager::{
    Clocks, Console, MatchOutcome, Observer as Audience, Player, PlayerKind, starting_at,
};
use ludens::pipeline::Stages;
use propnet::game::{Game, State};
use propnet::gdl::Source;
use propnet::reference;

use super::args::{Start, StartArgs, seconds};
use super::knowledge::knowledge;
use super::match_series::{MatchTerms, Series};
use super::{interrupt, output, recorded};

/// What a match is played with.
#[derive(clap::Args)]
pub(crate) struct MatchArgs {
    #[command(flatten)]
    start: StartArgs,
    /// The seconds that players have before the first move
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = CLOCKS)]
    start_clock: Option<Duration>,
    /// The seconds that players have for each move; people have all the time they want
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = CLOCKS)]
    play_clock: Option<Duration>,
    /// Let strategies make N simulations for each move instead of using their time: on one
    /// thread the same seed then gives the same match
    #[arg(long, value_name = "N", help_heading = CLOCKS)]
    #[arg(value_parser = count_within(1, u64::MAX), allow_negative_numbers = true)]
    simulations: Option<u64>,
    /// The seed of all random choices
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub(crate) seed: u64,
    /// End a match after this many joint moves
    #[arg(long, value_name = "N", default_value_t = 1000)]
    #[arg(value_parser = count, allow_negative_numbers = true)]
    pub(crate) max_steps: u64,
    /// A folder for records: MATCHID.log and the journal MATCHID.part grow during the match; at its
    /// end MATCHID.json and MATCHID.pgn replace the journal
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Show how each strategy found its move
    #[arg(long)]
    pub(crate) reports: bool,
}

const CLOCKS: &str = "Clocks";

/// A game and everything around it, ready for matches.
pub(crate) struct Arena {
    pub(crate) start: Start,
    pub(crate) game: Box<dyn Game>,
    /// The roles in the letter case of the sheet.
    pub(crate) roles: Vec<String>,
    terms: MatchTerms,
    reads_sheet_from_input: bool,
}

impl MatchArgs {
    /// Reads everything that is named. The clocks are used if none are given.
    pub(crate) fn prepare(&self, usual: Clocks) -> Result<Arena> {
        let start = self.start.prepare(self.seed)?;
        if let Some(folder) = &self.out {
            recorded::prepare_folder(folder, |line| {
                // The match goes on even if the notice cannot be written.
                let _ = writeln!(io::stderr(), "ludens: notice: {line}");
            })?;
        }
        let game = start.game();
        let roles = game.roles().iter().map(|role| start.rules.symbols.spell(role)).collect();
        let clocks = Clocks {
            start: self.start_clock.unwrap_or(usual.start),
            play: self.play_clock.unwrap_or(usual.play),
        };
        let terms = MatchTerms {
            clocks,
            simulations: self.simulations,
            max_steps: self.max_steps,
            out: self.out.clone(),
            console: Console::terminal(),
            interrupt: interrupt::flag()?,
        };
        Ok(Arena { game, roles, terms, reads_sheet_from_input: self.start.sheet == "-", start })
    }
}

impl Arena {
    /// Whether these players can play this game here.
    pub(crate) fn check(&self, players: &[Player]) -> Result<()> {
        ensure!(
            players.len() == self.roles.len(),
            "--players names {}, but the game has {}: {}",
            output::count(players.len() as u64, "player"),
            output::count(self.roles.len() as u64, "role"),
            self.roles.join(", "),
        );
        let has = |wanted: fn(&PlayerKind) -> bool| players.iter().any(|one| wanted(&one.kind));
        ensure!(
            !(self.reads_sheet_from_input && has(|kind| *kind == PlayerKind::Human)),
            "the rules come from standard input, so people cannot play there; name a file or a game"
        );
        let is_whole = |clock: Duration| clock.subsec_nanos() == 0;
        ensure!(
            !has(|kind| matches!(kind, PlayerKind::Http(_)))
                || is_whole(self.terms.clocks.start) && is_whole(self.terms.clocks.play),
            "players at an address need clocks of whole seconds"
        );
        Ok(())
    }

    /// The clocks of all matches.
    pub(crate) fn clocks(&self) -> Clocks {
        self.terms.clocks
    }

    /// Whether strategies count simulations instead of using their time.
    pub(crate) fn counts_simulations(&self) -> bool {
        self.terms.simulations.is_some()
    }

    /// Plays a match from a state that was reached after `steps` steps. The number distinguishes
    /// the matches of one command.
    pub(crate) fn play(
        &mut self,
        (state, steps): (State, u64),
        players: Vec<Player>,
        number: u64,
        watch: Audience<'_>,
    ) -> Result<MatchOutcome> {
        let (series, game) = self.series(&state, steps, &players)?;
        series.play(game, state, players, number, watch)
    }

    /// Matches of these players from a state that was reached after `steps` steps, and a judge for
    /// them.
    pub(crate) fn series(
        &mut self,
        state: &State,
        steps: u64,
        players: &[Player],
    ) -> Result<(Series<'_>, &mut dyn Game)> {
        let (sheet, stages) = self.sheet(state, players)?;
        let Arena { start, roles, terms, game, .. } = self;
        Ok((Series { start, roles, terms, sheet, stages, steps }, &mut **game))
    }

    /// What drawings of the game need.
    pub(crate) fn knowledge(&mut self) -> Knowledge {
        knowledge(&self.start, &mut *self.game, &self.terms.interrupt)
    }

    /// The rules as text, and parsed for strategies. If a sheet that starts in another state cannot be
    /// read, strategies report that themselves.
    fn sheet(
        &mut self,
        state: &State,
        players: &[Player],
    ) -> Result<(String, Option<Arc<Stages>>)> {
        let rules = &self.start.rules;
        if self.game.initial_state()? == *state {
            let stages = Arc::new(Stages::for_players(rules.clone()));
            return Ok((starting_at(rules, None), Some(stages)));
        }
        let sheet = starting_at(rules, Some(&self.game.sentences(state)?));
        let is_strategy = |player: &Player| matches!(player.kind, PlayerKind::Strategy(_));
        let rules = players
            .iter()
            .any(is_strategy)
            .then(|| reference::load(Source::from_text(self.start.name.clone(), &sheet)).ok());
        let stages = rules.flatten().map(|rules| Arc::new(Stages::for_players(rules)));
        Ok((sheet, stages))
    }
}
