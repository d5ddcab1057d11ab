//! What a single rule means: the order of literals, connectives, terms.

use super::support::check;

#[test]
fn literals_stand_in_any_order() {
    let facts = "(p a) (p b) (p c) (q b c) (q c c)";
    for body in [
        "(p ?x) (q ?x ?y) (distinct ?x ?y) (not (p ?z)) (z ?z)",
        "(distinct ?x ?y) (not (p ?z)) (q ?x ?y) (z ?z) (p ?x)",
        "(not (p ?z)) (z ?z) (distinct ?x ?y) (p ?x) (q ?x ?y)",
    ] {
        check(&format!("{facts} (z d) (<= (show (f ?x ?y ?z)) {body})"), "(f b c d)");
    }
}

#[test]
fn tests_wait_for_their_variables() {
    check("(p a) (p b) (q b) (<= (show ?x) (not (q ?x)) (p ?x))", "a");
    check("(p a) (p b) (<= (show ?x) (distinct ?x a) (p ?x))", "b");
    check("(p a) (p b) (<= (show (f ?x ?y)) (distinct ?x ?y) (p ?x) (p ?y))", "(f a b) (f b a)");
    check("(p a) (p b) (<= (show ?x) (distinct (f ?x) (f a)) (p ?x))", "b");
    check("(p a) (p (f a)) (q a) (<= (show ?x) (distinct ?x (f ?y)) (p ?x) (q ?y))", "a");
}

#[test]
fn repeated_variables_must_agree() {
    check("(q a b) (q c c) (<= (show ?x) (q ?x ?x))", "c");
    check("(q (f a b) a) (q (f c c) c) (<= (show ?x) (q (f ?x ?x) ?x))", "c");
    check("(q (f a) a) (q (f b) a) (<= (show ?x) (q (f ?x) ?x))", "a");
}

#[test]
fn an_or_holds_where_an_arm_does() {
    let facts = "(p a) (q b) (r c) (n a) (n b) (n c) (n d)";
    check(&format!("{facts} (<= (show ?x) (or (p ?x) (q ?x)))"), "a b");
    check(&format!("{facts} (<= (show ?x) (or (p ?x)))"), "a");
    check(&format!("{facts} (<= (show ?x) (n ?x) (or (p ?x) (or (q ?x) (r ?x))))"), "a b c");
    check(&format!("{facts} (<= (show ?x) (n ?x) (or (not (p ?x)) (distinct ?x a)))"), "b c d");
    check(&format!("{facts} (<= (show ?x) (or (and (n ?x) (not (p ?x))) (p ?x)))"), "a b c d");
    check(&format!("{facts} (<= (show yes) (or (p z) (q b)))"), "yes");
    check(&format!("{facts} (<= (show yes) (or (p z) (q z)))"), "");
}

#[test]
fn an_and_is_a_conjunction() {
    check("(p a) (p b) (q b) (<= (show ?x) (and (p ?x) (q ?x)))", "b");
    check("(p a) (p b) (q b) (<= (show ?x) (and (not (q ?x)) (and (p ?x))))", "a");
}

#[test]
fn not_reaches_through_connectives() {
    let facts = "(n a) (n b) (n c) (n d) (p a) (p b) (q b) (q c)";
    for (body, expected) in [
        ("(not (or (p ?x) (q ?x)))", "d"),
        ("(not (and (p ?x) (q ?x)))", "a c d"),
        ("(not (not (p ?x)))", "a b"),
        ("(not (distinct ?x b))", "b"),
        ("(not (or (p ?x) (not (q ?x))))", "c"),
        ("(not (and (p ?x) (not (q ?x))))", "b c d"),
        ("(not (or (not (p ?x)) (not (q ?x))))", "b"),
        ("(not (and (or (p ?x) (distinct ?x d)) (not (distinct ?x c))))", "a b d"),
    ] {
        check(&format!("{facts} (<= (show ?x) (n ?x) {body})"), expected);
        check(&format!("{facts} (<= (show ?x) {body} (n ?x))"), expected);
    }
}

/// `not (not l)` and `not (distinct a b)` are positive, so they may bind and compare.
#[test]
fn double_negation_binds() {
    check("(p a) (p b) (<= (show ?x) (not (not (p ?x))))", "a b");
    check("(p a) (p b) (<= (show ?x) (not (distinct ?x b)) (p ?x))", "b");
}

#[test]
fn a_variable_may_be_bound_in_some_arms_only() {
    let facts = "(p a) (p b) (q b) (r c) (s a) (t b)";
    // Local to an arm.
    check(&format!("{facts} (<= (show yes) (or (and (p ?x) (q ?x)) (r z)))"), "yes");
    check(&format!("{facts} (<= (show yes) (or (and (p ?x) (r ?x)) (r z)))"), "");
    // Shared with a literal outside, which binds it where the arm does not.
    check(&format!("{facts} (<= (show ?x) (p ?x) (or (q ?x) (r c)))"), "a b");
    check(&format!("{facts} (<= (show ?x) (or (q ?x) (r z)) (p ?x))"), "b");
    // Two choices that share it, neither of which always binds it.
    check(&format!("{facts} (<= (show yes) (or (p ?x) (r z)) (or (q ?x) (r z)))"), "yes");
    check(&format!("{facts} (<= (show yes) (or (p ?x) (r z)) (or (r ?x) (r z)))"), "");
    check(&format!("{facts} (<= (show yes) (or (p ?x) (r c)) (or (r ?x) (r z)))"), "yes");
    check(
        &format!("{facts} (<= (show yes) (or (s ?x) (q z)) (or (t ?x) (q z)) (or (p z) (p ?x)))"),
        "",
    );
}

