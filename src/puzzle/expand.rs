//! States in lanes: which moves are legal, what they lead to, where the game is over.

use std::sync::Arc;

use propnet::lanes::{Batch, CompactLayout, CompactWords, PerWidth, Word};
use propnet::program::Routine;

use super::puzzle::Puzzle;

/// States one step further, in the order of their moves.
#[derive(Clone, Debug, Default)]
pub(super) struct NextStates {
    /// By child: the place of its parent among the states that were asked about.
    pub(super) parents: Vec<u32>,
    /// By child: the move that leads to it.
    pub(super) moves: Vec<u32>,
    /// The children's compact states, one after the other.
    pub(super) codes: Vec<u64>,
}

/// A state in which the game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Over {
    /// Its place among the states that were asked about.
    pub(super) place: usize,
    /// Its score, if it has exactly one.
    pub(super) score: Option<i32>,
}

/// Answers questions about compact states of a puzzle.
pub(super) trait Expand {
    /// How many states at most can be asked about at once.
    fn lanes(&self) -> usize;

    /// How many states are best expanded at once: as many as there are lanes, fewer where their
    /// children would take long.
    fn batch(&self) -> usize;

    /// The work since this was last asked, in units of about a nanosecond.
    fn take_work(&mut self) -> u64;

    /// Where the game is over in these states, which are all this many moves from the start, and
    /// the pairs of state and legal move where it is not.
    fn look(
        &mut self,
        states: &[u64],
        depth: usize,
        over: &mut Vec<Over>,
        children: &mut NextStates,
    );

    /// The pairs of state and move that would be legal if the game went on everywhere.
    fn look_beyond_end(&mut self, states: &[u64], children: &mut NextStates);

    /// The states after the moves of `children`, made in these states.
    fn step(&mut self, states: &[u64], depth: usize, children: &mut NextStates);

    /// All children of these states.
    fn expand(
        &mut self,
        states: &[u64],
        depth: usize,
        over: &mut Vec<Over>,
        children: &mut NextStates,
    ) {
        self.look(states, depth, over, children);
        self.step(states, depth, children);
    }
}

/// What expands the states of a puzzle, as wide as its lanes are.
pub(super) fn expander(puzzle: &Puzzle) -> Box<dyn Expand + Send> {
    puzzle.lanes.setup.width().dispatch(MakeExpander(puzzle))
}

struct MakeExpander<'p>(&'p Puzzle);

impl PerWidth for MakeExpander<'_> {
    type Output = Box<dyn Expand + Send>;

    fn run<W: Word>(self) -> Box<dyn Expand + Send> {
        let puzzle = self.0.clone();
        let batch = Batch::<W>::new(&puzzle.lanes.program, puzzle.lanes.codes.best());
        let questions = &puzzle.lanes.program.questions;
        Box::new(Expander {
            look_work: work_of(&questions.look),
            step_work: work_of(&questions.advance),
            work: 0,
            branching: 1,
            batch,
            layout: puzzle.layout.clone(),
            words: CompactWords::default(),
            gathered: Vec::new(),
            runs: Vec::new(),
            puzzle,
        })
    }
}

/// About how long a pass through a routine takes.
fn work_of(routine: &Routine) -> u64 {
    PASS + routine.blocks.iter().map(|block| block.ops.len() as u64).sum::<u64>()
}

/// What a pass takes besides its operations, and a child, and the children of a batch at most.
const PASS: u64 = 1000;
const LEGAL: u64 = 4;
const BATCH: u64 = 20_000_000;

struct Expander<W> {
    puzzle: Puzzle,
    /// The work of a pass, and all since it was last asked for.
    look_work: u64,
    step_work: u64,
    work: u64,
    /// The most children that states had, on the average of a batch.
    branching: u64,
    batch: Batch<W>,
    layout: Arc<CompactLayout>,
    words: CompactWords<W>,
    gathered: Vec<u64>,
    runs: Vec<(usize, usize)>,
}

impl<W: Word> Expander<W> {
    /// The legal moves in these lanes.
    fn add_legal(&self, open: W, children: &mut NextStates) {
        children.parents.clear();
        children.moves.clear();
        for (at, lanes) in self.batch.legal_lanes(0).enumerate() {
            children.parents.extend((lanes & open).lanes().map(|lane| lane as u32));
            children.moves.resize(children.parents.len(), at as u32);
        }
    }

    fn add_over(&mut self, terminal: W, over: &mut Vec<Over>) {
        self.batch.score();
        let (mut some, mut several) = (W::ZERO, W::ZERO);
        for lanes in self.batch.goal_lanes(0) {
            several = several | some & lanes;
            some = some | lanes;
        }
        let wrong = terminal & (several | !some);
        over.extend(wrong.lanes().map(|place| Over { place, score: None }));
        for (lanes, &score) in self.batch.goal_lanes(0).zip(&self.puzzle.values) {
            let right = lanes & terminal & !wrong;
            over.extend(right.lanes().map(|place| Over { place, score }));
        }
    }
}

impl<W: Word> Expand for Expander<W> {
    fn lanes(&self) -> usize {
        W::LANES
    }

    fn batch(&self) -> usize {
        let most = BATCH * W::LANES as u64 / (self.step_work * self.branching);
        most.clamp(1, W::LANES as u64) as usize
    }

    fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    fn look(
        &mut self,
        states: &[u64],
        depth: usize,
        over: &mut Vec<Over>,
        children: &mut NextStates,
    ) {
        let count = states.len() / self.layout.len();
        let counts = self.puzzle.counts(depth);
        self.batch.load_compact(&self.layout, states, counts, &mut self.words);
        self.batch.look();
        let terminal = self.batch.terminal_lanes() & W::first(count);
        self.add_legal(W::first(count) & !terminal, children);
        self.branching = self.branching.max((children.moves.len() / count.max(1)) as u64);
        self.work += self.look_work + LEGAL * children.moves.len() as u64;
        over.clear();
        if !terminal.is_zero() {
            self.add_over(terminal, over);
        }
    }

    fn look_beyond_end(&mut self, states: &[u64], children: &mut NextStates) {
        let count = states.len() / self.layout.len();
        let counts = self.puzzle.counts(0);
        self.batch.load_compact(&self.layout, states, counts, &mut self.words);
        self.batch.look();
        self.add_legal(W::first(count), children);
        self.work += self.look_work + LEGAL * children.moves.len() as u64;
    }

    fn step(&mut self, states: &[u64], depth: usize, children: &mut NextStates) {
        let len = self.layout.len();
        let counts = self.puzzle.counts(depth);
        children.codes.clear();
        self.work += self.step_work * children.moves.len().div_ceil(W::LANES) as u64;
        let pairs = children.parents.chunks(W::LANES).zip(children.moves.chunks(W::LANES));
        for (parents, moves) in pairs {
            self.gathered.clear();
            match len {
                1 => self.gathered.extend(parents.iter().map(|&parent| states[parent as usize])),
                _ => parents.iter().for_each(|&parent| {
                    let first = parent as usize * len;
                    self.gathered.extend_from_slice(&states[first..first + len]);
                }),
            }
            self.runs.clear();
            for &chosen in moves {
                match self.runs.last_mut() {
                    Some((last, count)) if *last == chosen as usize => *count += 1,
                    _ => self.runs.push((chosen as usize, 1)),
                }
            }
            self.batch.load_compact(&self.layout, &self.gathered, counts, &mut self.words);
            self.batch.make_runs(&self.runs);
            self.batch.advance();
            let codes = &mut children.codes;
            self.batch.next_compact(&self.layout, parents.len(), &mut self.words, codes);
        }
    }
}
