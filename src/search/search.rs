//! The entry point: a game, settings and a seed; then budgets, reports and moves.

use std::time::Instant;

use propnet::game::{Game, JointMove, Move, PlayError, Role, State};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::budget::{Budget, Spent};
use super::decision::Field;
use super::memory::machine_bytes;
use super::playout::{Effort, SearchGame, SharedLanes, Simulator};
use super::policy::{PolicyView, Situation, effective_number};
use super::report::{LearningReport, MoveReport, Report, RoleReport, RunEnd, Variation};
use super::settings::{PARALLEL, Settings};
use super::tree::{MoveId, MoveStats, Tree, move_stats};
use super::tree_search::{Counts, RootWorker, TreeSearch};

/// A search that goes on through a match.
///
/// ```text
/// new -> run -> best_move -> advance -> run -> ...
/// ```
pub struct Search {
    settings: Settings,
    /// One for each tree; they are merged at the root.
    pub(super) workers: Vec<RootWorker>,
    /// None where one thread is enough: then the search runs in the caller's thread.
    pool: Option<ThreadPool>,
    pub(super) rng: Pcg64,
    /// The joint move that is the most promising; empty where it was not chosen yet, or none is
    /// left. Ties are broken once, so that a report shows what is played.
    chosen: JointMove,
}

impl Search {
    /// A search at the start of a game.
    pub fn new(game: &SearchGame, settings: &Settings, seed: u64) -> Result<Self, PlayError> {
        Self::start(game, settings, seed, |game: &mut dyn Game| game.initial_state())
    }

    /// A search at any state of a game on lanes; an error where its program was made for other
    /// settings. Elsewhere each search has an engine of its own, and the state belongs to another:
    /// see [`Search::at_sentences`].
    pub fn at(
        game: &SearchGame,
        settings: &Settings,
        seed: u64,
        state: &State,
    ) -> Result<Self, PlayError> {
        Self::start(game, settings, seed, |_: &mut dyn Game| Ok(state.clone()))
    }

    /// A search at the state that this gives for the game of each tree.
    fn start(
        game: &SearchGame,
        settings: &Settings,
        seed: u64,
        state: impl Fn(&mut dyn Game) -> Result<State, PlayError>,
    ) -> Result<Self, PlayError> {
        game.check(settings)?;
        let count = match game {
            // The tables of a game that answers questions grow as it is played, so moves have
            // different numbers in different threads.
            SearchGame::Plain(_) => 1,
            SearchGame::Lanes(_) => settings.threads().unwrap_or_else(rayon::current_num_threads),
        };
        let simulator = |seed| game.simulator_for(settings, seed);
        Self::with_simulators(simulator, count, settings, seed, state)
    }

    /// A search at the start of a game, in the caller's thread and on lanes that it shares with
    /// others; see [`Search::begin_shared`].
    pub(super) fn on_shared(
        game: &SearchGame,
        lanes: &dyn SharedLanes,
        settings: &Settings,
        seed: u64,
    ) -> Result<Self, PlayError> {
        game.check(settings)?;
        let simulator = |seed| lanes.simulator(seed);
        Self::with_simulators(simulator, 1, settings, seed, |game| game.initial_state())
    }

