//! Regret matching: where several roles choose at once, moves in proportion to the regret not to have made
//! them; elsewhere UCT.
//!
//! Hart and Mas-Colell 2000, "A simple adaptive procedure leading to correlated equilibrium"; in trees:
//! Lanctot, Lisy and Winands 2014, "Monte Carlo tree search in simultaneous move games with applications to
//! Goofspiel", and Tak, Lanctot and Winands 2014, "Monte Carlo tree search variants for simultaneous move
//! games". After a simulation with score u, each move m of a role has, if the others had moved as
//! they did, regret R(m) += X(m) - u, where X(m) is the mean score of the child that m leads to. A move
//! is chosen with probability (1 - gamma) R+(m) / sum R+ + gamma / n. At the root the mean of
//! these shares, without exploration, is played.

use propnet::game::Role;
use rand::RngExt;
use rand_pcg::Pcg64;
use smallvec::SmallVec;

use super::adjustment::Adjustment;
use super::bounds::Bounds;
use super::uct::Uct;
use super::{Choice, Choose, MakeSelection, NodeMoves};
use crate::search::scheme::{Parameter, Part};
use crate::search::tree::{ColumnSpec, MoveId, NodeId, REGRET, SHARES, Tree};
use crate::search::tree_search::Simulation;

/// Exploration.
const GAMMA: Parameter = Parameter::number(
    "gamma",
    "regret_matching: the share of choices that are made at random",
    0.2,
    0.0,
    1.0,
);

/// The part with this name.
pub(super) const PART: Part<MakeSelection> = Part {
    name: "regret_matching",
    help: "where several roles choose at once, moves by the regret not to have made them; or else uct",
    paper: "Hart and Mas-Colell 2000; Lanctot, Lisy and Winands 2014",
    parameters: &[GAMMA],
    make: |values, adjustments| {
        let uct = Bounds { base: Uct::new(values), adjustments };
        Box::new(RegretMatching { gamma: values.get(&GAMMA), uct })
    },
};

struct RegretMatching {
    gamma: f64,
    /// Where one role chooses.
    uct: Bounds<Uct>,
}

/// A number for each of a role's moves.
type Numbers = SmallVec<[f64; 32]>;

/// The shares of moves with these regrets: equal ones where none is regretted.
fn shares(regrets: &[f64]) -> Numbers {
    let positive = regrets.iter().map(|regret| regret.max(0.0));
    let sum: f64 = positive.clone().sum();
    match sum > 0.0 {
        true => positive.map(|regret| regret / sum).collect(),
        false => regrets.iter().map(|_| 1.0 / regrets.len() as f64).collect(),
    }
}

impl Choose for RegretMatching {
    fn columns(&self) -> Vec<ColumnSpec> {
        [&[REGRET, SHARES], &self.uct.columns()[..]].concat()
    }

    fn adjustments(&mut self) -> &mut [Box<dyn Adjustment>] {
        self.uct.adjustments()
    }

    fn amaf_samples(&self) -> u64 {
        self.uct.amaf_samples()
    }

    fn choose(&self, node: &NodeMoves, rng: &mut Pcg64) -> Choice {
        let regrets = node.tree.columns.get(REGRET).map(|all| &all[node.span.clone()]);
        let Some(regrets) = regrets.filter(|_| node.several_choose()) else {
            return self.uct.choose(node, rng);
        };
        let open: SmallVec<[usize; 32]> = node.open().collect();
        let shares = shares(&open.iter().map(|&at| regrets[at]).collect::<Numbers>());
        let even = self.gamma / open.len() as f64;
        let mut left: f64 = rng.random();
        let found = shares.iter().position(|share| {
            left -= (1.0 - self.gamma) * share + even;
            left < 0.0
        });
        // Rounding may leave a little at the end. Moves never tried come first.
        Choice { at: open[found.unwrap_or(open.len() - 1)], bound: f64::NEG_INFINITY }
    }

    fn learn(&self, tree: &mut Tree, simulation: &Simulation) {
        let roles = tree.roles();
        let samples = simulation.samples as f64;
        for level in 0..simulation.depth() {
            let node = simulation.nodes[level];
            if !tree.several_choose(node) {
                continue;
            }
            let joint = simulation.level(level);
            for role in 0..roles {
                let score = simulation.scores[role] / samples;
                let changes = regrets(tree, node, joint, role, score);
                add_regrets(tree, node, role, &changes, samples);
            }
        }
    }

