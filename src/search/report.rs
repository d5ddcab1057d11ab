//! A search in figures: for people as text, for programs as JSON.

use std::fmt;

use propnet::game::Role;
use serde::Serialize;

use super::choice_report::ChoiceReport;
use super::evaluation::Cutoff;
use super::line_report::LineReport;
use super::scheme::Scheme;

/// What a search has done, and what it found. Unless stated otherwise, figures are those of the
/// last [`super::Search::run`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// How moves were chosen.
    pub strategy: Scheme,
    /// Samples that were backed up: playouts, and visits of states where nothing follows.
    pub simulations: u64,
    /// Playouts that ended.
    pub playouts: u64,
    /// The share of them that were cut before the game was over.
    pub cut_share: f64,
    /// When playouts are cut early, and why; none where the strategy does not ask for it.
    pub cutoff: Option<Box<Cutoff>>,
    /// Nodes that were added.
    pub expansions: u64,
    /// States that simulations came to after the root, in the tree and in playouts.
    pub states: u64,
    /// Nodes in all trees.
    pub nodes: usize,
    /// The longest way from the root to the end of a descent.
    pub depth: usize,
    /// How often nodes were thrown away because memory was short.
    pub prunings: u64,
    /// Steps of lanes, busy or not.
    pub lane_steps: u64,
    /// The share of them that made a move.
    pub lane_use: f64,
    /// The approximate size of the trees, in bytes.
    pub bytes: usize,
    /// Seconds it took.
    pub seconds: f64,
    /// Why it ended.
    pub end: RunEnd,
    /// The share of its time that was spent in trees instead of playouts.
    pub tree_share: f64,
    /// What the parts of the strategy have learned.
    pub learned: LearningReport,
    /// What is proven; none where the strategy does not ask for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver: Option<Box<SolverReport>>,
    /// By role.
    pub roles: Vec<RoleReport>,
    /// The principal variation: the joint move that is played and the most promising ones after it,
    /// each as a text for each role. The first one is what [`super::Search::best_move`] says.
    pub principal_line: Vec<Vec<String>>,
    /// In a game for one role, the line that is followed, if another method than this search found
    /// it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found_line: Option<Box<LineReport>>,
    /// How the strategy was chosen for this game, where it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<Box<ChoiceReport>>,
}

/// Why a run of a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RunEnd {
    /// Its budget was spent, or another thread stopped it.
    Budget,
    /// Nothing was left to learn: no simulation needed a playout any more.
    Settled,
    /// The score is proven, or a game for one role has a line with the highest score.
    Solved,
}

/// What the parts of a strategy have learned. What does not concern it is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LearningReport {
    /// Samples of all moves as first (RAVE, GRAVE), since the search began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amaf_samples: Option<u64>,
    /// How often the weights of moves in playouts were recomputed, since the search began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights_refreshed: Option<u64>,
}

/// What a solver has proven. Unless stated otherwise, figures are those since the search began.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SolverReport {
    /// By role: what it can secure in the state that is searched, and what it can get at most.
    pub bounds: Vec<[f64; 2]>,
    /// Nodes with bounds in all trees now, terminal ones aside.
    pub nodes: usize,
    /// Nodes whose score became known, terminal ones aside.
    pub solved: u64,
    /// Moves that became needless, since another one secures as much as they could give.
    pub pruned_moves: u64,
    /// Matrix games and linear programs that were solved, where two choose at once.
    pub matrices: u64,
    /// Visits of states whose score was known. They are not counted as simulations.
    pub known_visits: u64,
    /// The share of the time of the last run that it took.
    pub time_share: f64,
    /// What the goals of two roles add up to at every end, as far as that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sum: Option<KnownSum>,
    /// Why less is proven than could be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
}

/// What the goals of all roles add up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct KnownSum {
    /// The sum.
    pub value: i64,
    /// Whether that is proven from the circuit. Otherwise it was so at all ends that were seen, and
    /// bounds that follow from it are given up if another one shows up.
    pub is_proven: bool,
}

/// What was found for a role.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoleReport {
    /// The role.
    pub role: String,
    /// Its legal moves, the most promising first.
    pub moves: Vec<MoveReport>,
    /// The effective number of these moves that the playout policy chooses among: e to the entropy
    /// of its choice. None without a policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effective_moves: Option<f64>,
}

/// What was found about a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveReport {
    /// The move, in the letter case of the sheet.
    pub text: String,
    /// How often it was tried.
    pub visits: u64,
    /// The average of its scores; none if it was never tried.
    pub average: Option<f64>,
    /// The highest of its scores; only in games for one role.
    pub best: Option<f64>,
    /// What it secures, and what it gives at most, where anything is proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[f64; 2]>,
    /// Its probability in the mixed strategy that secures a proven score, where that is played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
}

/// A line of play: what would be played after one of the first moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Variation {
    /// How often its first move was tried.
    pub visits: u64,
    /// The average of the first move's scores, for the role that chooses it.
    pub average: Option<f64>,
    /// The joint moves, each a move of every role.
    pub moves: Vec<Vec<String>>,
}

