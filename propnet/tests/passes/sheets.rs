//! Tiny sheets whose states are known, and all states that a small circuit can reach.

use std::collections::BTreeSet;

use propnet::circuit::{Circuit, CircuitGame, FluentKind, build};
use propnet::game::{Game, Move, State};
use propnet::gdl::Source;
use propnet::ground::{Limits, NoWatch, Options, ground};
use propnet::reference;

/// A lock with a long combination of four digits: `open` is true after the right digits, which
/// random play does not find.
pub(crate) const LOCK: &str = "
    (role r) (init (digits 0))
    (legal r (press 1)) (legal r (press 2)) (legal r (press 3)) (legal r (press 4))
    (code 0 1 3) (code 1 2 1) (code 2 3 4) (code 3 4 4) (code 4 5 1) (code 5 6 2) (code 6 7 3)
    (code 7 8 3) (code 8 9 1) (code 9 10 4) (code 10 11 2) (code 11 12 1) (code 12 13 2)
    (code 13 14 4) (code 14 15 3) (code 15 16 1)
    (<= (next (digits ?m)) (true (digits ?n)) (code ?n ?m ?d) (does r (press ?d)))
    (<= (right ?n) (code ?n ?m ?d) (does r (press ?d)))
    (<= (next (digits 0)) (true (digits ?n)) (not (right ?n)) (not (true open)))
    (<= (next open) (true (digits 16)))
    (<= (next open) (true open))
    (<= (goal r 100) (true open)) (<= (goal r 0) (not (true open)))
    (<= terminal (true closed))";

/// The circuit of a sheet as it is written: grounding finds out nothing about its fluents.
pub(crate) fn circuit(text: &str) -> Circuit {
    let sheet = reference::load(Source::from_text("s", text)).expect("a sheet");
    let options = Options { sharpen: false, ..Options::default() };
    let grounding = ground(&sheet, &options, Limits::default(), &mut NoWatch).expect("rules");
    build(&grounding.rules).expect("a circuit")
}

/// The number of the fluent with this text.
pub(crate) fn fluent(circuit: &Circuit, text: &str) -> u32 {
    let found = (0..circuit.fluents.len()).find(|&at| circuit.names.fluent_text(at) == text);
    found.expect("a fluent") as u32
}

/// How the fluent with this text is known.
pub(crate) fn kind(circuit: &Circuit, text: &str) -> FluentKind {
    circuit.fluents[fluent(circuit, text) as usize].kind
}

/// Whether a group has exactly these members, and if so whether always one of them is true.
pub(crate) fn group(circuit: &Circuit, members: &[&str]) -> Option<bool> {
    let mut members: Vec<u32> = members.iter().map(|text| fluent(circuit, text)).collect();
    members.sort_unstable();
    let found = circuit.groups.iter().find(|group| group.members == members);
    found.map(|group| group.exactly_one)
}

/// All states that can be reached, if they are not too many.
pub(crate) fn reachable(circuit: &Circuit, limit: usize) -> Option<Vec<State>> {
    let mut game = CircuitGame::new(circuit.clone());
    let first = game.initial_state().expect("a state");
    let key = |state: &State| state.iter().collect::<Vec<usize>>();
    let mut seen = BTreeSet::from([key(&first)]);
    let mut states = vec![first];
    let mut at = 0;
    while at < states.len() {
        let state = states[at].clone();
        for joint in joint_moves(&mut game, &state) {
            let next = game.next_state(&state, &joint).expect("a legal move");
            if seen.insert(key(&next)) {
                states.push(next);
            }
        }
        at += 1;
        if states.len() > limit {
            return None;
        }
    }
    Some(states)
}

/// What can be done in a state: nothing where the game is over or a role has no move.
fn joint_moves(game: &mut CircuitGame, state: &State) -> Vec<Vec<Move>> {
    let mut joint = vec![Vec::new()];
    if game.is_terminal(state) == Ok(true) {
        return Vec::new();
    }
    for role in 0..game.roles().len() {
        let Ok(legal) = game.legal_moves(state, role) else { return Vec::new() };
        let with = |moves: &Vec<Move>| {
            let one = |chosen| moves.iter().copied().chain([chosen]).collect();
            legal.iter().map(one).collect::<Vec<Vec<Move>>>()
        };
        joint = joint.iter().flat_map(with).collect();
    }
    joint
}

/// What a circuit claims about states and is not so in one of these.
pub(crate) fn wrong_claim(circuit: &Circuit, states: &[State]) -> Option<String> {
    for state in states {
        for group in &circuit.groups {
            let count = group.members.iter().filter(|&&at| state.contains(at as usize)).count();
            if count > 1 || group.exactly_one && count == 0 {
                return Some(format!("{count} of {:?} in {state:?}", group.members));
            }
        }
        for (at, port) in circuit.fluents.iter().enumerate() {
            let leader = circuit.fluents.iter().position(|other| {
                other.kind != FluentKind::Follows && other.now.node() == port.now.node()
            });
            let leader = leader.is_some_and(|leader| state.contains(leader));
            if state.contains(at) != (leader != port.now.is_complement()) {
                return Some(format!("fluent {at} in {state:?}"));
            }
        }
    }
    None
}
