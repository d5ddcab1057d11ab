//! What grounding a sheet took and gave, in figures.

use propnet::gdl::Source;
use propnet::ground::sharpen::{SharpenReport, Sizes};
use propnet::ground::{Grounding, RuleWeight};
use serde::{Deserialize, Serialize};

use super::clock::StageFigures;
use crate::pipeline::error::SheetOutcome;
use crate::statistics::Spread;

/// The number of heaviest rules that are named.
const HEAVIEST: usize = 10;

/// One sheet. Scripts read this; its keys stay.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SheetReport {
    /// The name of the sheet, as it was given.
    pub sheet: String,
    /// The outcome.
    pub result: SheetOutcome,
    /// Why it was not grounded.
    pub message: Option<String>,
    /// What had grown most when a limit was reached.
    pub growth: Option<Growth>,
    /// The time from text to ground rules, or to where it ended; the median where it was measured
    /// several times.
    pub seconds: f64,
    /// The same by the processor time of the thread.
    pub cpu_seconds: f64,
    /// How far the times were apart, where they were measured several times.
    pub repeated: Option<Repeated>,
    /// The largest number of bytes that the grounder counted at the end of a stage; the limit where
    /// it ran out of memory. Where it ended within a stage for another reason there is none.
    pub counted_bytes: Option<u64>,
    /// The most memory that the process held, also where the sheet was not grounded. Where that is
    /// not known, or others used the process as well, there is none.
    pub peak_bytes: Option<u64>,
    /// Sentences that can ever be true, static ones included, before sharpening.
    pub facts: u64,
    /// Rule instances, before sharpening.
    pub instances: u64,
    /// The stages that were run; where it was not grounded the last is `unfinished`. Of several
    /// runs, those of the one in the middle by processor time.
    pub stages: Vec<StageFigures>,
    /// The ground rules before sharpening.
    pub before: Option<Size>,
    /// The ground rules.
    pub after: Option<Size>,
    /// What sharpening did.
    pub sharpening: Option<SharpenFigures>,
    /// The rules of the sheet with the most instances.
    pub heaviest: Vec<HeavyRule>,
}

/// Times of the same work, measured several times.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Repeated {
    /// By the wall clock.
    pub seconds: Spread,
    /// By the processor time of the thread.
    pub cpu_seconds: Spread,
}

/// The size of ground rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Rules.
    pub rules: usize,
    /// Body literals of all rules together.
    pub literals: usize,
    /// Atoms.
    pub atoms: usize,
    /// Fluents that playouts carry.
    pub fluents: usize,
    /// Moves of all roles together.
    pub moves: usize,
}

/// What sharpening removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "as in `SharpenReport`")]
pub struct SharpenFigures {
    pub rounds: usize,
    pub known: usize,
    pub constant: usize,
    pub copied: usize,
    pub observed: usize,
    pub moves_dropped: usize,
    pub merged: usize,
    pub aliased: usize,
    pub inlined: usize,
    pub lifted: usize,
    pub unread: usize,
    pub subsumed: usize,
    pub unstable: usize,
}

/// A rule of the sheet with many instances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeavyRule {
    /// Its line in the sheet.
    pub line: usize,
    /// Its column.
    pub column: usize,
    /// The relation it concludes.
    pub relation: String,
    /// Its instances before sharpening.
    pub instances: u64,
    /// Their share of the instances of all rules, from 0 to 1.
    pub share: f64,
    /// The first line of its text.
    pub text: String,
}

/// The rule that had grown most.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Growth {
    /// Its line in the sheet.
    pub line: usize,
    /// Its column.
    pub column: usize,
    /// The relation it concludes.
    pub relation: String,
    /// The instances it had made.
    pub instances: u64,
}

impl SheetReport {
    /// A report of nothing but its name and outcome.
    pub fn new(sheet: &str, result: SheetOutcome) -> Self {
        SheetReport {
            sheet: sheet.to_string(),
            result,
            message: None,
            growth: None,
            seconds: 0.0,
            cpu_seconds: 0.0,
            repeated: None,
            counted_bytes: None,
            peak_bytes: None,
            facts: 0,
            instances: 0,
            stages: Vec::new(),
            before: None,
            after: None,
            sharpening: None,
            heaviest: Vec::new(),
        }
    }

    /// Adds what the stages took.
    pub(super) fn with_stages(self, stages: &[StageFigures]) -> Self {
        let fixpoint = stages.iter().find(|stage| stage.stage == "fixpoint");
        SheetReport {
            seconds: stages.iter().map(|stage| stage.seconds).sum(),
            cpu_seconds: stages.iter().map(|stage| stage.cpu_seconds).sum(),
            peak_bytes: stages.iter().filter_map(|stage| stage.peak_bytes).max(),
            counted_bytes: match self.result {
                SheetOutcome::Grounded => stages.iter().map(|stage| stage.counted_bytes).max(),
                _ => None,
            },
            facts: fixpoint.map_or(0, |stage| stage.facts),
            instances: fixpoint.map_or(0, |stage| stage.ground_rules),
            stages: stages.to_vec(),
            ..self
        }
    }

    /// Adds the results.
    pub(super) fn with_grounding(self, grounding: &Grounding) -> Self {
        let after = Sizes::of(&grounding.rules);
        let before = grounding.sharpened.map_or(after, |report| report.before);
        SheetReport {
            before: Some(before.into()),
            after: Some(after.into()),
            sharpening: grounding.sharpened.map(SharpenFigures::from),
            heaviest: heaviest(&grounding.weights, &grounding.rules.source),
            ..self
        }
    }
}

fn heaviest(weights: &[RuleWeight], source: &Source) -> Vec<HeavyRule> {
    let all: u64 = weights.iter().map(|weight| weight.instances).sum();
    let heavy = |weight: &RuleWeight| {
        let place = source.place(weight.span.start);
        HeavyRule {
            line: place.line,
            column: place.column,
            relation: weight.relation.clone(),
            instances: weight.instances,
            share: weight.instances as f64 / all.max(1) as f64,
            text: source.slice(weight.span).lines().next().unwrap_or_default().trim().to_string(),
        }
    };
    weights.iter().take(HEAVIEST).map(heavy).collect()
}

impl From<Sizes> for Size {
    fn from(sizes: Sizes) -> Self {
        let Sizes { rules, literals, atoms, carried, moves } = sizes;
        Size { rules, literals, atoms, fluents: carried, moves }
    }
}

impl From<SharpenReport> for SharpenFigures {
    fn from(report: SharpenReport) -> Self {
        SharpenFigures {
            rounds: report.rounds,
            known: report.known,
            constant: report.constant,
            copied: report.copied,
            observed: report.observed,
            moves_dropped: report.moves_dropped,
            merged: report.merged,
            aliased: report.aliased,
            inlined: report.inlined,
            lifted: report.lifted,
            unread: report.unread,
            subsumed: report.subsumed,
            unstable: report.unstable,
        }
    }
}

impl From<&propnet::ground::Growth> for Growth {
    fn from(growth: &propnet::ground::Growth) -> Self {
        Growth {
            line: growth.place.line,
            column: growth.place.column,
            relation: growth.relation.clone(),
            instances: growth.instances,
        }
    }
}
