//! What moves take from place to place: things that are at exactly one of their places in every
//! state, and that a move takes to the same place from the same place, whatever else is the case.
//!
//! They are closed sets of fluents with few states, such as the position and the twist of a corner;
//! or facts that moves only rename, such as the colour of a sticker. Facts of several equal things
//! are told apart by the facts that always go with them.

use std::collections::VecDeque;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::expand::{NextStates, Over, expander};
use super::super::heuristic::{closed_sets, words};
use super::super::method::Task;
use super::super::puzzle::Puzzle;

/// Things, and the moves that take them along.
pub(super) struct Moved {
    /// Moves by their index in the circuit.
    pub(super) moves: Vec<u32>,
    pub(super) things: Vec<Thing>,
}

/// Something that is moved.
pub(super) struct Thing {
    /// By place: words of the state, and what they are if the thing is there.
    pub(super) places: Vec<Vec<(usize, bool)>>,
    /// By move: by place the place after it.
    pub(super) next: Vec<Vec<u16>>,
}

impl Thing {
    /// The place in a state; `None` if it seems to be at none or at several.
    pub(super) fn place(&self, truths: &[bool]) -> Option<usize> {
        let is_there =
            |place: &Vec<(usize, bool)>| place.iter().all(|&(word, is)| truths[word] == is);
        let mut found = (0..self.places.len()).filter(|&at| is_there(&self.places[at]));
        found.next().filter(|_| found.next().is_none())
    }
}

/// What random play shows of all moves.
pub(super) struct WatchedPlay {
    /// The moves that were legal in every state.
    moves: Vec<u32>,
    sets: Vec<SetPlay>,
    /// By move and word: a hash of all its values before the move, and after it.
    before: Vec<Vec<u64>>,
    after: Vec<Vec<u64>>,
}

/// The states of a closed set of fluents.
struct SetPlay {
    words: Vec<usize>,
    numbers: FxHashMap<u128, u16>,
    /// By move and state: the next one.
    next: Vec<Vec<Option<u16>>>,
    /// Whether one state led to one state by each move, and there were few.
    is_fit: bool,
}

/// Games are played to this depth, as often as this.
const DEPTH: usize = 40;
const GAMES: usize = 4;
/// A game with more words in a state or more moves is not looked at, nor a set with more states.
const WORDS: usize = 1024;
const MOVES: usize = 128;
const SET_STATES: usize = 64;

impl WatchedPlay {
    /// Plays at random; `None` if fewer than two moves are always legal, or the game is large.
    pub(super) fn watch(task: &Task<'_>) -> Option<Self> {
        let puzzle = task.puzzle;
        let (carried, count) = (puzzle.lanes.program.carried, puzzle.circuit.moves[0].len());
        if carried > WORDS || count > MOVES {
            return None;
        }
        let mut play = WatchedPlay {
            moves: (0..count as u32).collect(),
            sets: Vec::new(),
            before: vec![vec![0; carried]; count],
            after: vec![vec![0; carried]; count],
        };
        let mut rng = Pcg64Mcg::seed_from_u64(task.seed);
        for game in 0..GAMES {
            if !play.game(task, &mut rng, game == 0) {
                return None;
            }
        }
        Some(play)
    }

    /// Plays from the start in all lanes. Says whether to go on.
    fn game(&mut self, task: &Task<'_>, rng: &mut Pcg64Mcg, is_first: bool) -> bool {
        let puzzle = task.puzzle;
        let len = puzzle.layout.len();
        let mut expander = expander(puzzle);
        let (mut over, mut children): (Vec<Over>, _) = (Vec::new(), NextStates::default());
        let mut states = puzzle.start_code.repeat(expander.lanes());
        for depth in 0..DEPTH.min(puzzle.horizon().unwrap_or(DEPTH)) {
            expander.look(&states, depth, &mut over, &mut children);
            let count = states.len() / len;
            self.keep_legal(&children.moves, count - over.len());
            if self.moves.len() < 2 {
                return false;
            }
            if is_first && depth == 0 {
                self.sets = sets(puzzle);
            }
            let is_over = |place: usize| over.iter().any(|found| found.place == place);
            let mut chosen: Vec<(u32, u32)> = (0..count)
                .filter(|&place| !is_over(place))
                .map(|place| (self.moves[rng.random_range(0..self.moves.len())], place as u32))
                .collect();
            if chosen.is_empty() {
                break;
            }
            chosen.sort_unstable();
            children.moves = chosen.iter().map(|&(made, _)| made).collect();
            children.parents = chosen.iter().map(|&(_, place)| place).collect();
            expander.step(&states, depth, &mut children);
            self.note(puzzle, &states, &children);
            std::mem::swap(&mut states, &mut children.codes);
            if !task.pace.goes_on((8 * chosen.len() * puzzle.lanes.program.carried) as u64) {
                return false;
            }
        }
        true
    }

