//! Random small games, solved and compared with a naive judge.
//!
//! The judge walks the game tree by recursion and solves matrices by trying all supports, in floats;
//! it shares nothing with the solvers.

use propnet::circuit::plan::GoalSum;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::error::SolveError;
use super::positions::{Positions, StateAnswers};
use super::report::{Solution, SumProof};
use super::solver::{SolveOptions, SolveTask, Variant};

/// A game as a table.
#[derive(Clone, Debug)]
struct TableGame {
    roles: usize,
    states: Vec<TableState>,
    width: usize,
}

#[derive(Clone, Debug)]
enum TableState {
    End(Vec<i32>),
    /// By role: the number of moves; then where joint moves lead, the last role's fastest.
    Open(Vec<usize>, Vec<usize>),
}

impl Positions for TableGame {
    fn roles(&self) -> usize {
        self.roles
    }

    fn numbers(&self) -> usize {
        1
    }

    fn width(&self) -> usize {
        self.width
    }

    fn look(&mut self, states: &[u64], answers: &mut StateAnswers) -> Result<(), SolveError> {
        assert!(states.len() <= self.width);
        answers.reset(self.roles, states.len());
        for (at, &state) in states.iter().enumerate() {
            match &self.states[state as usize] {
                TableState::End(goals) => {
                    for (role, &goal) in goals.iter().enumerate() {
                        answers.set_goal(at, role, goal);
                    }
                }
                TableState::Open(counts, _) => {
                    for (role, &count) in counts.iter().enumerate() {
                        // Moves have other numbers than places.
                        (0..count)
                            .for_each(|chosen| answers.add_legal(at, role, 10 + chosen as u32));
                    }
                }
            }
        }
        Ok(())
    }

    fn step(&mut self, states: &[u64], joint: &[u32], next: &mut Vec<u64>) {
        assert!(states.len() <= self.width);
        for (&state, joint) in states.iter().zip(joint.chunks_exact(self.roles)) {
            let TableState::Open(counts, children) = &self.states[state as usize] else {
                panic!("a move after the end");
            };
            let number = counts
                .iter()
                .zip(joint)
                .fold(0, |number, (&count, &chosen)| number * count + chosen as usize - 10);
            next.push(children[number] as u64);
        }
    }
}

/// What random games are like.
#[derive(Clone, Copy, Debug)]
struct TableKind {
    roles: usize,
    is_simultaneous: bool,
    is_constant: bool,
    is_cyclic: bool,
}

fn random_game(kind: TableKind, random: &mut Pcg64Mcg) -> TableGame {
    let count = random.random_range(2..14);
    let goal = |random: &mut Pcg64Mcg| [0, 20, 50, 75, 100][random.random_range(0..5)];
    let states = (0..count)
        .map(|number| {
            if number + 1 == count || number > 0 && random.random_range(0..4) == 0 {
                let mut goals: Vec<i32> = (0..kind.roles).map(|_| goal(random)).collect();
                if kind.is_constant {
                    goals[1] = 100 - goals[0];
                }
                return TableState::End(goals);
            }
            let mut counts = vec![1; kind.roles];
            let most = if kind.roles > 2 { 2 } else { 3 };
            if kind.is_simultaneous {
                counts.iter_mut().for_each(|count| *count = random.random_range(1..=most));
            } else {
                counts[random.random_range(0..kind.roles)] = random.random_range(1..=4);
            }
            let first = if kind.is_cyclic { 0 } else { number + 1 };
            let joint = counts.iter().product();
            let children = (0..joint).map(|_| random.random_range(first..count)).collect();
            TableState::Open(counts, children)
        })
        .collect();
    TableGame { roles: kind.roles, states, width: [1, 3, 64][random.random_range(0..3)] }
}

impl TableGame {
    /// What a role can enforce from a state in this many steps; what is open then counts as `open`.
    fn value(&self, state: usize, role: usize, depth: usize, open: f64) -> f64 {
        match &self.states[state] {
            TableState::End(goals) => f64::from(goals[role]),
            TableState::Open(..) if depth == 0 => open,
            TableState::Open(..) => {
                let child = |next: usize| self.value(next, role, depth - 1, open);
                matrix_value(&self.matrix(state, role, child))
            }
        }
    }

