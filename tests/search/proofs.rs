//! Score bounds on lanes: what is proven is true, and a proof ends the search.

use ludens::search::{Budget, KnownSum, Report, RunEnd, Search, SearchGame, Settings};

use super::games::{Prepared, on_one_thread, search_after, set};

fn run(game: &SearchGame, settings: &Settings, seed: u64, simulations: u64) -> Report {
    let mut search = Search::new(game, settings, seed).expect("a search");
    search.run(&Budget::simulations(simulations)).expect("a report")
}

fn bounds(report: &Report) -> &[[f64; 2]] {
    &report.solver.as_ref().expect("a solver").bounds
}

const COMBINATIONS: [&str; 7] = [
    "uct+solver",
    "uct+solver:solver_variant=e_uct",
    "cadia2009+solver",
    "ucb_tuned+grave+urgency+solver",
    "mc_mem+solver",
    "uct+proof_numbers+solver",
    "solver:transpositions=off",
];

#[test]
fn tic_tac_toe_is_proven_to_be_a_draw() {
    let prepared = Prepared::named("tic_tac_toe");
    for strategy in COMBINATIONS {
        let settings = on_one_thread(strategy);
        let report = run(&prepared.lanes(&settings), &settings, 1, 300_000);
        assert_eq!(report.end, RunEnd::Solved, "{strategy}: {report}");
        assert_eq!(bounds(&report), [[50.0; 2]; 2], "{strategy}: {report}");
        assert!(report.simulations < 300_000, "{report}");
    }
}

#[test]
fn the_same_seed_proves_the_same() {
    let prepared = Prepared::named("connect_four");
    for strategy in COMBINATIONS {
        let settings = on_one_thread(strategy);
        let game = prepared.lanes(&settings);
        let reports = [1, 1, 2].map(|seed| run(&game, &settings, seed, 3000));
        let moves = reports.each_ref().map(|report| &report.roles);
        assert_eq!(moves[0], moves[1], "{strategy}");
        assert_ne!(moves[0], moves[2], "{strategy}");
    }
}

#[test]
fn several_threads_prove_the_same() {
    let prepared = Prepared::named("tic_tac_toe");
    for parallel in ["root", "tree"] {
        let settings = set(&format!("uct+solver:threads=2:parallel={parallel}"));
        let report = run(&prepared.lanes(&settings), &settings, 1, 600_000);
        assert_eq!(bounds(&report), [[50.0; 2]; 2], "{parallel}: {report}");
        assert_eq!(report.end, RunEnd::Solved, "{parallel}: {report}");
    }
}

#[test]
fn a_win_in_one_is_known_before_a_playout_meets_it() {
    // Three in a column, and it is the first player's turn.
    let settings = on_one_thread("uct+solver");
    let prepared = Prepared::named("connect_four");
    let game = prepared.lanes(&settings);
    let line: [&[&str]; 6] = [
        &["(drop 1)", "noop"],
        &["noop", "(drop 2)"],
        &["(drop 1)", "noop"],
        &["noop", "(drop 2)"],
        &["(drop 1)", "noop"],
        &["noop", "(drop 3)"],
    ];
    let mut search = search_after(&game, &settings, 1, &line);
    let report = search.run(&Budget::simulations(1000)).expect("a report");
    assert_eq!(report.end, RunEnd::Solved, "{report}");
    assert!(report.simulations <= 4, "{report}");
    assert_eq!(bounds(&report), [[100.0; 2], [0.0; 2]]);
    assert_eq!(report.best_move(0), Some("(drop 1)"), "{report}");
}

#[test]
fn opponents_that_choose_at_once_are_solved_with_mixed_strategies() {
    let settings = on_one_thread("uct+solver:solver_variant=e_uct:decide=mixed");
    let prepared = Prepared::named("goofspiel_4_no_history");
    for game in [prepared.lanes(&settings), prepared.plain()] {
        let report = run(&game, &settings, 1, 100_000);
        assert_eq!(report.end, RunEnd::Solved, "{report}");
        let solver = report.solver.as_ref().expect("a solver");
        for [lower, upper] in &solver.bounds {
            assert!(*lower > 49.99 && *upper < 50.01, "{report}");
        }
        assert!(solver.matrices > 0 && solver.pruned_moves > 0, "{report}");
    }
}

