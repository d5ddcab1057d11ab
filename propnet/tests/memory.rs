//! What grounding holds in memory stays within what it counts, in every stage; so does what the
//! reference reasoner holds.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use propnet::game::{Game, PlayError};
use propnet::gdl::{Rules, Source};
use propnet::ground::{GroundError, Limits, Options, Stage, StageSizes, Watch, ground};
use propnet::reference::{self, Reasoner, load};

/// Counts the bytes held, and the most there ever were.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

fn add(bytes: usize) {
    MOST.fetch_max(HELD.fetch_add(bytes, Relaxed) + bytes, Relaxed);
}

// SAFETY: every call is handed to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Held by the test that runs: bytes are counted for the whole process.
static TURN: Mutex<()> = Mutex::new(());

fn wait_for_turn() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Remembers the bytes that the grounder counted, and those it held, by stage.
#[derive(Default)]
struct Sizes {
    base: usize,
    counted: u64,
    stages: Vec<(Stage, u64, usize)>,
}

impl Watch for Sizes {
    fn finished(&mut self, stage: Stage, sizes: StageSizes) {
        self.counted = self.counted.max(sizes.bytes);
        self.stages.push((stage, sizes.bytes, MOST.load(Relaxed) - self.base));
        MOST.store(HELD.load(Relaxed), Relaxed);
    }
}

/// The watch, and the most bytes that were held beyond those at the start.
fn measure(rules: &Rules, limits: Limits) -> (Sizes, u64, Result<(), GroundError>) {
    let base = HELD.load(Relaxed);
    MOST.store(base, Relaxed);
    let mut sizes = Sizes { base, ..Sizes::default() };
    let result = ground(rules, &Options::default(), limits, &mut sizes).map(|_| ());
    let rest = MOST.load(Relaxed) - base;
    let most = sizes.stages.iter().map(|&(_, _, held)| held).fold(rest, usize::max);
    (sizes, most as u64, result)
}

const FRAME: &str = "(role a) (role b) (<= (goal a 100) (true (s 1 1 1)))
    (<= terminal (true (s 2 2 2))) (init (s 1 1 1)) (init step)\n";

fn numbers(count: usize) -> String {
    let mut text = FRAME.to_string();
    for at in 0..count {
        writeln!(text, "(num {at}) (succ {at} {})", (at + 1) % count).expect("text");
    }
    text
}

/// Sheets that are large in different ways.
fn sheets() -> Vec<(&'static str, String)> {
    let fluents = "(<= (next (s ?x ?y ?z)) (true (s ?x ?y ?z)) (does a (m ?x)))
        (<= (next (s ?u ?y ?z)) (true (s ?x ?y ?z)) (succ ?x ?u) (does b noop))
        (<= (next (s ?y ?z ?u)) (true (s ?x ?y ?z)) (succ ?x ?u) (not (does a (m ?z))))
        (<= (legal a (m ?x)) (num ?x)) (legal b noop) (<= (legal b (n ?x)) (true (s ?x ?x ?x)))";
    let helpers =
        "(legal a noop) (legal b noop) (<= (legal a (m ?x ?y)) (line ?x ?y ?z) (true step))
        (<= (line ?x ?y ?z) (num ?x) (num ?y) (num ?z) (true (s ?x ?y 1)))
        (<= (line ?x ?y ?z) (line ?x ?y ?u) (succ ?u ?z) (not (true (s ?x ?x ?x))))
        (<= (next (s ?x ?y 1)) (num ?x) (num ?y) (does a noop))
        (<= (next (s ?x ?y 1)) (line ?x ?y ?x) (not (line ?y ?x ?x)) (does a (m ?x ?y)))";
    let facts = "(legal a noop) (<= (legal b (m ?x ?y)) (near ?x ?y ?z) (far ?y ?z))
        (<= (near ?x ?y ?z) (num ?x) (num ?y) (num ?z) (distinct ?x ?y))
        (<= (far ?x ?y) (succ ?x ?u) (num ?y) (distinct ?u ?y)) (<= (far ?x ?z) (far ?x ?y) (succ ?y ?z))
        (<= (next (s ?x ?y 1)) (does b (m ?x ?y)))";
    let mut listed = numbers(3) + "(legal b noop) (<= (legal a (m ?x)) (edge ?x ?y) (true step))\n";
    for at in 0..40_000 {
        writeln!(listed, "(edge {at} {})", at + 1).expect("text");
    }
    vec![
        ("listed", listed),
        ("fluents", numbers(40) + fluents),
        ("helpers", numbers(60) + helpers),
        ("facts", numbers(100) + facts),
    ]
}

