//! A circuit in figures: what it is made of, which question needs how much of it, and how it is
//! wired.

use super::circuit::{Circuit, FluentKind, Resolved, Way};
use super::cones::{Cone, Cones};
use super::diagram::{Kind, classic};
use super::network::{Gate, Network, Signal};

/// The figures of a circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CircuitStats {
    /// Gates, those that no port depends on included.
    pub gates: usize,
    /// How many gates with two inputs they amount to.
    pub two_input_gates: usize,
    /// Gates that no port depends on.
    pub dead: usize,
    /// The longest way to an output, or around a loop, in two-input gates.
    pub depth: usize,
    /// What it is made of in the classic view, which leaves dead gates out.
    pub classic: ClassicStats,
    /// What each question needs, in the order in which a playout asks.
    pub cones: Vec<ConeStats>,
    /// Gates by the number of their inputs.
    pub fan_in: Vec<Bucket>,
    /// Gates by how often gates and outputs read them.
    pub fan_out: Vec<Bucket>,
    /// Fluents and moves that come in, by how often gates and outputs read them.
    pub input_fan_out: Vec<Bucket>,
    /// The state sentences.
    pub fluents: FluentStats,
    /// By role.
    pub moves: Vec<MoveStats>,
    /// Groups of fluents of which never two are true, by size.
    pub groups: Vec<GroupStats>,
    /// How the loops of the ground rules were resolved, equal ones counted.
    pub loops: Vec<LoopStats>,
}

/// The elements of the propositional network that people know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClassicStats {
    /// All inputs are true.
    pub and: usize,
    /// Some input is true.
    pub or: usize,
    /// The input is false.
    pub not: usize,
    /// Keep their input until the next step.
    pub transition: usize,
}

/// What a question needs. Cones overlap: a gate may serve several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ConeStats {
    /// The question.
    pub cone: Cone,
    /// Gates that it needs.
    pub gates: usize,
    /// How many gates with two inputs they amount to.
    pub two_input_gates: usize,
    /// Those of the gates that no question before it needs: over all cones they add up.
    pub added: usize,
    /// Those of the gates that no other question needs.
    pub alone: usize,
    /// The longest way within it, in two-input gates.
    pub depth: usize,
}

/// How many things have a number in a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bucket {
    /// The smallest number.
    pub from: usize,
    /// The largest number: a power of two, or zero.
    pub to: usize,
    /// How many there are.
    pub count: usize,
}

/// State sentences, by how their truth is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FluentStats {
    /// Part of the state that playouts carry.
    pub carried: usize,
    /// The same in every state.
    pub constant: usize,
    /// Equal to another, or its complement.
    pub copied: usize,
    /// Only shown: nothing that decides the game reads them.
    pub observed: usize,
}

/// The moves of a role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MoveStats {
    /// All that have a name.
    pub moves: usize,
    /// Those that may be legal.
    pub possible: usize,
    /// Those that gates read; the others may be made, but make no difference.
    pub read: usize,
}

/// Groups of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GroupStats {
    /// Fluents in each.
    pub size: usize,
    /// Whether always one of them is true.
    pub exactly_one: bool,
    /// How many such groups there are.
    pub count: usize,
}

/// Loops of one size that were resolved in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LoopStats {
    /// Sentences in each.
    pub members: usize,
    /// The way.
    pub way: Way,
    /// How many such loops there are.
    pub count: usize,
}

impl CircuitStats {
    /// The figures of a circuit.
    pub fn of(circuit: &Circuit) -> Self {
        let network = &circuit.network;
        let gates = || gates(network);
        let cones = Cones::new(circuit);
        let depths = depths(network);
        let readers = readers(circuit);
        let is_input = |node: &u32| matches!(network.gate(*node), Gate::Fluent(_) | Gate::Move(..));
        let read = |node: u32| readers[node as usize];
        CircuitStats {
            gates: gates().count(),
            two_input_gates: network.two_input_gates(),
            dead: gates().filter(|&node| !cones.has_any(node, &Cone::ALL)).count(),
            depth: depth(circuit, &depths),
            classic: ClassicStats::of(circuit),
            cones: cone_stats(circuit, &cones, &depths),
            fan_in: buckets(gates().map(|node| network.inputs(node).len())),
            fan_out: buckets(gates().map(read)),
            input_fan_out: buckets((0..network.len() as u32).filter(is_input).map(read)),
            fluents: FluentStats::of(circuit),
            moves: move_stats(circuit, &readers),
            groups: group_stats(circuit),
            loops: loop_stats(&circuit.resolved),
        }
    }
}

impl ClassicStats {
    fn of(circuit: &Circuit) -> Self {
        let mut stats = ClassicStats::default();
        for element in classic(circuit).graph.node_weights() {
            match element.kind {
                Kind::And => stats.and += 1,
                Kind::Or => stats.or += 1,
                Kind::Not => stats.not += 1,
                Kind::Transition => stats.transition += 1,
                _ => {}
            }
        }
        stats
    }
}

fn gates(network: &Network) -> impl Iterator<Item = u32> + '_ {
    (0..network.len() as u32).filter(|&node| network.gate(node) == Gate::And)
}

