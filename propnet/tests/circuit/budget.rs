//! Making a circuit ends soon, whatever the rules are: by a budget that is counted, so that the same
//! rules give the same circuit, and because the caller wants it to end.

use std::cell::Cell;
use std::fmt::Write;

use propnet::circuit::optimize::{Params, Pass};
use propnet::circuit::{
    Circuit, CircuitError, CircuitGame, LoopChoice, Way, WorkBudget, build_with, print_circuit,
};
use propnet::ground::GroundRules;
use propnet::reference::Reasoner;

use super::loops::{answers, rules_of, sheet};

/// A board of hexagons, `size` by `size`, on which players connect their sides: paths from each
/// cell to each cell of the far side, each target a loop of its own with nearly all cells.
fn connection(size: usize) -> String {
    let mut text = String::from(
        "(role red) (role black) (init (control red))
         (<= (legal ?r (place ?x ?y)) (true (control ?r)) (row ?x) (row ?y)
             (not (true (cell ?x ?y red))) (not (true (cell ?x ?y black))))
         (<= (legal red wait) (true (control black)))
         (<= (legal black wait) (true (control red)))
         (<= (next (cell ?x ?y ?r)) (does ?r (place ?x ?y)))
         (<= (next (cell ?x ?y ?r)) (true (cell ?x ?y ?r)))
         (<= (next (control red)) (true (control black)))
         (<= (next (control black)) (true (control red)))
         (<= (beside ?x ?y ?x ?v) (after ?y ?v) (row ?x))
         (<= (beside ?x ?y ?x ?v) (after ?v ?y) (row ?x))
         (<= (beside ?x ?y ?u ?y) (after ?x ?u) (row ?y))
         (<= (beside ?x ?y ?u ?y) (after ?u ?x) (row ?y))
         (<= (beside ?x ?y ?u ?v) (after ?u ?x) (after ?y ?v))
         (<= (beside ?x ?y ?u ?v) (after ?x ?u) (after ?v ?y))
         (<= (path ?r ?x ?y ?x ?y) (true (cell ?x ?y ?r)))
         (<= (path ?r ?x ?y ?s ?t) (true (cell ?x ?y ?r)) (beside ?x ?y ?u ?v)
             (path ?r ?u ?v ?s ?t))
         (<= terminal (won ?r))
         (<= (goal ?r 100) (won ?r))
         (<= (goal ?r 0) (role ?r) (not (won ?r)))\n",
    );
    writeln!(text, "(<= (won red) (path red 1 ?y {size} ?v))").expect("text");
    writeln!(text, "(<= (won black) (path black ?x 1 ?u {size}))").expect("text");
    for row in 1..=size {
        writeln!(text, "(row {row})").expect("text");
        if row < size {
            writeln!(text, "(after {row} {})", row + 1).expect("text");
        }
    }
    text
}

fn made(rules: &GroundRules, budget: &WorkBudget<'_>) -> Result<Circuit, CircuitError> {
    let mut circuit = build_with(rules, LoopChoice::default(), budget)?;
    for pass in Pass::ALL {
        circuit = pass.run_within(&circuit, &Params::default(), budget)?.0;
    }
    Ok(circuit)
}

#[test]
fn loops_that_are_not_worth_it_cost_no_proofs() {
    let (_, ground) = rules_of(&connection(8));
    let budget = WorkBudget::default();
    let circuit = build_with(&ground, LoopChoice::default(), &budget).expect("a circuit");
    let large = circuit.resolved.iter().filter(|resolved| resolved.members > 50);
    assert!(large.clone().count() >= 16, "{:?}", circuit.resolved);
    assert!(large.clone().all(|resolved| matches!(resolved.way, Way::Repeated(_))));
    let spent = WorkBudget::PROOFS - budget.proofs();
    assert!(spent < WorkBudget::PROOFS / 10, "{spent} units were spent");
}

#[test]
fn all_loops_together_leave_half_of_the_budget() {
    // Unrolled at any price: each sweep of each loop asks for proofs that are hard.
    let (_, ground) = rules_of(&connection(6));
    let total = 40_000_000;
    let budget = WorkBudget::with_proofs(total, &|| true);
    build_with(&ground, LoopChoice::Unroll, &budget).expect("a circuit");
    // The last question may take a little more than was left for it.
    assert!(budget.proofs() > total / 4, "{} of {total} are left", budget.proofs());
}

#[test]
fn without_a_budget_the_circuit_says_the_same() {
    let ring: String = (0..7)
        .map(|at| format!("(<= p{at} (true f{}))(<= p{at} p{} (true f5))\n", at % 5, (at + 6) % 7))
        .collect();
    let text = sheet(7, &ring);
    let (rules, ground) = rules_of(&text);
    let expected = answers(&mut Reasoner::new(&rules));
    let without = || made(&ground, &WorkBudget::with_proofs(0, &|| true)).expect("a circuit");
    assert_eq!(answers(&mut CircuitGame::new(without())), expected);
    assert_eq!(print_circuit(&without()), print_circuit(&without()));
    let unrolled = LoopChoice::Unroll;
    let circuit = build_with(&ground, unrolled, &WorkBudget::with_proofs(0, &|| true));
    assert_eq!(answers(&mut CircuitGame::new(circuit.expect("a circuit"))), expected);
}

#[test]
fn the_caller_can_stop_every_stage() {
    let (_, ground) = rules_of(&connection(5));
    let asked = Cell::new(0u64);
    let until = |last: u64| {
        asked.set(0);
        let proceed = || {
            asked.set(asked.get() + 1);
            asked.get() < last
        };
        made(&ground, &WorkBudget::new(&proceed))
    };
    until(u64::MAX).expect("a circuit");
    let in_all = asked.get();
    assert!(in_all > 10, "asked only {in_all} times");
    let mut stages = Vec::new();
    for last in 1..=in_all {
        match until(last) {
            Err(CircuitError::Stopped { stage }) => stages.push(stage),
            other => panic!("stopped when asked for the {last}th time, but {other:?}"),
        }
        assert_eq!(asked.get(), last, "nobody asks again");
    }
    assert_eq!(stages[0], "the builder");
    stages.dedup();
    assert!(stages.len() > 3, "{stages:?}");
}
