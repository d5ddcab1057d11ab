//! How far a run is, and how long it will take, on standard error.
//!
//! On a terminal one line is kept up to date; elsewhere each cell that is over is a line.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// What is played, and how long games took so far.
pub(super) struct Progress {
    /// By game: games to be played in cells that have not begun.
    left: BTreeMap<String, usize>,
    /// By game: games of cells that are over, and their seconds.
    over: BTreeMap<String, (usize, f64)>,
    /// The cell that is played: its path, its game, its games, when it began.
    cell: (String, String, usize, Instant),
    played: AtomicUsize,
    is_terminal: bool,
}

impl Progress {
    /// Nothing is planned yet. Tells what was found in the records.
    pub(super) fn new(warnings: &[String]) -> Self {
        let progress = Progress {
            left: BTreeMap::new(),
            over: BTreeMap::new(),
            cell: (String::new(), String::new(), 0, Instant::now()),
            played: AtomicUsize::new(0),
            is_terminal: std::io::stderr().is_terminal(),
        };
        warnings.iter().for_each(|warning| show(&format!("{warning}\n")));
        progress
    }

    /// Games that will be played.
    pub(super) fn plan(&mut self, game: &str, count: usize) {
        *self.left.entry(game.to_string()).or_default() += count;
    }

    /// A cell begins.
    pub(super) fn begin(&mut self, path: &str, game: &str, count: usize) {
        if let Some(left) = self.left.get_mut(game) {
            *left = left.saturating_sub(count);
        }
        self.cell = (path.to_string(), game.to_string(), count, Instant::now());
        self.played.store(0, Ordering::Relaxed);
    }

    /// A game is over.
    pub(super) fn count(&self) {
        let played = self.played.fetch_add(1, Ordering::Relaxed) + 1;
        if self.is_terminal {
            let (path, _, count, start) = &self.cell;
            let elapsed = start.elapsed().as_secs_f64();
            let here = elapsed / played as f64 * count.saturating_sub(played) as f64;
            let left = duration(here + self.seconds_after((played, elapsed)));
            show(&format!("\r{path}: {played} of {count} games, {left} left in all    "));
        }
    }

    /// The cell is over, after this many games.
    pub(super) fn end(&mut self, count: usize) {
        let (path, game, _, start) = &self.cell;
        let elapsed = start.elapsed().as_secs_f64();
        let (games, seconds) = self.over.entry(game.clone()).or_default();
        *games += count;
        *seconds += elapsed;
        let left = duration(self.seconds_after((0, 0.0)));
        let begin = if self.is_terminal { "\r" } else { "" };
        let took = duration(elapsed);
        show(&format!("{begin}{path}: {count} games in {took}, {left} left in all    \n"));
    }

    /// The seconds that later cells will take: by what games of the same sheet took, or else by what
    /// all took. The cell that is played adds what it has shown so far.
    fn seconds_after(&self, current: (usize, f64)) -> f64 {
        let now = [(&self.cell.1, &current)];
        let all = || self.over.iter().chain(now);
        let mean = |of: Option<&str>| {
            let chosen = all().filter(|(game, _)| of.is_none_or(|of| of == *game));
            let sum = chosen.fold((0, 0.0), |sum, (_, own)| (sum.0 + own.0, sum.1 + own.1));
            (sum.0 > 0).then(|| sum.1 / sum.0 as f64)
        };
        let own = |game: &str| mean(Some(game)).or_else(|| mean(None)).unwrap_or(0.0);
        self.left.iter().map(|(game, &count)| own(game) * count as f64).sum()
    }
}

/// Seconds for people.
fn duration(seconds: f64) -> String {
    match seconds {
        under if under < 100.0 => format!("{under:.0} s"),
        under if under < 6000.0 => format!("{:.0} min", under / 60.0),
        more => format!("{:.1} h", more / 3600.0),
    }
}

/// What cannot be shown is not missed.
fn show(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_is_that_of_the_same_game_where_it_is_known() {
        let mut progress = Progress::new(&[]);
        progress.plan("chess", 10);
        progress.plan("hex", 4);
        progress.begin("chess/a/b", "chess", 5);
        assert_eq!(progress.seconds_after((0, 0.0)), 0.0, "nothing is known");
        progress.over.insert("chess".to_string(), (5, 50.0));
        assert_eq!(progress.seconds_after((0, 0.0)), 90.0, "5 of chess, and 4 like them");
        progress.over.insert("hex".to_string(), (10, 10.0));
        assert_eq!(progress.seconds_after((0, 0.0)), 54.0);
        assert_eq!(duration(54.0), "54 s");
        assert_eq!(duration(5400.0), "90 min");
        assert_eq!(duration(36_000.0), "10.0 h");
    }
}
