//! Bounds against backward induction.

use super::random_games::{Judged, RandomGame, RandomKind, judge};
use super::trial::Trial;
use crate::matrix::SAME;
use crate::search::budget::{Budget, Clock};
use crate::search::playout::Simulator;
use crate::search::solver::GoalSum;
use crate::search::tree::{MoveId, NodeId, PRUNED};

/// What backward induction says about the state of a node.
fn judged<'j>(trial: &Trial, all: &'j [Vec<Judged>], node: NodeId) -> &'j [Judged] {
    let state = &trial.search.tree[node].state;
    &all[state.iter().next().expect("a number")]
}

/// Checks the bounds of all nodes; how many of them are solved.
fn check(trial: &Trial, all: &[Vec<Judged>], about: &str) -> usize {
    let tree = &trial.search.tree;
    let sum = trial.search.parts.score_bounds.as_ref().expect("a solver").sum;
    let nodes = || (0..tree.nodes.len()).map(NodeId::new);
    for node in nodes() {
        for (role, judged) in judged(trial, all, node).iter().enumerate() {
            let range = tree.range(node, role);
            let (lower, upper) = (i64::from(range.lower), i64::from(range.upper));
            let least = if sum == GoalSum::Varies { judged.best } else { judged.secured[0] };
            assert!(
                lower <= judged.secured[1] && upper >= least,
                "{about}: {range:?} of role {role} in {node:?}, but {judged:?}"
            );
        }
    }
    nodes().filter(|&node| tree.is_solved(node)).count()
}

const KINDS: [RandomKind; 8] = [
    RandomKind { roles: 1, is_simultaneous: false, constant: 0 },
    RandomKind { roles: 2, is_simultaneous: false, constant: 100 },
    RandomKind { roles: 2, is_simultaneous: false, constant: 90 },
    RandomKind { roles: 2, is_simultaneous: false, constant: 0 },
    RandomKind { roles: 2, is_simultaneous: true, constant: 100 },
    RandomKind { roles: 2, is_simultaneous: true, constant: 80 },
    RandomKind { roles: 3, is_simultaneous: false, constant: 0 },
    RandomKind { roles: 4, is_simultaneous: true, constant: 0 },
];

#[test]
fn bounds_enclose_what_backward_induction_finds() {
    let mut solved = 0;
    for seed in 0..2000 {
        let kind = KINDS[seed as usize % KINDS.len()];
        let game = RandomGame::new(kind, seed);
        let all = judge(&game);
        let variant = ["solver_variant=s_uct", "solver_variant=e_uct"][seed as usize / 8 % 2];
        let transpositions = ["transpositions=on", "transpositions=off"][seed as usize / 16 % 2];
        let settings = [variant, transpositions, "visits_per_flight=16"];
        let about = format!("seed {seed}, {kind:?}, {settings:?}");
        let strategy = ["uct+solver", "uct+proof_numbers+solver"][seed as usize / 32 % 2];
        let mut trial = Trial::on(Box::new(game), strategy, &settings);
        for _ in 0..6 {
            trial.run(&Budget::simulations(25));
            solved += check(&trial, &all, &about);
        }
    }
    assert!(solved > 100_000, "{solved}");
}

#[test]
fn bounds_close_when_the_budget_is_enough() {
    for seed in 0..600 {
        let (roles, is_simultaneous) = [(1, false), (2, false), (2, true)][seed as usize % 3];
        let kind = RandomKind { roles, is_simultaneous, constant: 100 };
        let game = RandomGame::new(kind, seed);
        let all = judge(&game);
        let variant = ["solver_variant=s_uct", "solver_variant=e_uct"][seed as usize / 3 % 2];
        let mut trial = Trial::on(Box::new(game), "uct+solver", &[variant, "one_role=off"]);
        trial.run(&Budget::simulations(3000));
        let tree = &trial.search.tree;
        assert!(tree.is_solved(tree.root), "seed {seed}, {variant}");
        for (role, judged) in judged(&trial, &all, tree.root).iter().enumerate() {
            let range = tree.range(tree.root, role);
            assert!(range.is_exact() && judged.secured[0] - i64::from(range.lower) <= SAME);
        }
        assert!(trial.search.counts.simulations <= 3000);
    }
}

