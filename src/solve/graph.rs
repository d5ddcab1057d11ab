//! All states that can be reached, and where their joint moves lead.
//!
//! States are found breadth-first, in lanes: all joint moves of many states are stepped at once. A
//! state is a number, in the order in which it was found.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::error::SolveError;
use super::positions::{Positions, StateAnswers, add_joint_moves};
use super::watch::{SolveProgress, SolveWatch};
use crate::visited::Visited;

/// A whole game.
pub(super) struct GameGraph {
    states: Visited,
    /// By state: an end, or a shape.
    kinds: Vec<u32>,
    /// By state: where its children begin.
    first: Vec<u64>,
    /// Where joint moves lead, the last role's move changing fastest.
    children: Vec<u32>,
    /// The numbers of legal moves of all roles that states have.
    shapes: IndexSet<Box<[u32]>, FxBuildHasher>,
    /// The goals of all roles that ends have.
    outcomes: IndexSet<Box<[i32]>, FxBuildHasher>,
    /// Whether all children have higher numbers than their parents.
    is_ordered: bool,
}

/// A state as the graph knows it.
pub(super) enum GraphState<'g> {
    /// The game is over, with these goals.
    End(&'g [i32]),
    /// By role: how many moves are legal. And where the joint moves lead.
    Open(&'g [u32], &'g [u32]),
}

/// How much may be found.
#[derive(Clone, Copy, Debug)]
pub(super) struct GraphLimits {
    /// Bytes of states and children.
    pub(super) bytes: u64,
    /// States, without being an error.
    pub(super) states: u64,
}

/// What became of a search for all states.
pub(super) enum GraphOutcome {
    /// All states.
    Whole(Box<GameGraph>),
    /// There are more than the limit; whether several roles chose at once in one of them.
    Larger { is_simultaneous: bool },
    /// The caller stopped it.
    Stopped { states: u64 },
}

/// Marks ends among kinds.
const END: u32 = 1 << 31;

impl GameGraph {
    /// Finds all states from a start on.
    pub(super) fn find(
        positions: &mut dyn Positions,
        start: &[u64],
        limits: GraphLimits,
        watch: &mut SolveWatch<'_>,
    ) -> Result<GraphOutcome, SolveError> {
        let mut graph = GameGraph {
            states: Visited::new(positions.numbers()),
            kinds: Vec::new(),
            first: Vec::new(),
            children: Vec::new(),
            shapes: IndexSet::default(),
            outcomes: IndexSet::default(),
            is_ordered: true,
        };
        graph.states.add(start);
        let mut work = GraphExpansion::default();
        while graph.kinds.len() < graph.states.count() {
            let states = graph.states.count() as u64;
            let progress = SolveProgress {
                method: "induction",
                stage: "states",
                states,
                depth: None,
                bounds: None,
            };
            if !watch(&progress) {
                return Ok(GraphOutcome::Stopped { states });
            }
            if graph.bytes() > limits.bytes || graph.states.is_full() {
                return Err(SolveError::Memory { states, megabytes: limits.bytes >> 20 });
            }
            if states > limits.states {
                let is_simultaneous = graph.shapes.iter().any(|shape| is_simultaneous(shape));
                return Ok(GraphOutcome::Larger { is_simultaneous });
            }
            graph.expand(positions, &mut work)?;
        }
        Ok(GraphOutcome::Whole(Box::new(graph)))
    }

    /// How many states there are.
    pub(super) fn count(&self) -> usize {
        self.kinds.len()
    }

    /// Whether all children have higher numbers than their parents.
    pub(super) fn is_ordered(&self) -> bool {
        self.is_ordered
    }

