//! `ludens dot`: the circuit of a sheet to look at, as DOT text or as a picture.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;
use ludens::count::count;
use ludens::picture::{png, scene, svg};
use ludens::pipeline::{Control, PipelineOptions, ground_within, labelled_circuit};
use ludens::start::Given;
use propnet::circuit::diagram::{self, Diagram};
use propnet::circuit::optimize::Pass;
use propnet::circuit::{Circuit, Cone};
use propnet::game::State;

use super::args::{GroundArgs, Passes, passes};
use super::exit::ExitStatus;
use super::{input, output};

/// Draw the circuit of a sheet, or a part of it
///
/// The result is DOT text for Graphviz, or a picture drawn without it. A SENTENCE is a port:
/// "(does x noop)", "(legal x noop)", "(next (cell 1 1 x))", "(goal x 100)" or "terminal"; a fluent
/// such as "(cell 1 1 x)" stands for its truth now and in the next state. A gate that computes a
/// sentence of a helper relation, such as "(line x)", has that name, can be selected by it, and
/// shows the lines of the sheet that it comes from. Passes may remove such gates.
///
/// Examples:
///   ludens dot games/tic_tac_toe.kif > circuit.dot
///   ludens dot games/tic_tac_toe.kif --classic -o circuit.svg
///   ludens dot games/tic_tac_toe.kif --classic --of "(goal x 100)" -o goal.svg
///   ludens dot games/breakthrough.kif --classic --of "(next (cell 2 3 white))" -o cell.png
///   ludens dot games/breakthrough.kif --around "(cell 2 3 white)" --depth 2 -o cell.png
///   ludens dot games/tic_tac_toe.kif --from "(cell 2 2 x)" --to terminal --highlight init -o x.svg
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The rules of the game: a file, or the name of a game; `-` for standard input
    sheet: String,
    /// Write to this file; the extension .dot, .svg or .png sets the format
    #[arg(short, long, value_name = "FILE")]
    output: Option<String>,
    /// The format, whatever the file is called
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Show and, or, not and transition gates instead of the network of AND gates
    #[arg(long)]
    classic: bool,
    /// Show only the cone of a sentence: everything that its value depends on
    #[arg(long, value_name = "SENTENCE", group = "centre", conflicts_with_all = ["from", "to"])]
    of: Option<String>,
    /// Show only what is near a sentence: what it depends on, and what depends on it
    #[arg(long, value_name = "SENTENCE", group = "centre", conflicts_with_all = ["from", "to"])]
    around: Option<String>,
    /// The most gates between the sentence of --of or --around and what is shown [default: no limit
    /// with --of, 2 with --around]
    #[arg(long, value_name = "K", requires = "centre")]
    depth: Option<usize>,
    /// Show only what lies on a path from this port ...
    #[arg(long, value_name = "SENTENCE", requires = "to")]
    from: Option<String>,
    /// ... to this one
    #[arg(long, value_name = "SENTENCE", requires = "from")]
    to: Option<String>,
    /// Show only what answers one question, and what it depends on
    #[arg(long, value_enum)]
    only: Option<Only>,
    /// The most elements that a picture may have; DOT has no limit
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = count)]
    limit: u64,
    /// Colour what is true in a state: `init`, or a file with its true sentences
    #[arg(long, value_name = "FILE|init")]
    highlight: Option<String>,
    /// The passes over the circuit: none, fast, all, or names with commas, in their order
    ///
    /// Without it, the classic view shows the circuit as it was built, and the network after all
    /// passes.
    #[arg(long, value_name = "none|fast|all|LIST", value_parser = passes, help_heading = "Circuit")]
    passes: Option<Passes>,
    #[command(flatten)]
    ground: GroundArgs,
}

/// The default depth of --around.
const NEAR: usize = 2;

/// The format of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for Graphviz
    Dot,
    /// A picture that can be scaled and searched
    Svg,
    /// A bitmap
    Png,
}

/// The questions that can be shown alone.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Only {
    /// What is legal
    Legal,
    /// What is true next
    Next,
    /// The goals of the roles
    Goal,
    /// Whether the game is over
    Terminal,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<ExitStatus> {
    let format = args.format()?;
    let rules = input::load_sheet(&args.sheet)?;
    let given = match args.highlight.as_deref() {
        None | Some("init") => None,
        Some(file) => Some(input::given_state(file)?),
    };
    let name = rules.source.name();
    let (bounds, control) = (args.ground.bounds(), Control::default());
    let options = PipelineOptions { bounds, passes: args.passes(), ..PipelineOptions::default() };
    let grounding = ground_within(&rules, &bounds, control);
    let grounding = grounding.with_context(|| format!("{name} cannot be grounded"))?;
    let circuit = labelled_circuit(&grounding.rules, &options, control);
    let circuit = circuit.with_context(|| format!("{name} has no circuit"))?;
    let mut diagram = args.diagram(&circuit)?;
    if args.highlight.is_some() {
        diagram::highlight(&mut diagram, &circuit, &shown_state(&circuit, given)?)?;
    }
    let bytes = args.drawn(&diagram, format, &input::game_name(&rules.source))?;
    match &args.output {
        Some(file) => fs::write(file, bytes).with_context(|| format!("cannot write {file}"))?,
        None => out.write_all(&bytes)?,
    }
    Ok(ExitStatus::Good)
}

