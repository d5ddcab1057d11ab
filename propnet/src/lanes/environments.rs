//! Games that a caller plays step by step, one in each lane: an environment for learners.
//!
//! A step makes the caller's moves in all lanes. A game that is over stays in its last state, or
//! starts anew within the same step. Answers are written row by row into memory of the caller.

use std::sync::Arc;

use rand::RngExt;
use rand_pcg::Pcg64;

use super::batch::Batch;
use super::code::Code;
use super::transpose::by_lane;
use super::word::Word;
use crate::game::{ForeignError, Role, State, goal_value};
use crate::program::{FluentPlace, Program};

/// An action that is none: that of a role in a game that is over.
pub const NO_ACTION: i32 = -1;

/// Up to as many games as there are lanes. Actions are the indices of moves in the table of a role.
pub struct Environments<W> {
    batch: Batch<W>,
    count: usize,
    /// The lanes that have a game.
    used: W,
    /// Games that are over and were not started anew.
    over: W,
    /// By lane: the joint moves since its game began.
    lengths: Vec<u32>,
    last: LastStep<W>,
    /// By word of the state: its truth at the start of the game.
    start: Vec<bool>,
    /// By role and goal: its value.
    values: Vec<Vec<Option<i32>>>,
}

/// What the last step came to.
struct LastStep<W> {
    /// Games that ended by their rules.
    ended: W,
    /// Games that were given up: a role has no legal move, or the limit was reached.
    cut: W,
    /// By role and goal: the lanes that ended with it.
    goals: Vec<Vec<W>>,
    /// Games that started anew within the step, and the states that it had reached before.
    restarted: W,
    states: Vec<W>,
}

/// How a step treats games that end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EndRule {
    /// A game that is over starts anew within the same step.
    pub restarts: bool,
    /// The joint moves after which a game is given up.
    pub limit: Option<u32>,
}

/// An action that is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalAction {
    /// The lane.
    pub lane: usize,
    /// The role.
    pub role: Role,
    /// The action.
    pub action: i32,
}

impl<W: Word> Environments<W> {
    /// Games at their start, in the first `count` lanes. The code is that of the program.
    pub fn new(program: &Arc<Program>, code: &Arc<Code>, count: usize) -> Self {
        let count = count.min(W::LANES);
        let words = program.questions.state_words;
        let mut start = vec![false; words];
        for fluent in program.initial.iter() {
            if let Some(&FluentPlace::Word(word)) = program.fluents.get(fluent) {
                start[word] = true;
            }
        }
        let goals = &program.goals;
        let mut environments = Environments {
            batch: Batch::new(program, code),
            count,
            used: W::first(count),
            over: W::ZERO,
            lengths: vec![0; count],
            last: LastStep {
                ended: W::ZERO,
                cut: W::ZERO,
                goals: goals.iter().map(|values| vec![W::ZERO; values.len()]).collect(),
                restarted: W::ZERO,
                states: vec![W::ZERO; words],
            },
            start,
            values: goals
                .iter()
                .map(|values| values.iter().map(|value| goal_value(value)).collect())
                .collect(),
        };
        environments.restart(W::splat(true));
        environments
    }

    /// The number of games.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Starts the games of these lanes anew. What the last step came to stays known.
    pub fn restart(&mut self, lanes: W) {
        for (word, &truth) in self.batch.before.iter_mut().zip(&self.start) {
            *word = if truth { *word | lanes } else { *word & !lanes };
        }
        for lane in (lanes & self.used).lanes() {
            self.lengths[lane] = 0;
        }
        self.batch.look();
        self.over = self.over & !lanes | self.unplayable() & lanes;
    }

    /// Puts states into the first lanes, as the starts of games; an error where one is of another
    /// engine.
    pub fn load(&mut self, states: &[State]) -> Result<(), ForeignError> {
        self.batch.load(states)?;
        self.lengths.fill(0);
        self.batch.look();
        (self.last.ended, self.last.cut, self.last.restarted) = (W::ZERO, W::ZERO, W::ZERO);
        self.over = self.unplayable();
        Ok(())
    }

    /// The lanes in which no step can be made: the game is over, or a role has no legal move.
    fn unplayable(&self) -> W {
        (self.batch.terminal_lanes() | self.stuck()) & self.used
    }

    fn stuck(&self) -> W {
        let roles = 0..self.batch.program.names.roles().len();
        let any = |role| self.batch.legal_lanes(role).fold(W::ZERO, |any, legal| any | legal);
        !roles.map(any).fold(W::splat(true), |all, any| all & any)
    }

