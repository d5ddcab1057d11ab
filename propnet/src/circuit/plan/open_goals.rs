//! Which goals a game can still end with, as latches tell it.
//!
//! A latch that has tripped keeps its value, and with it the rest of its group. Each gate of the goals
//! is computed twice: whether it can still be true, and whether it can still be false, where all
//! other fluents may be anything. So what is ruled out is ruled out in every state to come, and where
//! one goal of each role is left the game is decided.
//!
//! Two signals for each one: the ternary simulation of circuits, Eichelberger 1965.

use super::super::circuit::{Circuit, FluentKind, GoalPort};
use super::super::evaluate::Values;
use super::super::network::{Gate, Network, Signal};
use super::super::rebuild::cone;
use super::super::schedule::Schedule;
use super::latches::Latch;
use crate::game::{State, goal_value};

/// A circuit that also says which goals are still open.
#[derive(Clone, Debug)]
pub struct OpenGoals {
    /// The gates of the circuit, and those of these questions.
    circuit: Circuit,
    /// By role and goal: whether a game can still end with it.
    open: Vec<Vec<Signal>>,
    /// Whether each role has only one such goal.
    decided: Signal,
    /// By role and goal: its value, where it is a number.
    values: Vec<Vec<Option<i32>>>,
}

/// A gate that can be true, and that can be false.
#[derive(Clone, Copy)]
struct Possible {
    is: Signal,
    is_not: Signal,
}

impl Possible {
    const ANY: Possible = Possible { is: Signal::TRUE, is_not: Signal::TRUE };

    fn complement_if(self, complement: bool) -> Possible {
        match complement {
            true => Possible { is: self.is_not, is_not: self.is },
            false => self,
        }
    }
}

/// The questions about circuits with more gates than this would take too long.
const MOST_GATES: usize = 1_000_000;

impl OpenGoals {
    /// The questions about a circuit; none where these latches, by fluent, never rule out a goal.
    pub fn new(circuit: &Circuit, latches: &[Latch]) -> Option<Self> {
        if latches.is_empty() || circuit.two_input_gates() > MOST_GATES {
            return None;
        }
        let mut circuit = circuit.clone();
        let mut network = std::mem::take(&mut circuit.network);
        let fluents = fluent_outlooks(&circuit, latches, &mut network);
        let holds = circuit.goals.iter().flatten().map(|goal| goal.holds);
        let marks = cone(&network, &circuit.loops, holds.chain([circuit.terminal]));
        let mut nodes = vec![Possible::ANY; marks.len()];
        nodes[0] = Possible { is: Signal::FALSE, is_not: Signal::TRUE };
        for node in (1..marks.len()).filter(|&node| marks[node]) {
            nodes[node] = match network.gate(node as u32) {
                Gate::Fluent(fluent) => fluents[fluent as usize],
                Gate::And => {
                    let inputs = network.inputs(node as u32).iter();
                    let (is, is_not) = inputs
                        .map(|&input| {
                            let found = nodes[input.node() as usize];
                            let found = found.complement_if(input.is_complement());
                            (found.is, found.is_not)
                        })
                        .unzip();
                    Possible { is: network.and(is), is_not: network.or(is_not) }
                }
                // What a loop finds may be anything, and no goal reads a move.
                _ => Possible::ANY,
            };
        }
        let seen =
            |signal: Signal| nodes[signal.node() as usize].complement_if(signal.is_complement()).is;
        let end = seen(circuit.terminal);
        let mut is_open = |goal: &GoalPort| network.and(vec![seen(goal.holds), end]);
        let open: Vec<Vec<Signal>> =
            circuit.goals.iter().map(|goals| goals.iter().map(&mut is_open).collect()).collect();
        if open.iter().flatten().all(|&open| open == Signal::TRUE || open == Signal::FALSE) {
            return None;
        }
        let one_is_open = open.iter().map(|open| only_one(&mut network, open)).collect();
        let decided = network.and(one_is_open);
        let value = |goal: &GoalPort| goal_value(&circuit.names.text(goal.value));
        let values = circuit.goals.iter().map(|goals| goals.iter().map(value).collect()).collect();
        circuit.network = network;
        Some(OpenGoals { circuit, open, decided, values })
    }

