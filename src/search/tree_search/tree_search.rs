//! One tree, its parts, and the simulations in flight in it.
//!
//! ```text
//! launch: descend -> jobs -> lanes -> outcomes -> finish: expand, back-propagate, learn
//!    ^                                                        |
//!    +--------------------------------------------------------+
//! ```
//!
//! It plays nothing itself: playout workers take its jobs and bring outcomes back. Several of them
//! may work for one tree, each with its own simulations in flight.

use std::sync::Arc;
use std::time::Duration;

use propnet::game::{Move, PlayError, State};
use propnet::lanes::Job;
use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::balance::{Balance, MOST_PER_LEAF};
use super::learning::Learning;
use super::settling::Settling;
use super::simulation::{Simulation, Simulations};
use crate::search::budget::{Budget, Clock};
use crate::search::playout::{Line, Simulator, new_node};
use crate::search::policy::CreditedLine;
use crate::search::report::RunEnd;
use crate::search::scheme::Parts;
use crate::search::selection::{Descent, Leaf};
use crate::search::settings::{
    IN_FLIGHT, LANES_PER_LEAF, Settings, TRANSPOSITIONS, VISITS_PER_FLIGHT,
};
use crate::search::solver::Room;
use crate::search::tree::Tree;

/// After this number of simulations without a playout the clock is read.
const PATIENCE: usize = 64;

/// The number of a playout worker among those of a tree.
pub(crate) type WorkerNumber = usize;

/// A search tree with its own random generator.
pub(crate) struct TreeSearch {
    pub(crate) parts: Parts,
    limits: FlightLimits,
    /// The playouts that a worker makes at once.
    pub(crate) lanes: usize,
    pub(crate) tree: Tree,
    /// By playout worker: its simulations in flight.
    pub(crate) simulations: Vec<Simulations>,
    balance: Balance,
    pub(crate) rng: Pcg64,
    pub(crate) learning: Learning,
    /// The bytes that the tree may take, also while it is copied.
    pub(crate) limit: usize,
    /// Whether memory is short although everything that could go is gone, as far as time allowed.
    pub(crate) is_full: bool,
    /// About how many nodes cannot be reached any more; none where all can.
    pub(crate) garbage: Option<usize>,
    pub(crate) descents: u32,
    /// What was done at this root since there was a playout.
    pub(crate) settling: Settling,
    /// The number of the next job.
    pub(crate) next_job: u64,
    /// Jobs that no worker has taken yet.
    pub(crate) jobs: Vec<Job>,
    /// The nodes that the budget of a run allows.
    most_expansions: Option<u64>,
    pub(crate) counts: Counts,
    /// The joint moves that were made before the root since the search began.
    pub(crate) played: u64,
    /// Simulations that are observed, to be read.
    pub(crate) lines: Vec<Line>,
    /// Simulations whose states are to be learned from.
    pub(crate) credited: Vec<CreditedLine>,
}

/// How many simulations may be in flight, and playouts from a leaf; none for automatic.
#[derive(Clone, Copy)]
struct FlightLimits {
    in_flight: Option<usize>,
    visits_per_flight: f64,
    lanes_per_leaf: Option<usize>,
}

/// What was done in a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    /// Playouts begun, and those back-propagated.
    launched: u64,
    pub(crate) simulations: u64,
    pub(crate) playouts: u64,
    /// Those of them that were cut.
    pub(crate) cut: u64,
    pub(crate) expansions: u64,
    /// States that finished simulations came to after the root.
    pub(crate) states: u64,
    /// Expansions in flight.
    pub(crate) expanding: u64,
    pub(crate) depth: usize,
    pub(crate) prunings: u64,
    /// Time in the tree, or waiting for it, of all workers.
    pub(crate) tree: Duration,
}

impl TreeSearch {
    /// A tree of one node, for a number of workers with simulators like this one.
    pub(crate) fn new(
        simulator: &mut dyn Simulator,
        workers: usize,
        settings: &Settings,
        state: State,
        seed: u64,
        limit: usize,
    ) -> Result<Self, PlayError> {
        let root = new_node(simulator.game(), state)?;
        let roles = simulator.game().roles().len();
        let values = &settings.values;
        let mut parts = Parts::new(&settings.scheme, values, &simulator.move_counts());
        parts.prepare(simulator.game());
        if let Some(bounds) = &mut parts.score_bounds {
            bounds.outlook = simulator.open_goals().map(|goals| goals.outlook());
        }
        let transpositions = values.is_on(&TRANSPOSITIONS);
        Ok(TreeSearch {
            tree: Tree::new(root, roles, transpositions, &parts.columns()),
            lanes: simulator.lanes(),
            simulations: (0..workers).map(|_| Simulations::default()).collect(),
            balance: Balance::new(),
            rng: Pcg64::seed_from_u64(seed),
            learning: Learning::new(values),
            limit,
            is_full: false,
            garbage: None,
            descents: 0,
            settling: Settling::default(),
            next_job: 0,
            jobs: Vec::new(),
            most_expansions: None,
            counts: Counts::default(),
            played: 0,
            lines: Vec::new(),
            credited: Vec::new(),
            limits: FlightLimits {
                in_flight: values.count_or_auto(&IN_FLIGHT).map(|count| count as usize),
                visits_per_flight: values.get(&VISITS_PER_FLIGHT),
                lanes_per_leaf: values.count_or_auto(&LANES_PER_LEAF).map(|count| count as usize),
            },
            parts,
        })
    }

