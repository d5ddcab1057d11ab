//! The best line that any method has found, and the score that none can exceed.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::{Duration, Instant};

/// What is known, shared by all methods.
pub struct Best {
    line: Mutex<Option<FoundLine>>,
    score: AtomicI64,
    bound: AtomicI64,
    proven_by: Mutex<Option<&'static str>>,
    stopped: AtomicBool,
    begin: Instant,
}

/// A line to the end of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundLine {
    /// The moves, by their index.
    pub moves: Vec<u32>,
    /// What it scores.
    pub score: i32,
    /// The method that found it.
    pub found_by: &'static str,
    /// When, from the beginning of the search.
    pub after: Duration,
}

impl Best {
    /// Nothing is known but the highest goal of the rules.
    pub fn new(highest: i32) -> Self {
        Best {
            line: Mutex::new(None),
            score: AtomicI64::new(i64::MIN),
            bound: AtomicI64::new(i64::from(highest)),
            proven_by: Mutex::new(None),
            stopped: AtomicBool::new(false),
            begin: Instant::now(),
        }
    }

    /// What is known from a search of a state before: no line scores more than a bound, and
    /// perhaps a line.
    pub fn resume(bound: i32, line: Option<FoundLine>) -> Self {
        let best = Best::new(bound);
        let score = line.as_ref().map_or(i64::MIN, |line| i64::from(line.score));
        Best { line: Mutex::new(line), score: AtomicI64::new(score), ..best }
    }

    /// The score of the best line.
    pub fn score(&self) -> Option<i32> {
        i32::try_from(self.score.load(Ordering::Acquire)).ok()
    }

    /// No line scores more than this.
    pub fn bound(&self) -> i32 {
        i32::try_from(self.bound.load(Ordering::Acquire)).unwrap_or(i32::MIN)
    }

    /// Whether the best line is proven to be the best there is.
    pub fn is_proven(&self) -> bool {
        self.score.load(Ordering::Acquire) >= self.bound.load(Ordering::Acquire)
    }

    /// Whether a line with this score would be news.
    pub fn is_better(&self, score: i32) -> bool {
        i64::from(score) > self.score.load(Ordering::Acquire)
    }

    /// Takes a line if it is better than the one that is known. Says whether it is.
    pub fn offer(&self, moves: Vec<u32>, score: i32, found_by: &'static str) -> bool {
        let Ok(mut line) = self.line.lock() else { return false };
        if line.as_ref().is_some_and(|line| line.score >= score) {
            return false;
        }
        *line = Some(FoundLine { moves, score, found_by, after: self.begin.elapsed() });
        self.score.store(i64::from(score), Ordering::Release);
        true
    }

    /// Notes a proof that no line scores more than this.
    pub fn prove(&self, bound: i32, proven_by: &'static str) {
        if self.bound.fetch_min(i64::from(bound), Ordering::AcqRel) > i64::from(bound)
            && let Ok(mut by) = self.proven_by.lock()
        {
            *by = Some(proven_by);
        }
    }

    /// The best line.
    pub fn line(&self) -> Option<FoundLine> {
        self.line.lock().map_or(None, |line| line.clone())
    }

    /// Who lowered the bound last.
    pub fn proven_by(&self) -> Option<&'static str> {
        self.proven_by.lock().map_or(None, |by| *by)
    }

    /// Ends the search.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
    }

    /// Whether there is nothing left to do.
    pub fn is_over(&self) -> bool {
        self.stopped.load(Ordering::Acquire) || self.is_proven()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_better_lines_and_lower_bounds_count() {
        let best = Best::new(100);
        assert!(best.score().is_none() && !best.is_proven());
        assert!(best.offer(vec![1], 0, "one") && !best.offer(vec![2], 0, "two"));
        assert!(best.offer(vec![3, 4], 40, "three") && !best.is_better(40));
        best.prove(60, "four");
        best.prove(80, "five");
        assert_eq!((best.bound(), best.proven_by(), best.is_over()), (60, Some("four"), false));
        best.prove(40, "six");
        assert!(best.is_proven() && best.is_over());
        assert_eq!(
            best.line().map(|line| (line.moves, line.found_by)),
            Some((vec![3, 4], "three"))
        );
        let later = Best::resume(60, best.line());
        assert!(!later.is_better(40) && !later.is_proven());
        assert!(later.offer(vec![5], 60, "seven") && later.is_proven());
    }
}
