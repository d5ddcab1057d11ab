//! Groups of permutations: their orbits, and how many elements they have.
//!
//! The order is found by a chain of stabilizers: Sims 1970; by random elements, which may make it too
//! small, but hardly ever do: Leon 1980. Random elements by product replacement: Celler et al. 1995.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// By point: the first point of its orbit under these permutations.
pub(super) fn orbits(permutations: &[&[u16]], points: usize) -> Vec<u16> {
    let mut first = vec![u16::MAX; points];
    for start in 0..points {
        if first[start] != u16::MAX {
            continue;
        }
        let mut todo = vec![start];
        first[start] = start as u16;
        while let Some(point) = todo.pop() {
            for permutation in permutations {
                let next = permutation[point] as usize;
                if first[next] == u16::MAX {
                    first[next] = start as u16;
                    todo.push(next);
                }
            }
        }
    }
    first
}

/// Random elements in a row that must be known before the order is believed.
const ENOUGH: usize = 24;
/// Random elements are products of this many.
const POOL: usize = 12;
/// Products before the first random element is used.
const WARM: usize = 120;

/// The logarithm of the order of the group that these permutations generate.
pub(super) fn log_order(generators: &[&[u16]], rng: &mut Pcg64Mcg) -> f64 {
    let Some(first) = generators.first() else { return 0.0 };
    let identity: Vec<u16> = (0..first.len() as u16).collect();
    let mut pool: Vec<Vec<u16>> = generators
        .iter()
        .cycle()
        .take(POOL.max(generators.len()))
        .map(|one| one.to_vec())
        .collect();
    let mut random = |pool: &mut Vec<Vec<u16>>| {
        let at = rng.random_range(0..pool.len());
        let other = (at + rng.random_range(1..pool.len())) % pool.len();
        pool[at] = product(&pool[at], &pool[other]);
        pool[at].clone()
    };
    for _ in 0..WARM {
        random(&mut pool);
    }
    let mut levels: Vec<Stabilizer> = Vec::new();
    let mut known = 0;
    while known < ENOUGH {
        match sift(&levels, random(&mut pool), &identity) {
            None => known += 1,
            Some((level, element)) => {
                known = 0;
                if level == levels.len() {
                    let moved = element.iter().zip(&identity).position(|(one, other)| one != other);
                    let Some(base) = moved else { continue };
                    levels.push(Stabilizer::new(base, &identity));
                }
                levels[..=level].iter_mut().for_each(|level| level.add(element.clone()));
            }
        }
    }
    levels.iter().map(|level| (level.count() as f64).ln()).sum()
}

/// First the one, then the other.
fn product(one: &[u16], other: &[u16]) -> Vec<u16> {
    one.iter().map(|&point| other[point as usize]).collect()
}

fn inverse(one: &[u16]) -> Vec<u16> {
    let mut inverse = vec![0; one.len()];
    one.iter().enumerate().for_each(|(from, &to)| inverse[to as usize] = from as u16);
    inverse
}

/// What is left of an element after it was taken back level by level, and the level where that was not
/// possible; `None` if nothing is left.
fn sift(
    levels: &[Stabilizer],
    mut element: Vec<u16>,
    identity: &[u16],
) -> Option<(usize, Vec<u16>)> {
    for (at, level) in levels.iter().enumerate() {
        match &level.back[element[level.base] as usize] {
            Some(back) => element = product(&element, back),
            None => return Some((at, element)),
        }
    }
    (element != identity).then_some((levels.len(), element))
}

/// A group that fixes the base points of the levels before.
struct Stabilizer {
    base: usize,
    generators: Vec<Vec<u16>>,
    /// By point of the orbit of the base: an element that takes it back to the base.
    back: Vec<Option<Vec<u16>>>,
}

impl Stabilizer {
    fn new(base: usize, identity: &[u16]) -> Self {
        let mut back = vec![None; identity.len()];
        back[base] = Some(identity.to_vec());
        Stabilizer { base, generators: Vec::new(), back }
    }

    fn count(&self) -> usize {
        self.back.iter().flatten().count()
    }

    fn add(&mut self, generator: Vec<u16>) {
        self.generators.push(generator);
        let mut todo: Vec<usize> =
            (0..self.back.len()).filter(|&at| self.back[at].is_some()).collect();
        while let Some(point) = todo.pop() {
            for generator in &self.generators {
                let next = generator[point] as usize;
                if self.back[next].is_none() {
                    let back = self.back[point].as_ref();
                    self.back[next] = back.map(|back| product(&inverse(generator), back));
                    todo.push(next);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn orders_are_those_of_known_groups() {
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        let cycle = |points: &[u16]| {
            let mut permutation: Vec<u16> = (0..8).collect();
            (0..points.len()).for_each(|at| {
                permutation[points[at] as usize] = points[(at + 1) % points.len()];
            });
            permutation
        };
        for (generators, order) in [
            (vec![cycle(&[0, 1])], 2.0),
            (vec![cycle(&[0, 1, 2, 3, 4]), cycle(&[0, 1])], 120.0),
            (vec![cycle(&[0, 1, 2]), cycle(&[2, 3, 4])], 60.0),
            (vec![cycle(&[0, 1, 2, 3]), cycle(&[4, 5, 6, 7]), cycle(&[1, 3])], 32.0),
            (vec![cycle(&[0, 1, 2, 3, 4, 5, 6, 7]), cycle(&[0, 1])], 40320.0),
        ] {
            let generators: Vec<&[u16]> = generators.iter().map(Vec::as_slice).collect();
            let found = log_order(&generators, &mut rng).exp();
            assert!((found - order).abs() < 0.001 * order, "{found} instead of {order}");
        }
        let [one, other] = [cycle(&[0, 2]), cycle(&[2, 5])];
        assert_eq!(orbits(&[&one, &other], 8), [0, 1, 0, 3, 4, 0, 6, 7]);
    }
}
