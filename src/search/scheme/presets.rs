//! Names for several parts.

/// A name for several parts.
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// What it does, in one line.
    pub help: &'static str,
    /// The names of its parts.
    pub parts: &'static [&'static str],
}

/// The preset whose parts are chosen for each game, and those that it has before.
pub(super) const AUTO: &str = "auto";
pub(super) const AUTO_BASE: &str = "uct+solver";

/// All presets: the strategies that people choose from.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "uct",
        help: "tree search with upper confidence bounds, playouts at random",
        parts: &["uct"],
    },
    Preset {
        name: AUTO,
        help: "the default: UCT with a solver, or what beats it in contests before the match",
        parts: &["uct", "solver"],
    },
    Preset {
        name: "mast",
        help: "tree search whose playouts prefer moves that did well on average",
        parts: &["mast"],
    },
    Preset {
        name: "mc",
        help: "playouts at random from each legal move, no tree",
        parts: &["uniform", "flat"],
    },
    Preset {
        name: "mc_mem",
        help: "playouts at random, remembered in a tree",
        parts: &["uniform"],
    },
    Preset { name: "cadia2007", help: "CadiaPlayer as it won in 2007: UCT", parts: &["uct"] },
    Preset {
        name: "cadia2008",
        help: "CadiaPlayer as it won in 2008: UCT with MAST",
        parts: &["uct", "mast"],
    },
    Preset {
        name: "cadia2009",
        help: "CadiaPlayer of 2009: RAVE in the tree, MAST in playouts",
        parts: &["uct", "rave", "mast"],
    },
    Preset {
        name: "cadia2010",
        help: "CadiaPlayer of 2010: RAVE in the tree, MAST and FAST in playouts",
        parts: &["uct", "rave", "mast", "fast"],
    },
    Preset {
        name: "cadia2012",
        help: "CadiaPlayer as it won in 2012: as in 2010, with early cutoffs and urgency",
        parts: &["uct", "rave", "mast", "fast", "cutoff", "urgency"],
    },
    Preset {
        name: "mini",
        help: "MINI-Player for puzzles: MAX in the tree, playouts that explore or are random",
        parts: &["max", "exploration"],
    },
    Preset {
        name: "mini_all",
        help: "the same with all simulation strategies, chosen by UCB",
        parts: &["max", "exploration", "age", "ssc", "mobility", "history", "score"],
    },
    Preset {
        name: "s_uct",
        help: "UCT with a solver, which proves bounds of scores; other presets have none",
        parts: &["uct", "solver"],
    },
    Preset {
        name: "rm",
        help: "regret matching where several roles choose at once; UCT elsewhere",
        parts: &["regret_matching"],
    },
    Preset { name: "random", help: "a legal move at random", parts: &["random"] },
];
