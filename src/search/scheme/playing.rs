//! What playouts know about a game beyond its rules: moves that win at once, and goals that are gone.

use propnet::circuit::plan::DecisiveMoves;

use super::parameter::{Parameter, Values};

/// Decisive moves in playouts.
const DECISIVE: Parameter = Parameter::word(
    "decisive",
    "playouts on lanes take a move that wins at once, and with block stop an opponent's, where the \
     circuit of that is small",
    &["off", "win", "block"],
);

/// Goals that latches rule out.
const LATCHES: Parameter = Parameter::switch(
    "latches",
    "playouts on lanes end when fluents that stay as they are leave each role one goal; a solver starts \
     from the goals that are left",
    false,
);

/// The parameters of playouts.
pub(crate) const PLAYING: &[Parameter] = &[DECISIVE, LATCHES];

/// The decisive moves of playouts, and whether they end early.
pub(super) fn playing(values: &Values) -> (DecisiveMoves, bool) {
    let decisive = match &*values.show(&DECISIVE) {
        "win" => DecisiveMoves::Win,
        "block" => DecisiveMoves::Block,
        _ => DecisiveMoves::Off,
    };
    (decisive, values.is_on(&LATCHES))
}
