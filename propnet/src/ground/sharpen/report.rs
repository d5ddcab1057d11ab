//! What sharpening did, in numbers.

use super::super::rules::{GroundRules, Recipe};

/// How large ground rules are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sizes {
    /// Rules.
    pub rules: usize,
    /// Body literals of all rules together.
    pub literals: usize,
    /// Atoms.
    pub atoms: usize,
    /// Fluents that playouts carry.
    pub carried: usize,
    /// Moves of all roles together.
    pub moves: usize,
}

impl Sizes {
    /// The sizes of these rules.
    pub fn of(ground: &GroundRules) -> Self {
        let carried = |recipe: Recipe| recipe == Recipe::Carried;
        Sizes {
            rules: ground.rules.len(),
            literals: ground.rules.literal_count(),
            atoms: ground.atoms.len(),
            carried: ground.fluents.iter().filter(|fluent| carried(fluent.recipe)).count(),
            moves: ground.moves.iter().map(Vec::len).sum(),
        }
    }
}

/// What sharpening removed, pass by pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SharpenReport {
    /// The sizes of what came in.
    pub before: Sizes,
    /// The sizes of what went out.
    pub after: Sizes,
    /// How often the passes ran.
    pub rounds: usize,
    /// Atoms in cycles through negation, which all passes leave alone.
    pub unstable: usize,
    /// Helpers found to be true in all reachable states, or false in all.
    pub known: usize,
    /// Fluents that never change.
    pub constant: usize,
    /// Fluents that always equal another one.
    pub copied: usize,
    /// Fluents that nothing reads that decides the course of the game.
    pub observed: usize,
    /// Moves that are never legal.
    pub moves_dropped: usize,
    /// Helpers with the same definition as another one.
    pub merged: usize,
    /// Helpers defined by a single literal, which stands in their place.
    pub aliased: usize,
    /// Helpers read once, whose only body stands in their place.
    pub inlined: usize,
    /// Helpers read once, as the whole body of a rule, whose rules passed to that rule's head.
    pub lifted: usize,
    /// Helpers that nothing reads.
    pub unread: usize,
    /// Rules that repeat another one or need more than it.
    pub subsumed: usize,
}
