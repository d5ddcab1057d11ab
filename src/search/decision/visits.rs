//! The most visited move ("robust child"). What is proven comes first.
//!
//! Chaslot et al. 2008, "Progressive Strategies for Monte-Carlo Tree Search"; Gelly and Silver 2007
//! decide so as well. Where moves are visited by other values than their means, such as those of all
//! moves as first, a move that was visited once and won by luck has the highest mean.

use std::cmp::Ordering;

use super::mean::{HALF, haste};
use super::{Decision, MakeDecision};
use crate::search::scheme::Part;
use crate::search::tree::MoveStats;

/// The part with this name.
pub(crate) const PART: Part<MakeDecision> = Part {
    name: "visits",
    help: "the most visited move is played; in games for one role the highest score",
    paper: "Chaslot et al. 2008 (robust child)",
    parameters: &[],
    make: |_| Box::new(Visits),
};

struct Visits;

impl Decision for Visits {
    fn compare(&self, a: &MoveStats, b: &MoveStats) -> Ordering {
        let terms = merit(b).into_iter().zip(merit(a));
        terms.map(|(b, a)| b.total_cmp(&a)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }
}

/// What decides, the most important first: that it is not dominated; the highest score; that more than
/// half is secured, or less than half is all that can be had, with what it is and a short way to win, a
/// long one to lose; the visits; the mean.
fn merit(stats: &MoveStats) -> [f64; 6] {
    let mean = stats.mean().unwrap_or(f64::NEG_INFINITY);
    let best = stats.best.map_or(0.0, |best| best.max(0.0));
    let (proven, haste) = match stats.proof {
        Some(proof) if proof.lower > HALF => (proof.lower - HALF, haste(&proof)),
        Some(proof) if proof.upper < HALF => (proof.upper - HALF, haste(&proof)),
        _ => (0.0, 0.0),
    };
    let is_dominated = stats.proof.is_some_and(|proof| proof.is_dominated);
    let dominated = if is_dominated { -1.0 } else { 0.0 };
    [dominated, best, proven, haste, stats.visits, mean]
}

#[cfg(test)]
mod tests {
    use propnet::game::{Move, TableId};

    use super::*;
    use crate::search::tree::MoveProof;

    #[test]
    fn visits_decide_between_moves_about_which_nothing_is_proven() {
        let proof =
            |lower, upper, plies| Some(MoveProof { lower, upper, plies, is_dominated: false });
        let moves = [
            (1.0, 100.0, None),
            (90.0, 52.0, None),
            (90.0, 48.0, None),
            (2.0, 100.0, proof(100.0, 100.0, Some(5))),
            (1.0, 100.0, proof(100.0, 100.0, Some(3))),
            (95.0, 60.0, proof(0.0, 0.0, Some(2))),
            (95.0, 60.0, proof(0.0, 0.0, Some(8))),
            (80.0, 70.0, proof(50.0, 50.0, None)),
        ];
        let table = TableId::unique();
        let stats =
            |(at, (visits, mean, proof)): (usize, &(f64, f64, Option<MoveProof>))| MoveStats {
                what: Move::new(table, at as u32),
                visits: *visits,
                total: visits * mean,
                best: None,
                proof: *proof,
                merit: None,
            };
        let mut ranked: Vec<MoveStats> = moves.iter().enumerate().map(stats).collect();
        ranked.sort_by(|a, b| Visits.compare(a, b));
        let order: Vec<usize> = ranked.iter().map(|stats| stats.what.index()).collect();
        assert_eq!(order, [4, 3, 1, 2, 7, 0, 6, 5]);
    }
}
