//! The same seed and budget give the same search, and counts add up.

use ludens::search::{Budget, Report, RunEnd, Search, SearchGame, Settings, parts, preset_names};
use propnet::game::{ForeignError, PlayError};

use super::games::{Prepared, on_one_thread, set};

/// A report without what a clock says.
fn timeless(mut report: Report) -> Report {
    (report.seconds, report.tree_share) = (0.0, 0.0);
    if let Some(solver) = &mut report.solver {
        solver.time_share = 0.0;
    }
    report
}

/// The reports of the first moves of a game against itself.
fn reports(game: &SearchGame, settings: &Settings, seed: u64, budget: &Budget) -> Vec<Report> {
    let mut search = Search::new(game, settings, seed).expect("a search");
    let roles = search.game().roles().len();
    let mut reports = Vec::new();
    for _ in 0..4 {
        reports.push(timeless(search.run(budget).expect("a report")));
        let joint: Option<Vec<_>> = (0..roles).map(|role| search.best_move(role)).collect();
        let Some(joint) = joint else { break };
        search.advance(&joint).expect("legal moves");
    }
    reports
}

#[test]
fn a_seed_and_a_budget_give_the_same_search_twice() {
    for name in ["connect_four", "rock_paper_scissors"] {
        let prepared = Prepared::named(name);
        for strategy in preset_names().into_iter().chain(["uct+cutoff", "mast+cutoff"]) {
            let settings = on_one_thread(strategy);
            for game in [prepared.lanes(&settings), prepared.plain()] {
                let is_plain = matches!(game, SearchGame::Plain(_));
                for budget in [Budget::simulations(200), Budget::expansions(80)] {
                    let first = reports(&game, &settings, 7, &budget);
                    assert_eq!(first, reports(&game, &settings, 7, &budget), "{name}, {strategy}");
                    if strategy == "uct" && !is_plain && name == "connect_four" {
                        assert_ne!(first, reports(&game, &settings, 8, &budget), "another seed");
                    }
                }
            }
        }
    }
}

/// Every part by itself, and many at once, on lanes, on ground rules and on the reference reasoner.
#[test]
fn a_seed_gives_the_same_search_twice_whatever_its_parts() {
    let together = [
        "uct+bias+mast",
        "ucb-tuned+rave+urgency+mast+cutoff",
        "mast+fast",
        "to-mast+fast:sampling=epsilon",
        "past+fast",
        "past:sampling=epsilon",
        "cadia2012",
        "cutoff+sufficiency+fpu-parent+bias+grave+moving-average+to-mast",
    ];
    let strategies = parts().into_iter().map(|part| part.name).chain(together);
    let strategies: Vec<&str> = strategies.collect();
    for name in ["tic_tac_toe", "rock_paper_scissors"] {
        let prepared = Prepared::named(name);
        for strategy in &strategies {
            let settings = on_one_thread(strategy);
            let budget = Budget::simulations(60);
            for game in [prepared.lanes(&settings), prepared.plain(), prepared.reference()] {
                let first = reports(&game, &settings, 7, &budget);
                assert_eq!(first, reports(&game, &settings, 7, &budget), "{name}, {strategy}");
                let simulations = if settings.scheme.needs_search() { 60 } else { 0 };
                let known = first[0].solver.as_ref().map_or(0, |solver| solver.known_visits);
                if first[0].end != RunEnd::Solved {
                    assert_eq!(first[0].simulations + known, simulations, "{name}, {strategy}");
                }
            }
        }
    }
}

#[test]
fn simulations_are_counted_at_the_root() {
    let prepared = Prepared::named("connect_four");
    for (strategy, set) in [
        ("uct", "in_flight=1"),
        ("uct", "in_flight=100"),
        ("uct", "lanes_per_leaf=8"),
        ("uct", "lanes_per_leaf=auto"),
        ("uct", "transpositions=off"),
        ("mast", "in_flight=auto"),
        ("mast", "lanes_per_leaf=8"),
        ("mc", "in_flight=auto"),
        ("mc_mem", "in_flight=auto"),
    ] {
        let mut settings = on_one_thread(strategy);
        settings.set(set).expect("a setting");
        let game = prepared.lanes(&settings);
        let mut search = Search::new(&game, &settings, 3).expect("a search");
        let report = search.run(&Budget::simulations(1000)).expect("a report");
        assert_eq!(report.simulations, 1000, "{strategy}, {set}");
        assert!(report.playouts <= 1000 && report.playouts > 900, "{strategy}, {set}");
        for role in &report.roles {
            let visits: u64 = role.moves.iter().map(|known| known.visits).sum();
            assert_eq!(visits, 1000, "{strategy}, {set}, {}", role.role);
        }
        let averages = report.roles.iter().flat_map(|role| &role.moves).map(|known| known.average);
        assert!(averages.flatten().all(|average| (0.0..100.0).contains(&average)));
        assert!(report.roles[0].moves[0].average.is_some_and(|average| average > 40.0));
    }
}

