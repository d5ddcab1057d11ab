//! What the engine keeps account of: work, bytes, and which rule grew most.

use super::engine::{Engine, Stop};
use super::limits::{GroundError, Growth};
use super::pace::relation_of;
use super::program::FlatRule;
use super::relation::Relation;
use crate::gdl::Span;

/// The watch is asked once in this number of rows.
pub(super) const WATCH_EVERY: u64 = 1 << 14;

/// What a ground rule takes beside its literals, at the moment when most is held.
const BYTES_PER_RULE: u64 = 24;

impl Engine<'_> {
    pub(super) fn count_work(&mut self, rule: usize, flat: &FlatRule) -> Result<(), Stop> {
        self.work += 1;
        match self.work >= self.watch_at {
            true => self.ask_watch(rule, flat.origin),
            false => Ok(()),
        }
    }

    /// Asks the watch, and compares the bytes held with their limit.
    pub(super) fn ask_watch(&mut self, rule: usize, origin: Span) -> Result<(), Stop> {
        self.watch_at = self.work + WATCH_EVERY;
        if !self.watch.proceed() {
            let growth = self.growth_in(rule, origin, |_| true);
            return Err(GroundError::Stopped { growth }.into());
        }
        if self.bytes() > self.limits.bytes {
            return Err(self.limit(rule, origin, "bytes", self.limits.bytes).into());
        }
        Ok(())
    }

    pub(super) fn limit(
        &self,
        rule: usize,
        origin: Span,
        what: &'static str,
        limit: u64,
    ) -> GroundError {
        GroundError::Limit { what, limit, growth: self.growth_in(rule, origin, |_| true) }
    }

    /// The rule with the most instances among those that count, while the given one is taken out
    /// of the program.
    pub(super) fn growth_in(
        &self,
        rule: usize,
        origin: Span,
        counts: impl Fn(usize) -> bool,
    ) -> Growth {
        let rules = (0..self.program.rules.len()).filter(|&at| counts(at));
        let most = rules.max_by_key(|&at| self.instances.count(at));
        match most {
            Some(most) if most != rule => self.growth_of(most),
            _ => self.growth_from(rule, origin),
        }
    }

    /// Bytes held, and what making ground rules of the instances will take beside them.
    pub(super) fn bytes(&self) -> u64 {
        let relations: u64 = self.relations.iter().map(Relation::bytes).sum();
        let instances = self.instances.bytes();
        let later = self.kept * BYTES_PER_RULE + self.kept_bytes;
        self.bytes_of_rules + relations + instances + later + self.terms.len() as u64 * 40
    }

    /// The rule with the most instances, for messages.
    pub(super) fn growth(&self) -> Growth {
        let most = (0..self.program.rules.len()).max_by_key(|&rule| self.instances.count(rule));
        let most = most.unwrap_or(0);
        self.growth_of(most)
    }

    fn growth_of(&self, rule: usize) -> Growth {
        let origin = self.program.rules.get(rule).map_or(Span::default(), |flat| flat.origin);
        self.growth_from(rule, origin)
    }

    pub(super) fn growth_from(&self, rule: usize, origin: Span) -> Growth {
        Growth {
            relation: relation_of(self.rules, origin),
            place: self.rules.source.place(origin.start),
            instances: self.instances.count(rule),
        }
    }
}
