//! Which scheme `auto` chooses: by evidence, the same for the same seed, and never without any.

use std::sync::Arc;
use std::time::Duration;

use ludens::search::{ChoiceEffort, ChoiceReport, Chooser, GameFor, Settings};

use super::games::{Prepared, on_one_thread};

/// A choice for a game by so much effort.
fn choose(
    game: &str,
    strategy: &str,
    effort: ChoiceEffort,
    seed: u64,
) -> (ChoiceReport, Option<String>) {
    let prepared = Arc::new(Prepared::named(game));
    let settings = on_one_thread(strategy);
    let lanes = prepared.lanes(&settings);
    let games: GameFor = Arc::new(move |settings: &Settings| Ok(prepared.lanes(settings)));
    let mut chooser = Chooser::new(&lanes, &settings, games, seed).expect("a choice");
    chooser.go_on(effort, &|| true).expect("games");
    let winner = chooser.winner().map(|(settings, _)| settings.scheme.name().to_string());
    (chooser.report(), winner)
}

#[test]
fn a_candidate_that_is_much_better_is_chosen() {
    // MAST has 94 % of the points against UCT at 300 simulations, and 85 % at 1,000; n-grams have more.
    let (report, winner) =
        choose("knightthrough", "auto:in_flight=8", ChoiceEffort::Simulations(1_000_000), 1);
    let winner = winner.expect("one of them is better");
    assert!(["mast", "nst"].iter().any(|policy| winner.contains(policy)), "{report}");
    assert_eq!(report.scheme.name(), winner);
    assert_eq!(report.base.name(), "uct+solver");
    let best = report.evidence.iter().rfind(|one| one.scheme == report.scheme);
    let best = best.expect("a final");
    assert!(best.games == 72 && best.interval[0] > 50.0, "{report}");
    assert!(!report.profile.is_simultaneous && report.profile.constant_sum == Some(100.0));
}

#[test]
fn the_same_seed_and_effort_choose_the_same_by_the_same_evidence() {
    let of = |seed| {
        let (report, winner) =
            choose("tic_tac_toe", "auto", ChoiceEffort::Simulations(60_000), seed);
        (report.evidence, report.games, report.simulations, winner)
    };
    let first = of(7);
    assert!(first.1 >= 96, "all candidates have played: {first:?}");
    assert_eq!(first.3, None, "everybody draws");
    assert_eq!(of(7), first);
    assert_ne!(of(8).0, first.0);
}

#[test]
fn without_time_for_games_the_base_plays() {
    for effort in [ChoiceEffort::Simulations(1000), ChoiceEffort::Time(Duration::from_millis(1))] {
        let (report, winner) = choose("breakthrough", "auto", effort, 1);
        assert_eq!((winner, report.games), (None, 0), "{effort:?}");
        assert_eq!(report.scheme.name(), "uct+solver");
        assert_eq!(report.notice.as_deref(), Some("too little time for contests"));
    }
}

#[test]
fn contests_that_are_broken_off_go_on_in_the_next_turn() {
    let prepared = Arc::new(Prepared::named("connect_four"));
    let settings = on_one_thread("auto");
    let lanes = prepared.lanes(&settings);
    let games: GameFor = Arc::new(move |settings: &Settings| Ok(prepared.lanes(settings)));
    let mut chooser = Chooser::new(&lanes, &settings, games, 3).expect("a choice");
    // Stopped before anything, the plan is made and nothing is played.
    let effort = ChoiceEffort::Simulations(200_000);
    chooser.go_on(effort, &|| false).expect("no games");
    assert_eq!((chooser.report().games, chooser.is_over()), (0, false));
    while !chooser.is_over() {
        chooser.go_on(effort, &|| true).expect("games");
    }
    assert!(chooser.report().games >= 96, "{}", chooser.report());
    assert_eq!(chooser.report().notice, None);
}

#[test]
fn alone_there_is_nothing_to_choose() {
    let (report, winner) = choose("eight_puzzle", "auto", ChoiceEffort::Simulations(1_000_000), 1);
    assert_eq!((winner, report.games, report.profile.roles), (None, 0, 1));
}
