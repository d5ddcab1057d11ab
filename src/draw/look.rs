//! What the contents of cells look like in a picture: symbols where names say so, else letters in the
//! colours of their sides.

use std::collections::{BTreeMap, BTreeSet};

use super::group::Group;
use super::pieces::Pieces;

/// How a content is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PieceLook {
    /// Two crossed lines.
    Cross(Tint),
    /// A ring.
    Ring(Tint),
    /// A flat piece, with a letter where its colour says too little.
    Disc(Tint, Option<String>),
    /// The same with a crown.
    Crowned(Tint),
    Chess(ChessKind, Tint),
    Letters(String, Tint),
}

/// The pieces of chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChessKind {
    King,
    Queen,
    Rook,
    Bishop,
    Knight,
    Pawn,
}

/// The colours of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tint {
    /// What it is called in style sheets.
    pub(super) name: &'static str,
    pub(super) fill: &'static str,
    /// The outline, and what is written on the fill.
    pub(super) line: &'static str,
}

const fn tint(name: &'static str, fill: &'static str, line: &'static str) -> Tint {
    Tint { name, fill, line }
}

const WHITE: Tint = tint("white", "#fcfbf7", "#3a3a3a");
const BLACK: Tint = tint("black", "#33302e", "#f2efe9");
const RED: Tint = tint("red", "#c8402f", "#fff5f2");
const BLUE: Tint = tint("blue", "#2f66c4", "#f2f6ff");
const GREEN: Tint = tint("green", "#2f8a4b", "#f1fff5");
const YELLOW: Tint = tint("yellow", "#e0b424", "#3d3000");
const PURPLE: Tint = tint("purple", "#7f4bb3", "#f8f2ff");
const TEAL: Tint = tint("teal", "#1f8a8f", "#effeff");
const ORANGE: Tint = tint("orange", "#e07b24", "#3a1b00");
const PINK: Tint = tint("pink", "#cc5590", "#fff2f8");
const BROWN: Tint = tint("brown", "#7a5536", "#fff7ef");
const GREY: Tint = tint("grey", "#8b8b8b", "#ffffff");
/// What belongs to no side.
pub(super) const INK: Tint = tint("ink", "#3b4252", "#fdfdfb");

/// Colours that sheets name.
const NAMED: &[(&str, Tint)] = &[
    ("white", WHITE),
    ("light", WHITE),
    ("black", BLACK),
    ("dark", BLACK),
    ("red", RED),
    ("blue", BLUE),
    ("green", GREEN),
    ("yellow", YELLOW),
    ("gold", YELLOW),
    ("purple", PURPLE),
    ("violet", PURPLE),
    ("magenta", PINK),
    ("pink", PINK),
    ("teal", TEAL),
    ("cyan", TEAL),
    ("orange", ORANGE),
    ("brown", BROWN),
    ("grey", GREY),
    ("gray", GREY),
];

/// The colours of sides without a colour in their name, by role.
const SIDES: &[Tint] = &[BLUE, RED, GREEN, YELLOW, PURPLE, TEAL];

/// The looks of the contents of the boards of one name.
#[derive(Clone, Debug, Default)]
pub(super) struct Looks(BTreeMap<String, PieceLook>);

impl Looks {
    pub(super) fn new(group: &Group, pieces: &Pieces, roles: &[String]) -> Self {
        let contents: BTreeSet<&str> = group.contents.iter().map(String::as_str).collect();
        let is_draughts = is_draughts(pieces);
        let look = |content: &&str| {
            let symbol = pieces.symbol(content)?;
            let hinted = symbol != *content && pieces.is_hinted(content);
            let look = match pieces.parts.get(*content) {
                _ if hinted => PieceLook::Letters(symbol.to_string(), tint_of(content, roles)),
                Some((side, kind)) => piece(side, kind, roles, is_draughts).unwrap_or_else(|| {
                    PieceLook::Letters(symbol.to_string(), side_tint(side, roles))
                }),
                None => alone(content, symbol, roles, &contents),
            };
            Some((content.to_string(), look))
        };
        Looks(contents.iter().filter_map(look).collect())
    }

    /// Whether there are pieces that move over a board, by their names.
    pub(super) fn have_walkers(&self) -> bool {
        self.0.values().any(|look| matches!(look, PieceLook::Chess(..) | PieceLook::Crowned(_)))
    }

