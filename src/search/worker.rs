//! One tree and the lanes that play for it.
//!
//! ```text
//! launch: descend -> jobs -> lanes -> outcomes -> land: expand, back up, credit
//!    ^                                                        |
//!    +--------------------------------------------------------+
//! ```
//!
//! Outcomes are collected when an eighth of the playouts under way are over, so no lane waits for
//! long, and what is computed for all of them at once is computed for many.

use std::time::{Duration, Instant};

use propnet::game::{PlayError, State};
use propnet::lanes::Job;
use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::budget::{Budget, Clock};
use super::choose::Rule;
use super::descend::{Leaf, descend};
use super::flight::{Flight, Flights};
use super::mast::Averages;
use super::plan::{HIGHEST, Plan};
use super::settings::{Settings, Strategy};
use super::simulator::{Simulator, situation};
use super::tree::Tree;

/// The longest path through the tree.
const MOST_LEVELS: usize = 1000;

/// The most playouts from one leaf where idle lanes decide.
const MOST_LANES_PER_LEAF: usize = 64;

/// Outcomes are collected when one of so many playouts under way is over.
const COLLECTED_SHARE: usize = 8;

/// The first samples of a match are all credited: while little is known, each counts.
const FIRST_CREDITED: u64 = 2000;

/// After so many simulations without a playout the clock is looked at.
const PATIENCE: usize = 64;

/// One search tree with its own simulator and its own chance.
pub(super) struct Worker {
    pub(super) settings: Settings,
    pub(super) simulator: Box<dyn Simulator>,
    pub(super) tree: Tree,
    pub(super) flights: Flights,
    pub(super) rng: Pcg64,
    pub(super) discount: f64,
    pub(super) averages: Option<Averages>,
    /// Only in games for one role.
    pub(super) plan: Option<Plan>,
    /// The bytes that the tree may hold.
    pub(super) limit: usize,
    /// Whether memory is short although everything that could go is gone.
    pub(super) is_full: bool,
    pub(super) descents: u32,
    /// The number of the next job.
    pub(super) next_job: u64,
    /// Samples that might have been credited.
    pub(super) samples_seen: u64,
    /// Moves credited since weights were made, and before that.
    pub(super) credited: (u64, u64),
    pub(super) counts: Counts,
}

/// What was done in a run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Samples begun, and those backed up.
    launched: u64,
    pub(super) simulations: u64,
    pub(super) playouts: u64,
    pub(super) expansions: u64,
    /// Expansions under way.
    pub(super) expanding: u64,
    pub(super) depth: usize,
    pub(super) prunings: u64,
    /// Time in the tree.
    pub(super) tree: Duration,
}

impl Worker {
    pub(super) fn new(
        mut simulator: Box<dyn Simulator>,
        settings: &Settings,
        state: State,
        seed: u64,
        limit: usize,
    ) -> Result<Self, PlayError> {
        let root = situation(simulator.game(), state)?;
        let roles = simulator.game().roles().len();
        let for_one = roles == 1 && settings.one_role && settings.strategy.is_guided();
        let is_mast = settings.strategy == Strategy::Mast;
        Ok(Worker {
            tree: Tree::new(root, roles, settings.transpositions, for_one),
            flights: Flights::default(),
            rng: Pcg64::seed_from_u64(seed),
            discount: if for_one { 1.0 } else { settings.discount },
            averages: is_mast.then(|| Averages::new(&simulator.move_counts(), settings.tau)),
            plan: for_one.then(Plan::new),
            limit,
            is_full: false,
            descents: 0,
            next_job: 0,
            samples_seen: 0,
            credited: (0, 0),
            counts: Counts::default(),
            simulator,
            settings: settings.clone(),
        })
    }

    /// Searches until the budget is spent.
    pub(super) fn run(&mut self, budget: &Budget) -> Result<(), PlayError> {
        self.counts = Counts::default();
        if self.settings.strategy == Strategy::Random {
            return Ok(());
        }
        let mut clock = Clock::new(budget, Duration::from_millis(self.settings.margin));
        loop {
            let start = Instant::now();
            let goes_on = self.launch_all(budget, &mut clock);
            self.counts.tree += start.elapsed();
            if !goes_on || !self.play(&mut clock) {
                break;
            }
            let outcomes = self.simulator.outcomes();
            let start = Instant::now();
            for outcome in outcomes {
                self.land(outcome)?;
            }
            self.refresh();
            self.make_room();
            self.counts.tree += start.elapsed();
        }
        self.flights.cancel(&mut self.tree);
        Ok(())
    }

