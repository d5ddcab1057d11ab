//! Random playouts come to the same, whoever plays them: the reference reasoner, the circuit one
//! state at a time, portable lanes and compiled lanes, with moves chosen uniformly and by weights.
//!
//! Lanes of every back end play the very same playouts, so their totals are compared exactly. The
//! others draw their random numbers in their own way, so means and shares are compared, within what
//! chance allows.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ludens::pipeline::{Engine, PipelineOptions, Stages};
use propnet::circuit::{Circuit, CircuitGame};
use propnet::game::{Game, Move, Role, State};
use propnet::gdl::{Rules, Source};
use propnet::lanes::{Backend, Code, PerWidth, Playouts, Setup, Totals, Width, Word};
use propnet::machine::Level;
use propnet::program::{Program, StepOptions};
use propnet::reference;
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rayon::prelude::*;

use crate::support;
use crate::trials::Trials;

/// Sheets of the field: simultaneous moves, one to six roles, short and long.
const CORPUS: &[&str] = &[
    "base_connectFour",
    "base_ticTacToe",
    "rep_3pConnectFour",
    "rep_3pffa",
    "rep_biddingTicTacToe",
    "rep_blocker",
    "rep_bomberman2p",
    "rep_breakthroughSmall",
    "rep_buttons",
    "rep_chineseCheckers3",
    "rep_chineseCheckers6",
    "rep_chomp",
    "rep_cubicup_3player",
    "rep_ghostMaze2p",
    "rep_gt_centipede",
    "rep_gt_staghunt",
    "rep_gt_two_thirds_6p",
    "rep_knightsTour",
    "rep_lightsOnSimul4",
    "rep_nim3",
    "rep_pawnWhopping",
    "rep_point_grab",
    "rep_roshambo2",
    "rep_smallest_4player",
    "rep_ticTacToeSerial",
    "rep_tictactoe_3d_small_6player",
    "rep_tictactoe_3player",
];

/// A game in which passing is a real alternative to moving.
const PASSING: &str = include_str!("../propnet/tests/lanes/passing.kif");

/// How many standard deviations are too many. With a fixed seed there is no chance in a run, only in
/// the choice of the seed; there are some thousand comparisons.
const SIGMAS: f64 = 4.5;

/// The bits of a weight.
const WEIGHT_BITS: usize = 4;

/// Playouts are cut after so many joint moves by everybody: weights may make a game very long.
const LIMIT: u64 = 300;

/// How much is played.
struct Sizes {
    /// Playouts in lanes.
    lanes: u64,
    /// Joint moves on the circuit, about.
    circuit: u64,
    /// Joint moves by the reasoner, about.
    reference: u64,
    /// The most playouts of those two.
    most: u64,
    /// Whether everybody's figures are shown.
    shows: bool,
}

/// Quick enough for every day.
const SMALL_SIZES: Sizes =
    Sizes { lanes: 20_000, circuit: 8_000, reference: 300, most: 1_000, shows: false };

/// As much as is wanted before a release.
const LARGE_SIZES: Sizes =
    Sizes { lanes: 100_000, circuit: 200_000, reference: 10_000, most: 20_000, shows: true };

pub(crate) fn add(trials: &mut Trials) {
    trials.always(our_games_come_to_the_same);
    trials.with_corpus(the_corpus_comes_to_the_same);
    trials.by_hand_with_corpus(all_come_to_the_same_in_many_playouts);
}

fn our_games_come_to_the_same() {
    check_all(ours(), &SMALL_SIZES);
}

fn the_corpus_comes_to_the_same(shared: &Path) {
    check_all(sheets_of(&corpus(shared)), &SMALL_SIZES);
}

/// Takes minutes; run it before a release.
fn all_come_to_the_same_in_many_playouts(shared: &Path) {
    check_all([ours(), sheets_of(&corpus(shared))].concat(), &LARGE_SIZES);
}

fn ours() -> Vec<(String, Source)> {
    let mut sheets = sheets_of(&support::games());
    sheets.push(("passing".to_string(), Source::from_text("passing", PASSING)));
    sheets
}

fn corpus(shared: &Path) -> Vec<PathBuf> {
    CORPUS.iter().map(|name| shared.join(format!("corpus/{name}.kif"))).collect()
}

fn sheets_of(paths: &[PathBuf]) -> Vec<(String, Source)> {
    let read = |path: &PathBuf| {
        let bytes = std::fs::read(path).expect("a sheet is read");
        (support::name_of(path), Source::from_bytes(path.display().to_string(), &bytes))
    };
    paths.iter().map(read).collect()
}

fn check_all(sheets: Vec<(String, Source)>, sizes: &Sizes) {
    let complaints: Vec<String> = sheets
        .into_par_iter()
        .flat_map_iter(|(name, source)| {
            let sheet = Sheet::new(name, source);
            let chosen = [Choice::Uniform, Choice::Weighted].into_iter();
            chosen.flat_map(|choice| sheet.check(choice, sizes)).collect::<Vec<_>>()
        })
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// How moves are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Choice {
    Uniform,
    Weighted,
}

