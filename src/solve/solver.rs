//! Chooses the method, and puts together what it has proven.

use std::time::{Duration, Instant};

use propnet::circuit::plan::GoalSum;

use super::alpha_beta::{AlphaBeta, SearchMeans, SearchRoot};
use super::by_search::by_search;
use super::deepen::{DeepeningEnd, RoleDeepening};
use super::error::SolveError;
use super::game::SolveGame;
use super::graph::{GameGraph, GraphLimits, GraphOutcome, GraphState};
use super::induction::{best_goal, constant_sum, enforceable};
use super::lanes::positions;
use super::node::{NodeShape, NodeSolver, ValueBounds};
use super::order::GraphOrder;
use super::positions::{Positions, StateAnswers};
use super::report::{MoveShare, RoleValue, Solution, SumOfGoals, SumProof};
use super::watch::{SolveProgress, SolveWatch};
use crate::matrix::POINT;

/// How a position is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Variant {
    /// Induction if there are few states or several roles choose at once, otherwise alpha-beta
    Auto,
    /// Backward induction over all states
    Induction,
    /// Alpha-beta with a transposition table, deeper and deeper
    AlphaBeta,
    /// Score-bounded MCTS that selects only moves that are not solved
    EUct,
    /// Score-bounded MCTS that selects solved moves too
    SUct,
}

/// How much a solver may use.
#[derive(Clone, Copy, Debug)]
pub struct SolveOptions {
    /// The method.
    pub variant: Variant,
    /// When it ends at the latest.
    pub time: Option<Duration>,
    /// The bytes that it may hold.
    pub memory: u64,
}

impl Default for SolveOptions {
    /// Any method, without a deadline, in two gigabytes.
    fn default() -> Self {
        SolveOptions { variant: Variant::Auto, time: None, memory: 2 << 30 }
    }
}

/// With more states than this, a game in which roles move in turn is left to alpha-beta.
const FEW_STATES: u64 = 1 << 20;

/// Solves a position.
pub fn solve(
    game: &SolveGame,
    options: &SolveOptions,
    watch: &mut SolveWatch<'_>,
) -> Result<Solution, SolveError> {
    let mut positions = positions(game);
    let task = SolveTask {
        roles: game.roles(),
        ranges: (0..game.roles().len()).map(|role| game.range(role)).collect(),
        sum: game.sum,
        start: &game.start,
        text: &|role, chosen| game.circuit.names.text_of_move(role, chosen as usize),
    };
    let by = match options.variant {
        Variant::EUct => ("e-uct", "e_uct"),
        Variant::SUct => ("s-uct", "s_uct"),
        _ => return task.solve(&mut *positions, options, watch),
    };
    let mut answers = StateAnswers::default();
    positions.look(&game.start, &mut answers)?;
    if let Some(goals) = answers.end(0) {
        return Ok(task.ended(goals));
    }
    let deadline = options.time.and_then(|time| Instant::now().checked_add(time));
    let mut watch = |progress: &SolveProgress| {
        watch(progress) && deadline.is_none_or(|deadline| Instant::now() < deadline)
    };
    by_search(game, by, options.memory, &mut watch)
}

/// A position as states, whatever they stand for.
pub(super) struct SolveTask<'t> {
    /// The names of the roles.
    pub(super) roles: &'t [String],
    /// By role: the lowest and the highest goal.
    pub(super) ranges: Vec<(i32, i32)>,
    /// What is known about the sum of all goals.
    pub(super) sum: GoalSum,
    /// The state to solve.
    pub(super) start: &'t [u64],
    /// What a role's move is called.
    pub(super) text: &'t dyn Fn(usize, u32) -> String,
}

/// What is known about a role: its bounds and its strategy.
type RoleResult = (ValueBounds, Vec<MoveShare>);

