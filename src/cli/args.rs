//! Arguments that several commands share, and what they become.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use ludens::count::count_within;
use ludens::host;
use ludens::pipeline::{Engine, Made, PipelineBounds, PipelineOptions, Stages};
use ludens::run;
use propnet::circuit::optimize::{Pass, UnknownPass, parse_passes};
use propnet::game::Game;
use propnet::gdl::Rules;
use propnet::lanes::{Backend, Setup, SetupError, Width};
use propnet::reference::Reasoner;

use super::input;

/// A sheet, the engine that plays it, and where to start.
#[derive(clap::Args)]
pub(crate) struct StartArgs {
    /// The rules of the game: a file, or the name of a game; `-` for standard input
    pub(crate) sheet: String,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    position: PositionArgs,
}

/// Where to start.
#[derive(clap::Args)]
pub(crate) struct PositionArgs {
    /// Joint moves to make first: a file, the record of a match, or the moves themselves
    ///
    /// Each joint move is a list with one move for each role in the order of the roles; `*` stands
    /// for a move chosen at random. Example: --moves '((mark 1 1) noop) (noop *)'
    /// A record (see `ludens replay --help`) also says where its match started.
    #[arg(long, value_name = "FILE|RECORD|TEXT", verbatim_doc_comment)]
    moves: Option<String>,
    /// A file with the state to start from instead of the initial one
    ///
    /// The file has the true sentences, one on each line, in one list, or as a JSON array of
    /// strings; `(true ...)` around them is accepted.
    #[arg(long, value_name = "FILE", verbatim_doc_comment)]
    state: Option<String>,
}

/// A game ready to be played.
pub(crate) struct Start {
    pub(crate) name: String,
    pub(crate) rules: Arc<Rules>,
    pub(crate) setup: run::Setup,
    pub(crate) options: PipelineOptions,
    engine: Engine,
}

impl StartArgs {
    /// Reads everything that is named.
    pub(crate) fn prepare(&self, seed: u64) -> Result<Start> {
        let engine = &self.engine;
        Start::read(&self.sheet, &self.position, seed, engine.engine, engine.options()?)
    }
}

impl PositionArgs {
    /// Whether a position is named.
    pub(crate) fn is_given(&self) -> bool {
        self.moves.is_some() || self.state.is_some()
    }

    /// Reads what is named.
    pub(crate) fn setup(&self, seed: u64) -> Result<run::Setup> {
        let mut setup = match &self.moves {
            Some(moves) => input::scripted_moves(moves)?,
            None => run::Setup::default(),
        };
        if let Some(file) = &self.state {
            setup.state = Some(input::given_state(file)?);
        }
        Ok(run::Setup { seed, ..setup })
    }
}

impl Start {
    /// Reads everything that is named.
    pub(crate) fn read(
        sheet: &str,
        position: &PositionArgs,
        seed: u64,
        engine: Engine,
        options: PipelineOptions,
    ) -> Result<Self> {
        let rules = Arc::new(input::load_sheet(sheet)?);
        let setup = position.setup(seed)?;
        Ok(Start { name: input::game_name(&rules.source), rules, setup, options, engine })
    }

    /// Makes the game. If the engine cannot be made, the reference reasoner plays, and a notice
    /// says so: a slow game is better than none.
    pub(crate) fn game(&self) -> Box<dyn Game> {
        self.make().game
    }

    /// The same, with the lanes that the game runs on.
    pub(crate) fn make(&self) -> Made {
        Stages::new(self.rules.clone()).make(self.engine, &self.options).unwrap_or_else(|error| {
            // The game goes on even if the notice cannot be written.
            let _ = writeln!(
                io::stderr(),
                "ludens: notice: {}: {error}; playing with the reference reasoner, which needs no \
                 grounding but is slow",
                self.rules.source.name(),
            );
            Made { game: Box::new(Reasoner::new(&self.rules)), lanes: None }
        })
    }
}

/// An engine, and how it is made.
#[derive(clap::Args, Clone)]
pub(crate) struct EngineArgs {
    /// The engine that answers
    #[arg(long, value_enum, default_value_t)]
    pub(crate) engine: Engine,
    #[command(flatten)]
    make: MakeArgs,
}

impl EngineArgs {
    /// A game that is played by these rules and starts there.
    pub(crate) fn start(&self, rules: Rules, setup: run::Setup) -> Result<Start> {
        let (name, engine) = (input::game_name(&rules.source), self.engine);
        Ok(Start { name, rules: rules.into(), setup, engine, options: self.options()? })
    }

    pub(crate) fn options(&self) -> Result<PipelineOptions> {
        self.make.options()
    }
}

/// How an engine is made.
#[derive(clap::Args, Clone)]
pub(crate) struct MakeArgs {
    #[command(flatten)]
    options: OptionArgs,
    #[command(flatten)]
    lanes: LaneArgs,
}

impl MakeArgs {
    pub(crate) fn options(&self) -> Result<PipelineOptions> {
        Ok(PipelineOptions { lanes: self.lanes.setup()?, ..self.options.options() })
    }
}

