//! The language, feature by feature: a text, and the rules it is read as.

use propnet::gdl::check::examine;
use propnet::gdl::{Rules, Source, parse, parse_ground_term, print_rules};

/// Reads a text that is in order; printing and reading again must give the same rules.
fn read(bytes: &[u8]) -> Rules {
    let (rules, findings) = parse(Source::from_bytes("s", bytes));
    let shown: String = findings.iter().map(|finding| finding.render(&rules.source)).collect();
    assert!(findings.is_empty(), "{shown}");
    let (again, _) = parse(Source::from_text("s", &print_rules(&rules)));
    assert_eq!(again.rules, rules.rules, "printing and reading changes the rules");
    rules
}

fn check(text: &str, expected: &str) {
    check_bytes(text.as_bytes(), expected);
}

/// `expected` has a rule a line, literals joined by blanks.
fn check_bytes(bytes: &[u8], expected: &str) {
    let printed = print_rules(&read(bytes)).replace("\n    ", " ");
    assert_eq!(printed.trim_end(), expected, "{}", String::from_utf8_lossy(bytes));
}

/// Two texts that mean the same.
fn same(left: &str, right: &str) {
    assert_eq!(read(left.as_bytes()).rules, read(right.as_bytes()).rules, "{left} and {right}");
}

/// How often each code is found, as `code code ...` in the order of the findings.
fn codes(text: &str) -> String {
    let found = examine(Source::from_text("s", text)).1;
    found.iter().map(|finding| finding.code).collect::<Vec<_>>().join(" ")
}

#[test]
fn facts_and_rules() {
    check("(role white)(role black)", "(role white)\n(role black)");
    check("(<= (p ?x) (q ?x) (r ?x a))", "(<= (p ?x) (q ?x) (r ?x a))");
    check("(<= (succ 1 2))", "(succ 1 2)");
    check("(<= terminal)", "terminal");
    check("open", "open");
    check("", "");
}

#[test]
fn comments_reach_to_the_end_of_the_line() {
    check("; one\n(p a) ; two ) (\n;three", "(p a)");
    check("(p ; a b\n c)", "(p c)");
    check("(p a;b\n)", "(p a)");
    check(";; (q b)\r(p a)", "(p a)");
}

#[test]
fn case_is_ignored_and_the_first_spelling_kept() {
    check("(ROLE xPlayer) (init (Control XPLAYER))", "(role xPlayer)\n(init (Control xPlayer))");
    check(
        "(<= (p ?X) (Q ?x) (NOT (q ?X)) (DISTINCT ?x a))",
        "(<= (p ?X) (Q ?X) (not (Q ?X)) (distinct ?X a))",
    );
    same("(<= TERMINAL (OR p Q))", "(<= terminal (or P q))");
}

#[test]
fn parentheses_around_a_lone_name_change_nothing() {
    same("(<= (terminal) (true (done)))", "(<= terminal (true done))");
    same("(init (foo))", "(init foo)");
    same("(p (a) (f (b)))", "(p a (f b))");
}

#[test]
fn variables_are_names_with_a_question_mark() {
    check("(<= (p ?) (q ?))", "(<= (p ?) (q ?))");
    check("(<= (p ?x-1 ?+) (q ?x-1 ?+))", "(<= (p ?x-1 ?+) (q ?x-1 ?+))");
    check("(p x?)", "(p x?)");
}

#[test]
fn numbers_are_symbols() {
    check("(p 1 01 -1 1.0 1e3 +)", "(p 1 01 -1 1.0 1e3 +)");
    let rules = read(b"(p 1) (p 01)");
    assert_ne!(rules.rules[0], rules.rules[1]);
}

#[test]
fn connectives_nest() {
    let text = "(<= p (or q (not (or r (not s))) (and q (or r s))) (not (distinct a b)) (or q))";
    check(text, text);
    check("(<= p (not (not q)))", "(<= p (not (not q)))");
}

#[test]
fn the_words_of_the_language_are_names_in_terms() {
    check("(init (or a b)) (init (not)) (init true)", "(init (or a b))\n(init not)\n(init true)");
    check("(<= (p ?x) (true (distinct ?x ?x)))", "(<= (p ?x) (true (distinct ?x ?x)))");
}

#[test]
fn functions_nest() {
    check("(init (cell 1 (pos (x 2) y) b))", "(init (cell 1 (pos (x 2) y) b))");
}

#[test]
fn every_line_end_will_do() {
    for end in ["\n", "\r\n", "\r"] {
        let text = ["; a comment", "(role a)", "(<= (p ?x)", "\t(q ?x)) ; more", "(q 1)"].join(end);
        check(&text, "(role a)\n(<= (p ?x) (q ?x))\n(q 1)");
    }
}

