//! One number for all that is played: the same for every width, back end, number of threads and
//! machine, and a different one if a single playout changes.

use propnet::gdl::Source;
use propnet::lanes::Totals;
use propnet::program::Program;
use propnet::reference;

use super::sheet::BenchOptions;
use crate::pipeline::{Compile, LaneProgram, circuit_within};
use crate::playouts::{PlayoutBudget, PlayoutPlan, play};

/// The games that are played if none are named. New games are not added, so that the number depends
/// on the engine alone.
pub const SIGNATURE_GAMES: &[&str] = &[
    "breakthrough",
    "connect_four",
    "eight_puzzle",
    "hex_small",
    "rock_paper_scissors",
    "three_player_tic_tac_toe",
    "tic_tac_toe",
];

/// Playouts of each game.
const PLAYOUTS: u64 = 5_000;

/// A hash of totals; FNV-1a, which is the same everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature(u64);

impl Default for Signature {
    fn default() -> Self {
        Signature(0xcbf2_9ce4_8422_2325)
    }
}

impl Signature {
    /// The number.
    pub fn number(self) -> u64 {
        self.0
    }

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn add_number(&mut self, number: u64) {
        self.add(&number.to_le_bytes());
    }

    fn add_totals(&mut self, program: &Program, totals: &Totals) {
        let Totals { playouts, steps, stuck, cut, goals, lengths } = totals;
        [playouts, steps, stuck, cut].into_iter().for_each(|&number| self.add_number(number));
        for (values, counts) in program.goals.iter().zip(goals) {
            for (value, &count) in values.iter().zip(counts) {
                self.add(value.as_bytes());
                self.add_number(count);
            }
        }
        lengths.iter().for_each(|&count| self.add_number(count));
    }
}

/// Adds the totals of a sheet's playouts, or says why it cannot be played.
pub fn signature(
    signature: &mut Signature,
    sheet: Source,
    options: &BenchOptions,
) -> Result<(), String> {
    let rules = reference::load(sheet).map_err(|error| error.to_string())?;
    let circuit = circuit_within(&rules, &options.pipeline).map_err(|error| error.to_string())?;
    let setup = options.pipeline.lanes;
    let lanes = LaneProgram::for_playouts(&circuit, setup, options.limit, Compile::First);
    let lanes = lanes.map_err(|error| error.to_string())?;
    let program = &lanes.program;
    let plan = PlayoutPlan {
        program,
        codes: &lanes.codes,
        state: &program.initial,
        seed: options.seed,
        budget: PlayoutBudget::Playouts(PLAYOUTS),
        limit: options.limit,
        weights: &[],
        threads: options.threads,
        width: setup.width(),
    };
    let played = play(&plan, &|_| true).map_err(|error| error.to_string())?;
    signature.add_totals(program, &played.totals);
    Ok(())
}
