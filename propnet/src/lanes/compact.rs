//! States in few bits: of a group of fluents of which never two are true, the number of the one
//! that is; fluents that the caller knows otherwise, not at all.
//!
//! The numbers are made and read in words, for all lanes at once; only their bits are moved
//! between words and lanes. A cell that holds one of nine tiles takes four bits instead of nine.

use super::batch::Batch;
use super::transpose::{by_lane, transpose};
use super::word::Word;
use crate::game::{ForeignError, State};
use crate::program::{FluentPlace, Program};

/// Where the bits of a compact state are.
#[derive(Clone, Debug)]
pub struct CompactLayout {
    fields: Vec<Field>,
    bits: usize,
    /// The words of carried fluents that are left out, in the order in which they were given.
    left_out: Vec<usize>,
}

/// Words of the state that share bits: the number of the one that is true.
#[derive(Clone, Debug)]
struct Field {
    first_bit: usize,
    bits: usize,
    /// Each with its number; 0 means that none is true.
    members: Vec<(usize, usize)>,
}

/// Fluents of which never two are true, by their index.
#[derive(Clone, Copy, Debug)]
pub struct ExclusiveFluents<'g> {
    /// The fluents.
    pub members: &'g [u32],
    /// Whether always one of them is true.
    pub exactly_one: bool,
}

impl CompactLayout {
    /// The layout for a program. Groups are used as far as they save bits and share no fluent;
    /// fluents of `left_out` are no part of a compact state, and neither are those that decide
    /// nothing.
    pub fn new<'g>(
        program: &Program,
        groups: impl Iterator<Item = ExclusiveFluents<'g>>,
        left_out: &[u32],
    ) -> Self {
        let word = |fluent: u32| match program.fluents.get(fluent as usize) {
            Some(&FluentPlace::Word(word)) if word < program.carried => Some(word),
            _ => None,
        };
        let mut is_free = vec![true; program.carried];
        let left_out: Vec<usize> = left_out.iter().filter_map(|&fluent| word(fluent)).collect();
        left_out.iter().for_each(|&word| is_free[word] = false);
        let mut groups: Vec<(Vec<u32>, bool)> =
            groups.map(|group| (group.members.to_vec(), group.exactly_one)).collect();
        groups.sort_by_key(|(members, _)| std::cmp::Reverse(members.len()));
        let mut layout = CompactLayout { fields: Vec::new(), bits: 0, left_out };
        for (members, exactly_one) in groups {
            let words: Vec<usize> = members
                .iter()
                .filter_map(|&member| word(member))
                .filter(|&word| is_free[word])
                .collect();
            // One that is always true can have the number 0, if none of the group is missing.
            let first = usize::from(!(exactly_one && words.len() == members.len()));
            let values = words.len() + first;
            let bits = values.next_power_of_two().trailing_zeros() as usize;
            if bits < words.len() {
                words.iter().for_each(|&word| is_free[word] = false);
                layout.add(bits, words.into_iter().zip(first..).collect());
            }
        }
        for word in (0..program.carried).filter(|&word| is_free[word]) {
            layout.add(1, vec![(word, 1)]);
        }
        layout
    }

    fn add(&mut self, bits: usize, members: Vec<(usize, usize)>) {
        self.fields.push(Field { first_bit: self.bits, bits, members });
        self.bits += bits;
    }

    /// The bits of a state.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// The numbers of a state; at least one.
    pub fn len(&self) -> usize {
        self.bits.div_ceil(64).max(1)
    }

    /// A state has at least one number.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// By carried word: whether it is true in a state. What is left out stays as it is.
    pub fn truths(&self, state: &[u64], truths: &mut [bool]) {
        for field in &self.fields {
            let at = (field.first_bit / 64, field.first_bit % 64);
            let mut number = state[at.0] >> at.1;
            if at.1 + field.bits > 64 {
                number |= state[at.0 + 1] << (64 - at.1);
            }
            let number = number as usize & ((1 << field.bits) - 1);
            for &(word, own) in &field.members {
                truths[word] = number == own;
            }
        }
    }

    /// Sets the words that are left out, in the order in which they were given.
    pub fn left_out_truths(&self, left_out: &[bool], truths: &mut [bool]) {
        for (&word, &truth) in self.left_out.iter().zip(left_out) {
            truths[word] = truth;
        }
    }

    /// A state, and the truth of what is left out; an error where it is of another engine.
    pub fn pack(
        &self,
        program: &Program,
        state: &State,
    ) -> Result<(Vec<u64>, Vec<bool>), ForeignError> {
        program.names.table().check_state(state)?;
        let mut truths = vec![false; program.questions.state_words];
        for fluent in state.iter() {
            if let Some(&FluentPlace::Word(word)) = program.fluents.get(fluent) {
                truths[word] = true;
            }
        }
        let mut packed = vec![0; self.len()];
        for field in &self.fields {
            let held = field.members.iter().find(|(word, _)| truths[*word]);
            let number = held.map_or(0, |&(_, number)| number);
            for bit in 0..field.bits {
                let at = field.first_bit + bit;
                packed[at / 64] |= (number as u64 >> bit & 1) << (at % 64);
            }
        }
        Ok((packed, self.left_out.iter().map(|&word| truths[word]).collect()))
    }
}

