//! Cones: which gates serve which question.
//!
//! What is legal and whether the game is over is asked before the moves are chosen, what comes
//! next after that, goals only where a playout ended, and fluents that nothing reads only where a
//! state is shown. An evaluation computes each cone only when it is needed.

use super::circuit::{Circuit, FluentKind};
use super::network::Signal;
use super::rebuild::cone as nodes_of_cone;

/// A question, by the outputs that answer it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Cone {
    /// The legal moves of all roles.
    Legal,
    /// Whether the game is over.
    Terminal,
    /// The goals of all roles.
    Goal,
    /// The next truth of the fluents that are carried.
    Next,
    /// The next truth of the fluents that are only observed.
    Observed,
}

impl Cone {
    /// All cones, in the order in which a playout needs them.
    pub const ALL: [Cone; 5] =
        [Cone::Legal, Cone::Terminal, Cone::Next, Cone::Goal, Cone::Observed];

    /// The cone's name, for people and scripts.
    pub fn name(self) -> &'static str {
        match self {
            Cone::Legal => "legal",
            Cone::Terminal => "terminal",
            Cone::Goal => "goal",
            Cone::Next => "next",
            Cone::Observed => "observed",
        }
    }

    /// The outputs that answer the question.
    pub fn outputs(self, circuit: &Circuit) -> Vec<Signal> {
        let next = |kind| {
            let fluents = circuit.fluents.iter().filter(move |port| port.kind == kind);
            fluents.map(|port| port.next).collect()
        };
        match self {
            Cone::Legal => circuit.moves.iter().flatten().map(|port| port.legal).collect(),
            Cone::Terminal => vec![circuit.terminal],
            Cone::Goal => circuit.goals.iter().flatten().map(|port| port.holds).collect(),
            Cone::Next => next(FluentKind::Carried),
            Cone::Observed => next(FluentKind::Observed),
        }
    }
}

/// By node, the cones that it is in.
#[derive(Clone, Debug)]
pub struct Cones(Vec<u8>);

impl Cones {
    /// The cones of a circuit.
    pub fn new(circuit: &Circuit) -> Self {
        let mut flags = vec![0; circuit.network.len()];
        for cone in Cone::ALL {
            let outputs = cone.outputs(circuit).into_iter();
            let marks = nodes_of_cone(&circuit.network, &circuit.loops, outputs);
            for (flag, mark) in flags.iter_mut().zip(marks) {
                *flag |= (mark as u8) << cone as u8;
            }
        }
        Cones(flags)
    }

    /// Whether a node is in a cone.
    pub fn has(&self, node: u32, cone: Cone) -> bool {
        self.0[node as usize] >> cone as u8 & 1 == 1
    }

    /// Whether a node is in one of the cones.
    pub fn has_any(&self, node: u32, cones: &[Cone]) -> bool {
        cones.iter().any(|&cone| self.has(node, cone))
    }
}
