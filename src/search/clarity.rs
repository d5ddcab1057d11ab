//! Whether more thought is likely to change the move that is played.

use propnet::game::Role;

use super::search::Search;
use super::tree::MoveStats;

/// A move leads clearly where its worst likely mean is above the best likely one of any other: by so many
/// standard deviations of scores that are all 0 or 100.
const DEVIATIONS: f64 = 5.0;

/// The highest goal.
const SCALE: f64 = 100.0;

impl Search {
    /// Whether a role's best move is so far ahead that it would be played as well after as many more
    /// visits as the last run has made. Where another role chooses at the same time nothing is clear.
    pub fn is_clear(&self, role: Role) -> bool {
        let chooses = |role: &Role| self.legal_moves(*role).len() > 1;
        let alone = (0..self.roles()).filter(chooses).eq([role]);
        alone && leads(&self.ranked(role), self.spent().simulations as f64)
    }
}

/// Whether the first of these moves leads clearly, and cannot be overtaken by so many visits.
fn leads(ranked: &[MoveStats], visits: f64) -> bool {
    let [best, others @ ..] = ranked else { return false };
    let Some([low, _]) = likely(best) else { return false };
    others.iter().all(|other| {
        let is_lower = likely(other).is_some_and(|[_, high]| high < low);
        is_lower && best.visits - other.visits > visits || is_refuted(other, low)
    })
}

/// Whether a move gives at most this, for certain.
fn is_refuted(stats: &MoveStats, low: f64) -> bool {
    stats.proof.is_some_and(|proof| proof.upper < low)
}

/// The lowest and the highest mean that are likely; none of a move never tried.
fn likely(stats: &MoveStats) -> Option<[f64; 2]> {
    let mean = (stats.mean()? / SCALE).clamp(0.0, 1.0);
    let shift = DEVIATIONS * DEVIATIONS / stats.visits;
    let centre = (mean + shift / 2.0) / (1.0 + shift);
    let spread = (mean * (1.0 - mean) + shift / 4.0) * shift;
    let half = spread.sqrt() / (1.0 + shift);
    let [lower, upper] = stats.proof.map_or([0.0, SCALE], |proof| [proof.lower, proof.upper]);
    Some([centre - half, centre + half].map(|end| (SCALE * end).clamp(lower, upper)))
}

#[cfg(test)]
mod tests {
    use propnet::game::{Move, TableId};

    use super::*;
    use crate::search::tree::MoveProof;

    fn moves(of: &[(f64, f64, Option<f64>)]) -> Vec<MoveStats> {
        let table = TableId::unique();
        let stats = |(at, (mean, visits, upper)): (usize, &(f64, f64, Option<f64>))| MoveStats {
            what: Move::new(table, at as u32),
            visits: *visits,
            total: mean * visits,
            best: None,
            proof: upper.map(|upper| MoveProof {
                lower: 0.0,
                upper,
                plies: None,
                is_dominated: false,
            }),
            merit: None,
        };
        of.iter().enumerate().map(stats).collect()
    }

    #[test]
    fn bounds_are_five_deviations_wide() {
        let likely = likely(&moves(&[(50.0, 2500.0, None)])[0]).expect("bounds");
        // 100 (0.5 +- 5 sqrt(0.25/2500 + 25/4/2500^2) / 1.01).
        assert!((likely[0] - 45.024_81).abs() < 1e-3, "{likely:?}");
        assert!((likely[0] + likely[1] - 100.0).abs() < 1e-9);
    }

    #[test]
    fn a_clear_lead_is_one_in_means_and_in_visits() {
        let far = [(70.0, 9000.0, None), (30.0, 500.0, None)];
        assert!(leads(&moves(&far), 5000.0));
        assert!(!leads(&moves(&far), 9000.0), "it can be overtaken");
        let close = [(52.0, 9000.0, None), (51.0, 500.0, None)];
        assert!(!leads(&moves(&close), 100.0));
        assert!(!leads(&moves(&[(70.0, 9000.0, None), (0.0, 0.0, None)]), 100.0), "never tried");
        assert!(leads(&moves(&[(70.0, 9000.0, None), (60.0, 9000.0, Some(0.0))]), 1e6));
        assert!(!leads(&[], 0.0));
    }
}
