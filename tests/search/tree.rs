//! The tree: what is kept, what is shared, and that memory is bounded.

use std::time::Duration;

use ludens::search::{Budget, Search, Settings, preset_names};

use super::games::{Prepared, answer, on_one_thread, search_after};
use crate::support;

/// A token goes left and right on a line of five, and the game is over at the right end. States
/// come again, and nothing counts the steps.
const WALK: &str = "
    (role walker) (role watcher)
    (init (at 3))
    (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
    (<= (legal walker right) (true (at ?x)) (succ ?x ?y))
    (<= (legal walker left) (true (at ?x)) (succ ?y ?x))
    (legal watcher noop)
    (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (does walker right))
    (<= (next (at ?y)) (true (at ?x)) (succ ?y ?x) (does walker left))
    (<= terminal (true (at 5)))
    (<= (goal walker 100) (true (at 5)))
    (<= (goal walker 0) (not (true (at 5))))
    (goal watcher 50)";

fn set(strategy: &str, texts: &[&str]) -> Settings {
    let mut settings = on_one_thread(strategy);
    for text in texts {
        settings.set(text).expect("a setting");
    }
    settings
}

#[test]
fn cycles_do_not_trap_a_search() {
    let prepared = Prepared::text(WALK);
    let settings = on_one_thread("uct");
    let game = prepared.lanes(&settings);
    let mut search = Search::new(&game, &settings, 1).expect("a search");
    let report = search.run(&Budget::simulations(2000)).expect("a report");
    assert_eq!((report.simulations, report.nodes), (2000, 5), "each state is one node");
    assert!(report.depth <= 5, "no node twice on a path");
    assert_eq!(answer(&mut search, 0, 10), "right");
    // Going left and coming back is a cycle; all of it can still be reached.
    for text in ["left", "right"] {
        let joint = [search.game().move_of(0, text), search.game().move_of(1, "noop")];
        search.advance(&joint.map(|chosen| chosen.expect("a move"))).expect("legal moves");
    }
    let report = search.run(&Budget::simulations(1)).expect("a report");
    assert_eq!((report.nodes, report.expansions), (5, 0));
    // Without transpositions the tree has a node for each way.
    let settings = set("uct", &["transpositions=off"]);
    let mut search = Search::new(&game, &settings, 1).expect("a search");
    let report = search.run(&Budget::simulations(2000)).expect("a report");
    assert!(report.nodes > 5);
}

#[test]
fn discounted_scores_prefer_the_short_way() {
    // Two moves to the end: 100 at a discount of a half a move is 25; one move to the end 50.
    let prepared = Prepared::text(WALK);
    let settings = set("uct", &["discount=0.5", "in_flight=1"]);
    let game = prepared.lanes(&settings);
    let noop = "noop";
    let mut search = search_after(&game, &settings, 1, &[&["right", noop]]);
    let report = search.run(&Budget::simulations(500)).expect("a report");
    let best = &report.roles[0].moves[0];
    assert_eq!((best.text.as_str(), best.average), ("right", Some(50.0)));
    let away = report.roles[0].moves[1].average.expect("it was tried");
    assert!(away <= 12.5, "three more moves at least: {away}");
    let watcher = report.roles[1].moves[0].average.expect("it was tried");
    assert!(watcher < 25.1, "every role's score is discounted: {watcher}");
}

#[test]
fn what_was_searched_is_kept_and_the_rest_is_freed() {
    let prepared = Prepared::named("connect_four");
    for texts in [&["transpositions=on"][..], &["transpositions=off"]] {
        let settings = set("uct", texts);
        let game = prepared.lanes(&settings);
        let mut search = Search::new(&game, &settings, 4).expect("a search");
        let before = search.run(&Budget::simulations(5000)).expect("a report");
        let best = search.best_move(0).expect("a move");
        let noop = search.game().move_of(1, "noop").expect("a move");
        search.advance(&[best, noop]).expect("legal moves");
        let after = search.run(&Budget::simulations(1)).expect("a report");
        let visits: u64 = after.roles[1].moves.iter().map(|known| known.visits).sum();
        let expected = before.roles[0].moves[0].visits;
        // The simulation that found the child went by it, all others through it.
        assert!(visits + 5 >= expected, "{visits} of {expected} visits are kept");
        assert!(after.nodes < before.nodes && after.nodes > 100);
    }
}

#[test]
fn mc_with_memory_keeps_what_it_found_and_mc_does_not() {
    let prepared = Prepared::named("connect_four");
    for (strategy, remembers) in [("mc_mem", true), ("mc", false)] {
        let settings = set(strategy, &["in_flight=8"]);
        let game = prepared.lanes(&settings);
        let mut search = Search::new(&game, &settings, 4).expect("a search");
        for turn in 0..6 {
            let before = search.run(&Budget::simulations(300)).expect("a report");
            assert_eq!(before.nodes > 100, remembers, "{strategy}");
            let joint: Option<Vec<_>> = (0..2).map(|role| search.best_move(role)).collect();
            search.advance(&joint.expect("moves")).expect("legal moves");
            let after = search.run(&Budget::simulations(0)).expect("a report");
            let played = before.roles[turn % 2].moves[0].visits;
            let known = &after.roles[(turn + 1) % 2].moves;
            let kept: u64 = known.iter().map(|known| known.visits).sum();
            let averages = known.iter().filter(|known| known.average.is_some()).count();
            match remembers {
                // Those that were under way when the node was found went by it.
                true => assert!(kept + 8 >= played && kept <= played && averages > 3, "{kept}"),
                false => assert_eq!((kept, averages, after.nodes), (0, 0, 1)),
            }
        }
    }
}

#[test]
fn states_that_are_reached_twice_are_one_node() {
    let prepared = Prepared::named("tic_tac_toe");
    let nodes = |text| {
        let settings = set("mc_mem", &[text]);
        let game = prepared.lanes(&settings);
        let mut search = Search::new(&game, &settings, 4).expect("a search");
        search.run(&Budget::simulations(60_000)).expect("a report").nodes
    };
    let (shared, plain) = (nodes("transpositions=on"), nodes("transpositions=off"));
    // Tic-tac-toe has 5,478 states.
    assert!(shared <= 5478 && shared > 4000, "{shared}");
    assert!(plain > 2 * shared, "{plain}");
}

#[test]
fn a_full_table_is_pruned_and_play_goes_on() {
    let prepared = Prepared::named("connect_four");
    for text in ["transpositions=on", "transpositions=off"] {
        let settings = set("uct", &["memory=1", text]);
        let game = prepared.lanes(&settings);
        let line: [&[&str]; 3] =
            [&["(drop 4)", "noop"], &["noop", "(drop 4)"], &["(drop 3)", "noop"]];
        let mut search = search_after(&game, &settings, 9, &line);
        let report = search.run(&Budget::simulations(20_000)).expect("a report");
        assert!(report.prunings > 0, "memory was short");
        assert!(report.bytes <= 1 << 20, "{} bytes", report.bytes);
        assert_eq!(report.simulations, 20_000);
        let chosen = search.best_move(1).expect("a move");
        let answer = search.game().move_text(1, chosen).expect("a text");
        assert!(["(drop 2)", "(drop 5)"].contains(&answer.as_str()), "{answer}");
    }
}

#[test]
fn a_full_tree_is_searched_even_if_it_cannot_be_copied_in_time() {
    let prepared = Prepared::named("connect_four");
    let settings = set("uct", &["memory=96", "lanes_per_leaf=1"]);
    let game = prepared.lanes(&settings);
    let filled = |batches: usize| {
        let mut search = Search::new(&game, &settings, 3).expect("a search");
        let mut run = || search.run(&Budget::simulations(10_000)).expect("a report");
        let done = (0..batches).take_while(|_| run().prunings == 0).count();
        (search, done)
    };
    // As many as there is room for.
    let (_, batches) = filled(usize::MAX);
    let (mut search, _) = filled(batches);
    for turn in 0..6 {
        let report = search.run(&Budget::time(Duration::from_millis(100))).expect("a report");
        assert!(report.simulations > 0, "turn {turn}: {report}");
        assert!(report.bytes <= 96 << 20, "{} bytes", report.bytes);
    }
}

#[test]
fn sheets_with_faults_are_searched_all_the_same() {
    for text in [support::STUCK, support::NO_GOAL, support::SMALL] {
        let prepared = Prepared::text(text);
        for strategy in preset_names() {
            let settings = on_one_thread(strategy);
            for game in [prepared.lanes(&settings), prepared.plain()] {
                let mut search = Search::new(&game, &settings, 1).expect("a search");
                search.run(&Budget::simulations(50)).expect("a report");
                for role in 0..2 {
                    let chosen = search.best_move(role).expect("a move");
                    assert!(search.legal_moves(role).contains(&chosen));
                }
            }
        }
    }
}

/// The first choice is between 20 for sure and a way on which four right turns are worth 100.
const VAULT: &str = "
    (role thief)
    (init (turns 0)) (init fresh) (init lucky)
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
    (right 0 a) (right 1 b) (right 2 b) (right 3 a)
    (<= (legal thief leave) (true fresh))
    (<= (legal thief (turn ?x)) (letter ?x))
    (letter a) (letter b)
    (<= (next (turns ?m)) (true (turns ?n)) (succ ?n ?m) (does thief (turn ?x)))
    (<= (next lucky) (true lucky) (true (turns ?n)) (does thief (turn ?x)) (right ?n ?x))
    (<= (next left) (does thief leave))
    (<= terminal (true left))
    (<= terminal (true (turns 4)))
    (<= (goal thief 20) (true left))
    (<= (goal thief 100) (true (turns 4)) (true lucky))
    (<= (goal thief 0) (not (true left)) (not (true lucky)))
    (<= (goal thief 0) (not (true left)) (not (true (turns 4))))";

#[test]
fn a_game_for_one_is_played_by_its_best_line() {
    let prepared = Prepared::text(VAULT);
    for strategy in ["uct", "mast"] {
        let settings = on_one_thread(strategy);
        for game in [prepared.lanes(&settings), prepared.plain()] {
            let mut search = Search::new(&game, &settings, 1).expect("a search");
            let report = search.run(&Budget::simulations(5000)).expect("a report");
            assert!(report.simulations < 5000, "nothing is better than 100");
            assert_eq!(report.roles[0].moves[0].best, Some(100.0));
            // The plan is followed without another simulation.
            let plan = ["(turn a)", "(turn b)", "(turn b)", "(turn a)"];
            assert_eq!(report.principal_line.concat(), plan, "the whole plan is told");
            for expected in plan {
                let chosen = search.best_move(0).expect("a move");
                assert_eq!(
                    search.game().move_text(0, chosen).expect("a text"),
                    expected,
                    "{strategy}"
                );
                search.advance(&[chosen]).expect("a legal move");
            }
            assert_eq!(search.goals(), Some(&[100.0][..]));
        }
    }
    // Without these rules averages count, and a search never knows that it is done.
    let settings = set("uct", &["one_role=off"]);
    let mut search = Search::new(&prepared.lanes(&settings), &settings, 1).expect("a search");
    let report = search.run(&Budget::simulations(1000)).expect("a report");
    assert_eq!(report.simulations, 1000);
    assert!(report.roles[0].moves.iter().all(|known| known.best.is_none()));
}

#[test]
fn a_plan_that_is_not_followed_is_forgotten() {
    let prepared = Prepared::text(VAULT);
    let settings = on_one_thread("uct");
    let mut search = Search::new(&prepared.lanes(&settings), &settings, 1).expect("a search");
    search.run(&Budget::simulations(5000)).expect("a report");
    let wrong = search.game().move_of(0, "(turn b)").expect("a move");
    search.advance(&[wrong]).expect("a legal move");
    let report = search.run(&Budget::simulations(100)).expect("a report");
    assert_eq!(report.simulations, 100, "there is nothing to find, but it is looked for");
    let chosen = search.best_move(0).expect("a move");
    assert!(search.legal_moves(0).contains(&chosen));
}