    /// The same, for all states at once: games with cycles have too many lines for recursion.
    fn values(&self, role: usize, depth: usize, open: f64) -> Vec<f64> {
        let mut values: Vec<f64> =
            (0..self.states.len()).map(|state| self.value(state, role, 0, open)).collect();
        for _ in 0..depth {
            let before = values.clone();
            for (state, value) in values.iter_mut().enumerate() {
                if matches!(self.states[state], TableState::Open(..)) {
                    *value = matrix_value(&self.matrix(state, role, |next| before[next]));
                }
            }
        }
        values
    }

    /// By move of the role and joint move of the others: the value of the next state.
    fn matrix(&self, state: usize, role: usize, value: impl Fn(usize) -> f64) -> Vec<Vec<f64>> {
        let TableState::Open(counts, children) = &self.states[state] else {
            return Vec::new();
        };
        let mut rows = vec![Vec::new(); counts[role]];
        for (number, &child) in children.iter().enumerate() {
            let after: usize = counts[role + 1..].iter().product();
            rows[number / after % counts[role]].push(value(child));
        }
        rows
    }

    /// The highest goal of a role at any end that can be reached.
    fn best(&self, role: usize) -> f64 {
        let mut seen = vec![false; self.states.len()];
        let (mut todo, mut best) = (vec![0], f64::MIN);
        while let Some(state) = todo.pop() {
            if std::mem::replace(&mut seen[state], true) {
                continue;
            }
            match &self.states[state] {
                TableState::End(goals) => best = best.max(f64::from(goals[role])),
                TableState::Open(_, children) => todo.extend(children),
            }
        }
        best
    }

    fn solved(&mut self, variant: Variant, sum: GoalSum) -> Solution {
        let roles: Vec<String> = (0..self.roles).map(|role| format!("r{role}")).collect();
        let task = SolveTask {
            roles: &roles,
            ranges: vec![(0, 100); self.roles],
            sum,
            start: &[0],
            text: &|_, chosen| (chosen - 10).to_string(),
        };
        let options = SolveOptions { variant, memory: 1 << 26, ..SolveOptions::default() };
        // A game that goes round in circles is searched deeper and deeper.
        let mut asked = 0;
        let mut watch = |_: &_| {
            asked += 1;
            asked < 30
        };
        task.solve(self, &options, &mut watch).expect("a game without errors")
    }
}

/// The value of a matrix: the best that any mix of rows gets that makes some columns equal. One of
/// these is optimal (Shapley and Snow 1950).
fn matrix_value(rows: &[Vec<f64>]) -> f64 {
    let (height, width) = (rows.len(), rows[0].len());
    let mut best = f64::MIN;
    for support in 1..1u32 << height {
        for against in 1..1u32 << width {
            if support.count_ones() == against.count_ones() {
                let Some(mix) = equalizing(rows, support, against) else { continue };
                let gets =
                    |column: usize| (0..height).map(|row| mix[row] * rows[row][column]).sum();
                best = (0..width).map(gets).fold(f64::MAX, f64::min).max(best);
            }
        }
    }
    best
}

/// The mix of these rows that gets the same in all of these columns, if there is one.
fn equalizing(rows: &[Vec<f64>], support: u32, against: u32) -> Option<Vec<f64>> {
    let bits = |set: u32| (0..32).filter(move |bit| set >> bit & 1 == 1).collect::<Vec<usize>>();
    let (support, against) = (bits(support), bits(against));
    let size = support.len();
    // Unknowns: the weights and the value. Equations: a column each, and the sum of the weights.
    let mut system = vec![vec![0.0; size + 2]; size + 1];
    for (equation, &column) in against.iter().enumerate() {
        for (unknown, &row) in support.iter().enumerate() {
            system[equation][unknown] = rows[row][column];
        }
        system[equation][size] = -1.0;
    }
    system[size][..size].fill(1.0);
    system[size][size + 1] = 1.0;
    for at in 0..=size {
        let pivot = (at..=size)
            .max_by(|&one, &other| system[one][at].abs().total_cmp(&system[other][at].abs()))?;
        if system[pivot][at].abs() < 1e-9 {
            return None;
        }
        system.swap(at, pivot);
        for other in 0..=size {
            if other != at {
                let factor = system[other][at] / system[at][at];
                let row = system[at].clone();
                system[other].iter_mut().zip(row).for_each(|(cell, own)| *cell -= factor * own);
            }
        }
    }
    let mut mix = vec![0.0; rows.len()];
    for (unknown, &row) in support.iter().enumerate() {
        mix[row] = system[unknown][size + 1] / system[unknown][unknown];
    }
    mix.iter().all(|&weight| weight > -1e-9).then_some(mix)
}