impl SolveTask<'_> {
    pub(super) fn solve(
        &self,
        positions: &mut dyn Positions,
        options: &SolveOptions,
        watch: &mut SolveWatch<'_>,
    ) -> Result<Solution, SolveError> {
        let begin = Instant::now();
        let deadline = options.time.and_then(|time| begin.checked_add(time));
        let mut watch = |progress: &SolveProgress| {
            watch(progress) && deadline.is_none_or(|deadline| Instant::now() < deadline)
        };
        let mut answers = StateAnswers::default();
        positions.look(self.start, &mut answers)?;
        let solution = match answers.end(0) {
            Some(goals) => self.ended(goals),
            None => {
                let root = SearchRoot { state: self.start, legal: answers.legal(0) };
                self.open(root, positions, options, &mut watch)?
            }
        };
        Ok(Solution { time: begin.elapsed(), ..solution })
    }

    /// The start is an end.
    fn ended(&self, goals: &[i32]) -> Solution {
        let exactly = |&goal: &i32| (ValueBounds::exactly(i64::from(goal) * POINT), Vec::new());
        let results = goals.iter().map(exactly).collect();
        let sum = goals.iter().map(|&goal| i64::from(goal)).sum();
        let sum = Some(SumOfGoals { value: sum, known_by: SumProof::States });
        Solution {
            states: 1,
            is_cyclic: Some(false),
            is_complete: true,
            ..self.solution("rules", sum, results)
        }
    }

    fn open(
        &self,
        root: SearchRoot<'_>,
        positions: &mut dyn Positions,
        options: &SolveOptions,
        watch: &mut SolveWatch<'_>,
    ) -> Result<Solution, SolveError> {
        let limits = |states| GraphLimits { bytes: options.memory, states };
        let found = match options.variant {
            Variant::AlphaBeta => return self.alpha_beta(root, positions, options, watch),
            Variant::Induction => GameGraph::find(positions, self.start, limits(u64::MAX), watch)?,
            // What the search does is done elsewhere.
            Variant::Auto | Variant::EUct | Variant::SUct => {
                match GameGraph::find(positions, self.start, limits(FEW_STATES), watch)? {
                    GraphOutcome::Larger { is_simultaneous: true } => {
                        GameGraph::find(positions, self.start, limits(u64::MAX), watch)?
                    }
                    outcome => outcome,
                }
            }
        };
        match found {
            GraphOutcome::Whole(graph) => Ok(self.induction(root, &graph, watch)),
            GraphOutcome::Larger { .. } => self.alpha_beta(root, positions, options, watch),
            GraphOutcome::Stopped { states } => {
                let trivial = |&range: &(i32, i32)| (self.trivial(range), Vec::new());
                let results = self.ranges.iter().map(trivial).collect();
                Ok(Solution { states, ..self.solution("induction", self.proven_sum(), results) })
            }
        }
    }

    fn trivial(&self, (least, most): (i32, i32)) -> ValueBounds {
        ValueBounds { lower: i64::from(least) * POINT, upper: i64::from(most) * POINT }
    }

    fn proven_sum(&self) -> Option<SumOfGoals> {
        match self.sum {
            GoalSum::Proven(value) => Some(SumOfGoals { value, known_by: SumProof::Circuit }),
            GoalSum::Unknown => None,
        }
    }

    fn induction(
        &self,
        root: SearchRoot<'_>,
        graph: &GameGraph,
        watch: &mut SolveWatch<'_>,
    ) -> Solution {
        let order = GraphOrder::new(graph);
        let sum = constant_sum(graph).map(|value| SumOfGoals { value, known_by: SumProof::States });
        let mut solver = NodeSolver::default();
        let children = match graph.state(0) {
            GraphState::Open(_, children) => children,
            GraphState::End(_) => &[],
        };
        let is_constant = sum.is_some() && self.roles.len() == 2;
        let mut results: Vec<RoleResult> = Vec::new();
        let mut is_complete = true;
        for role in 0..self.roles.len() {
            if role == 1 && is_constant {
                break;
            }
            let trivial = self.trivial(self.ranges[role]);
            let values = enforceable(graph, &order, (role, trivial), &mut solver, watch);
            is_complete &= values.is_some();
            let child = |joint: usize| match &values {
                Some(values) => values[children[joint] as usize],
                None => trivial,
            };
            let known = values.as_ref().map_or(trivial, |values| values[0]);
            let found = self.results(root, role, known, child, &mut solver);
            match sum {
                Some(sum) if is_constant => results = constant_results(sum.value, found),
                _ => {
                    let (bounds, strategy) = found.own;
                    let upper = match self.roles.len() {
                        1 => bounds.upper,
                        _ => best_goal(graph, role).unwrap_or(trivial.upper),
                    };
                    results.push((ValueBounds { upper, ..bounds }, strategy));
                }
            }
        }
        let states = graph.count() as u64;
        let solution = self.solution("induction", sum, results);
        Solution {
            states,
            is_complete,
            is_cyclic: Some(order.is_cyclic(graph)),
            matrices: solver.matrices,
            ..solution
        }
    }

    fn alpha_beta(
        &self,
        root: SearchRoot<'_>,
        positions: &mut dyn Positions,
        options: &SolveOptions,
        watch: &mut SolveWatch<'_>,
    ) -> Result<Solution, SolveError> {
        let roles = self.roles.len();
        // The goals of the other of two roles are what the sum leaves, if there is one.
        let mut is_constant = roles == 2;
        let first = if is_constant { 1 } else { roles };
        let bytes = options.memory / roles as u64;
        let search = |role, positions: &dyn Positions| {
            AlphaBeta::new(positions, role, self.ranges[role], bytes)
        };
        let mut deepening = RoleDeepening {
            searches: (0..first).map(|role| search(role, positions)).collect(),
            depth: 2,
        };
        let mut means = SearchMeans { positions, watch };
        let is_assumed = is_constant && self.sum == GoalSum::Unknown;
        let mut end = deepening.run(root, is_assumed, &mut means)?;
        if end == DeepeningEnd::SumsDiffer {
            is_constant = false;
            deepening.searches.push(search(1, means.positions));
            end = deepening.run(root, false, &mut means)?;
        }
        let sums = deepening.sums();
        let observed = sums.first.filter(|_| !sums.differ);
        let observed = observed.map(|value| SumOfGoals { value, known_by: SumProof::Observed });
        let sum = self.proven_sum().or(observed);
        let mut solver = NodeSolver::default();
        let mut results: Vec<RoleResult> = Vec::new();
        for search in &mut deepening.searches {
            let role = search.role();
            let known = search.bounds(root);
            let trivial = self.trivial(self.ranges[role]);
            let child = |joint: usize| search.children.get(joint).copied().unwrap_or(trivial);
            let found = self.results(root, role, known, child, &mut solver);
            match sum {
                Some(sum) if is_constant => results = constant_results(sum.value, found),
                _ => {
                    let (bounds, strategy) = found.own;
                    let upper = if roles == 1 { bounds.upper } else { trivial.upper };
                    results.push((ValueBounds { upper, ..bounds }, strategy));
                }
            }
        }
        while results.len() < roles {
            results.push((self.trivial(self.ranges[results.len()]), Vec::new()));
        }
        let matrices = deepening.searches.iter().map(AlphaBeta::matrices).sum();
        let solution = self.solution("alpha-beta", sum, results);
        Ok(Solution {
            states: deepening.states(),
            is_complete: end == DeepeningEnd::Closed,
            matrices,
            depth: Some(deepening.depth),
            ..solution
        })
    }

    /// What is known about a role at the root, from the values of the children.
    fn results(
        &self,
        root: SearchRoot<'_>,
        role: usize,
        known: ValueBounds,
        child: impl Fn(usize) -> ValueBounds,
        solver: &mut NodeSolver,
    ) -> RootResults {
        let shape = NodeShape::new(root.legal.iter().map(Vec::len), role);
        let found = solver.strategies(shape, child);
        let shares = |role: usize, weights: &[u64]| -> Vec<MoveShare> {
            let total = weights.iter().sum::<u64>() as f64;
            let listed = weights.iter().zip(&root.legal[role]).filter(|(weight, _)| **weight > 0);
            let share = |(&weight, &chosen): (&u64, &u32)| MoveShare {
                text: (self.text)(role, chosen),
                probability: weight as f64 / total,
            };
            listed.map(share).collect()
        };
        let other =
            if self.roles.len() == 2 { shares(1 - role, &found.columns) } else { Vec::new() };
        RootResults { own: (known, shares(role, &found.rows)), other }
    }

    fn solution(
        &self,
        variant: &'static str,
        sum: Option<SumOfGoals>,
        results: Vec<RoleResult>,
    ) -> Solution {
        let roles = self.roles.iter().zip(results);
        let roles: Vec<RoleValue> = roles
            .map(|(role, (bounds, strategy))| RoleValue::new(role, bounds, strategy))
            .collect();
        Solution {
            variant,
            is_solved: roles.iter().all(|role| role.is_solved),
            is_complete: false,
            sum,
            roles,
            states: 0,
            is_cyclic: None,
            matrices: 0,
            depth: None,
            time: Duration::ZERO,
        }
    }
}

/// What is known about one role, and how the other of two plays against it.
struct RootResults {
    own: RoleResult,
    other: Vec<MoveShare>,
}

/// The results of two roles whose goals have a constant sum.
fn constant_results(sum: i64, found: RootResults) -> Vec<RoleResult> {
    let (bounds, _) = found.own;
    let sum = sum * POINT;
    let other = ValueBounds { lower: sum - bounds.upper, upper: sum - bounds.lower };
    vec![found.own, (other, found.other)]
}
