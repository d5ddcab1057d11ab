//! Relations too wide to be computed whole: asked on demand, with the same answers.

use propnet::game::Game;
use propnet::reference::ReasonerLimits;

use super::support::{check, game, state, unchecked};

/// The numbers from 0 up to and without `count`, with their successors.
fn numbers(count: usize) -> String {
    (0..count).map(|at| format!("(n {at}) (succ {at} {}) ", at + 1)).collect()
}

/// Three numbers below 40 make 64,000 triples; the narrow twin has 8 of each.
#[test]
fn wide_and_narrow_agree() {
    let rules = "(<= (triple ?x ?y ?z) (n ?x) (n ?y) (n ?z) (distinct ?x ?y) (distinct ?y ?z))
        (q 1 2) (q 3 3) (q 4 7)
        (<= (show (all ?x ?y)) (q ?x ?y) (triple ?x ?y 5))
        (<= (show (part ?x)) (q ?x ?y) (triple ?x ?y ?x))
        (<= (show (none ?x ?y)) (q ?x ?y) (not (triple ?x ?y ?x)))
        (<= (show (open ?z)) (triple 1 2 ?z) (q ?z ?y))";
    let expected = "(all 1 2) (all 4 7) (none 3 3) (open 1) (open 3) (open 4) (part 1) (part 4)";
    check(&format!("{} {rules}", numbers(8)), expected);
    check(&format!("{} {rules}", numbers(40)), expected);
}

/// The demanded sentence has terms that exist nowhere before the call.
#[test]
fn terms_built_at_the_call() {
    let rules = "(<= (boxed (box ?x ?y) ?z) (n ?x) (n ?y) (n ?z))
        (<= (boxed (none) ?z) (n ?z)) (q 1) (q 2) (q away)
        (<= (show (in ?x)) (q ?x) (boxed (box ?x 3) 0))
        (<= (show (not ?x)) (q ?x) (not (boxed (box ?x 3) 0)))
        (<= (show (second ?y)) (q ?x) (boxed (box ?x ?y) ?x) (q ?y))
        (<= (show (odd ?x)) (q ?x) (boxed (none) ?x))";
    let expected = "(in 1) (in 2) (not away) (odd 1) (odd 2) (second 1) (second 2)";
    check(&format!("{} {rules}", numbers(5)), expected);
    check(&format!("{} {rules}", numbers(40)), expected);
}

/// Wide relations that ask wide relations, through `or` and `not`, with facts among the rules.
#[test]
fn wide_relations_ask_each_other() {
    let rules = "(<= (pair ?x ?y ?z) (n ?x) (n ?y) (n ?z))
        (pair extra extra extra)
        (<= (off ?x ?y ?z) (pair ?x ?y ?z) (or (distinct ?x ?y) (not (pair ?z ?x extra))))
        (<= (far ?x ?y ?z) (off ?x ?y ?z) (not (off ?z ?z ?x)) (not (succ ?x ?z)))
        (q 1) (q 2) (q extra)
        (<= (show (off ?x ?y)) (q ?x) (q ?y) (off ?x ?y ?y))
        (<= (show (far ?x ?y)) (q ?x) (q ?y) (far ?x ?y ?y))
        (<= (show whole) (off ?x ?y ?z) (not (n ?x)))";
    let narrow = "(off 1 1) (off 1 2) (off 2 1) (off 2 2)";
    check(&format!("{} {rules}", numbers(5)), narrow);
    check(&format!("{} {rules}", numbers(40)), narrow);
}

const GAME: &str = "(role r) (legal r go) (init (at 3)) (goal r 1)
    (<= (next (at ?x)) (n ?x)) (<= (next (mark ?x)) (n ?x))
    (<= (line ?x ?y ?z) (n ?x) (n ?y) (n ?z) (true (at ?x)) (not (true (mark ?y))))
    (<= (line ?x ?y ?z) (n ?x) (n ?y) (n ?z) (true (mark ?z)))
    (<= terminal (true (at ?x)) (line ?x 2 5))";

