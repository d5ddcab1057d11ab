//! Random sheets: the reasoner against the naive evaluator.
//!
//! A sheet is made from a list of random numbers. Negation is stratified by construction, because
//! a rule negates only relations of lower strata; whether its variables are safe is left to the
//! checker, and rules that it refuses are dropped.

use propnet::game::{Game, Move};
use propnet::gdl::check::examine;
use propnet::gdl::{Severity, Source};
use propnet::reference::Reasoner;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng};

use super::naive::{Facts, Naive, of};

const CONSTANTS: [&str; 3] = ["a", "b", "c"];

/// Constants, and functions of them.
const TERMS: [&str; 7] = ["a", "b", "c", "(f a)", "(f b)", "(f c)", "(g a b)"];

/// The relations by stratum, with their numbers of arguments. What is in one stratum may depend
/// on itself. `does` comes above `legal`, as nothing may be legal because of a move.
const STRATA: [&[(&str, usize)]; 5] = [
    &[("e", 2), ("d", 1)],
    &[("p", 2), ("q", 1)],
    &[("r", 1), ("s", 2)],
    &[("legal", 2), ("terminal", 0), ("goal", 2)],
    &[("next", 1)],
];

/// Numbers to make choices from; when they are used up, the first choice is taken.
struct Numbers<'a>(std::slice::Iter<'a, u8>);

impl Numbers<'_> {
    fn below(&mut self, count: usize) -> usize {
        self.0.next().map_or(0, |&byte| usize::from(byte) % count)
    }

    fn of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }
}

fn term(from: &mut Numbers, nested: bool) -> String {
    match from.below(if nested { 8 } else { 5 }) {
        0..=3 => from.of(&["?x", "?y", "?z"]).to_string(),
        4 => from.of(&CONSTANTS).to_string(),
        5 => format!("(g {} {})", from.of(&["?x", "a"]), from.of(&["?y", "b"])),
        _ => format!("(f {})", term(from, false)),
    }
}

/// An atom of a stratum up to and including `level`, or of the state.
fn atom(from: &mut Numbers, level: usize, moves: bool) -> String {
    let (name, arity) = match from.below(if moves { 8 } else { 6 }) {
        0..=2 => {
            let stratum = STRATA[from.below(level + 1).min(2)];
            stratum[from.below(stratum.len())]
        }
        3 | 4 => ("true", 1),
        5 => STRATA[level.min(2)][from.below(2)],
        _ => return format!("(does {} {})", from.of(&["one", "two", "?r"]), term(from, true)),
    };
    let args: Vec<String> = (0..arity).map(|_| term(from, true)).collect();
    format!("({name} {})", args.join(" "))
}

fn literal(from: &mut Numbers, level: usize, moves: bool, depth: usize) -> String {
    match from.below(if depth > 0 { 12 } else { 8 }) {
        0..=4 => atom(from, level, moves),
        // Only lower strata under `not`.
        5 | 6 if level > 0 => format!("(not {})", atom(from, level - 1, moves)),
        5..=7 => format!("(distinct {} {})", term(from, true), term(from, true)),
        8 | 9 => {
            let parts: Vec<String> =
                (0..2 + from.below(2)).map(|_| literal(from, level, moves, depth - 1)).collect();
            format!("(or {})", parts.join(" "))
        }
        10 if level > 0 => {
            // Under `not` all atoms come from lower strata, however often it is turned round.
            let parts: Vec<String> =
                (0..2).map(|_| literal(from, level - 1, moves, depth - 1)).collect();
            format!("(not ({} {}))", from.of(&["or", "and"]), parts.join(" "))
        }
        _ => {
            let parts: Vec<String> =
                (0..2).map(|_| literal(from, level, moves, depth - 1)).collect();
            format!("(and {})", parts.join(" "))
        }
    }
}

fn rule(from: &mut Numbers) -> String {
    let level = from.below(STRATA.len());
    let stratum = STRATA[level];
    let (name, arity) = stratum[from.below(stratum.len())];
    // Heads build no functions from variables: all terms stay within `TERMS`.
    let head = match (name, arity) {
        ("terminal", _) => "terminal".to_string(),
        ("goal", _) => format!("(goal {} {})", from.of(&["one", "two"]), from.of(&["0", "50"])),
        ("legal", _) => format!("(legal {} {})", from.of(&["one", "two"]), head_term(from)),
        _ => {
            let args: Vec<String> = (0..arity).map(|_| head_term(from)).collect();
            format!("({name} {})", args.join(" "))
        }
    };
    let moves = name == "next";
    // What is above the state relations reads those of stratum 2 at most.
    let level = level.min(3);
    let body: Vec<String> =
        (0..1 + from.below(4)).map(|_| literal(from, level, moves, 2)).collect();
    format!("(<= {head} {})", body.join(" "))
}

