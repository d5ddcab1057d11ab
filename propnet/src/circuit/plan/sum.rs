//! Whether the goals of all roles have the same sum at every end of the game.
//!
//! The proof is one step of induction: a state in which the game is over is the first one, or one that
//! a legal joint move leads to from a state in which it goes on and the groups of the circuit hold. If
//! no such state has another sum, or a role without exactly one goal, every end has that sum.

use std::collections::BTreeMap;

use batsat::Lit;

use super::super::budget::WorkBudget;
use super::super::circuit::Circuit;
use super::super::solver::Answer;
use super::frames::{FrameStart, Frames};
use crate::game::goal_value;

/// What is known about the sum of all goals at the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalSum {
    /// Every end that can be reached gives each role exactly one goal, and this is their sum.
    Proven(i64),
    /// The sum differs, or there is no proof within the budget.
    Unknown,
}

/// The most work that one question may cost.
const EFFORT: u64 = 200_000_000;
/// What it costs to encode a gate in a frame, in units of the budget.
const GATE: u64 = 400;
/// Sums of goals are told apart by at most this many literals.
const LITERALS: usize = 50_000;

/// The sum of the goals at the end of the game, if the budget suffices to prove that it is always the
/// same. A circuit that would take more than the budget to encode is not tried.
pub fn goal_sum(circuit: &Circuit, budget: &WorkBudget<'_>) -> GoalSum {
    let cost = 2 * GATE * circuit.two_input_gates() as u64;
    if cost > budget.proofs() || !budget.goes_on(cost) {
        return GoalSum::Unknown;
    }
    budget.spend(cost);
    prove(circuit, budget).map_or(GoalSum::Unknown, GoalSum::Proven)
}

fn prove(circuit: &Circuit, budget: &WorkBudget<'_>) -> Option<i64> {
    let mut frames = Frames::new(circuit, budget);
    let first = circuit.fluents.iter().map(|port| Some(port.initially)).collect();
    let first = frames.add(FrameStart::Free, first);
    let before = frames.add(FrameStart::Free, Vec::new());
    frames.keep_groups(before);
    let made = frames.move_made(before);
    let after = frames.add(FrameStart::After(before), Vec::new());
    frames.keep_groups(after);
    let ends = [
        (first, vec![frames.literal(first, circuit.terminal)]),
        (after, vec![made, frames.literal(after, circuit.terminal)]),
    ];
    let mut sum = None;
    for (frame, mut question) in ends {
        let known = match sum {
            Some(sum) => sum,
            // Any end will do: if the sum is always the same, it is the sum there.
            None => match example_sum(&mut frames, frame, &question) {
                Example::None => continue,
                Example::Sum(sum) => sum,
                Example::Bad => return None,
            },
        };
        sum = Some(known);
        question.push(wrong_sum(&mut frames, frame, known)?);
        if frames.ask(&question, EFFORT) != Answer::Never {
            return None;
        }
    }
    sum
}

/// The sum of the goals in an example of an end.
enum Example {
    /// There is no example.
    None,
    /// The sum.
    Sum(i64),
    /// There is no sum, or there was too much work.
    Bad,
}

fn example_sum(frames: &mut Frames<'_>, frame: usize, question: &[Lit]) -> Example {
    let circuit = frames.circuit;
    // The example is about all goals.
    for goal in circuit.goals.iter().flatten() {
        frames.literal(frame, goal.holds);
    }
    match frames.ask(question, EFFORT) {
        Answer::Never => return Example::None,
        Answer::Unknown => return Example::Bad,
        Answer::Possible => {}
    }
    let mut sum = 0;
    for goals in &circuit.goals {
        let mut held = goals.iter().filter(|goal| frames.is_true(frame, goal.holds));
        let (Some(goal), None) = (held.next(), held.next()) else { return Example::Bad };
        let Some(value) = goal_value(&circuit.names.text(goal.value)) else { return Example::Bad };
        sum += i64::from(value);
    }
    Example::Sum(sum)
}