/// The weight of a move, which everybody can tell from its text; 0 for some.
fn weight(text: &str) -> u32 {
    text.bytes().fold(17u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)) >> 13
        & 7
}

struct Sheet {
    name: String,
    rules: Rules,
    circuit: Circuit,
}

impl Sheet {
    fn new(name: String, source: Source) -> Self {
        let rules = reference::load(source).unwrap_or_else(|error| panic!("{error}"));
        let options = PipelineOptions::default();
        let circuit = ludens::pipeline::circuit_within(&rules, &options);
        let circuit = circuit.unwrap_or_else(|error| panic!("{name}: {error}"));
        Sheet { name, rules, circuit }
    }

    /// Plays in every way and gives complaints.
    fn check(&self, choice: Choice, sizes: &Sizes) -> Vec<String> {
        let lanes = self.lanes(choice, sizes.lanes);
        let length = lanes.mean_length().max(1.0);
        let sample = |game: &mut dyn Game, steps: u64, seed: u64| {
            let playouts = ((steps as f64 / length) as u64).clamp(10, sizes.most);
            Sample::played(game, choice, playouts, seed)
        };
        let mut circuit = CircuitGame::new(self.circuit.clone());
        let mut reasoner = Stages::new(self.rules.clone())
            .start(Engine::Reference, &PipelineOptions::default())
            .expect("the reasoner needs no grounding");
        let samples = [
            ("circuit", sample(&mut circuit, sizes.circuit, 5)),
            ("reference", sample(&mut *reasoner, sizes.reference, 6)),
        ];
        let mut complaints = Vec::new();
        for (who, sample) in &samples {
            let what = format!("{}, {choice:?}, {who}", self.name);
            if sizes.shows {
                support::note(&format!("{what}: {}", lanes.beside(sample)));
            }
            complaints.extend(lanes.differences(sample).map(|text| format!("{what}: {text}")));
        }
        complaints
    }

    /// What playouts in lanes come to: exactly the same on all back ends.
    fn lanes(&self, choice: Choice, playouts: u64) -> Sample {
        let portable = Setup::new(Some(Width::Lanes512), Some(Backend::Portable));
        let mut setups = vec![portable.expect("portable lanes")];
        let levels = [Level::Avx2, Level::Avx512].map(Backend::Machine);
        setups.extend(levels.iter().filter_map(|&level| Setup::new(None, Some(level)).ok()));
        let weights = (choice == Choice::Weighted).then_some(WEIGHT_BITS);
        let options = StepOptions { weights, limit_bits: 9, ..StepOptions::default() };
        let mut first: Option<Sample> = None;
        for setup in setups {
            let program = Program::with_options(&self.circuit, setup.mapping(), &options);
            let program = Arc::new(program);
            let code = Arc::new(Code::new(&program, setup.backend()).expect("code"));
            let task = InLanes { program: &program, code: &code, playouts };
            let totals = setup.width().dispatch(task);
            let sample = Sample::counted(&program, &totals);
            let first = first.get_or_insert_with(|| sample.clone());
            assert_eq!(*first, sample, "{}, {choice:?}, {setup}", self.name);
        }
        first.expect("a back end")
    }
}

struct InLanes<'a> {
    program: &'a Arc<Program>,
    code: &'a Arc<Code>,
    playouts: u64,
}

impl PerWidth for InLanes<'_> {
    type Output = Totals;

    fn run<W: Word>(self) -> Totals {
        let (program, jobs) = (self.program, 0..self.playouts);
        let lanes = Playouts::<W>::new(program, self.code, &program.initial, 4, &jobs);
        let mut lanes = lanes.expect("its own state");
        lanes.set_limit(LIMIT);
        lanes.count_lengths();
        for role in 0..program.names.roles().len() {
            for chosen in program.names.moves(role) {
                let text = program.names.move_text(role, chosen).expect("a text");
                lanes.set_weight(role, chosen, weight(&text)).expect("its own move");
            }
        }
        lanes.run(u64::MAX);
        lanes.totals().clone()
    }
}

/// What playouts came to.
#[derive(Clone, Debug, Default, PartialEq)]
struct Sample {
    playouts: u64,
    /// Playouts by their length.
    lengths: BTreeMap<u64, u64>,
    /// By role: playouts by their goal, those excepted that did not come to their end.
    goals: Vec<BTreeMap<String, u64>>,
    stuck: u64,
    cut: u64,
}

impl Sample {
    fn counted(program: &Program, totals: &Totals) -> Self {
        let lengths = totals.lengths.iter().enumerate().filter(|(_, count)| **count > 0);
        let goals = program.goals.iter().zip(&totals.goals).map(|(values, counts)| {
            let found = values.iter().zip(counts).filter(|(_, count)| **count > 0);
            found.map(|(value, &count)| (value.clone(), count)).collect()
        });
        Sample {
            playouts: totals.playouts,
            lengths: lengths.map(|(length, &count)| (length as u64, count)).collect(),
            goals: goals.collect(),
            stuck: totals.stuck,
            cut: totals.cut,
        }
    }

