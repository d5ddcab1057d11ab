//! Ground sheets by chance: loops, negation in loops, goals that clash, roles that are stuck.

use std::fmt::Write;

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::agree::agree;
use super::build::build;

const SHEETS: u64 = 400;

/// A sheet for one or two roles. Helpers `s0`.. read the state, helpers `m0`.. the moves too; all
/// are relations of their own, so that the reasoner sees the same loops.
fn sheet(seed: u64) -> String {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut text = String::new();
    let roles = rng.random_range(1..3);
    let fluents = rng.random_range(2..6);
    let helpers = rng.random_range(1..7);
    let rare_negation = rng.random_range(0..2) == 0;
    let mut conditions: Vec<String> = (0..fluents).map(|n| format!("(true f{n})")).collect();
    conditions.extend((0..helpers).map(|n| format!("s{n}")));
    let mut line = |head: String, conditions: &[String], rng: &mut Pcg64Mcg| {
        let body = body(conditions, rare_negation, rng);
        writeln!(text, "(<= {head}{body})").expect("text");
    };
    for n in 0..helpers * 2 {
        line(format!("s{}", n % helpers), &conditions, &mut rng);
    }
    for role in 0..roles {
        for action in 0..3 {
            line(format!("(legal r{role} (a {action}))"), &conditions, &mut rng);
            line(format!("(goal r{role} {})", action * 50), &conditions, &mut rng);
        }
    }
    line("terminal".into(), &conditions, &mut rng);
    for role in 0..roles {
        conditions.extend((0..3).map(|action| format!("(does r{role} (a {action}))")));
    }
    conditions.extend((0..helpers).map(|n| format!("m{n}")));
    for n in 0..helpers * 2 {
        line(format!("m{}", n % helpers), &conditions, &mut rng);
    }
    for n in 0..fluents * 3 {
        line(format!("(next f{})", n % fluents), &conditions, &mut rng);
    }
    let mut head = String::new();
    for role in 0..roles {
        writeln!(head, "(role r{role}) (legal r{role} wait)").expect("text");
    }
    for fluent in (0..fluents).filter(|_| rng.random_range(0..2) == 0) {
        writeln!(head, "(init f{fluent})").expect("text");
    }
    head + &text
}

/// One to three conditions, some negated.
fn body(conditions: &[String], rare_negation: bool, rng: &mut dyn Rng) -> String {
    let mut body = String::new();
    for _ in 0..rng.random_range(1..4) {
        let condition = &conditions[rng.random_range(0..conditions.len())];
        // Inputs may be negated often; helpers in some sheets seldom, so that loops settle.
        let odds = if rare_negation && !condition.starts_with('(') { 12 } else { 3 };
        match rng.random_range(0..odds) == 0 {
            true => write!(body, " (not {condition})").expect("text"),
            false => write!(body, " {condition}").expect("text"),
        }
    }
    body
}

#[test]
fn sheets_by_chance() {
    for seed in 0..SHEETS {
        let text = sheet(seed);
        agree(&text, &build(&text), 3);
    }
}
