//! Moves that are never legal together: found where they are, and true in play.

use propnet::circuit::optimize::Pass;
use propnet::circuit::{Circuit, CircuitGame, Exclusive};
use propnet::game::{Game, Move, State};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::after;
use super::play::circuit as of_field;
use super::sheets::{circuit, ours};

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
    (role, chosen.0 as usize)
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
        assert!(exclusive.alternating(&[0, 1]));
        let leaves = exclusive.shared_leaves(&[0, 1]);
        assert_eq!(leaves.iter().map(Vec::len).sum::<usize>(), 9);
        // Three cells to choose from, and one place for those who wait.
        assert_eq!(leaves.len(), 4, "{leaves:?}");
    }
}

#[test]
fn both_may_have_a_choice() {
    let sheet =
        MARKS.replace("(<= (legal x noop) (true (control o)))", "(legal x noop) (legal x pass)");
    let circuit = after(&circuit(&sheet), &[Pass::Groups]);
    let exclusive = Exclusive::new(&circuit);
    assert!(!exclusive.alternating(&[0, 1]));
    assert!(exclusive.alternating(&[1]) && exclusive.alternating(&[0]));
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

/// Plays the circuit as it was before any pass, and looks at which moves are legal together.
#[test]
fn claims_hold_in_play() {
    let mut alternating = 0;
    let sheets = ours().into_iter().chain(super::common::corpus());
    for (name, bytes) in sheets {
        let Some(plain) = of_field(&String::from_utf8_lossy(&bytes), 1_000) else { continue };
        let circuit = after(&plain, &[Pass::Groups, Pass::Equal]);
        let exclusive = Exclusive::new(&circuit);
        let roles: Vec<usize> = (0..circuit.moves.len()).collect();
        let leaves = exclusive.shared_leaves(&roles);
        let is_alternating = exclusive.alternating(&roles);
        alternating += is_alternating as u32;
        for (state, legal) in states(plain, 60) {
            let wrong = leaves.iter().find(|class| {
                let is_legal = |&&(role, at): &&(usize, usize)| legal[role].contains(&at);
                class.iter().filter(is_legal).count() > 1
            });
            assert_eq!(wrong, None, "{name}, {state:?}");
            let choosing = legal.iter().filter(|legal| legal.len() > 1).count();
            assert!(!is_alternating || choosing < 2, "{name}, {state:?}");
        }
    }
    assert!(alternating > 3, "only {alternating} games are alternating");
}

/// States of random play and what is legal in them, by role.
fn states(circuit: Circuit, count: usize) -> Vec<(State, Vec<Vec<usize>>)> {
    let mut rng = Pcg64Mcg::seed_from_u64(77);
    let mut game = CircuitGame::new(circuit);
    let first = game.initial_state().expect("a state");
    let mut states = Vec::new();
    let mut state = first.clone();
    while states.len() < count {
        let legal: Vec<Vec<usize>> = (0..game.roles().len())
            .map(|role| game.legal_moves(&state, role).map_or(vec![], |all| all.iter().collect()))
            .collect();
        let is_over = game.is_terminal(&state) == Ok(true) || legal.iter().any(Vec::is_empty);
        let mut one = |legal: &Vec<usize>| Move(legal[rng.random_range(0..legal.len())] as u32);
        let next = match is_over {
            true => first.clone(),
            false => {
                let joint: Vec<Move> = legal.iter().map(&mut one).collect();
                game.next_state(&state, &joint).expect("a legal move")
            }
        };
        states.push((std::mem::replace(&mut state, next), legal));
    }
    states
}
