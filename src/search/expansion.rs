//! Expansion: which nodes a tree has, and whether it is kept from move to move.
//!
//! A tree that grows by one node for each simulation: Coulom 2006.

use super::scheme::Part;

/// Which nodes a tree has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Expansion {
    /// The most levels of a descent.
    pub(crate) levels: usize,
    /// Whether the tree is kept from move to move.
    pub(crate) keeps_tree: bool,
    /// Whether all moves of a leaf are tried at once.
    pub(crate) tries_all: bool,
}

/// All ways to expand; the first is the default.
pub(crate) const EXPANSIONS: &[&Part<Expansion>] = &[&TREE, &EXPAND_ALL, &FLAT];

const TREE: Part<Expansion> = Part {
    name: "tree",
    help: "every simulation adds a node to the tree, which is kept from move to move",
    paper: "Finnsson 2012, section 3.3",
    parameters: &[],
    make: Expansion { levels: 1000, keeps_tree: true, tries_all: false },
};

const EXPAND_ALL: Part<Expansion> = Part {
    name: "expand_all",
    help: "at a leaf all moves are tried at once, so that ends among them are known from birth",
    paper: "",
    parameters: &[],
    make: Expansion { levels: 1000, keeps_tree: true, tries_all: true },
};

const FLAT: Part<Expansion> = Part {
    name: "flat",
    help: "no tree: playouts begin after each move of the root",
    paper: "Finnsson and Björnsson 2008, section 5 (MC)",
    parameters: &[],
    make: Expansion { levels: 1, keeps_tree: false, tries_all: false },
};