/// What the root strategy of a role gets at least, if the children have these values.
fn secured(
    game: &TableGame,
    solution: &Solution,
    role: usize,
    value: impl Fn(usize) -> f64,
) -> f64 {
    let rows = game.matrix(0, role, value);
    let strategy = &solution.roles[role].strategy;
    let total: f64 = strategy.iter().map(|share| share.probability).sum();
    assert!((total - 1.0).abs() < 1e-9, "{strategy:?}");
    let gets = |column: usize| -> f64 {
        let share = |text: &str| rows[text.parse::<usize>().expect("a number")][column];
        strategy.iter().map(|one| one.probability * share(&one.text)).sum()
    };
    (0..rows[0].len()).map(gets).fold(f64::MAX, f64::min)
}

const CLOSE: f64 = 0.002;

#[test]
fn the_judge_knows_matrices() {
    let rows =
        |rows: &[&[f64]]| matrix_value(&rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>());
    assert_eq!(rows(&[&[1.0, 0.0], &[0.0, 1.0]]), 0.5);
    assert!(rows(&[&[0.0, -1.0, 1.0], &[1.0, 0.0, -1.0], &[-1.0, 1.0, 0.0]]).abs() < 1e-9);
    assert_eq!(rows(&[&[3.0, 5.0], &[2.0, 9.0]]), 3.0);
    assert!((rows(&[&[4.0, 1.0, 2.0], &[1.0, 3.0, 2.5]]) - 2.2).abs() < 1e-9);
}

#[test]
fn games_without_cycles_have_the_values_that_recursion_finds() {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let (mut matrices, mut observed) = (0, 0);
    for number in 0..4000 {
        let roles = 1 + number % 4;
        let is_simultaneous = number / 4 % 2 == 1;
        let is_constant = roles == 2 && number / 8 % 2 == 1;
        let kind = TableKind { roles, is_simultaneous, is_constant, is_cyclic: false };
        let mut game = random_game(kind, &mut random);
        let depth = game.states.len();
        for variant in [Variant::Induction, Variant::AlphaBeta, Variant::Auto] {
            let sum = match is_constant && number % 3 > 0 {
                true => GoalSum::Proven(100),
                false => GoalSum::Unknown,
            };
            let solution = game.solved(variant, sum);
            matrices += solution.matrices;
            assert!(solution.is_complete, "{variant:?} {game:?}");
            let is_observed = solution.sum.is_some_and(|sum| sum.known_by == SumProof::Observed);
            observed += usize::from(is_observed);
            for (role, found) in solution.roles.iter().enumerate() {
                // Another sum may be where alpha-beta has not been.
                if role == 1 && is_observed && !is_constant {
                    continue;
                }
                let value = game.value(0, role, depth, f64::NAN);
                let context = || format!("{variant:?} role {role}: {value} {solution:?} {game:?}");
                assert!((found.lower - value).abs() < CLOSE, "{}", context());
                if is_constant || roles == 1 {
                    assert!(found.is_solved && found.upper == found.lower, "{}", context());
                } else if solution.sum.is_none() && variant == Variant::Induction {
                    assert_eq!(found.upper, game.best(role), "{}", context());
                }
                assert!(found.upper >= found.lower, "{}", context());
                let gets =
                    secured(&game, &solution, role, |next| game.value(next, role, depth, f64::NAN));
                assert!(gets > value - CLOSE, "{gets}: {}", context());
            }
        }
    }
    assert!(matrices > 1000 && observed > 100, "{matrices} matrices, {observed} observed sums");
}

