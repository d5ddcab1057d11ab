//! Early cutoffs: what samples say about games, and what a search makes of it.

use ludens::search::{
    Budget, Cutoff, CutoffKind,
    CutoffKind::{GoalStability, Inactive, TerminalInterval},
    Report, Search, SearchGame, Settings,
};

use super::games::{Prepared, on_one_thread};

/// The games of table 5.1 of the CadiaPlayer thesis, which has cutoffs in all but othello. Goals of
/// checkers do not change before its end on our sheet: it counts no pieces.
const TABLE: &[(&str, CutoffKind)] = &[
    ("tic_tac_toe_3d", TerminalInterval),
    ("battle", GoalStability),
    ("breakthrough", TerminalInterval),
    ("checkers", TerminalInterval),
    ("chinese_checkers_3p", GoalStability),
    ("chinook", TerminalInterval),
    ("connect_five", TerminalInterval),
    ("knightthrough", TerminalInterval),
    ("othello", Inactive),
    ("skirmish", GoalStability),
    ("tccc4", TerminalInterval),
    ("tccc4_3p", TerminalInterval),
];

fn run(game: &SearchGame, settings: &Settings, budget: &Budget) -> Report {
    Search::new(game, settings, 1).expect("a search").run(budget).expect("a report")
}

/// What the first simulations of a search say.
fn cutoff(game: &SearchGame, settings: &Settings, simulations: u64) -> Cutoff {
    *run(game, settings, &Budget::simulations(simulations)).cutoff.expect("cutoffs are asked for")
}

#[test]
fn cutoffs_are_active_where_the_thesis_says_so() {
    for &(name, kind) in TABLE {
        let settings = on_one_thread("uct+cutoff");
        let found = cutoff(&Prepared::named(name).lanes(&settings), &settings, 101);
        assert_eq!((found.kind, found.figures.samples), (kind, 100), "{name}: {found}");
        if name == "othello" {
            // The thesis measured around 3000.
            let stability = found.figures.stability;
            assert!((2500.0..3500.0).contains(&stability), "{stability}");
        }
    }
}

#[test]
fn lanes_and_other_games_see_the_same() {
    for name in ["connect_four", "skirmish", "chinook"] {
        let prepared = Prepared::named(name);
        let settings = on_one_thread("uct+cutoff:cutoff_samples=200");
        let [ours, theirs] =
            [prepared.lanes(&settings), prepared.plain()].map(|game| cutoff(&game, &settings, 220));
        assert_eq!(ours.kind, theirs.kind, "{name}");
        let [ours, theirs] = [ours.figures, theirs.figures];
        let ratio = (ours.stability + 1.0) / (theirs.stability + 1.0);
        assert!((0.8..1.25).contains(&ratio), "{name}: {ours}, {theirs}");
        // Each made its own playouts.
        let apart = |one: Option<u64>, other: Option<u64>| match (one, other) {
            (Some(one), Some(other)) => one.abs_diff(other),
            (one, other) => u64::from(one != other) * 100,
        };
        assert!(apart(ours.first_goal_change, theirs.first_goal_change) <= 3, "{ours}, {theirs}");
        assert!(apart(ours.last_terminal, theirs.last_terminal) <= 10, "{ours}, {theirs}");
    }
}

#[test]
fn playouts_are_cut_once_it_is_decided() {
    let prepared = Prepared::named("breakthrough");
    // Playouts by MAST learn to end soon.
    for (strategy, least) in [("uct+cutoff", 0.3), ("mast+cutoff", 0.0)] {
        let settings = on_one_thread(&format!("{strategy}:in_flight=1"));
        for game in [prepared.lanes(&settings), prepared.plain()] {
            let first = run(&game, &settings, &Budget::simulations(99));
            assert_eq!(first.cut_share, 0.0, "{first}");
            let report = run(&game, &settings, &Budget::simulations(600));
            let at = report.cutoff.as_ref().and_then(|cutoff| cutoff.cut_at).expect("a cut");
            assert!(report.cut_share > least && report.cut_share < 0.84, "{report}");
            // 100 playouts to the end, and then none beyond the cut.
            let steps = report.lane_steps as f64 * report.lane_use;
            assert!(steps < (500 * at + 100 * 110) as f64, "{report}");
        }
    }
    let settings = on_one_thread("uct");
    let report = run(&prepared.lanes(&settings), &settings, &Budget::simulations(200));
    assert_eq!((report.cutoff, report.cut_share), (None, 0.0));
}