    /// A run begins.
    pub(crate) fn begin(&mut self, budget: &Budget) {
        self.counts = Counts::default();
        self.learning.begin();
        if let Some(bounds) = &mut self.parts.score_bounds {
            bounds.begin(&mut self.tree);
        }
        self.most_expansions = budget.expansions;
    }

    /// Launches the simulations that a worker may have in flight. False when the budget is spent and
    /// all are over, or when time is up.
    ///
    /// A simulation that ends in the tree takes a place as well, until the next call: while others
    /// are in flight and look like losses, only a few may be launched that rely on it.
    pub(crate) fn launch_all(
        &mut self,
        worker: WorkerNumber,
        budget: &Budget,
        clock: &mut Clock,
    ) -> bool {
        if let Some(best_line) = &mut self.parts.best_line {
            best_line.begin_round();
        }
        let mut launched = self.simulations[worker].len();
        // A queue as long as there are lanes is enough to keep them busy.
        while launched < self.most_in_flight()
            && self.simulations[worker].pending() < 2 * self.lanes
            || self.simulations[worker].len() == 0
        {
            let left = self.left(budget);
            if left == 0 {
                break;
            }
            let left = usize::try_from(left).unwrap_or(usize::MAX);
            let samples = self.samples(budget).min(left).min(self.most_observed());
            self.launch(worker, samples, (left - samples) as u64);
            launched += 1;
            if launched.is_multiple_of(PATIENCE) && clock.is_over() {
                return false;
            }
        }
        self.simulations[worker].len() > 0
    }

    /// How many simulations of a worker may be in flight at once.
    fn most_in_flight(&self) -> usize {
        let workers = self.simulations.len();
        if let Some(count) = self.limits.in_flight {
            return count.div_ceil(workers);
        }
        if !self.parts.selection.uses_statistics() {
            return self.lanes;
        }
        // Only what is back-propagated: otherwise each launch would allow the next.
        let in_flight: usize = self.simulations.iter().map(Simulations::samples).sum();
        let visits = self.tree[self.tree.root].visits - in_flight as f64;
        let allowed = (visits / self.limits.visits_per_flight) as usize;
        allowed.div_ceil(workers).clamp(1, self.lanes)
    }

    /// How many playouts of one worker may be in flight at once in a run with this budget, which
    /// counts.
    pub(crate) fn most_playouts(&self, budget: &Budget) -> usize {
        let by_visits = || {
            let visits = self.tree[self.tree.root].visits + budget.most_simulations() as f64;
            (visits / self.limits.visits_per_flight) as usize
        };
        let in_flight = match self.limits.in_flight {
            Some(count) => count,
            None if self.parts.selection.uses_statistics() => by_visits(),
            None => self.lanes,
        };
        in_flight.max(1).saturating_mul(self.samples(budget)).min(self.lanes)
    }

    /// How many playouts the next leaf gets. Idle lanes cost no time, so with a budget of time they
    /// play along, and others too where the tree costs more than playouts; with a budget of
    /// simulations, one for each leaf makes the most of them.
    fn samples(&self, budget: &Budget) -> usize {
        let by_time = || {
            let idle = (self.lanes / self.most_in_flight()).min(MOST_PER_LEAF);
            idle.max(self.balance.least)
        };
        let automatic = || if budget.counts() { 1 } else { by_time() };
        self.limits.lanes_per_leaf.unwrap_or_else(automatic).clamp(1, self.lanes)
    }

    /// Notes how long a round of a worker took in the tree, and outside it.
    pub(crate) fn spend(&mut self, tree: Duration, beside: Duration) {
        self.counts.tree += tree;
        self.balance.note(tree, beside);
    }

