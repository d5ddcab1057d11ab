//! Small puzzles in any size, as rule sheets.

use std::fmt::Write;

/// `(succ 0 1)` up to this number.
fn numbers(last: usize) -> String {
    let mut text = String::new();
    for number in 0..last {
        let _ = writeln!(text, "(succ {number} {})", number + 1);
    }
    text.push_str("(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))\n(init (step 0))\n");
    text
}

/// A sliding puzzle of two rows; `tiles` are those of the start, 0 for the blank. It is solved when
/// the tiles are in order and the blank is last, and over after `limit` moves at the latest.
pub(crate) fn sliding(columns: usize, tiles: &[usize], limit: usize) -> String {
    let cell = |at: usize| (at % columns, at / columns);
    let mut text = format!("(role solver)\n{}", numbers(limit));
    for at in 0..tiles.len() {
        let (column, row) = cell(at);
        let goal = if at + 1 == tiles.len() { 0 } else { at + 1 };
        let _ = writeln!(text, "(init (at {at} {})) (target {at} {goal})", tiles[at]);
        for other in 0..tiles.len() {
            let (column2, row2) = cell(other);
            if column.abs_diff(column2) + row.abs_diff(row2) == 1 {
                let _ = writeln!(text, "(beside {at} {other})");
            }
        }
    }
    text.push_str(
        "(<= (legal solver (slide ?c)) (beside ?c ?b) (true (at ?b 0)))
         (<= (next (at ?c 0)) (does solver (slide ?c)))
         (<= (next (at ?b ?t)) (does solver (slide ?c)) (true (at ?c ?t)) (true (at ?b 0)))
         (<= (next (at ?d ?t)) (true (at ?d ?t)) (does solver (slide ?c)) (distinct ?c ?d)
             (distinct ?t 0))
         (<= wrong (target ?c ?t) (not (true (at ?c ?t))))
         (<= terminal (not wrong))
         (<= (goal solver 100) (not wrong))
         (<= (goal solver 5) wrong)\n",
    );
    let _ = writeln!(text, "(<= terminal (true (step {limit})))");
    text
}

/// Towers of Hanoi: ten points for each disk on the third peg after `limit` moves, if all larger
/// ones are there.
pub(crate) fn hanoi(disks: usize, limit: usize) -> String {
    let mut text = format!("(role player) (peg 1) (peg 2) (peg 3)\n{}", numbers(limit));
    for disk in 1..=disks {
        let _ = writeln!(text, "(init (on {disk} 1))");
        for larger in disk + 1..=disks {
            let _ = writeln!(text, "(smaller {disk} {larger})");
        }
        let home =
            (disk..=disks).fold(String::new(), |text, at| text + &format!(" (true (on {at} 3))"));
        let value = 10 * (disks + 1 - disk);
        let _ = match disk {
            1 => writeln!(text, "(<= (goal player {value}){home})"),
            _ => {
                writeln!(text, "(<= (goal player {value}){home} (not (true (on {} 3))))", disk - 1)
            }
        };
    }
    let _ = writeln!(
        text,
        "(<= (goal player 0) (not (true (on {disks} 3))))
         (<= terminal (true (step {limit})))
         (<= (closed ?e ?p) (smaller ?d ?e) (true (on ?d ?p)))
         (<= (legal player (move ?d ?q)) (true (on ?d ?p)) (peg ?q) (distinct ?p ?q)
             (not (closed ?d ?p)) (not (closed ?d ?q)))
         (<= (moved ?d) (does player (move ?d ?p)))
         (<= (next (on ?d ?p)) (does player (move ?d ?p)))
         (<= (next (on ?d ?p)) (true (on ?d ?p)) (not (moved ?d)))"
    );
    text
}

/// Lights out on three by three lamps, of which these are lit.
pub(crate) fn lights(lit: &[usize], limit: usize) -> String {
    let mut text = format!("(role player)\n{}", numbers(limit));
    for lamp in 0..9_usize {
        let _ = writeln!(text, "(lamp {lamp})");
        for other in 0..9_usize {
            if (lamp % 3).abs_diff(other % 3) + (lamp / 3).abs_diff(other / 3) <= 1 {
                let _ = writeln!(text, "(wired {lamp} {other})");
            }
        }
    }
    lit.iter().for_each(|lamp| text.push_str(&format!("(init (lit {lamp}))\n")));
    let _ = writeln!(
        text,
        "(<= (legal player (press ?l)) (lamp ?l))
         (<= (switched ?o) (does player (press ?l)) (wired ?l ?o))
         (<= (next (lit ?l)) (true (lit ?l)) (not (switched ?l)))
         (<= (next (lit ?l)) (switched ?l) (not (true (lit ?l))))
         (<= some (true (lit ?l)))
         (<= terminal (not some))
         (<= terminal (true (step {limit})))
         (<= (goal player 100) (not some))
         (<= (goal player 0) some)"
    );
    text
}

/// Several boards of lights out side by side, all lamps lit; a move presses one lamp of one board.
pub(crate) fn boards(count: usize, limit: usize) -> String {
    let mut text = lights(&[], limit);
    for (from, to) in [
        ("(press ?l)", "(press ?b ?l)"),
        ("(switched ?o)", "(switched ?b ?o)"),
        ("(switched ?l)", "(switched ?b ?l)"),
        ("(lit ?l)", "(lit ?b ?l)"),
        ("(lamp ?l))\n", "(lamp ?l) (board ?b))\n"),
    ] {
        text = text.replace(from, to);
    }
    for board in 0..count {
        let _ = writeln!(text, "(board {board})");
        (0..9).for_each(|lamp| text.push_str(&format!("(init (lit {board} {lamp}))\n")));
    }
    text
}