/// How a sheet is grounded and its circuit made, before an engine.
#[derive(clap::Args, Clone)]
pub(crate) struct OptionArgs {
    #[command(flatten)]
    ground: GroundArgs,
    #[command(flatten)]
    passes: PassArgs,
}

impl OptionArgs {
    pub(crate) fn options(&self) -> PipelineOptions {
        let (bounds, passes) = (self.ground.bounds(), self.passes.passes.0.clone());
        PipelineOptions { bounds, passes, ..PipelineOptions::default() }
    }
}

/// The seed of playouts, and how long they may be.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct PlayoutArgs {
    /// The seed of all random choices
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Cut playouts after this many joint moves; `bench` does so only if some are longer
    #[arg(long, value_name = "STEPS", default_value_t = 10_000)]
    #[arg(value_parser = count_within(1, u32::MAX.into()), allow_negative_numbers = true)]
    pub(crate) limit: u64,
}

/// The number of threads.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct ThreadArgs {
    /// The number of threads [default: one for each processor]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

impl ThreadArgs {
    pub(crate) fn threads(&self) -> usize {
        self.threads.map_or_else(host::cores, NonZeroUsize::get)
    }
}

const LANES: &str = "Lanes";

/// The lanes of the engine with that name.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct LaneArgs {
    /// The number of lanes: 64, 256, 512, 2048, or the best for the back end
    #[arg(long, value_name = "64|256|512|2048|auto", default_value = "auto", value_parser = width)]
    #[arg(help_heading = LANES)]
    lanes: NamedOrAuto<Width>,
    /// What runs the lanes: machine code for avx2 (256 lanes) or avx512 (512 lanes), a portable
    /// simulator (any number of lanes), or the best that this processor has
    #[arg(long, value_name = "portable|avx2|avx512|auto", default_value = "auto")]
    #[arg(value_parser = backend, help_heading = LANES)]
    backend: NamedOrAuto<Backend>,
}

impl LaneArgs {
    /// An error if the processor does not support it.
    pub(crate) fn setup(&self) -> Result<Setup, SetupError> {
        Setup::new(self.lanes.0, self.backend.0)
    }
}

/// A named choice, or none for `auto`. It wraps the option because clap takes a plain `Option` for
/// an optional argument.
#[derive(Clone, Copy)]
pub(crate) struct NamedOrAuto<T>(pub(crate) Option<T>);

fn width(text: &str) -> Result<NamedOrAuto<Width>, String> {
    named(text, Width::ALL, |width| width.lanes().to_string())
}

fn backend(text: &str) -> Result<NamedOrAuto<Backend>, String> {
    named(text, Backend::ALL, |backend| backend.name().to_string())
}

pub(crate) fn engine(text: &str) -> Result<NamedOrAuto<Engine>, String> {
    named(text, Engine::ALL, |engine| engine.name().to_string())
}

fn named<T: Copy>(
    text: &str,
    all: &[T],
    name: impl Fn(T) -> String,
) -> Result<NamedOrAuto<T>, String> {
    if text == "auto" {
        return Ok(NamedOrAuto(None));
    }
    let found = all.iter().find(|&&one| name(one) == text);
    found.map(|&one| NamedOrAuto(Some(one))).ok_or_else(|| {
        let names: Vec<String> = all.iter().map(|&one| name(one)).collect();
        format!("it is one of {}, auto", names.join(", "))
    })
}

/// The passes over a circuit.
#[derive(clap::Args, Clone)]
struct PassArgs {
    /// The passes over the circuit: none, fast, all, or names with commas, in their order
    #[arg(long, value_name = "none|fast|all|LIST", default_value = "all", value_parser = passes)]
    #[arg(help_heading = "Circuit")]
    passes: Passes,
}

/// The parsed passes. It wraps the list because clap takes a plain `Vec` for a repeated argument.
#[derive(Clone)]
pub(crate) struct Passes(pub(crate) Vec<Pass>);

pub(crate) fn passes(text: &str) -> Result<Passes, UnknownPass> {
    parse_passes(text).map(Passes)
}

const GROUNDING: &str = "Grounding";

/// How much grounding a sheet may take.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct GroundArgs {
    /// The seconds that grounding a sheet may take, and that making its circuit may take as well
    #[arg(long, value_name = "S", default_value = "60", value_parser = seconds)]
    #[arg(help_heading = GROUNDING)]
    time: Duration,
    /// The memory that grounding a sheet may take, in MB, as the grounder counts it
    #[arg(long, value_name = "MB", default_value_t = 3072, help_heading = GROUNDING)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..1 << 40))]
    memory: u64,
}

impl GroundArgs {
    pub(crate) fn bounds(&self) -> PipelineBounds {
        PipelineBounds { time: self.time, bytes: self.memory << 20 }
    }

    /// The same as arguments for another process of this program.
    pub(crate) fn as_typed(&self) -> [String; 4] {
        // A century is long enough, and longer times may overflow when they are parsed again.
        let time = self.time.min(Duration::from_secs(1 << 32)).as_secs_f64();
        let (time, memory) = (time.to_string(), self.memory.to_string());
        ["--time".to_string(), time, "--memory".to_string(), memory]
    }
}

pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| format!("{text} is not a number of seconds"))?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}
