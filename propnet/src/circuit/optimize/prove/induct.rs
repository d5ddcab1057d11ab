//! Proof by induction: claims that hold at the start, and in every state that can follow one in
//! which all of them hold, hold in all states.
//!
//! All claims are assumed together, and those that fail are dropped, until none fails. A failure
//! comes with a state in which all claims hold and a step that breaks one; play goes on from there
//! at random, and drops whatever else does not last, at much less cost than a question.
//!
//! Each question has its own clauses: the gates that the claim depends on, and what is claimed
//! about the fluents that these read. Whatever the answer then shows to be missing is added.
//!
//! The largest set of claims that is inductive as a whole, as in van Eijk 2000 for equal signals
//! and in Houdini (Flanagan and Leino 2001) for annotations.

use batsat::Lit;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::super::super::budget::WorkBudget;
use super::super::super::circuit::{Circuit, FluentKind, FluentPort};
use super::super::super::network::Signal;
use super::super::pass::PassWork;
use super::super::simulate::{Simulator, States, initial_states};
use super::claims::{ClaimPlace, Claims, Same};
use super::encode::{Said, StepEncoder, add_code, new_code};
use super::stage::ProofStage;
use crate::circuit::solver::Answer;

/// What part of all work a claim may take before it is given up.
const SHARE: u64 = 4;

/// Steps of random play from a state that broke a claim, and how many may break nothing more.
const BURST: usize = 64;
const PATIENCE: usize = 3;

/// Proves claims about a circuit.
pub(crate) struct Prover<'a> {
    pub(super) circuit: &'a Circuit,
    pub(super) simulator: Simulator<'a>,
    pub(super) encoder: StepEncoder<'a>,
    initial: States,
    /// The claims that are part of the question, with literals that stand for them.
    assumed: IndexMap<ClaimPlace, Lit, FxBuildHasher>,
    /// Work that may be done.
    pub(super) effort: u64,
    pub(super) budget: &'a WorkBudget<'a>,
}

/// What became of a claim.
enum ClaimOutcome {
    /// It is proven, given those that were assumed.
    Proven,
    /// This claim or others were dropped, or say less than before.
    Weakened,
    /// It could not be proven.
    GivenUp,
}

/// What became of an example.
enum ReplayVerdict {
    /// The step is none of the game. Perhaps the solver now knows more about why.
    Impossible { said_more: bool },
    /// The simulator is in the states after the step; the moves that the example had.
    Played(Vec<Option<u32>>),
}

impl<'a> Prover<'a> {
    /// A prover that may do as much as a pass may, and as is left.
    pub(in super::super) fn new(circuit: &'a Circuit, work: PassWork<'a>) -> Self {
        let (params, budget) = (work.params, work.budget);
        let effort = params.proof_effort.min(budget.proofs());
        Prover {
            circuit,
            simulator: Simulator::new(circuit, params.seed, budget),
            encoder: StepEncoder::new(circuit, budget),
            initial: initial_states(circuit),
            assumed: IndexMap::default(),
            effort,
            budget,
        }
    }

    /// What is left of the claims, all of it proven.
    pub(crate) fn prove(&mut self, claims: Claims) -> Claims {
        let mut order = claims.places();
        order.sort_by_key(|&place| self.cost(&claims, place));
        let mut stage = ProofStage::new(claims, order, self.circuit.fluents.len());
        stage.weaken(&self.initial);
        while !self.is_spent() {
            let Some(place) = stage.next_open() else { break };
            match self.check(&mut stage, place) {
                ClaimOutcome::Proven => {}
                ClaimOutcome::Weakened => stage.put_off(place),
                ClaimOutcome::GivenUp => stage.drop(place),
            }
        }
        stage.finished()
    }

    /// Whether all work was done that may be done.
    pub(super) fn is_spent(&self) -> bool {
        self.budget.is_stopped() || self.simulator.effort() + self.encoder.effort() >= self.effort
    }

    /// About how much there is to look at.
    fn cost(&self, claims: &Claims, place: ClaimPlace) -> usize {
        let next = |fluent: u32| self.circuit.fluents[fluent as usize].next.node();
        let inputs = |fluent: u32| self.circuit.network.inputs(next(fluent)).len();
        claims.fluents(place).into_iter().map(inputs).sum()
    }