impl Report {
    /// Simulations per second.
    pub fn rate(&self) -> f64 {
        if self.seconds > 0.0 { self.simulations as f64 / self.seconds } else { 0.0 }
    }

    /// The report of two runs of a search, one after the other: what was done adds up, and what was
    /// found is what the second one says.
    pub fn after(self, earlier: &Report) -> Report {
        let seconds = self.seconds + earlier.seconds;
        let (one, two) = (self.seconds, earlier.seconds);
        let share = |a: f64, b: f64, x: f64, y: f64| match x + y > 0.0 {
            true => (a * x + b * y) / (x + y),
            false => 0.0,
        };
        let (playouts, before) = (self.playouts as f64, earlier.playouts as f64);
        let (steps, steps_before) = (self.lane_steps as f64, earlier.lane_steps as f64);
        Report {
            simulations: self.simulations + earlier.simulations,
            playouts: self.playouts + earlier.playouts,
            cut_share: share(self.cut_share, earlier.cut_share, playouts, before),
            expansions: self.expansions + earlier.expansions,
            states: self.states + earlier.states,
            depth: self.depth.max(earlier.depth),
            prunings: self.prunings + earlier.prunings,
            lane_steps: self.lane_steps + earlier.lane_steps,
            lane_use: share(self.lane_use, earlier.lane_use, steps, steps_before),
            seconds,
            tree_share: share(self.tree_share, earlier.tree_share, one, two),
            ..self
        }
    }

    /// The best move of a role, in the letter case of the sheet; none if the game is over.
    pub fn best_move(&self, role: Role) -> Option<&str> {
        self.principal_line.first()?.get(role).map(String::as_str)
    }
}

/// How many moves of a role are shown to people.
const SHOWN_MOVES: usize = 5;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {} simulations in {:.3} s ({:.0}/s), {} playouts, lanes {:.0} % in use, tree {:.0} % of the time",
            self.strategy,
            self.simulations,
            self.seconds,
            self.rate(),
            self.playouts,
            100.0 * self.lane_use,
            100.0 * self.tree_share,
        )?;
        let prunings = match self.prunings {
            0 => String::new(),
            count => format!(", prunings: {count}"),
        };
        writeln!(
            f,
            "{} nodes ({} new), depth {}, {:.1} MB{prunings}{}",
            self.nodes,
            self.expansions,
            self.depth,
            self.bytes as f64 / 1e6,
            match self.end {
                RunEnd::Budget => "",
                RunEnd::Settled => "; nothing is left to learn",
                RunEnd::Solved => "; the game is solved",
            },
        )?;
        if self.learned != LearningReport::default() {
            writeln!(f, "{}", self.learned)?;
        }
        if let Some(choice) = &self.choice {
            writeln!(f, "{choice}")?;
        }
        if let Some(line) = &self.found_line {
            writeln!(f, "{line}")?;
        }
        if let Some(solver) = &self.solver {
            writeln!(f, "{solver}")?;
        }
        if let Some(cutoff) = &self.cutoff {
            writeln!(f, "{cutoff}; {:.0} % were cut", 100.0 * self.cut_share)?;
        }
        for role in &self.roles {
            writeln!(f, "{role}")?;
        }
        let line: Vec<String> = self.principal_line.iter().map(|joint| joint.join(" ")).collect();
        write!(f, "line: {}", if line.is_empty() { "none".to_string() } else { line.join(" | ") })
    }
}

impl fmt::Display for LearningReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let amaf = self.amaf_samples.map(|count| format!("{count} AMAF samples"));
        let weights =
            self.weights_refreshed.map(|count| format!("weights refreshed {count} times"));
        let known: Vec<String> = amaf.into_iter().chain(weights).collect();
        f.write_str(&known.join(", "))
    }
}

impl fmt::Display for SolverReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bounds: Vec<String> = self.bounds.iter().map(range).collect();
        write!(
            f,
            "proven: {}; {} nodes with bounds, {} solved, {} moves pruned, {} matrices, \
             {} known visits, solver {:.1} % of the time",
            bounds.join(", "),
            self.nodes,
            self.solved,
            self.pruned_moves,
            self.matrices,
            self.known_visits,
            100.0 * self.time_share,
        )?;
        self.notice.as_ref().map_or(Ok(()), |notice| write!(f, "; {notice}"))
    }
}

/// Bounds as one number, or from one to the other.
fn range(bounds: &[f64; 2]) -> String {
    let [lower, upper] = bounds.map(|bound| format!("{}", (100.0 * bound).round() / 100.0));
    if lower == upper { lower } else { format!("{lower} to {upper}") }
}

impl fmt::Display for RoleReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: Vec<String> = self.moves.iter().take(SHOWN_MOVES).map(describe).collect();
        write!(f, "{}: {}", self.role, shown.join(", "))?;
        match self.moves.len().saturating_sub(SHOWN_MOVES) {
            0 => {}
            more => write!(f, ", and {more} more")?,
        }
        match self.effective_moves {
            None => Ok(()),
            Some(number) => write!(f, "; playouts choose among {number:.1} moves in effect"),
        }
    }
}

