//! One tree and what is known beside it: simulations under way, averages of moves, the best line.
//!
//! ```text
//! launch: descend -> jobs -> lanes -> outcomes -> land: expand, back up, credit
//!    ^                                                        |
//!    +--------------------------------------------------------+
//! ```
//!
//! It plays nothing itself: crews take its jobs and bring outcomes back. Several of them may play
//! for one tree, each with its own simulations under way.

use std::sync::Arc;
use std::time::Duration;

use propnet::game::{Move, PlayError, State};
use propnet::lanes::Job;
use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::balance::{Balance, MOST_PER_LEAF};
use super::budget::{Budget, Clock};
use super::choose::Rule;
use super::descend::{Leaf, Reach, descend};
use super::flight::{Flight, Flights};
use super::mast::Averages;
use super::plan::{HIGHEST, Plan, Room};
use super::report::RunEnd;
use super::settings::{Settings, Strategy};
use super::simulator::{Simulator, situation};
use super::tree::Tree;

/// The longest path through the tree.
const MOST_LEVELS: usize = 1000;

/// After so many simulations without a playout the clock is looked at.
const PATIENCE: usize = 64;

/// After this many descents in a row without a playout there may be nothing left to learn, if they
/// are this share of all visits.
const SETTLED: u32 = 1 << 14;
const SETTLED_SHARE: f64 = 1.0 / 16.0;

/// The number of a crew among those that play for a tree.
pub(super) type CrewNumber = usize;

/// One search tree with its own chance.
pub(super) struct Grower {
    pub(super) settings: Settings,
    /// The playouts that a crew makes at once.
    pub(super) lanes: usize,
    pub(super) tree: Tree,
    /// By crew: its simulations under way.
    pub(super) flights: Vec<Flights>,
    balance: Balance,
    pub(super) rng: Pcg64,
    pub(super) discounts: Discounts,
    pub(super) averages: Option<Averages>,
    /// Counts how often weights were to be made anew from the averages.
    pub(super) weights: u64,
    /// Only in games for one role.
    pub(super) plan: Option<Plan>,
    /// The bytes that the tree may take, also while it is copied.
    pub(super) limit: usize,
    /// Whether memory is short although everything that could go is gone, as far as time allowed.
    pub(super) is_full: bool,
    /// About how many nodes cannot be reached any more; none where all can.
    pub(super) garbage: Option<usize>,
    pub(super) descents: u32,
    /// What was done at this root since there was a playout.
    settling: Settling,
    /// The number of the next job.
    pub(super) next_job: u64,
    /// Jobs that no crew has taken yet.
    pub(super) jobs: Vec<Job>,
    /// Samples of this run that might have been credited.
    pub(super) samples_seen: u64,
    /// Moves credited since weights were made, and before that.
    pub(super) credited: (u64, u64),
    /// The nodes that the budget of a run allows.
    most_expansions: Option<u64>,
    pub(super) counts: Counts,
}

/// Simulations in a row that ended in the tree.
#[derive(Clone, Copy, Debug, Default)]
struct Settling {
    descents: u32,
    samples: u64,
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
    /// Time in the tree, or waiting for it, of all crews.
    pub(super) tree: Duration,
}

/// Discounts for playouts, by their length.
pub(super) struct Discounts {
    /// That of one ply.
    pub(super) one: f64,
    /// Those of playouts as long as most are.
    powers: Vec<f64>,
}

impl Discounts {
    fn new(discount: f64) -> Self {
        Discounts { one: discount, powers: (0..1024).map(|length| discount.powi(length)).collect() }
    }

    /// The discount after so many moves.
    pub(super) fn after(&self, length: u64) -> f64 {
        let power = || self.one.powi(i32::try_from(length).unwrap_or(i32::MAX));
        self.powers.get(length as usize).copied().unwrap_or_else(power)
    }
}