    /// A search with a number of threads, each with a simulator.
    fn with_simulators(
        simulator: impl Fn(u64) -> Box<dyn Simulator>,
        count: usize,
        settings: &Settings,
        seed: u64,
        state: impl Fn(&mut dyn Game) -> Result<State, PlayError>,
    ) -> Result<Self, PlayError> {
        let shares_tree = settings.values.show(&PARALLEL) == "tree";
        let (trees, workers_per_tree) = if shares_tree { (1, count) } else { (count, 1) };
        let bytes = settings.memory().unwrap_or_else(|| machine_bytes() / 4);
        let limit = usize::try_from(bytes).unwrap_or(usize::MAX) / trees;
        let limit = limit.min(Tree::MOST_BYTES);
        let mut rng = Pcg64::seed_from_u64(seed);
        let worker = |_| {
            let mut first = simulator(rng.random());
            let state = state(first.game())?;
            let own_seed = rng.random();
            // The further ones come last: with one of them nothing depends on how threads search.
            let others = (1..workers_per_tree).map(|_| simulator(rng.random()));
            let simulators = std::iter::once(first).chain(others).collect();
            RootWorker::new(simulators, settings, state, own_seed, limit)
        };
        let mut workers = (0..trees).map(worker).collect::<Result<Vec<_>, _>>()?;
        // One evaluation for all trees: what it decides by samples is decided once for a search.
        let evaluation = workers[0].search.parts.evaluation.clone();
        for worker in &mut workers {
            worker.search.parts.evaluation = evaluation.clone();
        }
        // Threads of its own: in a pool that others use too, a deadline could pass in the queue.
        let pool = match count {
            1 => None,
            _ => ThreadPoolBuilder::new().num_threads(count).build().ok(),
        };
        let settings = settings.clone();
        let mut search = Search { settings, workers, pool, rng, chosen: Vec::new() };
        search.share_proofs();
        Ok(search)
    }

    /// A search at the state in which exactly these sentences are true: how one search takes over
    /// from another that plays on something else.
    pub fn at_sentences(
        game: &SearchGame,
        settings: &Settings,
        seed: u64,
        sentences: &[String],
    ) -> Result<Self, PlayError> {
        Self::start(game, settings, seed, |game: &mut dyn Game| game.state_of(sentences))
    }

    /// Searches until the budget is spent, and reports.
    pub fn run(&mut self, budget: &Budget) -> Result<Report, PlayError> {
        let start = Instant::now();
        let before = self.effort();
        let count = self.workers.len();
        self.begin_sampling();
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
        self.end_proofs();
        self.choose();
        self.report(budget, start.elapsed().as_secs_f64(), before)
    }

    /// Begins a run on shared lanes if enough of them are left: with its number among those that share
    /// them. The budget has to count.
    pub(super) fn begin_shared(&mut self, budget: &Budget) -> Option<usize> {
        let number = self.workers[0].begin_shared(budget)?;
        self.begin_sampling();
        Some(number)
    }

    /// Takes the run on, right after it has begun and whenever no more playouts than it said are
    /// unfinished. None if the run has ended.
    pub(super) fn go_on(&mut self, budget: &Budget) -> Result<Option<usize>, PlayError> {
        let enough = self.workers[0].exchange(budget)?;
        if enough.is_none() {
            self.choose();
        }
        Ok(enough)
    }

    /// A run begins, in which simulations may be observed.
    fn begin_sampling(&mut self) {
        self.begin_proofs();
        if let Some(sampling) = self.workers[0].search.parts.evaluation.sampling() {
            sampling.begin(self.workers.iter().map(|worker| worker.search.lines.len()).sum());
        }
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
        let roles = 0..self.workers[0].search.tree.roles();
        let joint: Option<JointMove> = roles.map(|role| self.choose_for(role)).collect();
        self.chosen = joint.unwrap_or_default();
    }

    fn choose_for(&mut self, role: Role) -> Option<Move> {
        if let Some(mixed) = self.mixed_move(role) {
            return Some(mixed);
        }
        if let Some(drawn) = self.drawn_move(role) {
            return Some(drawn);
        }
        let ranked = self.ranked(role);
        let best = ranked.first()?;
        if let Some(next) = self.next_of_best_line(best) {
            return Some(next);
        }
        let decision = &self.workers[0].search.parts.decision;
        let field = Field::of(&ranked);
        let is_tie = |other: &&MoveStats| decision.compare(other, best, &field).is_eq();
        let ties = ranked.iter().take_while(is_tie).count();
        Some(self.any_of(&ranked[..ties]))
    }

