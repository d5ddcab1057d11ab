//! The front door: a game, settings and a seed; then budgets, reports and moves.

use std::time::Instant;

use propnet::game::{Game, JointMove, Move, PlayError, Role, State};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::budget::Budget;
use super::grower::Grower;
use super::known::{Known, known};
use super::memory::machine_bytes;
use super::program::SearchGame;
use super::report::{MoveReport, Report, RoleReport, RunEnd};
use super::settings::{Parallel, Settings, Strategy};
use super::simulator::Effort;
use super::tree::Tree;
use super::worker::Worker;

/// A search that goes on through a match.
///
/// ```text
/// new -> run -> best_move -> advance -> run -> ...
/// ```
pub struct Search {
    settings: Settings,
    /// One for each tree; they are merged at the root.
    workers: Vec<Worker>,
    /// None where one thread is enough, which is then the caller's.
    pool: Option<ThreadPool>,
    rng: Pcg64,
    /// The joint move that is the most promising; empty where it was not chosen yet, or none is
    /// left. Ties are broken once, so that a report tells what is played.
    chosen: JointMove,
}

impl Search {
    /// A search at the start of a game.
    pub fn new(game: &SearchGame, settings: &Settings, seed: u64) -> Result<Self, PlayError> {
        let state = game.simulator(seed).game().initial_state()?;
        Self::at(game, settings, seed, &state)
    }

    /// A search at any state of a game; an error where its program was made for other settings.
    pub fn at(
        game: &SearchGame,
        settings: &Settings,
        seed: u64,
        state: &State,
    ) -> Result<Self, PlayError> {
        game.check(settings)?;
        let count = match game {
            // The tables of a game that answers questions grow as it is played, so moves have
            // different numbers in different threads.
            SearchGame::Plain(_) => 1,
            SearchGame::Lanes(_) => settings.threads.unwrap_or_else(rayon::current_num_threads),
        };
        let (trees, crews) = match settings.parallel {
            Parallel::Root => (count, 1),
            Parallel::Tree => (1, count),
        };
        let bytes = settings.memory.unwrap_or_else(|| machine_bytes() / 4);
        let limit = usize::try_from(bytes).unwrap_or(usize::MAX) / trees;
        let limit = limit.min(Tree::MOST_BYTES);
        let mut rng = Pcg64::seed_from_u64(seed);
        let worker = |_| {
            let first = game.simulator(rng.random());
            let own_seed = rng.random();
            // The further ones come last: with one of them nothing depends on how threads search.
            let others = (1..crews).map(|_| game.simulator(rng.random()));
            let simulators = std::iter::once(first).chain(others).collect();
            Worker::new(simulators, settings, state.clone(), own_seed, limit)
        };
        let workers = (0..trees).map(worker).collect::<Result<Vec<_>, _>>()?;
        // Threads of its own: in a pool that others use too, a deadline could pass in the queue.
        let pool = match count {
            1 => None,
            _ => ThreadPoolBuilder::new().num_threads(count).build().ok(),
        };
        Ok(Search { settings: settings.clone(), workers, pool, rng, chosen: Vec::new() })
    }

    /// A search at the state in which exactly these sentences are true: how one search takes over
    /// from another that plays on something else.
    pub fn at_sentences(
        game: &SearchGame,
        settings: &Settings,
        seed: u64,
        sentences: &[String],
    ) -> Result<Self, PlayError> {
        let state = game.simulator(seed).game().state_of(sentences)?;
        Self::at(game, settings, seed, &state)
    }

    /// Searches until the budget is spent, and reports.
    pub fn run(&mut self, budget: &Budget) -> Result<Report, PlayError> {
        let start = Instant::now();
        let before = self.effort();
        let count = self.workers.len();
        let workers = &mut self.workers;
        match &self.pool {
            Some(pool) => pool.install(|| {
                let parts = workers.par_iter_mut().with_max_len(1).enumerate();
                parts.try_for_each(|(at, worker)| worker.run(&budget.part(at, count)))
            })?,
            None => workers
                .iter_mut()
                .enumerate()
                .try_for_each(|(at, worker)| worker.run(&budget.part(at, count)))?,
        }
        self.choose();
        Ok(self.report(budget, start.elapsed().as_secs_f64(), before))
    }

