//! Sheets from strangers: whatever comes, an answer comes back, and soon.

use std::fmt::Write;

use propnet::gdl::check::{examine, negative_cycles};
use propnet::gdl::{MAX_DEPTH, Severity, Source, print_rules};
use proptest::prelude::*;

use crate::common::spoil::{PIECES, edits, spoil, survive};

fn codes(text: &str) -> Vec<&'static str> {
    let mut codes: Vec<_> = survive(text.as_bytes()).iter().map(|finding| finding.code).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// What every sheet needs, so that other complaints stand out.
const FRAME: &str = "(role a) (init (s 1)) (legal a m) (goal a 100) (<= terminal (true (s 2)))\n";

#[test]
fn a_million_parentheses() {
    assert_eq!(codes(&"(".repeat(1_000_000)), ["too-deep"]);
    let findings = survive(")".repeat(1_000_000).as_bytes());
    assert_eq!(findings.len(), 101);
    assert!(findings.iter().any(|finding| finding.message == "... and 999900 more of this kind"));
    assert!(!codes(&"()".repeat(1_000_000)).is_empty());
}

#[test]
fn a_symbol_of_ten_megabytes() {
    let symbol = "x".repeat(10_000_000);
    assert_eq!(codes(&format!("{FRAME}({symbol} a)")), ["unused"]);
    assert_eq!(codes(&format!("{FRAME}(<= ?{symbol} a)")), ["bad-sentence"]);
    assert_eq!(codes(&format!("{FRAME}(next ?{symbol})")), ["unsafe-variable"]);
}

#[test]
fn ten_megabytes_of_facts() {
    let mut text = FRAME.to_string();
    let mut count = 0;
    while text.len() < 10_000_000 {
        writeln!(text, "(edge {count} {} c)", count + 1).expect("room");
        count += 1;
    }
    assert_eq!(codes(&text), ["unused"]);
}

#[test]
fn ten_megabytes_of_mistakes_on_one_line() {
    let mut text = FRAME.to_string();
    let mut count = 0;
    while text.len() < 10_000_000 {
        write!(text, "(<= (p{count} ?x) (not (q ?x ?y)) (true)) (next ?x) ").expect("room");
        count += 1;
    }
    let found = codes(&text);
    assert!(found.contains(&"unsafe-variable") && found.contains(&"word-arity"), "{found:?}");
}

#[test]
fn more_than_the_largest_sheet() {
    assert_eq!(codes(&" ".repeat(Source::MAX_BYTES + 1)), ["too-large"]);
}

#[test]
fn a_rule_of_many_literals() {
    let mut text = format!("{FRAME}(<= (next a)");
    for at in 0..200_000 {
        write!(text, " (true (p ?x{at})) (not (true (q ?x{}))) (distinct ?x{at} b)", at / 2)
            .expect("room");
    }
    text.push(')');
    assert_eq!(codes(&text), ["too-complex"]);
}

#[test]
fn an_or_of_many_arms() {
    let mut text = format!("{FRAME}(<= (next ?x) (or");
    for at in 0..200_000 {
        write!(text, " (true (p ?x {at}))").expect("room");
    }
    text.push_str("))");
    assert_eq!(codes(&text), ["too-complex"]);
}

#[test]
fn a_sentence_of_many_arguments() {
    let text = format!("{FRAME}(init (f{}))", " a".repeat(70_000));
    assert_eq!(codes(&text), ["too-complex"]);
}

#[test]
fn a_chain_of_relations() {
    let mut text = FRAME.to_string();
    for at in 0..300_000 {
        writeln!(text, "(<= (p{at} ?x) (p{} ?x))", at + 1).expect("room");
    }
    let found = codes(&format!("{text}(p300000 1) (<= (next ?x) (p0 ?x))"));
    assert_eq!(found, [""; 0]);
    // Closed to a ring through `not`, the whole chain is suspect.
    let ring = format!("{text}(<= (p300000 ?x) (p1 ?x) (not (p0 ?x)))");
    let (rules, _) = examine(Source::from_text("s", &ring));
    let suspects = negative_cycles(&rules);
    assert_eq!(suspects.len(), 1);
    assert_eq!(suspects[0].rules.len(), 300_001);
}

#[test]
fn many_rules_of_one_relation() {
    // Within the limits each atom is compared with all heads; beyond, none is.
    for count in [3_000, 100_000] {
        let mut text = FRAME.to_string();
        for at in 0..count {
            writeln!(text, "(<= (p ?x {at}) (true ?x) (true ?y) (not (p ?y {})))", at + 1)
                .expect("room");
        }
        survive(text.as_bytes());
    }
}