fn head_term(from: &mut Numbers) -> String {
    match from.below(4) {
        0..=2 => from.of(&["?x", "?y", "?z"]).to_string(),
        _ => from.of(&TERMS).to_string(),
    }
}

/// Always there: roles, some facts of every relation, and a move for each role in every state.
const FRAME: &str =
    "(role one) (role two) (e a b) (e b c) (e (f a) b) (e c (g a b)) (d a) (d (f c))
    (p a b) (p b (f a)) (p c c) (q b) (q (f a)) (r c) (r (g a b)) (s (f a) a) (s a a) (s b c)
    (init a) (init (f b)) (init (g a b)) (legal one a) (legal two (f a)) (<= terminal (true stop))
    (<= (next ?x) (does one ?x)) (<= (next ?x) (true ?x) (not (does two ?x))) (goal one 100)\n";

fn errors(sheet: &str) -> bool {
    let (_, findings) = examine(Source::from_text("s", sheet));
    findings.iter().any(|finding| finding.severity == Severity::Error)
}

/// The frame and those of the rules that the checker has nothing against.
fn sheet(numbers: &[u8], count: usize) -> String {
    let mut from = Numbers(numbers.iter());
    let mut sheet = FRAME.to_string();
    for _ in 0..count {
        let rule = rule(&mut from);
        if !errors(&format!("{FRAME}{rule}")) {
            sheet.push_str(&rule);
            sheet.push('\n');
        }
    }
    sheet
}

fn check(sheet: &str, choices: &[u8]) {
    let strata: Vec<Vec<&str>> =
        STRATA.iter().map(|names| names.iter().map(|(name, _)| *name).collect()).collect();
    let mut strata: Vec<&[&str]> = strata.iter().map(Vec::as_slice).collect();
    strata.insert(0, &["role", "init"]);
    let terms: Vec<&str> = TERMS.iter().copied().chain(["one", "two", "stop"]).collect();
    let naive = Naive::new(sheet, &terms, &strata);
    let (rules, _) = propnet::gdl::parse(Source::from_text("s", sheet));
    let mut game = Reasoner::new(&rules);
    let mut state = game.initial_state().expect("a state");
    let mut choices = Numbers(choices.iter());
    for _ in 0..4 {
        let sentences = game.sentences(&state).expect("sentences");
        let given: Facts = sentences.iter().map(|text| format!("(true {text})")).collect();
        let facts = naive.model(&given);
        let terminal = game.is_terminal(&state).expect("an answer");
        assert_eq!(terminal, facts.contains("terminal"), "terminal in {sentences:?} of\n{sheet}");
        let mut joint = Vec::new();
        for role in 0..2 {
            let name = ["one ", "two "][role];
            let own = |word| of(&facts, word).into_iter().filter_map(|f| f.strip_prefix(name));
            let legal: Vec<&str> = own("legal").collect();
            let moves = game.legal_moves(&state, role).expect("moves");
            let mut texts: Vec<String> =
                moves.iter().map(|chosen| game.move_text(role, chosen).expect("a text")).collect();
            texts.sort();
            assert_eq!(texts, legal, "legal moves of {name}in {sentences:?} of\n{sheet}");
            let goals = own("goal").count();
            match game.goal(&state, role) {
                Ok(value) => assert_eq!(own("goal").collect::<Vec<_>>(), [value.to_string()]),
                Err(_) => assert_ne!(goals, 1, "goal of {name}in {sentences:?} of\n{sheet}"),
            }
            joint.push(legal[choices.below(legal.len())].to_string());
        }
        let does =
            joint.iter().zip(["one", "two"]).map(|(text, role)| format!("(does {role} {text})"));
        let with_moves = naive.model(&given.iter().cloned().chain(does).collect());
        let moves: Vec<Move> = joint
            .iter()
            .enumerate()
            .map(|(role, text)| game.move_of(role, text).expect("a move"))
            .collect();
        state = game.next_state(&state, &moves).expect("a state");
        assert_eq!(
            game.sentences(&state).expect("sentences"),
            of(&with_moves, "next"),
            "after {joint:?} in\n{sheet}"
        );
    }
}

#[test]
fn reasoner_and_naive_evaluator_agree() {
    let config =
        ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = proptest::test_runner::TestRunner::new_with_rng(config, rng);
    let numbers = prop::collection::vec(any::<u8>(), 200..600);
    let choices = prop::collection::vec(any::<u8>(), 8);
    let outcome = runner.run(&(numbers, 3..14usize, choices), |(numbers, count, choices)| {
        check(&sheet(&numbers, count), &choices);
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}