#[test]
fn in_games_with_cycles_bounds_are_those_of_long_but_finite_play() {
    let mut random = Pcg64Mcg::seed_from_u64(2);
    let (mut open, mut closed) = (0, 0);
    for number in 0..400 {
        let roles = 1 + number % 3;
        let is_simultaneous = number / 3 % 2 == 1;
        let is_constant = roles == 2;
        let kind = TableKind { roles, is_simultaneous, is_constant, is_cyclic: true };
        let mut game = random_game(kind, &mut random);
        // In turn-taking games nothing changes after that many steps; otherwise less and less.
        let depth = if is_simultaneous { 40 } else { 100 };
        let judged: Vec<(f64, f64)> = (0..roles)
            .map(|role| {
                let value = |open: f64| game.values(role, depth, open)[0];
                (value(0.0), value(100.0))
            })
            .collect();
        for variant in [Variant::Induction, Variant::AlphaBeta] {
            let solution = game.solved(variant, GoalSum::Unknown);
            for (role, found) in solution.roles.iter().enumerate() {
                let (least, most) = judged[role];
                let context =
                    || format!("{variant:?} role {role}: {least} {most} {solution:?} {game:?}");
                let is_observed = solution.sum.is_none_or(|sum| sum.known_by == SumProof::Observed);
                if role == 1 && is_observed {
                    continue;
                }
                // No bound is wrong.
                assert!(found.lower < most + CLOSE, "{}", context());
                if is_constant || roles == 1 {
                    assert!(found.upper > least - CLOSE, "{}", context());
                }
                // And induction finds what play without end leaves.
                if variant == Variant::Induction && !is_simultaneous {
                    let (least, most) = ends_of(&game, role, least, most);
                    assert!((found.lower - least).abs() < CLOSE, "{}", context());
                    if is_constant || roles == 1 {
                        assert!((found.upper - most).abs() < CLOSE, "{}", context());
                        if least == most { closed += 1 } else { open += 1 }
                    }
                }
            }
        }
    }
    assert!(open > 20 && closed > 60, "{open} open, {closed} closed");
}

/// Bounds within the goals of the ends that can be reached: what induction knows at the start.
fn ends_of(game: &TableGame, role: usize, least: f64, most: f64) -> (f64, f64) {
    if game.best(role) == f64::MIN {
        return (least, most);
    }
    let mut turned = game.clone();
    for state in &mut turned.states {
        if let TableState::End(goals) = state {
            goals[role] = -goals[role];
        }
    }
    (least.max(-turned.best(role)), most.min(game.best(role)))
}

#[test]
fn a_start_that_is_an_end_is_solved() {
    let mut game = TableGame { roles: 2, states: vec![TableState::End(vec![30, 60])], width: 64 };
    for variant in [Variant::Induction, Variant::AlphaBeta, Variant::Auto] {
        let solution = game.solved(variant, GoalSum::Unknown);
        assert!(solution.is_solved && solution.is_complete);
        assert_eq!(solution.roles[1].upper, 60.0);
        assert!(solution.roles[0].strategy.is_empty());
    }
}

#[test]
fn too_many_states_are_an_error_and_a_stop_is_not() {
    // A path of many states.
    let count = 100_000;
    let mut states: Vec<TableState> = (1..count)
        .map(|next| TableState::Open(vec![2, 1], vec![next, (next + 5).min(count - 1)]))
        .collect();
    states.push(TableState::End(vec![100, 0]));
    let mut game = TableGame { roles: 2, states, width: 64 };
    let roles = ["a".to_string(), "b".to_string()];
    let task = SolveTask {
        roles: &roles,
        ranges: vec![(0, 100); 2],
        sum: GoalSum::Unknown,
        start: &[0],
        text: &|_, chosen| chosen.to_string(),
    };
    let options =
        SolveOptions { variant: Variant::Induction, memory: 1 << 20, ..SolveOptions::default() };
    let error = task.solve(&mut game, &options, &mut |_| true).expect_err("too little memory");
    assert!(error.to_string().contains("take more than 1 MB"), "{error}");
    let options = SolveOptions { memory: 1 << 30, ..options };
    let mut asked = 0;
    let mut watch = |_: &_| {
        asked += 1;
        asked < 20
    };
    let stopped = task.solve(&mut game, &options, &mut watch).expect("what is known");
    assert!(!stopped.is_complete && stopped.states > 100, "{stopped:?}");
    assert_eq!((stopped.roles[0].lower, stopped.roles[0].upper), (0.0, 100.0));
    let whole = task.solve(&mut game, &options, &mut |_| true).expect("a value");
    assert_eq!((whole.is_solved, whole.roles[0].lower), (true, 100.0));
    assert_eq!(whole.states, 100_000);
}