    /// Whether a game can be decided before its end.
    pub fn can_be_decided(&self) -> bool {
        self.decided != Signal::FALSE
    }

    /// The same game, except that it is over as soon as it is decided, with the goals that are left.
    pub fn ending_early(&self) -> Circuit {
        let mut circuit = self.circuit.clone();
        let network = &mut circuit.network;
        let early = network.and(vec![self.decided, !circuit.terminal]);
        for (goals, open) in circuit.goals.iter_mut().zip(&self.open) {
            for (goal, &open) in goals.iter_mut().zip(open) {
                let one = network.and(vec![early, open]);
                let other = network.and(vec![!early, goal.holds]);
                goal.holds = network.or(vec![one, other]);
            }
        }
        circuit.terminal = network.or(vec![circuit.terminal, early]);
        circuit
    }

    /// What answers for single states.
    pub fn outlook(&self) -> GoalOutlook {
        GoalOutlook::new(self.clone())
    }
}

/// By fluent: whether it can be true in any state to come, this one included, and whether false.
fn fluent_outlooks(circuit: &Circuit, latches: &[Latch], network: &mut Network) -> Vec<Possible> {
    let now = |fluent: u32| circuit.fluents[fluent as usize].now;
    let has = |fluent: u32, value: bool| latches.binary_search(&Latch { fluent, value }).is_ok();
    let mut outlooks = vec![Possible::ANY; circuit.fluents.len()];
    for latch in latches {
        let outlook = &mut outlooks[latch.fluent as usize];
        match latch.value {
            true => outlook.is_not = !now(latch.fluent),
            false => outlook.is = now(latch.fluent),
        }
    }
    for group in &circuit.groups {
        let kept = group.members.iter().filter(|&&member| has(member, true));
        let kept: Vec<Signal> = kept.map(|&member| now(member)).collect();
        if kept.is_empty() {
            continue;
        }
        // Where one of them is true for good, the others are false for good.
        let any = network.or(kept);
        for &member in &group.members {
            let open = network.or(vec![now(member), !any]);
            let outlook = &mut outlooks[member as usize];
            outlook.is = network.and(vec![outlook.is, open]);
        }
    }
    outlooks
}

/// Exactly one of them is true.
fn only_one(network: &mut Network, signals: &[Signal]) -> Signal {
    let (mut any, mut two) = (Signal::FALSE, Signal::FALSE);
    for &signal in signals {
        let both = network.and(vec![any, signal]);
        two = network.or(vec![two, both]);
        any = network.or(vec![any, signal]);
    }
    network.and(vec![any, !two])
}

/// Answers which goals are open in single states.
pub struct GoalOutlook {
    goals: OpenGoals,
    schedule: Schedule,
    values: Values,
}

impl GoalOutlook {
    fn new(goals: OpenGoals) -> Self {
        let OpenGoals { circuit, open, decided, .. } = &goals;
        let signals = open.iter().flatten().copied().chain([*decided]);
        let marks = cone(&circuit.network, &circuit.loops, signals);
        let schedule = Schedule::new(circuit, |node| marks[node as usize]);
        let values = Values::new(circuit);
        GoalOutlook { schedule, values, goals }
    }

    /// Looks at a state.
    pub fn look(&mut self, state: &State) {
        let circuit = &self.goals.circuit;
        for (fluent, port) in circuit.fluents.iter().enumerate() {
            if port.kind == FluentKind::Carried {
                self.values.set(port.now, 0u64.wrapping_sub(state.contains(fluent) as u64));
            }
        }
        self.values.compute(circuit, &self.schedule);
    }

    /// Whether each role has only one goal left in the state that was looked at.
    pub fn is_decided(&self) -> bool {
        self.values.of(self.goals.decided) != 0
    }

    /// The lowest and the highest goal that a role can still have there; none where that is not
    /// known.
    pub fn range(&self, role: usize) -> Option<[i32; 2]> {
        let open = self.goals.open[role].iter().zip(&self.goals.values[role]);
        let open = open.filter(|(open, _)| self.values.of(**open) != 0);
        let mut range: Option<[i32; 2]> = None;
        for (_, &value) in open {
            let value = value?;
            let [least, most] = range.unwrap_or([value, value]);
            range = Some([least.min(value), most.max(value)]);
        }
        range
    }
}
