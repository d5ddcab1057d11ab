//! Strategies and what can be chosen about them: plain data with documented defaults.

use std::fmt;

use serde::{Serialize, Serializer};

/// A way to choose moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// Tree search that balances what is promising with what is little known; random playouts.
    #[default]
    Uct,
    /// The same, with playouts that prefer moves which did well on average.
    Mast,
    /// Random playouts from the moves at hand, without a tree.
    Mc,
    /// Random play all the way, remembered in a tree.
    McMem,
    /// A legal move at random.
    Random,
}

impl Strategy {
    /// All strategies.
    pub const ALL: &[Strategy] =
        &[Strategy::Uct, Strategy::Mast, Strategy::Mc, Strategy::McMem, Strategy::Random];

    /// What it is called on the command line and in records.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Uct => "uct",
            Strategy::Mast => "mast",
            Strategy::Mc => "mc",
            Strategy::McMem => "mc_mem",
            Strategy::Random => "random",
        }
    }

    /// What it does, in a line.
    pub fn help(self) -> &'static str {
        match self {
            Strategy::Uct => "tree search with upper confidence bounds, playouts at random",
            Strategy::Mast => "tree search whose playouts prefer moves that did well on average",
            Strategy::Mc => "playouts at random from each move at hand, no tree",
            Strategy::McMem => "playouts at random, remembered in a tree",
            Strategy::Random => "a legal move at random",
        }
    }

    /// The strategy of that name.
    pub fn named(name: &str) -> Option<Strategy> {
        Self::ALL.iter().copied().find(|strategy| strategy.name() == name)
    }

    /// Whether moves in the tree are chosen by upper confidence bounds.
    pub(super) fn is_guided(self) -> bool {
        matches!(self, Strategy::Uct | Strategy::Mast)
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Strategy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// How several threads search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Parallel {
    /// Each has a tree of its own; what they know about the moves at the root is added up. With a
    /// budget of simulations this is the same every time. Nobody waits for anybody, so in games with
    /// small circuits two threads make twice the simulations, and play better than with one tree.
    #[default]
    Root,
    /// All play for one tree, which knows more where the tree takes little of the time.
    Tree,
}

impl Parallel {
    /// Both ways.
    pub const ALL: &[Parallel] = &[Parallel::Root, Parallel::Tree];

    /// What it is called on the command line and in records.
    pub fn name(self) -> &'static str {
        match self {
            Parallel::Root => "root",
            Parallel::Tree => "tree",
        }
    }
}

/// What can be chosen about a search. Each strategy uses what concerns it; see
/// [`super::PARAMETERS`] for the names and meanings that people see.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How moves are chosen.
    pub strategy: Strategy,
    /// How much the bound on what is little known counts, on the scale of goals.
    pub c: f64,
    /// What a ply takes off a score; games for one role have no discount.
    pub discount: f64,
    /// The temperature of Gibbs sampling.
    pub tau: f64,
    /// Whether a state is one node, however it was reached.
    pub transpositions: bool,
    /// Whether games for one role are searched for their best line (no discount, maximum scores).
    pub one_role: bool,
    /// Simulations under way at once; none for as many as the lanes and the root's visits allow.
    pub in_flight: Option<usize>,
    /// Without a number in flight: at most one leaf under way for so many visits of the root
    /// that are backed up.
    pub visits_per_flight: usize,
    /// Playouts from one leaf; none for one where a budget counts simulations, and where it is time
    /// for as many as keep lanes busy and the tree from taking most of it, up to 64.
    pub lanes_per_leaf: Option<usize>,
    /// The bytes that all trees may take; none for a share of the machine's memory.
    pub memory: Option<u64>,
    /// Threads that search; none for as many as there are cores.
    pub threads: Option<usize>,
    /// Whether each of them has its own tree.
    pub parallel: Parallel,
    /// The bits of a move's weight in playouts on lanes.
    pub weight_bits: usize,
    /// Of so many playouts of a run that come first, the moves of all are credited.
    pub credit_first: u64,
    /// Of so many playouts behind those, the moves of one.
    pub credit_one_of: u64,
    /// The joint moves after which a playout is given up.
    pub playout_limit: u64,
    /// Milliseconds kept in reserve before a deadline.
    pub margin: u64,
}

impl Settings {
    /// The highest limit on the moves of a playout.
    pub const HIGHEST_PLAYOUT_LIMIT: u64 = (1 << 16) - 2;

    /// The usual settings of a strategy.
    pub fn new(strategy: Strategy) -> Self {
        Settings {
            strategy,
            c: 40.0,
            discount: 0.999,
            tau: 10.0,
            transpositions: true,
            one_role: true,
            in_flight: None,
            visits_per_flight: 64,
            lanes_per_leaf: None,
            memory: None,
            threads: None,
            parallel: Parallel::default(),
            weight_bits: 12,
            credit_first: 5_000,
            credit_one_of: 32,
            playout_limit: 4000,
            margin: 300,
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings::new(Strategy::default())
    }
}
