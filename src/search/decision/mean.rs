//! The move with the highest mean score; where the best line is searched for, with the highest score.
//! What is proven comes first.
//!
//! Section 3.3 of the CadiaPlayer thesis; for one role, section 3.3.5.

use std::cmp::Ordering;

use super::{Decision, MakeDecision};
use crate::search::scheme::Part;
use crate::search::tree::{MoveProof, MoveStats};

/// The part with this name.
pub(crate) const PART: Part<MakeDecision> = Part {
    name: "mean",
    help: "the move with the highest mean score is played; in games for one role the highest score",
    paper: "Finnsson 2012, section 3.3",
    parameters: &[],
    make: |_| Box::new(Mean),
};

struct Mean;

impl Decision for Mean {
    fn compare(&self, a: &MoveStats, b: &MoveStats) -> Ordering {
        let terms = merit(b).into_iter().zip(merit(a));
        terms.map(|(b, a)| b.total_cmp(&a)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }
}

/// The score at which a role would rather have it over soon than late.
pub(super) const HALF: f64 = 50.0;

/// What decides, the most important first: that it is not dominated; the highest score; the mean within
/// what is proven; what is secured; a short way to win, a long one to lose; the visits.
fn merit(stats: &MoveStats) -> [f64; 6] {
    let mean = stats.mean().unwrap_or(f64::NEG_INFINITY);
    // A move without a known score counts as one with a known score of 0.
    let best = stats.best.map_or(0.0, |best| best.max(0.0));
    let Some(proof) = stats.proof else {
        return [0.0, best, mean, 0.0, 0.0, stats.visits];
    };
    let MoveProof { lower, upper, is_dominated, .. } = proof;
    let dominated = if is_dominated { -1.0 } else { 0.0 };
    [dominated, best, mean.max(lower).min(upper), lower, haste(&proof), stats.visits]
}

/// How short a way is to what is secured: a role would rather win soon and lose late.
pub(super) fn haste(proof: &MoveProof) -> f64 {
    match proof.plies.map(f64::from) {
        None => 0.0,
        Some(plies) if proof.lower < HALF => plies,
        Some(plies) => -plies,
    }
}

#[cfg(test)]
mod tests {
    use propnet::game::{Move, TableId};

    use super::*;

    #[test]
    fn proofs_decide_before_means_and_haste_between_equal_proofs() {
        let proof =
            |lower, upper, plies| Some(MoveProof { lower, upper, plies, is_dominated: false });
        let moves = [
            (90.0, None),
            (20.0, proof(100.0, 100.0, Some(5))),
            (10.0, proof(100.0, 100.0, Some(3))),
            (95.0, proof(0.0, 0.0, Some(2))),
            (80.0, proof(0.0, 0.0, Some(8))),
            (95.0, proof(0.0, 50.0, None)),
            (70.0, proof(60.0, 100.0, None)),
        ];
        let table = TableId::unique();
        let stats = |(at, (mean, proof)): (usize, &(f64, Option<MoveProof>))| MoveStats {
            what: Move::new(table, at as u32),
            visits: 1.0,
            total: *mean,
            best: None,
            proof: *proof,
            merit: None,
        };
        let mut ranked: Vec<MoveStats> = moves.iter().enumerate().map(stats).collect();
        ranked.sort_by(|a, b| Mean.compare(a, b));
        let order: Vec<usize> = ranked.iter().map(|stats| stats.what.index()).collect();
        assert_eq!(order, [2, 1, 0, 6, 5, 4, 3]);
    }
}
