//! Up to as many states as there are lanes, asked about at once.

use std::sync::Arc;

use super::code::{Code, Part};
use super::transpose::by_lane;
use super::word::Word;
use crate::game::{ForeignError, Move, MoveSet, Role, State};
use crate::program::{FluentPlace, Program};

/// States, one in each lane, and the answers about them.
pub struct Batch<W> {
    pub(super) program: Arc<Program>,
    code: Arc<Code>,
    pub(super) before: Vec<W>,
    pub(super) after: Vec<W>,
    pub(super) work: Vec<W>,
}

impl<W: Word> Batch<W> {
    /// No states yet. The code is that of the program.
    pub fn new(program: &Arc<Program>, code: &Arc<Code>) -> Self {
        let questions = &program.questions;
        Batch {
            before: vec![W::ZERO; questions.state_words],
            after: vec![W::ZERO; questions.state_words],
            work: vec![W::ZERO; questions.work_words],
            code: code.clone(),
            program: program.clone(),
        }
    }

    /// Goes on with other code of the same program, whatever its back end.
    pub fn set_code(&mut self, code: &Arc<Code>) {
        self.code = code.clone();
    }

    /// Loads states, the first into lane 0; at most as many as there are lanes. Where one is of
    /// another engine, none is loaded.
    pub fn load<'s>(
        &mut self,
        states: impl IntoIterator<Item = &'s State, IntoIter: Clone>,
    ) -> Result<(), ForeignError> {
        let (states, table) = (states.into_iter(), self.program.names.table());
        states.clone().try_for_each(|state| table.check_state(state))?;
        self.before.fill(W::ZERO);
        for (lane, state) in states.enumerate() {
            state.iter().for_each(|fluent| {
                if let Some(FluentPlace::Word(word)) = self.program.fluents.get(fluent) {
                    self.before[*word].insert(lane);
                }
            });
        }
        Ok(())
    }

    /// Loads states, each into as many of the next lanes as it says; at most as many as there are
    /// lanes. Where one is of another engine, none is loaded.
    pub fn load_repeated<'s>(
        &mut self,
        states: impl IntoIterator<Item = (&'s State, usize), IntoIter: Clone>,
    ) -> Result<(), ForeignError> {
        let (states, table) = (states.into_iter(), self.program.names.table());
        states.clone().try_for_each(|(state, _)| table.check_state(state))?;
        self.before.fill(W::ZERO);
        let mut end = 0;
        for (state, count) in states {
            let lanes = W::first(end + count) & !W::first(end);
            end += count;
            state.iter().for_each(|fluent| {
                if let Some(FluentPlace::Word(word)) = self.program.fluents.get(fluent) {
                    self.before[*word].add(&lanes);
                }
            });
        }
        Ok(())
    }

    /// Finds what is legal, and whether the game is over.
    pub fn look(&mut self) {
        self.ask(Part::Look);
    }

    /// Finds the goals.
    pub fn score(&mut self) {
        self.ask(Part::Score);
    }

    /// Finds the next states after the moves that were made; see [`Batch::make`].
    pub fn advance(&mut self) {
        self.ask(Part::Advance);
    }

    fn ask(&mut self, part: Part) {
        self.code.run(part, &self.program, &self.before, &mut self.after, &mut self.work);
    }

    /// Whether the game is over in a lane; after [`Batch::look`].
    pub fn is_terminal(&self, lane: usize) -> bool {
        self.terminal_lanes().has(lane)
    }

    /// The lanes in which the game is over; after [`Batch::look`].
    pub fn terminal_lanes(&self) -> W {
        self.work[self.program.questions.terminal.index()]
    }

    /// By move of a role: the lanes in which it is legal; after [`Batch::look`].
    pub fn legal_lanes(&self, role: Role) -> impl Iterator<Item = W> + '_ {
        self.program.questions.legal[role].iter().map(|slot| self.work[slot.index()])
    }

    /// By goal value of a role, in the order of [`Program::goals`]: the lanes in which the role
    /// has it; after [`Batch::score`].
    pub fn goal_lanes(&self, role: Role) -> impl Iterator<Item = W> + '_ {
        self.program.questions.goals[role].iter().map(|slot| self.work[slot.index()])
    }

    /// The legal moves of a role in each of the first lanes; after [`Batch::look`].
    pub fn legal_moves(&self, role: Role, count: usize) -> Vec<MoveSet> {
        let slots = &self.program.questions.legal[role];
        let table = self.program.names.table();
        let word = |at: usize| self.work[slots[at].index()];
        sets(count, slots.len(), word, |words| MoveSet::from_words(table, words))
    }

    /// The goal values, as text, of a role in a lane; after [`Batch::score`].
    pub fn goals(&self, lane: usize, role: Role) -> Vec<String> {
        let slots = self.program.questions.goals[role].iter();
        let values = slots.zip(&self.program.goals[role]);
        let held = values.filter(|(slot, _)| self.work[slot.index()].has(lane));
        held.map(|(_, value)| value.clone()).collect()
    }

    /// Says which moves are made, a joint move for each lane in order. Where one is of another
    /// engine, those of before are still made.
    pub fn make<'m>(
        &mut self,
        moves: impl IntoIterator<Item = &'m [Move], IntoIter: Clone>,
    ) -> Result<(), ForeignError> {
        let (moves, table) = (moves.into_iter(), self.program.names.table());
        moves.clone().try_for_each(|joint| table.check_moves(joint))?;
        let does = &self.program.questions.does;
        for slot in does.iter().flatten() {
            self.work[slot.index()] = W::ZERO;
        }
        for (lane, joint) in moves.enumerate() {
            for (slots, chosen) in does.iter().zip(joint) {
                if let Some(slot) = slots.get(chosen.index()) {
                    self.work[slot.index()].insert(lane);
                }
            }
        }
        Ok(())
    }

    /// The next states in the first lanes, all fluents shown; after [`Batch::advance`].
    pub fn next_states(&self, count: usize) -> Vec<State> {
        self.states_of(&self.after, count)
    }

    /// The states in the first lanes, all fluents shown.
    pub fn states(&self, count: usize) -> Vec<State> {
        self.states_of(&self.before, count)
    }

    fn states_of(&self, state: &[W], count: usize) -> Vec<State> {
        let (fluents, table) = (&self.program.fluents, self.program.names.table());
        let word = |fluent: usize| match fluents[fluent] {
            FluentPlace::Word(word) => state[word],
            FluentPlace::Follows(word, complement) => state[word] ^ W::splat(complement),
            FluentPlace::Constant(truth) => W::splat(truth),
        };
        sets(count, fluents.len(), word, |words| State::from_words(table, words))
    }

    /// The state of a lane, all fluents shown; after [`Batch::go_on`].
    pub fn state(&self, lane: usize) -> State {
        let is_true = |place: &FluentPlace| match *place {
            FluentPlace::Word(word) => self.before[word].has(lane),
            FluentPlace::Follows(word, complement) => self.before[word].has(lane) != complement,
            FluentPlace::Constant(truth) => truth,
        };
        let fluents = self.program.fluents.iter().enumerate();
        let held = fluents.filter(|(_, place)| is_true(place)).map(|(fluent, _)| fluent);
        State::new(self.program.names.table(), held)
    }

    /// The next states become the states; after [`Batch::advance`].
    pub fn go_on(&mut self) {
        std::mem::swap(&mut self.before, &mut self.after);
    }
}

/// For each of the first `count` lanes: the set of those of `words` words that are true in it, made
/// of numbers of 64 bits each.
fn sets<W: Word, S>(
    count: usize,
    words: usize,
    word: impl Fn(usize) -> W,
    make: impl Fn(&[u64]) -> S,
) -> Vec<S> {
    let size = words.div_ceil(64).max(1);
    let mut lanes = vec![0; count * size];
    by_lane(count, words, word, |lane, at, bits| lanes[lane * size + at] = bits);
    lanes.chunks_exact(size).map(make).collect()
}
