//! What is constant in all reachable states: atoms, fluents and moves at once.
//!
//! For each atom two questions: can it be true, can it be false, in any reachable state or step?
//! Both start with "no" and are answered "yes" by events, from the initial state on, with the
//! moves unknown:
//!
//! - a literal that can hold may complete the body of a rule: its head can be true;
//! - a literal that can fail may spoil a rule; if all rules of a head can fail, it can be false;
//! - a fluent can be what it is initially, and whatever its `next` can be;
//! - a move can be made if it can be legal, and left if its role has another one.
//!
//! Answers only turn from "no" to "yes", each literal is counted once per answer: linear work.
//!
//! Why the answers hold. "Cannot be true" is a least fixpoint: by induction over the steps from
//! the start and over the derivation of an atom in one state, what is true was reached by events;
//! loops without support from outside never are. "Cannot be false" is not so simple, since a loop
//! may support itself: such claims are checked by deriving the claimed atoms from each other, and
//! those not derived are taken back.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::super::rules::{AtomId, GroundLiteral, Recipe};
use super::report::SharpenReport;
use super::rewrite::{Put, rewrite};
use super::work::{AtomKind, Occurrences, SharpenWork, Stopped, Ticker};

/// Removes all that is constant, if there may be anything.
pub(super) fn settle_values(
    work: &mut SharpenWork,
    report: &mut SharpenReport,
    ticker: &mut Ticker,
) -> Result<(), Stopped> {
    if !std::mem::replace(&mut work.unsettled, false) {
        return Ok(());
    }
    let mut values = PossibleValues::new(work);
    values.start();
    values.run(ticker)?;
    let PossibleValues { can, occurrences, rules, .. } = values;
    drop(rules);
    let mut puts = Put::for_atoms(work.atom_count());
    let mut changed = false;
    for (atom, put) in puts.put.iter_mut().enumerate() {
        *put = match (can[2 * atom], can[2 * atom + 1]) {
            (true, true) => continue,
            (can_be_true, _) if can_be_true => Put::True,
            _ => Put::False,
        };
        let (rules, literals) = (work.rules_of(atom as AtomId), work.bodies_of(atom as AtomId));
        let is_helper = work.kinds[atom] == AtomKind::Helper;
        report.known += (is_helper && !rules.is_empty()) as usize;
        let is_fact = rules.len() == 1 && literals.is_empty();
        changed |= occurrences.is_read(atom as AtomId);
        // An output that is a fact already stays as it is.
        changed |= !rules.is_empty() && (is_helper || !is_fact);
    }
    for (fluent, &atom) in work.true_atoms.iter().enumerate() {
        let value = match puts.put[atom as usize] {
            Put::True => true,
            Put::False => false,
            _ => continue,
        };
        // A copy has no rules of its own; what it equals decides.
        if work.is_carried(fluent as u32) {
            work.ground.fluents[fluent].recipe = Recipe::Constant(value);
            changed |= value;
        }
    }
    if changed { rewrite(work, &mut puts, ticker) } else { Ok(()) }
}

struct PossibleValues<'a> {
    work: &'a SharpenWork,
    occurrences: Occurrences,
    /// By literal: whether it can hold.
    can: Vec<bool>,
    /// Literals that can hold since recently.
    events: VecDeque<u32>,
    rules: Vec<RuleState>,
    /// By atom: rules that cannot fail yet.
    firm: Vec<u32>,
    /// By role: the only move that can be legal so far, or how many more.
    choices: Vec<LegalChoices>,
}

/// Literals that cannot hold yet, and in the lowest bit whether the rule can fail: side by side,
/// since for large sheets each look is a cache miss.
struct RuleState(u32);

impl RuleState {
    const FAILING: u32 = 1;
    const ONE: u32 = 2;