/// What was asked in one state must not be taken for an answer in another.
#[test]
fn demanded_facts_end_with_their_state() {
    let (mut narrow, mut wide) =
        (game(&format!("{GAME} {}", numbers(7))), game(&format!("{GAME} {}", numbers(45))));
    for _ in 0..2 {
        for (sentences, over) in [
            ("(at 3)", true),
            ("(at 3), (mark 2)", false),
            ("(at 4), (mark 5), (mark 2)", true),
            ("(mark 2)", false),
            ("(at 3), (at 4), (mark 2)", false),
            ("(at 3), (at 4), (mark 1)", true),
        ] {
            for game in [&mut narrow, &mut wide] {
                let state = state(game, sentences);
                assert_eq!(game.is_terminal(&state), Ok(over), "{sentences}");
            }
        }
    }
}

/// A demanded relation that builds too deep a term, but only in some states.
#[test]
fn an_error_in_a_demanded_relation() {
    let sheet = format!(
        "(role r) (legal r go) (init (at 3)) (<= (next (at ?x)) (n ?x)) (goal r 1)
         (<= (term {}0{}) (true (at 0))) (term nil)
         (<= (wrap ?x ?y ?z (g (g (g (g (g (g ?t))))))) (n ?x) (n ?y) (n ?z) (term ?t))
         (<= (pair ?x ?y ?z ?t) (wrap ?x ?y ?z ?t) (distinct ?x ?y))
         (<= terminal (true (at ?x)) (pair ?x 1 2 ?t)) {}",
        "(f ".repeat(496),
        ")".repeat(496),
        numbers(40)
    );
    let mut game = game(&sheet);
    let (good, bad) = (state(&mut game, "(at 5)"), state(&mut game, "(at 0)"));
    let other = state(&mut game, "(at 1)");
    for _ in 0..3 {
        assert_eq!(game.is_terminal(&good), Ok(true));
        let error = game.is_terminal(&bad).expect_err("an error").to_string();
        let said = "the rule for wrap builds terms without end (deeper than 500, or of more than 16384 words)";
        assert!(error.ends_with(said), "{error}");
        assert_eq!(game.goal(&bad, 0), Ok(1));
        assert_eq!(game.is_terminal(&other), Ok(false));
    }
}

/// What is asked about is remembered, so questions count towards the limit like facts.
#[test]
fn limits_on_demand() {
    let sheet = format!(
        "(role r) (legal r go) (init (at 3)) (<= (next (at ?x)) (n ?x)) (goal r 1)
         (<= (pair ?x ?y ?z) (n ?x) (n ?y) (n ?z) (true (at 3)))
         (<= terminal (n ?x) (n ?y) (n ?z) (true (at ?z)) (not (pair ?x ?y ?z))) {}",
        numbers(40)
    );
    let all: Vec<String> = (0..40).map(|at| format!("(at {at})")).collect();
    let mut game = unchecked(&sheet, ReasonerLimits { facts: 30_000, ..ReasonerLimits::default() });
    let (few, many) = (state(&mut game, "(at 3), (at 5)"), state(&mut game, &all.join(", ")));
    for _ in 0..2 {
        assert_eq!(game.is_terminal(&few), Ok(false));
        let error = game.is_terminal(&many).expect_err("an error").to_string();
        assert!(error.ends_with("exceeded the limit of 30000 facts"), "{error}");
        let four = state(&mut game, "(at 4)");
        assert_eq!(game.is_terminal(&four), Ok(true));
    }
}

/// A term that is too deep to be made cannot be a fact; asking for it is no error.
#[test]
fn a_term_too_deep_in_a_demanded_test() {
    let deep = |depth| format!("{}0{}", "(f ".repeat(depth), ")".repeat(depth));
    check(
        &format!(
            "{} (<= (pair ?x ?y ?z) (n ?x) (n ?y) (n ?z)) (deep {})
             (<= (show yes) (deep ?t) (not (pair 1 2 (g (g (g (g (g ?t))))))))
             (<= (show no) (deep ?t) (pair 1 2 (g (g (g (g (g ?t)))))))",
            numbers(40),
            deep(496)
        ),
        "yes",
    );
}
