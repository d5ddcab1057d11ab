//! Small games for several roles, as rule sheets.

/// Rock, paper, scissors in which wins count differently: the only equilibrium has the weights 1, 10
/// and 5.
pub(crate) fn biased_scissors() -> String {
    "(role left) (role right) (opponent left right) (opponent right left)
     (init begin) (hand rock) (hand paper) (hand scissors)
     (beats paper rock 70 30) (beats rock scissors 90 10) (beats scissors paper 54 46)
     (<= (legal ?p ?h) (role ?p) (hand ?h))
     (<= (next (shown ?p ?h)) (does ?p ?h))
     (<= terminal (not (true begin)))
     (<= (goal ?p ?g) (opponent ?p ?q) (true (shown ?p ?h)) (true (shown ?q ?i)) (beats ?h ?i ?g ?l))
     (<= (goal ?q ?l) (opponent ?p ?q) (true (shown ?p ?h)) (true (shown ?q ?i)) (beats ?h ?i ?g ?l))
     (<= (goal ?p 50) (opponent ?p ?q) (true (shown ?p ?h)) (true (shown ?q ?h)))
     (<= (goal ?p 50) (role ?p) (true begin))"
        .to_string()
}

/// Three roles move once each, in turn; the first can enforce 10 and could get 60.
pub(crate) fn three_in_turn() -> String {
    "(role a) (role b) (role c) (init (turn a)) (then a b) (then b c) (then c nobody)
     (choice (take 1)) (choice (take 2))
     (<= (legal ?r ?m) (true (turn ?r)) (choice ?m))
     (<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
     (<= (next (turn ?s)) (true (turn ?r)) (then ?r ?s))
     (<= (next (took ?r ?n)) (does ?r (take ?n)))
     (<= (next (took ?r ?n)) (true (took ?r ?n)))
     (<= terminal (true (turn nobody)))
     (<= (goal a 60) (true (took a 1)) (true (took b 1)))
     (<= (goal a 10) (true (took a 1)) (not (true (took b 1))))
     (<= (goal a 0) (not (true (took a 1))))
     (<= (goal b 20) (true (took b 1))) (<= (goal b 30) (not (true (took b 1))))
     (<= (goal c 5) (role c))"
        .to_string()
}

/// A game with an end at which `b` has no goal.
pub(crate) fn end_without_goal() -> String {
    "(role a) (role b) (init s) (legal a stop) (legal a halt) (legal b wait)
     (<= (next (did ?m)) (does a ?m))
     (<= terminal (not (true s))) (goal a 50) (<= (goal b 50) (true (did stop)))"
        .to_string()
}
