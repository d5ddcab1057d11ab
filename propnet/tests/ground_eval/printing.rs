//! Ground rules as text.

use propnet::gdl::Source;
use propnet::ground::{GroundAtom, GroundLiteral, RuleTable, print_ground};
use propnet::reference::load;

use super::ROW;
use super::agree::agree;
use super::build::build;

/// `expected` has the lines in order.
fn check(text: &str, expected: &[&str]) {
    let printed = print_ground(&build(text));
    assert_eq!(printed.lines().collect::<Vec<_>>(), expected, "of {text}");
}

#[test]
fn a_rule_a_line_in_the_spelling_of_the_sheet() {
    check(
        "(role Me) (<= TERMINAL (HELP A) (not (true (Cell 1 (f B)))))
         (<= (help a) (true (cell 1 (F b)))) (init (cell 1 (f b))) (<= (help a) Stop)
         (<= stop (true p)) (legal ME Go) (<= (next p) (does me go) (help a)) (goal me 07)",
        &[
            "(role Me)",
            "(init (Cell 1 (f B)))",
            "(legal Me Go)",
            "(<= (next p) (does Me Go) (HELP A))",
            "(goal Me 07)",
            "(<= terminal (HELP A) (not (true (Cell 1 (f B)))))",
            "(<= (HELP A) (true (Cell 1 (f B))))",
            "(<= (HELP A) Stop)",
            "(<= Stop (true p))",
        ],
    );
}

/// `dead` has no rule, `gone` only one that needs it.
#[test]
fn conditions_that_nothing_concludes_are_decided() {
    let text = "(role r) (init p) (legal r a) (<= (legal r b) dead) (<= gone dead (true p))
        (<= (next p) gone) (<= (next p) (true p) (not gone)) (<= (goal r 5) (not dead))
        (<= terminal (not (true p)) (not (legal r b)))";
    check(
        text,
        &[
            "(role r)",
            "(init p)",
            "(legal r a)",
            "(<= (next p) (true p))",
            "(goal r 5)",
            "(<= terminal (not (true p)))",
        ],
    );
    agree(text, &build(text), 5);
}

#[test]
fn a_sheet_without_an_end_or_moves_can_still_be_read() {
    let text = "(role r) (role s) (init p) (legal r a) (<= (legal s b) dead) (<= terminal dead)
        (<= (next p) (true p)) (goal r 1) (goal s 2)";
    let printed = print_ground(&build(text));
    let lines: Vec<&str> = printed.lines().collect();
    assert!(lines.contains(&"(<= terminal (distinct r r))"), "{printed}");
    assert!(lines.contains(&"(<= (legal s b) (distinct r r))"), "{printed}");
    let printed = print_ground(&build("(role r) (init p)"));
    assert_eq!(
        printed,
        "(role r)\n(init p)\n(<= (legal r r) (distinct r r))\n(<= terminal (distinct r r))\n"
    );
    load(Source::from_text("printed", &printed)).expect("a sheet that can be played");
    agree(text, &build(text), 3);
}

#[test]
fn what_is_printed_passes_the_checks() {
    let printed = print_ground(&build(ROW));
    load(Source::from_text("printed", &printed)).expect("a sheet that can be played");
}

/// A helper by the name of a word of the language gets a name that is free.
#[test]
fn helpers_are_never_words_of_the_language() {
    let text = "(role r) (init p) (init helper_) (legal r a) (<= (base p) (true p))
        (<= (input r a) (base p) (not (sees r p))) (<= (sees r p) (true base_helper))
        (<= (next p) (input r a)) (<= random (true p)) (<= (goal r 1) random) (<= terminal (not (true p)))";
    check(
        text,
        &[
            "(role r)",
            "(init p)",
            "(init helper_)",
            "(legal r a)",
            "(<= (next p) (input_helper r a))",
            "(<= (goal r 1) random)",
            "(<= terminal (not (true p)))",
            "(<= (base_helper_ p) (true p))",
            "(<= (input_helper r a) (base_helper_ p) (not (sees_helper r p)))",
            "(<= (sees_helper r p) (true base_helper))",
            "(<= random (true p))",
        ],
    );
}

/// A rule that copies a fluent's `next` into a body, as real sheets do.
#[test]
fn answers_may_stand_in_bodies() {
    let text = "(role r) (init p) (legal r a) (<= (legal r b) (true p) (legal r a))
        (<= (next q) (next p)) (<= (next p) (does r b)) (<= (goal r 1) terminal)
        (<= (goal r 0) (not (goal r 1))) (<= terminal (not (true p)) (not (true q)))";
    agree(text, &build(text), 10);
}

/// Atoms that no rule mentions, as a later pass may leave them, change nothing.
#[test]
fn atoms_without_rules_are_no_lines() {
    let text = "(role r) (init p) (legal r a) (goal r 1) (<= terminal (true p))";
    let mut ground = build(text);
    ground.atoms.push(GroundAtom::Next(0));
    let stray = ground.atoms.len() as u32 - 1;
    assert_eq!(print_ground(&ground), print_ground(&build(text)));
    agree(text, &ground, 2);
    // The same when a rule asks for one and must not find it.
    let mut table = RuleTable::default();
    for rule in 0..ground.rules.len() {
        let body = [ground.rules.body(rule), &[GroundLiteral::new(stray, true)]].concat();
        table.push(ground.rules.head(rule), &body, ground.rules.origin(rule));
    }
    ground.rules = table;
    assert_eq!(print_ground(&ground), print_ground(&build(text)));
    agree(text, &ground, 2);
}