    fn mixture(&self, tree: &Tree, role: Role) -> Option<Vec<f64>> {
        let all = tree.columns.get(SHARES).filter(|_| tree.several_choose(tree.root))?;
        Some(all[tree.span(tree.root, role)].to_vec())
    }
}

/// What each of a role's moves would have scored more than what was scored, if the others had moved as
/// they did; nothing for moves whose child is not known.
fn regrets(tree: &Tree, node: NodeId, joint: &[MoveId], role: Role, score: f64) -> Numbers {
    let mut other: SmallVec<[MoveId; 8]> = joint.iter().copied().collect();
    let regret = |place: usize| {
        other[role] = MoveId::new(place);
        // What was scored just now is in the mean of the child as well.
        if other[role] == joint[role] {
            return 0.0;
        }
        let child = tree.child(node, &other);
        child.and_then(|child| value(tree, child, role)).map_or(0.0, |value| value - score)
    };
    tree.span(node, role).map(regret).collect()
}

/// The mean score of a node for a role; none where it was never visited.
fn value(tree: &Tree, node: NodeId, role: Role) -> Option<f64> {
    if let Some(goals) = tree.goals(node) {
        return goals.get(role).copied();
    }
    if !tree.is_open(node) {
        return None;
    }
    let entries = tree.moves[tree.span(node, role)].iter();
    let (total, visits) =
        entries.fold((0.0, 0.0), |sum, entry| (sum.0 + entry.total, sum.1 + entry.visits));
    (visits > 0.0).then(|| total / visits)
}

/// Takes up regrets, and the shares that they lead to, of a number of simulations.
fn add_regrets(tree: &mut Tree, node: NodeId, role: Role, changes: &[f64], samples: f64) {
    let span = tree.span(node, role);
    let Some([regrets, sums]) = tree.columns.pair_mut(REGRET, SHARES) else { return };
    let regrets = &mut regrets[span.clone()];
    for (sum, share) in sums[span].iter_mut().zip(shares(regrets)) {
        *sum += samples * share;
    }
    for (regret, change) in regrets.iter_mut().zip(changes) {
        *regret += samples * change;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::budget::Budget;
    use crate::search::tree_search::Trial;

    /// Matching pennies in which two heads are worth twice as much as two tails: a shows heads in one of
    /// three games, and so does b.
    const PENNIES: &str = "(role a) (role b) (legal a h) (legal a t) (legal b h) (legal b t)
        (init begin) (<= (next over) (true begin))
        (<= (next (both ?m)) (does a ?m) (does b ?m))
        (<= terminal (true over)) (<= equal (true (both ?m)))
        (<= (goal a 100) (true (both h))) (<= (goal a 50) (true (both t))) (<= (goal a 0) (not equal))
        (<= (goal b 0) (true (both h))) (<= (goal b 50) (true (both t))) (<= (goal b 100) (not equal))";

    #[test]
    fn shares_are_in_proportion_to_what_is_regretted() {
        assert_eq!(shares(&[3.0, -5.0, 1.0])[..], [0.75, 0.0, 0.25]);
        assert_eq!(shares(&[-1.0, 0.0])[..], [0.5, 0.5]);
    }

    #[test]
    fn regrets_are_those_against_what_the_others_did() {
        let mut trial = Trial::new(PENNIES, "regret_matching", &["in_flight=1"]);
        trial.run(&Budget::simulations(20));
        let tree = &trial.search.tree;
        let first = |role| tree.span(tree.root, role).start;
        let joint = [MoveId::new(first(0)), MoveId::new(first(1))];
        // Both showed heads: b would have had 100 with tails.
        assert_eq!(regrets(tree, tree.root, &joint, 0, 100.0)[..], [0.0, -100.0]);
        assert_eq!(regrets(tree, tree.root, &joint, 1, 0.0)[..], [0.0, 100.0]);
    }

    #[test]
    fn the_mean_of_the_shares_comes_close_to_the_equilibrium() {
        let mut trial = Trial::new(PENNIES, "regret_matching", &["in_flight=1"]);
        trial.run(&Budget::simulations(4000));
        let (tree, selection) = (&trial.search.tree, &trial.search.parts.selection);
        for role in 0..2 {
            let sums = selection.mixture(tree, role).expect("shares");
            let all: f64 = sums.iter().sum();
            assert!((all - 4000.0).abs() < 1e-6, "one for each simulation: {all}");
            let heads = sums[0] / all;
            assert!((heads - 1.0 / 3.0).abs() < 0.08, "{role}: {heads}");
        }
    }
}
