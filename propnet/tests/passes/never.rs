//! Moves that are never legal: dropped where that is so, and only there.

use propnet::circuit::optimize::Pass;
use propnet::circuit::{Circuit, Signal};
use propnet::game::{Game, Move};

use super::in_play::after;
use super::random;
use super::sheets::{LOCK, circuit, reachable};
use super::support::same_in_play;

/// The moves of a role that may be legal.
fn possible(circuit: &Circuit, role: usize) -> Vec<String> {
    let moves = circuit.moves[role].iter().enumerate();
    let possible = moves.filter(|(_, port)| port.legal != Signal::FALSE);
    let text = |at| circuit.names.text_of_move(role, at);
    possible.map(|(at, _)| text(at)).collect()
}

/// What needs two of a group at once is never legal.
#[test]
fn groups_forbid_moves() {
    let sheet = "
        (role r) (init (at 1)) (legal r wait) (legal r turn) (succ 1 2) (succ 2 3) (succ 3 1)
        (<= (legal r leap) (true (at 1)) (true (at 2)))
        (<= (legal r rest) (not (true (at 1))) (not (true (at 2))) (not (true (at 3))))
        (<= (legal r jump) (true (at 1)) (not (true (at 2))))
        (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (does r turn))
        (<= (next (at ?x)) (true (at ?x)) (not (does r turn)))
        (<= (next high) (does r leap)) (<= (next high) (does r jump))
        (goal r 50) (<= terminal (true high))";
    let plain = circuit(sheet);
    assert_eq!(possible(&after(&plain, &[Pass::Never]), 0).len(), 5, "nothing is known yet");
    let circuit = after(&plain, &[Pass::Groups, Pass::Never]);
    assert_eq!(possible(&circuit, 0), ["wait", "turn", "jump"]);
    let does = circuit.moves[0].iter().filter(|port| port.does == Signal::FALSE);
    assert_eq!(does.count(), 2);
    assert_eq!(same_in_play(&plain, &circuit, 3, 40), Ok(()));
}

#[test]
fn what_is_rare_is_not_never() {
    let sheet = format!("{LOCK} (<= (legal r leave) (true open))");
    let circuit = after(&circuit(&sheet), &[Pass::Groups, Pass::Equal, Pass::Never]);
    assert!(possible(&circuit, 0).contains(&"leave".to_string()));
}

/// On random circuits all states are looked at.
#[test]
fn moves_of_random_circuits_are_dropped_rightly() {
    let mut found = 0;
    for seed in 0..1_000 {
        let mut plain = random::circuit(seed);
        plain.groups.clear();
        let circuit = after(&plain, &[Pass::Groups, Pass::Never]);
        let mut game = propnet::circuit::CircuitGame::new(plain.clone());
        for state in reachable(&plain, 1_000).expect("few fluents") {
            for (role, ports) in circuit.moves.iter().enumerate() {
                let Ok(legal) = game.legal_moves(&state, role) else { continue };
                let is_dropped = |chosen: &Move| ports[chosen.index()].legal == Signal::FALSE;
                assert_eq!(legal.iter().find(is_dropped), None, "circuit {seed}");
            }
        }
        let all = |circuit: &Circuit| {
            let ports = circuit.moves.iter().flatten();
            ports.filter(|port| port.legal != Signal::FALSE).count()
        };
        found += all(&plain) - all(&circuit);
        assert_eq!(same_in_play(&plain, &circuit, seed, 20), Ok(()), "circuit {seed}");
    }
    assert!(found > 10, "only {found} moves were dropped");
}