    /// Launches what may be under way. Nothing goes on when the budget is spent and all is over, or
    /// when time is up.
    ///
    /// A simulation that ends in the tree takes a place as well, until the next time: while others
    /// are under way and look like losses, not many may be launched that believe it.
    fn launch_all(&mut self, budget: &Budget, clock: &mut Clock) -> bool {
        let mut launched = self.flights.len();
        while launched < self.most_in_flight() || self.flights.len() == 0 {
            let left = self.left(budget);
            if left == 0 {
                break;
            }
            self.launch(self.samples().min(usize::try_from(left).unwrap_or(usize::MAX)));
            launched += 1;
            if launched.is_multiple_of(PATIENCE) && clock.is_over() {
                return false;
            }
        }
        self.flights.len() > 0
    }

    /// How many simulations may be under way at once.
    fn most_in_flight(&self) -> usize {
        let lanes = self.simulator.lanes();
        if let Some(count) = self.settings.in_flight {
            return count;
        }
        if !self.settings.strategy.is_guided() {
            return lanes;
        }
        let visits = self.tree.nodes[self.tree.root as usize].visits;
        ((visits / self.settings.visits_per_flight as f64) as usize).clamp(1, lanes)
    }

    /// How many playouts the next leaf gets.
    fn samples(&self) -> usize {
        let lanes = self.simulator.lanes();
        self.settings
            .lanes_per_leaf
            .unwrap_or_else(|| (lanes / self.most_in_flight()).min(MOST_LANES_PER_LEAF))
            .clamp(1, lanes)
    }

    /// How many samples may be begun.
    fn left(&self, budget: &Budget) -> u64 {
        let counts = &self.counts;
        let is_solved = self.plan.as_ref().is_some_and(|plan| plan.score >= HIGHEST);
        let is_grown =
            budget.expansions.is_some_and(|most| counts.expansions + counts.expanding >= most);
        if is_solved || is_grown {
            return 0;
        }
        budget.most_simulations().saturating_sub(counts.launched)
    }

    /// Begins a simulation of so many playouts, or makes it at once where the game is over.
    fn launch(&mut self, samples: usize) {
        let mut flight = self.flights.spare();
        flight.reset(self.tree.roles(), samples);
        self.counts.launched += samples as u64;
        self.descents = self.descents.wrapping_add(1);
        let rule = match self.settings.strategy {
            Strategy::Uct | Strategy::Mast => {
                Rule::Bounds { c: self.settings.c, averages: self.averages.as_ref() }
            }
            _ => Rule::Uniform,
        };
        let most = if self.settings.strategy == Strategy::Mc { 1 } else { MOST_LEVELS };
        let leaf = descend(&mut self.tree, &rule, most, &mut self.rng, &mut flight, self.descents);
        self.counts.depth = self.counts.depth.max(flight.depth());
        match leaf {
            Leaf::Over(node) => self.finish_at_end(node, flight),
            Leaf::Playout => self.begin(flight),
        }
    }

    /// Sends the playouts of a flight on their way.
    fn begin(&mut self, mut flight: Flight) {
        flight.expands &= !self.is_full;
        let last = flight.depth() - 1;
        let state = self.tree.nodes[flight.nodes[last] as usize].state.clone();
        let joint = self.tree.joint(flight.level(last));
        let (samples, expands) = (flight.samples, flight.expands);
        self.counts.expanding += u64::from(expands);
        let tag = self.flights.start(flight);
        for sample in 0..samples {
            let wants_moves = self.is_credited() || self.plan.is_some();
            let job = Job {
                forced: Some(joint.clone()),
                limit: Some(self.settings.playout_limit),
                wants_first: expands && sample == 0,
                wants_moves,
                ..Job::new(tag, self.next_job, &state)
            };
            self.next_job += 1;
            self.simulator.push(job);
        }
    }

    /// Whether the moves of the next sample are credited.
    pub(super) fn is_credited(&mut self) -> bool {
        self.samples_seen += 1;
        let is_turn = self.samples_seen.is_multiple_of(self.settings.credit_one_of);
        self.averages.is_some() && (is_turn || self.samples_seen <= FIRST_CREDITED)
    }

    /// Lets playouts go on until enough of them are over; whether they came so far in time.
    fn play(&mut self, clock: &mut Clock) -> bool {
        let under_way = self.simulator.unfinished();
        let enough = under_way - under_way.div_ceil(COLLECTED_SHARE);
        while self.simulator.unfinished() > enough {
            if clock.is_over() {
                return false;
            }
            self.simulator.step();
        }
        !clock.is_over()
    }
}