    /// Plays one by one.
    fn played(game: &mut dyn Game, choice: Choice, playouts: u64, seed: u64) -> Self {
        let mut rng = Pcg64::seed_from_u64(seed);
        let roles = game.roles().len();
        let mut sample = Sample { goals: vec![BTreeMap::new(); roles], ..Sample::default() };
        for _ in 0..playouts {
            sample.add_playout(game, choice, &mut rng);
        }
        sample
    }

    fn add_playout(&mut self, game: &mut dyn Game, choice: Choice, rng: &mut dyn Rng) {
        let mut state = game.initial_state().expect("a state");
        let mut length = 0;
        self.playouts += 1;
        let ends = loop {
            if game.is_terminal(&state).expect("an answer") {
                break true;
            }
            if length == LIMIT {
                self.cut += 1;
                break false;
            }
            let roles = 0..game.roles().len();
            let joint: Option<Vec<Move>> =
                roles.map(|role| choose(game, &state, role, choice, rng)).collect();
            let Some(joint) = joint else {
                self.stuck += 1;
                break false;
            };
            state = game.next_state(&state, &joint).expect("legal moves");
            length += 1;
        };
        *self.lengths.entry(length).or_default() += 1;
        for role in (0..self.goals.len()).filter(|_| ends) {
            if let Ok(goal) = game.goal(&state, role) {
                *self.goals[role].entry(goal.to_string()).or_default() += 1;
            }
        }
    }

    fn mean_length(&self) -> f64 {
        self.moments().0
    }

    /// The mean length, and the variance of lengths.
    fn moments(&self) -> (f64, f64) {
        let count = self.playouts as f64;
        let lengths = || self.lengths.iter().map(|(&length, &count)| (length as f64, count as f64));
        let mean = lengths().map(|(length, count)| length * count).sum::<f64>() / count;
        let squares: f64 = lengths().map(|(length, count)| (length - mean).powi(2) * count).sum();
        (mean, squares / count)
    }

    /// What is further apart than chance allows. This is the larger sample.
    fn differences(&self, other: &Sample) -> impl Iterator<Item = String> {
        let mut found = Vec::new();
        let (all, few) = (self.playouts as f64, other.playouts as f64);
        let ((mean, variance), (own, _)) = (self.moments(), other.moments());
        // The variance of the larger sample: a small one may have none by chance.
        let most = SIGMAS * (variance * (1.0 / all + 1.0 / few)).sqrt() + 1e-9;
        if (mean - own).abs() > most {
            found.push(format!("mean length {own}, but {mean} in lanes"));
        }
        let mut shares = vec![
            ("stuck".to_string(), self.stuck, other.stuck),
            ("cut".to_string(), self.cut, other.cut),
        ];
        for (role, (ours, theirs)) in self.goals.iter().zip(&other.goals).enumerate() {
            let values: std::collections::BTreeSet<&String> =
                ours.keys().chain(theirs.keys()).collect();
            let count =
                |goals: &BTreeMap<String, u64>, value| goals.get(value).copied().unwrap_or(0);
            shares.extend(values.into_iter().map(|value| {
                (format!("goal {value} of role {role}"), count(ours, value), count(theirs, value))
            }));
        }
        for (what, ours, theirs) in shares {
            let chance = (ours + theirs) as f64 / (all + few);
            let deviation = (few * chance * (1.0 - chance) * (1.0 + few / all)).sqrt();
            // What is rare has a longer tail.
            let away = theirs as f64 - few * ours as f64 / all;
            if away.abs() > SIGMAS * deviation + 3.0 {
                found.push(format!("{what}: {theirs} of {few}, but {ours} of {all} in lanes"));
            }
        }
        found.into_iter()
    }

    /// Both, for a reader.
    fn beside(&self, other: &Sample) -> String {
        let text = |sample: &Sample| {
            format!("{} playouts, mean length {:.3}", sample.playouts, sample.mean_length())
        };
        format!("{}; lanes {}", text(other), text(self))
    }
}

/// A move of a role, or none if there is none.
fn choose(
    game: &mut dyn Game,
    state: &State,
    role: Role,
    choice: Choice,
    rng: &mut dyn Rng,
) -> Option<Move> {
    let legal = game.legal_moves(state, role).ok()?;
    let moves: Vec<Move> = legal.iter().collect();
    let mut weights: Vec<u32> = match choice {
        Choice::Uniform => vec![1; moves.len()],
        Choice::Weighted => moves
            .iter()
            .map(|&chosen| weight(&game.move_text(role, chosen).expect("a text")))
            .collect(),
    };
    if weights.iter().all(|&weight| weight == 0) {
        weights.fill(1);
    }
    let mut rank = rng.random_range(0..weights.iter().sum::<u32>().max(1));
    let at = weights.iter().position(|&weight| match rank.checked_sub(weight) {
        Some(rest) => {
            rank = rest;
            false
        }
        None => true,
    });
    at.map(|at| moves[at])
}