    fn keep_legal(&mut self, legal: &[u32], states: usize) {
        let mut counts = vec![0; self.before.len()];
        legal.iter().for_each(|&at| counts[at as usize] += 1);
        self.moves.retain(|&at| counts[at as usize] == states);
    }

    fn note(&mut self, puzzle: &Puzzle, states: &[u64], children: &NextStates) {
        let (len, carried) = (puzzle.layout.len(), puzzle.lanes.program.carried);
        let (mut before, mut after) = (vec![false; carried], vec![false; carried]);
        for ((&parent, &made), code) in
            children.parents.iter().zip(&children.moves).zip(children.codes.chunks_exact(len))
        {
            puzzle.layout.truths(&states[parent as usize * len..][..len], &mut before);
            puzzle.layout.truths(code, &mut after);
            add_to_hashes(&mut self.before[made as usize], &before);
            add_to_hashes(&mut self.after[made as usize], &after);
            self.sets.iter_mut().for_each(|set| set.note(made as usize, &before, &after));
        }
    }
}

fn add_to_hashes(hashes: &mut [u64], truths: &[bool]) {
    for (hash, &is_true) in hashes.iter_mut().zip(truths) {
        *hash = (hash.rotate_left(7) ^ u64::from(is_true)).wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1;
    }
}

fn sets(puzzle: &Puzzle) -> Vec<SetPlay> {
    let words = words(puzzle);
    let moves = puzzle.circuit.moves[0].len();
    let set = |fluents: Vec<u32>| {
        let words = fluents.iter().map(|&fluent| words[fluent as usize]);
        Some(SetPlay {
            words: words.collect::<Option<_>>()?,
            numbers: FxHashMap::default(),
            next: vec![Vec::new(); moves],
            is_fit: true,
        })
    };
    closed_sets(puzzle).into_iter().filter_map(set).collect()
}

impl SetPlay {
    fn note(&mut self, made: usize, before: &[bool], after: &[bool]) {
        if !self.is_fit {
            return;
        }
        let [before, after] = [before, after].map(|truths| self.number(truths));
        let next = &mut self.next[made];
        next.resize(next.len().max(before as usize + 1), None);
        let known = next[before as usize].get_or_insert(after);
        self.is_fit = *known == after && self.numbers.len() <= SET_STATES;
    }

    fn number(&mut self, truths: &[bool]) -> u16 {
        let bits = self.words.iter().enumerate();
        let state = bits.fold(0, |state, (bit, &word)| state | (u128::from(truths[word]) << bit));
        let count = self.numbers.len() as u16;
        *self.numbers.entry(state).or_insert(count)
    }

    fn thing(&self, moves: &[u32]) -> Option<Thing> {
        let mut places = vec![Vec::new(); self.numbers.len()];
        for (&state, &number) in &self.numbers {
            let truth = |(bit, &word): (usize, &usize)| (word, state >> bit & 1 == 1);
            places[number as usize] = self.words.iter().enumerate().map(truth).collect();
        }
        let next = |&made: &u32| {
            let mut next = self.next[made as usize].clone();
            next.resize(places.len(), None);
            next.into_iter().collect::<Option<Vec<u16>>>()
        };
        let next = moves.iter().map(next).collect::<Option<Vec<_>>>()?;
        (self.is_fit && next.iter().all(|next| is_permutation(next)))
            .then_some(Thing { places, next })
    }
}

fn is_permutation(next: &[u16]) -> bool {
    let mut is_hit = vec![false; next.len()];
    next.iter().all(|&to| !std::mem::replace(&mut is_hit[to as usize], true))
}

