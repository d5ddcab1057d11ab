//! Matches in this process: all strategies, one role and many, and how matches end.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use ludens::manager::{Clocks, EndReason, ManagerError, MatchSetup, play_match};
use ludens::pipeline::Stages;
use ludens::record::Recorder;
use ludens::search::preset_names;
use propnet::game::PlayError;

use super::table::{judge, play, play_watched, rules, setup};
use crate::support::{NO_GOAL, SMALL, STUCK, files};

/// A game for so many roles: three steps, in which each may rest or work.
fn workers(count: usize) -> String {
    let roles: Vec<String> = (1..=count).map(|at| format!("(role R{at})")).collect();
    format!(
        "{} (init (day 1)) (after 1 2) (after 2 3) (after 3 4)
         (<= (legal ?r Rest) (role ?r)) (<= (legal ?r (Work ?d)) (role ?r) (true (day ?d)))
         (<= (next (day ?e)) (true (day ?d)) (after ?d ?e))
         (<= (next (tired ?r)) (does ?r (work ?d))) (<= (next (tired ?r)) (true (tired ?r)))
         (<= terminal (true (day 4)))
         (<= (goal ?r 100) (role ?r) (true (tired ?r)))
         (<= (goal ?r 10) (role ?r) (not (true (tired ?r))))",
        roles.join(" ")
    )
}

#[test]
fn every_strategy_plays() {
    for strategy in preset_names() {
        let setup = setup(SMALL, &[strategy, "random"]);
        let record = play(&setup).record;
        assert_eq!(record.goal_values, [Some(100), Some(40)], "{strategy}");
        assert!(record.errors.iter().flatten().all(String::is_empty), "{strategy}");
        let has_searched = record.reports[0][0].as_ref().is_some_and(|report| {
            let chosen = report["choice"]["scheme"].as_str().unwrap_or(strategy);
            report["strategy"] == chosen && report["roles"][0]["moves"].is_array()
        });
        // What is chosen at random needs no search.
        assert_eq!(has_searched, strategy != "random", "{strategy}");
        assert!(record.reports.iter().all(|reports| reports[1].is_none()), "{strategy}");
    }
}

#[test]
fn strategies_ground_a_sheet_once_for_all_matches() {
    let stages = Arc::new(Stages::for_players(rules(SMALL)));
    for (stages, groundings) in [(Some(&stages), [1, 0]), (None, [1, 1])] {
        let setup = MatchSetup { stages: stages.cloned(), ..setup(SMALL, &["uct", "uct"]) };
        let found = groundings.map(|_| {
            let folder = files(&[]);
            let recorder = Recorder::create(folder.path(), "m.1").expect("a recorder");
            play_watched(&setup, Some(recorder), |_| {});
            let log = fs::read_to_string(folder.path().join("m.1.log")).expect("a log");
            assert_eq!(log.matches("the search on the circuit begins").count(), 2, "{log}");
            log.matches("the rules are grounded").count()
        });
        assert_eq!(found, groundings);
    }
}

#[test]
fn there_may_be_one_role_or_six() {
    for count in [1, 2, 3, 6] {
        let players: Vec<&str> =
            ["uct", "random", "mast", "first", "mc", "uct:c=1"][..count].to_vec();
        let outcome = play(&setup(&workers(count), &players));
        assert!(matches!(outcome.end, EndReason::Completed(_)), "{:?}", outcome.end);
        let record = outcome.record;
        let wanted: Vec<String> = (1..=count).map(|at| format!("R{at}")).collect();
        assert_eq!(record.roles, wanted);
        assert_eq!((record.moves.len(), record.states.len()), (3, 4));
        assert!(record.moves.iter().all(|joint| joint.len() == count));
        assert!(record.errors.iter().flatten().all(String::is_empty), "{:?}", record.errors);
        // Nobody who thinks rests all the time.
        assert_eq!(record.goal_values[0], Some(100));
    }
}

#[test]
fn the_same_seed_gives_the_same_match() {
    let moves = |seed: u64| {
        let mut setup = setup(&workers(3), &["uct:threads=1", "mast:threads=1", "random"]);
        setup.seed = seed;
        play(&setup).record.moves
    };
    assert_eq!(moves(7), moves(7));
    let all: Vec<_> = (0..6).map(moves).collect();
    assert!(all.iter().any(|moves| *moves != all[0]), "seeds make a difference");
}

#[test]
fn strategies_keep_to_their_clocks() {
    // A wide margin, so that a machine with much else to do has the time too.
    let players = ["uct:threads=1:margin=1000", "mast:threads=1:margin=1000"];
    let mut setup = setup(&workers(2), &players);
    setup.simulations = None;
    let clock = Duration::from_secs(2);
    setup.clocks = Clocks { start: clock, play: clock };
    let record = play(&setup).record;
    assert!(record.errors.iter().flatten().all(String::is_empty), "{:?}", record.errors);
    assert_eq!(record.goal_values, [Some(100), Some(100)]);
}

#[test]
fn matches_end_where_the_rules_do() {
    let outcome = play(&setup(STUCK, &["random", "uct"]));
    let Some(EndReason::Stuck(PlayError::NoLegalMove { role })) = Some(outcome.end) else {
        panic!("it is stuck");
    };
    assert_eq!((role.as_str(), outcome.record.moves.len()), ("b", 1));
    assert!(outcome.record.is_aborted && !outcome.record.is_completed);

    let outcome = play(&setup(NO_GOAL, &["first", "first"]));
    let EndReason::Completed(goals) = outcome.end else { panic!("it is over") };
    assert!(matches!(goals[0], Err(PlayError::NoGoal { .. })), "{goals:?}");
    assert!(matches!(goals[1], Err(PlayError::SeveralGoals { .. })), "{goals:?}");
    assert_eq!(outcome.record.goal_values, [None, None]);

    let mut limited = setup(&workers(1), &["first"]);
    limited.max_steps = 2;
    let outcome = play(&limited);
    assert_eq!((outcome.end, outcome.record.moves.len()), (EndReason::Limit, 2));
    assert!(outcome.record.is_aborted);
}

#[test]
fn there_is_a_player_for_each_role() {
    let setup = setup(SMALL, &["random"]);
    let mut game = judge(&rules(SMALL));
    let state = game.initial_state().expect("a state");
    let refused = play_match(&mut *game, state, &setup, None, &mut |_| Ok(()));
    let Err(error @ ManagerError::PlayerCount { .. }) = refused else { panic!("refused") };
    assert_eq!(error.to_string(), "there are 1 players, but the game has 2 roles: a, b");
}
