//! Algorithm 5: when playouts are cut, decided by what samples of a game say.
//!
//! Early cutoffs: Finnsson 2012, section 5.1.1 of the CadiaPlayer thesis, and "Generalized
//! Monte-Carlo Tree Search Extensions for General Game Playing". Goals that change gradually have
//! precedence: a playout is cut a round after the first change that was ever seen, and scored by
//! its goals. Otherwise, if the ends are far apart, it is cut a third of the way between the first
//! and the last, as a draw.

use std::fmt;

use serde::Serialize;

use super::samples::SampleFigures;

/// The parameters of algorithm 5.
#[derive(Clone, Copy, Debug)]
pub(super) struct CutRule {
    /// Goals are usable if their stability is below this, but not 0.
    pub(super) stability: f64,
    /// The fewest moves before a cut, and the least distance between the first end and the last.
    pub(super) minimum_steps: u64,
    /// The share of that distance after which a playout is cut.
    pub(super) share: f64,
}

/// When a search cuts its playouts, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cutoff {
    /// How it was decided.
    pub kind: CutoffKind,
    /// Why no playout is cut; none where playouts are cut.
    pub reason: Option<String>,
    /// A playout is cut after this many joint moves, counted from where it leaves the tree.
    pub cut_at: Option<u64>,
    /// What the samples say.
    #[serde(flatten)]
    pub figures: SampleFigures,
}

/// What a cut relies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CutoffKind {
    /// Goals change gradually: a playout that was cut is worth the goals of the state that it
    /// reached.
    GoalStability,
    /// The ends are far apart: a playout that was cut counts as a draw, 50 for each role.
    TerminalInterval,
    /// No playout is cut.
    Inactive,
}

impl CutRule {
    /// Decides for a game with this number of roles.
    pub(super) fn decide(&self, figures: SampleFigures, roles: usize) -> Cutoff {
        let is_stable = 0.0 < figures.stability && figures.stability < self.stability;
        let (kind, at) = match (figures.first_goal_change, figures.ends()) {
            (Some(first), _) if is_stable => (CutoffKind::GoalStability, first + roles as u64),
            (_, Some((first, last))) if last - first >= self.minimum_steps => {
                let share = self.share * (last - first) as f64;
                (CutoffKind::TerminalInterval, first + share.ceil() as u64)
            }
            _ => return Cutoff::inactive(self.reason(&figures), figures),
        };
        Cutoff { kind, reason: None, cut_at: Some(at.max(self.minimum_steps)), figures }
    }

    /// Why nothing is cut.
    fn reason(&self, figures: &SampleFigures) -> String {
        let goals = match figures.stability {
            0.0 => "no goal changes before the end".to_string(),
            found => format!("goals are unstable ({found:.1}, limit {})", self.stability),
        };
        match figures.ends() {
            None => format!("{goals}; no sample ended"),
            Some((first, last)) => {
                let (apart, least) = (last - first, self.minimum_steps);
                format!("{goals}; ends are {apart} moves apart, less than {least}")
            }
        }
    }
}

impl Cutoff {
    /// Nothing is cut, for this reason.
    pub(super) fn inactive(reason: String, figures: SampleFigures) -> Self {
        Cutoff { kind: CutoffKind::Inactive, reason: Some(reason), cut_at: None, figures }
    }
}

impl fmt::Display for Cutoff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scored = match self.kind {
            CutoffKind::GoalStability => "scored by their goals",
            CutoffKind::TerminalInterval => "scored as draws",
            CutoffKind::Inactive => "",
        };
        match (self.cut_at, &self.reason) {
            (Some(at), _) => write!(f, "playouts are cut after {at} moves and {scored}")?,
            (None, reason) => {
                write!(f, "playouts are not cut: {}", reason.as_deref().unwrap_or("unknown"))?;
            }
        }
        write!(f, " ({})", self.figures)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: CutRule = CutRule { stability: 1000.0, minimum_steps: 10, share: 0.33 };

    fn figures(stability: f64, change: Option<u64>, ends: Option<(u64, u64)>) -> SampleFigures {
        SampleFigures {
            samples: 100,
            stability,
            first_goal_change: change,
            first_terminal: ends.map(|(first, _)| first),
            last_terminal: ends.map(|(_, last)| last),
        }
    }

    #[test]
    fn decisions_are_those_of_algorithm_5() {
        use CutoffKind::{GoalStability, Inactive, TerminalInterval};
        for (stability, change, ends, roles, kind, at) in [
            // The example of the thesis: ends at 20 to 50 -> 30.
            (0.0, None, Some((20, 50)), 2, TerminalInterval, Some(30)),
            (0.0, None, Some((20, 30)), 2, TerminalInterval, Some(24)),
            (0.0, None, Some((20, 29)), 2, Inactive, None),
            (0.0, None, Some((60, 60)), 2, Inactive, None),
            (0.0, None, None, 2, Inactive, None),
            // Never before the minimum.
            (0.0, None, Some((2, 14)), 2, TerminalInterval, Some(10)),
            // Stable goals have precedence.
            (250.0, Some(9), Some((20, 50)), 2, GoalStability, Some(11)),
            (250.0, Some(9), Some((20, 50)), 3, GoalStability, Some(12)),
            (250.0, Some(3), None, 2, GoalStability, Some(10)),
            (999.9, Some(30), Some((60, 60)), 2, GoalStability, Some(32)),
            // Unstable goals are ignored.
            (1000.0, Some(9), Some((20, 50)), 2, TerminalInterval, Some(30)),
            (3000.0, Some(1), Some((60, 60)), 2, Inactive, None),
        ] {
            let decided = RULE.decide(figures(stability, change, ends), roles);
            assert_eq!((decided.kind, decided.cut_at), (kind, at), "{stability}, {ends:?}");
            assert_eq!(decided.reason.is_some(), kind == Inactive);
        }
    }

    #[test]
    fn people_are_told_why() {
        let told = |figures| RULE.decide(figures, 2).to_string();
        assert_eq!(
            told(figures(250.0, Some(9), Some((34, 102)))),
            "playouts are cut after 11 moves and scored by their goals \
             (100 samples: stability 250.0, first goal change at 9, ends at 34 to 102)"
        );
        assert_eq!(
            told(figures(0.0, None, Some((20, 50)))),
            "playouts are cut after 30 moves and scored as draws \
             (100 samples: stability 0.0, no goal change, ends at 20 to 50)"
        );
        assert_eq!(
            told(figures(3000.0, Some(1), Some((60, 60)))),
            "playouts are not cut: goals are unstable (3000.0, limit 1000); \
             ends are 0 moves apart, less than 10 \
             (100 samples: stability 3000.0, first goal change at 1, ends at 60 to 60)"
        );
        let told = RULE.decide(figures(0.0, None, None), 2).reason;
        assert_eq!(told.as_deref(), Some("no goal changes before the end; no sample ended"));
    }
}