#[test]
fn a_decision_is_made_once_and_counts_from_the_start_of_the_game() {
    // All games of battle last 30 moves.
    let settings = on_one_thread("uct+cutoff");
    let game = Prepared::named("battle").lanes(&settings);
    let mut search = Search::new(&game, &settings, 1).expect("a search");
    let mut found = Vec::new();
    for _ in 0..5 {
        let report = search.run(&Budget::simulations(40)).expect("a report");
        found.push(report.cutoff.expect("cutoffs are asked for"));
        let joint: Vec<_> = (0..2).filter_map(|role| search.best_move(role)).collect();
        search.advance(&joint).expect("legal moves");
    }
    assert_eq!((found[0].kind, found[1].kind), (Inactive, Inactive));
    assert!(found[1].reason.as_ref().is_some_and(|reason| reason.contains("of 100 samples")));
    assert_eq!((found[2].kind, found[2].figures.samples), (GoalStability, 100));
    let ends = [found[2].figures.first_terminal, found[2].figures.last_terminal];
    assert_eq!(ends, [Some(30); 2]);
    assert!(found[3] == found[2] && found[4] == found[2]);
}

#[test]
fn threads_share_a_decision() {
    let prepared = Prepared::named("breakthrough");
    for parallel in ["root", "tree"] {
        let text = format!("uct+cutoff:threads=2:parallel={parallel}");
        let settings: Settings = text.parse().expect("settings");
        let game = prepared.lanes(&settings);
        for budget in [Budget::simulations(2000), Budget::time(std::time::Duration::from_secs(1))] {
            let report = run(&game, &settings, &budget);
            let cutoff = report.cutoff.as_ref().expect("cutoffs are asked for");
            assert_eq!((cutoff.kind, cutoff.figures.samples), (TerminalInterval, 100), "{report}");
            assert!(report.cut_share > 0.1, "{report}");
        }
    }
}

#[test]
fn puzzles_are_not_solved_by_what_was_cut() {
    // Whoever walks on has 100 on the way, and loses it at the end.
    let prepared = Prepared::text(
        "(role walker) (init (at 0)) (init (steps 0))
         (legal walker on) (legal walker back)
         (<= (next (steps ?y)) (true (steps ?x)) (succ ?x ?y))
         (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (does walker on))
         (<= (next (at ?x)) (true (at ?y)) (succ ?x ?y) (does walker back))
         (<= (next (at 0)) (true (at 0)) (does walker back))
         (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
         (succ 8 9) (succ 9 10) (succ 10 11) (succ 11 12) (succ 12 13) (succ 13 14) (succ 14 15)
         (<= terminal (true (steps 15)))
         (<= (goal walker 30) (true (steps 15)))
         (<= (goal walker 100) (not (true (steps 15))) (true (at 3)))
         (<= (goal walker 90) (not (true (steps 15))) (not (true (at 3))))",
    );
    let settings = on_one_thread("uct+cutoff:transpositions=off:cutoff_min_steps=1");
    let report = run(&prepared.lanes(&settings), &settings, &Budget::simulations(1000));
    let cutoff = report.cutoff.as_ref().expect("cutoffs are asked for");
    assert_eq!((cutoff.kind, cutoff.cut_at), (GoalStability, Some(4)), "{report}");
    assert!(report.roles[0].moves.iter().all(|found| found.best.is_none_or(|best| best == 30.0)));
    assert!(report.cut_share > 0.1, "{report}");
}
