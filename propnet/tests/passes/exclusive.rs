//! Moves that are never legal together: found where they are, and true in play.

use propnet::circuit::optimize::Pass;
use propnet::circuit::{Circuit, Exclusive};

use super::in_play::{after, check_claims};
use super::sheets::circuit;
use crate::common::ours;

/// Two players mark three cells in turn.
const MARKS: &str = "
    (role x) (role o) (init (control x)) (init (cell 1 b)) (init (cell 2 b)) (init (cell 3 b))
    (<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))
    (<= (legal ?r (mark ?c)) (true (control ?r)) (true (cell ?c b)))
    (<= (legal x noop) (true (control o))) (<= (legal o noop) (true (control x)))
    (<= (legal x rest) (true (cell 1 x)) (true (control x)))
    (<= (next (cell ?c ?r)) (does ?r (mark ?c)))
    (<= (next (cell ?c ?r)) (true (cell ?c ?r)) (distinct ?r b))
    (<= (marked ?c) (does ?r (mark ?c)))
    (<= (next (cell ?c b)) (true (cell ?c b)) (not (marked ?c)))
    (<= open (true (cell ?c b))) (goal x 50) (goal o 50) (<= terminal (not open))";

fn number(circuit: &Circuit, role: usize, text: &str) -> (usize, usize) {
    let chosen = circuit.names.move_of(role, text).expect("a move");
    (role, chosen.index())
}

#[test]
fn turns_and_cells_keep_moves_apart() {
    for passes in [&[Pass::Groups][..], &[Pass::Groups, Pass::Equal]] {
        let circuit = after(&circuit(MARKS), passes);
        let exclusive = Exclusive::new(&circuit);
        let at = |role, text| number(&circuit, role, text);
        let apart = |one, other| exclusive.never_together(one, other);
        assert!(apart(at(0, "(mark 1)"), at(1, "(mark 1)")), "it is the turn of one of them");
        assert!(apart(at(0, "(mark 1)"), at(0, "noop")), "the same role in other turns");
        assert!(apart(at(0, "(mark 1)"), at(0, "rest")), "the cell is marked or not");
        assert!(!apart(at(0, "(mark 1)"), at(0, "(mark 2)")));
        assert!(!apart(at(0, "noop"), at(1, "(mark 2)")));
        let leaves = exclusive.shared_leaves(&[0, 1]);
        assert_eq!(leaves.iter().map(Vec::len).sum::<usize>(), 9);
        // Three cells to choose from, and one place for those who wait.
        assert_eq!(leaves.len(), 4, "{leaves:?}");
    }
}

/// A move that is never legal is apart from all, and in no class.
#[test]
fn moves_that_are_never_legal() {
    let sheet = MARKS.replace(
        "(<= (legal x rest) (true (cell 1 x))",
        "(<= (legal x rest) (true (cell 1 x)) (true (cell 1 o))",
    );
    let circuit = after(&circuit(&sheet), &[Pass::Groups]);
    let exclusive = Exclusive::new(&circuit);
    let at = |role, text| number(&circuit, role, text);
    assert!(exclusive.never_together(at(0, "rest"), at(0, "(mark 2)")));
    assert_eq!(exclusive.shared_leaves(&[0]).concat().len(), 4);
}

/// What is claimed of our sheets is true in play.
#[test]
fn claims_hold_in_play() {
    check_claims(ours());
}
