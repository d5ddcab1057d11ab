//! From sheets to lanes, and how to judge counts.

use propnet::circuit::optimize::{Params, Pass};
use propnet::circuit::plan::DecisiveMoves;
use propnet::circuit::{Circuit, build};
use propnet::game::Move;
use propnet::gdl::{Rules, Source};
use propnet::ground::{Limits, NoWatch, Options, ground};
use propnet::lanes::{Backend, Job, Jobs, Outcome, Playouts, Totals, Word};
use propnet::program::{Mapping, StepOptions};
use propnet::reference::load;

pub(crate) use super::engine::Engine;

/// All that a step can do, with limits of eight bits.
pub(crate) const ALL: StepOptions = StepOptions {
    weights: None,
    forced: true,
    limit_bits: 8,
    record: true,
    restart: false,
    decisive: DecisiveMoves::Off,
    ends_early: false,
    goal_sum: false,
};

/// The same with weights for moves.
pub(crate) const WITH_WEIGHTS: StepOptions = StepOptions { weights: Some(12), ..ALL };

/// Says weights that differ, where the engine has any.
pub(crate) fn weigh<W: Word>(engine: &Engine) -> impl Fn(&mut Jobs<W>) + Copy + use<W> {
    let table = engine.program.names.table();
    move |lanes| {
        for at in 0..300 {
            let (role, chosen) = (at as usize % 2, Move::new(table, at));
            lanes.set_weight(role, chosen, at % 50).expect("its own move");
            lanes.set_weight(1 - role, chosen, at % 7).expect("its own move");
        }
    }
}

/// A game, ready for programs.
pub(crate) struct Sheet {
    pub(crate) rules: Rules,
    /// As the rules say it.
    pub(crate) plain: Circuit,
    /// After the passes.
    circuit: Circuit,
}

impl Sheet {
    /// A sheet, with all passes over its circuit.
    pub(crate) fn new(text: &str) -> Self {
        Self::with_passes(text, Pass::ALL)
    }

    pub(crate) fn with_passes(text: &str, passes: &[Pass]) -> Self {
        let rules = load(Source::from_text("sheet", text)).expect("a sheet");
        let ground = ground(&rules, &Options::default(), Limits::default(), &mut NoWatch);
        let plain = build(&ground.expect("ground rules").rules).expect("a circuit");
        let params = Params::default();
        let circuit = passes.iter().fold(plain.clone(), |old, pass| pass.run(&old, &params).0);
        Sheet { rules, plain, circuit }
    }

    /// The portable engine with operations on two words.
    pub(crate) fn engine(&self, options: &StepOptions) -> Engine {
        self.engine_on(Backend::Portable, Mapping::TwoInputs, options)
    }

    /// The portable engine with these operations.
    pub(crate) fn engine_with(&self, mapping: Mapping) -> Engine {
        self.engine_on(Backend::Portable, mapping, &StepOptions::default())
    }

    pub(crate) fn engine_on(
        &self,
        backend: Backend,
        mapping: Mapping,
        options: &StepOptions,
    ) -> Engine {
        Engine::new(&self.circuit, backend, mapping, options)
    }
}

impl Engine {
    /// What the playouts with the first numbers come to.
    pub(crate) fn totals<W: Word>(&self, seed: u64, count: u64) -> Totals {
        self.totals_with::<W>(seed, count, |_| ())
    }

    /// The same, after something else is said.
    pub(crate) fn totals_with<W: Word>(
        &self,
        seed: u64,
        count: u64,
        say: impl Fn(&mut Playouts<W>),
    ) -> Totals {
        let (program, code) = (&self.program, &self.code);
        let playouts = Playouts::<W>::new(program, code, &program.initial, seed, &(0..count));
        let mut playouts = playouts.expect("its own state");
        say(&mut playouts);
        playouts.run(u64::MAX);
        playouts.totals().clone()
    }

    /// The outcomes of jobs, one for each playout, by their tags.
    pub(crate) fn outcomes<W: Word>(&self, seed: u64, jobs: Vec<Job>) -> Vec<Outcome> {
        self.outcomes_with::<W>(seed, jobs, |_| ())
    }
}

/// Panics where counts are not what these chances make likely.
pub(crate) fn assert_likely(counts: &[u64], chances: &[f64], what: &str) {
    assert_eq!(counts.len(), chances.len());
    let total: u64 = counts.iter().sum();
    let mut distance = 0.0;
    let mut kinds = 0.0;
    for (&count, &chance) in counts.iter().zip(chances) {
        if chance == 0.0 {
            assert_eq!(count, 0, "{what}: what cannot be happened");
            continue;
        }
        let expected = total as f64 * chance;
        distance += (count as f64 - expected).powi(2) / expected;
        kinds += 1.0;
    }
    let freedom: f64 = kinds - 1.0;
    // About five standard deviations, and the longer tail where there are few kinds.
    let most = freedom + 5.0 * (2.0 * freedom).sqrt() + 10.0;
    assert!(distance <= most, "{what}: chi-square {distance:.1} with {freedom} degrees of freedom");
}

/// Panics where the rows of a table tell something about the columns.
pub(crate) fn assert_independent(table: &[Vec<u64>], what: &str) {
    let sum = |counts: &mut dyn Iterator<Item = u64>| counts.sum::<u64>() as f64;
    let rows: Vec<f64> = table.iter().map(|row| sum(&mut row.iter().copied())).collect();
    let columns: Vec<f64> =
        (0..table[0].len()).map(|at| sum(&mut table.iter().map(|row| row[at]))).collect();
    let total: f64 = rows.iter().sum();
    let mut distance = 0.0;
    for (row, counts) in rows.iter().zip(table) {
        for (column, &count) in columns.iter().zip(counts) {
            let expected = row * column / total;
            distance += (count as f64 - expected).powi(2) / expected;
        }
    }
    let freedom = ((rows.len() - 1) * (columns.len() - 1)) as f64;
    let most = freedom + 5.0 * (2.0 * freedom).sqrt();
    assert!(distance <= most, "{what}: chi-square {distance:.1} with {freedom} degrees of freedom");
}
