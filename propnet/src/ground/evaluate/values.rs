//! The truth of atoms in one situation, computed component by component.
//!
//! A loop has the least fixpoint of its rules. A loop with negation inside is computed as its
//! well-founded model: over- and underestimates alternate until they meet; an atom they do not
//! agree on depends on its own negation.
//!
//! The alternating fixpoint: Van Gelder 1993.

use super::order::{ComponentId, ComponentKind, ComponentOrder};
use crate::ground::rules::{AtomId, RuleTable};

/// The number of unmet conditions of a rule that cannot apply at all.
const NEVER: u32 = u32::MAX;

/// A rule for an atom whose truth is open.
pub(super) struct Undefined(pub(super) usize);

/// What is true, as far as it was asked for.
pub(super) struct AtomValues {
    /// By atom. Inputs are set from outside; the rest means nothing before it is computed.
    pub(super) truth: Vec<bool>,
    /// By atom: what negated conditions inside a loop take to be true.
    assumed: Vec<bool>,
    /// By rule: conditions inside its loop that are not met yet.
    missing: Vec<u32>,
    /// By component: whether its atoms are computed.
    done: Vec<bool>,
}

impl AtomValues {
    /// Nothing is true, nothing computed.
    pub(super) fn new(atoms: usize, rules: usize, components: usize) -> Self {
        AtomValues {
            truth: vec![false; atoms],
            assumed: vec![false; atoms],
            missing: vec![NEVER; rules],
            done: vec![false; components],
        }
    }

    /// Forgets all that was computed.
    pub(super) fn forget(&mut self) {
        self.done.fill(false);
    }

    /// Forgets what depends on the moves.
    pub(super) fn forget_moves(&mut self, order: &ComponentOrder) {
        for (done, &on_moves) in self.done.iter_mut().zip(&order.on_moves) {
            *done &= !on_moves;
        }
    }

    /// Computes what is not computed yet of a cone.
    pub(super) fn ask(
        &mut self,
        cone: &[ComponentId],
        order: &ComponentOrder,
        rules: &RuleTable,
    ) -> Result<(), Undefined> {
        for &component in cone {
            if !self.done[component as usize] {
                self.compute(component, order, rules)?;
                self.done[component as usize] = true;
            }
        }
        Ok(())
    }

    fn compute(
        &mut self,
        component: ComponentId,
        order: &ComponentOrder,
        rules: &RuleTable,
    ) -> Result<(), Undefined> {
        let clauses = order.rules.of(component);
        if clauses.is_empty() {
            return Ok(()); // an input, or never true
        }
        match order.kinds[component as usize] {
            ComponentKind::Single => {
                let head = rules.head(clauses[0] as usize);
                self.truth[head as usize] = clauses.iter().any(|&rule| {
                    let mut body = rules.body(rule as usize).iter();
                    body.all(|literal| self.truth[literal.atom() as usize] != literal.negated())
                });
            }
            ComponentKind::Loop => {
                self.least_fixpoint(component, order, rules);
            }
            ComponentKind::NegativeLoop => self.well_founded(component, order, rules)?,
        }
        Ok(())
    }

    /// The least truth under the rules of a component, with `assumed` for negated conditions
    /// inside of it. Returns how many atoms are true.
    ///
    /// Each rule counts its unmet conditions down, so the time is linear in the rules.
    fn least_fixpoint(
        &mut self,
        component: ComponentId,
        order: &ComponentOrder,
        rules: &RuleTable,
    ) -> usize {
        for &atom in order.atoms.of(component) {
            self.truth[atom as usize] = false;
        }
        let mut found: Vec<AtomId> = Vec::new();
        for &rule in order.rules.of(component) {
            self.missing[rule as usize] = self.count_inside(rule as usize, order, rules);
        }
        for &rule in order.rules.of(component) {
            if self.missing[rule as usize] == 0 {
                self.conclude(rules.head(rule as usize), &mut found);
            }
        }
        let mut at = 0;
        while at < found.len() {
            for &rule in order.readers.of(found[at]) {
                let missing = &mut self.missing[rule as usize];
                if *missing != NEVER {
                    *missing -= 1;
                    if *missing == 0 {
                        self.conclude(rules.head(rule as usize), &mut found);
                    }
                }
            }
            at += 1;
        }
        found.len()
    }

    fn conclude(&mut self, atom: AtomId, found: &mut Vec<AtomId>) {
        if !std::mem::replace(&mut self.truth[atom as usize], true) {
            found.push(atom);
        }
    }

    /// How many positive conditions a rule has in its own component, or that one outside of it,
    /// or a negated one, makes it never apply.
    fn count_inside(&self, rule: usize, order: &ComponentOrder, rules: &RuleTable) -> u32 {
        let component = order.component_of[rules.head(rule) as usize];
        let mut inside = 0;
        for literal in rules.body(rule) {
            let atom = literal.atom();
            let met = match (order.is_in(atom, component), literal.negated()) {
                (false, negated) => self.truth[atom as usize] != negated,
                (true, true) => !self.assumed[atom as usize],
                (true, false) => {
                    inside += 1;
                    true
                }
            };
            if !met {
                return NEVER;
            }
        }
        inside
    }

    fn well_founded(
        &mut self,
        component: ComponentId,
        order: &ComponentOrder,
        rules: &RuleTable,
    ) -> Result<(), Undefined> {
        let atoms = order.atoms.of(component);
        for &atom in atoms {
            self.assumed[atom as usize] = false;
        }
        // The most that can hold while nothing is known to hold, the least that holds then, and
        // so on, each estimate from the one before.
        let mut most = self.least_fixpoint(component, order, rules);
        loop {
            self.assume(atoms);
            let least = self.least_fixpoint(component, order, rules);
            self.assume(atoms);
            let now = self.least_fixpoint(component, order, rules);
            if now == least {
                return Ok(());
            }
            if now == most {
                let open = |rule: usize| {
                    let head = rules.head(rule) as usize;
                    self.truth[head] && !self.assumed[head]
                };
                let clauses = order.rules.of(component).iter().map(|&rule| rule as usize);
                let first = clauses.filter(|&rule| open(rule));
                let first = first.min_by_key(|&rule| (rules.origin(rule), rule));
                return Err(Undefined(first.expect("estimates of different size differ")));
            }
            most = now;
        }
    }

    /// What was just found becomes what is assumed.
    fn assume(&mut self, atoms: &[AtomId]) {
        for &atom in atoms {
            self.assumed[atom as usize] = self.truth[atom as usize];
        }
    }
}