#[test]
fn any_bytes_may_stand_in_comments() {
    check_bytes(b"\xEF\xBB\xBF(role a)", "(role a)");
    check_bytes("; Schöne Grüße → ☃\n(role a)".as_bytes(), "(role a)");
    check_bytes(b"; caf\xe9 \xff\xfe\x00\x01\n(role a) ; \x93quoted\x94", "(role a)");
    check_bytes(
        "(role größe) (p GRÖSSE größe GRÖẞE)".as_bytes(),
        "(role größe)\n(p GRÖSSE größe größe)",
    );
}

#[test]
fn places_are_right_whatever_the_line_ends_and_letters() {
    for (text, expected) in [
        ("(role a)\r\n(p ?x)", "2:4"),
        ("(role a)\r(p ?x)", "2:4"),
        ("(role a)\n\n  (p é ?x)", "3:8"),
        ("\u{feff}(p ?x)", "1:4"),
    ] {
        let (rules, findings) = examine(Source::from_text("s", text));
        let span = findings.iter().find(|finding| finding.code == "unsafe-variable");
        let place =
            rules.source.place(span.and_then(|finding| finding.span).expect("a place").start);
        assert_eq!(format!("{}:{}", place.line, place.column), expected, "{text:?}");
    }
}

#[test]
fn ground_terms_are_read_alone() {
    assert!(parse_ground_term(" (mark 1 (a)) ; done").is_some());
    for text in ["", "?x", "(mark ?x)", "a b", "(a", "a)", "()", "((a))"] {
        assert!(parse_ground_term(text).is_none(), "{text}");
    }
}

#[test]
fn what_cannot_be_read_is_left_out_and_the_rest_is_read() {
    let (rules, findings) = parse(Source::from_text("s", "(p a) () (q (?x)) (p b)) (r"));
    assert_eq!(print_rules(&rules), "(p a)\n(p b)\n");
    let codes: Vec<_> = findings.iter().map(|finding| finding.code).collect();
    assert_eq!(
        codes,
        ["bad-sentence", "bad-sentence", "surplus-parenthesis", "missing-parenthesis"]
    );
}

/// A sheet without complaint, to add single sentences to.
const GOOD: &str = "(role you) (init (step 1)) (<= (legal you go) (true (step 1))) \
    (<= (next (step 2)) (does you go)) (<= terminal (true (step 2))) (goal you 100) ";

#[test]
fn bodies_are_safe_in_any_order() {
    let safe = [
        "(<= (next ?x) (distinct ?x a) (not (true (q ?x))) (true ?x))",
        "(<= (next ?x) (or (true ?x) (does you ?x)))",
        "(<= (next ?x) (not (not (true ?x))))",
        "(<= (next ?x) (not (or (not (true ?x)) (true (q ?x)))))",
        "(<= (next (a ?x)) (or (not (true ?x)) (distinct ?x a)) (true (s ?x)))",
        "(<= (next ?x) (true (f (g ?x))))",
    ];
    for text in safe {
        assert_eq!(codes(&format!("{GOOD}{text}")), "", "{text}");
    }
}

#[test]
fn each_unsafe_variable_is_reported_once() {
    for (text, count) in [
        ("(<= (next ?x) (true a))", 1),
        ("(<= (next (p ?x ?x)) (not (true ?x)) (distinct ?x a))", 1),
        ("(<= (next (p ?x ?y)) (not (true ?x)) (distinct ?y ?z))", 3),
        ("(<= (next ?x) (or (true ?x) (true a)))", 1),
        ("(<= (next a) (or (true ?x) (true a)) (distinct ?x b))", 1),
        ("(<= (next a) (or (true ?x) (not (true (p ?x)))))", 1),
        ("(<= (next ?x) (not (distinct ?x a)))", 1),
        ("(next ?x)", 1),
    ] {
        assert_eq!(
            codes(&format!("{GOOD}{text}")),
            ["unsafe-variable"].repeat(count).join(" "),
            "{text}"
        );
    }
}

#[test]
fn findings_do_not_breed_others() {
    assert_eq!(codes(&format!("{GOOD}(<= (role ?r) (true (p ?r)))")), "bad-head");
    assert_eq!(codes(&format!("{GOOD}(<= (legal go) (true (p ?r)))")), "word-arity");
    assert_eq!(codes(&format!("{GOOD}(q 1) (<= (next a) (q 1 2))")), "arity-clash");
    assert_eq!(codes(&format!("{GOOD}(<= (next a) (p b)")), "missing-parenthesis");
}

#[test]
fn findings_are_the_same_each_time() {
    let text = "(<= (p ?a ?b ?c) (not (q ?d ?e ?f)) (distinct ?g ?h)) (r 1) (r 1) (<= r s)";
    let render = || -> String {
        let (rules, findings) = examine(Source::from_text("s", text));
        findings.iter().map(|finding| finding.render(&rules.source)).collect()
    };
    let first = render();
    assert!((0..20).all(|_| render() == first));
}
