//! A tree without a crew, for tests: what is launched and what comes of it is up to them.

use propnet::game::Move;
use propnet::gdl::Source;
use propnet::lanes::{Ending, Job, Outcome};
use propnet::reference::{self, Reasoner};

use super::budget::{Budget, Clock};
use super::flight::Flight;
use super::grower::Grower;
use super::plain::PlainSimulator;
use super::settings::Settings;
use super::simulator::Simulator;

/// The lanes that a tree believes to have.
const LANES: usize = 256;

/// A tree, and what plays for it one playout after the other.
pub(super) struct Trial {
    pub(super) grower: Grower,
    pub(super) simulator: PlainSimulator,
}

impl Trial {
    /// The tree of a sheet's first state.
    pub(super) fn new(sheet: &str, settings: &Settings) -> Self {
        let rules = reference::load(Source::from_text("sheet", sheet)).expect("a sheet");
        let mut simulator = PlainSimulator::new(Box::new(Reasoner::new(&rules)), 1);
        let state = simulator.game().initial_state().expect("a state");
        let grower = Grower::new(&mut simulator, 1, settings, state, 1, usize::MAX);
        let mut grower = grower.expect("a tree");
        grower.lanes = LANES;
        Trial { grower, simulator }
    }

    /// Launches what may be under way; whether anything is.
    pub(super) fn launch(&mut self, budget: &Budget) -> bool {
        let mut clock = Clock::new(budget, std::time::Duration::ZERO);
        self.grower.launch_all(0, budget, &mut clock)
    }

    /// The jobs that were launched.
    pub(super) fn jobs(&mut self) -> Vec<Job> {
        std::mem::take(&mut self.grower.jobs)
    }

    /// Plays jobs to their ends.
    pub(super) fn play(&mut self, jobs: Vec<Job>) {
        jobs.into_iter().for_each(|job| self.simulator.push(job));
        while self.simulator.unfinished() > 0 {
            self.simulator.step();
        }
        for mut outcome in self.simulator.outcomes() {
            self.grower.land(0, &mut outcome, self.simulator.game()).expect("a state");
        }
    }

    /// Searches until a budget is spent.
    pub(super) fn run(&mut self, budget: &Budget) {
        self.grower.begin(budget);
        while self.launch(budget) {
            let jobs = self.jobs();
            self.play(jobs);
        }
    }

    /// A simulation of one role that begins with these moves at the root, whatever would have been
    /// chosen.
    pub(super) fn simulate(&mut self, moves: &[Move], goal: i32, ending: Ending) {
        let grower = &mut self.grower;
        let root = grower.tree.root;
        let mut flight = Flight::default();
        flight.reset(1, 1);
        flight.nodes.push(root);
        flight.chosen = grower.tree.places(root, &moves[..1]).expect("a legal move");
        grower.tree.nodes[root as usize].visits += 1.0;
        grower.tree.moves[flight.chosen[0] as usize].visits += 1.0;
        let mut outcome = Outcome {
            tag: grower.flights[0].start(flight),
            ending,
            goals: [Some(goal)].into_iter().collect(),
            length: moves.len() as u64,
            moves: moves.to_vec(),
            first: None,
        };
        grower.land(0, &mut outcome, self.simulator.game()).expect("states");
    }
}
