//! A policy: values of one part, or the sum of two, and the choice by them.
//!
//! Two parts are added by equation 4.3 of Finnsson's thesis: MAST, TO-MAST or PAST with FAST. Where no
//! feature is active all values of FAST are equal, and adding them changes nothing.

use propnet::game::{Move, Role};
use rand_pcg::Pcg64;

use super::gibbs::quantise;
use super::lane_values::{LaneChoice, lane_table};
use super::lessons::{CreditedLine, FindNames, Finished, SeenState};
use super::sampling::SamplingRule;
use super::value_source::{LaneValue, MakeValues, Situation, ValueSource};
use crate::search::scheme::{Part, Values};

/// A policy, and what it has learned.
pub(crate) struct Policy {
    sources: Vec<WeightedSource>,
    rule: SamplingRule,
}

/// A part, and what its values are multiplied with.
struct WeightedSource {
    weight: f64,
    source: Box<dyn ValueSource>,
}

impl Policy {
    /// A policy of these parts, of which there is at least one; in the order of the table of policies.
    pub(crate) fn new(
        parts: &[&'static Part<MakeValues>],
        values: &Values,
        moves: &[usize],
    ) -> Option<Self> {
        let first = parts.first()?;
        let source = |part: &&'static Part<MakeValues>| {
            let weight = part.make.weight.filter(|_| parts.len() > 1);
            WeightedSource {
                weight: weight.map_or(1.0, |weight| values.get(&weight)),
                source: (part.make.make)(values, moves),
            }
        };
        let rule = SamplingRule::new(values, values.get(&first.make.tau));
        Some(Policy { sources: parts.iter().map(source).collect(), rule })
    }

    /// A policy of one part.
    #[cfg(test)]
    pub(crate) fn of(source: Box<dyn ValueSource>, tau: f64) -> Self {
        let sources = vec![WeightedSource { weight: 1.0, source }];
        Policy { sources, rule: SamplingRule::Gibbs { tau } }
    }

    fn any(&self, is_so: impl Fn(&dyn ValueSource) -> bool) -> bool {
        self.sources.iter().any(|part| is_so(&*part.source))
    }

    /// Whether it learns from the moves of playouts, or from their states.
    pub(crate) fn reads_playouts(&self) -> bool {
        self.any(|source| source.reads_playouts() || source.reads_states())
    }

    /// Whether it learns from the states of simulations.
    pub(crate) fn reads_states(&self) -> bool {
        self.any(|source| source.reads_states())
    }

    /// Whether it learns from the moves in the tree of every simulation.
    pub(crate) fn reads_tree(&self) -> bool {
        self.any(|source| source.reads_tree())
    }

    /// Whether values depend on the moves made before.
    pub(crate) fn looks_back(&self) -> bool {
        self.any(|source| source.looks_back())
    }

    /// Learns from a simulation of the sample.
    pub(crate) fn learn(&mut self, finished: &Finished) {
        let sources = self.sources.iter_mut().map(|part| &mut part.source);
        sources.filter(|source| source.reads_playouts()).for_each(|source| source.learn(finished));
    }

    /// Learns from the moves in the tree of any simulation.
    pub(crate) fn learn_from_tree(&mut self, finished: &Finished) {
        let sources = self.sources.iter_mut().map(|part| &mut part.source);
        sources.filter(|source| source.reads_tree()).for_each(|source| source.learn(finished));
    }

    /// Sees a state of a simulation of the sample.
    pub(crate) fn see(&mut self, seen: &SeenState) {
        let sources = self.sources.iter_mut().map(|part| &mut part.source);
        sources.filter(|source| source.reads_states()).for_each(|source| source.see(seen));
    }

    /// Has seen all states of these simulations.
    pub(crate) fn end_lines(&mut self, lines: &[CreditedLine], names: &mut FindNames) {
        for part in &mut self.sources {
            part.source.end_lines(lines, names);
        }
    }

    /// The values of moves of a role, of which there is at least one.
    pub(crate) fn values(&self, role: Role, moves: &[Move], at: &Situation) -> Vec<f64> {
        let mut sum = vec![0.0; moves.len()];
        for WeightedSource { weight, source } in &self.sources {
            let values = source.values(role, moves, at);
            sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += weight * value);
        }
        sum
    }

    /// How likely each of these moves of a role is.
    pub(crate) fn probabilities(&self, role: Role, moves: &[Move], at: &Situation) -> Vec<f64> {
        self.rule.probabilities(&self.values(role, moves, at))
    }

    /// The index of one of these moves of a role; there is at least one.
    pub(crate) fn choose(
        &self,
        role: Role,
        moves: &[Move],
        at: &Situation,
        rng: &mut Pcg64,
    ) -> usize {
        self.rule.choose(&self.values(role, moves, at), rng)
    }

    /// What lanes choose by, with so many moves of each role; weights have this number of bits.
    /// Fluents that are not part of the states of playouts are left out.
    pub(crate) fn on_lanes(
        &self,
        moves: &[usize],
        bits: usize,
        is_in_playouts: &dyn Fn(usize) -> bool,
    ) -> LaneChoice {
        if let ([part], SamplingRule::Gibbs { tau }) = (&self.sources[..], self.rule)
            && let Some(weights) = weights(&*part.source, moves.len(), tau, bits)
        {
            return LaneChoice::Weights(weights);
        }
        let parts = self.sources.iter().map(|WeightedSource { weight, source }| {
            let roles = moves.iter().enumerate();
            let values = roles.map(|(role, &count)| source.lane_values(role, count));
            let values: Vec<Vec<LaneValue>> = values.collect();
            (*weight, values)
        });
        LaneChoice::Values(lane_table(parts.collect(), self.rule, is_in_playouts))
    }

    /// The means of a role's moves where these are the values; none of moves never seen.
    pub(crate) fn means(&self, role: Role) -> Option<Vec<Option<f64>>> {
        self.sources.iter().find_map(|part| part.source.means(role)).map(|(means, _)| means)
    }
}

/// Weights that are the same in all lanes: cheaper than values, where means are all that counts.
fn weights(source: &dyn ValueSource, roles: usize, tau: f64, bits: usize) -> Option<Vec<Vec<u32>>> {
    let of_role = |role| {
        let (means, unseen) = source.means(role)?;
        Some(quantise(&means, unseen, tau, bits))
    };
    (0..roles).map(of_role).collect()
}

impl Clone for Policy {
    fn clone(&self) -> Self {
        let sources = self
            .sources
            .iter()
            .map(|part| WeightedSource { weight: part.weight, source: part.source.copy() });
        Policy { sources: sources.collect(), rule: self.rule }
    }
}