impl Grower {
    /// A tree of one node, for so many crews with simulators like this one.
    pub(super) fn new(
        simulator: &mut dyn Simulator,
        crews: usize,
        settings: &Settings,
        state: State,
        seed: u64,
        limit: usize,
    ) -> Result<Self, PlayError> {
        let root = situation(simulator.game(), state)?;
        let roles = simulator.game().roles().len();
        let for_one = roles == 1 && settings.one_role && settings.strategy.is_guided();
        let is_mast = settings.strategy == Strategy::Mast;
        Ok(Grower {
            tree: Tree::new(root, roles, settings.transpositions, for_one),
            lanes: simulator.lanes(),
            flights: (0..crews).map(|_| Flights::default()).collect(),
            balance: Balance::new(),
            rng: Pcg64::seed_from_u64(seed),
            discounts: Discounts::new(if for_one { 1.0 } else { settings.discount }),
            averages: is_mast.then(|| Averages::new(&simulator.move_counts(), settings.tau)),
            weights: 0,
            plan: for_one.then(Plan::new),
            limit,
            is_full: false,
            garbage: None,
            descents: 0,
            settling: Settling::default(),
            next_job: 0,
            jobs: Vec::new(),
            samples_seen: 0,
            credited: (0, 0),
            most_expansions: None,
            counts: Counts::default(),
            settings: settings.clone(),
        })
    }

    /// A run begins.
    pub(super) fn begin(&mut self, budget: &Budget) {
        self.counts = Counts::default();
        self.samples_seen = 0;
        self.most_expansions = budget.expansions;
    }

    /// Launches what a crew may have under way. Nothing goes on for it when the budget is spent and
    /// all is over, or when time is up.
    ///
    /// A simulation that ends in the tree takes a place as well, until the next time: while others
    /// are under way and look like losses, not many may be launched that believe it.
    pub(super) fn launch_all(
        &mut self,
        crew: CrewNumber,
        budget: &Budget,
        clock: &mut Clock,
    ) -> bool {
        if let Some(plan) = &mut self.plan {
            plan.begin_round();
        }
        let mut launched = self.flights[crew].len();
        // A queue as long as there are lanes is enough to keep them busy.
        while launched < self.most_in_flight() && self.flights[crew].pending() < 2 * self.lanes
            || self.flights[crew].len() == 0
        {
            let left = self.left(budget);
            if left == 0 {
                break;
            }
            let samples = self.samples(budget).min(usize::try_from(left).unwrap_or(usize::MAX));
            self.launch(crew, samples);
            launched += 1;
            if launched.is_multiple_of(PATIENCE) && clock.is_over() {
                return false;
            }
        }
        self.flights[crew].len() > 0
    }

    /// How many simulations of a crew may be under way at once.
    fn most_in_flight(&self) -> usize {
        let crews = self.flights.len();
        if let Some(count) = self.settings.in_flight {
            return count.div_ceil(crews);
        }
        if !self.settings.strategy.is_guided() {
            return self.lanes;
        }
        // Only what is backed up: else each launch would allow the next.
        let under_way: usize = self.flights.iter().map(Flights::samples).sum();
        let visits = self.tree.nodes[self.tree.root as usize].visits - under_way as f64;
        let allowed = (visits / self.settings.visits_per_flight as f64) as usize;
        allowed.div_ceil(crews).clamp(1, self.lanes)
    }

    /// How many playouts the next leaf gets. Idle lanes cost no time, so where time is what is
    /// spent they play along, and others too where the tree costs more than playouts; where
    /// simulations are, one for each leaf makes the most of them.
    fn samples(&self, budget: &Budget) -> usize {
        let by_time = || {
            let idle = (self.lanes / self.most_in_flight()).min(MOST_PER_LEAF);
            idle.max(self.balance.least)
        };
        let automatic = || if budget.counts() { 1 } else { by_time() };
        self.settings.lanes_per_leaf.unwrap_or_else(automatic).clamp(1, self.lanes)
    }

    /// A round of a crew took so long in the tree, and so long beside it.
    pub(super) fn spend(&mut self, tree: Duration, beside: Duration) {
        self.counts.tree += tree;
        self.balance.note(tree, beside);
    }

    /// How many samples may be begun.
    fn left(&self, budget: &Budget) -> u64 {
        if self.end(budget) != RunEnd::Budget || self.expansions_left() == 0 {
            return 0;
        }
        budget.most_simulations().saturating_sub(self.counts.launched)
    }

    /// Why a run with this budget ends now, if the budget is not spent.
    pub(super) fn end(&self, budget: &Budget) -> RunEnd {
        if self.plan.as_ref().is_some_and(|plan| plan.score >= HIGHEST) {
            return RunEnd::Solved;
        }
        // A budget that counts is spent in any case, so that the same one gives the same search.
        if !budget.counts() && self.is_settled() {
            return RunEnd::Settled;
        }
        RunEnd::Budget
    }

