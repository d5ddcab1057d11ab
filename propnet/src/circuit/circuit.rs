//! A game as a network with named ports.

use std::sync::Arc;

use super::labels::Label;
use super::network::{Network, Signal};
use crate::game::{GoalDegrees, State};
use crate::names::Names;
use crate::terms::TermId;

/// A game as a circuit: what is true and what is done come in; what is legal, next, a goal or the
/// end goes out.
///
/// The inputs are taken to be what play can bring: a state that can be reached from the first one,
/// and one legal move of each role. What the circuit says about other inputs means nothing.
#[derive(Clone, Debug)]
pub struct Circuit {
    /// The gates.
    pub network: Network,
    /// What fluents and moves are called, by their index.
    pub names: Arc<Names>,
    /// State sentences, those that the network does not carry included.
    pub fluents: Vec<FluentPort>,
    /// The moves of each role.
    pub moves: Vec<Vec<MovePort>>,
    /// The goal values of each role.
    pub goals: Vec<Vec<GoalPort>>,
    /// Whether the game is over.
    pub terminal: Signal,
    /// Blocks that are repeated until nothing changes, dependencies first.
    pub loops: Vec<Loop>,
    /// How the loops of the ground rules were resolved.
    pub resolved: Vec<Resolved>,
    /// Groups of fluents of which never two are true, as far as that was proven.
    pub groups: Vec<Group>,
    /// How far goals are reached, by the ground rules; none where there are too many of these.
    pub degrees: Option<Arc<GoalDegrees>>,
    /// What signals were made for; empty unless labels were asked for.
    pub labels: Vec<Label>,
}

/// Fluents of which at most one is true in every state that can be reached: the contents of a
/// cell, whose turn it is, a step counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The fluents, by their index, ascending; all of them are carried.
    pub members: Vec<u32>,
    /// Whether always one of them is true.
    pub exactly_one: bool,
}

/// A state sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FluentPort {
    /// Whether it is true at the start.
    pub initially: bool,
    /// How its truth is known.
    pub kind: FluentKind,
    /// Whether it is true now. An input of the network, unless it follows from another.
    pub now: Signal,
    /// Whether it will be true. Means nothing where it follows from another.
    pub next: Signal,
}

/// How the truth of a fluent is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FluentKind {
    /// It is part of the state that playouts carry.
    Carried,
    /// In every state it is what `now` says: a constant, or the input of a carried fluent or its
    /// complement.
    Follows,
    /// Nothing that decides the course of the game reads it; it is computed only where a state is
    /// to be shown.
    Observed,
}

/// A move of a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovePort {
    /// Whether it may be made.
    pub legal: Signal,
    /// Whether it is made: an input of the network, or false for a move that is never legal.
    pub does: Signal,
}

/// A goal value of a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalPort {
    /// The value.
    pub value: TermId,
    /// Whether the role has it.
    pub holds: Signal,
}

/// A block that is repeated, from all-false, until nothing changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// In the order in which they are best computed.
    pub members: Vec<LoopMember>,
    /// After this number of sweeps nothing changes any more.
    pub sweeps: usize,
}

/// A sentence that depends on itself through others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopMember {
    /// The input that stands for what was found so far; at the end, for its truth.
    pub feedback: Signal,
    /// What follows from what was found so far.
    pub value: Signal,
}

/// How a component of mutually recursive ground rules became gates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// How many sentences depended on each other.
    pub members: usize,
    /// The way.
    pub way: Way,
}

/// The ways to resolve a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Way {
    /// Each member was replaced by what it says without itself.
    Eliminated,
    /// The block was written out this number of times.
    Unrolled(usize),
    /// The block is repeated, at most this number of times.
    Repeated(usize),
}

impl Circuit {
    /// The state that the game starts in, all fluents shown.
    pub fn initial_state(&self) -> State {
        let fluents = self.fluents.iter().enumerate();
        let first = fluents.filter(|(_, port)| port.initially).map(|(fluent, _)| fluent);
        State::new(self.names.table(), first)
    }

    /// The signals that leave the network, in a fixed order.
    pub fn outputs(&self) -> impl Iterator<Item = Signal> + '_ {
        let legal = self.moves.iter().flatten().map(|port| port.legal);
        let goals = self.goals.iter().flatten().map(|port| port.holds);
        legal.chain([self.terminal]).chain(goals).chain(self.next_signals())
    }

    /// What the fluents that have a next value will be.
    fn next_signals(&self) -> impl Iterator<Item = Signal> + '_ {
        let fluents = self.fluents.iter().filter(|port| port.kind != FluentKind::Follows);
        fluents.map(|port| port.next)
    }

    /// How many two-input gates the network amounts to.
    pub fn two_input_gates(&self) -> usize {
        self.network.two_input_gates()
    }
}
