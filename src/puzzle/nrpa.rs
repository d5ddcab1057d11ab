//! Nested rollout policy adaptation: Rosin 2011.
//!
//! A search of level n calls level n - 1 many times, and after each call moves its policy towards
//! the best line so far. A playout draws moves by the exponentials of their weights; those of one
//! round run side by side in lanes, and the best of them counts. Weights belong to moves, or, in
//! every second search, to moves at a depth.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::method::Task;
use super::playouts::{Begin, Lockstep, Playout, WORST};

/// Calls of the next lower level, and the step of an adaptation.
const CALLS: usize = 50;
const ALPHA: f64 = 1.0;
/// The highest level.
const LEVEL: usize = 3;
/// Playouts of one round.
const SIDE_BY_SIDE: usize = 64;

/// Searches until told to end.
pub(super) fn run(task: &Task<'_>) {
    let puzzle = task.puzzle;
    let lockstep = Lockstep::new(task);
    let start = Begin { code: puzzle.start_code.clone(), moves: Vec::new() };
    let mut search = Nrpa {
        task,
        starts: vec![start; SIDE_BY_SIDE.min(lockstep.lanes())],
        lockstep,
        generator: Pcg64Mcg::seed_from_u64(task.seed),
    };
    let moves = puzzle.circuit.moves[0].len();
    for number in 0.. {
        let depths = if number % 2 == 0 { 1 } else { puzzle.horizon().unwrap_or(256) + 1 };
        let policy = RolloutPolicy { moves, weights: vec![0.0; moves * depths] };
        if search.search(LEVEL, policy).is_none() {
            return;
        }
    }
}

/// Weights of moves, perhaps for each depth.
#[derive(Clone)]
struct RolloutPolicy {
    moves: usize,
    weights: Vec<f64>,
}

impl RolloutPolicy {
    fn place(&self, depth: usize, chosen: u32) -> usize {
        let depths = self.weights.len() / self.moves.max(1);
        depth.min(depths - 1) * self.moves + chosen as usize
    }

    /// The place of a move, drawn by the exponentials of the weights.
    fn draw(&self, depth: usize, legal: &[u32], generator: &mut Pcg64Mcg) -> usize {
        let weight = |&chosen: &u32| self.weights[self.place(depth, chosen)].exp();
        let sum: f64 = legal.iter().map(weight).sum();
        let mut left = generator.random::<f64>() * sum;
        for (place, chosen) in legal.iter().enumerate() {
            left -= weight(chosen);
            if left <= 0.0 {
                return place;
            }
        }
        legal.len() - 1
    }
}

struct Nrpa<'t> {
    task: &'t Task<'t>,
    lockstep: Lockstep<'t>,
    starts: Vec<Begin>,
    generator: Pcg64Mcg,
}

impl Nrpa<'_> {
    /// The best line of a search of this level; `None` when told to end.
    fn search(&mut self, level: usize, mut policy: RolloutPolicy) -> Option<Playout> {
        if level == 0 {
            return self.playouts(&policy);
        }
        let mut best = Playout { moves: Vec::new(), value: WORST };
        for _ in 0..CALLS {
            let found = self.search(level - 1, policy.clone())?;
            if found.value >= best.value {
                best = found;
            }
            self.adapt(&mut policy, &best.moves);
        }
        Some(best)
    }

    fn playouts(&mut self, policy: &RolloutPolicy) -> Option<Playout> {
        let generator = &mut self.generator;
        let playouts =
            self.lockstep.run(&self.starts, |_, depth, legal| policy.draw(depth, legal, generator));
        if !self.task.pace.goes_on(0) {
            return None;
        }
        let best = playouts.into_iter().max_by_key(|playout| playout.value)?;
        if best.value > WORST {
            self.task.offer_if_better(&best.moves, best.value.0);
        }
        Some(best)
    }

    /// Makes the moves of a line more likely than the others that were legal beside them.
    fn adapt(&mut self, policy: &mut RolloutPolicy, line: &[u32]) {
        let old = policy.clone();
        let mut offered: Vec<(usize, Vec<u32>)> = Vec::new();
        self.lockstep.run(&self.starts[..1], |_, depth, legal| {
            offered.push((depth, legal.to_vec()));
            let chosen = line.get(depth);
            legal.iter().position(|offered| Some(offered) == chosen).unwrap_or_default()
        });
        for (&chosen, (depth, legal)) in line.iter().zip(&offered) {
            let weight = |chosen: u32| old.weights[old.place(*depth, chosen)].exp();
            let sum: f64 = legal.iter().map(|&chosen| weight(chosen)).sum();
            policy.weights[old.place(*depth, chosen)] += ALPHA;
            for &other in legal {
                policy.weights[old.place(*depth, other)] -= ALPHA * weight(other) / sum;
            }
        }
    }
}