#[test]
fn bounds_stay_true_when_moves_are_made_and_memory_is_short() {
    for seed in 0..300 {
        let kind = KINDS[seed as usize % KINDS.len()];
        let game = RandomGame::new(kind, seed);
        let all = judge(&game);
        let mut trial = Trial::on(Box::new(game), "uct+solver", &["one_role=off"]);
        trial.run(&Budget::simulations(40));
        trial.search.limit = trial.search.tree.bytes_with_copy() * 2 / 3;
        for round in 0..4 {
            let budget = Budget::simulations(40);
            trial.search.make_room(&mut Clock::new(&budget));
            trial.run(&budget);
            check(&trial, &all, &format!("seed {seed}, round {round}"));
            let tree = &trial.search.tree;
            if tree.goals(tree.root).is_some() {
                break;
            }
            let joint: Vec<_> = (0..tree.roles())
                .map(|role| tree.what(MoveId::new(tree.span(tree.root, role).start)))
                .collect();
            trial.search.advance(&joint, trial.simulator.game()).expect("a legal move");
        }
    }
}

/// Game G of figure 6.2: the row player takes 50, or plays game H, in which the column player has a
/// move that concedes 40 at most, and another one that leads far away.
const FIGURE: &str = "
    (role row) (role column) (init (at g))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
    (<= (legal row a1) (true (at g))) (<= (legal row a2) (true (at g)))
    (<= (legal column b1) (true (at g)))
    (<= (legal row a3) (true (at h))) (<= (legal row a4) (true (at h)))
    (<= (legal column b2) (true (at h))) (<= (legal column b3) (true (at h)))
    (<= (legal row (far ?x)) (true (deep ?y)) (succ ?x ?z)) (<= (legal column wait) (true (deep ?y)))
    (<= (next (at h)) (does row a2))
    (<= (next (end 50 50)) (does row a1))
    (<= (next (end 40 60)) (does row a3) (does column b2))
    (<= (next (end 30 70)) (does row a4) (does column b2))
    (<= (next (deep 0)) (does column b3))
    (<= (next (deep ?y)) (true (deep ?x)) (succ ?x ?y))
    (<= (next (went ?x ?m)) (true (deep ?x)) (does row ?m))
    (<= (next (went ?x ?m)) (true (went ?x ?m)))
    (<= (next (end 100 0)) (true (deep 5)))
    (<= terminal (true (end ?a ?b)))
    (<= (goal row ?a) (true (end ?a ?b))) (<= (goal column ?b) (true (end ?a ?b)))";

#[test]
fn a_game_that_can_be_held_below_what_is_secured_is_pruned() {
    for variant in ["solver_variant=s_uct", "solver_variant=e_uct"] {
        let mut trial = Trial::new(FIGURE, "uct+solver", &[variant]);
        trial.run(&Budget::simulations(1000));
        let tree = &trial.search.tree;
        assert!(tree.is_solved(tree.root));
        assert_eq!([0, 1].map(|role| tree.range(tree.root, role).points()[0]), [50.0, 50.0]);
        let flags = |role| tree.flags(tree.root, role);
        assert_eq!((flags(0)[0] & PRUNED, flags(0)[1] & PRUNED), (0, PRUNED), "{variant}");
        let second = MoveId::new(tree.span(tree.root, 0).start + 1);
        let game_h = tree.child_of(second).expect("a child");
        assert_eq!(tree.range(game_h, 0).points(), [0.0, 40.0]);
        assert!(trial.search.counts.simulations < 50, "{}", trial.search.counts.simulations);
    }
}
