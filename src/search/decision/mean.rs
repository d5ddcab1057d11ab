//! The move with the highest mean score; where the best line is searched for, with the highest score.
//! What is proven comes first.
//!
//! Section 3.3 of the CadiaPlayer thesis; for one role, section 3.3.5.

use std::cmp::Ordering;

use super::{Decision, Field, MakeDecision};
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
    fn compare(&self, a: &MoveStats, b: &MoveStats, _: &Field) -> Ordering {
        compare_merits(merit(a), merit(b))
    }
}

/// The score at which a role would rather have it over soon than late.
const HALF: f64 = 50.0;

/// What decides, the most important first: that it is not dominated; the highest score; the mean within
/// what is proven; what is secured; a short way to win, a long one to lose; the visits.
pub(super) type Merit = [f64; 6];

/// What is known of a move.
pub(super) fn merit(stats: &MoveStats) -> Merit {
    merit_with(stats, stats.mean().unwrap_or(f64::NEG_INFINITY))
}

/// The same with another value in the place of the mean.
pub(super) fn merit_with(stats: &MoveStats, value: f64) -> Merit {
    // A move without a known score counts as one with a known score of 0.
    let best = stats.best.map_or(0.0, |best| best.max(0.0));
    let Some(MoveProof { lower, upper, plies, is_dominated }) = stats.proof else {
        return [0.0, best, value, 0.0, 0.0, stats.visits];
    };
    let haste = match plies.map(f64::from) {
        None => 0.0,
        Some(plies) if lower < HALF => plies,
        Some(plies) => -plies,
    };
    let dominated = if is_dominated { -1.0 } else { 0.0 };
    [dominated, best, value.max(lower).min(upper), lower, haste, stats.visits]
}

/// The higher merit sorts first.
pub(super) fn compare_merits(a: Merit, b: Merit) -> Ordering {
    let terms = b.into_iter().zip(a);
    terms.map(|(b, a)| b.total_cmp(&a)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

#[cfg(test)]
pub(super) mod tests {
    use propnet::game::{Move, TableId};

    use super::*;

    /// Moves with these means, visits, and proven bounds.
    pub(in crate::search::decision) fn moves(
        of: &[(f64, f64, Option<[f64; 2]>)],
    ) -> Vec<MoveStats> {
        let table = TableId::unique();
        let stats =
            |(at, (mean, visits, proof)): (usize, &(f64, f64, Option<[f64; 2]>))| MoveStats {
                what: Move::new(table, at as u32),
                visits: *visits,
                total: mean * visits,
                best: None,
                proof: proof.map(|[lower, upper]| MoveProof {
                    lower,
                    upper,
                    plies: None,
                    is_dominated: false,
                }),
                merit: None,
            };
        of.iter().enumerate().map(stats).collect()
    }

    /// The index of the move that a rule prefers.
    pub(in crate::search::decision) fn best(rule: &dyn Decision, moves: &[MoveStats]) -> usize {
        let field = Field::of(moves);
        let best = moves.iter().min_by(|a, b| rule.compare(a, b, &field));
        best.expect("a move").what.index()
    }

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
        let field = Field::of(&ranked);
        ranked.sort_by(|a, b| Mean.compare(a, b, &field));
        let order: Vec<usize> = ranked.iter().map(|stats| stats.what.index()).collect();
        assert_eq!(order, [2, 1, 0, 6, 5, 4, 3]);
    }
}
