//! Alternatives that say no more than others: a OR (b AND c) is (b AND c) where b and c follow
//! from a. A move that needs a fluent and leaves it alone is such an alternative to the fluent
//! staying true unless it is cleared.

use super::super::budget::WorkBudget;
use super::super::network::{Network, Signal};
use super::known::{Context, KnownSignals};

/// Alternatives with more parts are not compared with others.
const WIDEST: usize = 64;

/// Comparing two alternatives, in units of the budget.
const COMPARISON: u64 = 500;

/// A gate seen as an OR, from the other side, over the complements of its inputs.
pub(super) struct Alternatives<'a> {
    network: &'a Network,
    inputs: &'a [Signal],
    /// Inputs that are gates, by the part of each that the fewest others have.
    by_part: Vec<(Signal, usize)>,
}

impl<'a> Alternatives<'a> {
    /// The alternatives among inputs of a gate.
    pub(super) fn new(network: &'a Network, inputs: &'a [Signal]) -> Self {
        let gates = inputs.iter().enumerate().filter_map(|(at, input)| {
            let parts = network.inputs(input.node());
            let is_gate = input.is_complement() && (1..=WIDEST).contains(&parts.len());
            is_gate.then_some((at, parts))
        });
        let plain = |&part: &Signal| (!part.is_complement()).then_some(part);
        let mut found: Vec<Signal> =
            gates.clone().flat_map(|(_, parts)| parts.iter().filter_map(plain)).collect();
        found.sort_unstable();
        let count = |part: &Signal| {
            let start = found.partition_point(|other| other < part);
            found[start..].partition_point(|other| other == part)
        };
        let mut by_part: Vec<(Signal, usize)> = gates
            .filter_map(|(at, parts)| {
                let rarest = parts.iter().filter_map(plain).min_by_key(count);
                rarest.map(|part| (part, at))
            })
            .collect();
        by_part.sort_unstable();
        Alternatives { network, inputs, by_part }
    }

    /// Takes the mark from those that are not needed beside others that have it.
    pub(super) fn unmark(
        &self,
        known: &KnownSignals,
        is_needed: &mut [bool],
        effort: &mut u64,
        budget: &WorkBudget<'_>,
    ) {
        if self.by_part.is_empty() {
            return;
        }
        for (at, &input) in self.inputs.iter().enumerate() {
            if *effort == 0
                || !budget.goes_on(COMPARISON)
                || !is_needed[at]
                || !input.is_complement()
            {
                continue;
            }
            is_needed[at] = known.context(&[!input]).is_some_and(|context| {
                let says_more = |part: &Signal| {
                    self.with(*part).any(|other| {
                        let others = other != at && is_needed[other];
                        *effort = effort.saturating_sub(1);
                        let others = others && budget.goes_on(COMPARISON);
                        others && self.follows(known, &context, other)
                    })
                };
                !context.signals().iter().any(says_more)
            });
        }
    }

    /// The alternatives that are listed under a part.
    fn with(&self, part: Signal) -> impl Iterator<Item = usize> + '_ {
        let start = self.by_part.partition_point(|(other, _)| *other < part);
        self.by_part[start..].iter().take_while(move |(other, _)| *other == part).map(|pair| pair.1)
    }

    fn follows(&self, known: &KnownSignals, context: &Context, at: usize) -> bool {
        let parts = self.network.inputs(self.inputs[at].node());
        parts.iter().all(|&part| known.holds(context, part))
    }
}
