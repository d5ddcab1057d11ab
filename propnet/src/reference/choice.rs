//! What a choice (`or`) binds, judged by its form alone.

use super::clause::{ClauseCondition, Pattern};

/// Finds what conjunctions and choices bind, within a budget of conditions looked at.
pub(super) struct Closing {
    pub(super) budget: usize,
}

impl Closing {
    /// What is bound after a choice whichever arm was taken; `None` if an arm has a test that
    /// lacks a variable.
    pub(super) fn common(
        &mut self,
        arms: &[Vec<ClauseCondition>],
        bound: &[bool],
    ) -> Option<Vec<bool>> {
        let mut common: Option<Vec<bool>> = None;
        for arm in arms {
            let mut behind = bound.to_vec();
            self.close(arm, &mut behind)?;
            match &mut common {
                None => common = Some(behind),
                Some(common) => {
                    common.iter_mut().zip(behind).for_each(|(both, arm)| *both &= arm);
                }
            }
        }
        common
    }

    /// Binds all that a conjunction can; `None` if that is not enough for its tests.
    fn close(&mut self, body: &[ClauseCondition], bound: &mut [bool]) -> Option<()> {
        self.budget = self.budget.checked_sub(body.len() + 1)?;
        let mut choices = Vec::new();
        for condition in body {
            match condition {
                ClauseCondition::Fact { negated: false, .. } => {
                    for_each_slot(condition, &mut |slot| bound[slot] = true);
                }
                ClauseCondition::Either(arms) => choices.push(arms),
                ClauseCondition::Fact { .. } | ClauseCondition::Compare { .. } => {}
            }
        }
        // A choice may need what another one binds.
        while !choices.is_empty() {
            let before = choices.len();
            choices.retain(|arms| match self.common(arms, bound) {
                Some(common) => {
                    bound.copy_from_slice(&common);
                    false
                }
                None => true,
            });
            if choices.len() == before {
                return None;
            }
        }
        let mut tests =
            body.iter().filter(|condition| !matches!(condition, ClauseCondition::Either(_)));
        tests.all(|condition| ready(condition, bound)).then_some(())
    }
}

/// Whether all variables of a condition are bound.
pub(super) fn ready(condition: &ClauseCondition, bound: &[bool]) -> bool {
    let mut ready = true;
    for_each_slot(condition, &mut |slot| ready &= bound[slot]);
    ready
}

/// Calls `visit` for each slot in the condition.
pub(super) fn for_each_slot(condition: &ClauseCondition, visit: &mut dyn FnMut(usize)) {
    let mut visit_all = |patterns: &[Pattern]| {
        for pattern in patterns {
            pattern.for_each_slot(visit);
        }
    };
    match condition {
        ClauseCondition::Fact { sentence, .. } => visit_all(&sentence.args),
        ClauseCondition::Compare { left, right, .. } => {
            left.for_each_slot(visit);
            right.for_each_slot(visit);
        }
        ClauseCondition::Either(arms) => {
            for condition in arms.iter().flatten() {
                for_each_slot(condition, visit);
            }
        }
    }
}
