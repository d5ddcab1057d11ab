//! Relations that list the ground instances of rules.
//!
//! The arms of an `or` lead to different sentences, so a rule is listed by cases: each takes one
//! arm of every choice.

use rustc_hash::{FxHashMap, FxHashSet};

use super::choice::for_each_slot;
use super::clause::{Clause, ClauseCondition, Pattern, RelationId, Relations, Sentence};
use crate::gdl::{Span, Symbol};
use crate::terms::TermId;

/// A rule with more cases than this is not listed.
const MAX_CASES: usize = 1_000;

/// All listed rules together may have this many cases.
const MAX_LISTINGS: usize = 100_000;

/// One case of a rule, and the relation that has a row for each of its instances.
pub(super) struct Listing {
    pub(super) relation: RelationId,
    pub(super) head: Sentence,
    /// Without choices.
    pub(super) body: Vec<ClauseCondition>,
    /// The slots that the case has, which are the columns of the relation.
    columns: Vec<usize>,
    slots: usize,
    span: Span,
}

/// The listings of each rule; `None` where there would be too many.
pub(super) fn listings(
    clauses: &[Clause],
    rules: &FxHashSet<usize>,
    relations: &mut Relations,
) -> FxHashMap<usize, Option<Vec<Listing>>> {
    let mut rules: Vec<usize> = rules.iter().copied().collect();
    rules.sort_unstable();
    let mut made = 0;
    let mut list = |rule: usize| {
        let cases = cases(&clauses[rule].body, MAX_CASES.min(MAX_LISTINGS - made))?;
        let listings = cases.into_iter().map(|body| {
            made += 1;
            listing(&clauses[rule], body, made, relations)
        });
        Some(listings.collect())
    };
    rules.into_iter().map(|rule| (rule, list(rule))).collect()
}

fn listing(
    clause: &Clause,
    body: Vec<ClauseCondition>,
    number: usize,
    relations: &mut Relations,
) -> Listing {
    let mut used = vec![false; clause.slots];
    for condition in &body {
        for_each_slot(condition, &mut |slot| used[slot] = true);
    }
    let columns: Vec<usize> = (0..clause.slots).filter(|&slot| used[slot]).collect();
    // No sheet has that many symbols, so the name is free.
    let name = Symbol(u32::MAX - number as u32);
    let (relation, _) = relations.insert_full((name, columns.len()));
    let (head, slots, span) = (clause.head.clone(), clause.slots, clause.span);
    Listing { relation, head, body, columns, slots, span }
}

impl Listing {
    /// The clause that makes the rows.
    pub(super) fn clause(&self) -> Clause {
        let args = self.columns.iter().map(|&slot| Pattern::Slot(slot)).collect();
        let head = Sentence { relation: self.relation, args };
        Clause { head, body: self.body.clone(), slots: self.slots, span: self.span }
    }

    /// The values of the rule's slots in a row; slots that the case does not have stay open.
    pub(super) fn values(&self, row: &[TermId]) -> Vec<TermId> {
        let mut values = vec![TermId(0); self.slots];
        for (&slot, &value) in self.columns.iter().zip(row) {
            values[slot] = value;
        }
        values
    }
}

/// Every way through the choices of a body; `None` if there are more than `limit`.
fn cases(body: &[ClauseCondition], limit: usize) -> Option<Vec<Vec<ClauseCondition>>> {
    let mut cases: Vec<Vec<ClauseCondition>> = vec![Vec::new()];
    for condition in body {
        let ClauseCondition::Either(arms) = condition else {
            cases.iter_mut().for_each(|case| case.push(condition.clone()));
            continue;
        };
        let mut longer = Vec::new();
        for arm in arms {
            for part in self::cases(arm, limit)? {
                if longer.len() + cases.len() > limit {
                    return None;
                }
                longer.extend(cases.iter().map(|case| [case.as_slice(), &part].concat()));
            }
        }
        cases = longer;
    }
    Some(cases)
}