    /// How a content is drawn; none if it is an empty cell.
    pub(super) fn of(&self, content: &str) -> Option<&PieceLook> {
        self.0.get(content)
    }
}

impl PieceLook {
    pub(super) fn tint(&self) -> Tint {
        match self {
            PieceLook::Cross(tint) | PieceLook::Ring(tint) | PieceLook::Disc(tint, _) => *tint,
            PieceLook::Crowned(tint) | PieceLook::Chess(_, tint) | PieceLook::Letters(_, tint) => {
                *tint
            }
        }
    }
}

/// Whether all pieces are men and kings, as in draughts.
fn is_draughts(pieces: &Pieces) -> bool {
    let mut kinds = pieces.parts.values().map(|(_, kind)| kind.as_str());
    kinds.all(|kind| is_man(kind) || matches!(kind, "pawn" | "p" | "king" | "k"))
}

fn is_man(kind: &str) -> bool {
    matches!(kind, "man" | "m" | "checker" | "disc" | "stone" | "piece" | "peg")
}

/// A piece of a side.
fn piece(side: &str, kind: &str, roles: &[String], is_draughts: bool) -> Option<PieceLook> {
    let tint = side_tint(side, roles);
    Some(match kind {
        "king" | "k" if is_draughts => PieceLook::Crowned(tint),
        "pawn" | "p" if is_draughts => PieceLook::Disc(tint, None),
        kind if is_man(kind) => PieceLook::Disc(tint, None),
        "king" | "k" => PieceLook::Chess(ChessKind::King, tint),
        "queen" | "q" => PieceLook::Chess(ChessKind::Queen, tint),
        "rook" | "r" => PieceLook::Chess(ChessKind::Rook, tint),
        "bishop" | "b" => PieceLook::Chess(ChessKind::Bishop, tint),
        "knight" | "n" => PieceLook::Chess(ChessKind::Knight, tint),
        "pawn" | "p" => PieceLook::Chess(ChessKind::Pawn, tint),
        _ => return None,
    })
}

/// A content that is not a side and a kind.
fn alone(content: &str, symbol: &str, roles: &[String], all: &BTreeSet<&str>) -> PieceLook {
    let letter = |tint: Tint| {
        let is_colour = NAMED.iter().any(|(name, _)| content.starts_with(name));
        (!is_colour).then(|| symbol.to_uppercase()).filter(|_| tint != INK)
    };
    match content {
        "x" | "cross" => PieceLook::Cross(BLUE),
        "o" | "nought" | "ring" | "circle" => PieceLook::Ring(RED),
        "" | "peg" | "disc" | "stone" | "piece" => PieceLook::Disc(INK, None),
        "w" | "b" if all.contains("w") && all.contains("b") => {
            PieceLook::Disc(if content == "w" { WHITE } else { BLACK }, None)
        }
        content if roles.iter().any(|role| role == content) => {
            let tint = side_tint(content, roles);
            PieceLook::Disc(tint, letter(tint))
        }
        content if NAMED.iter().any(|(name, _)| *name == content) => {
            PieceLook::Disc(tint_of(content, roles), None)
        }
        _ => PieceLook::Letters(symbol.to_string(), tint_of(content, roles)),
    }
}

/// The colour that a role or side is called by, or else one by the order of roles.
pub(super) fn side_tint(side: &str, roles: &[String]) -> Tint {
    let named = NAMED.iter().find(|(name, _)| side == *name).map(|(_, tint)| *tint);
    let at = roles.iter().position(|role| role == side);
    named.or_else(|| at.map(|at| SIDES[at % SIDES.len()])).unwrap_or(INK)
}

/// The colour of a content: that of the side that its words name.
fn tint_of(content: &str, roles: &[String]) -> Tint {
    let words = || content.split([' ', '_', '-', '(', ')']);
    let tint = |word: &str| match side_tint(word, roles) {
        tint if tint == INK => None,
        tint => Some(tint),
    };
    let prefix = || {
        let known = NAMED.iter().map(|(name, _)| *name).chain(roles.iter().map(String::as_str));
        known.filter(|name| name.len() > 2).find(|name| content.starts_with(*name)).and_then(tint)
    };
    words().find_map(tint).or_else(prefix).unwrap_or(INK)
}