impl Args {
    /// The format that was asked for, or else that of the file extension.
    fn format(&self) -> Result<Format> {
        match (self.format, self.output.as_deref()) {
            (Some(format), _) => Ok(format),
            (None, None) => Ok(Format::Dot),
            (None, Some(file)) => {
                let extension = Path::new(file).extension().unwrap_or_default().to_string_lossy();
                Format::from_str(&extension, true).map_err(|_| {
                    anyhow!("cannot tell the format of {file}: call it .dot, .svg or .png, or use --format")
                })
            }
        }
    }

    fn passes(&self) -> Vec<Pass> {
        match &self.passes {
            Some(Passes(passes)) => passes.clone(),
            // The classic view shows the rules as written, not after passes.
            None if self.classic => Vec::new(),
            None => Pass::ALL.to_vec(),
        }
    }

    /// The part of the circuit to show.
    fn diagram(&self, circuit: &Circuit) -> Result<Diagram> {
        let view = if self.classic { diagram::classic } else { diagram::network };
        let all = view(circuit);
        // An unknown port is reported first.
        for name in [&self.of, &self.around, &self.from, &self.to].into_iter().flatten() {
            all.ports(name)?;
        }
        let part = match self.only {
            None => all,
            Some(only) => all.only(only.cone()),
        };
        if let (Some(from), Some(to)) = (&self.from, &self.to) {
            return part.between(from, to).map_err(|error| self.not_in_part(error));
        }
        let Some(name) = self.of.as_ref().or(self.around.as_ref()) else { return Ok(part) };
        let ports = part.ports(name).map_err(|error| self.not_in_part(error))?;
        Ok(match self.of {
            Some(_) => part.cone(&ports, self.depth.unwrap_or(usize::MAX)),
            None => part.around(&ports, self.depth.unwrap_or(NEAR)),
        })
    }

    /// The error for a port that is in the circuit, but not in the selected part.
    fn not_in_part(&self, error: diagram::SelectError) -> anyhow::Error {
        match (error, self.only) {
            (diagram::SelectError::Unknown { name, .. }, Some(only)) => {
                anyhow!("{name} is not part of --only {}", only.cone().name())
            }
            (error, _) => error.into(),
        }
    }

    fn drawn(&self, diagram: &Diagram, format: Format, title: &str) -> Result<Vec<u8>> {
        if format == Format::Dot {
            return Ok(diagram::dot(diagram, title).into_bytes());
        }
        let count = diagram.graph.node_count();
        if count as u64 > self.limit {
            bail!(
                "the picture would have {}, more than the {} of --limit; cut it down with --of or \
                 --around SENTENCE and --depth K, --from SENTENCE --to SENTENCE or --only \
                 legal|next|goal|terminal, raise --limit, or write DOT, which has no limit",
                output::count(count as u64, "element"),
                self.limit,
            );
        }
        let scene = scene(diagram, title).context("cannot draw the circuit")?;
        match format {
            Format::Png => png(&scene).context("cannot draw the circuit"),
            Format::Svg | Format::Dot => Ok(svg(&scene).into_bytes()),
        }
    }
}

impl Only {
    fn cone(self) -> Cone {
        match self {
            Only::Legal => Cone::Legal,
            Only::Next => Cone::Next,
            Only::Goal => Cone::Goal,
            Only::Terminal => Cone::Terminal,
        }
    }
}

/// The state with the given sentences, or else the first one.
fn shown_state(circuit: &Circuit, given: Option<Vec<Given>>) -> Result<State> {
    let Some(given) = given else { return Ok(circuit.initial_state()) };
    // One by one first, so that a complaint names the place of the sentence it is about.
    for Given { text, place } in &given {
        let state = circuit.names.state_of(std::slice::from_ref(text));
        state.with_context(|| place.clone())?;
    }
    let texts: Vec<String> = given.into_iter().map(|sentence| sentence.text).collect();
    Ok(circuit.names.state_of(&texts)?)
}
