//! The passes in order, again and again.

use super::super::rules::{GroundRules, Recipe};
use super::alias::alias;
use super::finish::finish;
use super::inline::inline;
use super::merge::merge;
use super::report::{SharpenReport, Sizes};
use super::subsume::subsume;
use super::values::settle_values;
use super::work::{SharpenWork, Stopped, Ticker};

/// A bound for time's sake: stopping early is correct, only less thorough. The random games of
/// the tests need up to eight rounds.
const MAX_ROUNDS: usize = 10;

/// Rules and literals up to which rounds go on until nothing changes. Above, another round is
/// worth its time only if the passes after the merging removed a hundredth.
const SMALL: usize = 20_000;

type SharpenPass = fn(&mut SharpenWork, &mut SharpenReport, &mut Ticker) -> Result<(), Stopped>;

const PASSES: [SharpenPass; 5] = [settle_values, alias, merge, inline, subsume];
const MERGE: usize = 2;

/// Rules that play the same game with less to compute.
///
/// `proceed` is asked every few thousand rules of work; if it says no, sharpening stops at once.
pub fn sharpen(
    rules: GroundRules,
    proceed: &mut dyn FnMut() -> bool,
) -> Result<(GroundRules, SharpenReport), Stopped> {
    let mut report = SharpenReport { before: Sizes::of(&rules), ..SharpenReport::default() };
    let ticker = &mut Ticker::new(proceed);
    let mut work = SharpenWork::load(rules, ticker)?;
    report.unstable = work.unstable.iter().filter(|&&unstable| unstable).count();
    let mut seen = [None; PASSES.len()];
    while report.rounds < MAX_ROUNDS {
        report.rounds += 1;
        let mut sizes = [0; PASSES.len()];
        for (at, pass) in PASSES.iter().enumerate() {
            // What a pass did itself gives it nothing more to do; what others did may.
            if seen[at] != Some(work.version) {
                pass(&mut work, &mut report, ticker)?;
                seen[at] = Some(work.version);
            }
            sizes[at] = work.size();
        }
        let unchanged = seen.iter().all(|&version| version == Some(work.version));
        let removed = sizes[MERGE].saturating_sub(work.size());
        if unchanged || (work.size() > SMALL && !work.unsettled && removed < work.size() / 100) {
            break;
        }
    }
    // Whatever the last passes made constant must not be left half said: no rule of the result
    // reads an atom without rules, or a move that is never legal.
    while work.unsettled {
        settle_values(&mut work, &mut report, ticker)?;
    }
    let ground = finish(work, ticker)?;
    report.after = Sizes::of(&ground);
    report.moves_dropped = report.before.moves - report.after.moves;
    for fluent in &ground.fluents {
        match fluent.recipe {
            Recipe::Carried => {}
            Recipe::Constant(_) => report.constant += 1,
            Recipe::Copy(_) => report.copied += 1,
            Recipe::Observed => report.observed += 1,
        }
    }
    Ok((ground, report))
}