/// By node, the longest way to it. A gate with n inputs is as deep as a balanced tree of pairs.
pub(super) fn depths(network: &Network) -> Vec<usize> {
    let mut depths = vec![0; network.len()];
    for node in 0..network.len() as u32 {
        let inputs = network.inputs(node);
        let below = inputs.iter().map(|input| depths[input.node() as usize]).max().unwrap_or(0);
        let own = inputs.len().next_power_of_two().trailing_zeros() as usize;
        depths[node as usize] = below + own;
    }
    depths
}

/// The longest way to an output, or to what a loop feeds back, by the depths of the nodes.
pub(super) fn depth(circuit: &Circuit, depths: &[usize]) -> usize {
    let values = circuit.loops.iter().flat_map(|block| &block.members).map(|member| member.value);
    let signals = circuit.outputs().chain(values);
    signals.map(|signal| depths[signal.node() as usize]).max().unwrap_or(0)
}

/// By node, how often gates, loops and outputs read it.
fn readers(circuit: &Circuit) -> Vec<usize> {
    let network = &circuit.network;
    let mut readers = vec![0; network.len()];
    let inputs = (0..network.len() as u32).flat_map(|node| network.inputs(node)).copied();
    let values = circuit.loops.iter().flat_map(|block| &block.members).map(|member| member.value);
    for signal in inputs.chain(values).chain(circuit.outputs()) {
        readers[signal.node() as usize] += 1;
    }
    readers
}

fn cone_stats(circuit: &Circuit, cones: &Cones, depths: &[usize]) -> Vec<ConeStats> {
    let mut stats: Vec<ConeStats> = Vec::new();
    for (at, &cone) in Cone::ALL.iter().enumerate() {
        let before = &Cone::ALL[..at];
        let others: Vec<Cone> = Cone::ALL.into_iter().filter(|&other| other != cone).collect();
        let own = || gates(&circuit.network).filter(|&node| cones.has(node, cone));
        stats.push(ConeStats {
            cone,
            gates: own().count(),
            two_input_gates: own().map(|node| circuit.network.inputs(node).len() - 1).sum(),
            added: own().filter(|&node| !cones.has_any(node, before)).count(),
            alone: own().filter(|&node| !cones.has_any(node, &others)).count(),
            depth: own().map(|node| depths[node as usize]).max().unwrap_or(0),
        });
    }
    stats
}

/// Numbers counted in the ranges 0, 1, 2, 3 to 4, 5 to 8 and so on; empty ranges are left out.
fn buckets(numbers: impl Iterator<Item = usize>) -> Vec<Bucket> {
    let mut buckets: Vec<Bucket> = Vec::new();
    for number in numbers {
        let to = if number == 0 { 0 } else { number.next_power_of_two() };
        let at = buckets.partition_point(|bucket| bucket.to < to);
        if buckets.get(at).is_none_or(|bucket| bucket.to != to) {
            let from = if to <= 2 { to } else { to / 2 + 1 };
            buckets.insert(at, Bucket { from, to, count: 0 });
        }
        buckets[at].count += 1;
    }
    buckets
}

impl FluentStats {
    fn of(circuit: &Circuit) -> Self {
        let mut stats = FluentStats::default();
        for port in &circuit.fluents {
            let number = match port.kind {
                FluentKind::Carried => &mut stats.carried,
                FluentKind::Observed => &mut stats.observed,
                FluentKind::Follows if port.now.node() == 0 => &mut stats.constant,
                FluentKind::Follows => &mut stats.copied,
            };
            *number += 1;
        }
        stats
    }
}

fn move_stats(circuit: &Circuit, readers: &[usize]) -> Vec<MoveStats> {
    let roles = circuit.moves.iter().map(|ports| MoveStats {
        moves: ports.len(),
        possible: ports.iter().filter(|port| port.legal != Signal::FALSE).count(),
        read: ports.iter().filter(|port| is_read(port.does, readers)).count(),
    });
    roles.collect()
}

fn is_read(input: Signal, readers: &[usize]) -> bool {
    input.node() != 0 && readers[input.node() as usize] > 0
}

fn group_stats(circuit: &Circuit) -> Vec<GroupStats> {
    let groups = circuit.groups.iter().map(|group| (group.members.len(), group.exactly_one));
    let stats = counted(groups.collect()).into_iter();
    stats.map(|((size, exactly_one), count)| GroupStats { size, exactly_one, count }).collect()
}

fn loop_stats(resolved: &[Resolved]) -> Vec<LoopStats> {
    let loops = resolved.iter().map(|resolved| (resolved.members, resolved.way));
    let stats = counted(loops.collect()).into_iter();
    stats.map(|((members, way), count)| LoopStats { members, way, count }).collect()
}

/// Each of the things once, in order, with how often it is there.
fn counted<T: Ord + Copy>(mut things: Vec<T>) -> Vec<(T, usize)> {
    things.sort_unstable();
    things.chunk_by(|a, b| a == b).map(|same| (same[0], same.len())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_counted_in_powers_of_two() {
        let found = buckets([0, 1, 2, 3, 4, 4, 5, 8, 9, 1000, 0].into_iter());
        let found: Vec<_> = found.iter().map(|b| (b.from, b.to, b.count)).collect();
        let expected =
            [(0, 0, 2), (1, 1, 1), (2, 2, 1), (3, 4, 3), (5, 8, 2), (9, 16, 1), (513, 1024, 1)];
        assert_eq!(found, expected);
    }
}
