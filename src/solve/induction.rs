//! Backward induction over all states: what a role can enforce against all others, and the best that
//! it could get.
//!
//! States are taken in an order in which those after them come first. Where states lead to each
//! other, play may go on for ever; a role that lets it go on has no goal. So the lower bound of such
//! states starts at the lowest goal and rises, the upper bound starts at the highest and falls, as far
//! as their children allow, until nothing changes: value iteration from both sides (Shapley 1953).
//! Each bound is sound after any number of sweeps.

use super::graph::{GameGraph, GraphState};
use super::node::{NodeShape, NodeSolver, ValueBounds};
use super::order::GraphOrder;
use super::watch::{SolveProgress, SolveWatch};
use crate::matrix::POINT;

/// Sweeps over states that lead to each other, at most. Each is sound, so fewer only leave the
/// bounds further apart.
const SWEEPS: usize = 10_000;
/// Bounds that move by no more than this many units in a sweep are left as they are.
const STILL: i64 = 16;
/// The caller is asked once for this many states.
const ASK_EVERY: usize = 4096;

/// By state: bounds of a role's value, which is within `trivial`. `None` if the caller stopped it.
pub(super) fn enforceable(
    graph: &GameGraph,
    order: &GraphOrder,
    (role, trivial): (usize, ValueBounds),
    solver: &mut NodeSolver,
    watch: &mut SolveWatch<'_>,
) -> Option<Vec<ValueBounds>> {
    let goals = || graph.outcomes().map(|goals| i64::from(goals[role]) * POINT);
    let trivial = ValueBounds {
        lower: goals().min().unwrap_or(trivial.lower),
        upper: goals().max().unwrap_or(trivial.upper),
    };
    let mut values = vec![trivial; graph.count()];
    let mut done = 0;
    for component in order.components() {
        for _ in 0..SWEEPS {
            let mut most_change = 0;
            for &state in component.states() {
                if done % ASK_EVERY == 0 && !watch(&told(done)) {
                    return None;
                }
                done += 1;
                let bounds = node_bounds(graph, state as usize, role, solver, &values);
                let old = values[state as usize];
                let new = ValueBounds {
                    lower: bounds.lower.max(old.lower),
                    upper: bounds.upper.min(old.upper),
                };
                most_change = most_change.max(new.lower - old.lower).max(old.upper - new.upper);
                values[state as usize] = new;
            }
            if component.is_single(graph) || most_change <= STILL {
                break;
            }
        }
    }
    Some(values)
}

fn node_bounds(
    graph: &GameGraph,
    state: usize,
    role: usize,
    solver: &mut NodeSolver,
    values: &[ValueBounds],
) -> ValueBounds {
    match graph.state(state) {
        GraphState::End(goals) => ValueBounds::exactly(i64::from(goals[role]) * POINT),
        GraphState::Open(counts, children) => {
            let shape = NodeShape::new(counts.iter().map(|&count| count as usize), role);
            solver.bounds(shape, |joint| values[children[joint] as usize])
        }
    }
}

/// The highest goal of a role at any end that can be reached, if there is one.
pub(super) fn best_goal(graph: &GameGraph, role: usize) -> Option<i64> {
    graph.outcomes().map(|goals| i64::from(goals[role]) * POINT).max()
}

/// The sum of all goals, if it is the same at all ends.
pub(super) fn constant_sum(graph: &GameGraph) -> Option<i64> {
    let mut sums = graph.outcomes().map(|goals| goals.iter().map(|&goal| i64::from(goal)).sum());
    let first: i64 = sums.next()?;
    sums.all(|sum: i64| sum == first).then_some(first)
}

fn told(states: usize) -> SolveProgress {
    SolveProgress {
        method: "induction",
        stage: "values",
        states: states as u64,
        depth: None,
        bounds: None,
    }
}