/// A literal that is true only where a role has no proper goal, or the sum of all is another;
/// `None` if there are too many sums.
fn wrong_sum(frames: &mut Frames<'_>, frame: usize, sum: i64) -> Option<Lit> {
    let circuit = frames.circuit;
    let wrong = frames.fresh();
    let mut ways = vec![!wrong];
    // By sum of the roles so far: a literal that is true only where goals that hold add up to it.
    let always = frames.fresh();
    frames.clause(&[always]);
    let mut sums = BTreeMap::from([(0, always)]);
    let mut literals = 0;
    for goals in &circuit.goals {
        let none = frames.fresh();
        let mut values = Vec::with_capacity(goals.len());
        for goal in goals {
            let holds = frames.literal(frame, goal.holds);
            frames.clause(&[!none, !holds]);
            match goal_value(&circuit.names.text(goal.value)) {
                Some(value) => values.push((i64::from(value), holds)),
                None => ways.push(holds),
            }
        }
        ways.push(none);
        literals += sums.len() * values.len();
        if literals > LITERALS {
            return None;
        }
        let mut longer: BTreeMap<i64, Vec<Lit>> = BTreeMap::new();
        for (&before, &is_before) in &sums {
            for &(value, holds) in &values {
                let both = frames.fresh();
                frames.clause(&[!both, is_before]);
                frames.clause(&[!both, holds]);
                longer.entry(before + value).or_default().push(both);
            }
        }
        sums.clear();
        for (total, mut clause) in longer {
            let is_total = frames.fresh();
            clause.push(!is_total);
            frames.clause(&clause);
            sums.insert(total, is_total);
        }
    }
    ways.extend(sums.iter().filter(|(total, _)| **total != sum).map(|(_, &is_total)| is_total));
    frames.clause(&ways);
    Some(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::build;
    use crate::gdl::Source;
    use crate::ground::{Limits, NoWatch, Options, ground};
    use crate::reference::load;

    fn sum_of(sheet: &str, proofs: u64) -> GoalSum {
        let rules = load(Source::from_text("sheet", sheet)).expect("a sheet");
        let rules = ground(&rules, &Options::default(), Limits::default(), &mut NoWatch);
        let circuit = build(&rules.expect("ground rules").rules).expect("a circuit");
        goal_sum(&circuit, &WorkBudget::with_proofs(proofs, &|| true))
    }

    /// Two roles mark one of two lamps each; `a` wins if it marks first.
    fn sheet(goals: &str) -> String {
        format!(
            "(role a) (role b) (init start)
             (<= (legal a mark) (true start)) (<= (legal a wait) (true start))
             (<= (legal b mark) (true start)) (<= (legal b wait) (true start))
             (<= (legal ?r wait) (role ?r) (not (true start)))
             (<= (next (marked ?r)) (does ?r mark))
             (<= (next stuck) (true start) (does a wait) (does b wait))
             (<= (next stuck) (true stuck))
             (<= terminal (true (marked ?r)))
             (<= both (true (marked a)) (true (marked b)))
             {goals}"
        )
    }

    #[test]
    fn the_same_sum_at_every_end_is_proven() {
        let goals = "(<= (goal a 100) (true (marked a)) (not both))
            (<= (goal b 0) (true (marked a)) (not both))
            (<= (goal b 90) (true (marked b)) (not both)) (<= (goal a 10) (true (marked b)) (not both))
            (<= (goal ?r 50) (role ?r) both)
            (<= (goal ?r 0) (role ?r) (not (true (marked a))) (not (true (marked b))))";
        // While nobody has marked the sum is 0, but that is no end.
        assert_eq!(sum_of(&sheet(goals), 100_000_000), GoalSum::Proven(100));
        assert_eq!(sum_of(&sheet(goals), 100), GoalSum::Unknown, "the budget is too small");
    }

    #[test]
    fn another_sum_or_no_goal_at_one_end_is_found() {
        for both in [
            "(<= (goal ?r 40) (role ?r) both)",
            "(<= (goal a 100) both)",
            "
            (<= (goal ?r 50) (role ?r) both) (<= (goal a 60) both)",
        ] {
            let goals = format!(
                "(<= (goal a 100) (true (marked a)) (not both))
                 (<= (goal b 0) (true (marked a)) (not both))
                 (<= (goal b 100) (true (marked b)) (not both))
                 (<= (goal a 0) (true (marked b)) (not both)) {both}"
            );
            assert_eq!(sum_of(&sheet(&goals), 100_000_000), GoalSum::Unknown, "{both}");
        }
    }

    #[test]
    fn three_roles_and_a_start_that_is_the_end() {
        let three = |start: &str| {
            format!(
                "(role a) (role b) (role c) (init {start}) (next (s done))
                 (<= (legal ?r go) (role ?r))
                 (<= terminal (true (s done)))
                 (goal a 30) (goal b 30) (<= (goal c 40) (not (true (s done))))
                 (<= (goal c 41) (true (s done)))"
            )
        };
        assert_eq!(sum_of(&three("(s begin)"), 100_000_000), GoalSum::Proven(101));
        assert_eq!(sum_of(&three("(s done)"), 100_000_000), GoalSum::Proven(101));
    }
}