    /// Complains about the first action that is not legal. Games that are over take any.
    pub fn check(&self, actions: &[i32]) -> Result<(), IllegalAction> {
        let legal = &self.batch.program.questions.legal;
        let roles = legal.len();
        for (lane, joint) in actions.chunks_exact(roles).enumerate().take(self.count) {
            for (role, (&action, slots)) in joint.iter().zip(legal).enumerate() {
                let slot = usize::try_from(action).ok().and_then(|at| slots.get(at));
                let is_legal = slot.is_some_and(|slot| self.batch.work[slot.index()].has(lane));
                if !is_legal && !self.over.has(lane) {
                    return Err(IllegalAction { lane, role, action });
                }
            }
        }
        Ok(())
    }

    /// Makes legal moves: for each lane an action of each role. See [`Environments::check`].
    pub fn step(&mut self, actions: &[i32], rule: EndRule) {
        self.set_actions(actions);
        self.batch.advance();
        let playing = self.used & !self.over;
        if !self.over.is_zero() {
            let Batch { before, after, .. } = &mut self.batch;
            for (after, before) in after.iter_mut().zip(before) {
                *after = *after & playing | *before & !playing;
            }
        }
        self.batch.go_on();
        self.batch.look();
        let ended = self.batch.terminal_lanes() & playing;
        let cut = (self.stuck() | self.count_step(playing, rule.limit)) & playing & !ended;
        (self.last.ended, self.last.cut) = (ended, cut);
        if !ended.is_zero() {
            self.batch.score();
            for (role, goals) in self.last.goals.iter_mut().enumerate() {
                for (goal, lanes) in goals.iter_mut().zip(self.batch.goal_lanes(role)) {
                    *goal = lanes & ended;
                }
            }
        }
        let over = ended | cut;
        self.over = self.over | over;
        self.last.restarted = if rule.restarts { over } else { W::ZERO };
        if rule.restarts && !over.is_zero() {
            self.last.states.copy_from_slice(&self.batch.before);
            self.restart(over);
        }
    }

    /// Counts a step of lanes, and returns those that are at the limit.
    fn count_step(&mut self, lanes: W, limit: Option<u32>) -> W {
        let mut at_limit = W::ZERO;
        for lane in lanes.lanes() {
            self.lengths[lane] += 1;
            if limit.is_some_and(|limit| self.lengths[lane] >= limit) {
                at_limit.insert(lane);
            }
        }
        at_limit
    }

    fn set_actions(&mut self, actions: &[i32]) {
        let does = &self.batch.program.questions.does;
        for slot in does.iter().flatten() {
            self.batch.work[slot.index()] = W::ZERO;
        }
        for (lane, joint) in actions.chunks_exact(does.len()).enumerate().take(self.count) {
            for (&action, slots) in joint.iter().zip(does) {
                let slot = usize::try_from(action).ok().and_then(|at| slots.get(at));
                if let Some(slot) = slot {
                    self.batch.work[slot.index()].insert(lane);
                }
            }
        }
    }

    /// For each game and role: a legal action at random, all with the same chance.
    /// [`NO_ACTION`] in games that are over.
    pub fn sample(&self, rng: &mut Pcg64, actions: &mut [i32]) {
        let roles = self.batch.program.names.roles().len();
        for role in 0..roles {
            let slots = &self.batch.program.questions.legal[role];
            let size = slots.len().div_ceil(64).max(1);
            let mut legal = vec![0; self.count * size];
            let word = |at: usize| self.batch.work[slots[at].index()];
            by_lane(self.count, slots.len(), word, |lane, at, bits| legal[lane * size + at] = bits);
            for (lane, legal) in legal.chunks_exact(size).enumerate() {
                actions[lane * roles + role] =
                    if self.over.has(lane) { NO_ACTION } else { any_of(legal, rng) };
            }
        }
    }

    /// For each game: by move of a role, whether it is legal.
    pub fn write_legal(&self, role: Role, rows: &mut [bool]) {
        let slots = &self.batch.program.questions.legal[role];
        self.write(slots.len(), |at| self.batch.work[slots[at].index()], rows);
    }

    /// For each game: by fluent, whether it is true now.
    pub fn write_observations(&self, rows: &mut [bool]) {
        self.write_fluents(&self.batch.before, rows);
    }

    /// For each game: by fluent, whether it is true in the state that the last step reached, also
    /// where the game has started anew since then.
    pub fn write_last_observations(&self, rows: &mut [bool]) {
        let restarted = self.last.restarted;
        if restarted.is_zero() {
            return self.write_observations(rows);
        }
        let both = self.last.states.iter().zip(&self.batch.before);
        let words: Vec<W> = both.map(|(&last, &now)| last & restarted | now & !restarted).collect();
        self.write_fluents(&words, rows);
    }