    /// How many playouts may be begun.
    fn left(&self, budget: &Budget) -> u64 {
        let is_spent = budget.states.is_some_and(|most| self.counts.states >= most);
        if self.end(budget) != RunEnd::Budget || self.expansions_left() == 0 || is_spent {
            return 0;
        }
        budget.most_simulations().saturating_sub(self.counts.launched)
    }

    /// Why a run with this budget ends now, if the budget is not spent.
    pub(crate) fn end(&self, budget: &Budget) -> RunEnd {
        if self.parts.best_line.as_ref().is_some_and(|line| line.is_solved()) || self.is_decided() {
            return RunEnd::Solved;
        }
        // A budget that counts is spent in any case, so that the same one gives the same search.
        if !budget.counts() && self.settling.is_over(self.tree[self.tree.root].visits) {
            return RunEnd::Settled;
        }
        RunEnd::Budget
    }

    /// How many nodes may be added besides those in flight.
    pub(super) fn expansions_left(&self) -> u64 {
        let begun = self.counts.expansions + self.counts.expanding;
        self.most_expansions.map_or(u64::MAX, |most| most.saturating_sub(begun))
    }

    /// What a line may add to the tree.
    pub(crate) fn room(&self) -> Room {
        let left = usize::try_from(self.expansions_left()).unwrap_or(usize::MAX);
        let bytes = if self.is_full { 0 } else { self.limit };
        Room { nodes: self.tree.nodes.len().saturating_add(left), bytes }
    }

    /// Begins a simulation of `samples` playouts, or finishes it at once where the game is over. Where
    /// others like it begin with it, they have `more` playouts at most.
    fn launch(&mut self, worker: WorkerNumber, samples: usize, more: u64) {
        let mut simulation = self.simulations[worker].spare();
        simulation.reset(self.tree.roles(), samples);
        self.counts.launched += samples as u64;
        self.descents = self.descents.wrapping_add(1);
        let reach = self.reach();
        let Parts { selection, untried, policy, .. } = &self.parts;
        let leaf = selection.descend(Descent {
            tree: &mut self.tree,
            simulation: &mut simulation,
            rng: &mut self.rng,
            untried: &**untried,
            policy: policy.as_ref(),
            reach,
            number: self.descents,
        });
        self.counts.depth = self.counts.depth.max(simulation.depth());
        self.note_descent(&simulation, &leaf);
        match leaf {
            Leaf::Known(node) => {
                self.settling.add(samples);
                self.finish_at_end(worker, node, simulation);
            }
            Leaf::Playout => {
                self.settling = Settling::default();
                self.play_siblings(worker, &simulation, more);
                self.play(worker, simulation);
            }
        }
    }

    /// Begins a simulation that no descent has chosen.
    pub(super) fn begin_sibling(&mut self, worker: WorkerNumber, sibling: Simulation) {
        self.counts.launched += sibling.samples as u64;
        self.play(worker, sibling);
    }

    /// Makes a job of the playouts of a simulation.
    fn play(&mut self, worker: WorkerNumber, mut simulation: Simulation) {
        simulation.expands &= !self.is_full;
        let last = simulation.depth() - 1;
        let node = simulation.nodes[last];
        let joint: Arc<[Move]> = self.tree.joint(simulation.level(last));
        let (samples, expands) = (simulation.samples, simulation.expands);
        self.counts.expanding += u64::from(expands);
        let learned_from = self.learned_from(samples);
        simulation.is_observed = self.is_observed(samples);
        let reads_all = simulation.is_observed || self.parts.best_line.is_some();
        let tag = self.simulations[worker].start(simulation);
        self.jobs.push(Job {
            count: samples,
            forced: Some(joint),
            limit: Some(self.parts.evaluation.limit()),
            wants_first: expands,
            wants_moves: if reads_all { samples } else { learned_from },
            ..Job::new(tag, self.next_job, &self.tree[node].state)
        });
        self.next_job += samples as u64;
    }

    /// How many of the next playouts the policy learns from: all where their moves are read in any
    /// case.
    pub(crate) fn learned_from(&mut self, samples: usize) -> usize {
        let sampled = self.learning.sample(samples);
        match (self.parts.learns(), &self.parts.best_line) {
            (false, _) => 0,
            (true, Some(_)) => samples,
            // Statistics of nodes need a sample of every simulation.
            (true, None) if self.parts.adjusts() => sampled.max(1),
            (true, None) => sampled,
        }
    }
}

#[cfg(test)]
mod tests {
    use propnet::lanes::Ending;

    use super::super::trial::{CHOICE, LANES, Trial, ring};
    use super::*;
    use crate::search::tree::MoveId;

    const USUAL: &str = "one_role=off";

