//! Searches that end by themselves: nothing is left to learn.

use std::time::Duration;

use ludens::search::{Budget, Report, RunEnd, Search, SearchGame, Settings};

use super::games::{Prepared, move_of, on_one_thread, set};

/// Two in turn choose three numbers each way down; first wants the last one to be 5.
const DUEL: &str = "
    (role first) (role second) (init (at 0)) (init (turn first))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
    (<= (legal ?r (add 1)) (true (turn ?r))) (<= (legal ?r (add 2)) (true (turn ?r)))
    (<= (legal first noop) (true (turn second))) (<= (legal second noop) (true (turn first)))
    (<= (next (turn second)) (true (turn first))) (<= (next (turn first)) (true (turn second)))
    (<= (next (at ?y)) (does ?r (add 1)) (true (at ?x)) (succ ?x ?y))
    (<= (next (at ?z)) (does ?r (add 2)) (true (at ?x)) (succ ?x ?y) (succ ?y ?z))
    (<= over (true (at 5))) (<= over (true (at 6)))
    (<= terminal over)
    (<= (goal first 100) (true (at 5)) (true (turn second)))
    (<= (goal first 0) (true (at 5)) (true (turn first)))
    (<= (goal second 0) (true (at 5)) (true (turn second)))
    (<= (goal second 100) (true (at 5)) (true (turn first)))
    (<= (goal first 50) (not (true (at 5)))) (<= (goal second 50) (not (true (at 5))))";

/// A choice that is worth 70 at most.
const ALONE: &str = "
    (role walker) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)
    (legal walker a) (legal walker b)
    (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))
    (<= (next (did ?x ?m)) (true (did ?x ?m)))
    (<= (next (did ?x ?m)) (true (at ?x)) (does walker ?m))
    (<= terminal (true (at 3)))
    (<= (goal walker 70) (true (did 0 a)) (true (did 2 b)))
    (<= (goal walker 10) (true (did 0 b))) (<= (goal walker 20) (true (did 2 a)) (not (true (did 0 b))))";

/// Far longer than any of this takes.
fn ample() -> Budget {
    Budget::time(Duration::from_secs(600))
}

fn run(game: &SearchGame, settings: &Settings, budget: &Budget) -> (Search, Report) {
    let mut search = Search::new(game, settings, 1).expect("a search");
    let report = search.run(budget).expect("a report");
    (search, report)
}

#[test]
fn a_search_ends_when_nothing_is_left_to_learn() {
    let game = Prepared::text(DUEL);
    for strategy in ["uct", "mast", "mc_mem"] {
        for parallel in ["root", "tree"] {
            let settings = set(&format!("{strategy}:threads=2:parallel={parallel}"));
            for game in [game.lanes(&settings), game.plain()] {
                let (mut search, report) = run(&game, &settings, &ample());
                assert_eq!(report.end, RunEnd::Settled, "{strategy}\n{report}");
                if strategy != "mc_mem" {
                    assert_eq!(report.roles[0].moves[0].text, "(add 2)", "{report}");
                }
                // It knows that when it is asked again.
                let again = search.run(&ample()).expect("a report");
                assert_eq!((again.end, again.simulations), (RunEnd::Settled, 0), "{again}");
            }
        }
    }
}

#[test]
fn another_root_is_searched_until_it_is_settled() {
    let settings = on_one_thread("uct");
    let (mut search, _) = run(&Prepared::text(DUEL).lanes(&settings), &settings, &ample());
    // Not the move that it thinks best.
    let joint = [move_of(&mut search, 0, "(add 1)"), move_of(&mut search, 1, "noop")];
    search.advance(&joint).expect("a legal move");
    let report = search.run(&ample()).expect("a report");
    assert_eq!(report.end, RunEnd::Settled);
    assert!(report.simulations > 0);
}

#[test]
fn a_budget_of_simulations_is_spent_all_the_same() {
    let settings = on_one_thread("uct");
    let game = Prepared::text(DUEL).lanes(&settings);
    let (_, report) = run(&game, &settings, &Budget::simulations(100_000));
    assert_eq!((report.simulations, report.end), (100_000, RunEnd::Budget));
}

#[test]
fn a_game_for_one_ends_settled_or_solved() {
    let settings = on_one_thread("uct");
    let (_, report) = run(&Prepared::text(ALONE).lanes(&settings), &settings, &ample());
    assert_eq!((report.end, report.roles[0].moves[0].best), (RunEnd::Settled, Some(70.0)));
    let best = ALONE.replace("walker 70", "walker 100");
    let (_, report) = run(&Prepared::text(&best).lanes(&settings), &settings, &ample());
    assert_eq!((report.end, report.roles[0].moves[0].best), (RunEnd::Solved, Some(100.0)));
}