#[test]
fn lanes_for_a_leaf_are_as_many_simulations() {
    // Behind the first playouts only a few of those of a leaf are credited.
    let prepared = Prepared::named("breakthrough");
    let mut settings = on_one_thread("mast");
    settings.set("lanes_per_leaf=100").expect("a setting");
    let game = prepared.lanes(&settings);
    let budget = Budget::simulations(30_000);
    let search = || {
        let mut search = Search::new(&game, &settings, 3).expect("a search");
        timeless(search.run(&budget).expect("a report"))
    };
    let report = search();
    assert_eq!((report.simulations, report.playouts), (30_000, 30_000));
    for role in &report.roles {
        assert_eq!(role.moves.iter().map(|known| known.visits).sum::<u64>(), 30_000);
    }
    assert_eq!(report, search(), "the same every time");
}

#[test]
fn one_node_is_added_for_each_simulation() {
    let prepared = Prepared::named("connect_four");
    let mut settings = on_one_thread("uct");
    for set in ["in_flight=1", "transpositions=off"] {
        settings.set(set).expect("a setting");
    }
    let game = prepared.lanes(&settings);
    let mut search = Search::new(&game, &settings, 3).expect("a search");
    let report = search.run(&Budget::simulations(500)).expect("a report");
    assert_eq!((report.expansions, report.nodes), (500, 501));
    let mut search = Search::new(&game, &settings, 3).expect("a search");
    let report = search.run(&Budget::expansions(500)).expect("a report");
    assert_eq!((report.expansions, report.nodes), (500, 501));
}

#[test]
fn a_stopped_search_has_an_answer() {
    let prepared = Prepared::named("breakthrough");
    let settings = on_one_thread("uct");
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let mut search = Search::new(&prepared.lanes(&settings), &settings, 1).expect("a search");
    let report = search.run(&Budget::stopped_by(stop)).expect("a report");
    assert_eq!(report.simulations, 0);
    for role in 0..2 {
        let chosen = search.best_move(role).expect("a move");
        assert!(search.legal_moves(role).contains(&chosen));
    }
    // What was under way is called off, so it does not count as lost.
    assert!(report.roles.iter().flat_map(|role| &role.moves).all(|known| known.visits == 0));
}

#[test]
fn threads_share_a_budget_and_agree_on_a_move() {
    let prepared = Prepared::named("connect_four");
    let settings = set("uct:threads=3:parallel=root");
    let game = prepared.lanes(&settings);
    let budget = Budget::simulations(1000);
    let first = reports(&game, &settings, 7, &budget);
    assert_eq!(first[0].simulations, 1000);
    let visits: u64 = first[0].roles[0].moves.iter().map(|known| known.visits).sum();
    assert_eq!(visits, 1000);
    assert_eq!(first, reports(&game, &settings, 7, &budget), "each thread is the same every time");
}

#[test]
fn a_shared_tree_on_one_thread_is_the_usual_search() {
    for name in ["connect_four", "rock_paper_scissors", "hunter"] {
        let prepared = Prepared::named(name);
        for strategy in preset_names() {
            let usual = on_one_thread(&format!("{strategy}:parallel=root"));
            let shared = on_one_thread(&format!("{strategy}:parallel=tree"));
            let game = prepared.lanes(&usual);
            let budget = Budget::simulations(300);
            let reports = |settings| reports(&game, settings, 5, &budget);
            assert_eq!(reports(&usual), reports(&shared), "{name}, {strategy}");
        }
    }
}

#[test]
fn threads_share_a_tree() {
    let prepared = Prepared::named("connect_four");
    for (strategy, set) in [
        ("uct", "in_flight=auto"),
        ("uct", "lanes_per_leaf=8"),
        ("uct", "in_flight=100"),
        // So little room that nodes go while others' simulations are under way.
        ("uct", "memory=1"),
        ("mast", "in_flight=auto"),
        ("mc_mem", "in_flight=auto"),
    ] {
        let mut settings = self::set(strategy);
        for text in ["threads=3", "parallel=tree", set] {
            settings.set(text).expect("a setting");
        }
        let game = prepared.lanes(&settings);
        let mut search = Search::new(&game, &settings, 3).expect("a search");
        for turn in 0..3 {
            let before = search.run(&Budget::simulations(0)).expect("a report");
            let report = search.run(&Budget::simulations(9000)).expect("a report");
            assert_eq!(report.simulations, 9000, "{strategy}, {set}");
            assert!(report.expansions > 500 && report.nodes > 500, "{strategy}, {set}");
            for (role, before) in report.roles.iter().zip(&before.roles) {
                let visits = |role: &ludens::search::RoleReport| -> u64 {
                    role.moves.iter().map(|known| known.visits).sum()
                };
                assert_eq!(visits(role), visits(before) + 9000, "{strategy}, {set}, {turn}");
            }
            let joint: Option<Vec<_>> = (0..2).map(|role| search.best_move(role)).collect();
            search.advance(&joint.expect("moves")).expect("legal moves");
        }
    }
}

