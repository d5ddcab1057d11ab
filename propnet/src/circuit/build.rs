//! GroundRules -> Circuit: a sentence is an OR over its rules, a rule an AND over its body.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::budget::WorkBudget;
use super::circuit::{Circuit, FluentKind, FluentPort, GoalPort, MovePort};
use super::labels::Labeller;
use super::loops::{LoopChoice, Means, Member, resolve};
use super::network::{Gate, Network, Signal};
use super::rebuild::rebuild;
use crate::components::components;
use crate::game::GoalDegrees;
use crate::gdl::Place;
use crate::ground::{AtomId, Fluent, GroundAtom, GroundRules, Recipe};

/// Why ground rules have no circuit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CircuitError {
    /// A sentence depends on its own negation.
    #[error("{place}: a sentence depends on its own negation; no circuit can represent that")]
    Unstratified {
        /// Where a rule for it stands.
        place: Place,
    },
    /// The caller stopped the work.
    #[error("making the circuit was stopped while {stage} was running")]
    Stopped {
        /// What was at work: the builder, or a pass by its name.
        stage: &'static str,
    },
}

/// The circuit of ground rules, with the usual budget.
pub fn build(rules: &GroundRules) -> Result<Circuit, CircuitError> {
    build_with(rules, LoopChoice::default(), &WorkBudget::default())
}

/// The circuit of ground rules with loops resolved in the way that is asked for, within a budget.
pub fn build_with(
    rules: &GroundRules,
    choice: LoopChoice,
    budget: &WorkBudget<'_>,
) -> Result<Circuit, CircuitError> {
    built(Builder::new(rules, Means::new(choice, budget)), budget)
}

/// The circuit of ground rules, with labels that say what its gates were made for.
pub fn build_labelled(
    rules: &GroundRules,
    budget: &WorkBudget<'_>,
) -> Result<Circuit, CircuitError> {
    let builder = Builder::new(rules, Means::new(LoopChoice::default(), budget));
    built(Builder { labels: Some(Labeller::new(rules)), ..builder }, budget)
}

fn built(mut builder: Builder<'_>, budget: &WorkBudget<'_>) -> Result<Circuit, CircuitError> {
    for component in atom_components(builder.rules) {
        builder.component(component)?;
    }
    let circuit = builder.finish();
    // Attempts at loops leave dead gates.
    let circuit = match circuit.resolved.is_empty() {
        true => circuit,
        false => rebuild(&circuit, budget, |_, _, _| None),
    };
    budget.finished(circuit, STAGE)
}

/// What the builder is called where it is stopped.
const STAGE: &str = "the builder";

/// What reading a literal takes, in units of the budget.
const LITERAL: u64 = 50;

struct Builder<'a> {
    rules: &'a GroundRules,
    means: Means<'a>,
    circuit: Circuit,
    /// What each atom is, as far as known.
    signals: Vec<Signal>,
    /// The rules of each atom: they are grouped by head.
    rules_of: Vec<Range<usize>>,
    /// Where labels are wanted.
    labels: Option<Labeller<'a>>,
}

impl<'a> Builder<'a> {
    fn new(rules: &'a GroundRules, means: Means<'a>) -> Self {
        let mut network = Network::default();
        let fluents = fluents(rules, &mut network);
        let moves = rules.moves.iter().enumerate().map(|(role, moves)| {
            let port = |at| MovePort {
                legal: Signal::FALSE,
                does: network.add_source(Gate::Move(role as u32, at as u32)),
            };
            (0..moves.len()).map(port).collect()
        });
        let moves = moves.collect();
        let mut rules_of = vec![0..0; rules.atoms.len()];
        let mut start = 0;
        for rule in 0..rules.rules.len() {
            let head = rules.rules.head(rule);
            if rule + 1 == rules.rules.len() || rules.rules.head(rule + 1) != head {
                rules_of[head as usize] = start..rule + 1;
                start = rule + 1;
            }
        }
        let circuit = Circuit {
            network,
            names: Arc::new(rules.names()),
            fluents,
            moves,
            goals: vec![Vec::new(); rules.roles.len()],
            terminal: Signal::FALSE,
            loops: Vec::new(),
            resolved: Vec::new(),
            groups: Vec::new(),
            degrees: GoalDegrees::new(rules).map(Arc::new),
            labels: Vec::new(),
        };
        Builder {
            rules,
            means,
            circuit,
            signals: vec![Signal::FALSE; rules.atoms.len()],
            rules_of,
            labels: None,
        }
    }

    fn component(&mut self, atoms: Vec<AtomId>) -> Result<(), CircuitError> {
        let bodies = |&atom: &AtomId| {
            let rules = self.rules_of[atom as usize].clone();
            rules.map(|rule| self.rules.rules.body(rule).len() + 1).sum::<usize>()
        };
        let literals: usize = atoms.iter().map(bodies).sum();
        if !self.means.budget.goes_on(literals as u64 * LITERAL) {
            return Err(CircuitError::Stopped { stage: STAGE });
        }
        if let [atom] = atoms[..]
            && !self.reads_itself(atom)
        {
            let signal = self.sentence(atom);
            self.settle(atom, signal);
            return Ok(());
        }
        let members = self.members(&atoms)?;
        let signals = resolve(&mut self.circuit, &members, &self.means);
        for (atom, signal) in atoms.into_iter().zip(signals) {
            self.settle(atom, signal);
        }
        Ok(())
    }

