//! What simulations say about a game before playouts are cut: how its goals change, and where it ends.
//!
//! The thesis (section 5.1.1) says little more than "the variance of the changes in the score
//! obtained from the Goal relation is observed throughout the simulations and then averaged over
//! them". It is interpreted as follows, which gives values like those measured there:
//!
//! - A change is the difference between the goals of a role in a state and in the state before, also
//!   where it is 0. A state without a goal is passed over.
//! - The stability of a simulation is the variance of a role's changes, averaged over all roles.
//! - The terminal state does not count: its goals are certain, and a goal that is given only at the
//!   end would seem to change gradually.
//! - The first goal change is the earliest that any sample shows, as the first end is the earliest.
//!
//! Distances count from the initial state of the game, through the tree and the playout. A search that
//! began at another state counts from there.

use std::fmt;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use serde::Serialize;

use super::cut::{CutRule, Cutoff};

/// A simulation that was observed.
pub(crate) struct Observation<'s> {
    /// The joint moves before its first state.
    pub(crate) played: u64,
    /// The goals in its states, each a goal of every role.
    pub(crate) goals: &'s [Option<i32>],
    pub(crate) roles: usize,
    /// Whether the last state is a terminal one.
    pub(crate) is_terminal: bool,
}

/// What samples say about a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SampleFigures {
    /// The simulations that were observed.
    pub samples: u64,
    /// The mean variance of the changes of goals.
    pub stability: f64,
    /// The joint moves from the initial state to the first state where a goal differs from the one
    /// before.
    pub first_goal_change: Option<u64>,
    /// The fewest joint moves from the initial state to a terminal one.
    pub first_terminal: Option<u64>,
    /// The most.
    pub last_terminal: Option<u64>,
}

impl SampleFigures {
    /// Where the game ends: the fewest joint moves, and the most.
    pub(super) fn ends(&self) -> Option<(u64, u64)> {
        self.first_terminal.zip(self.last_terminal)
    }

    /// Counts a simulation.
    fn add(&mut self, seen: &Observation) {
        let states = seen.goals.len() / seen.roles;
        if seen.is_terminal {
            let end = seen.played + states as u64 - 1;
            self.first_terminal = Some(self.first_terminal.map_or(end, |first| first.min(end)));
            self.last_terminal = self.last_terminal.max(Some(end));
        }
        let states = states - usize::from(seen.is_terminal);
        let mut stability = 0.0;
        for role in 0..seen.roles {
            let goals = (0..states).map(|state| seen.goals[state * seen.roles + role]);
            let changes: Vec<(usize, f64)> = changes(goals).collect();
            stability += variance(&changes) / seen.roles as f64;
            if let Some((at, _)) = changes.iter().find(|(_, change)| *change != 0.0) {
                let at = seen.played + *at as u64;
                self.first_goal_change =
                    Some(self.first_goal_change.map_or(at, |first| first.min(at)));
            }
        }
        self.samples += 1;
        self.stability += (stability - self.stability) / self.samples as f64;
    }
}

/// The changes of a role's goal, each with the number of its state.
fn changes(goals: impl Iterator<Item = Option<i32>>) -> impl Iterator<Item = (usize, f64)> {
    let mut before = None;
    let known = goals.enumerate().filter_map(|(at, goal)| Some((at, f64::from(goal?))));
    known.filter_map(move |(at, goal)| {
        let last = before.replace(goal)?;
        Some((at, goal - last))
    })
}

/// The variance of changes; 0 where there are none.
fn variance(changes: &[(usize, f64)]) -> f64 {
    let count = changes.len().max(1) as f64;
    let mean = changes.iter().map(|(_, change)| change).sum::<f64>() / count;
    changes.iter().map(|(_, change)| (change - mean).powi(2)).sum::<f64>() / count
}

impl fmt::Display for SampleFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} samples: stability {:.1}, ", self.samples, self.stability)?;
        match self.first_goal_change {
            Some(at) => write!(f, "first goal change at {at}, ")?,
            None => write!(f, "no goal change, ")?,
        }
        match self.ends() {
            Some((first, last)) => write!(f, "ends at {first} to {last}"),
            None => write!(f, "no end"),
        }
    }
}

/// Observes simulations until there are enough, then decides once. All threads of a search share it.
pub(crate) struct Sampling {
    rule: CutRule,
    enough: u64,
    progress: Mutex<Progress>,
    decided: OnceLock<Cutoff>,
}

#[derive(Default)]
struct Progress {
    /// Simulations that were observed, or will be.
    asked: u64,
    figures: SampleFigures,
}

impl Sampling {
    pub(super) fn new(rule: CutRule, enough: u64) -> Self {
        let progress = Mutex::new(Progress::default());
        Sampling { rule, enough, progress, decided: OnceLock::new() }
    }

    /// What was decided, if there were enough samples.
    pub(crate) fn decided(&self) -> Option<&Cutoff> {
        self.decided.get()
    }

    /// The decision, or that there is none yet.
    pub(crate) fn cutoff(&self) -> Cutoff {
        self.decided().cloned().unwrap_or_else(|| {
            let figures = self.progress().figures.clone();
            let reason = format!("{} of {} samples so far", figures.samples, self.enough);
            Cutoff::inactive(reason, figures)
        })
    }

