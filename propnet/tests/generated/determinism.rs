//! The same sheet gives the same ground rules, byte for byte.

use propnet::ground::{Grounding, NoWatch, ground, print_ground};

use super::agree::load;
use super::make;
use super::ways::ways;

#[test]
fn grounding_twice_gives_the_same() {
    for seed in 0..60 {
        let text = make::sheet(seed).text();
        let Ok(rules) = load(&text) else { continue };
        for way in ways(seed) {
            let run = || {
                let grounding = ground(&rules, &way.options, way.limits, &mut NoWatch).ok()?;
                let Grounding { rules, weights, sharpened } = grounding;
                Some((print_ground(&rules), rules.atoms, weights, sharpened))
            };
            let (once, again) = (run(), run());
            assert!(once == again, "seed {seed}, {:?}:\n{text}", way.options);
        }
    }
}