#[test]
fn many_groups_of_rules() {
    let mut text = FRAME.to_string();
    for at in 0..60_000 {
        let group = at / 1_000;
        writeln!(
            text,
            "(<= (p{group} ?x {at} (f ?x ?y)) (e ?x ?y ?z) (not (p{group} ?z ?x (f ?y b))))"
        )
        .expect("room");
    }
    survive(text.as_bytes());
}

#[test]
fn deep_nesting_at_the_limit() {
    let depth = MAX_DEPTH - 2;
    let term = format!("{FRAME}(next {}?x{})", "(f ".repeat(depth), ")".repeat(depth));
    assert_eq!(codes(&term), ["unsafe-variable"]);
    let nots = format!("{FRAME}(<= (next a) {}{})", "(not ".repeat(depth), ")".repeat(depth));
    assert_eq!(codes(&nots), ["bad-literal"]);
    // Alternating connectives, with everything that has variables at the bottom.
    let pairs = (depth - 2) / 2;
    let mut text = format!("{FRAME}(<= (next a) {}", "(or (not ".repeat(pairs));
    text.push_str("(and");
    for at in 0..200_000 {
        write!(text, " (true ?x{at}) (distinct ?y{at} a)").expect("room");
    }
    write!(text, ") {})", "))".repeat(pairs)).expect("room");
    assert!(codes(&text).contains(&"unsafe-variable"));
}

#[test]
fn terms_that_stand_for_huge_ones() {
    let variables: String = (0..200).map(|at| format!(" ?x{}", at + 1)).collect();
    let pairs: String = (0..200).map(|at| format!(" (f ?x{at} ?x{at})")).collect();
    survive(
        format!("(<= (p{variables}{variables}) (q{variables}) (not (p{pairs}{pairs})))").as_bytes(),
    );
}

/// Small sheets of our own, to be spoiled.
const SHEETS: [&str; 3] = [
    "(role you) (role me) (init (cell 1 b)) (init (control you)) (succ 1 2)
     (<= (legal ?r (mark ?x)) (true (control ?r)) (true (cell ?x b)))
     (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
     (<= (next (cell ?x ?r)) (does ?r (mark ?x)))
     (<= (next (cell ?x ?y)) (true (cell ?x ?y)) (or (distinct ?y b) (not (touched ?x))))
     (<= (touched ?x) (does ?r (mark ?x)))
     (<= terminal (not open)) (<= open (true (cell ?x b)))
     (<= (goal ?r 100) (line ?r)) (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))
     (<= (line ?r) (true (cell ?x ?r)) (true (cell ?y ?r)) (path ?x ?y))
     (<= (path ?x ?y) (succ ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (succ ?y ?z))",
    "; comments ) ( and \"quotes\"\r\n(ROLE a)\r(base (s ?x)) (input a go) (<= (terminal) (and p (not q)))",
    "(<= (p ?x) (not (p ?y)) (q ?x ?y)) (<= (q ?x ?x) (or (p ?x) (not (or (p ?x) (q ?x b)))))",
];

#[test]
fn dependences_that_are_too_many_to_follow_are_no_errors() {
    let mut sheet =
        String::from("(role r) (init on) (legal r rest) (<= terminal (true on)) (goal r 0)");
    for at in 0..4_000 {
        // Each condition is about another constant than every conclusion.
        let _ = write!(sheet, "(<= (legal r (m {at})) (p c{at})) (<= (p d{at}) (does r rest))");
    }
    let findings = survive(sheet.as_bytes());
    let dependences = findings.iter().filter(|finding| finding.code == "dependence");
    assert!(dependences.clone().count() > 0);
    assert!(dependences.into_iter().all(|finding| finding.severity == Severity::Warning));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        survive(&bytes);
    }

    #[test]
    fn random_pieces(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..300)) {
        survive(pieces.concat().as_bytes());
    }

    #[test]
    fn spoiled_sheets(which in 0..SHEETS.len(), edits in edits()) {
        survive(&spoil(SHEETS[which].as_bytes(), &edits));
    }

    /// What was read can be printed and read again.
    #[test]
    fn spoiled_sheets_print(which in 0..SHEETS.len(), edits in edits()) {
        let bytes = spoil(SHEETS[which].as_bytes(), &edits);
        let (rules, findings) = propnet::gdl::parse(Source::from_bytes("s", &bytes));
        if findings.is_empty() {
            let (again, findings) = propnet::gdl::parse(Source::from_text("s", &print_rules(&rules)));
            prop_assert!(findings.is_empty());
            prop_assert_eq!(again.rules, rules.rules);
        }
    }
}
