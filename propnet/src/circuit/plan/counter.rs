//! Step counters: fluents whose course does not depend on what is played.
//!
//! Random play proposes them. The proof is an induction over the step number: if they have the
//! values of step `n`, the groups of the circuit hold and the game goes on, then every legal move
//! leads to the values of step `n + 1`. The last step is the one at which the game cannot go on; or
//! the values come round to those of an earlier step, as those that say whose turn it is, and then
//! the course is known for good.

use batsat::Lit;
use rustc_hash::FxHashMap;

use super::super::budget::WorkBudget;
use super::super::circuit::{Circuit, FluentKind};
use super::super::optimize::Simulator;
use super::super::solver::Answer;
use super::frames::{FrameStart, Frames};

/// Fluents that have the same values at the same step of every line of play, whatever is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedCourse {
    /// The fluents, by their index, ascending.
    pub fluents: Vec<u32>,
    /// By step, from the first state on: the truth of each of them.
    pub course: Vec<Vec<bool>>,
    /// The step whose values come after the last one; none where no line goes on after that.
    pub returns_to: Option<usize>,
}

/// Fluents that have the same values at the same step of every line of play, and a step by which
/// every line has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepCounter {
    /// The fluents, by their index, ascending.
    pub fluents: Vec<u32>,
    /// By step, from the first state on: the truth of each of them. No line of play has more steps
    /// than there are here after the first.
    pub course: Vec<Vec<bool>>,
}

impl StepCounter {
    /// No line of play has more moves than this.
    pub fn horizon(&self) -> usize {
        self.course.len() - 1
    }
}

/// Steps of random play by which candidates are found.
const STEPS: usize = 256;
/// No course is followed further than this.
const LONGEST: usize = 4096;
/// The most work that one question may cost.
const EFFORT: u64 = 20_000_000;

/// The step counter of a game, if it is found and proven within the budget, and ends the game.
pub fn step_counter(circuit: &Circuit, budget: &WorkBudget<'_>) -> Option<StepCounter> {
    fixed_course(circuit, budget)?.counter()
}

impl FixedCourse {
    /// The same as a step counter, where it ends the game.
    pub fn counter(self) -> Option<StepCounter> {
        let FixedCourse { fluents, course, returns_to } = self;
        returns_to.is_none().then_some(StepCounter { fluents, course })
    }
}

/// The fluents whose course no move changes, if they are found and proven within the budget.
pub fn fixed_course(circuit: &Circuit, budget: &WorkBudget<'_>) -> Option<FixedCourse> {
    let mut fluents = candidates(circuit, budget);
    // Each try either proves the course or has fewer fluents than the one before.
    while !fluents.is_empty() {
        let mut course = Course::new(circuit, budget, &fluents);
        match course.follow() {
            CourseEnd::Proven { returns_to } => {
                let course = course.values;
                let fluents = fluents.iter().map(|&fluent| fluent as u32).collect();
                return Some(FixedCourse { fluents, course, returns_to });
            }
            CourseEnd::Broken(broken) => {
                let mut at = 0;
                fluents.retain(|_| {
                    at += 1;
                    !broken[at - 1]
                });
            }
            CourseEnd::GivenUp => return None,
        }
    }
    None
}

/// Carried fluents that have the same value at the same step in 64 random games.
fn candidates(circuit: &Circuit, budget: &WorkBudget<'_>) -> Vec<usize> {
    let mut simulator = Simulator::new(circuit, 1, budget);
    let carried = |&fluent: &usize| circuit.fluents[fluent].kind == FluentKind::Carried;
    let mut same: Vec<usize> = (0..circuit.fluents.len()).filter(carried).collect();
    let mut playing = simulator.goes_on();
    let mut changed = vec![false; circuit.fluents.len()];
    for _ in 0..STEPS {
        if playing == 0 || same.is_empty() || !budget.goes_on(1) {
            break;
        }
        let before = simulator.now().clone();
        simulator.step();
        let now = simulator.now();
        same.retain(|&fluent| now[fluent] & playing == 0 || now[fluent] & playing == playing);
        for &fluent in &same {
            changed[fluent] |= (now[fluent] ^ before[fluent]) & playing != 0;
        }
        // A game that is over starts again, and is not looked at any more.
        playing &= simulator.goes_on();
    }
    // What never changes counts nothing, and would only make the proof longer.
    same.retain(|&fluent| changed[fluent] || !circuit.fluents[fluent].initially);
    if same.iter().any(|&fluent| changed[fluent]) { same } else { Vec::new() }
}

/// What became of a course.
enum CourseEnd {
    /// It ends the game, or comes round to a step.
    Proven { returns_to: Option<usize> },
    /// Some of the fluents, by their place, depend on moves.
    Broken(Vec<bool>),
    /// It is too long, or takes too much work.
    GivenUp,
}

/// The values of fluents, step by step.
struct Course<'b> {
    frames: Frames<'b>,
    now: Vec<Lit>,
    next: Vec<Lit>,
    /// The game goes on, and a move is made.
    made: Lit,
    values: Vec<Vec<bool>>,
}

impl<'b> Course<'b> {
    fn new(circuit: &'b Circuit, budget: &'b WorkBudget<'b>, fluents: &[usize]) -> Self {
        let mut frames = Frames::new(circuit, budget);
        let frame = frames.add(FrameStart::Free, Vec::new());
        frames.keep_groups(frame);
        let made = frames.move_made(frame);
        let now = fluents.iter().map(|&fluent| frames.fluent(frame, fluent)).collect();
        let next = fluents
            .iter()
            .map(|&fluent| frames.literal(frame, circuit.fluents[fluent].next))
            .collect();
        let first = fluents.iter().map(|&fluent| circuit.fluents[fluent].initially).collect();
        Course { frames, now, next, made, values: vec![first] }
    }

    fn follow(&mut self) -> CourseEnd {
        let mut seen = FxHashMap::from_iter([(self.values[0].clone(), 0)]);
        while self.values.len() <= LONGEST {
            let values = self.values[self.values.len() - 1].clone();
            let mut question = vec![self.made];
            question
                .extend(self.now.iter().zip(&values).map(|(&now, &is_true)| as_said(now, is_true)));
            match self.frames.ask(&question, EFFORT) {
                Answer::Never => return CourseEnd::Proven { returns_to: None },
                Answer::Unknown => return CourseEnd::GivenUp,
                Answer::Possible => {}
            }
            let expected: Vec<bool> =
                self.next.iter().map(|&next| self.frames.holds(next)).collect();
            // In another example, one of them is something else.
            let other = self.frames.fresh();
            let mut clause = vec![!other];
            clause.extend(
                self.next.iter().zip(&expected).map(|(&next, &is_true)| as_said(next, !is_true)),
            );
            self.frames.clause(&clause);
            question.push(other);
            match self.frames.ask(&question, EFFORT) {
                Answer::Never => {}
                Answer::Unknown => return CourseEnd::GivenUp,
                Answer::Possible => {
                    let differs =
                        |(&next, &expected): (&Lit, &bool)| self.frames.holds(next) != expected;
                    return CourseEnd::Broken(
                        self.next.iter().zip(&expected).map(differs).collect(),
                    );
                }
            }
            self.frames.clause(&[!other]);
            if let Some(&step) = seen.get(&expected) {
                return CourseEnd::Proven { returns_to: Some(step) };
            }
            seen.insert(expected.clone(), self.values.len());
            self.values.push(expected);
        }
        CourseEnd::GivenUp
    }
}

/// The literal, or its complement where it is to be false.
fn as_said(literal: Lit, is_true: bool) -> Lit {
    if is_true { literal } else { !literal }
}
