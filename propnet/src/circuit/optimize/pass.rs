//! The passes by name, and what each reports.

use super::super::budget::WorkBudget;
use super::super::build::CircuitError;
use super::super::circuit::{Circuit, FluentKind};
use super::super::network::{Gate, Signal};
use super::super::stats::{depth, depths};
use super::balance::balance;
use super::dead::dead;
use super::equal::equal;
use super::factor::factor;
use super::frame::frame;
use super::groups::groups;
use super::never::never;
use super::redundant::redundant;
use super::share::share;

/// A pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Pass {
    /// Leaves out what no port depends on.
    Dead,
    /// Leaves out what follows from the rest of a gate.
    Redundant,
    /// Says what changes instead of what stays.
    Frame,
    /// Finds groups of fluents of which never two are true.
    Groups,
    /// Drops fluents that never change, or go with others.
    Equal,
    /// Drops moves that are never legal.
    Never,
    /// Takes common factors of alternatives out.
    Factor,
    /// Makes gates for what several gates have in common.
    Share,
    /// Cuts gates into pairs.
    Balance,
}

/// What bounds the work of the passes. The libraries read no clock, so effort is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    /// Seeds the random play by which candidates for proofs are found.
    pub seed: u64,
    /// How much a pass that proves may do, in about nanoseconds.
    pub proof_effort: u64,
    /// How many inputs of gates may be looked at in search of what gates have in common.
    pub share_effort: u64,
    /// How many consequences of each signal are kept in search of what is redundant.
    pub consequences: usize,
    /// How many alternatives may be compared in search of what is redundant.
    pub redundant_effort: u64,
}

impl Default for Params {
    fn default() -> Self {
        Params {
            seed: 1,
            proof_effort: 150_000_000,
            share_effort: 1_000_000_000,
            consequences: 32,
            redundant_effort: 10_000_000,
        }
    }
}

/// What a pass is given beside the circuit.
#[derive(Clone, Copy)]
pub(super) struct PassWork<'a> {
    pub(super) params: &'a Params,
    pub(super) budget: &'a WorkBudget<'a>,
}

/// What a pass did.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stats {
    /// The pass.
    pub pass: Pass,
    /// The circuit before.
    pub before: Size,
    /// The circuit after.
    pub after: Size,
}

/// How large a circuit is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Size {
    /// Gates, each with two inputs or more.
    pub gates: usize,
    /// How many gates with two inputs they amount to.
    pub two_input_gates: usize,
    /// The longest way from an input to an output, or around a loop, in two-input gates.
    pub depth: usize,
    /// Fluents that are carried from state to state.
    pub carried: usize,
    /// Moves that may be legal.
    pub moves: usize,
}

impl Pass {
    /// All passes, in the order in which they are run.
    pub const ALL: &[Pass] = &[
        Pass::Dead,
        Pass::Groups,
        Pass::Equal,
        Pass::Never,
        Pass::Redundant,
        Pass::Factor,
        Pass::Frame,
        Pass::Share,
        Pass::Balance,
    ];

    /// Those that are worth their time when the game starts soon.
    pub const FAST: &[Pass] = &[Pass::Dead, Pass::Groups, Pass::Equal];

    /// What the pass is called on the command line and in records.
    pub fn name(self) -> &'static str {
        match self {
            Pass::Dead => "dead",
            Pass::Redundant => "redundant",
            Pass::Frame => "frame",
            Pass::Groups => "groups",
            Pass::Equal => "equal",
            Pass::Never => "never",
            Pass::Factor => "factor",
            Pass::Share => "share",
            Pass::Balance => "balance",
        }
    }

    /// The circuit that the pass makes, and what that changed, with a budget of its own that
    /// nobody stops.
    pub fn run(self, circuit: &Circuit, params: &Params) -> (Circuit, Stats) {
        self.stats(circuit, self.optimized(circuit, params, &WorkBudget::default()))
    }

    /// The same within what is left of a budget.
    pub fn run_within(
        self,
        circuit: &Circuit,
        params: &Params,
        budget: &WorkBudget<'_>,
    ) -> Result<(Circuit, Stats), CircuitError> {
        let optimized = self.optimized(circuit, params, budget);
        let optimized = budget.finished(optimized, self.name())?;
        Ok(self.stats(circuit, optimized))
    }

    fn optimized(self, circuit: &Circuit, params: &Params, budget: &WorkBudget<'_>) -> Circuit {
        let work = PassWork { params, budget };
        match self {
            Pass::Dead => dead(circuit, work),
            Pass::Redundant => redundant(circuit, work),
            Pass::Frame => frame(circuit, work),
            Pass::Groups => groups(circuit, work),
            Pass::Equal => equal(circuit, work),
            Pass::Never => never(circuit, work),
            Pass::Factor => factor(circuit, work),
            Pass::Share => share(circuit, work),
            Pass::Balance => balance(circuit, work),
        }
    }

    fn stats(self, before: &Circuit, after: Circuit) -> (Circuit, Stats) {
        let stats = Stats { pass: self, before: Size::of(before), after: Size::of(&after) };
        (after, stats)
    }
}

impl Size {
    /// The size of a circuit.
    pub fn of(circuit: &Circuit) -> Self {
        let network = &circuit.network;
        let nodes = 0..network.len() as u32;
        let carried = circuit.fluents.iter().filter(|port| port.kind == FluentKind::Carried);
        let moves = circuit.moves.iter().flatten();
        Size {
            gates: nodes.filter(|&node| network.gate(node) == Gate::And).count(),
            two_input_gates: network.two_input_gates(),
            depth: depth(circuit, &depths(network)),
            carried: carried.count(),
            moves: moves.filter(|port| port.legal != Signal::FALSE).count(),
        }
    }
}

/// A name that no pass has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no pass {name}; there are none, fast, all, and lists of {}", names().join(", "))]
pub struct UnknownPass {
    /// The name.
    pub name: String,
}

fn names() -> Vec<&'static str> {
    Pass::ALL.iter().map(|pass| pass.name()).collect()
}

/// The passes of `none`, `fast`, `all`, or a list of names with commas, run in the order given.
pub fn parse_passes(text: &str) -> Result<Vec<Pass>, UnknownPass> {
    let pass = |name: &str| {
        let known = Pass::ALL.iter().find(|pass| pass.name() == name);
        known.copied().ok_or_else(|| UnknownPass { name: name.to_string() })
    };
    match text {
        "none" => Ok(Vec::new()),
        "fast" => Ok(Pass::FAST.to_vec()),
        "all" => Ok(Pass::ALL.to_vec()),
        list => list.split(',').map(|name| pass(name.trim())).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_are_known_by_their_names() {
        assert_eq!(parse_passes("none"), Ok(vec![]));
        assert_eq!(parse_passes("all"), Ok(Pass::ALL.to_vec()));
        for &pass in Pass::ALL {
            assert_eq!(parse_passes(pass.name()), Ok(vec![pass]));
        }
        let error = parse_passes("dead,deaf").expect_err("no such pass");
        assert!(error.to_string().starts_with("there is no pass deaf; there are none, fast, all"));
    }
}
