//! One role's choice in a node.
//!
//! Moves that were never tried come first: one of them by Gibbs sampling where moves have values of
//! their own, otherwise at random. Then the one with the highest upper confidence bound, ties at
//! random.

use propnet::game::Role;
use rand::RngExt;
use rand_pcg::Pcg64;

use super::mast::{Averages, gibbs};
use super::tree::Choice;

/// How a role chooses.
pub(super) enum Rule<'a> {
    /// At random.
    Uniform,
    /// By upper confidence bounds; among moves never tried by these averages, if there are any.
    Bounds { c: f64, averages: Option<&'a Averages> },
}

/// Chooses one of a role's moves, of which there is at least one, after so many visits of the node.
pub(super) fn choose(
    rule: &Rule,
    moves: &[Choice],
    visits: f64,
    role: Role,
    rng: &mut Pcg64,
) -> usize {
    if moves.len() == 1 {
        return 0;
    }
    let (c, averages) = match *rule {
        Rule::Uniform => return rng.random_range(0..moves.len()),
        Rule::Bounds { c, averages } => (c, averages),
    };
    let untried = moves.iter().filter(|choice| choice.visits == 0.0).count();
    if untried > 0 {
        let places = (0..moves.len()).filter(|&at| moves[at].visits == 0.0);
        return match averages {
            None => nth(places, rng.random_range(0..untried)),
            Some(averages) => {
                let values: Vec<f64> =
                    places.clone().map(|at| averages.value(role, moves[at].what)).collect();
                nth(places, gibbs(&values, averages.tau(), rng))
            }
        };
    }
    highest_bound(c, moves, visits, rng)
}

/// So many bounds are computed at once, in vectors: a root and a quotient each take their time.
const AT_ONCE: usize = 4;

/// The place of the highest bound.
fn highest_bound(c: f64, moves: &[Choice], visits: f64, rng: &mut Pcg64) -> usize {
    // The bound is total/n + c sqrt(ln N / n); a node is visited at least once where moves are tried.
    let spread = c * visits.max(1.0).ln().sqrt();
    let bound = |choice: &Choice| {
        let inverse = 1.0 / choice.visits;
        choice.total * inverse + spread * inverse.sqrt()
    };
    let mut highest = Highest { place: 0, bound: f64::NEG_INFINITY, ties: 1 };
    let (groups, rest) = moves.as_chunks::<AT_ONCE>();
    for (at, group) in groups.iter().enumerate() {
        let bounds = group.each_ref().map(bound);
        if bounds.iter().fold(false, |any, &bound| any | (bound >= highest.bound)) {
            highest.compare(at * AT_ONCE, bounds, rng);
        }
    }
    highest.compare(moves.len() - rest.len(), rest.iter().map(bound), rng);
    highest.place
}

/// The highest of the bounds so far.
struct Highest {
    place: usize,
    bound: f64,
    /// How many bounds were as high.
    ties: u32,
}

impl Highest {
    /// Goes on to the bounds from some place on.
    fn compare(&mut self, first: usize, bounds: impl IntoIterator<Item = f64>, rng: &mut Pcg64) {
        for (place, bound) in (first..).zip(bounds) {
            if bound > self.bound {
                *self = Highest { place, bound, ties: 1 };
            } else if bound == self.bound {
                // Each of the ties is as likely to be the one that stays.
                self.ties += 1;
                if rng.random_range(0..self.ties) == 0 {
                    self.place = place;
                }
            }
        }
    }
}

fn nth(mut places: impl Iterator<Item = usize>, n: usize) -> usize {
    places.nth(n).expect("as many places as were counted")
}

#[cfg(test)]
mod tests {
    use propnet::game::Move;
    use rand::SeedableRng;

    use super::*;

    fn moves(visits: &[f64], total: &[f64]) -> Vec<Choice> {
        let statistics = (0..).zip(visits.iter().zip(total));
        statistics.map(|(at, (&visits, &total))| Choice::new(Move(at), visits, total)).collect()
    }

    fn counts(rule: &Rule, moves: &[Choice], visits: f64, times: usize) -> Vec<usize> {
        let mut rng = Pcg64::seed_from_u64(5);
        let mut counts = vec![0; moves.len()];
        for _ in 0..times {
            counts[choose(rule, moves, visits, 0, &mut rng)] += 1;
        }
        counts
    }

    #[test]
    fn untried_moves_come_first_each_as_likely() {
        let rule = Rule::Bounds { c: 40.0, averages: None };
        let counts =
            counts(&rule, &moves(&[1.0, 0.0, 5.0, 0.0], &[100.0, 0.0, 500.0, 0.0]), 6.0, 1000);
        assert_eq!((counts[0], counts[2]), (0, 0));
        assert!((400..600).contains(&counts[1]), "{counts:?}");
    }

    #[test]
    fn the_highest_bound_is_chosen() {
        // With N = 12: 50 + 40 sqrt(ln 12 / 10) = 69.9, 20 + 40 sqrt(ln 12 / 2) = 64.6.
        let known = moves(&[10.0, 2.0], &[500.0, 40.0]);
        let rule = Rule::Bounds { c: 40.0, averages: None };
        assert_eq!(counts(&rule, &known, 12.0, 10), [10, 0]);
        // 50 + 60 sqrt(ln 12 / 10) = 79.9, 20 + 60 sqrt(ln 12 / 2) = 86.9.
        let rule = Rule::Bounds { c: 60.0, averages: None };
        assert_eq!(counts(&rule, &known, 12.0, 10), [0, 10]);
    }

    #[test]
    fn the_highest_bound_is_found_at_every_place() {
        let rule = Rule::Bounds { c: 40.0, averages: None };
        for count in 2..15 {
            for best in 0..count {
                let mut total = vec![100.0; count];
                total[best] = 101.0;
                let expected: Vec<usize> = (0..count).map(|at| usize::from(at == best)).collect();
                assert_eq!(counts(&rule, &moves(&vec![2.0; count], &total), 30.0, 1), expected);
            }
        }
    }

    #[test]
    fn ties_are_broken_at_random() {
        let rule = Rule::Bounds { c: 40.0, averages: None };
        for count in [3, 7] {
            let known = moves(&vec![2.0; count], &vec![100.0; count]);
            let counts = counts(&rule, &known, 6.0, 1000 * count);
            assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
        }
    }

    #[test]
    fn untried_moves_with_values_are_chosen_by_gibbs() {
        let mut averages = Averages::new(&[3], 10.0);
        averages.credit(0, Move(0), 60.0, 1.0);
        averages.credit(0, Move(1), 50.0, 1.0);
        averages.credit(0, Move(2), 50.0, 1.0);
        let rule = Rule::Bounds { c: 40.0, averages: Some(&averages) };
        let counts = counts(&rule, &moves(&[0.0, 0.0, 1.0], &[0.0, 0.0, 50.0]), 1.0, 10_000);
        // e : 1 among the two that were not tried.
        assert_eq!(counts[2], 0);
        assert!((7100..7500).contains(&counts[0]), "{counts:?}");
    }
}
