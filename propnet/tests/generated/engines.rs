//! All engines on one sheet: the reasoner, the ground rules, circuits with loops resolved in every
//! way, before and after the passes, and lanes on every back end.

use propnet::circuit::optimize::{Params, Pass};
use propnet::circuit::{Circuit, CircuitError, CircuitGame, LoopChoice, WorkBudget, build_with};
use propnet::ground::{GroundGame, NoWatch, Options, ground};
use propnet::reference::Reasoner;

use super::agree::{Done, GAMES, STEPS, Trace, load};
use super::lanes::check_lanes;
use super::ways::LIMITS;

const CHOICES: [LoopChoice; 4] =
    [LoopChoice::Cheapest, LoopChoice::Eliminate, LoopChoice::Unroll, LoopChoice::Repeat];

/// Compares every engine with the reasoner, and the playouts of every back end with each other.
/// `None` if the sheet is refused. Playouts that differ are a panic.
pub(crate) fn compare_engines(text: &str, seed: u64) -> Result<Option<Done>, String> {
    let Ok(rules) = load(text) else { return Ok(None) };
    let trace = Trace::new(&mut Reasoner::new(&rules), seed, GAMES, STEPS);
    let skipped = || Ok(Some(Done { skipped: 1, steps: 0 }));
    let Ok(grounding) = ground(&rules, &Options::default(), LIMITS, &mut NoWatch) else {
        return skipped();
    };
    let ground = grounding.rules;
    trace.check(&mut GroundGame::new(ground.clone())).map_err(|why| format!("ground: {why}"))?;
    for (at, choice) in CHOICES.into_iter().enumerate() {
        let plain = match build_with(&ground, choice, &WorkBudget::default()) {
            Ok(circuit) => circuit,
            Err(CircuitError::Unstratified { .. }) => return skipped(),
            Err(error) => return Err(error.to_string()),
        };
        let run = |circuit: Circuit, pass: &Pass| pass.run(&circuit, &Params::default()).0;
        let optimized = Pass::ALL.iter().fold(plain.clone(), run);
        for (what, circuit) in [("as it was built", &plain), ("after all passes", &optimized)] {
            let place = |why: String| format!("the circuit, {choice:?}, {what}: {why}");
            trace.check(&mut CircuitGame::new(circuit.clone())).map_err(place)?;
        }
        // Lanes take long to set up, so they get one of the circuits in one of the ways.
        if at as u64 == seed % 4 {
            let circuit = if (seed / 4).is_multiple_of(4) { &plain } else { &optimized };
            check_lanes(circuit, &plain, &trace, seed)?;
        }
    }
    Ok(Some(Done { skipped: 0, steps: trace.len() }))
}