    /// Whether nothing is left to learn: for a share of all visits to the root, every descent has
    /// ended in a terminal state that the tree knows. So there are no new states any more, or the
    /// search is so sure of its moves that it does not look for them.
    fn is_settled(&self) -> bool {
        let visits = self.tree.nodes[self.tree.root as usize].visits;
        self.settling.descents >= SETTLED && self.settling.samples as f64 >= SETTLED_SHARE * visits
    }

    /// Another root has something to learn.
    pub(super) fn unsettle(&mut self) {
        self.settling = Settling::default();
    }

    /// How many nodes may be added beside those that are under way.
    fn expansions_left(&self) -> u64 {
        let begun = self.counts.expansions + self.counts.expanding;
        self.most_expansions.map_or(u64::MAX, |most| most.saturating_sub(begun))
    }

    /// What a line may add to the tree.
    pub(super) fn room(&self) -> Room {
        let left = usize::try_from(self.expansions_left()).unwrap_or(usize::MAX);
        let bytes = if self.is_full { 0 } else { self.limit };
        Room { nodes: self.tree.nodes.len().saturating_add(left), bytes }
    }

    /// Begins a simulation of so many playouts, or makes it at once where the game is over.
    fn launch(&mut self, crew: CrewNumber, samples: usize) {
        let mut flight = self.flights[crew].spare();
        flight.reset(self.tree.roles(), samples);
        self.counts.launched += samples as u64;
        self.descents = self.descents.wrapping_add(1);
        let rule = match self.settings.strategy {
            Strategy::Uct | Strategy::Mast => {
                Rule::Bounds { c: self.settings.c, averages: self.averages.as_ref() }
            }
            _ => Rule::Uniform,
        };
        let levels = if self.settings.strategy == Strategy::Mc { 1 } else { MOST_LEVELS };
        let reach = Reach { levels, may_open: !self.is_full };
        let leaf =
            descend(&mut self.tree, &rule, &reach, &mut self.rng, &mut flight, self.descents);
        self.counts.depth = self.counts.depth.max(flight.depth());
        match leaf {
            Leaf::Over(node) => {
                self.settling.descents = self.settling.descents.saturating_add(1);
                self.settling.samples += samples as u64;
                self.finish_at_end(crew, node, flight);
            }
            Leaf::Playout => {
                self.unsettle();
                self.play(crew, flight);
            }
        }
    }

    /// Makes a job of the playouts of a flight.
    fn play(&mut self, crew: CrewNumber, mut flight: Flight) {
        flight.expands &= !self.is_full;
        let last = flight.depth() - 1;
        let state = self.tree.nodes[flight.nodes[last] as usize].state.clone();
        let joint: Arc<[Move]> = self.tree.joint(flight.level(last));
        let (samples, expands) = (flight.samples, flight.expands);
        self.counts.expanding += u64::from(expands);
        let credited = self.credited_of(samples);
        let tag = self.flights[crew].start(flight);
        self.jobs.push(Job {
            count: samples,
            forced: Some(joint),
            limit: Some(self.settings.playout_limit),
            wants_first: expands,
            wants_moves: if self.plan.is_some() { samples } else { credited },
            ..Job::new(tag, self.next_job, &state)
        });
        self.next_job += samples as u64;
    }

    /// Of how many of the next samples moves are credited: all where they are read in any case.
    pub(super) fn credited_of(&mut self, samples: usize) -> usize {
        let before = self.samples_seen;
        self.samples_seen += samples as u64;
        match self.averages {
            None => return 0,
            Some(_) if self.plan.is_some() => return samples,
            Some(_) => {}
        }
        let Settings { credit_first: first, credit_one_of: one_of, .. } = self.settings;
        let credited = |seen: u64| seen.min(first) + (seen / one_of).saturating_sub(first / one_of);
        (credited(self.samples_seen) - credited(before)) as usize
    }
}

#[cfg(test)]
mod tests {
    use propnet::lanes::Ending;

    use super::super::trial::{CHOICE, Trial, ring};
    use super::*;