fn describe(found: &MoveReport) -> String {
    let average = found.average.map_or("?".to_string(), |average| format!("{average:.1}"));
    let best = found.best.map_or(String::new(), |best| format!(", best {best}"));
    let proven = found.bounds.map_or(String::new(), |it| format!(", proven {}", range(&it)));
    let share = found.share.map_or(String::new(), |it| format!(", played {:.1} %", 100.0 * it));
    format!("{} {average} ({} visits{best}{proven}{share})", found.text, found.visits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::evaluation::{CutoffKind, SampleFigures};

    #[test]
    fn people_see_the_best_moves_first() {
        let found = |text: &str, visits, average| MoveReport {
            text: text.to_string(),
            visits,
            average,
            best: None,
            bounds: None,
            share: None,
        };
        let report = Report {
            strategy: Scheme::default(),
            simulations: 1000,
            playouts: 990,
            cut_share: 0.0,
            cutoff: None,
            expansions: 900,
            states: 21_000,
            nodes: 901,
            depth: 7,
            prunings: 0,
            lane_steps: 4096,
            lane_use: 0.875,
            bytes: 123_456,
            seconds: 0.5,
            end: RunEnd::Budget,
            tree_share: 0.25,
            learned: LearningReport::default(),
            solver: None,
            roles: vec![RoleReport {
                role: "x".to_string(),
                moves: vec![found("(mark 2 2)", 700, Some(61.25)), found("(mark 1 1)", 0, None)],
                effective_moves: None,
            }],
            principal_line: vec![vec!["(mark 2 2)".to_string(), "noop".to_string()]],
            found_line: None,
            choice: None,
        };
        assert_eq!(
            report.to_string(),
            "uct: 1000 simulations in 0.500 s (2000/s), 990 playouts, lanes 88 % in use, \
             tree 25 % of the time\n\
             901 nodes (900 new), depth 7, 0.1 MB\n\
             x: (mark 2 2) 61.2 (700 visits), (mark 1 1) ? (0 visits)\n\
             line: (mark 2 2) noop"
        );
        let learned = LearningReport { amaf_samples: Some(30), weights_refreshed: Some(2) };
        let roles = vec![RoleReport { effective_moves: Some(1.25), ..report.roles[0].clone() }];
        let learning = Report { learned, roles, ..report.clone() }.to_string();
        assert!(learning.contains("30 AMAF samples, weights refreshed 2 times\n"), "{learning}");
        assert!(learning.contains("playouts choose among 1.2 moves in effect"), "{learning}");
        let solver = SolverReport {
            bounds: vec![[50.0, 100.0], [0.0, 50.0]],
            nodes: 7,
            solved: 3,
            pruned_moves: 2,
            matrices: 4,
            known_visits: 9,
            time_share: 0.015,
            sum: Some(KnownSum { value: 100, is_proven: true }),
            notice: None,
        };
        let mut proven = Report { solver: Some(Box::new(solver)), ..report.clone() };
        proven.roles[0].moves[0].bounds = Some([100.0, 100.0]);
        let proven = proven.to_string();
        assert!(proven.contains(
            "proven: 50 to 100, 0 to 50; 7 nodes with bounds, 3 solved, 2 moves pruned, \
             4 matrices, 9 known visits, solver 1.5 % of the time\nx: (mark 2 2) 61.2 (700 visits, proven 100)"
        ));
        let reason = "3 of 100 samples so far".to_string();
        let figures =
            SampleFigures { samples: 3, first_goal_change: Some(7), ..Default::default() };
        let cutoff =
            Cutoff { kind: CutoffKind::Inactive, reason: Some(reason), cut_at: None, figures };
        let sampling =
            Report { cutoff: Some(Box::new(cutoff)), cut_share: 0.125, ..report.clone() };
        assert!(sampling.to_string().contains(
            "0.1 MB\nplayouts are not cut: 3 of 100 samples so far \
             (3 samples: stability 0.0, first goal change at 7, no end); 12 % were cut\nx: "
        ));
        let json = serde_json::to_value(&sampling).expect("JSON");
        assert_eq!(json["cutoff"]["kind"], "inactive");
        assert_eq!((&json["cutoff"]["samples"], &json["cut_share"]), (&3.into(), &0.125.into()));
        let pruned = Report { prunings: 2, ..report.clone() }.to_string();
        assert!(pruned.contains("0.1 MB, prunings: 2\n"), "{pruned}");
        let settled = Report { end: RunEnd::Settled, ..report.clone() };
        assert!(settled.to_string().contains("0.1 MB; nothing is left to learn\n"));
        assert_eq!(serde_json::to_value(&settled).expect("JSON")["end"], "settled");
        let json = serde_json::to_value(&report).expect("JSON");
        assert_eq!(json["roles"][0]["moves"][0]["average"], 61.25);
        assert_eq!(json["strategy"], "uct");
    }
}
