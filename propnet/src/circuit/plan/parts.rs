//! Parts of a game that have nothing to do with each other, and how goals put them together.
//!
//! Two fluents or moves belong together if the circuit says so: what a fluent will be, or whether a
//! move is legal, depends on them. Fluents whose course no move changes, such as a step counter or
//! whose turn it is, are no part and join none.

use super::super::budget::WorkBudget;
use super::super::circuit::{Circuit, FluentKind, GoalPort};
use super::super::cones::{Cone, Cones};
use super::super::evaluate::Values;
use super::super::network::{Gate, Signal};
use super::super::optimize::Simulator;
use super::super::rebuild::cone;
use super::super::schedule::Schedule;
use crate::game::goal_value;

/// Fluents and moves that depend on no others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndependentPart {
    /// The fluents, by their index, ascending.
    pub fluents: Vec<u32>,
    /// The moves, by role and index, ascending.
    pub moves: Vec<(u32, u32)>,
}

/// How the goals of a role put parts together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartGoals {
    /// No goal is about more than one part.
    Apart,
    /// The highest goal wants something of several parts, each condition of one.
    Conjunction,
    /// Goals add up over the parts, in all states of some random games.
    Sum,
    /// In another way.
    Together,
}

/// The parts that have moves, in the order of their first fluents. Fluents that are left out,
/// ascending, are in none.
pub fn independent_parts(circuit: &Circuit, left_out: &[u32]) -> Vec<IndependentPart> {
    let network = &circuit.network;
    let is_part = |fluent: u32| {
        circuit.fluents[fluent as usize].kind == FluentKind::Carried
            && left_out.binary_search(&fluent).is_err()
    };
    let wanted = ports(circuit, &is_part);
    let marks = cone(network, &circuit.loops, wanted.iter().map(|&(_, output)| output));
    // Gates that read nothing of any part join nothing.
    let mut is_live = vec![false; network.len()];
    let mut groups = NodeGroups((0..network.len() as u32).collect());
    for node in (1..network.len() as u32).filter(|&node| marks[node as usize]) {
        is_live[node as usize] = match network.gate(node) {
            Gate::Fluent(fluent) => is_part(fluent),
            Gate::Move(..) | Gate::Feedback(..) => true,
            Gate::And => {
                let live =
                    network.inputs(node).iter().filter(|input| is_live[input.node() as usize]);
                live.fold(false, |_, input| {
                    groups.join(node, input.node());
                    true
                })
            }
            Gate::False => false,
        };
    }
    for block in &circuit.loops {
        for member in &block.members {
            groups.join(block.members[0].feedback.node(), member.feedback.node());
            groups.join(member.feedback.node(), member.value.node());
        }
    }
    for &(input, output) in wanted.iter().filter(|(_, output)| is_live[output.node() as usize]) {
        groups.join(input.node(), output.node());
    }
    let mut parts = vec![IndependentPart::default(); network.len()];
    for fluent in (0..circuit.fluents.len() as u32).filter(|&fluent| is_part(fluent)) {
        let node = circuit.fluents[fluent as usize].now.node();
        parts[groups.find(node) as usize].fluents.push(fluent);
    }
    for (role, ports) in circuit.moves.iter().enumerate() {
        for (at, port) in ports.iter().enumerate().filter(|(_, port)| port.does.node() != 0) {
            let part = groups.find(port.does.node()) as usize;
            parts[part].moves.push((role as u32, at as u32));
        }
    }
    parts.retain(|part| !part.fluents.is_empty() && !part.moves.is_empty());
    parts.sort_by_key(|part| part.fluents[0]);
    parts
}

/// The inputs that can be in a part, each with what decides about it.
fn ports(circuit: &Circuit, is_part: &dyn Fn(u32) -> bool) -> Vec<(Signal, Signal)> {
    let fluents = (0..circuit.fluents.len() as u32).filter(|&fluent| is_part(fluent));
    let fluents = fluents.map(|fluent| &circuit.fluents[fluent as usize]);
    let moves = circuit.moves.iter().flatten().filter(|port| port.does.node() != 0);
    let fluents = fluents.map(|port| (port.now, port.next));
    fluents.chain(moves.map(|port| (port.does, port.legal))).collect()
}

/// Disjoint sets of nodes (Tarjan 1975).
struct NodeGroups(Vec<u32>);

impl NodeGroups {
    fn find(&mut self, mut node: u32) -> u32 {
        while self.0[node as usize] != node {
            self.0[node as usize] = self.0[self.0[node as usize] as usize];
            node = self.0[node as usize];
        }
        node
    }

    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.find(one), self.find(other));
        self.0[one as usize] = other;
    }
}

/// By part: the conditions of a signal that are about it; none where a condition is about several.
/// What is about no part is left out.
pub fn conditions_by_part(
    circuit: &Circuit,
    parts: &[IndependentPart],
    wanted: Signal,
) -> Option<Vec<Vec<Signal>>> {
    let network = &circuit.network;
    let mut conditions = vec![Vec::new(); parts.len()];
    let mut todo = vec![wanted];
    while let Some(wanted) = todo.pop() {
        if network.gate(wanted.node()) == Gate::And && !wanted.is_complement() {
            todo.extend_from_slice(network.inputs(wanted.node()));
            continue;
        }
        match parts_read(circuit, parts, wanted)[..] {
            [] => {}
            [part] => conditions[part].push(wanted),
            _ => return None,
        }
    }
    Some(conditions)
}

