//! The passes in order, again and again.

use super::super::rules::{GroundRules, Recipe};
use super::finish::finish;
use super::inline::inline;
use super::merge::merge;
use super::report::{SharpenReport, Sizes};
use super::subsume::subsume;
use super::values::settle_values;
use super::work::{Stopped, Ticker, Work};

/// No sheet is known to need more; each round costs about the same as the first.
const MAX_ROUNDS: usize = 10;

/// Rules and literals below which rounds go on until nothing changes. Above, the rounds end with
/// one that removes less than a hundredth: later stages find the rest as cheaply.
const SMALL: usize = 20_000;

/// Rules that play the same game with less to compute.
///
/// `proceed` is asked every few thousand rules of work; if it says no, sharpening stops at once.
pub fn sharpen(
    rules: GroundRules,
    proceed: &mut dyn FnMut() -> bool,
) -> Result<(GroundRules, SharpenReport), Stopped> {
    let mut report = SharpenReport { before: Sizes::of(&rules), ..SharpenReport::default() };
    let ticker = &mut Ticker::new(proceed);
    let mut work = Work::load(rules, ticker)?;
    report.unstable = work.unstable.iter().filter(|&&unstable| unstable).count();
    while report.rounds < MAX_ROUNDS {
        report.rounds += 1;
        let before = work.size();
        settle_values(&mut work, &mut report, ticker)?;
        merge(&mut work, &mut report, ticker)?;
        inline(&mut work, &mut report, ticker)?;
        subsume(&mut work, &mut report, ticker)?;
        let removed = before.saturating_sub(work.size());
        if removed == 0 || (before > SMALL && removed < before / 100) {
            break;
        }
    }
    // Whatever the last passes made constant must not be left half said: no rule of the result
    // reads an atom without rules, or a move that is never legal.
    while settle_values(&mut work, &mut report, ticker)? {}
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
