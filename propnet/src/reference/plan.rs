//! Join plans: what a plan consists of, and how rows are matched with sentences.

use smallvec::smallvec;

use super::clause::{ClauseCondition, Pattern, RelationId, Sentence};
use super::facts::{IndexAccess, Path};
use crate::terms::TermId;

/// Which solutions of a clause a plan finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PlanKind {
    /// All of them.
    Whole,
    /// Those that use a new row of the so-many-th positive sentence of the body.
    Delta(usize),
    /// Those whose conclusion has given values in the arguments of the mask.
    Asked(u64),
}

/// How to find solutions of a clause.
#[derive(Debug)]
pub(super) struct ClausePlan {
    /// What the given values must look like, and where they go.
    pub(super) given: (IndexAccess, Vec<KeyPart>, RowBinding),
    pub(super) steps: Vec<ClauseStep>,
    /// The sizes of the relations when the plan was made.
    pub(super) sizes: Vec<(RelationId, usize)>,
}

/// One step of a join; a solution passes all of them.
#[derive(Debug)]
pub(super) enum ClauseStep {
    /// Go through the rows of an index that have the key.
    LookUp {
        relation: RelationId,
        index: usize,
        key: Vec<KeyPart>,
        /// Whole arguments that are known: their column and their position in the key.
        known: Vec<(usize, usize)>,
        row: RowBinding,
    },
    /// Go through the rows of the current delta of a recursive relation.
    Delta { relation: RelationId, access: IndexAccess, key: Vec<KeyPart>, row: RowBinding },
    /// Go on only if the sentence is (or, negated, is not) a fact.
    Test { sentence: Sentence, negated: bool },
    /// Go on only if the terms are equal (or not).
    Compare { left: Pattern, right: Pattern, equal: bool },
    /// Go on once for each solution of each arm.
    Either(Vec<Vec<ClauseStep>>),
    /// Go on only if some arm has a solution; it gives nothing that is used afterwards.
    Any(Vec<Vec<ClauseStep>>),
    /// The end of an arm of [`ClauseStep::Any`].
    Found,
    /// The conclusion is known from here on: one solution of the steps after it is enough.
    Once,
}

/// What a row gives to the slots, and which slots it must agree with.
#[derive(Debug, Default)]
pub(super) struct RowBinding {
    pub(super) bind: Vec<(Path, usize)>,
    pub(super) agree: Vec<(Path, usize)>,
}

/// A part of a key.
#[derive(Clone, Copy, Debug)]
pub(super) enum KeyPart {
    Slot(usize),
    Ground(TermId),
}

/// The occurrence-th positive sentence of a body (counted through all arms), and what must hold
/// beside it: the body, with the arms taken that lead to the sentence.
pub(super) fn focus(
    body: &[ClauseCondition],
    occurrence: usize,
) -> (Sentence, Vec<ClauseCondition>) {
    fn search(
        body: &[ClauseCondition],
        left: &mut usize,
    ) -> Option<(Sentence, Vec<ClauseCondition>)> {
        for (at, condition) in body.iter().enumerate() {
            let rest = || body[..at].iter().chain(&body[at + 1..]).cloned().collect::<Vec<_>>();
            match condition {
                ClauseCondition::Fact { sentence, negated: false } => {
                    if *left == 0 {
                        return Some((sentence.clone(), rest()));
                    }
                    *left -= 1;
                }
                ClauseCondition::Either(arms) => {
                    for arm in arms {
                        if let Some((sentence, mut beside)) = search(arm, left) {
                            beside.extend(rest());
                            return Some((sentence, beside));
                        }
                    }
                }
                _ => {}
            }
        }
        None
    }
    let mut left = occurrence;
    search(body, &mut left).expect("occurrences are numbered by the same walk")
}

/// How to find rows for a sentence, given the bound slots; then its slots are bound too.
pub(super) fn matching(
    sentence: &Sentence,
    bound: &mut [bool],
) -> (IndexAccess, Vec<KeyPart>, RowBinding) {
    let mut access = IndexAccess::default();
    let mut key = Vec::new();
    let mut row = RowBinding::default();
    let before = bound.to_vec();
    let mut todo: Vec<(Path, &Pattern)> = Vec::new();
    for (column, arg) in sentence.args.iter().enumerate().rev() {
        todo.push((smallvec![column as u16], arg));
    }
    while let Some((path, pattern)) = todo.pop() {
        match pattern {
            Pattern::Ground(term) => {
                access.keys.push(path);
                key.push(KeyPart::Ground(*term));
            }
            Pattern::Slot(slot) if before[*slot] => {
                access.keys.push(path);
                key.push(KeyPart::Slot(*slot));
            }
            Pattern::Slot(slot) if bound[*slot] => row.agree.push((path, *slot)),
            Pattern::Slot(slot) => {
                bound[*slot] = true;
                row.bind.push((path, *slot));
            }
            Pattern::Function(name, args) => {
                for (at, arg) in args.iter().enumerate().rev() {
                    let mut inner = path.clone();
                    inner.push(at as u16);
                    todo.push((inner, arg));
                }
                access.shape.push((path, *name, args.len()));
            }
        }
    }
    (access, key, row)
}
