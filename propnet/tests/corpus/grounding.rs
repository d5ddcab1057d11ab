//! By the ways of grounding that real sheets seldom take: nothing split, everything on
//! demand, nothing sharpened.

use std::path::Path;
use std::time::{Duration, Instant};

use propnet::ground::{GroundError, GroundGame, Limits, Options, Watch, ground};
use propnet::reference::Reasoner;

use super::sheets;
use crate::generated::agree::{Trace, load};
use crate::trials::Trials;

const LIMITS: Limits = Limits { facts: 60_000, rules: 60_000, bytes: 1 << 26 };

/// Stops when time is up.
struct Clock {
    start: Instant,
    patience: Duration,
}

impl Watch for Clock {
    fn proceed(&mut self) -> bool {
        self.start.elapsed() < self.patience
    }
}

pub(crate) fn add(trials: &mut Trials) {
    trials.with_corpus(sheets_agree);
    trials.by_hand_with_corpus(all_sheets_agree);
}

/// Which sheets are left out for lack of time depends on the machine.
fn sheets_agree(shared: &Path) {
    let done = play_all(shared, Duration::from_secs(15), Duration::from_millis(100), 2);
    assert!(done > 100, "only {done} groundings were compared");
}

/// Takes many minutes.
fn all_sheets_agree(shared: &Path) {
    play_all(shared, Duration::from_secs(3_000), Duration::from_secs(3), 4);
}

/// Compares until `time` is up, leaving out groundings that take longer than `patience`, and
/// returns how many it compared.
fn play_all(shared: &Path, time: Duration, patience: Duration, count: usize) -> usize {
    let start = Instant::now();
    let usual = Options::default();
    let ways = [
        Options { split: false, sharpen: false, ..usual },
        Options { wide: 5, wide_static: 5, sharpen: false, ..usual },
        Options { wide: 50, wide_static: 50, split: false, ..usual },
        Options { demand: false, ..usual },
    ];
    let mut done = 0;
    for (at, (name, bytes)) in sheets(shared).iter().enumerate() {
        if start.elapsed() > time {
            break;
        }
        let Ok(rules) = load(&String::from_utf8_lossy(bytes)) else { continue };
        let mut trace = None;
        for options in (0..count).map(|way| ways[(at + way) % ways.len()]) {
            let mut clock = Clock { start: Instant::now(), patience };
            let ground = match ground(&rules, &options, LIMITS, &mut clock) {
                Ok(grounding) => grounding.rules,
                Err(GroundError::Limit { .. } | GroundError::Stopped { .. }) => continue,
                Err(error) => panic!("{name}, {options:?}: {error}"),
            };
            let trace =
                trace.get_or_insert_with(|| Trace::new(&mut Reasoner::new(&rules), 1, 1, 3));
            let checked = trace.check(&mut GroundGame::new(ground));
            assert_eq!(checked, Ok(()), "{name}, {options:?}");
            done += 1;
        }
    }
    done
}