    #[test]
    fn a_fixed_share_of_the_visits_is_in_flight() {
        for (budget, samples) in [(Budget::simulations(1000), 1), (Budget::default(), 64)] {
            let mut trial = Trial::new(CHOICE, "uct", &[USUAL, "visits_per_flight=10"]);
            let mut most = 0;
            let mut done = 0;
            while done < 1000 && trial.launch(&budget) {
                let in_flight = trial.search.simulations[0].len();
                assert!(in_flight <= (done / 10).max(1), "{in_flight} after {done}");
                if most == 0 {
                    assert_eq!(trial.search.simulations[0].samples(), samples);
                }
                most = most.max(in_flight);
                let jobs = trial.jobs();
                trial.play(jobs);
                let tree = &trial.search.tree;
                done = tree[tree.root].visits as usize;
            }
            assert!(most >= 5, "it grows with the visits: {most}");
        }
    }

    #[test]
    fn as_many_playouts_are_in_flight_as_a_run_asks_lanes_for() {
        // So few that most simulations end in a playout, not in the tree.
        let budget = Budget::simulations(200);
        for (setting, expected) in [
            ("visits_per_flight=10", 20),
            ("in_flight=7", 7),
            ("lanes_per_leaf=3", 9),
            ("in_flight=1000", LANES),
        ] {
            let mut trial = Trial::new(CHOICE, "uct", &[USUAL, setting]);
            assert_eq!(trial.search.most_playouts(&budget), expected, "{setting}");
            let mut most = 0;
            trial.search.begin(&budget);
            while trial.launch(&budget) {
                most = most.max(trial.search.simulations[0].pending());
                let jobs = trial.jobs();
                trial.play(jobs);
            }
            let is_queued = setting == "in_flight=1000";
            assert!(is_queued || most <= expected && most >= expected * 3 / 4, "{setting}: {most}");
        }
        let mut trial = Trial::new(CHOICE, "uct", &[USUAL]);
        trial.run(&budget);
        // What is remembered counts too.
        assert_eq!(trial.search.most_playouts(&budget), 400 / 64);
        assert_eq!(Trial::new(CHOICE, "mc", &[USUAL]).search.most_playouts(&budget), LANES);
    }

    #[test]
    fn no_more_playouts_wait_than_there_are_lanes() {
        let mut trial = Trial::new(CHOICE, "uct", &[USUAL, "in_flight=1000", "lanes_per_leaf=8"]);
        assert!(trial.launch(&Budget::simulations(1_000_000)));
        let (pending, lanes) = (trial.search.simulations[0].pending(), trial.search.lanes);
        let enough = 2 * lanes;
        assert!((enough..enough + 8).contains(&pending), "{pending} for {lanes} lanes");
    }

    #[test]
    fn a_policy_learns_from_a_sample_of_playouts() {
        let settings = [USUAL, "credit_first=10", "credit_one_of=30"];
        let mut search = Trial::new(CHOICE, "mast", &settings).search;
        assert_eq!((search.learned_from(10), search.learned_from(90)), (10, 3));
        let mut other = Trial::new(CHOICE, "uct", &[USUAL]).search;
        assert_eq!(other.learned_from(100), 0, "only where something is learned from it");
        let mut for_one = Trial::new(CHOICE, "mast", &settings[1..]).search;
        for_one.learning.seen = 1_000_000;
        assert_eq!(for_one.learned_from(100), 100, "all moves are read in search of the best line");
    }

    #[test]
    fn what_is_in_flight_looks_like_a_loss() {
        let mut trial = Trial::new(CHOICE, "uct", &[USUAL, "in_flight=2"]);
        for at in 0..2 {
            trial.simulate(&trial.moves(&[at, 0, 0, 0, 0, 0, 0, 0]), 50, Ending::Terminal);
        }
        for _ in 0..20 {
            assert!(trial.launch(&Budget::simulations(1000)));
            let in_flight = trial.search.simulations[0].in_flight();
            let chosen: Vec<MoveId> = in_flight.map(|simulation| simulation.chosen[0]).collect();
            assert!(chosen.len() == 2 && chosen[0] != chosen[1], "{chosen:?}");
            trial.search.call_off(0);
        }
    }

    #[test]
    fn no_path_is_longer_than_its_bound() {
        let mut trial = Trial::new(CHOICE, "uct", &[USUAL]);
        for (states, levels) in [(700, 700), (5000, 1000)] {
            trial.search.tree = ring(states);
            assert!(trial.launch(&Budget::simulations(1000)));
            let simulation = trial.search.simulations[0].in_flight().next().expect("a simulation");
            assert_eq!((simulation.depth(), simulation.expands), (levels, false));
            trial.search.call_off(0);
        }
    }
}
