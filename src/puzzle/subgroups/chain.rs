//! The chain of groups: which moves each stage does without after it.
//!
//! A group is fit to end a stage if its orbits tell its states from all others: then there are as many
//! states of the stage as the group is smaller than the one before. Of groups that lack the moves of
//! one or two pairs of a move and its inverse, the smallest fit one is next.

use rand_pcg::Pcg64Mcg;

use super::group::{log_order, orbits};
use super::points::Points;
use super::stage::GroupStage;

/// States of a table at most.
const TABLE: usize = 1 << 16;
/// More stages than these would make lines too long.
const STAGES: usize = 8;

/// The stages from all states to the goal, `None` if none are found.
pub(super) fn chain(
    points: &Points,
    rng: &mut Pcg64Mcg,
    goes_on: &dyn Fn(u64) -> bool,
) -> Option<Vec<GroupStage>> {
    let mut moves: Vec<usize> = (0..points.moves.len()).collect();
    let mut stages = Vec::new();
    let alone: Vec<u16> = (0..points.homes.len() as u16).collect();
    while stages.len() < STAGES && !moves.is_empty() {
        if let Some(last) = GroupStage::new(points, &moves, &alone, TABLE, goes_on) {
            stages.push(last);
            return Some(stages);
        }
        let (stage, kept) = next_stage(points, &moves, rng, goes_on)?;
        stages.push(stage);
        moves = kept;
    }
    None
}

/// The stage with the most states that ends in a fit group, and the moves of that.
fn next_stage(
    points: &Points,
    moves: &[usize],
    rng: &mut Pcg64Mcg,
    goes_on: &dyn Fn(u64) -> bool,
) -> Option<(GroupStage, Vec<usize>)> {
    let count = points.homes.len();
    let of = |moves: &[usize]| -> Vec<&[u16]> {
        moves.iter().map(|&at| points.permutations[at].as_slice()).collect()
    };
    let order = log_order(&of(moves), rng);
    let before = orbits(&of(moves), count);
    let mut best: Option<(f64, GroupStage, Vec<usize>)> = None;
    for kept in with_fewer(points, moves) {
        let after = orbits(&of(&kept), count);
        if after == before {
            continue;
        }
        let index = order - log_order(&of(&kept), rng);
        if !goes_on(20_000_000) {
            return None;
        }
        if best.as_ref().is_some_and(|(known, ..)| *known >= index) {
            continue;
        }
        let Some(stage) = GroupStage::new(points, moves, &after, TABLE, goes_on) else { continue };
        if (stage.log_states() - index).abs() < 1e-6 {
            best = Some((index, stage, kept));
        }
    }
    best.map(|(_, stage, kept)| (stage, kept))
}

/// The moves without one or two of the pairs of a move and its inverse.
fn with_fewer(points: &Points, moves: &[usize]) -> Vec<Vec<usize>> {
    let is_inverse = |one: usize, other: usize| {
        let (one, other) = (&points.permutations[one], &points.permutations[other]);
        one.iter().enumerate().all(|(from, &to)| other[to as usize] as usize == from)
    };
    let first = |&made: &usize| {
        moves
            .iter()
            .copied()
            .find(|&other| other == made || is_inverse(made, other))
            .unwrap_or(made)
    };
    let pairs: Vec<usize> = moves.iter().copied().filter(|made| first(made) == *made).collect();
    let mut all = Vec::new();
    for (at, &one) in pairs.iter().enumerate() {
        for &other in &pairs[at..] {
            let is_kept = |made: &&usize| ![one, other].contains(&first(made));
            all.push(moves.iter().filter(is_kept).copied().collect());
        }
    }
    all
}