/// The parts that a signal reads, by their place.
fn parts_read(circuit: &Circuit, parts: &[IndependentPart], signal: Signal) -> Vec<usize> {
    let marks = cone(&circuit.network, &circuit.loops, [signal].into_iter());
    let is_read = |&fluent: &u32| marks[circuit.fluents[fluent as usize].now.node() as usize];
    (0..parts.len()).filter(|&at| parts[at].fluents.iter().any(is_read)).collect()
}

/// By role: how its goals put the parts together. Sums are what random games show; nothing is found
/// where the work for that is more than the budget.
pub fn part_goals(
    circuit: &Circuit,
    parts: &[IndependentPart],
    budget: &WorkBudget<'_>,
) -> Vec<PartGoals> {
    let sums = Sums::new(circuit, parts, budget);
    let of_role = |role: usize| {
        let goals = &circuit.goals[role];
        if goals.iter().all(|goal| parts_read(circuit, parts, goal.holds).len() < 2) {
            return PartGoals::Apart;
        }
        let value = |holds: &Signal| {
            let goal = goals.iter().find(|goal| goal.holds == *holds);
            goal.and_then(|goal| goal_value(&circuit.names.text(goal.value)))
        };
        let highest = goals.iter().map(|goal| goal.holds).max_by_key(value);
        let conditions = highest.and_then(|highest| conditions_by_part(circuit, parts, highest));
        let is_about = |conditions: &Vec<Vec<Signal>>| {
            conditions.iter().filter(|own| !own.is_empty()).count() > 1
        };
        // A sum says more: also what the other goals want.
        match conditions.as_ref().is_some_and(is_about) {
            _ if sums.is_sum(role) => PartGoals::Sum,
            true => PartGoals::Conjunction,
            false => PartGoals::Together,
        }
    };
    (0..circuit.goals.len()).map(of_role).collect()
}

/// Steps of random play whose states are compared.
const STEPS: usize = 64;

/// Goal values of states, and of states made of the parts of two.
struct Sums {
    /// By role and comparison: the values of two states, and of the two in which their parts are
    /// exchanged.
    values: Vec<Vec<[Option<i32>; 4]>>,
}

impl Sums {
    fn new(circuit: &Circuit, parts: &[IndependentPart], budget: &WorkBudget<'_>) -> Self {
        let mut sums = Sums { values: vec![Vec::new(); circuit.goals.len()] };
        let cones = Cones::new(circuit);
        let schedule = Schedule::new(circuit, |node| cones.has(node, Cone::Goal));
        let mut simulator = Simulator::new(circuit, 2, budget);
        let mut values = Values::new(circuit);
        for step in 0..STEPS {
            if parts.len() < 2 || !budget.goes_on(1) {
                break;
            }
            let one = simulator.now().clone();
            // Games that began together, beside each other.
            let other: Vec<u64> = one.iter().map(|word| word.rotate_left(1)).collect();
            let (mut mixed, mut rest) = (one.clone(), other.clone());
            let exchanged = parts.iter().enumerate().filter(|(at, _)| (step + at) % 2 == 0);
            for &fluent in exchanged.flat_map(|(_, part)| &part.fluents) {
                let fluent = fluent as usize;
                (mixed[fluent], rest[fluent]) = (other[fluent], one[fluent]);
            }
            let found = [one, other, mixed, rest].map(|states| {
                for (port, word) in circuit.fluents.iter().zip(states) {
                    if port.kind == FluentKind::Carried {
                        values.set(port.now, word);
                    }
                }
                values.compute(circuit, &schedule);
                goals_of(circuit, &values)
            });
            for (role, compared) in sums.values.iter_mut().enumerate() {
                compared
                    .extend((0..64).map(|lane| std::array::from_fn(|at| found[at][role][lane])));
            }
            simulator.step();
            // Games that start again would be at another step.
            if simulator.goes_on() != !0 {
                break;
            }
        }
        sums
    }

    fn is_sum(&self, role: usize) -> bool {
        let is_sum = |compared: &[Option<i32>; 4]| match compared {
            [Some(one), Some(other), Some(mixed), Some(rest)] => one + other == mixed + rest,
            _ => false,
        };
        let differs = |compared: &[Option<i32>; 4]| compared[0] != compared[2];
        self.values[role].iter().all(is_sum) && self.values[role].iter().any(differs)
    }
}

/// By role and state: the value of its only goal.
fn goals_of(circuit: &Circuit, values: &Values) -> Vec<Vec<Option<i32>>> {
    let value_in = |goals: &Vec<GoalPort>, lane: usize| {
        let mut held = goals.iter().filter(|goal| values.of(goal.holds) >> lane & 1 == 1);
        match (held.next(), held.next()) {
            (Some(goal), None) => goal_value(&circuit.names.text(goal.value)),
            _ => None,
        }
    };
    let of_role = |goals| (0..64).map(|lane| value_in(goals, lane)).collect();
    circuit.goals.iter().map(of_role).collect()
}
