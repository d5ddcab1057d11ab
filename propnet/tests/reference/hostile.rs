//! Sheets made to hurt: an answer or an error comes back, and soon.

use std::fmt::Write;
use std::time::{Duration, Instant};

use propnet::game::Game;
use propnet::gdl::Source;
use propnet::reference::{ReasonerLimits, load};

use super::support::{game, joint, unchecked};

const FRAME: &str = "(role r) (init (s 1)) (legal r go) (goal r 1) (<= terminal (true (s 2)))\n";

/// Asks everything about the first two states of a sheet. Returns what is true in the second.
fn play(sheet: &str) -> Vec<String> {
    let start = Instant::now();
    let mut game = game(sheet);
    let initial = game.initial_state().expect("a state");
    game.is_terminal(&initial).expect("an answer");
    game.goal(&initial, 0).expect("an answer");
    let go = joint(&mut game, "go");
    let next = game.next_state(&initial, &go).expect("a state");
    game.legal_moves(&next, 0).expect("moves");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    game.sentences(&next).expect("sentences")
}

fn lines(count: usize, mut line: impl FnMut(usize) -> String) -> String {
    (0..count).fold(FRAME.to_string(), |mut text, at| {
        writeln!(text, "{}", line(at)).expect("room");
        text
    })
}

#[test]
fn megabytes_of_facts() {
    let facts = lines(250_000, |at| format!("(edge node{at} node{})", at + 1));
    assert!(facts.len() > 7_000_000);
    let rules = "(<= (next ?z) (edge node7 ?y) (edge ?y ?z))";
    assert_eq!(play(&format!("{facts}{rules}")), ["node9"]);
}

#[test]
fn many_rules_for_one_relation() {
    let rules =
        lines(50_000, |at| format!("(n {at}) (<= (p ?x {at}) (n ?x) (n {at}) (q ?x {at}))"));
    let last = "(q 7 9) (<= (next ?x) (p ?x 9))";
    assert_eq!(play(&format!("{rules}{last}")), ["7"]);
}

#[test]
fn many_rules_that_read_a_large_relation() {
    let rules = lines(20_000, |at| format!("(big {at} {at}) (<= (p {at} ?x) (big ?x {at}))"));
    assert_eq!(play(&format!("{rules}(<= (next ?x) (p 9 ?x))")), ["9"]);
}

#[test]
fn a_long_chain_of_relations() {
    let rules = lines(100_000, |at| format!("(<= (p{at} ?x) (p{} ?x))", at + 1));
    assert_eq!(play(&format!("{rules}(p100000 1) (<= (next ?x) (p0 ?x))")), ["1"]);
}

/// All of them in one component, and one new row at a time.
#[test]
fn a_long_ring_of_relations() {
    let rules = lines(50_000, |at| format!("(<= (p{at} ?x) (p{} ?x))", at + 1));
    let closed = "(<= (p50000 ?x) (p0 ?x)) (<= (p50000 1) (true (s 1))) (<= (next ?x) (p0 ?x))";
    assert_eq!(play(&format!("{rules}{closed}")), ["1"]);
}

/// Each relation is too wide to be computed, and asks the next; not all at once, or the stack
/// would not do.
#[test]
fn a_long_chain_of_wide_relations() {
    let rules = lines(200, |at| format!("(<= (p{at} ?x ?y) (p{} ?x ?y))", at + 1));
    let facts: String = (0..145).map(|at| format!("(n {at})")).collect();
    let wide = "(<= (p200 ?x ?y) (n ?x) (n ?y)) (<= (next (s 1)) (p0 7 8))";
    let sheet = format!("{rules}{facts}{wide}");
    let thread = std::thread::Builder::new().stack_size(200 << 10);
    let thread = thread.spawn(move || play(&sheet)).expect("a thread");
    assert_eq!(thread.join().expect("an answer"), ["(s 1)"]);
}

#[test]
fn a_rule_at_all_limits() {
    let mut rule = String::from("(<= (next (s 3)) (n ?x0)");
    for at in 1..250 {
        write!(rule, " (e ?x{} ?x{at})", at - 1).expect("room");
    }
    for at in 0..3_200 {
        let (x, y) = (at % 250, at % 50);
        write!(rule, " (or (n ?x{x}) (not (e ?x{y} ?x1))) (distinct ?x{x} z)").expect("room");
    }
    rule.push(')');
    let parts = ["(n ", "(e ", "(distinct "].map(|part| rule.matches(part).count());
    assert!((9_500..=10_000).contains(&parts.iter().sum::<usize>()), "{parts:?}");
    assert_eq!(play(&format!("{FRAME}(n a) (n b) (e a b) (e b a) {rule}")), ["(s 3)"]);
}

