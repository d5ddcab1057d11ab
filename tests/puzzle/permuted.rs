//! Puzzles that only some methods solve: a cube from subgroup to subgroup, a grid by its constraints.

use std::fmt::Write;

use super::proofs::solved;

fn game(name: &str) -> String {
    let path = format!("{}/games/{name}.kif", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("a sheet")
}

#[test]
fn a_scrambled_cube_is_solved_from_subgroup_to_subgroup() {
    let report = solved(&game("rubiks_cube"), &["subgroups"]);
    assert_eq!((report.score, report.found_by), (Some(100), Some("subgroups")));
    // The line was replayed by the rules; the stages of a cube take 35 turns at most together.
    assert!(report.moves.len() <= 35, "{} moves", report.moves.len());
}

#[test]
fn a_cube_that_cannot_be_solved_has_no_line() {
    // One edge flipped in its place: no turns do that.
    let [flipped, back] = ["(init (sticker uf d))", "(init (sticker fu l))"];
    let sheet = game("rubiks_cube").replace(flipped, "(init (sticker uf l))");
    let report = solved(&sheet.replace(back, "(init (sticker fu d))"), &["subgroups"]);
    assert_eq!((report.score, report.is_proven), (None, false));
}

/// Two rings of four beads that share two of them; bead 0 to 5 belongs at place 0 to 5. Each bead has
/// two sides, and is turned over on its way between the first two places of the left ring.
fn rings(turns: &[&str]) -> String {
    let mut text = String::from("(role solver) (init (step 0))\n");
    for number in 0..40 {
        let _ = writeln!(text, "(succ {number} {})", number + 1);
    }
    let rings = [("left", [0, 1, 2, 3]), ("right", [2, 3, 4, 5])];
    for (ring, places) in rings {
        for at in 0..4 {
            let _ = writeln!(text, "(after {ring} {} {})", places[at], places[(at + 1) % 4]);
            let _ = writeln!(text, "(on {ring} {})", places[at]);
        }
    }
    let (mut places, mut sides) = ([0, 1, 2, 3, 4, 5], [0; 6]);
    for turn in turns {
        for (place, side) in places.iter_mut().zip(&mut sides) {
            let ring = rings[usize::from(*turn == "right")].1;
            if let Some(at) = ring.iter().position(|other| other == place) {
                *side ^= usize::from(*turn == "left" && *place == 0);
                *place = ring[(at + 1) % 4];
            }
        }
    }
    for bead in 0..6 {
        let _ = writeln!(
            text,
            "(init (at {bead} {})) (init (side {bead} {}))",
            places[bead], sides[bead]
        );
        let _ = writeln!(text, "(bead {bead}) (place {bead})");
    }
    text.push_str(
        "(ring left) (ring right) (flip 0 1) (flip 1 0)
        (<= (legal solver (turn ?r ?k)) (ring ?r) (way ?k)) (way ahead) (way back)
        (<= (moves ?r ahead ?p ?q) (after ?r ?p ?q)) (<= (moves ?r back ?q ?p) (after ?r ?p ?q))
        (<= (next (at ?b ?q)) (does solver (turn ?r ?k)) (true (at ?b ?p)) (moves ?r ?k ?p ?q))
        (<= (next (at ?b ?p)) (does solver (turn ?r ?k)) (true (at ?b ?p)) (not (on ?r ?p)))
        (over left ahead 0) (over left back 1)
        (<= (next (side ?b ?t)) (does solver (turn ?r ?k)) (true (at ?b ?p)) (over ?r ?k ?p)
            (true (side ?b ?s)) (flip ?s ?t))
        (<= (next (side ?b ?s)) (does solver (turn ?r ?k)) (true (at ?b ?p)) (not (over ?r ?k ?p))
            (true (side ?b ?s)))
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
        (<= wrong (bead ?b) (not (true (at ?b ?b)))) (<= wrong (true (side ?b 1)))
        (<= terminal (not wrong)) (<= terminal (true (step 40)))
        (<= (goal solver 100) (not wrong)) (<= (goal solver 0) wrong)\n",
    );
    text
}

#[test]
fn things_that_are_turned_over_by_place_are_solved_too() {
    let scramble = ["left", "right", "right", "left", "right", "left", "left", "right", "left"];
    let report = solved(&rings(&scramble), &["subgroups"]);
    assert_eq!((report.score, report.found_by), (Some(100), Some("subgroups")));
}

/// A Latin square of order `size` whose first row and column are given; a digit may be put where none
/// is the same in its row and column, and giving up is legal.
fn latin(size: usize) -> String {
    let mut text = String::from("(role solver) (legal solver quit)\n");
    for one in 0..size {
        let _ = writeln!(text, "(digit {one})");
        for other in 0..size {
            let given = if one == 0 || other == 0 { (one + other).to_string() } else { "b".into() };
            let _ = writeln!(text, "(init (cell {one} {other} {given}))");
        }
    }
    text.push_str(
        "(<= (legal solver (put ?x ?y ?d)) (true (cell ?x ?y b)) (digit ?d)
            (not (row ?x ?d)) (not (column ?y ?d)))
        (<= (row ?x ?d) (true (cell ?x ?y ?d))) (<= (column ?y ?d) (true (cell ?x ?y ?d)))
        (<= (next (cell ?x ?y ?d)) (does solver (put ?x ?y ?d)))
        (<= (next (cell ?x ?y ?d)) (true (cell ?x ?y ?d)) (digit ?d))
        (<= (next (cell ?x ?y b)) (true (cell ?x ?y b)) (not (filled ?x ?y)))
        (<= (filled ?x ?y) (does solver (put ?x ?y ?d)))
        (<= (next over) (does solver quit))
        (<= blank (true (cell ?x ?y b)))
        (<= terminal (true over)) (<= terminal (not blank))
        (<= (goal solver 0) blank) (<= (goal solver 100) (not blank))\n",
    );
    text
}

#[test]
fn a_grid_is_filled_by_the_cell_with_the_fewest_digits() {
    let report = solved(&latin(7), &["constraints"]);
    assert_eq!((report.score, report.moves.len()), (Some(100), 36));
    assert_eq!(report.found_by, Some("constraints"));
}
