//! What contests are made of: the circuit of a sheet, and contestants that play on it.

use std::io::{self, Write};
use std::sync::Arc;

use anyhow::{Context, Result};
use ludens::pipeline::{Compile, LaneProgram, PipelineOptions, circuit_within};
use ludens::search::{Budget, ChoiceEffort, Chooser, Contestant, GameFor, SearchGame, Settings};
use propnet::circuit::Circuit;
use propnet::gdl::Source;
use propnet::lanes::Setup;
use propnet::reference;

/// The circuit of a sheet.
pub(crate) fn circuit(source: Source, name: &str) -> Result<Circuit> {
    let rules = reference::load(source)?;
    circuit_within(&rules, &PipelineOptions::default()).with_context(|| name.to_string())
}

/// A contestant that plays on lanes; what it may spend is not said yet.
pub(crate) fn contestant(circuit: &Circuit, settings: Settings) -> Result<Contestant> {
    let step = settings.step_options(circuit.names.roles().len());
    let program = LaneProgram::new(circuit, Setup::default(), &step, Compile::First)?;
    Ok(Contestant {
        game: SearchGame::Lanes(program),
        settings,
        budget: Budget::default(),
        time: None,
        moves: Vec::new(),
    })
}

/// How long the start clock of a contest is, in budgets of a move: `auto` chooses its scheme then.
const START_CLOCK: u32 = 20;

/// A contestant that has chosen its scheme before the games, if it is to choose one. The choice is shown
/// on standard error; what cannot be shown is not missed.
pub(crate) fn decided(circuit: &Circuit, side: Contestant, game: &str) -> Result<Contestant> {
    if !side.settings.scheme.is_auto() {
        return Ok(side);
    }
    let effort = match (side.time, side.budget.simulations) {
        (Some(time), _) => ChoiceEffort::Time(time * START_CLOCK),
        (None, count) => {
            ChoiceEffort::Simulations(count.unwrap_or(0).saturating_mul(START_CLOCK.into()))
        }
    };
    let own = circuit.clone();
    let games: GameFor = Arc::new(move |settings| {
        let made = contestant(&own, settings.clone());
        made.map(|side| side.game).map_err(|error| error.to_string())
    });
    // Games run in parallel, so each side has one thread; so has its choice.
    let mut settings = side.settings.clone();
    settings.limit_threads(1);
    let mut chooser = Chooser::new(&side.game, &settings, games, 1)?;
    chooser.go_on(effort, &|| true)?;
    let _ = writeln!(io::stderr(), "{game}: {}", chooser.report());
    Ok(match chooser.winner() {
        Some((settings, game)) => Contestant { game, settings, ..side },
        None => Contestant { settings: side.settings.base(), ..side },
    })
}