/// Things made of facts that moves rename, those that matter in a goal state.
pub(super) fn moved_facts(puzzle: &Puzzle, play: &WatchedPlay, goal: &[u64]) -> Option<Moved> {
    let takes: Vec<(u32, Vec<usize>)> =
        play.moves.iter().filter_map(|&made| Some((made, play.takes(made)?))).collect();
    let mut truths = vec![false; puzzle.lanes.program.carried];
    puzzle.layout.truths(goal, &mut truths);
    let is_moved = |word: usize| takes.iter().any(|(_, takes)| takes[word] != word);
    let facts: Vec<usize> =
        (0..truths.len()).filter(|&word| truths[word] && is_moved(word)).collect();
    let renames: Vec<&[usize]> = takes.iter().map(|(_, takes)| takes.as_slice()).collect();
    let mut things: Vec<(Vec<usize>, Thing)> = Vec::new();
    for &fact in &facts {
        let reached = orbit(&[fact], &renames, WORDS)?;
        let like: Vec<usize> =
            facts.iter().copied().filter(|&other| reached.contains(&[other][..])).collect();
        let block =
            if like.len() == 1 { vec![fact] } else { block(fact, &facts, reached.len(), &renames) };
        if things.iter().all(|(known, _)| *known != block) {
            let thing = thing_of(&block, &renames)?;
            things.push((block, thing));
        }
    }
    let (moves, things) = (takes.iter().map(|&(made, _)| made), things.into_iter());
    Some(Moved { moves: moves.collect(), things: things.map(|(_, thing)| thing).collect() })
        .filter(|moved| !moved.things.is_empty() && moved.moves.len() > 1)
}

impl WatchedPlay {
    /// Things that are closed sets of fluents, if all such sets are things.
    pub(super) fn closed_things(&self) -> Option<Moved> {
        let things: Option<Vec<Thing>> =
            self.sets.iter().map(|set| set.thing(&self.moves)).collect();
        let things = things.filter(|things| !things.is_empty())?;
        Some(Moved { moves: self.moves.clone(), things })
    }

    /// By word: which one it becomes by a move; `None` if not all words become words.
    fn takes(&self, made: u32) -> Option<Vec<usize>> {
        let mut before: FxHashMap<u64, VecDeque<usize>> = FxHashMap::default();
        for (word, &hash) in self.before[made as usize].iter().enumerate() {
            before.entry(hash).or_default().push_back(word);
        }
        let mut takes = vec![0; self.before[made as usize].len()];
        for (word, hash) in self.after[made as usize].iter().enumerate() {
            takes[before.get_mut(hash)?.pop_front()?] = word;
        }
        Some(takes)
    }
}

/// All that moves make of some words, at most so many.
fn orbit(start: &[usize], renames: &[&[usize]], most: usize) -> Option<FxHashSet<Vec<usize>>> {
    let mut reached = FxHashSet::from_iter([start.to_vec()]);
    let mut todo = vec![start.to_vec()];
    while let Some(words) = todo.pop() {
        for rename in renames {
            let next: Vec<usize> = words.iter().map(|&word| rename[word]).collect();
            if reached.insert(next.clone()) {
                todo.push(next);
            }
        }
        if reached.len() > most {
            return None;
        }
    }
    Some(reached)
}

/// The facts of the goal that are where they are whenever this one is where it is.
fn block(fact: usize, facts: &[usize], places: usize, renames: &[&[usize]]) -> Vec<usize> {
    let goes_with = |&&other: &&usize| orbit(&[fact, other], renames, places).is_some();
    facts.iter().filter(goes_with).copied().collect()
}

fn thing_of(block: &[usize], renames: &[&[usize]]) -> Option<Thing> {
    let mut places: Vec<Vec<usize>> = orbit(block, renames, SET_STATES)?.into_iter().collect();
    places.sort_unstable();
    let number = |place: &[usize]| places.binary_search_by(|other| other.as_slice().cmp(place));
    let after = |place: &Vec<usize>, rename: &[usize]| {
        let next: Vec<usize> = place.iter().map(|&word| rename[word]).collect();
        number(&next).ok().map(|number| number as u16)
    };
    let next = |rename: &&[usize]| places.iter().map(|place| after(place, rename)).collect();
    let next = renames.iter().map(next).collect::<Option<Vec<Vec<u16>>>>()?;
    let places = places.iter().map(|place| place.iter().map(|&word| (word, true)).collect());
    Some(Thing { places: places.collect(), next })
}
