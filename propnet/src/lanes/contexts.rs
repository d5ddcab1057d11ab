//! The table of values in contexts, and the choice by it.
//!
//! A table is put together when it is set: words that several contexts need are computed once, and
//! contexts of a move that follow each other with the same value are one case.

use std::sync::Arc;

use super::cases::{ChoiceCases, MoveCases};
use super::context::{
    Condition, ContextError, ContextualValue, MAX_CASES, MAX_CONDITIONS, MAX_CONTEXTS, MAX_PARTS,
    MAX_STEPS_AGO, ValueInContext, ValueTable,
};
use super::context_words::ContextWords;
use super::recent::{MoveSource, RecentMoves};
use super::word::Word;
use crate::game::{Move, Role};
use crate::machine::CaseLists;
use crate::program::{
    EXPLORED_OF, FluentPlace, HIGHEST_VALUE, LEGAL, Program, Sampling, WeightedChoice,
};

/// The values in contexts of all moves, for one thread.
pub(super) struct Contexts<W> {
    program: Arc<Program>,
    /// By role: the number of the first of its moves among those of all roles, and at last the
    /// number of all.
    first_moves: Vec<usize>,
    /// The last moves, where they are recorded.
    pub(super) recent: Option<RecentMoves<W>>,
    words: ContextWords<W>,
    /// By choice.
    choices: Vec<ChoiceCases<W>>,
}

/// The contexts of a move: by number of its conditions, and the value.
struct MoveContexts {
    contexts: Vec<(Keys, u16)>,
    base: u16,
}

/// Conditions by number; those that are missing are [`ALWAYS`].
type Keys = [u32; MAX_CONDITIONS];

/// The number of what holds always.
const ALWAYS: u32 = 0;

/// A condition, as far as it is known before lanes are looked at.
enum Known {
    Constant(bool),
    Key(u32),
}

impl<W: Word> Contexts<W> {
    /// No values yet.
    pub(super) fn new(program: &Arc<Program>) -> Self {
        let (step, names) = (&program.step, &program.names);
        let counts = (0..names.roles().len()).map(|role| names.move_count(role));
        let counts: Vec<usize> = counts.collect();
        let first_moves = (0..=counts.len()).map(|role| counts[..role].iter().sum()).collect();
        Contexts {
            program: program.clone(),
            first_moves,
            recent: step.options.record.then(|| RecentMoves::new(&step.ports, &counts)),
            words: ContextWords::new(Vec::new(), Vec::new()),
            choices: step.ports.choices.iter().map(ChoiceCases::new).collect(),
        }
    }

    /// Sets the values of all moves, in a table that was checked.
    pub(super) fn set(&mut self, table: &ValueTable) {
        let program = self.program.clone();
        let choices = &program.step.ports.choices;
        // By choice and part.
        let contexts = choices.iter().map(|choice| {
            let parts = table.parts.iter();
            parts.map(|part| self.move_contexts(choice, part)).collect()
        });
        let contexts: Vec<Vec<Vec<MoveContexts>>> = contexts.collect();
        let number = self.number_words(contexts.iter().flatten().flatten());
        for (own, parts) in self.choices.iter_mut().zip(&contexts) {
            let cases = parts.iter().enumerate().map(|(part, moves)| {
                let added = if part == 0 { LEGAL } else { 0 };
                let cases = moves.iter().map(|own| own.cases(&number, added, &mut self.words));
                cases.collect::<Vec<MoveCases>>()
            });
            let cases: Vec<Vec<MoveCases>> = cases.collect();
            own.set(table.sampling, &cases);
        }
    }