    /// A run begins: of all simulations requested, only these are still to be observed.
    pub(crate) fn begin(&self, unread: usize) {
        let mut progress = self.progress();
        progress.asked = progress.figures.samples + unread as u64;
    }

    /// How many simulations are still to be requested.
    pub(crate) fn wanted(&self) -> usize {
        if self.decided().is_some() {
            return 0;
        }
        self.enough.saturating_sub(self.progress().asked) as usize
    }

    /// Requests simulations.
    pub(crate) fn ask(&self, simulations: usize) {
        self.progress().asked += simulations as u64;
    }

    /// Counts a simulation, and decides if there are enough.
    pub(crate) fn add(&self, seen: &Observation) {
        if self.decided().is_some() {
            return;
        }
        let mut progress = self.progress();
        progress.figures.add(seen);
        if progress.figures.samples >= self.enough {
            let decided = self.rule.decide(progress.figures.clone(), seen.roles);
            self.decided.get_or_init(|| decided);
        }
    }

    /// The figures stay valid if a thread has panicked.
    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::cut::CutoffKind;
    use super::*;

    /// The figures of simulations, each as the goals of one role and whether it ended.
    fn figures(played: u64, simulations: &[(&[i32], bool)]) -> SampleFigures {
        let mut figures = SampleFigures::default();
        for (goals, is_terminal) in simulations {
            let goals: Vec<Option<i32>> =
                goals.iter().map(|&goal| (goal >= 0).then_some(goal)).collect();
            let is_terminal = *is_terminal;
            figures.add(&Observation { played, goals: &goals, roles: 1, is_terminal });
        }
        figures
    }

    #[test]
    fn stability_is_the_mean_variance_of_changes() {
        // Changes 0, 50, 0, 0: mean 12.5, mean of squares 625.
        let gradual: (&[i32], bool) = (&[50, 50, 100, 100, 100], false);
        assert_eq!(figures(0, &[gradual]).stability, 625.0 - 156.25);
        // Changes 100, -100, 100, -100: mean 0, mean of squares 10000.
        let restless: (&[i32], bool) = (&[0, 100, 0, 100, 0], false);
        assert_eq!(figures(0, &[restless]).stability, 10_000.0);
        assert_eq!(figures(0, &[gradual, restless]).stability, (468.75 + 10_000.0) / 2.0);
        // The same change in every state, or none, has no variance.
        assert_eq!(figures(0, &[(&[10, 20, 30, 40], false)]).stability, 0.0);
        assert_eq!(figures(0, &[(&[50, 50, 50], false), (&[50], false)]).stability, 0.0);
    }

    #[test]
    fn the_terminal_state_says_where_the_game_ends_and_nothing_about_goals() {
        let found = figures(0, &[(&[0, 0, 0, 100], true), (&[0, 0, 0, 0, 0, 0], true)]);
        assert_eq!((found.stability, found.first_goal_change), (0.0, None));
        assert_eq!(found.ends(), Some((3, 5)));
        let found = figures(0, &[(&[0, 0, 0, 100], false)]);
        assert_eq!((found.first_goal_change, found.ends()), (Some(3), None));
    }

    #[test]
    fn states_without_a_goal_are_passed_over() {
        // Changes 50 and -50.
        let found = figures(0, &[(&[-1, 50, -1, -1, 100, 50], false)]);
        assert_eq!((found.stability, found.first_goal_change), (2500.0, Some(4)));
        assert_eq!(figures(0, &[(&[-1, -1, -1], false)]).stability, 0.0);
    }

    #[test]
    fn distances_count_from_the_initial_state() {
        let found = figures(7, &[(&[50, 50, 100, 50], true), (&[50, 100, 100, 100, 0], true)]);
        assert_eq!((found.first_goal_change, found.ends()), (Some(8), Some((10, 11))));
    }

    #[test]
    fn roles_count_alike() {
        // Role 0 changes by 50 and back; role 1 never changes.
        let goals = [50, 0, 100, 0, 50, 0].map(Some);
        let mut found = SampleFigures::default();
        found.add(&Observation { played: 0, goals: &goals, roles: 2, is_terminal: false });
        assert_eq!((found.stability, found.first_goal_change), (1250.0, Some(1)));
    }

    #[test]
    fn a_decision_is_made_once_when_there_are_enough() {
        let rule = CutRule { stability: 1000.0, minimum_steps: 1, share: 0.33 };
        let sampling = Sampling::new(rule, 2);
        let add = |goals: &[Option<i32>]| {
            sampling.add(&Observation { played: 0, goals, roles: 1, is_terminal: true });
        };
        assert_eq!(sampling.wanted(), 2);
        sampling.ask(2);
        assert_eq!(sampling.wanted(), 0);
        add(&[None; 6]);
        assert_eq!(sampling.cutoff().reason.as_deref(), Some("1 of 2 samples so far"));
        // The other one was cancelled.
        sampling.begin(0);
        assert_eq!(sampling.wanted(), 1);
        sampling.begin(1);
        assert_eq!(sampling.wanted(), 0);
        add(&[None; 9]);
        let decided = sampling.cutoff();
        assert_eq!((decided.kind, decided.cut_at), (CutoffKind::TerminalInterval, Some(6)));
        add(&[None; 99]);
        sampling.begin(0);
        assert_eq!((sampling.cutoff(), sampling.wanted()), (decided, 0));
    }
}