/// Each choice binds one variable in one arm and the other in the other.
#[test]
fn entangled_choices_are_distributed() {
    let facts = "(p a) (q b) (e a a) (e a b) (e b c) (u a c) (v c)";
    let crossed = "(or (p ?x) (q ?y)) (or (q ?x) (p ?y))";
    check(&format!("{facts} (<= (show yes) {crossed})"), "yes");
    check(&format!("{facts} (<= (show (f ?x ?y)) {crossed} (e ?x ?y))"), "(f a a)");
    // (p ?x) with (v ?z), or (u ?x ?z) with whatever of p and v.
    let shared = "(or (p ?x) (v ?z)) (or (and (e ?x ?z) (v ?z)) (u ?x ?z))";
    check(&format!("{facts} (<= (show (f ?x ?z)) {shared})"), "(f a c) (f b c)");
    let tested = "(or (p ?x) (q ?y)) (or (e ?x ?y) (e ?y ?x)) (not (u ?x ?y)) (distinct ?x ?y)";
    check(&format!("{facts} (<= (show (f ?x ?y)) {tested})"), "(f a b) (f c b)");
}

#[test]
fn choices_nest_deeply() {
    let mut body = String::from("(p ?x)");
    for _ in 0..60 {
        body = format!("(or (q ?x) (and (n ?x) {body}))");
    }
    check(&format!("(n a) (n b) (n c) (p a) (q b) (p d) (<= (show ?x) {body})"), "a b");
    let mut body = String::from("(p ?x)");
    for _ in 0..80 {
        body = format!("(not (or (q ?x) (not (and (n ?x) {body}))))");
    }
    check(&format!("(n a) (n b) (p a) (p b) (q b) (<= (show ?x) (n ?x) {body})"), "a");
}

#[test]
fn terms_nest() {
    let facts = "(p (f a (g b c))) (p (f a b)) (p (h a)) (p a)";
    check(&format!("{facts} (<= (show ?x) (p (f a ?x)))"), "(g b c) b");
    check(&format!("{facts} (<= (show ?y) (p (f ?x (g ?y c))))"), "b");
    check(&format!("{facts} (<= (show (k ?x (k ?x))) (p (h ?x)))"), "(k a (k a))");
    check(&format!("{facts} (q b) (<= (show ?x) (q ?x) (p (f a ?x)))"), "b");
    check(&format!("{facts} (q a) (<= (show ?x) (q ?x) (not (p (h ?x))))"), "");
    check(&format!("{facts} (q b) (<= (show ?x) (q ?x) (not (p (h ?x))))"), "b");
    // The same function with another number of arguments is another function.
    check("(p (f a)) (p (f a b)) (<= (show ?x) (p (f ?x)))", "a");
}

#[test]
fn the_truth_of_a_variable_can_be_asked() {
    let sheet = "(init (cell 1 x)) (init (cell 2 o)) (init step)";
    check(&format!("{sheet} (<= (show ?f) (true ?f))"), "(cell 1 x) (cell 2 o) step");
    check(&format!("{sheet} (<= (show ?f) (n ?f) (true ?f)) (n step) (n other)"), "step");
    check(&format!("{sheet} (<= (show ?f) (n ?f) (not (true ?f))) (n step) (n other)"), "other");
    check(&format!("{sheet} (<= (show ?v) (true (cell ?i ?v)) (distinct ?i 1))"), "o");
}

#[test]
fn numbers_are_symbols() {
    check("(p 1) (p 01) (p 1.0) (<= (show ?x) (p ?x) (distinct ?x 1))", "01 1.0");
    check("(p 01) (<= (show yes) (p 1))", "");
}

#[test]
fn case_is_ignored() {
    check("(P Aa) (<= (Show ?X) (p ?x) (NOT (q ?X)) (DISTINCT ?x b)) (q c)", "aa");
}

#[test]
fn a_name_in_parentheses_is_the_name() {
    check("(p (a)) (<= (show ?x) (p ?x) (q)) q", "a");
}

#[test]
fn rules_may_be_given_twice_and_without_body() {
    check("(p a) (p a) (<= (p b)) (<= (show ?x) (p ?x)) (<= (show ?y) (p ?y))", "a b");
}

#[test]
fn a_relation_has_facts_and_rules() {
    check("(p a) (<= (p ?x) (q ?x)) (q b) (p c) (<= (show ?x) (p ?x))", "a b c");
    check("(<= (show ?x) (never ?x)) (<= (show yes) (not (never yes)))", "yes");
}
