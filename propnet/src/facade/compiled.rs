//! Text to rules, and rules to a game in lanes.

use std::ops::Range;
use std::sync::Arc;

use super::batch::StateBatch;
use super::error::CompileError;
use super::options::CompileOptions;
use crate::circuit::optimize::Params;
use crate::circuit::{Circuit, LoopChoice, WorkBudget, build_with};
use crate::game::{ForeignError, Game, State};
use crate::gdl::{Rules, SheetError, Source};
use crate::ground::{self, Options, ground};
use crate::lanes::{Code, LanesGame, PerWidth, Playouts, Setup, Totals, Word};
use crate::names::Names;
use crate::program::{Program, StepOptions};
use crate::reference::{self, WorkWatch};

/// Reads and checks a sheet; the rules are returned only where it can be played.
///
/// The error names every place and what is wrong there. Sheets that are bytes, or have a name that
/// errors should show, are for [`reference::load`].
///
/// ```
/// let error = propnet::load("(role white) (legal white)").expect_err("much is missing");
/// assert!(error.to_string().contains("sheet:1:14"), "{error}");
/// ```
pub fn load(text: &str) -> Result<Rules, SheetError> {
    reference::load(Source::from_text("sheet", text))
}

/// A game ready to play: its circuit, its program, and code that runs it.
///
/// It never changes, so threads can share it by reference.
pub struct Compiled {
    circuit: Circuit,
    program: Arc<Program>,
    code: Arc<Code>,
    setup: Setup,
    max_moves: u64,
}

impl Compiled {
    /// Compiles rules that [`load`] returned. The same rules and options give the same program.
    pub fn new(rules: &Rules, options: &CompileOptions) -> Result<Self, CompileError> {
        let circuit = circuit(rules, options)?;
        if !options.watch.may_go_on() {
            return Err(CompileError::Stopped);
        }
        let setup = options.lanes;
        let limit_bits = StepOptions::bits_for(options.max_moves);
        let step = StepOptions { limit_bits, restart: true, ..StepOptions::default() };
        let program = Arc::new(Program::with_options(&circuit, setup.mapping(), &step));
        let code = Code::new(&program, setup.backend()).map_err(CompileError::Machine)?;
        let max_moves = options.max_moves;
        Ok(Compiled { circuit, program, code: Arc::new(code), setup, max_moves })
    }

    /// Plays `number` random playouts from the initial state, on this thread.
    ///
    /// Playout i depends on the circuit, the seed and i alone: the totals are the same at any width
    /// and on any back end. Other passes make other playouts, of the same distribution.
    /// [`Totals::mean_goals`] and [`Totals::mean_length`] sum them up.
    pub fn playouts(&self, number: u64, seed: u64) -> Totals {
        let totals = self.play(&self.program.initial, &(0..number), seed);
        totals.expect("a program has its own initial state")
    }

    /// The same from another state of this game, and for any range of playouts: several threads
    /// take a part of the range each, and [`Totals::add`] puts theirs together.
    pub fn playouts_from(
        &self,
        state: &State,
        numbers: Range<u64>,
        seed: u64,
    ) -> Result<Totals, ForeignError> {
        self.play(state, &numbers, seed)
    }

    fn play(&self, state: &State, numbers: &Range<u64>, seed: u64) -> Result<Totals, ForeignError> {
        self.setup.width().dispatch(Play { compiled: self, state, numbers, seed })
    }

    /// Questions about many states at once.
    pub fn batch(&self) -> StateBatch {
        StateBatch::new(&self.program, &self.code, self.setup.width())
    }

    /// The game, one state at a time.
    pub fn game(&self) -> Box<dyn Game> {
        self.setup.width().dispatch(MakeGame(self))
    }

    /// The state that the game starts in.
    pub fn initial_state(&self) -> &State {
        &self.program.initial
    }

    /// What roles, fluents and moves are called.
    pub fn names(&self) -> &Names {
        &self.program.names
    }

    /// The circuit, after all passes.
    pub fn circuit(&self) -> &Circuit {
        &self.circuit
    }

    /// The program, for callers that run lanes of their own; see [`crate::lanes`].
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The code of the program. It runs on words of the width that [`Compiled::setup`] says.
    pub fn code(&self) -> &Arc<Code> {
        &self.code
    }

    /// The width of the lanes, and what runs them.
    pub fn setup(&self) -> Setup {
        self.setup
    }
}

/// The circuit of rules after all passes.
fn circuit(rules: &Rules, options: &CompileOptions) -> Result<Circuit, CompileError> {
    let watch = &options.watch;
    let grounding = ground(rules, &Options::default(), options.limits, &mut Watched(watch))?;
    let proceed = || watch.may_go_on();
    let budget = WorkBudget::with_proofs(options.proofs, &proceed);
    let mut circuit = build_with(&grounding.rules, LoopChoice::default(), &budget)?;
    for pass in &options.passes {
        circuit = pass.run_within(&circuit, &Params::default(), &budget)?.0;
    }
    Ok(circuit)
}

/// The watch of the caller, as grounding asks it.
struct Watched<'w>(&'w WorkWatch);

impl ground::Watch for Watched<'_> {
    fn proceed(&mut self) -> bool {
        self.0.may_go_on()
    }
}

/// Playouts to be made.
struct Play<'a> {
    compiled: &'a Compiled,
    state: &'a State,
    numbers: &'a Range<u64>,
    seed: u64,
}

impl PerWidth for Play<'_> {
    type Output = Result<Totals, ForeignError>;

    fn run<W: Word>(self) -> Self::Output {
        let Compiled { program, code, max_moves, .. } = self.compiled;
        let mut lanes = Playouts::<W>::new(program, code, self.state, self.seed, self.numbers)?;
        lanes.set_limit(*max_moves);
        lanes.count_lengths();
        lanes.run(u64::MAX);
        Ok(lanes.totals().clone())
    }
}

struct MakeGame<'a>(&'a Compiled);

impl PerWidth for MakeGame<'_> {
    type Output = Box<dyn Game>;

    fn run<W: Word>(self) -> Box<dyn Game> {
        Box::new(LanesGame::<W>::new(self.0.program.clone(), &self.0.code))
    }
}