    /// The most promising move of a role: the one with the highest average, in a game for one role
    /// with the highest score; ties at random. None where the game is over.
    pub fn best_move(&mut self, role: Role) -> Option<Move> {
        if self.chosen.is_empty() {
            self.choose();
        }
        self.chosen.get(role).copied()
    }

    /// Chooses each role's move.
    fn choose(&mut self) {
        let roles = 0..self.workers[0].grower.tree.roles();
        let joint: Option<JointMove> = roles.map(|role| self.choose_for(role)).collect();
        self.chosen = joint.unwrap_or_default();
    }

    fn choose_for(&mut self, role: Role) -> Option<Move> {
        let known = self.ranked(role);
        let best = known.first()?;
        if self.settings.strategy == Strategy::Random {
            return Some(self.any_of(&known));
        }
        if let Some(planned) = self.planned(best) {
            return Some(planned);
        }
        let ties = known.iter().take_while(|other| other.compare(best).is_eq()).count();
        Some(self.any_of(&known[..ties]))
    }

    /// One of these moves at random.
    fn any_of(&mut self, known: &[Known]) -> Move {
        let at = if known.len() > 1 { self.rng.random_range(0..known.len()) } else { 0 };
        known[at].what
    }

    /// Goes on to the state after a joint move; what can still be reached is kept.
    pub fn advance(&mut self, joint: &[Move]) -> Result<(), PlayError> {
        self.chosen.clear();
        self.workers.iter_mut().try_for_each(|worker| worker.advance(joint))
    }

    /// The state that is searched.
    pub fn state(&self) -> &State {
        let tree = &self.workers[0].grower.tree;
        &tree.nodes[tree.root as usize].state
    }

    /// What is true in the state that is searched; see [`Search::at_sentences`].
    pub fn sentences(&mut self) -> Vec<String> {
        let state = self.state().clone();
        self.game().sentences(&state)
    }

    /// Whether the game is over, or cannot go on.
    pub fn is_over(&self) -> bool {
        let tree = &self.workers[0].grower.tree;
        tree.goals(tree.root).is_some()
    }

    /// The goals, by role, where the game is over.
    pub fn goals(&self) -> Option<&[f64]> {
        let tree = &self.workers[0].grower.tree;
        tree.goals(tree.root)
    }

    /// The legal moves of a role.
    pub fn legal_moves(&self, role: Role) -> Vec<Move> {
        let tree = &self.workers[0].grower.tree;
        tree.moves[tree.span(tree.root, role)].iter().map(|choice| choice.what).collect()
    }