    /// The contexts of the moves of a choice, by position and chooser.
    fn move_contexts(
        &self,
        choice: &WeightedChoice,
        part: &[Vec<ContextualValue>],
    ) -> Vec<MoveContexts> {
        let positions = 0..choice.legal.len();
        let moves =
            positions.flat_map(|at| choice.choosers.iter().map(move |chooser| (at, chooser)));
        let moves = moves.map(|(at, chooser)| match chooser.moves.get(at) {
            Some(&chosen) => {
                let own = &part[chooser.role][chosen];
                let keys = |one: &ValueInContext| Some((self.keys(&one.conditions)?, one.value));
                let contexts = own.contexts.iter().filter_map(keys).collect();
                MoveContexts { contexts, base: own.base }
            }
            None => MoveContexts { contexts: Vec::new(), base: 0 },
        });
        moves.collect()
    }

    /// Computes the words of all contexts in a state.
    pub(super) fn look(&mut self, state: &[W]) {
        self.words.compute(state, &mut self.recent);
    }

    /// Chooses in some lanes, after a look.
    pub(super) fn choose(&mut self, choice: usize, lanes: W, work: &mut [W], in_vectors: bool) {
        let ports = &self.program.step.ports.choices[choice];
        self.choices[choice].choose(ports, lanes, self.words.words(), work, in_vectors);
    }

    /// The numbers of conditions; none where they never hold.
    fn keys(&self, conditions: &[Condition]) -> Option<Keys> {
        let mut keys = [ALWAYS; MAX_CONDITIONS];
        for (key, condition) in keys.iter_mut().zip(conditions) {
            match self.known(condition) {
                Known::Constant(true) => {}
                Known::Constant(false) => return None,
                Known::Key(number) => *key = number,
            }
        }
        Some(keys)
    }

    fn known(&self, condition: &Condition) -> Known {
        let of_word = |word: usize, complement: bool| 1 + 2 * word + usize::from(complement);
        let key = match *condition {
            Condition::Fluent(fluent) => match self.program.fluents[fluent] {
                FluentPlace::Constant(truth) => return Known::Constant(truth),
                FluentPlace::Word(word) => of_word(word, false),
                FluentPlace::Follows(word, complement) => of_word(word, complement),
            },
            Condition::Made { role, chosen, steps_ago } => {
                if self.source(role, chosen.index(), steps_ago).is_none() {
                    return Known::Constant(false);
                }
                let moves = self.first_moves.last().copied().unwrap_or(0);
                let number = self.first_moves[role] + chosen.index();
                1 + 2 * self.program.carried + (steps_ago - 1) * moves + number
            }
        };
        Known::Key(key as u32)
    }

    fn source(&self, role: Role, chosen: usize, steps_ago: usize) -> Option<MoveSource> {
        self.recent.as_ref()?.source(role, chosen, steps_ago)
    }

    /// The words of the conditions of moves, by their numbers.
    fn number_words<'m>(&mut self, moves: impl Iterator<Item = &'m MoveContexts>) -> Vec<u32> {
        let contexts = moves.flat_map(|own| &own.contexts);
        let moves = self.first_moves.last().copied().unwrap_or(0);
        let first_made = 1 + 2 * self.program.carried;
        let mut is_needed = vec![false; first_made + MAX_STEPS_AGO * moves];
        contexts.flat_map(|(keys, _)| keys).for_each(|&key| is_needed[key as usize] = true);
        let mut number = vec![CaseLists::ALWAYS; is_needed.len()];
        let first = ContextWords::<W>::FIRST;
        let (mut state, mut made) = (Vec::new(), Vec::new());
        for key in (1..number.len()).filter(|&key| is_needed[key]) {
            if key < first_made {
                state.push(((key - 1) / 2, (key - 1) % 2 == 1));
                number[key] = (first + state.len() - 1) as u32;
            } else {
                let (steps_before, at) = ((key - first_made) / moves, (key - first_made) % moves);
                let role = self.first_moves.partition_point(|&first| first <= at) - 1;
                let chosen = at - self.first_moves[role];
                made.extend(
                    self.source(role, chosen, steps_before + 1).map(|source| (source, key)),
                );
            }
        }
        made.sort_unstable_by_key(|&(source, _)| source);
        for (at, &(_, key)) in made.iter().enumerate() {
            number[key] = (first + state.len() + at) as u32;
        }
        let made = made.into_iter().map(|(source, _)| source).collect();
        self.words = ContextWords::new(state, made);
        number
    }
}

