//! Statistics of playouts, for a reader.

use std::io::{self, Write};

use ludens::playouts::{Lengths, RoleGoals};

use super::output;
use super::playouts::PlayoutsDocument;

/// The most values of a distribution.
const VALUES: usize = 12;

/// The most rows of a histogram.
const ROWS: usize = 24;

/// The width of its longest bar.
const BAR: f64 = 50.0;

/// Writes everything.
pub(crate) fn write(out: &mut dyn Write, document: &PlayoutsDocument) -> io::Result<()> {
    let statistics = &document.statistics;
    writeln!(
        out,
        "{}: {}, seed {}",
        document.game,
        output::count(statistics.playouts, "playout"),
        document.seed
    )?;
    write_goals(out, &statistics.goals)?;
    write_lengths(out, &statistics.lengths)?;
    if statistics.stuck > 0 {
        writeln!(
            out,
            "stuck: {}: a role had no legal move though the game was not over",
            output::count(statistics.stuck, "playout")
        )?;
    }
    if statistics.cut > 0 {
        writeln!(
            out,
            "cut: {} after {} joint moves; --limit allows more",
            output::count(statistics.cut, "playout"),
            document.limit
        )?;
    }
    write_speed(out, document)
}

fn write_goals(out: &mut dyn Write, goals: &[RoleGoals]) -> io::Result<()> {
    let names = goals.iter().map(|goals| goals.role.chars().count());
    let width = names.max().unwrap_or(0).max("role".len());
    writeln!(out, "\n{:<width$}  mean goal  std error  goals", "role")?;
    for goals in goals {
        let number = |number: Option<f64>, decimals: usize| match number {
            Some(number) => format!("{number:.decimals$}"),
            None => "-".to_string(),
        };
        writeln!(
            out,
            "{:<width$}  {:>9}  {:>9}  {}",
            goals.role,
            number(goals.mean, 2),
            number(goals.standard_error, 3),
            distribution(goals)
        )?;
        if goals.missing != 0 {
            writeln!(out, "{:<width$}  some ends have no goal for this role, or several", "")?;
        }
    }
    Ok(())
}

/// The most frequent values, in ascending order.
fn distribution(goals: &RoleGoals) -> String {
    let mut often: Vec<usize> = (0..goals.distribution.len()).collect();
    often.sort_by_key(|&at| std::cmp::Reverse(goals.distribution[at].playouts));
    often.truncate(VALUES);
    often.sort_unstable();
    let share = |at: usize| {
        let share = &goals.distribution[at];
        format!("{}: {:.2} %", share.value, 100.0 * share.share)
    };
    let mut shares: Vec<String> = often.into_iter().map(share).collect();
    if goals.distribution.len() > VALUES {
        let rarer = goals.distribution.len() - VALUES;
        shares.push(format!("and {}", output::count(rarer as u64, "rarer one")));
    }
    shares.join(", ")
}

fn write_lengths(out: &mut dyn Write, lengths: &Lengths) -> io::Result<()> {
    let (Some(mean), Some(min), Some(max)) = (lengths.mean, lengths.min, lengths.max) else {
        return Ok(());
    };
    let error = lengths.standard_error.unwrap_or_default();
    writeln!(out, "\nlength: mean {mean:.2} (std error {error:.3}), from {min} to {max}")?;
    let rows = histogram(&lengths.counts, min as usize, max as usize);
    let most = rows.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1) as f64;
    let all: u64 = rows.iter().map(|(_, count)| count).sum();
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, count) in &rows {
        let bar = "#".repeat((BAR * *count as f64 / most).round() as usize);
        let share = 100.0 * *count as f64 / all as f64;
        writeln!(out, "  {name:>width$}  {share:>6.2} %  {bar}")?;
    }
    Ok(())
}

/// Counts of lengths, in ranges if there are too many to show.
fn histogram(counts: &[u64], min: usize, max: usize) -> Vec<(String, u64)> {
    let together = (max - min + 1).div_ceil(ROWS);
    let row = |from: usize| {
        let to = (from + together - 1).min(max);
        let name = if from == to { from.to_string() } else { format!("{from}-{to}") };
        (name, counts[from..=to].iter().sum())
    };
    (min..=max).step_by(together).map(row).collect()
}

fn write_speed(out: &mut dyn Write, document: &PlayoutsDocument) -> io::Result<()> {
    writeln!(
        out,
        "\n{:.2} s, {} playouts/s, {} per CPU second ({}, {} lanes, {})",
        document.seconds,
        output::short(document.playouts_per_second),
        output::short(document.playouts_per_cpu_second),
        document.backend,
        document.lanes,
        output::count(document.threads as u64, "thread"),
    )
}

#[cfg(test)]
mod tests {
    use ludens::playouts::GoalShare;

    use super::*;

    #[test]
    fn rare_goals_are_left_out_where_there_are_many() {
        let share = |at: u64| GoalShare { value: at.to_string(), playouts: at, share: 0.01 };
        let mut goals = RoleGoals {
            role: "x".to_string(),
            mean: None,
            standard_error: None,
            distribution: (1..=13).map(share).collect(),
            missing: 0,
        };
        let text = distribution(&goals);
        assert!(text.starts_with("2: 1.00 %, 3: ") && text.ends_with("and 1 rarer one"), "{text}");
        goals.distribution.truncate(2);
        assert_eq!(distribution(&goals), "1: 1.00 %, 2: 1.00 %");
    }

    #[test]
    fn many_lengths_share_rows() {
        let rows = histogram(&[0, 3, 0, 4], 1, 3);
        assert_eq!(rows, [("1".into(), 3), ("2".into(), 0), ("3".into(), 4)]);
        let counts = vec![1; 101];
        let rows = histogram(&counts, 1, 100);
        assert!(rows.len() <= ROWS, "{} rows", rows.len());
        assert_eq!(rows[0], ("1-5".into(), 5));
        assert_eq!(rows.iter().map(|(_, count)| count).sum::<u64>(), 100);
    }
}
