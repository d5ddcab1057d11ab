//! A mean of few visits is not trusted: the move with the highest mean score among those with many visits.
//!
//! Where a mean rests on few visits, the search that follows often finds that it was too high: a move
//! at 42.58 with 348 thousand visits was played although another had 42.46 with 24.4 million. With all
//! but the most visited left out, this is the "robust child" of Chaslot, Winands, van den Herik,
//! Uiterwijk and Bouzy 2008, "Progressive strategies for Monte-Carlo tree search", section 3.3.

use std::cmp::Ordering;

use super::mean::merit;
use super::{Decision, Field, MakeDecision};
use crate::search::scheme::{Parameter, Part};
use crate::search::tree::MoveStats;

/// How many visits are many.
const SHARE: Parameter = Parameter::number(
    "visited_share",
    "well_visited: a move is well visited with this share of the most visits of a move",
    0.25,
    0.0,
    1.0,
);

/// The part that weighs means and visits.
pub(super) const WELL_VISITED: Part<MakeDecision> = Part {
    name: "well_visited",
    help: "the move with the highest mean score among those with many visits",
    paper: "",
    parameters: &[SHARE],
    make: |values| Box::new(VisitedRule { share: values.get(&SHARE) }),
};

/// The part that goes by visits alone.
pub(super) const MOST_VISITED: Part<MakeDecision> = Part {
    name: "most_visited",
    help: "the move with the most visits",
    paper: "Chaslot et al. 2008, section 3.3 (robust child)",
    parameters: &[],
    make: |_| Box::new(VisitedRule { share: 1.0 }),
};

/// Trusts moves that have this share of the most visits of a move, and what is proven.
struct VisitedRule {
    share: f64,
}

impl Decision for VisitedRule {
    fn compare(&self, a: &MoveStats, b: &MoveStats, field: &Field) -> Ordering {
        let is_trusted =
            |stats: &MoveStats| stats.is_proven() || stats.visits >= self.share * field.most_visits;
        // What is not dominated comes first, and then the highest known score, as by `mean`.
        let [a, b] = [a, b].map(|stats| {
            let [dominated, best, rest @ ..] = merit(stats);
            ([dominated, best, f64::from(u8::from(is_trusted(stats)))], rest)
        });
        let terms = b.0.iter().chain(&b.1).zip(a.0.iter().chain(&a.1));
        terms.map(|(b, a)| b.total_cmp(a)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }
}

#[cfg(test)]
mod tests {
    use super::super::mean::tests::{best, moves};
    use super::*;

    #[test]
    fn a_mean_of_few_visits_is_not_trusted() {
        let moves = moves(&[(42.58, 348e3, None), (42.46, 24.4e6, None), (41.0, 20e6, None)]);
        assert_eq!(best(&VisitedRule { share: 0.25 }, &moves), 1);
        assert_eq!(best(&VisitedRule { share: 1.0 }, &moves), 1);
        assert_eq!(best(&VisitedRule { share: 0.01 }, &moves), 0);
    }

    #[test]
    fn the_highest_mean_counts_among_well_visited_moves() {
        let moves = moves(&[(50.0, 1000.0, None), (51.0, 400.0, None), (60.0, 100.0, None)]);
        assert_eq!(best(&VisitedRule { share: 0.25 }, &moves), 1);
        assert_eq!(best(&VisitedRule { share: 1.0 }, &moves), 0);
    }

    #[test]
    fn what_is_proven_needs_no_visits() {
        let (lost, won) = (Some([0.0, 0.0]), Some([100.0, 100.0]));
        for share in [0.25, 1.0] {
            let rule = VisitedRule { share };
            assert_eq!(best(&rule, &moves(&[(70.0, 1000.0, None), (1.0, 5.0, won)])), 1);
            // The most visited move has turned out to lose.
            let field = moves(&[(70.0, 1000.0, lost), (30.0, 40.0, None), (90.0, 1.0, None)]);
            assert_eq!(best(&rule, &field), 1, "{share}");
        }
    }
}