    /// A state by its number.
    pub(super) fn state(&self, number: usize) -> GraphState<'_> {
        let kind = self.kinds[number];
        if kind & END != 0 {
            return GraphState::End(&self.outcomes[(kind & !END) as usize]);
        }
        GraphState::Open(&self.shapes[kind as usize], self.children(number))
    }

    /// Where the joint moves of a state lead; nowhere from an end.
    pub(super) fn children(&self, number: usize) -> &[u32] {
        let end = self.first.get(number + 1).map_or(self.children.len(), |&first| first as usize);
        &self.children[self.first[number] as usize..end]
    }

    /// The goals of all roles at all ends, each once.
    pub(super) fn outcomes(&self) -> impl Iterator<Item = &[i32]> {
        self.outcomes.iter().map(|goals| &**goals)
    }

    /// The bytes that it takes.
    pub(super) fn bytes(&self) -> u64 {
        let places = 4 * self.kinds.capacity() + 8 * self.first.capacity();
        self.states.bytes() + (places + 4 * self.children.capacity()) as u64
    }

    /// Expands as many states as can be asked about at once.
    fn expand(
        &mut self,
        positions: &mut dyn Positions,
        work: &mut GraphExpansion,
    ) -> Result<(), SolveError> {
        let (first, width) = (self.kinds.len(), positions.width());
        let end = self.states.count().min(first + width);
        let states = self.states.states(first..end).to_vec();
        positions.look(&states, &mut work.answers)?;
        for at in 0..end - first {
            self.first.push((self.children.len() + work.parents.len()) as u64);
            if let Some(goals) = work.answers.end(at) {
                self.kinds.push(END | number_of(&mut self.outcomes, goals));
                continue;
            }
            let legal = work.answers.legal(at);
            work.shape.clear();
            work.shape.extend(legal.iter().map(|moves| moves.len() as u32));
            self.kinds.push(number_of(&mut self.shapes, &work.shape));
            work.joint.clear();
            let count = add_joint_moves(legal, &mut work.joint)?;
            let roles = legal.len();
            let state = &states[at * positions.numbers()..(at + 1) * positions.numbers()];
            for joint in work.joint.chunks_exact(roles).take(count) {
                work.parents.push((first + at) as u32);
                work.codes.extend_from_slice(state);
                work.made.extend_from_slice(joint);
                if work.parents.len() == width {
                    self.step(
                        positions,
                        &mut work.parents,
                        &mut work.codes,
                        &mut work.made,
                        &mut work.next,
                    );
                }
            }
        }
        self.step(positions, &mut work.parents, &mut work.codes, &mut work.made, &mut work.next);
        Ok(())
    }

    /// Makes the joint moves that were collected.
    fn step(
        &mut self,
        positions: &mut dyn Positions,
        parents: &mut Vec<u32>,
        codes: &mut Vec<u64>,
        made: &mut Vec<u32>,
        next: &mut Vec<u64>,
    ) {
        if parents.is_empty() {
            return;
        }
        next.clear();
        positions.step(codes, made, next);
        for (code, &parent) in next.chunks_exact(positions.numbers()).zip(&*parents) {
            let (child, _) = self.states.add(code);
            self.is_ordered &= child > parent as usize;
            self.children.push(child as u32);
        }
        parents.clear();
        codes.clear();
        made.clear();
    }
}

/// Whether at least two roles have a choice.
pub(super) fn is_simultaneous(shape: &[u32]) -> bool {
    shape.iter().filter(|&&count| count > 1).count() > 1
}

/// Memory that is used again and again.
#[derive(Default)]
struct GraphExpansion {
    answers: StateAnswers,
    shape: Vec<u32>,
    joint: Vec<u32>,
    /// Pairs of state and joint move that wait to be stepped: the states' numbers, the states
    /// themselves, the moves; and where they lead.
    parents: Vec<u32>,
    codes: Vec<u64>,
    made: Vec<u32>,
    next: Vec<u64>,
}

fn number_of<T: std::hash::Hash + Eq + Copy>(
    set: &mut IndexSet<Box<[T]>, FxBuildHasher>,
    item: &[T],
) -> u32 {
    let number = set.get_index_of(item).unwrap_or_else(|| set.insert_full(item.into()).0);
    number as u32
}