#[test]
fn code_that_comes_later_finds_the_same() {
    let prepared = Prepared::named("breakthrough");
    for strategy in ["uct", "mast"] {
        let settings = on_one_thread(strategy);
        let budget = Budget::simulations(500);
        let ready = reports(&prepared.lanes(&settings), &settings, 5, &budget);
        let later = prepared.lanes_later(&settings);
        assert_eq!(ready, reports(&later, &settings, 5, &budget), "{strategy}");
        let SearchGame::Lanes(program) = &later else { panic!("not on lanes") };
        while !program.is_settled() {
            std::thread::yield_now();
        }
        assert_eq!(ready, reports(&later, &settings, 5, &budget), "{strategy}, compiled");
    }
}

#[test]
fn a_program_for_other_settings_is_refused() {
    let (for_two, puzzle) = (Prepared::named("tic_tac_toe"), Prepared::named("hunter"));
    let uct = |texts: &str| on_one_thread(&format!("uct{texts}"));
    let mast = |texts: &str| on_one_thread(&format!("mast{texts}"));
    for (prepared, made_for, used_with, lacking) in [
        (&for_two, uct(""), mast(""), Some("weights of 12 bits")),
        (&for_two, mast(":weight_bits=8"), mast(""), Some("weights of 12 bits")),
        (&for_two, uct(":playout_limit=100"), uct(""), Some("4000 moves")),
        (&for_two, uct(""), uct(":playout_limit=5000"), Some("5000 moves")),
        (&puzzle, uct(":one_role=off"), uct(""), Some("a record of moves")),
        (&for_two, uct(":one_role=off"), uct(""), None),
        (&for_two, mast(""), uct(""), None),
        (&for_two, uct(""), uct(":playout_limit=100"), None),
    ] {
        let search = Search::new(&prepared.lanes(&made_for), &used_with, 1);
        match lacking {
            None => {
                let report = search.expect("a search").run(&Budget::simulations(100));
                assert_eq!(report.expect("a report").simulations, 100);
            }
            Some(what) => {
                let error = search.err().expect("an error");
                assert!(matches!(error, PlayError::UnfitProgram { .. }), "{error}");
                assert!(error.to_string().contains(what), "{error}");
            }
        }
    }
}

#[test]
fn moves_that_are_equally_good_are_equally_likely() {
    // Nothing is known before the first simulation, and nothing differs where all lose.
    let prepared = Prepared::text(
        "(role x) (init start) (<= (legal x ?a) (any ?a)) (any a) (any b) (any c)
         (<= (next over) (does x ?a)) (<= terminal (true over)) (goal x 0)",
    );
    let settings = on_one_thread("uct:one_role=off");
    let game = prepared.lanes(&settings);
    for simulations in [0, 30] {
        let mut counts = [0; 3];
        for seed in 0..300 {
            let mut search = Search::new(&game, &settings, seed).expect("a search");
            search.run(&Budget::simulations(simulations)).expect("a report");
            counts[search.best_move(0).expect("a move").index()] += 1;
        }
        assert!(counts.iter().all(|count| (60..140).contains(count)), "{counts:?}");
    }
}

#[test]
fn the_principal_line_begins_with_what_is_played() {
    for name in ["connect_four", "rock_paper_scissors", "peg_solitaire", "hunter"] {
        let prepared = Prepared::named(name);
        for strategy in preset_names() {
            for (parallel, threads) in [("tree", 1), ("root", 3)] {
                let settings = set(&format!("{strategy}:threads={threads}:parallel={parallel}"));
                let game = prepared.lanes(&settings);
                let mut search = Search::new(&game, &settings, 2).expect("a search");
                let roles = search.game().roles().len();
                // Where little is known, ties are broken at random, but once.
                for simulations in [0, 1, 30, 300, 30, 1] {
                    let report = search.run(&Budget::simulations(simulations)).expect("a report");
                    let joint: Option<Vec<_>> =
                        (0..roles).map(|role| search.best_move(role)).collect();
                    let Some(joint) = joint else {
                        assert!(report.principal_line.is_empty(), "the game is over");
                        break;
                    };
                    let spelling = |(role, &chosen)| {
                        search.game().move_spelling(role, chosen).expect("a spelling")
                    };
                    let played: Vec<String> = joint.iter().enumerate().map(spelling).collect();
                    assert_eq!(report.principal_line[0], played, "{name}, {strategy}");
                    let lines = search.best_lines(2).expect("lines");
                    let firsts: Vec<_> = lines.iter().map(|line| &line.moves[0]).collect();
                    assert!(lines.len() <= 2 && firsts.windows(2).all(|two| two[0] != two[1]));
                    search.advance(&joint).expect("legal moves");
                }
            }
        }
    }
}

