//! Rules that depend on each other, with and without negation.

use propnet::gdl::Source;
use propnet::reference::load;

use super::support::check;

const GRAPH: &str = "(e a b) (e b c) (e c a) (e c d) (e x y)";
const FROM_A: &str = "(f a) (f b) (f c) (f d)";

#[test]
fn transitive_closure_of_a_cyclic_graph() {
    let show = "(<= (show (f ?y)) (path a ?y))";
    for rules in [
        "(<= (path ?x ?y) (e ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (e ?y ?z))",
        "(<= (path ?x ?y) (e ?x ?y)) (<= (path ?x ?z) (e ?x ?y) (path ?y ?z))",
        "(<= (path ?x ?y) (e ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))",
        "(<= (path ?x ?z) (or (e ?x ?z) (and (path ?x ?y) (e ?y ?z))))",
        "(<= (path ?x ?z) (or (and (e ?x ?y) (path ?y ?z)) (e ?x ?z)))",
        "(<= (path ?x ?z) (or (e ?x ?y) (path ?x ?y)) (or (same ?y ?z) (e ?y ?z) (path ?y ?z)))
         (<= (same ?x ?x) (or (e ?x ?y) (e ?y ?x)))",
        "(<= (path ?x ?z) (step ?x ?y) (or (path ?y ?z) (same ?y ?z))) (<= (step ?x ?y) (e ?x ?y))
         (<= (same ?y ?y) (e ?x ?y))",
    ] {
        check(&format!("{GRAPH} {rules} {show}"), FROM_A);
    }
}

#[test]
fn mutual_recursion() {
    check(
        "(s 0 1) (s 1 2) (s 2 3) (s 3 4) (even 0)
         (<= (even ?y) (s ?x ?y) (odd ?x)) (<= (odd ?y) (s ?x ?y) (even ?x))
         (<= (show (even ?x)) (even ?x)) (<= (show (odd ?x)) (odd ?x))",
        "(even 0) (even 2) (even 4) (odd 1) (odd 3)",
    );
    check(
        "(p1 a) (<= (p1 ?x) (p3 ?x)) (<= (p2 ?x) (p1 ?x)) (<= (p3 ?x) (p2 ?x)) (<= (p3 b) (p2 a))
         (<= (show ?x) (p2 ?x))",
        "a b",
    );
}

#[test]
fn recursion_that_never_starts() {
    check(
        "(<= (p ?x) (q ?x)) (<= (q ?x) (p ?x)) (<= (show no) (not (p a))) (<= (show ?x) (p ?x))",
        "no",
    );
}

#[test]
fn recursion_through_functions_ends_where_the_facts_do() {
    check(
        "(list (c 1 (c 2 (c 3 nil)))) (<= (tail ?l) (list ?l)) (<= (tail ?t) (tail (c ?h ?t)))
         (<= (show ?h) (tail (c ?h ?t)))",
        "1 2 3",
    );
    check(
        "(after 0 1) (after 1 2) (<= (num 0 zero)) (<= (num ?y (s ?t)) (num ?x ?t) (after ?x ?y))
         (<= (show ?t) (num ?x ?t))",
        "(s (s zero)) (s zero) zero",
    );
}

#[test]
fn negation_of_a_lower_recursion() {
    check(
        &format!(
            "{GRAPH} (<= (path ?x ?y) (e ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (e ?y ?z))
             (<= (node ?x) (or (e ?x ?y) (e ?y ?x)))
             (<= (show ?x) (node ?x) (not (path a ?x)))"
        ),
        "x y",
    );
}

#[test]
fn negation_stratified_by_argument() {
    check(
        "(v 1) (v 2) (v 3) (lt 1 2) (lt 2 3) (lt 1 3) (can 1) (can 2)
         (<= (best ?x) (can ?x) (not (beaten ?x))) (<= (beaten ?x) (lt ?x ?y) (best ?y))
         (<= (show ?x) (best ?x))",
        "2",
    );
    // Positions from which the player to move wins: those with a move to a lost one.
    check(
        "(edge a b) (edge b c) (edge c d) (edge a d) (edge e a)
         (<= (win ?x) (edge ?x ?y) (not (win ?y)))
         (<= (show ?x) (win ?x))",
        "a c",
    );
}

/// The arms of an `or` lead to different sentences, and only those that can hold count.
#[test]
fn negation_in_arms_that_cannot_hold() {
    check(
        "(n a) (n b) (end a) (s b a)
         (<= (p ?x) (n ?x) (or (end ?x) (and (s ?x ?x) (not (p ?x)))))
         (<= (show ?x) (p ?x))",
        "a",
    );
    check(
        "(n a) (n b) (n c) (end a) (s b a) (s c b)
         (<= (p ?x) (n ?x) (or (end ?x) (and (s ?x ?y) (not (p ?y)))))
         (<= (show ?x) (p ?x))",
        "a c",
    );
}

/// The codes of the errors of a sheet that cannot be loaded.
fn refused(rules: &str) -> String {
    let frame = "(role r) (legal r go) (<= terminal (true over)) (init (p a)) (goal r 0)";
    match load(Source::from_text("s", &format!("{frame}\n{rules}"))) {
        Ok(_) => String::new(),
        Err(error) => error.to_string().lines().next().unwrap_or_default().to_string(),
    }
}

#[test]
fn a_sentence_may_not_depend_on_its_own_negation() {
    let said = |sentence: &str| {
        format!("error[unstratified]: {sentence} depends on its own negation, so its truth is open")
    };
    let win = "(<= (win ?x) (edge ?x ?y) (not (win ?y)))";
    assert_eq!(refused(&format!("{win} (edge a b) (edge b a)")), said("(win a)"));
    assert_eq!(refused(&format!("{win} (edge a b) (edge b c)")), "");
    assert_eq!(refused("(<= loop (not loop))"), said("loop"));
    // Only in a state: what is true follows from init and next.
    assert_eq!(refused("(<= (q ?x) (true (p ?x)) (not (q ?x)))"), said("(q a)"));
    assert_eq!(refused("(<= (q ?x) (true (z ?x)) (not (q ?x)))"), "");
    assert_eq!(refused("(true (z b)) (<= (q ?x) (true (z ?x)) (not (q ?x)))"), said("(q b)"));
    // By what players do.
    assert_eq!(refused("(<= (q ?x) (does ?r ?x) (not (q ?x)))"), said("(q go)"));
}

/// What does not depend on the state is known exactly when others are judged.
#[test]
fn a_cycle_behind_a_negated_relation_with_negation_inside() {
    let rules = "(node a) (node b) (node c) (edge a b) (edge b c)
        (<= (win ?x) (edge ?x ?y) (not (win ?y))) (<= (good ?x) (win ?x))";
    let odd = "(<= (odd ?x) (edge ?x ?y) (not (good ?x)) (not (odd ?x)))";
    assert!(refused(&format!("{rules} {odd}")).contains("(odd a) depends on its own negation"));
    let fine = "(<= (odd ?x) (node ?x) (good ?x) (not (good ?x)) (not (odd ?x)))";
    assert_eq!(refused(&format!("{rules} {fine}")), "");
    // A sentence in the cycle that holds for other reasons does not break it.
    let own = "(<= (p ?x) (q ?x) (not (p ?x))) (q a) (<= (q ?x) (p ?x))";
    assert!(refused(own).contains("(p a) depends on its own negation"), "{}", refused(own));
}