impl MoveContexts {
    /// Contexts with the same value, one after the other, are a case. The last ones are none if
    /// their value is the base value. Something is added to all values.
    fn cases<W: Word>(&self, number: &[u32], added: u16, words: &mut ContextWords<W>) -> MoveCases {
        let mut cases = Vec::new();
        let mut same: Vec<&[(Keys, u16)]> =
            self.contexts.chunk_by(|one, other| one.1 == other.1).collect();
        same.pop_if(|last| last[0].1 == self.base);
        for same in same {
            let own = same.iter().map(|(keys, _)| words.all(keys.map(|key| number[key as usize])));
            let own: Vec<u32> = own.collect();
            cases.push((words.any(&own), same[0].1 + added));
        }
        MoveCases { cases, base: self.base + added }
    }
}

/// Complains about values that a program cannot have.
pub(super) fn check(program: &Program, table: &ValueTable) -> Result<(), ContextError> {
    if program.step.options.weights.is_none() {
        return Err(ContextError::NoWeights);
    }
    if let Sampling::Greedy { explored } = table.sampling
        && explored > EXPLORED_OF
    {
        return Err(ContextError::Explored { explored });
    }
    if !(1..=MAX_PARTS).contains(&table.parts.len()) {
        return Err(ContextError::Parts { count: table.parts.len() });
    }
    for part in &table.parts {
        let roles = program.names.roles().len().max(part.len());
        for role in 0..roles {
            let own = part.get(role).map_or(&[][..], Vec::as_slice);
            let known = role < program.names.roles().len();
            let moves = if known { program.names.move_count(role) } else { 0 };
            if own.len() != moves {
                return Err(ContextError::Moves { role, moves, found: own.len() });
            }
            own.iter().try_for_each(|own| check_value(program, own))?;
        }
    }
    Ok(())
}

fn check_value(program: &Program, own: &ContextualValue) -> Result<(), ContextError> {
    let contexts = &own.contexts;
    let mut values = contexts.iter().map(|context| context.value).chain([own.base]);
    if let Some(value) = values.find(|&value| value > HIGHEST_VALUE) {
        return Err(ContextError::Value { value });
    }
    if contexts.len() > MAX_CONTEXTS {
        return Err(ContextError::Contexts { count: contexts.len() });
    }
    let count = own.cases();
    if count > MAX_CASES {
        return Err(ContextError::Cases { count });
    }
    contexts.iter().try_for_each(|context| {
        let count = context.conditions.len();
        if count > MAX_CONDITIONS {
            return Err(ContextError::Conditions { count });
        }
        context.conditions.iter().try_for_each(|condition| check_condition(program, condition))
    })
}

fn check_condition(program: &Program, condition: &Condition) -> Result<(), ContextError> {
    match *condition {
        Condition::Fluent(fluent) if fluent >= program.fluents.len() => {
            Err(ContextError::NoFluent { fluent })
        }
        Condition::Fluent(fluent) if !program.is_in_playouts(fluent) => {
            Err(ContextError::NotInPlayouts { fluent })
        }
        Condition::Fluent(_) => Ok(()),
        Condition::Made { role, chosen, steps_ago } => {
            check_move(program, role, chosen)?;
            if !(1..=MAX_STEPS_AGO).contains(&steps_ago) {
                return Err(ContextError::StepsAgo { steps_ago });
            }
            match program.step.options.record {
                true => Ok(()),
                false => Err(ContextError::NotRecorded),
            }
        }
    }
}

fn check_move(program: &Program, role: Role, chosen: Move) -> Result<(), ContextError> {
    let names = &program.names;
    names.table().check_move(chosen)?;
    let number = chosen.index();
    match role < names.roles().len() && number < names.move_count(role) {
        true => Ok(()),
        false => Err(ContextError::NoMove { role, number }),
    }
}