    fn settle(&mut self, atom: AtomId, signal: Signal) {
        self.signals[atom as usize] = signal;
        if let Some(labels) = &mut self.labels {
            labels.atom(atom, self.rules_of[atom as usize].clone(), signal);
        }
    }

    fn sentence(&mut self, atom: AtomId) -> Signal {
        match self.rules.atoms[atom as usize] {
            GroundAtom::True(fluent) => self.circuit.fluents[fluent].now,
            GroundAtom::Does(role, at) => self.circuit.moves[role as usize][at].does,
            _ => {
                let bodies = self.rules_of[atom as usize].clone().map(|rule| {
                    let body = self.rules.rules.body(rule).iter();
                    let signals = body.map(|literal| {
                        self.signals[literal.atom() as usize].complement_if(literal.negated())
                    });
                    let signal = self.circuit.network.and(signals.collect());
                    if let Some(labels) = &mut self.labels {
                        labels.body(rule, signal);
                    }
                    signal
                });
                let bodies = bodies.collect();
                self.circuit.network.or(bodies)
            }
        }
    }

    fn reads_itself(&self, atom: AtomId) -> bool {
        let mut rules = self.rules_of[atom as usize].clone();
        rules.any(|rule| self.rules.rules.body(rule).iter().any(|literal| literal.atom() == atom))
    }

    /// The rules of a loop: each body as what comes from outside and the members it reads.
    fn members(&mut self, atoms: &[AtomId]) -> Result<Vec<Member>, CircuitError> {
        let position: FxHashMap<AtomId, usize> =
            atoms.iter().enumerate().map(|(at, &atom)| (atom, at)).collect();
        let mut members = Vec::with_capacity(atoms.len());
        for &atom in atoms {
            let mut bodies = Vec::new();
            for rule in self.rules_of[atom as usize].clone() {
                let mut outside = Vec::new();
                let mut inside = Vec::new();
                for literal in self.rules.rules.body(rule) {
                    match position.get(&literal.atom()) {
                        Some(_) if literal.negated() => {
                            let place = self.rules.source.place(self.rules.rules.origin(rule));
                            return Err(CircuitError::Unstratified { place });
                        }
                        Some(&at) => inside.push(at),
                        None => outside.push(
                            self.signals[literal.atom() as usize].complement_if(literal.negated()),
                        ),
                    }
                }
                bodies.push((self.circuit.network.and(outside), inside));
            }
            members.push(Member { bodies });
        }
        Ok(members)
    }

    fn finish(mut self) -> Circuit {
        for (atom, &signal) in self.rules.atoms.iter().zip(&self.signals) {
            match atom {
                GroundAtom::Next(fluent) => self.circuit.fluents[*fluent].next = signal,
                GroundAtom::Legal(role, at) => {
                    self.circuit.moves[*role as usize][*at].legal = signal
                }
                GroundAtom::Goal(role, value) => {
                    let goals = &mut self.circuit.goals[*role as usize];
                    goals.push(GoalPort { value: *value, holds: signal });
                }
                GroundAtom::Terminal => self.circuit.terminal = signal,
                GroundAtom::True(_) | GroundAtom::Does(..) | GroundAtom::Helper(..) => {}
            }
        }
        self.circuit.labels = self.labels.map(Labeller::finish).unwrap_or_default();
        self.circuit
    }
}

/// The ports of the fluents, with inputs for all but those that others decide.
fn fluents(rules: &GroundRules, network: &mut Network) -> Vec<FluentPort> {
    let port = |(at, fluent): (usize, &Fluent)| {
        let (kind, now) = match fluent.recipe {
            Recipe::Constant(truth) => (FluentKind::Follows, Signal::FALSE.complement_if(truth)),
            Recipe::Copy(_) => (FluentKind::Follows, Signal::FALSE),
            Recipe::Carried => (FluentKind::Carried, network.add_source(Gate::Fluent(at as u32))),
            Recipe::Observed => (FluentKind::Observed, network.add_source(Gate::Fluent(at as u32))),
        };
        FluentPort { initially: fluent.initially, kind, now, next: Signal::FALSE }
    };
    let mut ports: Vec<FluentPort> = rules.fluents.iter().enumerate().map(port).collect();
    for (at, fluent) in rules.fluents.iter().enumerate() {
        match fluent.recipe {
            Recipe::Copy(of) => ports[at].now = ports[of].now,
            Recipe::Constant(truth) => ports[at].initially = truth,
            Recipe::Carried | Recipe::Observed => {}
        }
    }
    ports
}

/// The atoms in the order in which they can be computed, those that depend on each other together.
fn atom_components(rules: &GroundRules) -> Vec<Vec<AtomId>> {
    let mut edges = Vec::with_capacity(rules.rules.literal_count());
    for (head, body) in rules.rules.iter() {
        edges.extend(body.iter().map(|literal| (head as usize, literal.atom() as usize)));
    }
    let members = |found: Vec<usize>| {
        let mut atoms: Vec<AtomId> = found.into_iter().map(|atom| atom as AtomId).collect();
        atoms.sort_unstable();
        atoms
    };
    components(rules.atoms.len(), edges).into_iter().map(members).collect()
}
