//! PAST (predicate-average sampling technique): playouts prefer moves that did well where the same was
//! true.
//!
//! Finnsson and Björnsson 2009; section 4.1.3 of the CadiaPlayer thesis. The value of a move is the
//! highest of the means that it has with the fluents of the state. A mean of few samples counts as 50.
//!
//! Lanes look at the fluents of the highest means first. Fluents that are hardly ever reached, since one
//! before them is true as good as always, are left out.

use propnet::game::{Move, Role};
use propnet::lanes::Condition;
use smallvec::smallvec;

use super::lessons::SeenState;
use super::mast::AVERAGES;
use super::value_source::{LaneValue, MakeValues, Situation, ValueSource};
use crate::search::scheme::{Parameter, Part};

/// The temperature of Gibbs sampling.
const PAST_TAU: Parameter =
    Parameter::number("past_tau", "the temperature of Gibbs sampling by PAST", 8.0, 0.1, 1e6);

/// The samples that a mean needs.
const SAMPLES: Parameter = Parameter::count(
    "past_samples",
    "the samples that a fluent and a move need together for their mean to be used",
    3,
    1,
    1 << 20,
);

/// What a mean of fewer samples counts as.
const PAST_UNSEEN: Parameter = Parameter::number(
    "past_unseen",
    "what a fluent and a move with fewer samples count as",
    50.0,
    0.0,
    100.0,
);

/// The part with this name.
pub(super) const PART: Part<MakeValues> = Part {
    name: "past",
    help: "playouts prefer moves that did well on average where one of the same fluents was true",
    paper: "Finnsson and Björnsson 2009 (PAST)",
    parameters: &[PAST_TAU, SAMPLES, PAST_UNSEEN],
    make: MakeValues {
        kind: AVERAGES,
        tau: PAST_TAU,
        weight: None,
        make: |values, moves| {
            Box::new(Past {
                moves: moves.iter().map(|&count| vec![Row::default(); count]).collect(),
                pairs: 0,
                samples: values.get(&SAMPLES) as f32,
                unseen: values.get(&PAST_UNSEEN),
            })
        },
    },
};

/// The most pairs of a fluent and a move that are kept: 128 megabytes.
const MOST_PAIRS: usize = 1 << 24;

/// The most fluents of a move that lanes look at, ...
const MOST_CONTEXTS: usize = 96;

/// ... and the chance that none of them is true at which the rest is left out.
const RARE: f64 = 0.002;

/// The means of fluents and moves.
#[derive(Clone)]
struct Past {
    /// By role and move.
    moves: Vec<Vec<Row>>,
    /// The fluents of all rows.
    pairs: usize,
    samples: f32,
    unseen: f64,
}

/// A move.
#[derive(Clone, Default)]
struct Row {
    /// How often it was seen.
    seen: f32,
    /// By fluent.
    pairs: Vec<PairMean>,
}

/// The mean score of a move with a fluent.
#[derive(Clone, Copy, Default)]
struct PairMean {
    mean: f32,
    count: f32,
}

impl Past {
    fn value_of(&self, pair: Option<&PairMean>) -> f64 {
        let known = pair.filter(|pair| pair.count >= self.samples);
        known.map_or(self.unseen, |pair| f64::from(pair.mean))
    }

    fn row(&self, role: Role, at: usize) -> Option<&Row> {
        self.moves[role].get(at)
    }

    fn value(&self, role: Role, chosen: Move, at: &Situation) -> f64 {
        let row = self.row(role, chosen.index());
        let of = |fluent: usize| self.value_of(row.and_then(|row| row.pairs.get(fluent)));
        at.state.iter().map(of).reduce(f64::max).unwrap_or(self.unseen)
    }

    /// Whether a fluent that was never true when a move was made is likely to be the next time: then the
    /// move counts as unseen at least. As many are new as were met once (Good 1953: the chance of what
    /// was never seen).
    fn meets_new_fluents(&self, row: &Row) -> bool {
        let once = row.pairs.iter().filter(|pair| pair.count == 1.0).count();
        once as f64 > f64::from(row.seen) * std::f64::consts::LN_2
    }

    /// The value of a move by the fluents of a lane.
    fn lane_value(&self, row: &Row) -> LaneValue {
        let met = row.pairs.iter().enumerate().filter(|(_, pair)| pair.count > 0.0);
        let mut ordered: Vec<(usize, f64, f64)> = met
            .map(|(fluent, pair)| {
                (fluent, self.value_of(Some(pair)), f64::from(pair.count / row.seen))
            })
            .collect();
        if self.meets_new_fluents(row) {
            ordered.retain(|(_, value, _)| *value > self.unseen);
        }
        ordered.sort_by(|one, other| other.1.total_cmp(&one.1));
        let (mut contexts, mut left) = (Vec::new(), 1.0);
        for (fluent, value, share) in ordered {
            if left < RARE || contexts.len() == MOST_CONTEXTS {
                return LaneValue { base: value, contexts };
            }
            contexts.push((smallvec![Condition::Fluent(fluent)], value));
            left *= 1.0 - share;
        }
        // Nothing that was ever true when the move was made.
        LaneValue { base: self.unseen, contexts }
    }
}

impl ValueSource for Past {
    fn reads_states(&self) -> bool {
        true
    }

