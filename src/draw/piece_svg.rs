//! Looks -> shapes of SVG, in a box of 100 by 100.
//!
//! Shapes carry their colours as attributes, so that a picture needs no style sheet; their classes let
//! a page use other colours.

use super::look::{ChessKind, PieceLook, Tint};
use crate::text::xml;

/// The shapes of a piece.
pub(super) fn piece_svg(look: &PieceLook) -> String {
    match look {
        PieceLook::Cross(tint) => stroked("M24 24L76 76M76 24L24 76", *tint),
        PieceLook::Ring(tint) => {
            let Tint { name, fill, .. } = tint;
            format!(
                "<circle class=\"stroke-{name}\" cx=\"50\" cy=\"50\" r=\"29\" fill=\"none\" \
                 stroke=\"{fill}\" stroke-width=\"12\"/>"
            )
        }
        PieceLook::Disc(tint, letter) => {
            let letter = letter.as_deref().map(|letter| letters(letter, 40, tint.line));
            disc(*tint) + &letter.unwrap_or_default()
        }
        PieceLook::Crowned(tint) => {
            let line = tint.line;
            let crown = "M30 62L26 38L40 50L50 34L60 50L74 38L70 62Z";
            disc(*tint) + &format!("<path d=\"{crown}\" fill=\"{line}\"/>")
        }
        PieceLook::Chess(kind, tint) => chess(*kind, *tint),
        PieceLook::Letters(text, tint) => {
            let size = match text.chars().count() {
                0..=1 => 62,
                2 => 50,
                3 => 38,
                _ => 28,
            };
            // White letters need an outline on light cells; the others are readable as they are.
            let Tint { name, fill, line } = tint;
            let outline = match *name {
                "white" => format!(" stroke=\"{line}\" stroke-width=\"1.5\""),
                _ => String::new(),
            };
            format!(
                "<text class=\"letters fill-{name}\" x=\"50\" y=\"{y}\" font-size=\"{size}\" \
                 fill=\"{fill}\"{outline} text-anchor=\"middle\" font-weight=\"600\">{}</text>",
                xml(text),
                y = 50 + size * 35 / 100,
            )
        }
    }
}

fn stroked(path: &str, tint: Tint) -> String {
    let Tint { name, fill, .. } = tint;
    format!(
        "<path class=\"stroke-{name}\" d=\"{path}\" fill=\"none\" stroke=\"{fill}\" \
         stroke-width=\"13\" stroke-linecap=\"round\"/>"
    )
}

fn disc(tint: Tint) -> String {
    let Tint { name, fill, .. } = tint;
    let line = outline(tint);
    format!(
        "<circle class=\"piece fill-{name}\" cx=\"50\" cy=\"50\" r=\"36\" fill=\"{fill}\" \
         stroke=\"{line}\" stroke-width=\"3\"/>\
         <circle cx=\"50\" cy=\"50\" r=\"27\" fill=\"none\" stroke=\"{line}\" \
         stroke-opacity=\"0.35\" stroke-width=\"2\"/>"
    )
}

/// Pieces have a dark outline, except black ones, which would have none.
fn outline(tint: Tint) -> &'static str {
    if tint.name == "black" { "#0f0e0d" } else { "#3a3a3a" }
}

fn letters(text: &str, size: u32, colour: &str) -> String {
    let y = 50 + size * 35 / 100;
    format!(
        "<text x=\"50\" y=\"{y}\" font-size=\"{size}\" fill=\"{colour}\" text-anchor=\"middle\" \
         font-weight=\"600\">{}</text>",
        xml(text)
    )
}

/// What all pieces of chess stand on.
const BASE: &str = "M25 79H75V88H25Z";

fn chess(kind: ChessKind, tint: Tint) -> String {
    let body = match kind {
        ChessKind::Pawn => {
            "M50 22A13 13 0 0 1 58 45L57 51Q59 67 69 76H31Q41 67 43 51L42 45A13 13 0 0 1 50 22Z"
        }
        ChessKind::Rook => "M28 20H38V28H46V20H54V28H62V20H72V38L64 44V68L71 76H29L36 68V44L28 38Z",
        ChessKind::Knight => {
            "M33 76Q33 60 47 51Q40 53 33 59L25 51Q28 38 39 29L41 17L50 23Q71 26 74 52Q75 65 71 76Z"
        }
        ChessKind::Bishop => {
            "M50 12A5 5 0 0 1 53 21Q68 37 61 53L57 58L60 76H40L43 58L39 53Q32 37 47 21A5 5 0 0 1 \
             50 12ZM50 30V46M42 38H58"
        }
        ChessKind::Queen => {
            "M24 28L36 50L39 20L50 46L61 20L64 50L76 28L67 76H33ZM24 28A4 4 0 1 1 24.1 28ZM76 \
             28A4 4 0 1 1 76.1 28Z"
        }
        ChessKind::King => {
            "M47 9H53V16H60V22H53V30H47V22H40V16H47ZM50 34Q70 24 76 43Q76 57 66 65L65 76H35L34 \
             65Q24 57 24 43Q30 24 50 34Z"
        }
    };
    let Tint { name, fill, line } = tint;
    let edge = if name == "white" { line } else { outline(tint) };
    let inner = if name == "white" { edge } else { line };
    // A line inside tells the body from the base where both are dark.
    format!(
        "<path class=\"piece fill-{name}\" d=\"{body}{BASE}\" fill=\"{fill}\" stroke=\"{edge}\" \
         stroke-width=\"3\" stroke-linejoin=\"round\"/>\
         <path d=\"M31 79H69\" stroke=\"{inner}\" stroke-width=\"2\" stroke-opacity=\"0.7\"/>"
    )
}
