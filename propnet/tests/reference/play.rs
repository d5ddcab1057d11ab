//! Whole games: states, moves, goals, and that questions do not disturb each other.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use propnet::game::{Game, Move};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use super::sheets::RACE;
use super::support::{describe, game, joint, legal, state, transcript};

#[test]
fn a_race() {
    transcript(
        RACE,
        &["(step 1), stay", "stay, (STEP 1)"],
        "true: (at (team 2) 0) (at ann 0) (clock 0)
         ann may: (step 1) stay
         ann gets: 50
         (team 2) may: (step 1) stay
         (team 2) gets: 50
         over: false
         -> (step 1), stay
         true: (at (team 2) 0) (at ann 1) (clock 1)
         ann may: (step 2) stay
         ann gets: 100
         (team 2) may: (step 1) stay
         (team 2) gets: 0
         over: false
         -> stay, (STEP 1)
         true: (at (team 2) 1) (at ann 1) (clock 2)
         ann may: (step 2) stay
         ann gets: 50
         (team 2) may: (step 2) stay
         (team 2) gets: 50
         over: true",
    );
}

#[test]
fn moves_are_spelled_as_in_the_sheet() {
    let mut game = game(RACE);
    let step = game.move_of(0, "(sTEP 1)").expect("a move");
    assert_eq!(game.move_text(0, step).expect("a text"), "(step 1)");
    assert_eq!(game.move_spelling(0, step).expect("a spelling"), "(Step 1)");
    assert_eq!(game.roles(), ["ann", "(team 2)"]);
}

#[test]
fn init_may_be_asked_in_every_state() {
    transcript(
        "(role r) (row 1) (row 2) (row 3)
         (<= (init (cell ?x)) (row ?x) (distinct ?x 2))
         (<= (init (pair ?x ?y)) (init (cell ?x)) (init (cell ?y)) (distinct ?x ?y))
         (<= (legal r go) (init (cell 1))) (<= (legal r (from ?x)) (init (cell ?x)))
         (<= (next (cell 2)) (init (cell 3)) (not (init (cell 2))))
         (<= terminal (true (cell 2))) (<= (goal r 10) (true (cell 2)))",
        &["go"],
        "true: (cell 1) (cell 3) (pair 1 3) (pair 3 1)
         r may: (from 1) (from 3) go
         r gets: ERROR role r has no goal value in this state
         over: false
         -> go
         true: (cell 2)
         r may: (from 1) (from 3) go
         r gets: 10
         over: true",
    );
}

#[test]
fn a_true_fact_holds_in_every_state_and_is_in_none() {
    transcript(
        "(role r) (true (wall 1)) (init (p 1)) (init (seen 1))
         (<= (legal r (at ?x)) (true (wall ?x)))
         (<= (next (p ?x)) (true (wall ?x)) (not (true (p ?x)))) (<= (next (q ?f)) (true ?f))
         (<= terminal (not (true (p 1)))) (goal r 7)",
        &["(at 1)"],
        "true: (p 1) (seen 1)
         r may: (at 1)
         r gets: 7
         over: false
         -> (at 1)
         true: (q (p 1)) (q (seen 1)) (q (wall 1))
         r may: (at 1)
         r gets: 7
         over: true",
    );
}

/// `next`, `legal`, `goal` and `terminal` in bodies; moves as variables.
#[test]
fn words_of_the_language_in_bodies() {
    transcript(
        "(role r) (role s) (init (n 0)) (succ 0 1) (succ 1 2)
         (<= (legal r (add ?y)) (true (n ?x)) (succ ?x ?y)) (legal r rest)
         (<= (legal s (copy ?m)) (legal r ?m))
         (<= (next (n ?y)) (does r (add ?y)))
         (<= (next (n ?x)) (true (n ?x)) (does r rest))
         (<= (next (did ?r ?m)) (does ?r ?m))
         (<= (next (both ?x)) (next (n ?x)) (does s (copy (add ?x))))
         (<= terminal (true (both ?x)))
         (<= (goal r 90) terminal) (<= (goal r 20) (not terminal))
         (<= (goal s ?v) (goal r ?v))",
        &["rest, (copy rest)", "(add 1), (copy (add 1))"],
        "true: (n 0)
         r may: (add 1) rest
         r gets: 20
         s may: (copy (add 1)) (copy rest)
         s gets: 20
         over: false
         -> rest, (copy rest)
         true: (did r rest) (did s (copy rest)) (n 0)
         r may: (add 1) rest
         r gets: 20
         s may: (copy (add 1)) (copy rest)
         s gets: 20
         over: false
         -> (add 1), (copy (add 1))
         true: (both 1) (did r (add 1)) (did s (copy (add 1))) (n 1)
         r may: (add 2) rest
         r gets: 90
         s may: (copy (add 2)) (copy rest)
         s gets: 90
         over: true",
    );
}

#[test]
fn base_and_input_change_nothing() {
    let declared = "(<= (base (at ?r ?n)) (role ?r) (nr ?n)) (<= (base (clock ?n)) (nr ?n))
        (<= (input ?r stay) (role ?r)) (<= (input ?r (step ?n)) (role ?r) (nr ?n))
        (nr 0) (nr 1) (nr 2) (nr 3)";
    let (mut plain, mut with) = (game(RACE), game(&format!("{RACE} {declared}")));
    let (a, b) = (plain.initial_state().expect("a state"), with.initial_state().expect("a state"));
    assert_eq!(describe(&mut plain, &a), describe(&mut with, &b));
}

