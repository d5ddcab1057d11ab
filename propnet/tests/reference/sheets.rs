//! Sheets that several tests play.

/// A race of two: each may stay or step; whoever is ahead at the end wins.
pub(crate) const RACE: &str = "
    (role Ann) (role (team 2)) (succ 0 1) (succ 1 2) (succ 2 3)
    (init (at Ann 0)) (init (at (team 2) 0)) (init (clock 0))
    (<= (legal ?r Stay) (role ?r))
    (<= (legal ?r (Step ?n)) (true (at ?r ?m)) (succ ?m ?n))
    (<= (next (at ?r ?n)) (does ?r (step ?n)))
    (<= (next (at ?r ?n)) (does ?r stay) (true (at ?r ?n)))
    (<= (next (clock ?n)) (true (clock ?m)) (succ ?m ?n))
    (<= terminal (true (clock 2)))
    (<= (before ?a ?b) (succ ?a ?b)) (<= (before ?a ?c) (before ?a ?b) (succ ?b ?c))
    (<= (behind ?r) (true (at ?r ?a)) (true (at ?s ?b)) (before ?a ?b))
    (<= (goal ?r 0) (behind ?r))
    (<= (goal ?r 100) (role ?r) (not (behind ?r)) (behind ?s))
    (<= (goal ?r 50) (role ?r) (not (goal ?r 0)) (not (goal ?r 100)))";
