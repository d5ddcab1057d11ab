//! The instances of all rules, one after the other as they were found.
//!
//! One list and not one for each rule: many lists that grow leave gaps, for which the largest
//! sheets have no room.

use std::ops::Range;

/// Instances, each as numbers whose meaning is the rule's matter.
#[derive(Debug)]
pub(super) struct Instances {
    data: Vec<u32>,
    /// Stretches of `data` that belong to one rule: the rule, and where its stretch ends.
    runs: Vec<(u32, usize)>,
    /// How many each rule had, those not kept included.
    counts: Vec<u64>,
    /// Of which rules some are kept.
    is_kept: Vec<bool>,
}

impl Instances {
    /// None yet, for this number of rules.
    pub(super) fn new(rules: usize) -> Self {
        Instances {
            data: Vec::new(),
            runs: Vec::new(),
            counts: vec![0; rules],
            is_kept: vec![false; rules],
        }
    }

    /// Counts an instance; how many there are with it.
    pub(super) fn count_one(&mut self, rule: usize) -> u64 {
        self.counts[rule] += 1;
        self.counts[rule]
    }

    /// How many instances a rule had.
    pub(super) fn count(&self, rule: usize) -> u64 {
        self.counts.get(rule).copied().unwrap_or(0)
    }

    /// Keeps an instance; how many numbers it has.
    pub(super) fn keep(&mut self, rule: usize, numbers: impl Iterator<Item = u32>) -> usize {
        let before = self.data.len();
        self.data.extend(numbers);
        let end = self.data.len();
        match self.runs.last_mut() {
            Some((last, last_end)) if *last as usize == rule => *last_end = end,
            _ => {
                self.is_kept[rule] = true;
                self.runs.push((rule as u32, end));
            }
        }
        end - before
    }

    /// Whether instances of a rule were kept.
    pub(super) fn has_kept(&self, rule: usize) -> bool {
        self.is_kept[rule]
    }

    /// The stretches of instances by rule, those of one rule in the order in which they were found.
    pub(super) fn by_rule(&self) -> Vec<(usize, Range<usize>)> {
        let starts = std::iter::once(0).chain(self.runs.iter().map(|&(_, end)| end));
        let runs = self.runs.iter().zip(starts);
        let mut runs: Vec<_> =
            runs.map(|(&(rule, end), start)| (rule as usize, start..end)).collect();
        runs.sort_by_key(|&(rule, _)| rule);
        runs
    }

    /// The numbers of a stretch.
    pub(super) fn numbers(&self, stretch: &Range<usize>) -> &[u32] {
        &self.data[stretch.clone()]
    }

    /// The numbers of all instances that are kept.
    pub(super) fn len(&self) -> usize {
        self.data.len()
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        let runs = self.runs.capacity() * size_of::<(u32, usize)>();
        (self.data.capacity() * 4 + runs + self.counts.len() * 9) as u64
    }
}
