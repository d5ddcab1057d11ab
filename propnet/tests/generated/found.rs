//! Sheets that were once grounded wrongly, each as small as it could be made, and sheets made to be
//! as hard as possible for one part of the grounder.

use std::fmt::Write;

use super::agree::compare;
use super::ways::ways;

/// What a sheet must have, and a way for it to move on.
const FRAME: &str = "(role r) (role s) (legal r m) (legal s m) (legal s n)
    (<= terminal (true (f 9))) (succ 0 1) (succ 1 2) (succ 2 3)\n";

fn check(rules: &str) {
    let text = format!("{FRAME}{rules}");
    for seed in 0..4 {
        match compare(&text, &ways(seed), seed) {
            Ok(done) => assert!(done.is_some(), "refused:\n{rules}"),
            Err(why) => panic!("{why}\n\n{rules}"),
        }
    }
}

#[test]
fn static_negation_within_a_relation() {
    check("(<= (even ?y) (succ ?x ?y) (not (even ?x))) (even 0) (<= (next (g ?x)) (even ?x))");
    check(
        "(<= (win ?x) (succ ?x ?y) (not (win ?y))) (<= (next (g ?x)) (succ ?x ?y) (not (win ?x)))",
    );
    // Through a second relation, and through a part that is split off.
    check(
        "(<= (win ?x) (succ ?x ?y) (lose ?y)) (<= (lose ?x) (num ?x) (not (win ?x)))
         (num 0) (num 1) (num 2) (num 3) (<= (next (g ?x)) (lose ?x))
         (<= (init (g ?x)) (win ?x) (succ ?x ?z) (distinct ?z ?w) (num ?w) (lose ?w))",
    );
}

#[test]
fn demand_asks_for_no_deeper_terms() {
    check(
        "(h (b (b 1))) (<= (h ?x) (h (b ?x))) (<= (h ?x) (succ ?x ?y))
         (<= (next (g ?x)) (h ?x) (succ ?x ?y))",
    );
    check(
        "(<= (t (b ?x)) (succ ?x ?y)) (<= (h ?x ?y) (t ?x) (t ?y)) (<= (h ?x ?y) (h ?y ?x))
         (<= (next (g ?x)) (succ ?x ?z) (h (b ?x) ?y)) (<= (next (k ?x)) (t (b ?x)) (h ?x ?y))
         (<= (next (j ?x ?y)) (t (b ?x)) (not (h (b ?x) ?y)) (succ ?x ?y))",
    );
}

#[test]
fn demand_follows_what_is_taken_apart() {
    check(
        "(t (b 1)) (t (b 2)) (<= (h ?x ?y) (succ ?x ?y)) (<= (h ?x ?z) (h ?x ?y) (succ ?y ?z))
         (<= (next (g ?x ?y)) (t (b ?x)) (h ?x ?y))",
    );
}

#[test]
fn moves_and_goals_of_nobody() {
    check("(<= (legal nobody n) (true (g 1))) (init (g 1)) (<= (legal r n) (legal nobody n))");
    check("(goal nobody 2) (<= (next (g 1)) (goal ?x 2)) (<= (goal r 1) (not (goal nobody 3)))");
    check(
        "(<= (next (g ?x)) (does nobody ?x)) (legal nobody n) (<= (next k) (not (does nobody n)))",
    );
}

#[test]
fn constant_fluents() {
    // Their next value is read.
    check("(init (g 1)) (<= (next (g ?x)) (true (g ?x))) (<= (next (k ?x)) (next (g ?x)))");
    check("(init (g 1)) (<= (next (g ?x)) (true (g ?x))) (<= (next k) (not (next (g 1))))");
    // A helper reads them.
    check(
        "(init (g 1)) (<= (next (g ?x)) (true (g ?x))) (<= h (true (g 1)))
         (<= (next (k 1)) (not h)) (<= (next (k 2)) h)",
    );
    // They are also stated as a fact, or have no initial value, or two rules.
    check("(true (g 2)) (init (g 1)) (<= (next (g ?x)) (true (g ?x))) (<= (next k) (true (g 2)))");
    check("(<= (next (g ?x)) (true (g ?x))) (<= (next k) (not (true (g 1))))");
    check("(init (g 1 2)) (<= (next (g ?x ?y)) (true (g ?y ?x)))");
    check("(init (g 1 2)) (init (g 1 1)) (<= (next (g ?x ?x)) (true (g ?x ?x)))");
    check("(init (g 1)) (<= (next ?f) (true ?f)) (<= (next (k ?x)) (true (g ?x)) (does s n))");
}

#[test]
fn facts_about_the_state() {
    check("(true (g 1)) (<= (next (k ?x)) (true (g ?x))) (<= (legal r n) (not (true (g 1))))");
    check("(true on) (init on) (<= (next (k 1)) (true on)) (<= (next ?x) (true ?x))");
    check("(true (g 1)) (<= (next (k ?x)) (true (g ?x))) (<= (next ?x) (true ?x))");
    check(
        "(true (g 1)) (<= (h ?x) (true (g ?x))) (<= (h ?x) (h ?y) (succ ?y ?x)) (<= (next (k ?x)) (h ?x))",
    );
}