    fn write_fluents(&self, words: &[W], rows: &mut [bool]) {
        let fluents = &self.batch.program.fluents;
        let word = |fluent: usize| match fluents[fluent] {
            FluentPlace::Word(word) => words[word],
            FluentPlace::Follows(word, complement) => words[word] ^ W::splat(complement),
            FluentPlace::Constant(truth) => W::splat(truth),
        };
        self.write(fluents.len(), word, rows);
    }

    fn write(&self, columns: usize, word: impl Fn(usize) -> W, rows: &mut [bool]) {
        by_lane(self.count, columns, word, |lane, at, bits| {
            let (first, end) = (at * 64, columns.min(at * 64 + 64));
            spread(bits, &mut rows[lane * columns + first..lane * columns + end]);
        });
    }

    /// For each game: whether the last step ended it, by its rules or as [`EndRule`] says.
    pub fn write_ends(&self, ended: &mut [bool], cut: &mut [bool]) {
        for (lane, (ended, cut)) in ended.iter_mut().zip(cut).enumerate().take(self.count) {
            (*ended, *cut) = (self.last.ended.has(lane), self.last.cut.has(lane));
        }
    }

    /// For each game: whether it is over.
    pub fn write_over(&self, over: &mut [bool]) {
        over.iter_mut().enumerate().for_each(|(lane, over)| *over = self.over.has(lane));
    }

    /// For each game that the last step ended by its rules: the goal of each role; NaN for others,
    /// and where the rules give a role no value or several.
    pub fn write_goals(&self, goals: &mut [f32]) {
        let roles = self.values.len();
        goals.fill(f32::NAN);
        for lane in self.last.ended.lanes() {
            for (role, values) in self.values.iter().enumerate() {
                let held = values.iter().zip(&self.last.goals[role]);
                let mut held = held.filter(|(_, lanes)| lanes.has(lane));
                if let (Some((Some(value), _)), None) = (held.next(), held.next()) {
                    goals[lane * roles + role] = *value as f32;
                }
            }
        }
    }

    /// The states of all games, in their order.
    pub fn states(&self) -> Vec<State> {
        self.batch.states(self.count)
    }
}

/// One of the bits that are set, as an index; all with the same chance.
fn any_of(bits: &[u64], rng: &mut Pcg64) -> i32 {
    let number: u32 = bits.iter().map(|word| word.count_ones()).sum();
    let mut rank = match number {
        0 => return NO_ACTION,
        1 => 0,
        _ => rng.random_range(0..number),
    };
    for (at, &word) in bits.iter().enumerate() {
        let own = word.count_ones();
        if rank < own {
            let rest = (0..rank).fold(word, |rest, _| rest & rest.wrapping_sub(1));
            return at as i32 * 64 + rest.trailing_zeros() as i32;
        }
        rank -= own;
    }
    NO_ACTION
}

/// By byte: its bits.
static BITS: [[bool; 8]; 256] = {
    let mut table = [[false; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte][bit] = byte >> bit & 1 == 1;
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Writes the first bits of a number, one by one.
fn spread(bits: u64, truths: &mut [bool]) {
    for (truths, byte) in truths.chunks_mut(8).zip(bits.to_le_bytes()) {
        match truths.first_chunk_mut() {
            Some(eight) => *eight = BITS[usize::from(byte)],
            None => truths.copy_from_slice(&BITS[usize::from(byte)][..truths.len()]),
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn bits_are_spread_in_their_order() {
        let bits = 0b1010_0110_1000_0001_u64;
        for length in 0..=64 {
            let mut truths = vec![true; length];
            spread(bits, &mut truths);
            for (at, &truth) in truths.iter().enumerate() {
                assert_eq!(truth, bits >> at & 1 == 1, "bit {at} of {length}");
            }
        }
    }

    #[test]
    fn each_bit_is_chosen_about_as_often() {
        let mut rng = Pcg64::seed_from_u64(3);
        let bits = [1 << 63 | 1, 0, 0b100];
        let mut counts = std::collections::BTreeMap::new();
        (0..3_000).for_each(|_| *counts.entry(any_of(&bits, &mut rng)).or_insert(0) += 1);
        assert_eq!(counts.keys().copied().collect::<Vec<_>>(), [0, 63, 130]);
        assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
        assert_eq!(any_of(&[0, 0], &mut rng), NO_ACTION);
        assert_eq!(any_of(&[0, 4], &mut rng), 66);
    }
}
