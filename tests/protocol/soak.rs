//! Many matches at once, for a while: none is lost, and memory does not grow.
//!
//! A few seconds, or as many as `SOAK_SECONDS` says.

use std::time::{Duration, Instant};
use std::{env, thread};

use propnet::game::{Game, Move};
use propnet::gdl::Source;
use propnet::reference::{self, Reasoner};
use rand::SeedableRng;
use rand_pcg::Pcg64;

use crate::serve::{Served, sheet};
use crate::support;

/// The games that are played all the time, and the role that the process has.
const GAMES: [(&str, &str); 4] = [
    ("tic_tac_toe", "x"),
    ("connect_four", "red"),
    ("lights_out", "player"),
    ("three_player_tic_tac_toe", "green"),
];

#[test]
fn many_matches_at_once_lose_nothing_and_hold_on_to_nothing() {
    let seconds = env::var("SOAK_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(12);
    let out = tempfile::tempdir().expect("a folder");
    let folder = out.path().display().to_string();
    let matches = GAMES.len().to_string();
    let player = Served::start(&["--matches", &matches, "--simulations", "30", "--out", &folder]);
    let begun = Instant::now();
    let end = begun + Duration::from_secs(seconds);
    let (played, figures) = thread::scope(|scope| {
        let players: Vec<_> = (0..GAMES.len())
            .map(|at| {
                let player = &player;
                scope.spawn(move || keep_playing(player, at, end))
            })
            .collect();
        // What is held when all games have been met, and at the end.
        let figures = [3, 1].map(|left| {
            let moment = end - Duration::from_secs(seconds) * left / 4;
            thread::sleep(moment.saturating_duration_since(Instant::now()));
            [player.figure("VmRSS"), player.figure("Threads")]
        });
        let played: usize = players.into_iter().map(|one| one.join().expect("no panic")).sum();
        (played, figures)
    });
    support::note(&format!("soak: {played} matches in {seconds} s; kB and threads {figures:?}"));
    assert!(played >= GAMES.len(), "every game was played");
    let [before, after] = figures;
    assert!(after[0] < before[0] + before[0] / 4 + (16 << 10), "memory grows: {figures:?} kB");
    assert!(after[1] < before[1] + 32, "threads stay: {figures:?}");
    assert_eq!(player.say("(info)"), "((name ludens) (status available))");
    let records = std::fs::read_dir(out.path()).expect("a folder");
    let records = records.filter(|entry| {
        let path = entry.as_ref().expect("an entry").path();
        path.extension().is_some_and(|kind| kind == "json")
    });
    assert_eq!(records.count(), played, "every match was written down");
}

/// Plays one game again and again; how often.
fn keep_playing(player: &Served, at: usize, end: Instant) -> usize {
    let (name, role) = GAMES[at];
    let text = sheet(name);
    let rules = reference::load(Source::from_text(name, &text)).expect("a sheet of our own");
    let mut game = Reasoner::new(&rules);
    let mut rng = Pcg64::seed_from_u64(at as u64);
    let mut played = 0;
    while Instant::now() < end {
        play(player, &mut game, &text, role, &format!("{name}.{played}"), &mut rng);
        played += 1;
    }
    played
}

/// Plays one match against random players; all that the process says must be right.
fn play(player: &Served, game: &mut Reasoner, sheet: &str, role: &str, id: &str, rng: &mut Pcg64) {
    let own = game.roles().iter().position(|known| known == role).expect("a role");
    assert_eq!(player.say(&format!("(start {id} {role} ({sheet}\n) 60 60)")), "ready", "{id}");
    let mut state = game.initial_state().expect("a state");
    let mut previous = "nil".to_string();
    while !game.is_terminal(&state).expect("an answer") {
        let answer = player.say(&format!("(play {id} {previous})"));
        let chosen = game.move_of(own, &answer);
        let chosen = chosen.unwrap_or_else(|error| panic!("{id}: {error}"));
        let mut given = vec![None; game.roles().len()];
        given[own] = Some(chosen);
        let joint = game.complete_joint_move(&state, &given, rng).expect("legal moves");
        state = game.next_state(&state, &joint).unwrap_or_else(|error| panic!("{id}: {error}"));
        let texts =
            joint.iter().enumerate().map(|(role, &one): (usize, &Move)| game.move_text(role, one));
        previous = format!("({})", texts.collect::<Vec<_>>().join(" "));
    }
    assert_eq!(player.say(&format!("(stop {id} {previous})")), "done", "{id}");
}
