//! The scores of an experiment beside the published numbers, as Markdown and as CSV.

use std::collections::BTreeSet;
use std::fmt::Write;

use anyhow::{Context, Result};
use ludens::statistics::Estimate;

use super::experiment::{Cell, Experiment, Published};
use super::records::Records;
use super::score::CellScore;

/// A cell with its score, if it has games.
pub(super) struct ScoredCell<'e> {
    pub(super) cell: &'e Cell,
    pub(super) score: Option<CellScore>,
}

/// The scores of all cells.
pub(super) fn scores<'e>(experiment: &'e Experiment, records: &Records) -> Vec<ScoredCell<'e>> {
    let cells = experiment.cells.iter().zip(&records.cells);
    cells.map(|(cell, games)| ScoredCell { cell, score: CellScore::of(cell, games) }).collect()
}

/// The cells against one opponent: a row for each game, a column for each first side.
pub(super) struct OpponentTable<'s> {
    pub(super) opponent: &'s str,
    /// The first sides.
    pub(super) columns: Vec<&'s str>,
    /// By row: the name of a game, and a text for each column.
    pub(super) rows: Vec<(&'s str, Vec<String>)>,
}

/// A table for each opponent.
pub(super) fn tables<'s>(scores: &'s [ScoredCell]) -> Vec<OpponentTable<'s>> {
    let opponents = in_order(scores.iter().map(|one| one.cell.sides[1].name.as_str()));
    let table = |opponent: &'s str| {
        let own = scores.iter().filter(|one| one.cell.sides[1].name == opponent);
        opponent_table(opponent, &own.collect::<Vec<_>>())
    };
    opponents.into_iter().map(table).collect()
}

/// All tables as Markdown, with what a reader needs to know.
pub(super) fn markdown(experiment: &Experiment, scores: &[ScoredCell]) -> String {
    let mut text = format!("# {}\n", experiment.title);
    for paragraph in introduction(experiment) {
        text += &format!("\n{paragraph}\n");
    }
    for OpponentTable { opponent, columns, rows } in tables(scores) {
        text += &format!("\n## Against {opponent}\n\n| game | {} |\n", columns.join(" | "));
        text += &format!("|---|{}\n", "---|".repeat(columns.len()));
        for (game, cells) in rows {
            text += &format!("| {game} | {} |\n", cells.join(" | "));
        }
    }
    text + &format!("\n{}\n", legend(scores))
}

/// What an experiment is about.
pub(super) fn introduction(experiment: &Experiment) -> Vec<String> {
    let what = experiment.reproduces.as_ref().map(|what| format!("Reproduces {what}."));
    let notes = experiment.notes.as_ref().map(|notes| notes.trim().to_string());
    what.into_iter().chain(notes).collect()
}

fn opponent_table<'s>(opponent: &'s str, cells: &[&'s ScoredCell]) -> OpponentTable<'s> {
    let columns = in_order(cells.iter().map(|one| one.cell.sides[0].name.as_str()));
    let games = in_order(cells.iter().map(|one| one.cell.sheet.name.as_str()));
    let row = |game: &'s str| {
        let found = columns.iter().map(|first| {
            let is_it = |one: &&&ScoredCell| one.cell.names()[..2] == [game, *first];
            cells.iter().find(is_it).map_or(String::new(), |one| cell_text(one))
        });
        (game, found.collect())
    };
    let mut rows: Vec<(&str, Vec<String>)> = games.iter().map(|game| row(game)).collect();
    if games.len() > 1 {
        let means = columns.iter().map(|first| {
            let own = cells.iter().filter(|one| one.cell.sides[0].name == *first);
            mean_text(&own.copied().collect::<Vec<_>>())
        });
        rows.push(("mean", means.collect()));
    }
    OpponentTable { opponent, columns, rows }
}

fn cell_text(one: &ScoredCell) -> String {
    let Some(score) = &one.score else {
        return one.cell.published.map_or("–".to_string(), |it| format!("– ({})", published(it)));
    };
    let Estimate { mean, low, high } = score.percent;
    let mut text = format!("{mean:.1} [{low:.1}, {high:.1}]");
    if let Some(it) = one.cell.published {
        let _ = write!(text, " ({}){}", published(it), mark(score, it));
    }
    if (score.games as u64) < one.cell.games {
        let _ = write!(text, ", {} games", score.games);
    }
    text
}

