//! The table of weights in contexts, and the choice by it.
//!
//! The caller says the contexts of one move after the other. They are put together before the next
//! choice: words that several contexts need are computed once, and contexts of a move that follow
//! each other with the same weight are one case.

use std::sync::Arc;

use super::cases::{ChoiceCases, MoveCases};
use super::context::{
    Condition, ContextError, MAX_CASES, MAX_CONDITIONS, MAX_CONTEXTS, MAX_STEPS_AGO,
    WeightInContext,
};
use super::context_words::ContextWords;
use super::recent::{MoveSource, RecentMoves};
use super::word::Word;
use crate::game::{Move, Role};
use crate::machine::CaseLists;
use crate::program::{FluentPlace, Program, WeightedChoice};

/// The weights in contexts of all moves, for one thread.
pub(super) struct Contexts<W> {
    program: Arc<Program>,
    /// By role: the number of the first of its moves among those of all roles, and at last the
    /// number of all.
    first_moves: Vec<usize>,
    /// The last moves, where they are recorded.
    pub(super) recent: Option<RecentMoves<W>>,
    /// By choice, position and chooser.
    tables: Vec<Vec<MoveContexts>>,
    /// Whether contexts or weights have changed since words and choices were made of them.
    is_stale: bool,
    words: ContextWords<W>,
    /// By choice, where a move has contexts.
    choices: Vec<ChoiceInUse<W>>,
}

struct ChoiceInUse<W> {
    is_used: bool,
    cases: ChoiceCases<W>,
}

/// The contexts of a move: by number of its conditions, and the weight.
#[derive(Clone, Default)]
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
    /// No contexts, and all weights 0.
    pub(super) fn new(program: &Arc<Program>) -> Self {
        let (step, names) = (&program.step, &program.names);
        let counts = (0..names.roles().len()).map(|role| names.move_count(role));
        let counts: Vec<usize> = counts.collect();
        let first_moves = (0..=counts.len()).map(|role| counts[..role].iter().sum()).collect();
        let choices = step.ports.choices.iter();
        let bits = step.options.weights.unwrap_or(0);
        Contexts {
            program: program.clone(),
            first_moves,
            recent: step.options.record.then(|| RecentMoves::new(&step.ports, &counts)),
            tables: choices.clone().map(all_moves).collect(),
            is_stale: true,
            words: ContextWords::new(Vec::new(), Vec::new()),
            choices: choices
                .map(|choice| ChoiceInUse { is_used: false, cases: ChoiceCases::new(choice, bits) })
                .collect(),
        }
    }

    /// Gives the move of a chooser at a position of a choice its base weight, and takes its contexts
    /// away.
    pub(super) fn set_base(&mut self, choice: usize, chooser: usize, position: usize, base: u32) {
        let own = self.entry(choice, chooser, position);
        own.contexts.clear();
        own.base = base as u16;
        self.is_stale = true;
    }

    /// Gives it contexts, which were checked.
    pub(super) fn add(
        &mut self,
        choice: usize,
        chooser: usize,
        position: usize,
        contexts: &[WeightInContext],
    ) {
        for context in contexts {
            if let Some(keys) = self.keys(&context.conditions) {
                let own = self.entry(choice, chooser, position);
                own.contexts.push((keys, context.weight as u16));
            }
        }
    }

    fn entry(&mut self, choice: usize, chooser: usize, position: usize) -> &mut MoveContexts {
        let choosers = self.program.step.ports.choices[choice].choosers.len();
        &mut self.tables[choice][position * choosers + chooser]
    }

    /// Whether a choice has contexts; after a look.
    pub(super) fn is_used(&self, choice: usize) -> bool {
        self.choices[choice].is_used
    }

    /// Computes the words of all contexts in a state, with all that was said so far.
    pub(super) fn look(&mut self, state: &[W]) {
        if self.is_stale {
            self.update();
        }
        self.words.compute(state, &mut self.recent);
    }

    /// Chooses in some lanes, after a look.
    pub(super) fn choose(&mut self, choice: usize, lanes: W, work: &mut [W], in_vectors: bool) {
        let ports = &self.program.step.ports.choices[choice];
        self.choices[choice].cases.choose(ports, lanes, self.words.words(), work, in_vectors);
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

    /// The words of conditions, by their numbers, in the table as it is.
    fn number_words(&mut self) -> Vec<u32> {
        let moves = self.first_moves.last().copied().unwrap_or(0);
        let first_made = 1 + 2 * self.program.carried;
        let mut is_needed = vec![false; first_made + MAX_STEPS_AGO * moves];
        let contexts = self.tables.iter().flatten().flat_map(|own| &own.contexts);
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

    fn update(&mut self) {
        let number = self.number_words();
        for (table, choice) in self.tables.iter().zip(&mut self.choices) {
            choice.is_used = table.iter().any(|own| !own.contexts.is_empty());
            if choice.is_used {
                let cases = table.iter().map(|own| own.cases(&number, &mut self.words));
                choice.cases.set(&cases.collect::<Vec<MoveCases>>());
            }
        }
        self.is_stale = false;
    }
}

impl MoveContexts {
    /// Contexts with the same weight, one after the other, are a case. The last ones are none if
    /// their weight is the base weight.
    fn cases<W: Word>(&self, number: &[u32], words: &mut ContextWords<W>) -> MoveCases {
        let mut cases = Vec::new();
        for same in self.contexts.chunk_by(|one, other| one.1 == other.1) {
            let own = same.iter().map(|(keys, _)| words.all(keys.map(|key| number[key as usize])));
            let own: Vec<u32> = own.collect();
            cases.push((words.any(&own), same[0].1));
        }
        cases.pop_if(|(_, weight)| *weight == self.base);
        MoveCases { cases, base: self.base }
    }
}

fn all_moves(choice: &WeightedChoice) -> Vec<MoveContexts> {
    vec![MoveContexts::default(); choice.legal.len() * choice.choosers.len()]
}

/// Complains about weights in contexts that a program cannot have.
pub(super) fn check(
    program: &Program,
    (role, chosen): (Role, Move),
    base: u32,
    contexts: &[WeightInContext],
) -> Result<(), ContextError> {
    check_move(program, role, chosen)?;
    let Some(bits) = program.step.options.weights else { return Err(ContextError::NoWeights) };
    let mut weights = contexts.iter().map(|context| context.weight).chain([base]);
    if let Some(weight) = weights.find(|&weight| weight >= 1 << bits) {
        return Err(ContextError::Weight { weight, bits });
    }
    if contexts.len() > MAX_CONTEXTS {
        return Err(ContextError::Contexts { count: contexts.len() });
    }
    let count = contexts.chunk_by(|one, other| one.weight == other.weight).count();
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