/// Words between lanes and compact states; kept by the caller, so that nothing is allocated.
#[derive(Clone, Debug)]
pub struct CompactWords<W>(Vec<W>);

impl<W> Default for CompactWords<W> {
    fn default() -> Self {
        CompactWords(Vec::new())
    }
}

impl<W: Word> Batch<W> {
    /// Loads compact states, one after the other, the first into lane 0; at most as many as there
    /// are lanes. What is left out has the same truth in all lanes.
    pub fn load_compact(
        &mut self,
        layout: &CompactLayout,
        states: &[u64],
        left_out: &[bool],
        words: &mut CompactWords<W>,
    ) {
        let len = layout.len();
        words.0.resize(layout.bits, W::ZERO);
        for (at, column) in words.0.chunks_mut(64).enumerate() {
            for part in 0..W::LANES / 64 {
                let mut square = [0; 64];
                let first = part * 64 * len + at;
                if first < states.len() {
                    let lanes = states[first..].iter().step_by(len);
                    square.iter_mut().zip(lanes).for_each(|(row, &bits)| *row = bits);
                    transpose(&mut square);
                }
                for (word, bits) in column.iter_mut().zip(square) {
                    word.parts_mut()[part] = bits;
                }
            }
        }
        for field in &layout.fields {
            let code = &words.0[field.first_bit..field.first_bit + field.bits];
            for &(word, number) in &field.members {
                self.before[word] =
                    code.iter().enumerate().fold(W::splat(true), |all, (at, &bit)| {
                        all & if number >> at & 1 == 1 { bit } else { !bit }
                    });
            }
        }
        for (&word, &truth) in layout.left_out.iter().zip(left_out) {
            self.before[word] = W::splat(truth);
        }
    }

    /// Adds the next states in the first lanes; after [`Batch::advance`].
    pub fn next_compact(
        &self,
        layout: &CompactLayout,
        count: usize,
        words: &mut CompactWords<W>,
        states: &mut Vec<u64>,
    ) {
        words.0.clear();
        words.0.resize(layout.bits, W::ZERO);
        for field in &layout.fields {
            let code = &mut words.0[field.first_bit..field.first_bit + field.bits];
            for &(word, number) in &field.members {
                let held = self.after[word];
                for (at, bit) in code.iter_mut().enumerate() {
                    if number >> at & 1 == 1 {
                        *bit = *bit | held;
                    }
                }
            }
        }
        let (len, first) = (layout.len(), states.len());
        states.resize(first + count * len, 0);
        let mut put = |lane: usize, at: usize, bits: u64| states[first + lane * len + at] = bits;
        by_lane(count, layout.bits, |bit| words.0[bit], &mut put);
    }