#[test]
fn a_deadline_ends_a_search_that_would_go_on_for_ever() {
    use std::time::{Duration, Instant};
    let prepared = Prepared::named("breakthrough");
    let settings = set("uct");
    let shared = set("uct:threads=2:parallel=tree");
    for (settings, game) in [
        (&settings, prepared.lanes(&settings)),
        (&shared, prepared.lanes(&shared)),
        (&settings, prepared.plain()),
    ] {
        let mut search = Search::new(&game, settings, 1).expect("a search");
        let deadline = Instant::now() + Duration::from_millis(150);
        let report = search.run(&Budget::until(deadline)).expect("a report");
        let chosen = search.best_move(0).expect("a move");
        assert!(search.legal_moves(0).contains(&chosen));
        // Where the machine was busy elsewhere all the time, there may be no simulation.
        let visits: u64 = report.roles[0].moves.iter().map(|known| known.visits).sum();
        assert_eq!(visits, report.simulations, "what was under way is not counted");
        // What was called off does not come back as something else in the next search.
        search.advance(&[chosen, search.legal_moves(1)[0]]).expect("legal moves");
        let before = search.run(&Budget::simulations(0)).expect("a report");
        let after = search.run(&Budget::simulations(200)).expect("a report");
        let visits = |report: &Report| -> u64 {
            report.roles[1].moves.iter().map(|known| known.visits).sum()
        };
        assert_eq!(visits(&after), visits(&before) + 200);
    }
}

#[test]
fn idle_lanes_play_along_where_time_is_spent() {
    use std::time::Duration;
    let prepared = Prepared::named("breakthrough");
    let settings = on_one_thread("uct:in_flight=4");
    let game = prepared.lanes(&settings);
    let mut search = Search::new(&game, &settings, 1).expect("a search");
    let report = search.run(&Budget::time(Duration::from_millis(20))).expect("a report");
    assert!(report.simulations >= 8 * report.expansions, "{report}");
    let mut search = Search::new(&game, &settings, 1).expect("a search");
    let report = search.run(&Budget::simulations(200)).expect("a report");
    assert!(report.expansions > 150, "one for each simulation, but for those that meet: {report}");
}

#[test]
fn lanes_take_over_from_the_reference_reasoner() {
    let prepared = Prepared::named("connect_four");
    let settings = on_one_thread("uct");
    let mut slow = Search::new(&prepared.reference(), &settings, 1).expect("a search");
    for _ in 0..3 {
        slow.run(&Budget::simulations(3)).expect("a report");
        let joint: Option<Vec<_>> = (0..2).map(|role| slow.best_move(role)).collect();
        slow.advance(&joint.expect("moves")).expect("legal moves");
    }
    let sentences = slow.sentences().expect("sentences");
    let lanes = prepared.lanes(&settings);
    let mut quick = Search::at_sentences(&lanes, &settings, 1, &sentences).expect("a search");
    assert_eq!(quick.sentences().expect("sentences"), sentences);
    quick.run(&Budget::simulations(100)).expect("a report");
    let chosen = quick.best_move(1).expect("a move");
    let text = quick.game().move_text(1, chosen).expect("a text");
    let same = slow.game().move_of(1, &text).expect("a move");
    assert!(slow.legal_moves(1).contains(&same));
    // A search may be made in one thread and go on in another.
    fn is_send<T: Send>(_: &T) {}
    is_send(&quick);
}

#[test]
fn what_belongs_to_another_engine_is_refused() {
    let settings = on_one_thread("uct");
    let search = || {
        let game = Prepared::named("tic_tac_toe").lanes(&settings);
        (Search::new(&game, &settings, 1).expect("a search"), game)
    };
    // The same sheet, read twice.
    let ((mut own, game), (mut other, _)) = (search(), search());
    let refused = Search::at(&game, &settings, 1, other.state()).err();
    assert_eq!(refused, Some(PlayError::Foreign(ForeignError::State)));
    let joint = vec![other.legal_moves(0)[0], other.legal_moves(1)[0]];
    assert_eq!(own.advance(&joint), Err(PlayError::Foreign(ForeignError::Move)));
    let sentences = other.sentences().expect("its own state");
    assert!(Search::at_sentences(&game, &settings, 1, &sentences).is_ok());
    let joint = vec![own.legal_moves(0)[0], own.legal_moves(1)[0]];
    own.advance(&joint).expect("its own moves");
}
