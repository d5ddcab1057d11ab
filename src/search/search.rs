//! The front door: a game, settings and a seed; then budgets, reports and moves.

use std::time::Instant;

use propnet::game::{Game, JointMove, Move, PlayError, Role, State};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::budget::Budget;
use super::memory::machine_bytes;
use super::program::SearchGame;
use super::report::{MoveReport, Report, RoleReport};
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
}

/// What all workers together know about a move at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Known {
    what: Move,
    visits: f64,
    total: f64,
    /// The highest score; only in games for one role.
    best: Option<f64>,
}

impl Known {
    fn average(&self) -> Option<f64> {
        (self.visits > 0.0).then(|| self.total / self.visits)
    }

    /// What makes a move the more promising one.
    fn merit(&self) -> (f64, f64, f64) {
        let average = self.average().unwrap_or(f64::NEG_INFINITY);
        // A move without a score that is sure is no worse than one that is sure of nothing.
        (self.best.map_or(0.0, |best| best.max(0.0)), average, self.visits)
    }
}

impl Search {
    /// A search at the start of a game.
    pub fn new(game: &SearchGame, settings: &Settings, seed: u64) -> Result<Self, PlayError> {
        let state = game.simulator(seed).game().initial_state()?;
        Self::at(game, settings, seed, &state)
    }

    /// A search at any state of a game.
    pub fn at(
        game: &SearchGame,
        settings: &Settings,
        seed: u64,
        state: &State,
    ) -> Result<Self, PlayError> {
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
        // Lists have room for up to twice what is in them.
        let limit = usize::try_from(bytes).unwrap_or(usize::MAX) / trees / 2;
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
        Ok(Search { settings: settings.clone(), workers, pool, rng })
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
        Ok(self.report(start.elapsed().as_secs_f64(), before))
    }

    /// The most promising move of a role: the one with the highest average, in a game for one role
    /// with the highest score; ties at random. None where the game is over.
    pub fn best_move(&mut self, role: Role) -> Option<Move> {
        let known = ranked(self.known(role));
        let best = known.first()?;
        if self.settings.strategy == Strategy::Random {
            return Some(self.any_of(&known));
        }
        if let Some(planned) = self.planned(best) {
            return Some(planned);
        }
        let ties = known.iter().take_while(|known| known.merit() == best.merit()).count();
        Some(self.any_of(&known[..ties]))
    }

    /// One of these moves at random.
    fn any_of(&mut self, known: &[Known]) -> Move {
        let at = if known.len() > 1 { self.rng.random_range(0..known.len()) } else { 0 };
        known[at].what
    }

    /// Goes on to the state after a joint move; what can still be reached is kept.
    pub fn advance(&mut self, joint: &[Move]) -> Result<(), PlayError> {
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

    /// With moves that have averages of their own: those of a role's moves in the first tree, none
    /// for moves never seen.
    pub fn averages(&self, role: Role) -> Option<Vec<Option<f64>>> {
        self.workers[0].grower.averages.as_ref().map(|averages| averages.values(role))
    }

    /// The first move of the best line, in a game for one role, if the most promising move is not
    /// known to lead to more.
    fn planned(&self, most_promising: &Known) -> Option<Move> {
        let plans = self.workers.iter().filter_map(|worker| worker.grower.plan.as_ref());
        let plans = plans.filter(|plan| !plan.moves.is_empty());
        // The first of those that are equal.
        let best = plans.reduce(|best, plan| if plan.score > best.score { plan } else { best })?;
        let is_highest = most_promising.best.is_none_or(|score| score <= best.score);
        best.moves.first().filter(|_| is_highest).map(|joint| joint[0])
    }

    /// What all workers know about the moves of a role.
    fn known(&self, role: Role) -> Vec<Known> {
        let tree = &self.workers[0].grower.tree;
        let moves = tree.span(tree.root, role).map(|at| tree.moves[at].what);
        let known = moves.enumerate().map(|(place, what)| {
            let start = Known { what, visits: 0.0, total: 0.0, best: None };
            self.workers.iter().fold(start, |sum, worker| {
                let tree = &worker.grower.tree;
                let at = tree.span(tree.root, role).start + place;
                let best = tree.best.get(at).map(|&best| f64::from(best));
                Known {
                    what,
                    visits: sum.visits + tree.moves[at].visits,
                    total: sum.total + tree.moves[at].total,
                    best: sum.best.into_iter().chain(best).reduce(f64::max),
                }
            })
        });
        known.collect()
    }

    fn effort(&self) -> Effort {
        self.workers.iter().map(Worker::effort).fold(Effort::default(), Effort::plus)
    }

    fn report(&mut self, seconds: f64, before: Effort) -> Report {
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
            tree_share: share(tree_seconds, seconds * threads as f64),
            roles: self.role_reports(),
            principal_line: self.principal_line(),
        }
    }

    fn role_reports(&mut self) -> Vec<RoleReport> {
        let roles = self.game().roles().to_vec();
        let report = |(at, role): (Role, String)| {
            let known = ranked(self.known(at));
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
        let line = self.workers[0].grower.principal_line();
        let game = self.game();
        let text = |joint: JointMove| {
            let moves = joint.into_iter().enumerate();
            moves.map(|(role, chosen)| game.move_spelling(role, chosen)).collect()
        };
        line.into_iter().map(text).collect()
    }
}

/// The most promising first.
fn ranked(mut known: Vec<Known>) -> Vec<Known> {
    known.sort_by(|a, b| {
        let (a, b) = (a.merit(), b.merit());
        b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)).then(b.2.total_cmp(&a.2))
    });
    known
}
