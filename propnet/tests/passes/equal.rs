//! Fluents that follow from others: found where they are, and only there.

use propnet::circuit::FluentKind;
use propnet::circuit::optimize::Pass;

use super::in_play::after;
use super::random;
use super::sheets::{LOCK, circuit, fluent, kind, reachable, wrong_claim};
use super::support::same_in_play;

#[test]
fn fluents_that_never_change() {
    let sheet = "
        (role r) (init on) (init p) (legal r a) (legal r b)
        (<= (next on) (true on) (not (true off))) (<= (next off) (not (true on)))
        (<= (next p) (does r a))
        (goal r 50) (<= terminal (true off))";
    let circuit = after(&circuit(sheet), &[Pass::Equal]);
    assert_eq!(kind(&circuit, "on"), FluentKind::Follows);
    assert_eq!(kind(&circuit, "off"), FluentKind::Follows);
    assert_eq!(kind(&circuit, "p"), FluentKind::Carried);
    assert_eq!(circuit.terminal, propnet::circuit::Signal::FALSE);
}

/// `p`, `q` and `s` are set together, `n` is their opposite; each needs the others to be proven.
#[test]
fn fluents_that_go_with_others() {
    let sheet = "
        (role r) (init n) (legal r a) (legal r b)
        (<= (next p) (does r a) (true q)) (<= (next p) (does r b) (true n))
        (<= (next q) (does r a) (true s)) (<= (next q) (does r b) (not (true p)))
        (<= (next s) (does r a) (not (true n))) (<= (next s) (does r b) (not (true s)))
        (<= (next n) (does r a) (not (true p))) (<= (next n) (does r b) (true q))
        (goal r 50) (<= terminal (true t))";
    let circuit = after(&circuit(sheet), &[Pass::Equal]);
    let carried = circuit.fluents.iter().filter(|port| port.kind == FluentKind::Carried);
    assert_eq!(carried.count(), 1);
    let now = |text| circuit.fluents[fluent(&circuit, text) as usize].now;
    assert_eq!([now("q"), now("s"), now("n")], [now("p"), now("p"), !now("p")]);
}

/// Equal only because the second is set where the first is legal to set.
#[test]
fn what_is_legal_counts() {
    let sheet = "
        (role r) (legal r wait) (<= (legal r light) (not (true (lit 1))))
        (<= (next (lit 1)) (does r light)) (<= (next (lit 1)) (true (lit 1)))
        (<= (next (lit 2)) (does r light) (not (true (lit 2)))) (<= (next (lit 2)) (true (lit 1)))
        (goal r 50) (<= terminal (true (lit 3)))";
    let legal = after(&circuit(sheet), &[Pass::Equal]);
    assert_eq!(kind(&legal, "(lit 2)"), FluentKind::Follows);
    assert_eq!(kind(&legal, "(lit 1)"), FluentKind::Carried);
}

/// Never seen in random play, and yet not constant, and not the same as another.
#[test]
fn what_is_rare_is_not_never() {
    let plain = circuit(LOCK);
    let circuit = after(&plain, &[Pass::Equal]);
    assert_eq!(kind(&circuit, "open"), FluentKind::Carried);
    assert_eq!(kind(&circuit, "(digits 16)"), FluentKind::Carried);
    let states = reachable(&plain, 1_000).expect("few states");
    assert!(states.len() > 17, "the lock can be opened");
    assert_eq!(wrong_claim(&circuit, &states), None);
}

/// Groups lose the fluents that follow, and are still true.
#[test]
fn groups_keep_to_what_is_carried() {
    let sheet = "
        (role r) (init (at 1)) (init (control w)) (legal r wait) (legal r turn)
        (succ 1 2) (succ 2 3) (succ 3 1)
        (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (does r turn))
        (<= (next (at ?x)) (true (at ?x)) (does r wait))
        (<= (next (control w)) (true (control b))) (<= (next (control b)) (true (control w)))
        (goal r 50) (<= terminal (true (at 9)))";
    let plain = circuit(sheet);
    let circuit = after(&plain, &[Pass::Groups, Pass::Equal]);
    let at = |text| fluent(&circuit, text);
    assert_eq!(circuit.groups.len(), 1);
    assert_eq!(circuit.groups[0].members, [at("(at 1)"), at("(at 2)"), at("(at 3)")]);
    assert!(circuit.groups[0].exactly_one);
    assert_eq!(same_in_play(&plain, &circuit, 5, 40), Ok(()));
}

/// On random circuits all states are looked at.
#[test]
fn fluents_follow_in_all_states_of_random_circuits() {
    let mut found = 0;
    for seed in 0..1_000 {
        let mut plain = random::circuit(seed);
        plain.groups.clear();
        for passes in [&[Pass::Equal][..], &[Pass::Groups, Pass::Equal]] {
            let circuit = after(&plain, passes);
            let follows = |port: &&propnet::circuit::FluentPort| port.kind == FluentKind::Follows;
            found += circuit.fluents.iter().filter(follows).count();
            found -= plain.fluents.iter().filter(follows).count();
            let states = reachable(&plain, 1_000).expect("few fluents");
            assert_eq!(wrong_claim(&circuit, &states), None, "circuit {seed}");
            assert_eq!(same_in_play(&plain, &circuit, seed, 20), Ok(()), "circuit {seed}");
        }
    }
    assert!(found > 500, "only {found} fluents follow");
}
