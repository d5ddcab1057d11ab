//! The matches of one command: the same game, the same start, the same terms.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};
use ludens::manager::{Clocks, Console, MatchOutcome, MatchSetup, Observer, Player, play_match};
use ludens::pipeline::Stages;
use ludens::record::{Recorder, now};
use propnet::game::{Game, State};

use super::args::Start;

/// What matches are played on.
pub(crate) struct MatchTerms {
    pub(crate) clocks: Clocks,
    /// What strategies spend on a move, instead of their time.
    pub(crate) simulations: Option<u64>,
    pub(crate) max_steps: u64,
    /// Where records are written.
    pub(crate) out: Option<PathBuf>,
    /// One for all matches: what was typed ahead belongs to the next one.
    pub(crate) console: Console,
    /// Set when everything is to end.
    pub(crate) interrupt: Arc<AtomicBool>,
}

/// Matches that start in the same state. Several threads may play them, each with its own
/// judge.
pub(crate) struct Series<'a> {
    pub(crate) start: &'a Start,
    pub(crate) roles: &'a [String],
    pub(crate) terms: &'a MatchTerms,
    /// The rules as players get them.
    pub(crate) sheet: String,
    /// The parsed rules and what strategies make of them, shared by all matches.
    pub(crate) stages: Option<Arc<Stages>>,
    /// Steps that were made before the matches.
    pub(crate) steps: u64,
}

impl Series<'_> {
    /// Plays a match from the state that the series starts in. The number distinguishes matches.
    pub(crate) fn play(
        &self,
        judge: &mut dyn Game,
        state: State,
        players: Vec<Player>,
        number: u64,
        observer: Observer<'_>,
    ) -> Result<MatchOutcome> {
        let terms = self.terms;
        let setup = MatchSetup {
            match_id: self.match_id(number),
            game: self.start.name.clone(),
            sheet: self.sheet.clone(),
            roles: self.roles.to_vec(),
            players,
            clocks: terms.clocks,
            simulations: terms.simulations,
            seed: self.start.setup.seed.wrapping_add(number),
            max_steps: terms.max_steps.saturating_sub(self.steps),
            pipeline: self.start.options.clone(),
            stages: self.stages.clone(),
            console: terms.console.clone(),
            interrupt: terms.interrupt.clone(),
        };
        let recorder = match &terms.out {
            Some(folder) => {
                let recorder = Recorder::create(folder, &setup.match_id);
                Some(recorder.with_context(|| format!("cannot write to {}", folder.display()))?)
            }
            None => None,
        };
        Ok(play_match(judge, state, &setup, recorder, observer)?)
    }

    /// One word in messages, and the name of files.
    fn match_id(&self, number: u64) -> String {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let name = self.start.name.replace(|c: char| !is_plain(c), "_");
        format!("{name}.{}.{}", now(), number + 1)
    }
}