    /// Proves a claim, or weakens the claims by states that break some.
    fn check(&mut self, stage: &mut ProofStage, place: ClaimPlace) -> ClaimOutcome {
        self.begin();
        let breaks = self.encode_break(&stage.claims, place);
        let goes_on = self.encoder.goes_on();
        let mut looked_at = 0;
        loop {
            self.assume_about(stage, &mut looked_at);
            match self.ask(&[goes_on, breaks]) {
                Answer::Never => {
                    let is_used = |literal: &Lit| self.encoder.solver.was_needed(*literal);
                    let used = self.assumed.iter().filter(|(_, literal)| is_used(literal));
                    stage.proven(place, used.map(|(&place, _)| place));
                    return ClaimOutcome::Proven;
                }
                Answer::Unknown => return ClaimOutcome::GivenUp,
                Answer::Possible => {}
            }
            let state = self.example();
            if self.assume_broken(stage, &state) {
                continue;
            }
            match self.replay(&state) {
                ReplayVerdict::Impossible { said_more: true } => {}
                ReplayVerdict::Impossible { said_more: false } => return ClaimOutcome::GivenUp,
                ReplayVerdict::Played(made) => {
                    if self.weaken(stage) {
                        return ClaimOutcome::Weakened;
                    }
                    // The example may have rested on a role that makes no move.
                    let idle = (0..made.len()).filter(|&role| made[role].is_none());
                    let roles: Vec<u32> = idle.map(|role| role as u32).collect();
                    if !self.say_all(roles.into_iter().map(Said::SomeMove)) {
                        return ClaimOutcome::GivenUp;
                    }
                }
            }
        }
    }

    /// Begins a new question.
    pub(super) fn begin(&mut self) {
        self.encoder.begin();
        self.assumed.clear();
    }

    /// Whether all of these can be true where the assumed claims hold.
    pub(super) fn ask(&mut self, literals: &[Lit]) -> Answer {
        let mut question = literals.to_vec();
        question.extend(self.assumed.values());
        self.encoder.solver.ask(&question, self.effort / SHARE)
    }

    /// Assumes what is claimed about the fluents that came into the question.
    pub(super) fn assume_about(&mut self, stage: &ProofStage, looked_at: &mut usize) {
        for at in *looked_at..self.encoder.fluents().len() {
            let fluent = self.encoder.fluents()[at];
            for place in stage.about(fluent) {
                self.assume(&stage.claims, place);
            }
        }
        // Claims bring more fluents into the question, but these only serve the claims.
        *looked_at = self.encoder.fluents().len();
    }

    /// Assumes what does not hold in an example. False if all does.
    pub(super) fn assume_broken(&mut self, stage: &ProofStage, state: &States) -> bool {
        let broken = stage.claims.broken(state);
        let new = broken.iter().filter(|&&place| self.assume(&stage.claims, place));
        new.count() > 0
    }

    /// Makes a claim part of the question. False if it is.
    fn assume(&mut self, claims: &Claims, place: ClaimPlace) -> bool {
        if self.assumed.contains_key(&place) {
            return false;
        }
        let holds = self.encode_claim(claims, place);
        self.assumed.insert(place, holds);
        true
    }

    fn say_all(&mut self, what: impl Iterator<Item = Said>) -> bool {
        what.filter(|&what| self.encoder.say(what)).count() > 0
    }

    /// Plays the step of the solver's example on the circuit itself.
    fn replay(&mut self, state: &States) -> ReplayVerdict {
        self.simulator.start_at(state);
        if self.simulator.holds(self.circuit.terminal) != 0 {
            return ReplayVerdict::Impossible { said_more: self.encoder.say(Said::Terminal) };
        }
        let made = self.encoder.moves_made();
        let mut illegal = Vec::new();
        for (role, &made) in made.iter().enumerate() {
            let legal = made.map(|at| self.circuit.moves[role][at as usize].legal);
            if let (Some(at), Some(legal)) = (made, legal)
                && self.simulator.holds(legal) == 0
            {
                illegal.push(Said::Legal(role as u32, at));
            }
        }
        if illegal.is_empty() && self.simulator.goes_on() == 0 {
            illegal.extend((0..made.len() as u32).map(Said::SomeMove));
        }
        if !illegal.is_empty() {
            return ReplayVerdict::Impossible { said_more: self.say_all(illegal.into_iter()) };
        }
        self.simulator.step_with(&made);
        ReplayVerdict::Played(made)
    }