/// What is not counted: plans, small change, and the sheet's own names and rules, which are copied.
fn slack(text: &str) -> u64 {
    (1 << 20) + 8 * text.len() as u64
}

#[test]
fn bytes_are_bounded() {
    let _turn = wait_for_turn();
    for (name, text) in sheets() {
        let rules = load(Source::from_text(name, &text)).expect("a sheet");
        // A limit of what was counted would have let it through.
        let (sizes, most, result) = measure(&rules, Limits::default());
        assert_eq!(result, Ok(()), "{name}");
        let counted = sizes.counted;
        assert!(counted > 10 << 20, "{name} is too small to tell");
        assert!(
            most < 2 * counted + slack(&text),
            "{name}: {most}, counted {counted}: {:?}",
            sizes.stages
        );
        for share in [10, 3] {
            let limits = Limits { bytes: counted / share, ..Limits::default() };
            let (_, most, result) = measure(&rules, limits);
            assert!(matches!(result, Err(GroundError::Limit { what: "bytes", .. })), "{result:?}");
            assert!(
                most < 2 * limits.bytes + slack(&text),
                "{name}: {most}, limit {}",
                limits.bytes
            );
        }
    }
}

/// A helper that turns out to be wide is begun again on demand. What was found of it before must
/// not be held while it is.
#[test]
fn a_new_attempt_has_all_the_room() {
    let _turn = wait_for_turn();
    let text = numbers(80)
        + "(legal a noop) (legal b noop) (<= (next (s ?x ?y 1)) (num ?x) (num ?y) (does a noop))
        (<= (line ?x ?y ?z) (num ?z) (true (s ?x ?y 1)))
        (<= (line ?x ?y ?z) (line ?x ?y ?u) (succ ?u ?z) (not (true (s ?x ?x ?x))))
        (<= (next (s 1 ?y 2)) (line 1 ?y ?y) (does b noop))";
    let rules = load(Source::from_text("wide", &text)).expect("a sheet");
    let (sizes, _, result) = measure(&rules, Limits::default());
    assert_eq!(result, Ok(()));
    let attempts = sizes.stages.iter().filter(|(stage, ..)| *stage == Stage::Statics);
    assert!(attempts.count() > 1, "no helper is wide");
    let last = sizes.stages.iter().find(|(stage, ..)| *stage == Stage::Fixpoint);
    let &(_, counted, held) = last.expect("the last attempt succeeded");
    assert!(held < (counted + slack(&text)) as usize, "{held}, counted {counted}");
}

/// Sheets on which the reference reasoner needs more than it may have: for terms, for facts, and for
/// facts with indexes.
#[test]
fn a_reasoner_keeps_to_its_bytes() {
    let _turn = wait_for_turn();
    let frame = "(role r) (init s) (legal r go) (goal r 1) (<= terminal (true t))";
    let terms = "(leaf a) (leaf b) (<= (tree ?x) (leaf ?x))
        (<= (tree (node ?x ?y)) (tree ?x) (tree ?y)) (<= (next ?x) (tree ?x))";
    let numbers: String = (0..200).map(|at| format!("(n {at})")).collect();
    let facts = "(<= (all ?x ?y ?z) (n ?x) (n ?y) (n ?z) (true s))
        (<= (all ?x ?y ?z) (all ?y ?x ?z)) (<= (next t) (all ?x ?y ?z))";
    let indexed = "(<= (path ?x ?y) (n ?x) (n ?y) (true s)) (<= (path ?x (f ?y)) (path ?x ?y))
        (<= (path ?y ?x) (path ?x ?y) (path ?y ?y)) (<= (next t) (path ?x ?y))";
    for (name, rules) in [("terms", terms), ("facts", facts), ("indexed", indexed)] {
        let text = format!("{frame}{numbers}{rules}");
        let rules = load(Source::from_text(name, &text)).expect("a sheet");
        for bytes in [4 << 20, 32 << 20] {
            let limits =
                reference::ReasonerLimits { bytes, ..reference::ReasonerLimits::default() };
            let base = HELD.load(Relaxed);
            MOST.store(base, Relaxed);
            let mut game = Reasoner::with_limits(&rules, limits);
            let initial = game.initial_state().expect("a state");
            let go = game.move_of(0, "go").expect("a move");
            for _ in 0..2 {
                let next = game.next_state(&initial, &[go]);
                assert!(
                    matches!(next, Err(PlayError::TooLarge { what: "bytes", .. })),
                    "{name}: {next:?}"
                );
            }
            let most = (MOST.load(Relaxed) - base) as u64;
            assert!(most > bytes / 2, "{name}: {most} of {bytes} are counted too high");
            assert!(most < 2 * bytes + slack(&text), "{name}: {most} of {bytes}");
        }
    }
}