    /// The game, for names and questions.
    pub fn game(&mut self) -> &mut dyn Game {
        self.workers[0].crews[0].simulator.game()
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// With moves that have averages of their own: those of a role's moves in the first tree, the
    /// highest there is for moves never seen.
    pub fn averages(&self, role: Role) -> Option<Vec<f64>> {
        self.workers[0].grower.averages.as_ref().map(|averages| averages.values(role))
    }

    /// The first move of the best line, in a game for one role, if the most promising move is not
    /// known to lead to more.
    fn planned(&self, most_promising: &Known) -> Option<Move> {
        let plan = self.planner()?.plan.as_ref()?;
        let is_highest = most_promising.best.is_none_or(|score| score <= plan.score);
        plan.moves.first().filter(|_| is_highest).map(|joint| joint[0])
    }

    /// The first of those that have the best line.
    fn planner(&self) -> Option<&Grower> {
        let growers = self.workers.iter().map(|worker| &worker.grower);
        let score = |grower: &Grower| {
            let plan = grower.plan.as_ref().filter(|plan| !plan.moves.is_empty());
            plan.map(|plan| plan.score)
        };
        let planners = growers.filter(|grower| score(grower).is_some());
        planners.reduce(|best, grower| if score(grower) > score(best) { grower } else { best })
    }

    /// What all workers know about the moves of a role, the most promising first.
    fn ranked(&self, role: Role) -> Vec<Known> {
        let own = |worker: &Worker| -> Vec<Known> {
            let tree = &worker.grower.tree;
            known(tree, tree.root, role).collect()
        };
        let sum = |all: Vec<Known>, more: Vec<Known>| {
            all.into_iter().zip(more).map(|(known, more)| known.plus(more)).collect()
        };
        let mut known = self.workers.iter().map(own).reduce(sum).unwrap_or_default();
        known.sort_by(Known::compare);
        known
    }

    fn effort(&self) -> Effort {
        self.workers.iter().map(Worker::effort).fold(Effort::default(), Effort::plus)
    }

    fn report(&mut self, budget: &Budget, seconds: f64, before: Effort) -> Report {
        let effort = self.effort();
        let lane_steps = effort.lane_steps - before.lane_steps;
        let busy = effort.busy_lane_steps - before.busy_lane_steps;
        let counts = || self.workers.iter().map(|worker| worker.grower.counts);
        let tree_seconds: f64 = counts().map(|counts| counts.tree.as_secs_f64()).sum();
        let threads: usize = self.workers.iter().map(|worker| worker.crews.len()).sum();
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        Report {
            strategy: self.settings.strategy,
            simulations: counts().map(|counts| counts.simulations).sum(),
            playouts: counts().map(|counts| counts.playouts).sum(),
            expansions: counts().map(|counts| counts.expansions).sum(),
            nodes: self.workers.iter().map(|worker| worker.grower.tree.nodes.len()).sum(),
            depth: counts().map(|counts| counts.depth).max().unwrap_or(0),
            prunings: counts().map(|counts| counts.prunings).sum(),
            lane_steps,
            lane_use: share(busy as f64, lane_steps as f64),
            bytes: self.workers.iter().map(|worker| worker.grower.tree.bytes()).sum(),
            seconds,
            end: self.end(budget),
            tree_share: share(tree_seconds, seconds * threads as f64),
            roles: self.role_reports(),
            principal_line: self.principal_line(),
        }
    }

    /// Why a run has ended: by its budget, unless all trees ended by themselves.
    fn end(&self, budget: &Budget) -> RunEnd {
        let mut ends = self.workers.iter().map(|worker| worker.grower.end(budget));
        let first = ends.next().unwrap_or(RunEnd::Budget);
        if ends.all(|end| end == first) { first } else { RunEnd::Budget }
    }

    fn role_reports(&mut self) -> Vec<RoleReport> {
        let roles = self.game().roles().to_vec();
        let report = |(at, role): (Role, String)| {
            let known = self.ranked(at);
            let game = self.workers[0].crews[0].simulator.game();
            let moves = known.iter().map(|known| MoveReport {
                text: game.move_spelling(at, known.what),
                visits: known.visits as u64,
                average: known.average(),
                best: known.best.filter(|best| best.is_finite()),
            });
            RoleReport { role, moves: moves.collect() }
        };
        roles.into_iter().enumerate().map(report).collect()
    }

    fn principal_line(&mut self) -> Vec<Vec<String>> {
        let grower = self.planner().unwrap_or(&self.workers[0].grower);
        // Where the game is over, nothing is chosen and nothing follows.
        let line = match &self.chosen[..] {
            [] => Vec::new(),
            chosen => grower.principal_line(chosen),
        };
        let game = self.game();
        let text = |joint: JointMove| {
            let moves = joint.into_iter().enumerate();
            moves.map(|(role, chosen)| game.move_spelling(role, chosen)).collect()
        };
        line.into_iter().map(text).collect()
    }
}
