//! The answers of all workers to one question: which counts, and when no more are needed.

use super::turn::{Origin, SearchAnswer};

/// What was answered so far.
#[derive(Default)]
pub(super) struct Answers {
    /// The best answer of a search.
    search: Option<SearchAnswer>,
    /// The line of a puzzle.
    line: Option<SearchAnswer>,
    /// Whether the search that counts has ended.
    is_searched: bool,
}

impl Answers {
    /// Takes an answer. `is_ready` says whether a search on the circuit has begun: that one counts
    /// then.
    pub(super) fn add(&mut self, answer: SearchAnswer, is_ready: bool) {
        if answer.origin == Origin::Puzzle {
            self.line = Some(answer);
            return;
        }
        let counts = answer.origin == Origin::Circuit || !is_ready;
        self.is_searched |= answer.is_final && counts;
        if self.search.as_ref().is_none_or(|search| weight(&answer) >= weight(search)) {
            self.search = Some(answer);
        }
    }

    /// Whether the answer is known. A game for one role waits for its puzzle as well, unless one of
    /// both has found all there is, or there is nothing to choose.
    pub(super) fn are_enough(&self, has_puzzle: bool) -> bool {
        if self.line.as_ref().is_some_and(SearchAnswer::is_settled) {
            return true;
        }
        let is_clear = |search: &SearchAnswer| search.is_settled() || has_one_move(search);
        let is_last = self.line.as_ref().is_some_and(|line| line.is_final);
        self.is_searched && (!has_puzzle || is_last || self.search.as_ref().is_some_and(is_clear))
    }

    /// The answer that counts: the line with the highest score, in a game for one role.
    pub(super) fn best(self) -> Option<SearchAnswer> {
        let Some((line, found)) = self.line.and_then(|line| {
            let found = line.report.as_ref()?.found_line.clone()?;
            Some((line, *found))
        }) else {
            return self.search.map(as_fallback);
        };
        let Some(search) = self.search else { return Some(line) };
        if !found.is_proven && search.known_score() > line.known_score() {
            return Some(as_fallback(search));
        }
        let report = match (search.report, line.report) {
            (Some(searched), Some(report)) => {
                let moves = report.principal_line.into_iter().flatten().collect();
                Some(searched.following(found, moves))
            }
            (_, report) => report,
        };
        Some(SearchAnswer { report, ..line })
    }
}

/// A preliminary answer does not come from a finished search.
fn as_fallback(answer: SearchAnswer) -> SearchAnswer {
    match answer.report {
        Some(_) => answer,
        None => SearchAnswer { origin: Origin::Fallback, ..answer },
    }
}

/// Answers with more simulations have more weight; of two preliminary answers the later one wins.
fn weight(answer: &SearchAnswer) -> u64 {
    answer.report.as_ref().map_or(0, |report| report.simulations + 1)
}

/// Whether the search had nothing to choose.
fn has_one_move(answer: &SearchAnswer) -> bool {
    let roles = answer.report.iter().flat_map(|report| &report.roles);
    roles.map(|role| role.moves.len()).max() == Some(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{LineReport, Report, Scheme};

    /// The answer of a worker that knows a line with this score.
    fn answer(origin: Origin, text: &str, score: i32, bound: i32) -> SearchAnswer {
        let is_proven = score >= bound;
        let line = LineReport { score, moves: 1, found_by: "sat", bound, is_proven };
        let report =
            Report::of_line(Scheme::default(), "a".to_string(), line, vec![text.to_string()]);
        let report = match origin {
            Origin::Puzzle => report,
            _ => Report { found_line: None, ..report },
        };
        SearchAnswer { origin, text: Some(text.to_string()), report: Some(report), is_final: true }
    }

    fn chosen(answers: Vec<SearchAnswer>) -> (String, Origin, bool) {
        let mut all = Answers::default();
        answers.into_iter().for_each(|answer| all.add(answer, true));
        let best = all.best().expect("an answer");
        let report = best.report.expect("a report");
        assert_eq!(report.best_move(0), best.text.as_deref());
        (best.text.unwrap_or_default(), best.origin, report.found_line.is_some())
    }

    #[test]
    fn the_line_with_the_highest_score_counts() {
        let searched = || answer(Origin::Circuit, "left", 60, 100);
        let line = |score, bound| answer(Origin::Puzzle, "right", score, bound);
        for (score, bound, text, origin) in [
            (50, 100, "left", Origin::Circuit),
            (60, 100, "right", Origin::Puzzle),
            (70, 100, "right", Origin::Puzzle),
            (50, 50, "right", Origin::Puzzle),
        ] {
            let expected = (text.to_string(), origin, origin == Origin::Puzzle);
            assert_eq!(chosen(vec![searched(), line(score, bound)]), expected, "{score} {bound}");
            assert_eq!(chosen(vec![line(score, bound), searched()]), expected, "{score} {bound}");
        }
    }

    #[test]
    fn a_proven_line_needs_no_search_and_others_wait_for_both() {
        let mut all = Answers::default();
        all.add(answer(Origin::Puzzle, "right", 70, 100), false);
        assert!(!all.are_enough(true));
        all.add(answer(Origin::Puzzle, "right", 100, 100), false);
        assert!(all.are_enough(true));
        // The report names one move only, so nothing is to be chosen.
        let mut all = Answers::default();
        all.add(answer(Origin::Circuit, "left", 60, 100), true);
        assert!(all.are_enough(true) && all.are_enough(false));
        let mut two = answer(Origin::Circuit, "left", 60, 100);
        if let Some(report) = &mut two.report {
            let first = report.roles[0].moves[0].clone();
            report.roles[0].moves.push(first);
        }
        let mut all = Answers::default();
        all.add(two, true);
        assert!(!all.are_enough(true) && all.are_enough(false));
        all.add(answer(Origin::Puzzle, "right", 70, 100), true);
        assert!(all.are_enough(true));
    }
}