    /// Says which move of the only role is made in each lane: runs of lanes, each with the index
    /// of its move.
    pub fn make_runs(&mut self, runs: &[(usize, usize)]) {
        let does = &self.program.questions.does;
        for slot in does.iter().flatten() {
            self.work[slot.index()] = W::ZERO;
        }
        let mut first = 0;
        for &(chosen, count) in runs {
            let lanes = W::first(first + count) & !W::first(first);
            if let Some(slot) = does.first().and_then(|slots| slots.get(chosen)) {
                let word = &mut self.work[slot.index()];
                *word = *word | lanes;
            }
            first += count;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::circuit::build;
    use crate::game::Game;
    use crate::gdl::Source;
    use crate::ground::{Limits, NoWatch, Options, ground};
    use crate::lanes::{Backend, Code, LanesGame};
    use crate::program::Mapping;
    use crate::reference::load;

    const SHEET: &str = "
        (role r) (init (at 0)) (init (step 0)) (init lamp) (succ 0 1) (succ 1 2) (succ 2 3)
        (succ 3 4) (succ 4 5)
        (<= (legal r (go ?y)) (true (at ?x)) (succ ?x ?y)) (legal r stay)
        (<= (next (at ?y)) (does r (go ?y))) (<= (next (at ?x)) (true (at ?x)) (does r stay))
        (<= (next lamp) (does r stay)) (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
        (<= terminal (true (at 3))) (<= terminal (true (step 4)))
        (<= (goal r 50) (true lamp)) (<= (goal r 20) (not (true lamp)))";

    #[test]
    fn compact_states_step_as_whole_ones_do() {
        let rules = load(Source::from_text("sheet", SHEET)).expect("a sheet");
        let rules = ground(&rules, &Options::default(), Limits::default(), &mut NoWatch);
        let circuit = build(&rules.expect("ground rules").rules).expect("a circuit");
        let fluent = |name: &str| {
            let names = circuit.names.clone();
            (0..circuit.fluents.len())
                .filter(|&at| names.fluent_text(at).starts_with(name))
                .map(|at| at as u32)
                .collect::<Vec<u32>>()
        };
        let (places, steps) = (fluent("(at"), fluent("(step"));
        let program = Arc::new(Program::new(&circuit, Mapping::TwoInputs));
        let code = Code::for_questions(&program, Backend::Portable).expect("portable code");
        let code = Arc::new(code);
        let group = ExclusiveFluents { members: &places, exactly_one: true };
        let layout = CompactLayout::new(&program, [group].into_iter(), &steps);
        assert_eq!(layout.bits(), 4, "six places and a lamp");
        let (first, left_out) = layout.pack(&program, &program.initial).expect("its own state");
        assert_eq!(left_out.iter().filter(|&&truth| truth).count(), 1);
        let mut batch: Batch<u64> = Batch::new(&program, &code);
        let (mut words, mut next) = (CompactWords::default(), Vec::new());
        batch.load_compact(&layout, &[first.clone(), first].concat(), &left_out, &mut words);
        batch.look();
        let go = batch.legal_lanes(0).position(|lanes| lanes & 1 == 1).expect("a legal move");
        let stay = circuit.names.move_of(0, "stay").expect("a move").index();
        batch.make_runs(&[(go, 1), (stay, 1)]);
        batch.advance();
        batch.next_compact(&layout, 2, &mut words, &mut next);
        let mut game = LanesGame::<u64>::new(program.clone(), &code);
        let start = game.initial_state().expect("a state");
        for (lane, chosen) in [(0, go), (1, stay)] {
            let chosen = circuit.names.moves(0).nth(chosen).expect("a move");
            let state = game.next_state(&start, &[chosen]).expect("a state");
            let (packed, _) = layout.pack(&program, &state).expect("its own state");
            assert_eq!(packed, next[lane..=lane]);
        }
    }
}
