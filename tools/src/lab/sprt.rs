//! Plays cells no longer than it takes to know whether the first side is better.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;

use super::experiment::Experiment;
use super::records::{GameRecord, Records};
use super::run::{RunOptions, run_until};
use super::score::points;
use super::sequential::{Hypotheses, SequentialTest, Verdict};

/// Tests all cells that the options accept, and says what was found. Games are recorded, and those that
/// are recorded already are not played again.
pub(super) fn sprt(
    experiment: &Experiment,
    out: &Path,
    options: &RunOptions,
    hypotheses: Hypotheses,
) -> Result<String> {
    let mut text = String::new();
    for cell in experiment.cells.iter().filter(|cell| options.accepts(cell)) {
        let own = Experiment { cells: vec![cell.clone()], ..experiment.clone() };
        let mut test = InOrder { test: SequentialTest::new(hypotheses), early: BTreeMap::new() };
        let mut add = |record: GameRecord| {
            test.add(record.number, points(cell, &record) / 100.0) == Verdict::Open
        };
        let known = Records::read(&own, &[out.to_path_buf()])?.cells.concat();
        // All are added: an early verdict stays what it is.
        let is_open = known.into_iter().fold(true, |_, record| add(record));
        if is_open {
            run_until(&own, out, options, &mut add)?;
        }
        let (low, high) = hypotheses.bounds();
        let SequentialTest { ratio, games, .. } = test.test;
        let what = match test.test.verdict() {
            Verdict::Better => format!("better: {:.1} % of the points", 100.0 * hypotheses.better),
            Verdict::NotBetter => {
                format!("not better: {:.1} % of the points", 100.0 * hypotheses.null)
            }
            Verdict::Open => "open: more games are needed".to_string(),
        };
        text += &format!(
            "{}: {what} (log likelihood ratio {ratio:.2} in {low:.2} to {high:.2}, {games} games)\n",
            cell.path()
        );
    }
    Ok(text)
}

/// A test that takes games in the order of their numbers, whenever they end: short games end sooner, and
/// a test of what ends first would be about those.
struct InOrder {
    test: SequentialTest,
    /// Games that wait for one before them.
    early: BTreeMap<u64, f64>,
}

impl InOrder {
    fn add(&mut self, number: u64, points: f64) -> Verdict {
        self.early.insert(number, points);
        while self.test.verdict() == Verdict::Open
            && let Some(points) = self.early.remove(&self.test.games)
        {
            self.test.add(points);
        }
        self.test.verdict()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_count_in_the_order_of_their_numbers() {
        let hypotheses = Hypotheses { null: 0.5, better: 0.6, alpha: 0.05, beta: 0.05 };
        let mut test = InOrder { test: SequentialTest::new(hypotheses), early: BTreeMap::new() };
        for number in (1..17).rev() {
            test.add(number, 1.0);
            assert_eq!(test.test.games, 0, "the first is not over");
        }
        assert_eq!(test.add(0, 1.0), Verdict::Better);
        assert_eq!(test.test.games, 17);
    }
}