/// Stone, scissors, paper, where a win with paper counts most: the mixed strategy is not even.
const BIASED: &str = "
    (role row) (role column) (init start)
    (legal row stone) (legal row scissors) (legal row paper)
    (legal column stone) (legal column scissors) (legal column paper)
    (pays stone stone 50 50) (pays stone scissors 75 25) (pays stone paper 0 100)
    (pays scissors stone 25 75) (pays scissors scissors 50 50) (pays scissors paper 75 25)
    (pays paper stone 100 0) (pays paper scissors 25 75) (pays paper paper 50 50)
    (<= (next (end ?a ?b)) (does row ?x) (does column ?y) (pays ?x ?y ?a ?b))
    (<= terminal (true (end ?a ?b)))
    (<= (goal row ?a) (true (end ?a ?b))) (<= (goal column ?b) (true (end ?a ?b)))";

#[test]
fn a_mixed_strategy_is_played_in_proportion() {
    let settings = on_one_thread("uct+solver:decide=mixed");
    let game = Prepared::text(BIASED).lanes(&settings);
    let mut counts = [[0; 3]; 2];
    for seed in 0..2000 {
        let mut search = Search::new(&game, &settings, seed).expect("a search");
        let report = search.run(&Budget::simulations(500)).expect("a report");
        assert_eq!(report.end, RunEnd::Solved, "{report}");
        for (role, counts) in counts.iter_mut().enumerate() {
            let names = ["stone", "scissors", "paper"];
            let chosen = report.best_move(role).expect("a move");
            counts[names.iter().position(|name| *name == chosen).expect("a name")] += 1;
        }
    }
    // Symmetric, with wins of 25, 25 and 50 over 50: each is played as often as what it does not take
    // part in pays, 1 : 2 : 1.
    for [stone, scissors, paper] in counts {
        assert!((430..570).contains(&stone), "{counts:?}");
        assert!((930..1070).contains(&scissors), "{counts:?}");
        assert!((430..570).contains(&paper), "{counts:?}");
    }
}

/// Both take stones, and each has as many points as it took, so the sum depends on the moves.
const TAKING: &str = "
    (role left) (role right) (init start)
    (<= (legal ?r (take 10)) (role ?r)) (<= (legal ?r (take 40)) (role ?r))
    (<= (next (took ?r ?n)) (does ?r (take ?n)))
    (<= terminal (not (true start)))
    (<= (goal ?r ?n) (true (took ?r ?n)))";

#[test]
fn the_sum_of_the_goals_is_proven_or_observed_or_given_up() {
    let settings = on_one_thread("uct+solver");
    let prepared = Prepared::named("tic_tac_toe");
    for (game, is_proven) in [(prepared.lanes(&settings), true), (prepared.plain(), false)] {
        let report = run(&game, &settings, 1, 1000);
        let solver = report.solver.as_ref().expect("a solver");
        assert_eq!(solver.sum, Some(KnownSum { value: 100, is_proven }), "{report}");
        assert_eq!(solver.notice, None, "{report}");
    }
    let prepared = Prepared::text(TAKING);
    for game in [prepared.lanes(&settings), prepared.plain()] {
        let report = run(&game, &settings, 1, 1000);
        let solver = report.solver.as_ref().expect("a solver");
        assert_eq!(solver.sum, None, "{report}");
        let notice = solver.notice.as_deref().expect("a notice");
        assert!(notice.starts_with("goals do not add up to the same"), "{notice}");
        // Whatever the other does, each secures 40 and gets no more.
        assert_eq!(bounds(&report), [[40.0; 2]; 2], "{report}");
    }
}

#[test]
fn trees_agree_on_whether_the_sum_is_constant() {
    for seed in 0..20 {
        let settings = set("uct+solver:threads=4:parallel=root");
        let game = Prepared::text(TAKING).lanes(&settings);
        let report = run(&game, &settings, seed, 40);
        for [lower, upper] in bounds(&report) {
            assert!(*lower <= 40.0 && *upper >= 40.0, "seed {seed}: {report}");
        }
    }
}
