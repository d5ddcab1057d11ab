//! A circuit in figures, for scripts: its statistics with the names of roles and fluents.

use propnet::circuit::{
    Bucket, Circuit, CircuitStats, ClassicStats, ConeStats, FluentStats, Group, LoopStats, Way,
};
use serde::Serialize;

/// The figures of a circuit. Scripts read this; its keys stay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "as in `CircuitStats`")]
pub struct StatsFigures {
    pub gates: usize,
    pub two_input_gates: usize,
    pub dead: usize,
    pub depth: usize,
    pub classic: ClassicStats,
    pub cones: Vec<ConeStats>,
    pub fan_in: Vec<Bucket>,
    pub fan_out: Vec<Bucket>,
    pub input_fan_out: Vec<Bucket>,
    pub fluents: FluentStats,
    pub moves: Vec<MoveFigures>,
    pub groups: Vec<GroupFigures>,
    pub loops: Vec<LoopFigures>,
}

/// The moves of a role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "as in `MoveStats`")]
pub struct MoveFigures {
    pub role: String,
    pub moves: usize,
    pub possible: usize,
    pub read: usize,
}

/// A group of fluents of which never two are true.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GroupFigures {
    /// Whether always one of them is true.
    pub exactly_one: bool,
    /// The fluents, as text.
    pub fluents: Vec<String>,
}

/// Loops of one size that were resolved in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LoopFigures {
    /// Sentences in each.
    pub members: usize,
    /// `eliminated`, `unrolled` or `repeated`.
    pub way: &'static str,
    /// How often the block was written out, or is repeated at most.
    pub times: Option<usize>,
    /// How many such loops there are.
    pub count: usize,
}

impl StatsFigures {
    /// The figures of a circuit.
    pub fn of(circuit: &Circuit) -> Self {
        let stats = CircuitStats::of(circuit);
        let moves = circuit.names.roles().iter().zip(&stats.moves);
        StatsFigures {
            gates: stats.gates,
            two_input_gates: stats.two_input_gates,
            dead: stats.dead,
            depth: stats.depth,
            classic: stats.classic,
            cones: stats.cones,
            fan_in: stats.fan_in,
            fan_out: stats.fan_out,
            input_fan_out: stats.input_fan_out,
            fluents: stats.fluents,
            moves: moves
                .map(|(role, stats)| MoveFigures {
                    role: role.clone(),
                    moves: stats.moves,
                    possible: stats.possible,
                    read: stats.read,
                })
                .collect(),
            groups: group_figures(circuit),
            loops: stats.loops.iter().copied().map(Into::into).collect(),
        }
    }
}

/// The groups of fluents of which never two are true, by their names.
pub fn group_figures(circuit: &Circuit) -> Vec<GroupFigures> {
    let name = |&member: &u32| circuit.names.fluent_text(member as usize);
    let group = |group: &Group| GroupFigures {
        exactly_one: group.exactly_one,
        fluents: group.members.iter().map(name).collect(),
    };
    circuit.groups.iter().map(group).collect()
}

impl From<LoopStats> for LoopFigures {
    fn from(stats: LoopStats) -> Self {
        let (way, times) = match stats.way {
            Way::Eliminated => ("eliminated", None),
            Way::Unrolled(times) => ("unrolled", Some(times)),
            Way::Repeated(times) => ("repeated", Some(times)),
        };
        LoopFigures { members: stats.members, way, times, count: stats.count }
    }
}
