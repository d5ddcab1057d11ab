//! Moves taken apart: their shapes, and the constants in them.

use std::collections::HashMap;

use propnet::game::{Move, Role};
use propnet::gdl::Symbol;
use propnet::names::Names;
use propnet::terms::{TermId, Terms};

use super::board::Coordinates;

/// A move without its constants: `(move a 1 b 2)` and `(move c 3 d 4)` have the same shape, and so
/// have `(move (cell a 1) (cell b 2))` and others like it. Functions with the number of their
/// arguments, and nothing for each constant, in the order of the text.
type Shape = Vec<Option<(Symbol, usize)>>;

/// All moves of a game.
pub(super) struct MoveTerms {
    /// By shape: a move that has it.
    pub(super) shapes: Vec<MoveSample>,
    /// By role and move.
    moves: Vec<Vec<TakenApart>>,
}

/// A shape of moves, shown by one of them.
pub(super) struct MoveSample {
    pub(super) role: Role,
    pub(super) index: usize,
    /// The number of constants.
    pub(super) leaves: usize,
}

struct TakenApart {
    shape: usize,
    leaves: Vec<TermId>,
}

impl MoveTerms {
    pub(super) fn new(names: &Names) -> Self {
        let mut index: HashMap<Shape, usize> = HashMap::new();
        let mut shapes = Vec::new();
        let mut take_apart = |role: Role, at: usize| {
            let (shape, leaves) = take_apart(names.terms(), names.move_term(role, at));
            let sample = MoveSample { role, index: at, leaves: leaves.len() };
            let shape = *index.entry(shape).or_insert_with(|| {
                shapes.push(sample);
                shapes.len() - 1
            });
            TakenApart { shape, leaves }
        };
        let moves = (0..names.roles().len())
            .map(|role| (0..names.move_count(role)).map(|at| take_apart(role, at)).collect())
            .collect();
        MoveTerms { shapes, moves }
    }

    pub(super) fn roles(&self) -> usize {
        self.moves.len()
    }

    /// The number of moves of a role.
    pub(super) fn count(&self, role: Role) -> usize {
        self.moves[role].len()
    }

    pub(super) fn shape(&self, role: Role, index: usize) -> usize {
        self.moves[role][index].shape
    }

    /// Whether a move says more than its name. A move that does not is how roles wait.
    pub(super) fn has_arguments(&self, role: Role, chosen: Move) -> bool {
        !self.moves[role][chosen.index()].leaves.is_empty()
    }

    /// The cell that two constants of a move name.
    pub(super) fn cell(
        &self,
        role: Role,
        index: usize,
        (one, two): (usize, usize),
        cells: &HashMap<Coordinates, usize>,
    ) -> Option<usize> {
        let leaves = &self.moves[role][index].leaves;
        cells.get(&(*leaves.get(one)?, *leaves.get(two)?)).copied()
    }

    /// By role and move: every cell that two of its constants could name, in any order.
    pub(super) fn named_cells(&self, cells: &HashMap<Coordinates, usize>) -> Vec<Vec<Vec<usize>>> {
        let named = |one: &TakenApart| {
            let pairs = pairs(one.leaves.len());
            let named = pairs.filter_map(|(a, b)| cells.get(&(one.leaves[a], one.leaves[b])));
            named.copied().collect()
        };
        self.moves.iter().map(|moves| moves.iter().map(named).collect()).collect()
    }
}

/// All pairs of different indices.
pub(super) fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    let all = (0..count).flat_map(move |one| (0..count).map(move |two| (one, two)));
    all.filter(|(one, two)| one != two)
}

fn take_apart(terms: &Terms, term: TermId) -> (Shape, Vec<TermId>) {
    let (mut shape, mut leaves) = (vec![Some((terms.name(term), terms.args(term).len()))], vec![]);
    // The depth of a term is limited; see `propnet::terms`.
    fn visit(terms: &Terms, args: &[TermId], shape: &mut Shape, leaves: &mut Vec<TermId>) {
        for &arg in args {
            match terms.args(arg) {
                [] => {
                    shape.push(None);
                    leaves.push(arg);
                }
                inner => {
                    shape.push(Some((terms.name(arg), inner.len())));
                    visit(terms, inner, shape, leaves);
                }
            }
        }
    }
    visit(terms, terms.args(term), &mut shape, &mut leaves);
    (shape, leaves)
}