    #[test]
    fn discounts_are_powers_however_long_a_playout_is() {
        let discounts = Discounts::new(0.999);
        for length in [0, 1, 2, 62, 1023, 1024, 5000] {
            let expected = (length as f64 * 0.999f64.ln()).exp();
            assert!((discounts.after(length) / expected - 1.0).abs() < 1e-9, "{length}");
        }
        assert_eq!(discounts.after(u64::MAX), 0.0);
    }

    fn uct() -> Settings {
        Settings { one_role: false, ..Settings::new(Strategy::Uct) }
    }

    #[test]
    fn a_fixed_share_of_the_visits_is_under_way() {
        let settings = Settings { visits_per_flight: 10, ..uct() };
        for (budget, samples) in [(Budget::simulations(1000), 1), (Budget::default(), 64)] {
            let mut trial = Trial::new(CHOICE, &settings);
            let mut most = 0;
            let mut done = 0;
            while done < 1000 && trial.launch(&budget) {
                let under_way = trial.grower.flights[0].len();
                assert!(under_way <= (done / 10).max(1), "{under_way} after {done}");
                if most == 0 {
                    assert_eq!(trial.grower.flights[0].samples(), samples);
                }
                most = most.max(under_way);
                let jobs = trial.jobs();
                trial.play(jobs);
                let root = trial.grower.tree.root;
                done = trial.grower.tree.nodes[root as usize].visits as usize;
            }
            assert!(most >= 5, "it grows with the visits: {most}");
        }
    }

    #[test]
    fn no_more_playouts_wait_than_there_are_lanes() {
        let settings = Settings { in_flight: Some(1000), lanes_per_leaf: Some(8), ..uct() };
        let mut trial = Trial::new(CHOICE, &settings);
        assert!(trial.launch(&Budget::simulations(1_000_000)));
        let (pending, lanes) = (trial.grower.flights[0].pending(), trial.grower.lanes);
        let enough = 2 * lanes;
        assert!((enough..enough + 8).contains(&pending), "{pending} for {lanes} lanes");
    }

    #[test]
    fn all_of_the_first_samples_are_credited_then_one_of_many() {
        let settings = Settings {
            credit_first: 2500,
            credit_one_of: 30,
            one_role: false,
            ..Settings::new(Strategy::Mast)
        };
        let mut grower = Trial::new(CHOICE, &settings).grower;
        let is_credited = |number: u64| number <= 2500 || number.is_multiple_of(30);
        while grower.samples_seen < 4000 {
            let (before, samples) = (grower.samples_seen, 1 + grower.samples_seen % 77);
            let expected = (before + 1..=before + samples).filter(|&at| is_credited(at)).count();
            assert_eq!(grower.credited_of(samples as usize), expected, "{samples} after {before}");
        }
        grower.begin(&Budget::default());
        assert_eq!(grower.credited_of(100), 100, "every run begins anew");
        let mut other = Trial::new(CHOICE, &uct()).grower;
        assert_eq!(other.credited_of(100), 0, "only where something is learned from it");
        let mut for_one = Trial::new(CHOICE, &Settings::new(Strategy::Mast)).grower;
        for_one.samples_seen = 1_000_000;
        assert_eq!(for_one.credited_of(100), 100, "all moves are read in search of the best line");
    }

    #[test]
    fn what_is_under_way_looks_like_a_loss() {
        let mut trial = Trial::new(CHOICE, &Settings { in_flight: Some(2), ..uct() });
        for at in 0..2 {
            trial.simulate(&[at, 0, 0, 0, 0, 0, 0, 0].map(Move), 50, Ending::Terminal);
        }
        for _ in 0..20 {
            assert!(trial.launch(&Budget::simulations(1000)));
            let flights = trial.grower.flights[0].under_way();
            let chosen: Vec<u32> = flights.map(|flight| flight.chosen[0]).collect();
            assert!(chosen.len() == 2 && chosen[0] != chosen[1], "{chosen:?}");
            trial.grower.call_off(0);
        }
    }

    #[test]
    fn no_path_is_longer_than_its_bound() {
        let mut trial = Trial::new(CHOICE, &uct());
        for (states, levels) in [(700, 700), (5000, MOST_LEVELS)] {
            trial.grower.tree = ring(states);
            assert!(trial.launch(&Budget::simulations(1000)));
            let flight = trial.grower.flights[0].under_way().next().expect("a simulation");
            assert_eq!((flight.depth(), flight.expands), (levels, false));
            trial.grower.call_off(0);
        }
    }
}
