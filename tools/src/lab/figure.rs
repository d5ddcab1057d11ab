//! What a plot shows: panels with points, intervals and labels, without a place on paper.

use ludens::statistics::Estimate;

use super::experiment::{Experiment, Published};
use super::file::{PlotFile, PlotKind};
use super::table::{ScoredCell, in_order};

/// A titled page of panels.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Figure {
    pub(super) title: String,
    /// What the marks mean.
    pub(super) caption: String,
    pub(super) panels: Vec<Panel>,
}

/// One chart. All values are in percent.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Panel {
    /// A row for each side.
    Rows { title: String, rows: Vec<Row> },
    /// Curves over a number, which may grow by factors.
    Curves { title: String, x_label: String, is_log: bool, curves: Vec<Curve> },
    /// A field for each pair of sizes.
    Map { title: String, labels: [String; 2], fields: Vec<(u32, u32, f64)> },
}

/// A side.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) ours: Option<Estimate>,
    pub(super) published: Option<Published>,
}

/// Points that belong together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Curve {
    pub(super) name: String,
    pub(super) points: Vec<(f64, Estimate)>,
}

impl Figure {
    /// The figure of an experiment.
    pub(super) fn of(experiment: &Experiment, scores: &[ScoredCell]) -> Figure {
        let plot = &experiment.plot;
        let (panels, caption) = match plot.kind {
            PlotKind::Sides => (rows(scores), ROWS),
            PlotKind::Budget => (budget_curves(scores), CURVES),
            PlotKind::Curves => (size_curves(plot, scores), CURVES),
            PlotKind::Map => (maps(plot, scores), MAP),
        };
        let panels = panels.into_iter().filter(|panel| !panel.is_empty()).collect();
        Figure { title: experiment.title.clone(), caption: caption.to_string(), panels }
    }
}

impl Panel {
    /// Whether there is nothing to see, because nothing was played.
    fn is_empty(&self) -> bool {
        match self {
            Panel::Rows { rows, .. } => {
                rows.iter().all(|row| row.ours.is_none() && row.published.is_none())
            }
            Panel::Curves { curves, .. } => curves.is_empty(),
            Panel::Map { fields, .. } => fields.is_empty(),
        }
    }
}

const ROWS: &str = "points in percent with 95 % intervals; filled: ours, hollow: published";
const CURVES: &str = "points in percent with 95 % intervals";
const MAP: &str = "points in percent; along a grey line the trees have the same number of nodes";

/// A panel for each game and opponent.
fn rows(scores: &[ScoredCell]) -> Vec<Panel> {
    let keys: Vec<String> = scores.iter().map(panel_title).collect();
    let titles = in_order(keys.iter().map(String::as_str));
    let panel = |title: &str| {
        let own = scores.iter().zip(&keys).filter(|(_, key)| *key == title);
        let row = |one: &ScoredCell| Row {
            name: one.cell.sides[0].name.clone(),
            ours: one.score.as_ref().map(|score| score.percent),
            published: one.cell.published,
        };
        Panel::Rows { title: title.to_string(), rows: own.map(|(one, _)| row(one)).collect() }
    };
    titles.into_iter().map(panel).collect()
}

fn panel_title(one: &ScoredCell) -> String {
    let [game, _, second] = one.cell.names();
    format!("{game}, against {second}")
}

/// A panel for each game and unit of budgets, a curve for each side. What follows an @ in the name of a
/// side is its budget, and not a part of the curve's name.
fn budget_curves(scores: &[ScoredCell]) -> Vec<Panel> {
    let key = |one: &ScoredCell| (one.cell.sheet.name.clone(), one.cell.sides[0].budget.unit());
    let name = |one: &ScoredCell| {
        let first = &one.cell.sides[0].name;
        first.split('@').next().unwrap_or(first).to_string()
    };
    let point = |one: &ScoredCell| {
        let score = one.score.as_ref()?;
        Some((one.cell.sides[0].budget.count() as f64, score.percent))
    };
    let mut keys: Vec<(String, &str)> = Vec::new();
    for one in scores {
        if !keys.contains(&key(one)) {
            keys.push(key(one));
        }
    }
    let panel = |(game, unit): (String, &str)| {
        let own = scores.iter().filter(|one| key(one) == (game.clone(), unit));
        Panel::Curves {
            x_label: format!("{unit} for each move"),
            is_log: true,
            curves: curves(&own.collect::<Vec<_>>(), &name, &point),
            title: game,
        }
    };
    keys.into_iter().map(panel).collect()
}