/// Choices that only test do not multiply.
#[test]
fn many_choices_in_a_row() {
    let tests = "(or (p a) (p b))".repeat(60);
    let local = "(or (p ?x) (q ?x))".replace("?x", "?y");
    let rule = format!("(<= (next ?x) {tests} {local} (n ?x))");
    assert_eq!(play(&format!("{FRAME}(p a) (p b) (q a) (n 1) (n 2) {rule}")), ["1", "2"]);
}

/// Every arm leaves open what the others need, so there is no end of cases.
#[test]
fn choices_too_entangled_to_plan() {
    let choices: String =
        (0..40).map(|at| format!("(or (p ?x{at}) (p ?x{}))", (at + 1) % 40)).collect();
    let mut game = game(&format!("{FRAME}(p a) (<= (goal r 2) {choices})"));
    let initial = game.initial_state().expect("a state");
    let error = game.goal(&initial, 0).expect_err("an error").to_string();
    assert!(error.ends_with("exceeded the limit of 3000000 steps in the plan"), "{error}");
    assert_eq!(game.is_terminal(&initial), Ok(false));
}

#[test]
fn deep_and_broad_terms() {
    let broad = format!("(g{} ?x)", " (h a b c d e f g h)".repeat(900));
    let deep = format!("{}{broad}{}", "(f ".repeat(490), ")".repeat(490));
    let rules = format!("(n 1) (<= (p {deep}) (n ?x)) (<= (next ?x) (p {deep}))");
    assert_eq!(play(&format!("{FRAME}{rules}")), ["1"]);
}

#[test]
fn many_kinds_of_fluents() {
    let rules =
        lines(8_000, |at| format!("(init (f{at} 1)) (<= (next (f{at} ?x)) (true (f{at} ?x)))"));
    assert_eq!(play(&rules).len(), 8_000);
}

#[test]
fn many_roles() {
    let mut text = String::from(
        "(init a) (<= terminal (true b)) (<= (legal ?r go) (role ?r)) (<= (goal ?r 1) (role ?r))",
    );
    for at in 0..20_000 {
        write!(text, "(role r{at})").expect("room");
    }
    text.push_str("(<= (next (did ?r)) (does ?r go))");
    let start = Instant::now();
    let mut game = game(&text);
    let initial = game.initial_state().expect("a state");
    let mut rng = <rand_pcg::Pcg64Mcg as rand::SeedableRng>::seed_from_u64(1);
    let moves = game.complete_joint_move(&initial, &[], &mut rng).expect("moves");
    assert_eq!(game.next_state(&initial, &moves).map(|next| next.len()), Ok(20_000));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

/// A chain of negations within one relation takes a round for each link.
#[test]
fn a_long_chain_of_negations() {
    let chain = |count| lines(count, |at| format!("(<= (p {at}) (not (p {})))", at + 1));
    let rules = format!("{}(<= (next ?x) (p ?x) (few ?x)) (few 1) (few 2) (few 3)", chain(500));
    assert_eq!(play(&rules), ["1", "3"]);
    let rules = format!("{}(<= (goal r 2) (p 0))", chain(100_000));
    let mut game =
        unchecked(&rules, ReasonerLimits { work: 30_000_000, ..ReasonerLimits::default() });
    let initial = game.initial_state().expect("a state");
    let error = game.goal(&initial, 0).expect_err("an error").to_string();
    assert!(error.ends_with("exceeded the limit of 30000000 steps"), "{error}");
}

#[test]
fn many_cycles_through_negation() {
    let start = Instant::now();
    let rules = lines(20_000, |at| format!("(<= (p{at} ?x) (true (s ?x)) (not (p{at} ?x)))"));
    let error = load(Source::from_text("s", &rules)).expect_err("cycles");
    assert_eq!(error.findings().iter().filter(|found| found.code == "unstratified").count(), 101);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

/// Each suspect alone could take all the work that judging may take.
#[test]
fn many_large_cycles_through_negation() {
    let start = Instant::now();
    let numbers: String = (0..120).map(|at| format!("(n {at})")).collect();
    let rules = lines(300, |at| {
        format!("(<= (p{at} ?x ?y ?z) (n ?x) (n ?y) (n ?z) (true (s ?x)) (not (p{at} ?y ?z ?x)))")
    });
    let sheet = format!("{rules}{numbers}(<= (next (s ?x)) (n ?x))");
    assert!(load(Source::from_text("s", &sheet)).is_ok());
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}
