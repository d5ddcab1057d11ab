//! How many moves a game can have: by its step counter, or because every move trips a latch.

use std::collections::BTreeSet;

use batsat::Lit;

use super::super::budget::WorkBudget;
use super::super::circuit::Circuit;
use super::super::solver::Answer;
use super::counter::FixedCourse;
use super::frames::{FrameStart, Frames};
use super::latches::Latch;

/// What is proven about the lengths of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lengths {
    /// No game is over before so many joint moves.
    pub least: usize,
    /// No game has more joint moves.
    pub most: Option<usize>,
}

/// The most work that one question may cost.
const EFFORT: u64 = 20_000_000;
/// Ends are looked for in so many first steps.
const STEPS: usize = 1024;

impl Lengths {
    /// Whether all games have the same length.
    pub fn is_fixed(&self) -> bool {
        self.most == Some(self.least)
    }
}

/// What is proven about the lengths of games within the budget, from fluents with a fixed course and
/// from latches.
pub fn lengths(
    circuit: &Circuit,
    fixed: Option<&FixedCourse>,
    latches: &[Latch],
    budget: &WorkBudget<'_>,
) -> Lengths {
    let horizon =
        fixed.filter(|fixed| fixed.returns_to.is_none()).map(|fixed| fixed.course.len() - 1);
    let most = match horizon {
        Some(horizon) => Some(horizon),
        None => [true, false]
            .into_iter()
            .filter_map(|value| trips(circuit, latches, value, budget))
            .min(),
    };
    let least = fixed.map_or(0, |fixed| first_end(circuit, fixed, budget));
    Lengths { least: least.min(most.unwrap_or(usize::MAX)), most }
}

/// The first step at which a state with the values of the course may be an end.
fn first_end(circuit: &Circuit, fixed: &FixedCourse, budget: &WorkBudget<'_>) -> usize {
    let mut frames = Frames::new(circuit, budget);
    let frame = frames.add(FrameStart::Free, Vec::new());
    frames.keep_groups(frame);
    let terminal = frames.literal(frame, circuit.terminal);
    let now: Vec<Lit> =
        fixed.fluents.iter().map(|&fluent| frames.fluent(frame, fluent as usize)).collect();
    // Where the course comes round, no end at any of its steps means none at all; that such a game
    // goes on for ever is not claimed.
    for (step, values) in fixed.course.iter().enumerate().take(STEPS) {
        let mut question = vec![terminal];
        question.extend(now.iter().zip(values).map(|(&now, &is_true)| match is_true {
            true => now,
            false => !now,
        }));
        if frames.ask(&question, EFFORT) != Answer::Never {
            return step;
        }
    }
    fixed.course.len().min(STEPS) - 1
}

/// The latches with this value that are not at it in the first state, if every legal joint move trips
/// one of them: no game has more moves.
fn trips(
    circuit: &Circuit,
    latches: &[Latch],
    value: bool,
    budget: &WorkBudget<'_>,
) -> Option<usize> {
    let open = |latch: &&Latch| {
        latch.value == value && circuit.fluents[latch.fluent as usize].initially != value
    };
    let open: Vec<&Latch> = latches.iter().filter(open).collect();
    let mut frames = Frames::new(circuit, budget);
    let frame = frames.add(FrameStart::Free, Vec::new());
    frames.keep_groups(frame);
    let made = frames.move_made(frame);
    for latch in &open {
        let now = frames.fluent(frame, latch.fluent as usize);
        let next = frames.literal(frame, circuit.fluents[latch.fluent as usize].next);
        // It is not tripped.
        match value {
            true => frames.clause(&[now, !next]),
            false => frames.clause(&[!now, next]),
        }
    }
    (frames.ask(&[made], EFFORT) == Answer::Never).then(|| trips_in_all(circuit, &open))
}

/// How many of the latches can trip in one game: of those that stay true in a group, only one.
fn trips_in_all(circuit: &Circuit, open: &[&Latch]) -> usize {
    let group_of = |latch: &Latch| {
        let mut groups = circuit.groups.iter();
        groups.position(|group| latch.value && group.members.contains(&latch.fluent))
    };
    let groups: BTreeSet<usize> = open.iter().filter_map(|latch| group_of(latch)).collect();
    groups.len() + open.iter().filter(|latch| group_of(latch).is_none()).count()
}