    /// A role's move by the weights of the selection, where it has some.
    fn drawn_move(&mut self, role: Role) -> Option<Move> {
        let own =
            |worker: &RootWorker| worker.search.parts.selection.mixture(&worker.search.tree, role);
        let sum = |one: Vec<f64>, other: Vec<f64>| {
            one.into_iter().zip(other).map(|(one, other)| one + other).collect()
        };
        let weights: Vec<f64> = self.workers.iter().filter_map(own).reduce(sum)?;
        let mut left = self.rng.random::<f64>() * weights.iter().sum::<f64>();
        let at = weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        })?;
        self.legal_moves(role).get(at).copied()
    }

    /// One of these moves at random.
    fn any_of(&mut self, moves: &[MoveStats]) -> Move {
        let at = if moves.len() > 1 { self.rng.random_range(0..moves.len()) } else { 0 };
        moves[at].what
    }

    /// Goes on to the state after a joint move; what can still be reached is kept.
    pub fn advance(&mut self, joint: &[Move]) -> Result<(), PlayError> {
        self.chosen.clear();
        self.workers.iter_mut().try_for_each(|worker| worker.advance(joint))
    }

    /// The state that is searched.
    pub fn state(&self) -> &State {
        let tree = &self.workers[0].search.tree;
        &tree[tree.root].state
    }

    /// What is true in the state that is searched; see [`Search::at_sentences`].
    pub fn sentences(&mut self) -> Result<Vec<String>, PlayError> {
        let state = self.state().clone();
        self.game().sentences(&state)
    }

    /// Whether the game is over, or cannot go on.
    pub fn is_over(&self) -> bool {
        let tree = &self.workers[0].search.tree;
        tree.goals(tree.root).is_some()
    }

    /// The goals, by role, where the game is over.
    pub fn goals(&self) -> Option<&[f64]> {
        let tree = &self.workers[0].search.tree;
        tree.goals(tree.root)
    }

    /// The legal moves of a role.
    pub fn legal_moves(&self, role: Role) -> Vec<Move> {
        let tree = &self.workers[0].search.tree;
        tree.span(tree.root, role).map(|at| tree.what(MoveId::new(at))).collect()
    }

    /// How many roles the game has.
    pub(super) fn roles(&self) -> usize {
        self.workers[0].search.tree.roles()
    }

    /// The game, for names and questions.
    pub fn game(&mut self) -> &mut dyn Game {
        self.workers[0].workers[0].simulator.game()
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The means by which playouts of the first tree prefer a role's moves, none of moves never seen;
    /// nothing without a policy that goes by means alone.
    pub fn policy_values(&self, role: Role) -> Option<Vec<Option<f64>>> {
        self.workers[0].search.parts.policy.as_ref()?.means(role)
    }

    /// How playouts of the first tree choose at present; nothing without a policy, or without lanes.
    pub fn policy_view(&self) -> Option<PolicyView> {
        let worker = &self.workers[0];
        let policy = worker.search.parts.policy.as_ref()?;
        let lanes = worker.workers[0].simulator.lane_choice(policy)?;
        Some(PolicyView::new(policy.clone(), lanes))
    }

    /// The first move of the best line, in a game for one role, if the most promising move is not
    /// known to lead to more.
    fn next_of_best_line(&self, most_promising: &MoveStats) -> Option<Move> {
        let line = self.best_line_search()?.parts.best_line.as_ref()?;
        let is_highest = most_promising.best.is_none_or(|score| score <= line.score);
        line.next().filter(|_| is_highest).map(|joint| joint[0])
    }

    /// The first tree that has the best line of all.
    pub(super) fn best_line_search(&self) -> Option<&TreeSearch> {
        let score = |search: &TreeSearch| {
            let line = search.parts.best_line.as_ref().filter(|line| !line.moves.is_empty());
            line.map(|line| line.score)
        };
        let searches = self.workers.iter().map(|worker| &worker.search);
        let with_line = searches.filter(|search| score(search).is_some());
        with_line.reduce(|best, search| if score(search) > score(best) { search } else { best })
    }

    /// What all trees know about the moves of a role, the most promising first.
    pub(super) fn ranked(&self, role: Role) -> Vec<MoveStats> {
        let own = |worker: &RootWorker| -> Vec<MoveStats> {
            let tree = &worker.search.tree;
            let merits = worker.search.parts.decision.merits(tree, role).unwrap_or_default();
            let merits = merits.into_iter().map(Some).chain(std::iter::repeat(None));
            let stats = move_stats(tree, tree.root, role).zip(merits);
            stats.map(|(stats, merit)| MoveStats { merit, ..stats }).collect()
        };
        let sum = |all: Vec<MoveStats>, more: Vec<MoveStats>| {
            all.into_iter().zip(more).map(|(stats, more)| stats.plus(more)).collect()
        };
        let mut ranked = self.workers.iter().map(own).reduce(sum).unwrap_or_default();
        let decision = &self.workers[0].search.parts.decision;
        let field = Field::of(&ranked);
        ranked.sort_by(|a, b| decision.compare(a, b, &field));
        ranked
    }

    /// What its last run has spent.
    pub(super) fn spent(&self) -> Spent {
        let counts = self.workers.iter().map(|worker| worker.search.counts);
        counts.fold(Spent::default(), |sum, counts| Spent {
            searches: 1,
            simulations: sum.simulations + counts.simulations,
            expansions: sum.expansions + counts.expansions,
            states: sum.states + counts.states,
        })
    }

    fn effort(&self) -> Effort {
        self.workers.iter().map(RootWorker::effort).fold(Effort::default(), Effort::plus)
    }

    fn report(
        &mut self,
        budget: &Budget,
        seconds: f64,
        before: Effort,
    ) -> Result<Report, PlayError> {
        let effort = self.effort();
        let lane_steps = effort.lane_steps - before.lane_steps;
        let busy = effort.busy_lane_steps - before.busy_lane_steps;
        let counts = || self.workers.iter().map(|worker| worker.search.counts);
        let tree_seconds: f64 = counts().map(|counts| counts.tree.as_secs_f64()).sum();
        let threads: usize = self.workers.iter().map(|worker| worker.workers.len()).sum();
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        let sum = |of: fn(&Counts) -> u64| counts().map(|counts| of(&counts)).sum::<u64>() as f64;
        let evaluation = &self.workers[0].search.parts.evaluation;
        Ok(Report {
            strategy: self.settings.scheme.clone(),
            simulations: counts().map(|counts| counts.simulations).sum(),
            playouts: counts().map(|counts| counts.playouts).sum(),
            cut_share: share(sum(|counts| counts.cut), sum(|counts| counts.playouts)),
            cutoff: evaluation.sampling().map(|sampling| Box::new(sampling.cutoff())),
            expansions: counts().map(|counts| counts.expansions).sum(),
            states: counts().map(|counts| counts.states).sum(),
            nodes: self.workers.iter().map(|worker| worker.search.tree.nodes.len()).sum(),
            depth: counts().map(|counts| counts.depth).max().unwrap_or(0),
            prunings: counts().map(|counts| counts.prunings).sum(),
            lane_steps,
            lane_use: share(busy as f64, lane_steps as f64),
            bytes: self.workers.iter().map(|worker| worker.search.tree.bytes()).sum(),
            seconds,
            end: self.end(budget),
            tree_share: share(tree_seconds, seconds * threads as f64),
            learned: self.learned(),
            solver: self.solver_report(seconds * threads as f64),
            roles: self.role_reports()?,
            principal_line: self.principal_variation()?,
            found_line: None,
            choice: None,
        })
    }

    /// Why a run has ended: by its budget, unless all trees ended by themselves.
    fn end(&self, budget: &Budget) -> RunEnd {
        let mut ends = self.workers.iter().map(|worker| worker.search.end(budget));
        let first = ends.next().unwrap_or(RunEnd::Budget);
        if ends.all(|end| end == first) { first } else { RunEnd::Budget }
    }

    /// What the parts of all trees have learned.
    fn learned(&self) -> LearningReport {
        let searches = || self.workers.iter().map(|worker| &worker.search);
        let amaf = searches().filter_map(|search| search.parts.amaf_samples());
        let refreshed = searches().filter(|search| search.parts.policy.is_some());
        LearningReport {
            amaf_samples: amaf.reduce(|a, b| a + b),
            weights_refreshed: refreshed.map(|search| search.learning.version).reduce(|a, b| a + b),
        }
    }

    /// The effective number of these moves that the policy of the first tree chooses among.
    fn effective_moves(&self, role: Role, ranked: &[MoveStats]) -> Option<f64> {
        let policy = self.workers[0].search.parts.policy.as_ref()?;
        let moves: Vec<Move> = ranked.iter().map(|stats| stats.what).collect();
        let at = Situation { state: self.state(), made: &[] };
        (!moves.is_empty()).then(|| effective_number(&policy.probabilities(role, &moves, &at)))
    }

    fn role_reports(&mut self) -> Result<Vec<RoleReport>, PlayError> {
        let roles = self.game().roles().to_vec();
        let report = |(at, role): (Role, String)| {
            let ranked = self.ranked(at);
            let shares = self.mixed_shares(at);
            let game = self.workers[0].workers[0].simulator.game();
            let report = |stats: &MoveStats| {
                Ok(MoveReport {
                    text: game.move_spelling(at, stats.what)?,
                    visits: stats.visits as u64,
                    average: stats.mean(),
                    best: stats.best.filter(|best| best.is_finite()),
                    bounds: stats.proof.map(|proof| [proof.lower, proof.upper]),
                    share: shares.iter().find(|(own, _)| *own == stats.what).map(|it| it.1),
                })
            };
            let moves = ranked.iter().map(report).collect::<Result<_, PlayError>>()?;
            let effective_moves = self.effective_moves(at, &ranked);
            Ok(RoleReport { role, moves, effective_moves })
        };
        roles.into_iter().enumerate().map(report).collect()
    }

    fn principal_variation(&mut self) -> Result<Vec<Vec<String>>, PlayError> {
        // Where the game is over, nothing is chosen and nothing follows.
        match self.chosen.clone() {
            chosen if chosen.is_empty() => Ok(Vec::new()),
            chosen => self.line_after(&chosen),
        }
    }

    /// The most promising line after a joint move, that move included.
    fn line_after(&mut self, first: &[Move]) -> Result<Vec<Vec<String>>, PlayError> {
        let search = self.best_line_search().unwrap_or(&self.workers[0].search);
        let line = search.principal_variation(first);
        let game = self.game();
        let text = |joint: JointMove| {
            let moves = joint.into_iter().enumerate();
            moves.map(|(role, chosen)| game.move_spelling(role, chosen)).collect()
        };
        line.into_iter().map(text).collect()
    }

    /// The most promising lines, the best first: one for each of the first moves of the role that
    /// has most to choose from, where the others make the move that they would choose.
    pub fn best_lines(&mut self, most: usize) -> Result<Vec<Variation>, PlayError> {
        let roles = 0..self.chosen.len();
        let ranked: Vec<Vec<MoveStats>> = roles.map(|role| self.ranked(role)).collect();
        let Some(mover) = (0..ranked.len()).rev().max_by_key(|&role| ranked[role].len()) else {
            return Ok(Vec::new());
        };
        let tried = ranked[mover].iter().filter(|stats| stats.visits > 0.0);
        let line = |stats: &MoveStats| {
            let mut first = self.chosen.clone();
            first[mover] = stats.what;
            let moves = self.line_after(&first)?;
            Ok(Variation { visits: stats.visits as u64, average: stats.mean(), moves })
        };
        tried.take(most).map(line).collect()
    }
}