    fn see(&mut self, seen: &SeenState) {
        let count = seen.of.count as f32;
        let Some(&last) = seen.fluents.last() else { return };
        for (role, chosen, score) in seen.credits() {
            let moves = &mut self.moves[role];
            if chosen.index() >= moves.len() {
                moves.resize(chosen.index() + 1, Row::default());
            }
            let row = &mut moves[chosen.index()];
            let more = (last as usize + 1).saturating_sub(row.pairs.len());
            if self.pairs + more > MOST_PAIRS {
                continue;
            }
            self.pairs += more;
            row.pairs.resize(row.pairs.len() + more, PairMean::default());
            row.seen += count;
            for &fluent in seen.fluents {
                let pair = &mut row.pairs[fluent as usize];
                pair.count += count;
                pair.mean += (score as f32 - pair.mean) * count / pair.count;
            }
        }
    }

    fn values(&self, role: Role, moves: &[Move], at: &Situation) -> Vec<f64> {
        moves.iter().map(|&chosen| self.value(role, chosen, at)).collect()
    }

    fn lane_values(&self, role: Role, count: usize) -> Vec<LaneValue> {
        let unseen = || LaneValue { base: self.unseen, contexts: Vec::new() };
        let value = |at| self.row(role, at).map_or_else(unseen, |row| self.lane_value(row));
        (0..count).map(value).collect()
    }

    fn copy(&self) -> Box<dyn ValueSource> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use propnet::game::{State, TableId};

    use super::super::lessons::CreditedLine;
    use super::*;
    use crate::search::scheme::Values;

    /// The table of Björnsson's talk: by action, the means with three predicates, each of three samples.
    const TALK: [[f64; 3]; 3] = [[60.0, 50.0, 65.0], [80.0, 65.0, 50.0], [80.0, 0.0, 80.0]];

    /// Learns `count` times that a move was made where some fluents were true.
    fn learn(past: &mut dyn ValueSource, chosen: Move, fluents: &[u32], goal: f64, count: usize) {
        let state = State::new(chosen.table(), fluents.iter().map(|&at| at as usize));
        let line = CreditedLine {
            start: Arc::new(state),
            moves: vec![chosen],
            goals: vec![goal],
            discount: 1.0,
            count: 1.0,
        };
        for _ in 0..count {
            past.see(&SeenState { line: 0, of: &line, step: 0, fluents });
        }
    }

    fn lanes_agree(past: &dyn ValueSource, moves: &[Move], state: &State) {
        let found = past.lane_values(0, moves.len());
        let exact = past.values(0, moves, &Situation { state, made: &[] });
        for (own, exact) in found.iter().zip(exact) {
            let holds = |condition: &Condition| matches!(*condition, Condition::Fluent(at) if state.contains(at));
            let first = own.contexts.iter().find(|(all, _)| all.iter().all(holds));
            assert_eq!(first.map_or(own.base, |(_, value)| *value), exact);
        }
    }

    #[test]
    fn a_move_is_worth_its_highest_mean_with_a_fluent_that_is_true() {
        let table = TableId::unique();
        let moves: Vec<Move> = (0..4).map(|at| Move::new(table, at)).collect();
        let mut past = (PART.make.make)(&Values::default(), &[3]);
        for (&chosen, means) in moves.iter().zip(TALK) {
            for (fluent, mean) in means.into_iter().enumerate() {
                learn(&mut *past, chosen, &[fluent as u32], mean, 3);
            }
        }
        let values = |fluents: &[usize]| {
            let state = State::new(table, fluents.iter().copied());
            // Lanes do not look at fluents that were never true when a move was made.
            if !fluents.contains(&3) {
                lanes_agree(&*past, &moves, &state);
            }
            past.values(0, &moves, &Situation { state: &state, made: &[] })
        };
        assert_eq!(values(&[0]), [60.0, 80.0, 80.0, 50.0]);
        assert_eq!(values(&[1]), [50.0, 65.0, 0.0, 50.0]);
        assert_eq!(values(&[1, 2]), [65.0, 65.0, 80.0, 50.0]);
        assert_eq!(values(&[0, 1, 2]), [65.0, 80.0, 80.0, 50.0]);
        // Nothing is known of fluent 3.
        assert_eq!(values(&[1, 3]), [50.0, 65.0, 50.0, 50.0]);
        assert_eq!(values(&[]), [50.0; 4]);
    }

    #[test]
    fn means_of_fewer_than_three_samples_count_as_50() {
        let table = TableId::unique();
        let chosen = Move::new(table, 0);
        let state = State::new(table, [4, 6]);
        let mut past = (PART.make.make)(&Values::default(), &[0]);
        let value = |past: &dyn ValueSource| {
            lanes_agree(past, &[chosen], &state);
            past.values(0, &[chosen], &Situation { state: &state, made: &[] })[0]
        };
        learn(&mut *past, chosen, &[4, 6], 90.0, 2);
        assert_eq!(value(&*past), 50.0);
        learn(&mut *past, chosen, &[4], 60.0, 1);
        assert_eq!(value(&*past), 80.0);
        learn(&mut *past, chosen, &[6], 0.0, 4);
        assert_eq!(value(&*past), 80.0);
    }
}