    /// The state of the solver's example, 64 times. What it says nothing about is as at the start.
    pub(super) fn example(&self) -> States {
        let word = |(fluent, port): (usize, &FluentPort)| match self.encoder.is_true(port.now) {
            Some(truth) if port.kind == FluentKind::Carried => 0u64.wrapping_sub(truth as u64),
            _ => self.initial[fluent],
        };
        self.circuit.fluents.iter().enumerate().map(word).collect()
    }

    /// Drops what the states of the simulator refute, and those that follow. False if there is
    /// nothing.
    fn weaken(&mut self, stage: &mut ProofStage) -> bool {
        if !stage.weaken(self.simulator.now()) {
            return false;
        }
        let states = self.simulator.now().clone();
        self.simulator.start_at(&states);
        let mut patience = PATIENCE;
        for _ in 0..BURST {
            self.simulator.step();
            patience = if stage.weaken(self.simulator.now()) { PATIENCE } else { patience - 1 };
            if patience == 0 {
                break;
            }
        }
        // A group that lost the member that is true at the start has no longer always one.
        stage.weaken(&self.initial);
        true
    }

    /// A literal that is true only where the claim holds now.
    fn encode_claim(&mut self, claims: &Claims, place: ClaimPlace) -> Lit {
        let holds = self.encoder.solver.literal();
        match place {
            ClaimPlace::Same(fluent) => {
                let (one, other) = self.pair(claims, fluent, Self::now);
                self.encoder.solver.clause(&[!holds, !one, other]);
                self.encoder.solver.clause(&[!holds, one, !other]);
            }
            ClaimPlace::Apart(group) => {
                let members = &claims.groups[group].members;
                let code = new_code(&mut self.encoder.solver, members.len());
                for (number, &member) in members.iter().enumerate() {
                    let member = self.now(member);
                    add_code(&mut self.encoder.solver, &code, &[holds, member], number);
                }
            }
            ClaimPlace::Some(group) => {
                let members = claims.groups[group].members.iter();
                let mut clause = vec![!holds];
                clause.extend(members.map(|&member| self.now(member)));
                self.encoder.solver.clause(&clause);
            }
        }
        holds
    }

    /// A literal that is true only where the claim will not hold in the next state.
    fn encode_break(&mut self, claims: &Claims, place: ClaimPlace) -> Lit {
        let breaks = self.encoder.solver.literal();
        match place {
            ClaimPlace::Same(fluent) => {
                let (one, other) = self.pair(claims, fluent, Self::next);
                self.encoder.solver.clause(&[!breaks, one, other]);
                self.encoder.solver.clause(&[!breaks, !one, !other]);
            }
            ClaimPlace::Apart(group) => self.encode_two(breaks, &claims.groups[group].members),
            ClaimPlace::Some(group) => {
                for &member in &claims.groups[group].members {
                    let member = self.next(member);
                    self.encoder.solver.clause(&[!breaks, !member]);
                }
            }
        }
        breaks
    }

    /// Two of the members will be true: one of them, and one that comes before it.
    fn encode_two(&mut self, two: Lit, members: &[u32]) {
        let mut clause = vec![!two];
        let mut before: Option<Lit> = None;
        for &member in members {
            let member = self.next(member);
            let solver = &mut self.encoder.solver;
            let any = solver.literal();
            match before {
                None => solver.clause(&[!any, member]),
                Some(before) => {
                    let second = solver.literal();
                    solver.clause(&[!second, member]);
                    solver.clause(&[!second, before]);
                    clause.push(second);
                    solver.clause(&[!any, before, member]);
                }
            }
            before = Some(any);
        }
        self.encoder.solver.clause(&clause);
    }

    /// A fluent, and what it is said to be.
    fn pair(
        &mut self,
        claims: &Claims,
        fluent: usize,
        of: impl Fn(&mut Self, u32) -> Lit,
    ) -> (Lit, Lit) {
        let never = Same { leader: None, opposite: false };
        let same = claims.same[fluent].unwrap_or(never);
        let leader = match same.leader {
            Some(leader) => of(self, leader),
            None => self.encoder.literal(Signal::FALSE),
        };
        (of(self, fluent as u32), if same.opposite { !leader } else { leader })
    }

    fn now(&mut self, fluent: u32) -> Lit {
        self.encoder.literal(self.circuit.fluents[fluent as usize].now)
    }

    fn next(&mut self, fluent: u32) -> Lit {
        self.encoder.literal(self.circuit.fluents[fluent as usize].next)
    }
}
