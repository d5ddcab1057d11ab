//! Counting that begins immediately, one state at a time, and continues in lanes when they are
//! ready.

use propnet::game::{Game, State};

use super::count::{Counter, in_lanes};
use super::game::{CountStep, Perft};
use super::later::LanesLater;
use super::level::{Level, PerftError};

/// A count in progress. What is counted does not depend on when the lanes take over.
pub(super) struct SoonestPerft<'g> {
    perft: Perft<'g>,
    later: &'g mut LanesLater,
    /// The counter once there are lanes.
    lanes: Option<Box<dyn Counter>>,
    /// The start state as sentences: lanes number it differently.
    start: Vec<String>,
    first_depth: u64,
    /// The last depth that was counted.
    depth: u64,
    most_states: u64,
}

impl<'g> SoonestPerft<'g> {
    /// Starts in a state, which is the level of the depth given.
    pub(super) fn new(
        game: &'g mut dyn Game,
        later: &'g mut LanesLater,
        start: State,
        depth: u64,
    ) -> Result<(Self, Level), PerftError> {
        let sentences = game.sentences(&start);
        let sentences = sentences.map_err(|error| PerftError::Play { depth, error })?;
        let (perft, level) = Perft::new(game, start, depth)?;
        let counter = SoonestPerft {
            perft,
            later,
            lanes: None,
            start: sentences,
            first_depth: depth,
            depth,
            most_states: u64::MAX,
        };
        Ok((counter, level))
    }
}

/// A count in lanes from this state on, if there are lanes. If it cannot begin there, the count
/// continues without lanes.
fn begin(later: &mut LanesLater, start: &[String], depth: u64) -> Option<Box<dyn Counter>> {
    let lanes = later.get()?;
    let counter = lanes.game().state_of(start).map_err(|error| error.to_string());
    let counter = counter.and_then(|state| {
        in_lanes(lanes, &state, depth).map_err(|error: PerftError| error.to_string())
    });
    counter.map_err(|error| later.fail(&error)).ok().map(|(counter, _)| counter)
}