/// A panel for each pair of sides and family, a curve for each value of the other size.
fn size_curves(plot: &PlotFile, scores: &[ScoredCell]) -> Vec<Panel> {
    let [x_label, curve_label] = plot.labels();
    let of_x =
        |(first, second): (u32, u32)| if plot.x == 1 { (first, second) } else { (second, first) };
    let sized = |one: &ScoredCell| sizes(&one.cell.sheet.name).map(of_x);
    let name = |one: &ScoredCell| {
        sized(one).map_or(String::new(), |(_, other)| format!("{other} {curve_label}"))
    };
    let point = |one: &ScoredCell| Some((f64::from(sized(one)?.0), one.score.as_ref()?.percent));
    let panel = |title: &str, own: &[&ScoredCell]| Panel::Curves {
        title: title.to_string(),
        x_label: x_label.clone(),
        is_log: false,
        curves: curves(own, &name, &point),
    };
    by_family(scores).iter().map(|(title, own)| panel(title, own)).collect()
}

fn curves(
    cells: &[&ScoredCell],
    name: &dyn Fn(&ScoredCell) -> String,
    point: &dyn Fn(&ScoredCell) -> Option<(f64, Estimate)>,
) -> Vec<Curve> {
    let names: Vec<String> = cells.iter().map(|one| name(one)).collect();
    let curve = |wanted: &str| {
        let own = cells.iter().zip(&names).filter(|(_, name)| *name == wanted);
        let mut points: Vec<(f64, Estimate)> = own.filter_map(|(one, _)| point(one)).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Curve { name: wanted.to_string(), points }
    };
    let all = in_order(names.iter().map(String::as_str)).into_iter().map(curve);
    all.filter(|curve| !curve.points.is_empty()).collect()
}

/// A map for each pair of sides and family.
fn maps(plot: &PlotFile, scores: &[ScoredCell]) -> Vec<Panel> {
    let field = |one: &&ScoredCell| {
        let (x, y) = sizes(&one.cell.sheet.name)?;
        Some((x, y, one.score.as_ref()?.percent.mean))
    };
    let panel = |(title, own): &(String, Vec<&ScoredCell>)| Panel::Map {
        title: title.clone(),
        labels: plot.labels(),
        fields: own.iter().filter_map(field).collect(),
    };
    by_family(scores).iter().map(panel).collect()
}

/// The cells of each family and pair of sides, with a title.
fn by_family<'s, 'e>(scores: &'s [ScoredCell<'e>]) -> Vec<(String, Vec<&'s ScoredCell<'e>>)> {
    let title = |one: &ScoredCell| {
        let [game, first, second] = one.cell.names();
        format!(
            "{}, {first} against {second}",
            game.rsplit_once('_').map_or(game, |(name, _)| name)
        )
    };
    let keys: Vec<String> = scores.iter().map(title).collect();
    let own = |key: &str| {
        let own = scores.iter().zip(&keys).filter(|(_, other)| *other == key);
        (key.to_string(), own.map(|(one, _)| one).collect())
    };
    in_order(keys.iter().map(String::as_str)).into_iter().map(own).collect()
}

/// The sizes at the end of a game's name, such as `penalties_4x5`.
fn sizes(name: &str) -> Option<(u32, u32)> {
    let (first, second) = name.rsplit_once('_')?.1.split_once('x')?;
    Some((first.parse().ok()?, second.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_from_the_end_of_a_name() {
        assert_eq!(sizes("shock_step_4x15"), Some((4, 15)));
        assert_eq!(sizes("tic_tac_toe"), None);
        assert_eq!(sizes("chess"), None);
    }
}
