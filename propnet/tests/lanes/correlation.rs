//! No choice tells anything about another: between roles, steps, jobs, lanes and seeds.

use propnet::lanes::{Job, Outcome};
use wide::u64x8;

use super::sheets::ENDLESS;
use super::support::{ALL, Sheet, assert_independent};

const STEPS: usize = 4;

fn outcomes(seed: u64) -> Vec<Outcome> {
    let engine = Sheet::new(ENDLESS).engine(&ALL);
    let state = engine.initial();
    let job = |number| Job {
        limit: Some(STEPS as u64),
        wants_moves: 1,
        ..Job::new(number, number, &state)
    };
    engine.outcomes::<u64x8>(seed, (0..30_000).map(job).collect())
}

/// How often one choice comes with another.
fn table(pairs: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<u64>> {
    let mut table = vec![vec![0; 4]; 4];
    for (one, other) in pairs {
        table[one][other] += 1;
    }
    table
}

#[test]
fn choices_are_independent() {
    let all = outcomes(7);
    let of = |outcome: &Outcome, step: usize, role: usize| outcome.moves[2 * step + role].index();
    for step in 0..STEPS {
        let pairs = all.iter().map(|outcome| (of(outcome, step, 0), of(outcome, step, 1)));
        assert_independent(&table(pairs), &format!("roles in step {step}"));
        for distance in [1, 2, 3, 8, 64, 512] {
            let pairs = all.iter().zip(&all[distance..]);
            let pairs = pairs.map(|(a, b)| (of(a, step, 0), of(b, step, 0)));
            let what = format!("jobs {distance} apart in step {step}");
            assert_independent(&table(pairs), &what);
        }
        for later in step + 1..STEPS {
            for (role, other) in [(0, 0), (1, 1), (0, 1), (1, 0)] {
                let pairs = all.iter().map(|a| (of(a, step, role), of(a, later, other)));
                let what = format!("steps {step} and {later}, roles {role} and {other}");
                assert_independent(&table(pairs), &what);
            }
        }
    }
}

#[test]
fn seeds_have_nothing_to_do_with_each_other() {
    let (one, other) = (outcomes(7), outcomes(8));
    for at in 0..2 * STEPS {
        let pairs = one.iter().zip(&other).map(|(a, b)| (a.moves[at].index(), b.moves[at].index()));
        assert_independent(&table(pairs), "jobs of two seeds");
    }
}
