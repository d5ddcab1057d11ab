//! Many matches at once, for a while: none is lost, and memory does not grow.
//!
//! A minute, or as many seconds as `SOAK_SECONDS` says.

use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::{Duration, Instant};
use std::{env, thread};

use ludens::record::MatchRecord;
use propnet::game::{Game, Move};
use propnet::gdl::Source;
use propnet::reference::{self, Reasoner};
use rand::SeedableRng;
use rand_pcg::Pcg64;
use serde_json::Value;

use super::matches::records;
use super::serve::{Served, sheet};
use crate::support;

/// How matches are played.
struct Soak {
    /// The games that are played all the time, and the role that the process has.
    games: &'static [(&'static str, &'static str)],
    /// How the process plays.
    arguments: &'static [&'static str],
    /// Start clock and play clock.
    clocks: &'static str,
    /// The time between an answer and the next question.
    pause: Duration,
    /// The kilobytes by which the process may grow, however many matches it plays.
    slack: u64,
}

#[test]
fn many_matches_at_once_lose_nothing_and_hold_on_to_nothing() {
    let (counted, clocked) = thread::scope(|scope| {
        let counted = scope.spawn(|| COUNTED.run());
        let clocked = scope.spawn(|| CLOCKED.run());
        (counted.join(), clocked.join())
    });
    counted.expect("matches with a budget go well");
    let records = clocked.expect("matches with clocks go well");
    assert!(records.iter().any(was_pondered), "nobody thinks between messages");
}

/// As many matches as there is time for.
const COUNTED: Soak = Soak {
    games: &[
        ("tic_tac_toe", "x"),
        ("connect_four", "red"),
        ("lights_out", "player"),
        ("three_player_tic_tac_toe", "green"),
    ],
    arguments: &["--simulations", "30", "--lanes", "64", "--backend", "portable"],
    clocks: "60 60",
    pause: Duration::ZERO,
    slack: 3 << 10,
};

/// Matches that are thought about between messages, on the code that users have.
const CLOCKED: Soak = Soak {
    games: &[("tic_tac_toe", "o"), ("lights_out", "player"), ("three_player_tic_tac_toe", "red")],
    // The margin is as long as it may be: the machine may have other things to do.
    arguments: &["--set", "margin=1000", "--set", "memory=4"],
    clocks: "2 1",
    pause: Duration::from_millis(150),
    // The trees, which may be small or large at any moment.
    slack: (3 * 4 + 4) << 10,
};

/// Whether a tree has grown more between two answers than in the search for the second.
fn was_pondered(record: &MatchRecord) -> bool {
    let own = |reports: &Vec<Option<Value>>| reports.iter().flatten().next().cloned();
    let reports: Vec<Value> = record.reports.iter().filter_map(own).collect();
    let figure = |report: &Value, name: &str| report[name].as_u64().expect("a figure");
    reports.windows(2).any(|pair| {
        figure(&pair[1], "nodes") > figure(&pair[0], "nodes") + figure(&pair[1], "expansions")
    })
}

/// So often figures are read.
const LOOKS: u32 = 40;

/// The kilobytes by which the process may grow with each match. Its sheet alone takes more.
const SLACK_PER_MATCH: u64 = 2;

/// Kilobytes, threads, and the matches played so far.
type Figures = [u64; 3];

/// A figure that goes up and down with the matches: the median when all games had been met, and the
/// one at the end.
#[derive(Debug)]
struct Growth {
    before: u64,
    after: u64,
}

impl Growth {
    fn of(figures: &[Figures], what: usize) -> Self {
        let quarter = figures.len() / 4;
        let median = |part: &[Figures]| {
            let mut of: Vec<u64> = part.iter().map(|one| one[what]).collect();
            of.sort_unstable();
            of[of.len() / 2]
        };
        let before = median(&figures[quarter..2 * quarter]);
        Growth { before, after: median(&figures[3 * quarter..]) }
    }
}

impl Soak {
    /// Plays for a while, and gives the records of all matches.
    fn run(&self) -> Vec<MatchRecord> {
        let text = env::var("SOAK_SECONDS").ok();
        let seconds = text.and_then(|text| text.parse().ok()).unwrap_or(60);
        let out = tempfile::tempdir().expect("a folder");
        let folder = out.path().display().to_string();
        let matches = self.games.len().to_string();
        let places = ["--matches", &matches, "--out", &folder];
        let player = Served::start_as_usual(&[&places, self.arguments].concat());
        let end = Instant::now() + Duration::from_secs(seconds);
        let played = AtomicU64::default();
        let figures = thread::scope(|scope| {
            let (player, played) = (&player, &played);
            let play = |at| scope.spawn(move || self.keep_playing(player, at, end, played));
            let players: Vec<_> = (0..self.games.len()).map(play).collect();
            let look = |at| {
                let moment = end - Duration::from_secs(seconds) * (LOOKS - at) / LOOKS;
                thread::sleep(moment.saturating_duration_since(Instant::now()));
                [player.figure("VmRSS"), player.figure("Threads"), played.load(SeqCst)]
            };
            let figures: Vec<Figures> = (1..LOOKS).map(look).collect();
            players.into_iter().for_each(|one| one.join().expect("no panic"));
            figures
        });
        let played = played.load(SeqCst) as usize;
        let [bytes, threads, matches] = [0, 1, 2].map(|what| Growth::of(&figures, what));
        let slack = self.slack + SLACK_PER_MATCH * (matches.after - matches.before);
        support::note(&format!(
            "soak: {played} matches in {seconds} s; kB {bytes:?}, threads {threads:?}"
        ));
        assert!(played >= self.games.len(), "every game was played");
        assert!(bytes.after < bytes.before + slack, "memory grows: {figures:?}");
        assert!(threads.after < threads.before + 8, "threads stay: {figures:?}");
        assert_eq!(player.say("(info)"), "((name ludens) (status available))");
        let records = records(out.path());
        assert_eq!(records.len(), played, "every match was written down");
        assert!(records.iter().all(|record| record.is_completed), "every match came to its end");
        records
    }

    /// Plays one game again and again, and counts the matches.
    fn keep_playing(&self, player: &Served, at: usize, end: Instant, played: &AtomicU64) {
        let (name, role) = self.games[at];
        let text = sheet(name);
        let rules = reference::load(Source::from_text(name, &text)).expect("a sheet of our own");
        let mut game = Reasoner::new(&rules);
        let mut rng = Pcg64::seed_from_u64(at as u64);
        for number in 0.. {
            if Instant::now() >= end {
                break;
            }
            let id = format!("{name}.{number}");
            let start = format!("(start {id} {role} ({text}\n) {})", self.clocks);
            assert_eq!(player.say(&start), "ready", "{id}");
            self.play(player, &mut game, role, &id, &mut rng);
            played.fetch_add(1, SeqCst);
        }
    }

    /// Plays one match against random players; all that the process says must be right.
    fn play(&self, player: &Served, game: &mut Reasoner, role: &str, id: &str, rng: &mut Pcg64) {
        let own = game.roles().iter().position(|known| known == role).expect("a role");
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
            let text = |(role, &one): (usize, &Move)| game.move_text(role, one).expect("a text");
            previous =
                format!("({})", joint.iter().enumerate().map(text).collect::<Vec<_>>().join(" "));
            thread::sleep(self.pause);
        }
        assert_eq!(player.say(&format!("(stop {id} {previous})")), "done", "{id}");
    }
}