/// The mean over games that have a score, and of the published numbers for the same games.
fn mean_text(cells: &[&ScoredCell]) -> String {
    let scored = cells.iter().filter_map(|one| Some((one.cell, one.score.as_ref()?)));
    let scored: Vec<(&Cell, &CellScore)> = scored.collect();
    let mean = |numbers: Vec<f64>| numbers.iter().sum::<f64>() / numbers.len() as f64;
    if scored.is_empty() {
        return "–".to_string();
    }
    let ours = mean(scored.iter().map(|(_, score)| score.percent.mean).collect());
    let theirs: Option<Vec<f64>> =
        scored.iter().map(|(cell, _)| cell.published.map(|it| it.percent)).collect();
    match theirs {
        Some(theirs) => format!("{ours:.1} ({:.1})", mean(theirs)),
        None => format!("{ours:.1}"),
    }
}

fn published(it: Published) -> String {
    format!("{:.1} ± {:.1}", it.percent, it.half)
}

fn mark(score: &CellScore, it: Published) -> &'static str {
    match (score.contradicts(it), score.differs(it)) {
        (true, _) => " ‡",
        (false, true) => " †",
        (false, false) => "",
    }
}

/// What the numbers mean.
pub(super) fn legend(scores: &[ScoredCell]) -> String {
    let budgets = scores.iter().map(|one| match one.cell.sides.each_ref().map(|it| it.budget) {
        [first, second] if first == second || !one.cell.sides[1].moves.is_empty() => {
            first.to_string()
        }
        [first, second] => format!("{first} against {second}"),
    });
    let budgets: Vec<String> = budgets.collect();
    let budgets = in_order(budgets.iter().map(String::as_str)).join(", ");
    let games: BTreeSet<u64> = scores.iter().map(|one| one.cell.games).collect();
    let games: Vec<String> = games.iter().map(u64::to_string).collect();
    let what = match scores.iter().any(|one| !one.cell.right.is_empty()) {
        true => "Percent of tries in which the first move was right",
        false => "Points of the side above the column in percent, a draw being half a win",
    };
    let mut text = format!(
        "{what}, with the 95 % interval; {} games in a cell; {budgets} for each move.",
        games.join(" or ")
    );
    if scores.iter().any(|one| one.cell.published.is_some()) {
        text += " In parentheses the published number. † The intervals have no point in common. \
                 ‡ Both results are significant and say the opposite.";
    }
    text
}

/// All figures, a line for each cell.
pub(super) fn csv(scores: &[ScoredCell]) -> Result<String> {
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record([
        "game",
        "first",
        "second",
        "first_budget",
        "second_budget",
        "games",
        "percent",
        "low",
        "high",
        "goals",
        "goals_low",
        "goals_high",
        "length",
        "first_simulations",
        "second_simulations",
        "first_states",
        "second_states",
        "published",
        "published_half",
        "differs",
        "contradicts",
    ])?;
    for ScoredCell { cell, score } in scores {
        let mut row: Vec<String> = cell.names().map(str::to_string).to_vec();
        row.extend(cell.sides.each_ref().map(|side| side.budget.to_string()));
        let number = |number: f64| format!("{number:.2}");
        let estimate = |it: Option<Estimate>| match it {
            Some(it) => [it.mean, it.low, it.high].map(number),
            None => Default::default(),
        };
        match score {
            Some(score) => {
                row.push(score.games.to_string());
                row.extend(estimate(Some(score.percent)));
                row.extend(estimate(score.goals));
                row.push(number(score.length));
                row.extend(score.simulations.map(number));
                row.extend(score.states.map(number));
            }
            None => {
                row.push("0".to_string());
                row.extend(std::iter::repeat_n(String::new(), 11));
            }
        }
        let theirs = cell.published;
        row.push(theirs.map_or(String::new(), |it| number(it.percent)));
        row.push(theirs.map_or(String::new(), |it| number(it.half)));
        let both = score.as_ref().zip(theirs);
        row.push(both.map_or(String::new(), |(score, it)| score.differs(it).to_string()));
        row.push(both.map_or(String::new(), |(score, it)| score.contradicts(it).to_string()));
        out.write_record(&row)?;
    }
    let bytes = out.into_inner().context("a table in memory")?;
    String::from_utf8(bytes).context("a table of text")
}

/// The different ones, in the order in which they come first.
pub(super) fn in_order<'t>(all: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    let mut seen = BTreeSet::new();
    all.filter(|one| seen.insert(*one)).collect()
}