    fn is_failing(&self) -> bool {
        self.0 & Self::FAILING != 0
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LegalChoices {
    None,
    One(u32),
    Many,
}

impl<'a> PossibleValues<'a> {
    fn new(work: &'a SharpenWork) -> Self {
        let state =
            |(_, body): (AtomId, &[GroundLiteral])| RuleState(RuleState::ONE * body.len() as u32);
        PossibleValues {
            work,
            occurrences: Occurrences::of(work),
            can: vec![false; 2 * work.atom_count()],
            events: VecDeque::new(),
            rules: work.rules.iter().map(state).collect(),
            firm: (0..work.atom_count() as AtomId).map(|a| work.rules_of(a).len() as u32).collect(),
            choices: vec![LegalChoices::None; work.ground.roles.len()],
        }
    }

    /// The initial state; facts; atoms without rules; atoms that nothing can be said about.
    fn start(&mut self) {
        for (atom, &kind) in self.work.kinds.iter().enumerate() {
            match kind {
                AtomKind::True(fluent) => {
                    let value = self.work.fluents()[fluent as usize].initially;
                    self.can_be(atom as AtomId, value);
                }
                AtomKind::Does(_) => {}
                _ if self.work.unstable[atom] => {
                    self.can_be(atom as AtomId, true);
                    self.can_be(atom as AtomId, false);
                }
                _ if self.firm[atom] == 0 => self.can_be(atom as AtomId, false),
                _ => {}
            }
        }
        for rule in 0..self.rules.len() {
            if self.rules[rule].0 == 0 {
                self.can_be(self.work.rules.head(rule), true);
            }
        }
    }

    /// Lets events happen until none is left and every claim is justified.
    fn run(&mut self, ticker: &mut Ticker) -> Result<(), Stopped> {
        loop {
            // First come, first served: on large sheets twice as fast as last come, since events
            // that are near each other in the tables stay so in time.
            while let Some(event) = self.events.pop_front() {
                self.happen(event as usize, ticker)?;
            }
            self.release_idle_roles();
            if self.events.is_empty() {
                self.take_back_claims(ticker)?;
            }
            if self.events.is_empty() {
                self.release_undecided();
            }
            if self.events.is_empty() {
                return Ok(());
            }
        }
    }

    fn can_be(&mut self, atom: AtomId, value: bool) {
        let code = (atom as usize) << 1 | !value as usize;
        if !std::mem::replace(&mut self.can[code], true) {
            self.events.push_back(code as u32);
        }
    }

    /// The literal can hold, and so its complement can fail.
    fn happen(&mut self, code: usize, ticker: &mut Ticker) -> Result<(), Stopped> {
        for at in 0..self.occurrences.of_code(code).len() {
            let rule = self.occurrences.of_code(code)[at] as usize;
            let state = &mut self.rules[rule];
            state.0 -= RuleState::ONE;
            if state.0 < RuleState::ONE {
                self.can_be(self.work.rules.head(rule), true);
            }
        }
        for at in 0..self.occurrences.of_code(code ^ 1).len() {
            let rule = self.occurrences.of_code(code ^ 1)[at] as usize;
            let state = &mut self.rules[rule];
            if !state.is_failing() {
                state.0 |= RuleState::FAILING;
                let head = self.work.rules.head(rule);
                self.firm[head as usize] -= 1;
                if self.firm[head as usize] == 0 {
                    self.can_be(head, false);
                }
            }
        }
        let value = code & 1 == 0;
        match self.work.kinds[code >> 1] {
            AtomKind::Next(fluent) => self.can_be(self.work.true_atoms[fluent as usize], value),
            AtomKind::Legal(legal) if value => self.can_be_made(legal),
            _ => {}
        }
        let both = self.occurrences.of_code(code).len() + self.occurrences.of_code(code ^ 1).len();
        ticker.tick(1 + both)
    }

    /// The move can be made. With the first one, each other move of the role can be left; with
    /// the second one, the first can be left as well. A role that never has a choice does its
    /// only move in every step.
    fn can_be_made(&mut self, legal: u32) {
        self.can_be(self.work.does_atoms[legal as usize], true);
        let role = self.work.role_of_move[legal as usize];
        match self.choices[role as usize] {
            LegalChoices::None => {
                self.choices[role as usize] = LegalChoices::One(legal);
                self.leave_moves(role, Some(legal));
            }
            LegalChoices::One(first) => {
                self.choices[role as usize] = LegalChoices::Many;
                self.can_be(self.work.does_atoms[first as usize], false);
            }
            LegalChoices::Many => {}
        }
    }

    fn leave_moves(&mut self, role: u32, but: Option<u32>) {
        for (other, &its_role) in self.work.role_of_move.iter().enumerate() {
            if its_role == role && Some(other as u32) != but {
                self.can_be(self.work.does_atoms[other], false);
            }
        }
    }

    /// A role without any move: there is no step, and its moves are false rather than anything.
    fn release_idle_roles(&mut self) {
        for role in 0..self.choices.len() {
            if self.choices[role] == LegalChoices::None {
                self.leave_moves(role as u32, None);
            }
        }
    }

    /// Derives the atoms that so far cannot be false, from rules that so far cannot fail. What
    /// is not derived holds itself up by a loop, and can be false.
    fn take_back_claims(&mut self, ticker: &mut Ticker) -> Result<(), Stopped> {
        let work = self.work;
        // Inputs are given: a constant one by induction over the steps.
        let claimed =
            |can: &[bool], atom: usize| !can[2 * atom + 1] && work.kinds[atom].is_derived();
        let mut derived = vec![false; work.atom_count()];
        // By rule: claimed atoms in the body that are not derived yet. Few rules have any.
        let mut waiting: FxHashMap<u32, u32> = FxHashMap::default();
        let mut open = Vec::new();
        for (atom, derived) in derived.iter_mut().enumerate() {
            if !claimed(&self.can, atom) {
                continue;
            }
            for rule in work.rules_of(atom as AtomId).filter(|&rule| !self.rules[rule].is_failing())
            {
                let reads = work.rules.body(rule).iter().filter(|literal| {
                    !literal.negated() && work.kinds[literal.atom() as usize].is_derived()
                });
                let reads = reads.count() as u32;
                if reads > 0 {
                    waiting.insert(rule as u32, reads);
                } else if !std::mem::replace(derived, true) {
                    open.push(atom);
                }
            }
        }
        while let Some(atom) = open.pop() {
            ticker.tick(1)?;
            for &rule in self.occurrences.of_code(2 * atom) {
                let head = work.rules.head(rule as usize) as usize;
                if self.rules[rule as usize].is_failing() || !claimed(&self.can, head) {
                    continue;
                }
                let Some(reads) = waiting.get_mut(&rule) else { continue };
                *reads -= 1;
                if *reads == 0 && !std::mem::replace(&mut derived[head], true) {
                    open.push(head);
                }
            }
        }
        for (atom, derived) in derived.into_iter().enumerate() {
            if claimed(&self.can, atom) && !derived {
                self.can_be(atom as AtomId, false);
            }
        }
        Ok(())
    }

    /// Nothing was found out about these: be careful.
    fn release_undecided(&mut self) {
        for atom in 0..self.work.atom_count() {
            if !self.can[2 * atom] && !self.can[2 * atom + 1] {
                self.can_be(atom as AtomId, true);
                self.can_be(atom as AtomId, false);
            }
        }
    }
}
