//! Chess from positions where its special rules meet, counted.
//!
//! Few sequences from the start see castling, en passant or a promotion. These positions are the
//! ones that writers of chess programs compare, and so are their counts.

use ludens::perft::{Counter, Perft};
use ludens::start::{make_state, read_state};
use propnet::gdl::Source;
use rayon::prelude::*;

use super::sheet::sheets;

/// A position in the usual notation, what is special about it, and its move sequences by length.
const POSITIONS: &[(&str, &str, &[u128])] = &[
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
        "both castle on both sides, many pins",
        &[48, 2039],
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", "pins along rows, en passant", &[14, 191, 2812]),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -",
        "a check, then promotions that take a rook",
        &[6, 264, 9467],
    ),
    (
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -",
        "a promotion that takes, castling",
        &[44, 1486],
    ),
    ("3k4/3p4/8/K1P4r/8/8/8/8 b - -", "en passant that opens the row", &[18, 92, 1670]),
    ("8/8/4k3/8/2p5/8/B2P2K1/8 w - -", "en passant by a pinned pawn", &[13, 102, 1266]),
    ("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3", "en passant that gives check", &[15, 126, 1928]),
    ("5k2/8/8/8/8/8/8/4K2R w K -", "castling that gives check", &[15, 66, 1198]),
    ("3k4/8/8/8/8/8/8/R3K3 w Q -", "the same on the other side", &[16, 71, 1286]),
    ("4k3/1P6/8/8/8/8/K7/8 w - -", "a promotion that gives check", &[9, 40, 472, 2661]),
    ("8/P1k5/K7/8/8/8/8/8 w - -", "promotion to each piece", &[6, 27, 273, 1329]),
];

#[test]
fn positions_of_chess_are_counted_as_by_others() {
    let Some(sheet) = sheets().iter().find(|sheet| sheet.name == "chess") else { return };
    let complaints: Vec<String> = POSITIONS
        .par_iter()
        .with_max_len(1)
        .filter_map(|(position, title, expected)| {
            let found = count(&mut sheet.game(), position, expected.len());
            (found != *expected).then(|| format!("{position}, {title}: {found:?}"))
        })
        .collect();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

fn count(game: &mut dyn propnet::game::Game, position: &str, depth: usize) -> Vec<u128> {
    let given = read_state(&Source::from_text("state", &sentences(position))).expect("sentences");
    let start = make_state(game, &given).expect("a state of chess");
    let (mut perft, _) = Perft::new(game, start, 0).expect("the start");
    let levels = (0..depth).map(|_| perft.next_level().expect("a level").expect("moves"));
    levels.map(|level| level.paths).collect()
}

/// The state of a position: the board by rows from above, who is in control, who may castle, and
/// the cell behind a pawn that may be taken en passant.
fn sentences(position: &str) -> String {
    let fields: Vec<&str> = position.split_whitespace().collect();
    let mut sentences = vec!["(step 0)".to_string()];
    for (row, text) in (1..=8).rev().zip(fields[0].split('/')) {
        let mut column = 1;
        for letter in text.chars() {
            match letter.to_digit(10) {
                Some(empty) => column += empty,
                None => {
                    sentences.push(format!("(cell {column} {row} {})", piece(letter)));
                    column += 1;
                }
            }
        }
    }
    let player = if fields[1] == "w" { "white" } else { "black" };
    sentences.push(format!("(control {player})"));
    for letter in fields[2].chars().filter(|&letter| letter != '-') {
        let side = if letter.eq_ignore_ascii_case(&'k') { "king_side" } else { "queen_side" };
        sentences.push(format!("(castling {} {side})", owner(letter)));
    }
    if let Some(column) = fields[3].chars().next().filter(|&letter| letter != '-') {
        sentences.push(format!("(en_passant {})", column as u32 - 'a' as u32 + 1));
    }
    sentences.join(" ")
}

fn owner(letter: char) -> &'static str {
    if letter.is_ascii_uppercase() { "white" } else { "black" }
}

fn piece(letter: char) -> String {
    let kind = match letter.to_ascii_lowercase() {
        'k' => "king",
        'q' => "queen",
        'r' => "rook",
        'b' => "bishop",
        'n' => "knight",
        _ => "pawn",
    };
    format!("{}_{kind}", owner(letter))
}