#[test]
fn equal_goals_of_several_rules_are_one() {
    transcript(
        "(role r) (init (p 1)) (init (p 2)) (legal r go) (<= terminal (true (p ?x)))
         (<= (goal r 40) (true (p 1))) (<= (goal r 40) (true (p 2))) (<= (goal r 40) (true (p ?x)))",
        &[],
        "true: (p 1) (p 2)
         r may: go
         r gets: 40
         over: true",
    );
}

#[test]
fn states_are_what_is_true_in_them() {
    let mut game = game(RACE);
    let initial = game.initial_state().expect("a state");
    let again = state(&mut game, "(CLOCK 0), (at (TEAM 2) 0), (at ann 0), (clock 0)");
    let hash = BuildHasherDefault::<DefaultHasher>::default();
    assert_eq!(initial, again);
    assert_eq!(hash.hash_one(&initial), hash.hash_one(&again));
    let there = joint(&mut game, "(step 1), (step 1)");
    let stay = joint(&mut game, "stay, stay");
    let after = game.next_state(&initial, &there).expect("legal");
    let after = game.next_state(&after, &stay).expect("legal");
    let described = state(&mut game, "(at ann 1), (at (team 2) 1), (clock 2)");
    assert_eq!(after, described);
    assert_ne!(after, initial);
    let sentences = game.sentences(&after).expect("sentences");
    assert_eq!(sentences, ["(at (team 2) 1)", "(at ann 1)", "(clock 2)"]);
    assert_eq!(game.state_of(&sentences), Ok(after));
    assert_eq!(game.state_of(&[]).map(|state| state.len()), Ok(0));
}

/// States that no play reaches can be asked about as well.
#[test]
fn any_state_can_be_asked_about() {
    let mut game = game(RACE);
    let odd = state(&mut game, "(at ann 3), (at ann 1), (clock 3)");
    assert_eq!(
        describe(&mut game, &odd),
        "true: (at ann 1) (at ann 3) (clock 3)\nann may: (step 2) stay\nann gets: 0\n\
         (team 2) may: stay\n(team 2) gets: 100\nover: false\n"
    );
}

#[test]
fn joint_moves_are_completed() {
    let mut game = game(RACE);
    let initial = game.initial_state().expect("a state");
    let stay = game.move_of(1, "stay").expect("a move");
    let mut first = [0; 2];
    for seed in 0..200 {
        let mut complete = |given: &[Option<Move>]| {
            let mut rng = Pcg64Mcg::seed_from_u64(seed);
            game.complete_joint_move(&initial, given, &mut rng).expect("a joint move")
        };
        let free = complete(&[]);
        assert_eq!(free, complete(&[None, None]));
        let forced = complete(&[None, Some(stay)]);
        assert_eq!((forced.len(), forced[1]), (2, stay));
        assert_eq!(forced[0], free[0], "a given move takes no random number");
        first[free[0].index()] += 1;
    }
    assert!(first.iter().all(|&count| count > 60), "{first:?}");
}

/// Every order of questions, on states in turn, gives the same answers as a fresh reasoner.
#[test]
fn answers_do_not_depend_on_the_order_of_questions() {
    let texts = [
        "(at ann 0), (at (team 2) 0), (clock 0)",
        "(at ann 2), (at (team 2) 1), (clock 1)",
        "(at ann 1), (at (team 2) 1), (clock 2)",
        "",
    ];
    let answer = |game: &mut propnet::reference::Reasoner, which: usize, question: usize| {
        let state = state(game, texts[which]);
        match question {
            0 => format!("{:?}", game.is_terminal(&state)),
            1 | 2 => format!("{:?}", legal(game, &state, question - 1)),
            3 | 4 => format!("{:?}", game.goal(&state, question - 3)),
            _ => {
                let moves =
                    joint(game, if question == 5 { "stay, stay" } else { "(step 1), stay" });
                let next = game.next_state(&state, &moves);
                format!("{:?}", next.map(|next| game.sentences(&next).expect("sentences")))
            }
        }
    };
    let fresh: Vec<Vec<String>> = (0..texts.len())
        .map(|which| (0..7).map(|question| answer(&mut game(RACE), which, question)).collect())
        .collect();
    let mut asked = game(RACE);
    let mut at = 1usize;
    for _ in 0..3_000 {
        at = (at * 1_103 + 97) % 10_007; // a walk over all pairs
        let (which, question) = (at % texts.len(), at / texts.len() % 7);
        assert_eq!(
            answer(&mut asked, which, question),
            fresh[which][question],
            "{which} {question}"
        );
    }
}

/// Only `next` sees moves; what depends on them by name only is the same after a move was made.
#[test]
fn moves_are_seen_by_next_alone() {
    let sheet =
        "(role r) (init (n 0)) (legal r go) (<= (legal r again) (moved s)) (<= (moved r) (does r go))
        (<= (next (n 1)) (moved r)) (<= terminal (moved s)) (<= (goal r 9) (moved s))
        (<= (goal r 3) (not (moved s)))";
    let mut game = game(sheet);
    let initial = game.initial_state().expect("a state");
    let go = joint(&mut game, "go");
    let before = describe(&mut game, &initial);
    assert_eq!(before, "true: (n 0)\nr may: go\nr gets: 3\nover: false\n");
    for _ in 0..2 {
        let next = game.next_state(&initial, &go).expect("a state");
        assert_eq!(game.goal(&initial, 0), Ok(3));
        assert_eq!(game.sentences(&next).expect("sentences"), ["(n 1)"]);
        assert_eq!(describe(&mut game, &initial), before);
    }
}
