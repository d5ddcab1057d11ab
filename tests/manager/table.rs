//! Matches as the tests set them up.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use ludens::manager::{
    Clocks, Console, MatchEvent, MatchOutcome, MatchSetup, play_match, starting_at,
};
use ludens::pipeline::{Engine, PipelineOptions};
use ludens::record::Recorder;
use propnet::game::Game;
use propnet::gdl::{Rules, Source};
use propnet::reference;

/// Long enough for anybody who answers at all, on a loaded machine.
pub(crate) const AMPLE: Duration = Duration::from_secs(20);

/// A clock for those who do not answer.
pub(crate) const SHORT: Duration = Duration::from_millis(300);

/// A clock where one does not answer and another does.
pub(crate) const FAIR: Duration = Duration::from_millis(1500);

pub(crate) fn rules(sheet: &str) -> Rules {
    reference::load(Source::from_text("small", sheet)).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn judge(rules: &Rules) -> Box<dyn Game> {
    Engine::Reference.start(rules, &PipelineOptions::default()).expect("the reference reasoner")
}

/// A match of these players on a sheet. Strategies make few simulations.
pub(crate) fn setup(sheet: &str, players: &[&str]) -> MatchSetup {
    let rules = rules(sheet);
    let roles = judge(&rules).roles().to_vec();
    let player = |text: &&str| text.parse().unwrap_or_else(|error| panic!("{error}"));
    MatchSetup {
        match_id: "m.1".to_string(),
        game: "small".to_string(),
        sheet: starting_at(&rules, None),
        roles: roles.iter().map(|role| rules.symbols.spell(role)).collect(),
        players: players.iter().map(player).collect(),
        clocks: Clocks { start: AMPLE, play: AMPLE },
        simulations: Some(50),
        seed: 1,
        max_steps: 100,
        pipeline: PipelineOptions::default(),
        stages: None,
        console: Console::new(io::empty(), io::sink()),
        interrupt: Arc::default(),
    }
}

/// Plays it.
pub(crate) fn play(setup: &MatchSetup) -> MatchOutcome {
    play_watched(setup, None, |_| {})
}

/// Plays it with a recorder, and somebody who watches.
pub(crate) fn play_watched(
    setup: &MatchSetup,
    recorder: Option<Recorder>,
    mut watch: impl FnMut(MatchEvent<'_>),
) -> MatchOutcome {
    let mut game = judge(&rules(&setup.sheet));
    let state = game.initial_state().expect("a first state");
    let mut watch = |event: MatchEvent<'_>| {
        watch(event);
        Ok(())
    };
    play_match(&mut *game, state, setup, recorder, &mut watch)
        .unwrap_or_else(|error| panic!("{error}"))
}
