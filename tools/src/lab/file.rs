//! An experiment as it is written in TOML.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU64;

use serde::Deserialize;
use toml::Spanned;

/// A file. What cells have in common is written once, at the top.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExperimentFile {
    /// What the tables and plots are called.
    pub(super) title: String,
    /// Where the published numbers come from: document and table.
    pub(super) reproduces: Option<String>,
    /// What a reader should know, such as how the conditions differ.
    pub(super) notes: Option<String>,
    /// Game `g` of a cell has this seed plus `g`.
    #[serde(default = "first_seed")]
    pub(super) seed: u64,
    /// What each side may spend on a move.
    pub(super) budget: Option<MoveBudget>,
    /// Games in each cell.
    pub(super) per_cell: Option<NonZeroU64>,
    /// The sides by name.
    pub(super) sides: BTreeMap<String, Spanned<SideFile>>,
    /// Blocks of cells.
    pub(super) cells: Vec<CellsFile>,
    /// What is plotted.
    #[serde(default)]
    pub(super) plot: PlotFile,
    /// By first side, second side and game: the published percentage and half its interval.
    #[serde(default)]
    pub(super) published: BTreeMap<String, BTreeMap<String, PublishedFile>>,
}

/// By game: percentage and half of its 95 % interval.
pub(super) type PublishedFile = BTreeMap<String, Spanned<(f64, f64)>>;

fn first_seed() -> u64 {
    1
}

/// A side: either it searches, or it makes known moves.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SideFile {
    /// A strategy with settings, such as `rave+mast:c=40`.
    pub(super) strategy: Option<Spanned<String>>,
    /// Moves in the order of preference: the first that is legal is made.
    #[serde(default)]
    pub(super) moves: Vec<String>,
    /// What it may spend on a move, instead of the budget of its cells.
    pub(super) budget: Option<MoveBudget>,
}

/// Cells: every game with every pair of sides.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CellsFile {
    /// Names or paths of sheets; `penalties_{4,8}x{5,9}` stands for four games.
    pub(super) games: Vec<Spanned<String>>,
    /// The first side, whose points are counted, and the second.
    pub(super) pairs: Vec<Spanned<(String, String)>>,
    /// Instead of the budget of the file.
    pub(super) budget: Option<MoveBudget>,
    /// Instead of the number of games of the file.
    pub(super) per_cell: Option<NonZeroU64>,
    /// The role that the first side always has; otherwise it has all in turn.
    pub(super) role: Option<String>,
    /// Joint moves after which a game is given up.
    pub(super) limit: Option<NonZeroU64>,
    /// If there are any: what counts is not who wins, but whether the first move of the first side is
    /// one of these.
    #[serde(default)]
    pub(super) right: Vec<String>,
}

/// What a side may spend on a move.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum MoveBudget {
    /// Simulations.
    Simulations(NonZeroU64),
    /// Nodes that are added to the tree.
    Expansions(NonZeroU64),
    /// States that simulations come to, in the tree and in playouts.
    States(NonZeroU64),
    /// Time.
    Milliseconds(NonZeroU64),
}

impl MoveBudget {
    /// What is counted.
    pub(super) fn unit(self) -> &'static str {
        match self {
            MoveBudget::Simulations(_) => "simulations",
            MoveBudget::Expansions(_) => "expansions",
            MoveBudget::States(_) => "states",
            MoveBudget::Milliseconds(_) => "milliseconds",
        }
    }

    /// How many of them.
    pub(super) fn count(self) -> u64 {
        match self {
            MoveBudget::Simulations(count)
            | MoveBudget::Expansions(count)
            | MoveBudget::States(count)
            | MoveBudget::Milliseconds(count) => count.get(),
        }
    }
}

impl fmt::Display for MoveBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.count(), self.unit())
    }
}

/// How scores are plotted. Sizes are those at the end of a game's name: 4 and 5 in `penalties_4x5`.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct PlotFile {
    pub(super) kind: PlotKind,
    /// Curves: which of the two sizes is on the horizontal axis.
    pub(super) x: u8,
    /// What the first size and the second are.
    pub(super) sizes: [String; 2],
}

impl Default for PlotFile {
    fn default() -> Self {
        let sizes = ["first size", "second size"].map(String::from);
        PlotFile { kind: PlotKind::Sides, x: 1, sizes }
    }
}

impl PlotFile {
    /// What is on the horizontal axis, and what is not.
    pub(super) fn labels(&self) -> [String; 2] {
        let mut labels = self.sizes.clone();
        if self.x == 2 {
            labels.reverse();
        }
        labels
    }
}

/// The kinds of plots.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum PlotKind {
    /// A panel for each game and opponent, a row for each side.
    Sides,
    /// Curves over budgets.
    Budget,
    /// Curves over one size of a family, one for each value of the other.
    Curves,
    /// The fields of both sizes of a family.
    Map,
}