impl Counter for SoonestPerft<'_> {
    fn is_done(&self) -> bool {
        self.lanes.as_ref().map_or_else(|| self.perft.is_done(), |lanes| lanes.is_done())
    }

    fn limit_states(&mut self, most: u64) {
        self.most_states = most;
        self.perft.limit_states(most);
    }

    fn next_level(&mut self) -> Result<Option<Level>, PerftError> {
        if let Some(lanes) = &mut self.lanes {
            return lanes.next_level();
        }
        let mut begun = None;
        let step = self.perft.step(&mut || {
            begun = begin(self.later, &self.start, self.first_depth);
            begun.is_some()
        })?;
        let level = match (step, begun) {
            (CountStep::Counted(level), _) => level,
            (CountStep::Stopped, Some(mut lanes)) => {
                lanes.limit_states(self.most_states);
                // Earlier depths are counted again, which takes lanes hardly any time.
                for _ in self.first_depth..self.depth {
                    lanes.next_level()?;
                }
                self.lanes.insert(lanes).next_level()?
            }
            (CountStep::Stopped, None) => None,
        };
        self.depth += u64::from(level.is_some());
        Ok(level)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use propnet::gdl::{Rules, Source};
    use propnet::reference::{Reasoner, load};

    use super::*;
    use crate::library;
    use crate::perft::{Branch, Means, count, divide};
    use crate::pipeline::{Engine, LaneProgram, PipelineOptions, Stages};

    fn rules() -> Rules {
        let entry = library::find("tic_tac_toe").expect("a game");
        load(Source::from_text(entry.name, entry.text)).expect("rules")
    }

    fn lanes(rules: &Rules) -> LaneProgram {
        let made = Stages::new(rules.clone()).make(Engine::Lanes, &PipelineOptions::default());
        made.expect("lanes").lanes.expect("lanes")
    }

    fn levels(mut counter: Box<dyn Counter + '_>, depth: usize) -> Vec<Level> {
        let next = || counter.next_level().expect("a level");
        std::iter::from_fn(next).take(depth).collect()
    }

    /// The levels that are counted one state at a time.
    fn expected(rules: &Rules, depth: usize) -> Vec<Level> {
        let mut game = Reasoner::new(rules);
        let start = game.initial_state().expect("a state");
        levels(count(&mut game, Means::Game, start, 0).expect("a level").0, depth)
    }

    #[test]
    fn lanes_take_over_and_count_the_same() {
        let rules = rules();
        let lanes = lanes(&rules);
        let mut later = LanesLater::after(Duration::ZERO, move || Ok(lanes), |_| panic!("lanes"));
        while later.get().is_none() {
            std::thread::yield_now();
        }
        let mut game = Reasoner::new(&rules);
        let start = game.initial_state().expect("a state");
        let (mut counter, _) = SoonestPerft::new(&mut game, &mut later, start, 0).expect("a level");
        let first = counter.next_level().expect("a level").expect("a level");
        assert!(counter.lanes.is_some(), "lanes that are there are used");
        let mut found = vec![first];
        found.extend(levels(Box::new(counter), 8));
        assert_eq!(found, expected(&rules, 9));
    }

    #[test]
    fn lanes_that_come_in_the_middle_change_nothing() {
        let rules = rules();
        let (made, wait) = (lanes(&rules), channel());
        let (go, wait) = (wait.0, Mutex::new(wait.1));
        let make = move || {
            let wait = wait.lock().map_err(|error| error.to_string())?;
            wait.recv().map_err(|error| error.to_string())?;
            Ok(made)
        };
        let mut later = LanesLater::after(Duration::ZERO, make, |_| panic!("lanes"));
        let mut game = Reasoner::new(&rules);
        let start = game.initial_state().expect("a state");
        let (mut counter, _) = SoonestPerft::new(&mut game, &mut later, start, 0).expect("a level");
        let mut next = || counter.next_level().expect("a level").expect("a level");
        let mut found = vec![next(), next()];
        go.send(()).expect("somebody waits");
        while counter.later.get().is_none() {
            std::thread::yield_now();
        }
        found.extend(levels(Box::new(counter), 7));
        assert_eq!(found, expected(&rules, 9));
    }

    #[test]
    fn small_counts_do_not_wait_for_lanes_and_failures_are_told_once() {
        let rules = rules();
        let (told, heard) = channel();
        let tell = move |error: &str| drop(told.send(error.to_string()));
        let fail = || Err("too large".to_string());
        let mut later = LanesLater::after(Duration::from_secs(3600), fail, tell.clone());
        let mut game = Reasoner::new(&rules);
        let start = game.initial_state().expect("a state");
        let counter = count(&mut game, Means::Later(&mut later), start.clone(), 0);
        assert_eq!(levels(counter.expect("a level").0, 2), expected(&rules, 2));
        assert_eq!(heard.try_iter().count(), 0, "nothing was made");
        let mut later = LanesLater::after(Duration::ZERO, fail, tell);
        let counter = count(&mut game, Means::Later(&mut later), start, 0);
        assert_eq!(levels(counter.expect("a level").0, 6), expected(&rules, 6));
        while heard.try_recv().is_err() {
            assert!(later.get().is_none());
        }
        assert_eq!(heard.try_iter().count(), 0);
    }

    #[test]
    fn branches_are_counted_in_lanes_too() {
        let rules = rules();
        let lanes = lanes(&rules);
        let mut game = Reasoner::new(&rules);
        let start = game.initial_state().expect("a state");
        let mut branches = |means: Means<'_>| {
            let mut found: Vec<Branch> = Vec::new();
            divide(&mut game, means, &start, 5, u64::MAX, |branch| {
                found.push(branch);
                Ok::<(), PerftError>(())
            })
            .expect("branches");
            found
        };
        let mut later = LanesLater::after(Duration::ZERO, move || Ok(lanes), |_| ());
        while later.get().is_none() {
            std::thread::yield_now();
        }
        assert_eq!(branches(Means::Later(&mut later)), branches(Means::Game));
    }
}
