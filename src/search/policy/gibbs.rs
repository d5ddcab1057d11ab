//! Gibbs sampling: choosing in proportion to e^(value / tau), exactly or by whole weights.
//!
//! Finnsson and Björnsson 2008 choose the moves of playouts this way.
//!
//! Playouts on lanes choose by whole weights of a few bits; see [`quantise`].

/// How likely each of these values is to be chosen, in proportion to e^(value / tau).
pub(super) fn gibbs_probabilities(values: &[f64], tau: f64) -> Vec<f64> {
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = values.iter().map(|value| ((value - highest) / tau).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// The effective number of alternatives of a choice: e to its entropy.
pub(crate) fn effective_number(probabilities: &[f64]) -> f64 {
    let chosen = probabilities.iter().filter(|&&share| share > 0.0);
    chosen.map(|share| -share * share.ln()).sum::<f64>().exp()
}

/// A move never seen counts as `unseen` also in weights, but at most this number of temperatures
/// above the best that was seen. Some moves are never legal, so they are never seen: with the highest
/// weight kept for them alone, a side with low averages could not tell its moves apart.
const HEADROOM: f64 = 3.0;

/// Averages as whole weights of `bits` bits, about in proportion to e^(average / tau). Moves without
/// one were never seen and count as `unseen`.
///
/// The highest average gets the highest weight. No weight is 0, since every move may be chosen.
pub fn quantise(averages: &[Option<f64>], unseen: f64, tau: f64, bits: usize) -> Vec<u32> {
    let top = f64::from((1u32 << bits) - 1);
    let seen = averages.iter().copied().flatten().reduce(f64::max);
    let unseen = seen.map_or(unseen, |seen| unseen.min(seen + HEADROOM * tau));
    let highest = match seen {
        Some(seen) if averages.contains(&None) => seen.max(unseen),
        Some(seen) => seen,
        None => unseen,
    };
    let weight = |average: &Option<f64>| {
        let part = ((average.unwrap_or(unseen) - highest) / tau).exp();
        (top * part).round().max(1.0) as u32
    };
    averages.iter().map(weight).collect()
}

/// The total-variation distance between choosing one of the legal moves by weights of `bits` bits
/// and by exact Gibbs sampling: the most that the chance of any set of moves can differ.
pub fn sampling_distance(
    averages: &[Option<f64>],
    unseen: f64,
    legal: &[usize],
    tau: f64,
    bits: usize,
) -> f64 {
    let weights = quantise(averages, unseen, tau, bits);
    let value = |at: usize| averages[at].unwrap_or(unseen);
    let highest = legal.iter().map(|&at| value(at)).fold(f64::NEG_INFINITY, f64::max);
    let exact = |at: usize| ((value(at) - highest) / tau).exp();
    let sum: f64 = legal.iter().map(|&at| f64::from(weights[at])).sum();
    let exact_sum: f64 = legal.iter().map(|&at| exact(at)).sum();
    let gaps = legal.iter().map(|&at| f64::from(weights[at]) / sum - exact(at) / exact_sum);
    gaps.map(f64::abs).sum::<f64>() / 2.0
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    const UNSEEN: f64 = 100.0;

    #[test]
    fn the_example_of_the_talk_comes_out() {
        // Björnsson 2011: values of 60, 65 and 80 at tau = 10 give 9.9, 16.4 and 73.6 %.
        let shares = gibbs_probabilities(&[60.0, 65.0, 80.0], 10.0);
        // As there, digits beyond the first one are cut off.
        let percent: Vec<f64> =
            shares.iter().map(|share| (1000.0 * share).floor() / 10.0).collect();
        assert_eq!(percent, [9.9, 16.4, 73.6]);
    }

    #[test]
    fn even_choices_are_among_all_in_effect() {
        assert!((effective_number(&[0.25; 4]) - 4.0).abs() < 1e-9);
        assert_eq!(effective_number(&[1.0, 0.0]), 1.0);
    }

    #[test]
    fn extreme_values_are_no_trouble() {
        assert_eq!(quantise(&[Some(0.0), Some(99.0), None], UNSEEN, 0.1, 4), [1, 1, 15]);
        assert_eq!(quantise(&[None, None], UNSEEN, 10.0, 4), [15, 15]);
        assert!(quantise(&[], UNSEEN, 10.0, 4).is_empty());
    }

    #[test]
    fn moves_never_seen_leave_room_to_tell_the_others_apart() {
        // As exact sampling has it: e^-1 of the best, and e^-5 of a move never seen.
        assert_eq!(quantise(&[Some(80.0), Some(70.0), None], UNSEEN, 10.0, 12), [554, 204, 4095]);
        // Here it would be e^-9: a single weight for all that was seen.
        assert_eq!(quantise(&[Some(10.0), Some(0.0), None], UNSEEN, 10.0, 12), [204, 75, 4095]);
        assert_eq!(quantise(&[Some(10.0), Some(0.0)], UNSEEN, 10.0, 12), [4095, 1506]);
    }

    #[test]
    fn weights_of_eight_bits_are_close_to_exact_sampling() {
        // Moves that were seen, with averages as real playouts have them: 25 to 75, most near 50.
        let mut rng = Pcg64::seed_from_u64(9);
        let (mut worst, mut sum): (f64, f64) = (0.0, 0.0);
        for _ in 0..500 {
            let mut near = || 50.0 + 25.0 * (rng.random::<f64>() + rng.random::<f64>() - 1.0);
            let averages: Vec<Option<f64>> = (0..150).map(|_| Some(near())).collect();
            let legal: Vec<usize> = (0..30).map(|_| rng.random_range(0..150)).collect();
            let distance = sampling_distance(&averages, UNSEEN, &legal, 10.0, 8);
            worst = worst.max(distance);
            sum += distance;
        }
        assert!(sum / 500.0 < 0.01, "mean {}", sum / 500.0);
        assert!(worst < 0.03, "worst {worst}");
    }
}
