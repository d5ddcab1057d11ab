//! How often methods look whether they may go on: by the work that they count, which does not depend
//! on the machine.

use std::sync::atomic::{AtomicUsize, Ordering};

use ludens::puzzle::{METHODS, PuzzleOptions, solve};

use super::proofs::puzzle;
use super::sheets;

/// What a method may do between two looks: a batch of states with all its children, or a step of
/// its playouts.
const MOST: u64 = 100_000_000;

#[test]
fn every_method_ends_soon_after_it_is_told_to() {
    // Many boards side by side: hundreds of moves in each state, and a large circuit.
    let (stages, puzzle) = puzzle(&sheets::boards(40, 300));
    for method in METHODS {
        let looks = AtomicUsize::new(0);
        let options = PuzzleOptions {
            methods: vec![method.name.to_string()],
            memory: 1 << 28,
            ..PuzzleOptions::default()
        };
        let may_go_on = || looks.fetch_add(1, Ordering::Relaxed) < 3;
        let report = solve(stages.rules(), &puzzle, &options, &may_go_on).expect("a report");
        let work: u64 = report.methods.iter().map(|figures| figures.work).sum();
        assert!(work <= 4 * MOST, "{} did {work} units of work in four looks", method.name);
    }
}
