//! The optimising passes: before and after a circuit's ports say the same, on random circuits, on
//! random sheets and on ours.

mod equal;
mod exclusive;
mod groups;
mod in_play;
mod never;
mod play;
mod random;
mod sheets;
mod support;

use propnet::circuit::optimize::Pass;

use in_play::after;
use support::{same_everywhere, same_in_play};

/// How many random circuits are tried.
const CIRCUITS: u64 = 2_000;

/// Passes that use no more than which moves are legal and which groups are proven.
fn is_local(pass: Pass) -> bool {
    matches!(
        pass,
        Pass::Dead | Pass::Redundant | Pass::Frame | Pass::Factor | Pass::Share | Pass::Balance
    )
}

#[test]
fn passes_keep_what_random_circuits_say() {
    for seed in 0..CIRCUITS {
        let circuit = random::circuit(seed);
        for &pass in Pass::ALL.iter().filter(|pass| is_local(**pass)) {
            let same = same_everywhere(&circuit, &after(&circuit, &[pass]), seed);
            assert_eq!(same, Ok(()), "circuit {seed}, {}", pass.name());
        }
    }
}

#[test]
fn passes_one_after_the_other_keep_what_random_circuits_say() {
    let passes: Vec<Pass> = Pass::ALL.iter().copied().filter(|pass| is_local(*pass)).collect();
    for seed in 0..CIRCUITS {
        let circuit = random::circuit(seed);
        let same = same_everywhere(&circuit, &after(&circuit, &passes), seed);
        assert_eq!(same, Ok(()), "circuit {seed}");
    }
}

/// The judge judges: a port that says the opposite is found, if anything can be seen of it.
#[test]
fn wrong_circuits_are_found() {
    let (mut found, mut found_in_play) = (0, 0);
    for seed in 0..100 {
        let circuit = random::circuit(seed);
        let mut wrong = circuit.clone();
        wrong.terminal = !wrong.terminal;
        assert!(same_everywhere(&circuit, &wrong, seed).is_err(), "circuit {seed}");
        let mut wrong = circuit.clone();
        wrong.fluents[0].next = !wrong.fluents[0].next;
        found += same_everywhere(&circuit, &wrong, seed).is_err() as u32;
        found_in_play += same_in_play(&circuit, &wrong, seed, 4).is_err() as u32;
    }
    assert!(found > 80 && found_in_play > 50, "{found} and {found_in_play} of 100 were found");
}
