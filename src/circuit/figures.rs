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
    pub classic: ClassicFigures,
    pub cones: Vec<ConeFigures>,
    pub fan_in: Vec<BucketFigures>,
    pub fan_out: Vec<BucketFigures>,
    pub input_fan_out: Vec<BucketFigures>,
    pub fluents: FluentFigures,
    pub moves: Vec<MoveFigures>,
    pub groups: Vec<GroupFigures>,
    pub loops: Vec<LoopFigures>,
}

/// The elements of the propositional network that people know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "as in `ClassicStats`")]
pub struct ClassicFigures {
    pub and: usize,
    pub or: usize,
    pub not: usize,
    pub transition: usize,
}

/// What a question needs; cones overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "as in `ConeStats`")]
pub struct ConeFigures {
    pub cone: &'static str,
    pub gates: usize,
    pub two_input_gates: usize,
    pub added: usize,
    pub alone: usize,
    pub depth: usize,
}

/// How many things have a number in a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "as in `Bucket`")]
pub struct BucketFigures {
    pub from: usize,
    pub to: usize,
    pub count: usize,
}

/// State sentences, by how their truth is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "as in `FluentStats`")]
pub struct FluentFigures {
    pub carried: usize,
    pub constant: usize,
    pub copied: usize,
    pub observed: usize,
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
        let buckets = |buckets: &[Bucket]| buckets.iter().copied().map(Into::into).collect();
        let moves = circuit.names.roles().iter().zip(&stats.moves);
        StatsFigures {
            gates: stats.gates,
            two_input_gates: stats.two_input_gates,
            dead: stats.dead,
            depth: stats.depth,
            classic: stats.classic.into(),
            cones: stats.cones.iter().copied().map(Into::into).collect(),
            fan_in: buckets(&stats.fan_in),
            fan_out: buckets(&stats.fan_out),
            input_fan_out: buckets(&stats.input_fan_out),
            fluents: stats.fluents.into(),
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

impl From<ClassicStats> for ClassicFigures {
    fn from(stats: ClassicStats) -> Self {
        let ClassicStats { and, or, not, transition } = stats;
        ClassicFigures { and, or, not, transition }
    }
}

impl From<ConeStats> for ConeFigures {
    fn from(stats: ConeStats) -> Self {
        let ConeStats { cone, gates, two_input_gates, added, alone, depth } = stats;
        ConeFigures { cone: cone.name(), gates, two_input_gates, added, alone, depth }
    }
}

impl From<Bucket> for BucketFigures {
    fn from(bucket: Bucket) -> Self {
        let Bucket { from, to, count } = bucket;
        BucketFigures { from, to, count }
    }
}

impl From<FluentStats> for FluentFigures {
    fn from(stats: FluentStats) -> Self {
        let FluentStats { carried, constant, copied, observed } = stats;
        FluentFigures { carried, constant, copied, observed }
    }
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
