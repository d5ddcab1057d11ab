//! Roles that take turns.
//!
//! Mostly a group of fluents says whose turn it is, and every move needs one of them. Then the
//! moves of several roles depend on each other: a role whose turn it is not has only one move, which
//! says no more than that fluent, and of all the others exactly one is made.

use super::super::budget::WorkBudget;
use super::super::circuit::{Circuit, Group, MovePort};
use super::super::network::Signal;
use super::implied::Implied;

/// Looking for a fluent among what a move needs, in units of the budget.
const COMPARISON: u64 = 20;

/// What a group of fluents says about the moves of the roles that need its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    /// Moves of several roles of which exactly one is made.
    pub(super) moves: Vec<Signal>,
    /// Moves that are made if and only if a fluent is true, with that fluent.
    pub(super) forced: Vec<(Signal, Signal)>,
}

/// What is known about turns. Nothing more where the work is stopped.
pub(super) fn turns(circuit: &Circuit, implied: &Implied, budget: &WorkBudget<'_>) -> Vec<Turn> {
    let moves: usize = circuit.moves.iter().map(Vec::len).sum();
    let goes_on =
        |group: &&Group| budget.goes_on((moves * group.members.len()) as u64 * COMPARISON);
    let groups = circuit.groups.iter().take_while(goes_on);
    groups.filter_map(|group| turn(circuit, implied, group)).collect()
}

/// One member of the group is true, since every role makes a move and needs one for that. So each
/// role makes one of the moves that need that member; taking one role for each member gives moves
/// of which exactly one is made.
fn turn(circuit: &Circuit, implied: &Implied, group: &Group) -> Option<Turn> {
    let fluents: Vec<Signal> =
        group.members.iter().map(|&fluent| circuit.fluents[fluent as usize].now).collect();
    let roles: Vec<Vec<Vec<Signal>>> =
        circuit.moves.iter().filter_map(|ports| by_fluent(ports, implied, &fluents)).collect();
    let mut turn = Turn { moves: Vec::new(), forced: Vec::new() };
    for (at, &fluent) in fluents.iter().enumerate() {
        let forced = roles.iter().filter_map(|moves| match moves[at][..] {
            [only] => Some((only, fluent)),
            _ => None,
        });
        turn.forced.extend(forced);
        // Of equals the first.
        let most = roles.iter().rev().max_by_key(|moves| moves[at].len());
        turn.moves.extend(most.into_iter().flat_map(|moves| &moves[at]));
    }
    (!roles.is_empty()).then_some(turn)
}

/// The moves of a role by the fluent they need, if each of them needs one.
fn by_fluent(
    ports: &[MovePort],
    implied: &Implied,
    fluents: &[Signal],
) -> Option<Vec<Vec<Signal>>> {
    let mut moves = vec![Vec::new(); fluents.len()];
    let possible = |port: &&MovePort| port.does != Signal::FALSE && port.legal != Signal::FALSE;
    for port in ports.iter().filter(possible) {
        let needed = implied.by(port.does);
        let at = fluents.iter().position(|fluent| needed.binary_search(fluent).is_ok())?;
        moves[at].push(port.does);
    }
    Some(moves)
}
