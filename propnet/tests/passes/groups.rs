//! Groups of which never two are true: found where they are, and only there.

use propnet::circuit::optimize::Pass;

use super::in_play::after;
use super::random;
use super::sheets::{LOCK, circuit, group, reachable, wrong_claim};

/// A wheel that turns: never two are true since never two were.
const WHEEL: &str = "
    (role r) (init (at 1)) (legal r wait) (legal r turn)
    (succ 1 2) (succ 2 3) (succ 3 1)
    (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (does r turn))
    (<= (next (at ?x)) (true (at ?x)) (does r wait))
    (<= (goal r 100) (true (at 3))) (<= (goal r 0) (not (true (at 3)))) (<= terminal (true (at 9)))";

#[test]
fn one_is_true_since_one_was() {
    let circuit = after(&circuit(WHEEL), &[Pass::Groups]);
    assert_eq!(group(&circuit, &["(at 1)", "(at 2)", "(at 3)"]), Some(true));
}

/// With two at the start the same rules keep two apart from nothing.
#[test]
fn the_first_state_counts() {
    let two = WHEEL.replace("(init (at 1))", "(init (at 1)) (init (at 2))");
    let circuit = after(&circuit(&two), &[Pass::Groups]);
    assert_eq!(circuit.groups, []);
}

/// A token may be taken only by who has none, so nobody has two.
#[test]
fn what_is_legal_counts() {
    let sheet = "
        (role r) (legal r drop) (kind a) (kind b) (kind c)
        (<= some (true (has ?k)))
        (<= (legal r (take ?k)) (kind ?k) (not some))
        (<= (next (has ?k)) (does r (take ?k)))
        (<= (next (has ?k)) (true (has ?k)) (not (does r drop)))
        (<= (goal r 100) (true (has a))) (<= (goal r 0) (not (true (has a))))
        (<= terminal (true (has d)))";
    let members = ["(has a)", "(has b)", "(has c)"];
    let legal = after(&circuit(sheet), &[Pass::Groups]);
    assert_eq!(group(&legal, &members), Some(false));
    let free = after(&circuit(&sheet.replace("(not some)", "")), &[Pass::Groups]);
    assert_eq!(free.groups, []);
}

/// A game that is over does not go on: the last step has no next.
#[test]
fn the_end_counts() {
    let sheet = "
        (role r) (init (step 1)) (legal r wait) (succ 1 2) (succ 2 3) (succ 3 4)
        (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
        (goal r 50) (<= terminal (true (step 4)))";
    let circuit_to_the_end = after(&circuit(sheet), &[Pass::Groups]);
    let steps = ["(step 1)", "(step 2)", "(step 3)", "(step 4)"];
    assert_eq!(group(&circuit_to_the_end, &steps), Some(true));
    let endless = sheet.replace("(<= terminal (true (step 4)))", "(<= terminal (true (step 9)))");
    let circuit = after(&circuit(&endless), &[Pass::Groups]);
    assert_eq!(group(&circuit, &steps), Some(false));
}

/// Neither pair can be proven without the other.
#[test]
fn groups_may_rest_on_each_other() {
    let sheet = "
        (role r) (init (left 1)) (init (right 1)) (legal r stay) (legal r swap)
        (succ 1 2) (succ 2 1)
        (<= (next (left ?x)) (true (right ?x)) (does r stay))
        (<= (next (left ?y)) (true (right ?x)) (succ ?x ?y) (does r swap))
        (<= (next (right ?x)) (true (left ?x)))
        (goal r 50) (<= terminal (true (left 3)))";
    let circuit = after(&circuit(sheet), &[Pass::Groups]);
    assert_eq!(group(&circuit, &["(left 1)", "(left 2)"]), Some(true));
    assert_eq!(group(&circuit, &["(right 1)", "(right 2)"]), Some(true));
}

/// What random play never meets is not therefore impossible.
#[test]
fn what_is_rare_is_not_never() {
    let sheet = format!(
        "{LOCK} (init (lamp red)) (<= (next (lamp red)) (true (lamp red)))
         (<= (next (lamp green)) (true open))"
    );
    let circuit = after(&circuit(&sheet), &[Pass::Groups]);
    assert_eq!(group(&circuit, &["(lamp green)", "(lamp red)"]), None);
    let states = reachable(&circuit, 1_000).expect("few states");
    assert_eq!(wrong_claim(&circuit, &states), None);
    assert!(states.iter().any(|state| state.len() == 3), "the lock can be opened");
}

/// Fluents with nothing in common but that one of them is always true.
#[test]
fn names_need_not_be_alike() {
    let sheet = "
        (role r) (init morning) (legal r wait) (legal r sleep)
        (<= (next noon) (true morning)) (<= (next (night 1)) (true noon))
        (<= (next (night 1)) (true (night 1)) (does r sleep))
        (<= (next morning) (true (night 1)) (does r wait))
        (goal r 50) (<= terminal (true (night 2)))";
    let circuit = after(&circuit(sheet), &[Pass::Groups]);
    assert_eq!(group(&circuit, &["(night 1)", "morning", "noon"]), Some(true));
}

/// On random circuits all states are looked at.
#[test]
fn groups_hold_in_all_states_of_random_circuits() {
    let mut found = 0;
    for seed in 0..1_000 {
        let mut circuit = random::circuit(seed);
        circuit.groups.clear();
        let circuit = after(&circuit, &[Pass::Groups]);
        found += circuit.groups.len();
        let states = reachable(&circuit, 1_000).expect("few fluents");
        assert_eq!(wrong_claim(&circuit, &states), None, "circuit {seed}");
    }
    assert!(found > 50, "only {found} groups");
}
