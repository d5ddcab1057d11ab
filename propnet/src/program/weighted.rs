//! The choice of moves by weights: what the circuit hands over, and what it takes back.
//!
//! ```text
//! first part of a step -> what is legal, random bits -> a choice by weights -> rest of the step
//! ```
//!
//! Weights are the same in all lanes, and sums of them have many bits. As gates such sums take more
//! operations than all the rest of a step, since each is an addition bit by bit. Vectors of whole
//! numbers add a number in one instruction, so the circuit only says where moves are legal, and is
//! given the chosen position by the lanes. See `lanes/weigher.rs` for how.
//!
//! Roles that never choose at the same time share positions: one holds at most one move of each.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::copier::{Copier, Input, or_in_pairs};
use super::leaves::{RoleMove, TreePlan};
use super::numbers::{Number, bits_for, one_of};
use super::step::CHOICE_BITS;
use crate::circuit::Signal;

/// The bits of the number that says which of its weights a move has in a lane, where weights depend
/// on what is true there.
pub const CASE_BITS: usize = 5;

/// A choice by weights, and the words of the work space that belong to it.
#[derive(Clone, Debug)]
pub struct WeightedChoice {
    /// Who chooses here, never two of them at the same time.
    pub choosers: Vec<Chooser>,
    /// By position: whether the move of the one who chooses is legal.
    pub legal: Range<usize>,
    /// By chooser except the first: whether it is the one.
    pub is_chooser: Range<usize>,
    /// Whether any move is legal.
    pub some: usize,
    /// Random bits, the least first.
    pub random: Range<usize>,
    /// The bits of the position that is chosen, the least first: to be set before the rest of the
    /// step. Mean nothing where no move is legal.
    pub position: Range<usize>,
}

/// A role that chooses by weights.
#[derive(Clone, Debug)]
pub struct Chooser {
    /// The role.
    pub role: usize,
    /// By position: its move.
    pub moves: Vec<usize>,
    /// By position: a number, in ascending order. Moves with the same one are never legal together.
    pub leaves: Vec<usize>,
}

impl WeightedChoice {
    /// The choice of a plan, with words from the next free one on.
    pub(super) fn new(plan: &TreePlan, next: &mut usize) -> Self {
        let chooser = |&role: &usize| {
            let (leaves, moves) = plan.moves(role).map(|(leaf, (_, at))| (leaf, at)).unzip();
            Chooser { role, moves, leaves }
        };
        let choosers: Vec<Chooser> = plan.roles.iter().map(chooser).collect();
        let positions = plan.positions().len();
        let mut words = |count: usize| {
            *next += count;
            *next - count..*next
        };
        WeightedChoice {
            legal: words(positions),
            is_chooser: words(choosers.len() - 1),
            some: words(1).start,
            random: words(CHOICE_BITS),
            position: words(bits_for(positions - 1)),
            choosers,
        }
    }
}

/// What a circuit says for a choice by weights, in the order of the words.
pub(super) struct Offer {
    /// By position.
    pub(super) legal: Vec<Signal>,
    /// By chooser except the first.
    pub(super) is_chooser: Vec<Signal>,
    pub(super) some: Signal,
    pub(super) random: Number,
}

impl Offer {
    /// The signals with their words.
    pub(super) fn words(&self, choice: &WeightedChoice) -> impl Iterator<Item = (Signal, usize)> {
        let signals = self.legal.iter().chain(&self.is_chooser);
        let signals = signals.chain([&self.some]).chain(&self.random).copied();
        let words = choice.legal.clone().chain(choice.is_chooser.clone());
        signals.zip(words.chain([choice.some]).chain(choice.random.clone()))
    }
}

impl Copier<'_> {
    /// What a plan has to say for a choice by weights.
    pub(super) fn offer(
        &mut self,
        plan: &TreePlan,
        positions: &[Vec<RoleMove>],
        some: Signal,
        random: Number,
    ) -> Offer {
        let legal = positions.iter().map(|moves| self.any_legal(moves)).collect();
        let others = plan.roles[1..].iter().map(|&role| {
            let moves: Vec<RoleMove> = plan.moves(role).map(|(_, chosen)| chosen).collect();
            self.any_legal(&moves)
        });
        let is_chooser = others.collect();
        Offer { legal, is_chooser, some, random }
    }

    /// Where one of the moves is legal.
    pub(super) fn any_legal(&mut self, moves: &[RoleMove]) -> Signal {
        let legal = moves.iter().map(|&(role, at)| self.legal(role, at)).collect();
        or_in_pairs(&mut self.network, legal)
    }

    /// By position, of `positions`: where it was chosen, in lanes that choose.
    pub(super) fn chosen(
        &mut self,
        tree: usize,
        positions: usize,
        choosing: Signal,
    ) -> Vec<Signal> {
        let bits = 0..bits_for(positions - 1);
        let index: Number = bits.map(|bit| self.input(Input::Position(tree, bit))).collect();
        one_of(&mut self.network, &index, positions, choosing)
    }

    /// Makes the moves at positions that were chosen: that of the one who chooses. Who it is takes
    /// few words from one part of a step to the other; what is legal would take many.
    pub(super) fn make_chosen(
        &mut self,
        plan: &TreePlan,
        offer: &Offer,
        positions: &[Vec<RoleMove>],
        chosen: &[Signal],
    ) {
        let other = or_in_pairs(&mut self.network, offer.is_chooser.clone());
        let is_chooser = [!other].into_iter().chain(offer.is_chooser.iter().copied());
        let is_chooser: FxHashMap<usize, Signal> =
            plan.roles.iter().copied().zip(is_chooser).collect();
        for (moves, &position) in positions.iter().zip(chosen) {
            for &(role, at) in moves {
                let made = match moves[..] {
                    [_] => position,
                    _ => self.network.and(vec![position, is_chooser[&role]]),
                };
                self.make(role, at, made);
            }
        }
    }
}