#[test]
fn init_that_shares_relations_with_others() {
    check(
        "(<= (h ?x) (succ ?x ?y) (not (even ?x))) (even 0) (<= (init (g ?x)) (h ?x)) (<= (next (g ?x)) (h ?x))",
    );
    check("(<= (h ?x) (legal r ?x)) (<= (init (g ?x)) (h ?x)) (<= (next (k ?x)) (init (g ?x)))");
    // On demand, with negation in a circle that only asking first closes.
    check(
        "(<= (a 1) (role s)) (<= (a ?x) (h ?y) (succ ?y ?x)) (<= (a ?x) (h ?x)) (a 0)
         (<= (h ?x) (a ?x) (not (w ?x))) (<= (w ?x) (succ ?z ?x) (succ ?x ?y)) (<= (w ?x) (w ?y) (succ ?y ?x))
         (<= (init (g ?x)) (h ?x)) (<= (next (k ?x)) (h ?x))",
    );
}

#[test]
fn many_choices() {
    // Which of two choices binds what the other needs must not depend on their order.
    let mut tests = String::from("(or");
    let mut binders = String::from("(or");
    for at in 0..9 {
        write!(tests, " (not (true (g {at} ?x)))").expect("text");
        write!(binders, " (p{at} ?x)").expect("text");
    }
    let facts = "(p1 1) (p2 2) (init (g 1 1)) (init (g 2 2)) (<= (next (g ?x ?y)) (succ ?x ?y))";
    check(&format!("{facts} (<= (next (k ?x)) {tests}) {binders}))"));
    check(&format!("{facts} (<= (next (k ?x)) {binders}) {tests}))"));
    let both = format!("{tests}) {binders})");
    check(&format!("{facts} (<= (next (k ?x)) (or (and {both}) (and {both} (distinct ?x 1))))"));
    check(&format!("{facts} (<= (next k) (not (and (not (p1 1)) {})))", "(not (p2 2))"));
    // A variable that several choices have, and none binds in every arm.
    check(
        "(d b) (d a) (p (f a)) (init a) (<= (legal r (m ?x ?z))
            (or (true ?f) (and (true ?f) (not (h 1)))
                (and (true ?f) (or (h 2) (true (g ?x ?y)) (distinct ?f ?f))))
            (or (p ?z) (p ?z) (and (p ?z) (or (e ?x) (distinct ?z a) (legal ?r (m ?x (f ?x))))))
            (or (d ?x) (d ?x) (h ?x ?y)))",
    );
}

#[test]
fn variables_for_fluents_and_moves() {
    check("(init on) (init (g 1)) (init (g on)) (init (g (k 1))) (<= (next ?f) (true (g ?f)))");
    check("(legal r (go 1)) (legal r go) (<= (next ?m) (does r ?m)) (<= (legal s ?m) (true ?m))");
    check("(init on) (h on) (h (g 1)) (h (k 2)) (<= (next ?f) (h ?f) (not (true ?f)))");
    check(
        "(init (g 1)) (init on) (<= (next (g 2)) (true ?f) (distinct ?f on)) (<= (next ?f) (true ?f) (distinct ?f (g 1)))",
    );
    check("(init (g 1)) (<= (next ?f) (true ?f) (true (g ?x)) (not (does r ?f)))");
}

#[test]
fn wide_rows() {
    let many: String = (0..70).map(|at| format!(" ?x{at}")).collect();
    let ones = " 1".repeat(70);
    check(&format!(
        "(p{ones} 1) (p{ones} 2) (<= (q{many} ?y) (p{many} ?y) (true (g ?y))) (init (g 1))
         (<= (next (k{many})) (q{many} ?y)) (<= (next (g ?y)) (p{many} ?y) (not (q{many} ?y)))"
    ));
}

#[test]
fn helpers_in_the_place_of_their_conditions() {
    let same = "(<= (same ?p ?q ?r ?s) (bit ?n ?p ?b) (bit ?n ?q ?b) (bit ?n ?r ?b) (bit ?n ?s ?b) (not (odd ?n ?p)))
        (bit 0 1 1) (bit 0 2 1) (bit 0 3 0) (bit 1 1 0) (bit 1 2 0) (bit 1 3 0) (bit 2 1 1)
        (<= (odd ?n ?p) (bit ?n ?p 0) (true (f ?n))) (init (c 0 1)) (init (c 1 2)) (init (c 2 3))
        (<= (next (c ?x ?q)) (true (c ?x ?p)) (succ ?p ?q)) (<= (next (f 1)) (does s m))\n";
    check(&format!(
        "{same} (<= (next row) (true (c 0 ?p)) (true (c 1 ?q)) (true (c 2 ?r))
           (true (c ?x ?s)) (same ?p ?q ?r ?s))"
    ));
    // A column given, one twice, a helper within a helper, and one that needs itself.
    check(&format!(
        "{same} (<= (next (g ?p)) (true (c 0 ?p)) (true (c 1 ?q)) (true (c 2 ?r))
           (true (c ?x ?s)) (same ?p 1 ?q ?r) (same ?r ?s ?q ?q))
         (<= (both ?p ?q ?r ?s) (same ?p ?q ?r ?s) (succ ?q ?z) (succ ?r ?y))
         (<= (next two) (true (c 0 ?p)) (true (c 1 ?q)) (true (c ?x ?r))
           (true (c 2 ?s)) (both ?p ?q ?r ?s))
         (<= (way ?p ?q ?r ?s) (way ?q ?r ?p ?s) (bit ?n ?p ?b) (bit ?n ?q ?b) (true (c ?b ?r))
           (bit ?n ?s ?b))
         (<= (next (k ?p)) (true (c 0 ?p)) (true (c 1 ?q)) (true (c 2 ?r))
           (true (c ?x ?s)) (way ?p ?q ?r ?s))"
    ));
}
