//! EQ: the effective quality of a move looks one level deeper than its mean.
//!
//! Table I of Świechowski, Mańdziuk and Ong 2016. With Q the mean score of a node for the role that
//! decides: a node where it has nothing to choose is worth its worst child, one where only it
//! chooses its best, and others half of its worst child and half of itself. Ties are broken by the
//! history heuristic: the mean score of the same move in all nodes.

use std::cmp::Ordering;

use propnet::game::Role;
use rustc_hash::FxHashMap;

use super::{Decision, Field, MakeDecision};
use crate::search::scheme::Part;
use crate::search::tree::{MoveId, MoveMerit, MoveStats, NodeId, Tree};

/// The part with this name.
pub(crate) const PART: Part<MakeDecision> = Part {
    name: "eq",
    help: "the move with the highest effective quality, by the nodes after it; ties by history",
    paper: "Świechowski, Mańdziuk and Ong 2016, table I",
    parameters: &[],
    make: |_| Box::new(Eq),
};

struct Eq;

impl Decision for Eq {
    fn compare(&self, a: &MoveStats, b: &MoveStats, _: &Field) -> Ordering {
        let of = |stats: &MoveStats| {
            let mean = stats.mean().unwrap_or(f64::NEG_INFINITY);
            let merit = stats.merit.unwrap_or(MoveMerit { quality: mean, history: 0.0 });
            let quality = match stats.proof {
                Some(proof) => merit.quality.max(proof.lower).min(proof.upper),
                None => merit.quality,
            };
            (stats.best.map_or(0.0, |best| best.max(0.0)), quality, merit.history)
        };
        let (a, b) = (of(a), of(b));
        b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)).then(b.2.total_cmp(&a.2))
    }

    fn merits(&self, tree: &Tree, role: Role) -> Option<Vec<MoveMerit>> {
        let root = tree.root;
        let span = tree.span(root, role);
        // By move: the sum of qualities by visits, and the visits.
        let mut sums = vec![(0.0, 0.0); span.len()];
        for (at, child) in children_by_move(tree, root, role) {
            let weight = tree[child].visits.max(1.0);
            if let Some(quality) = quality(tree, child, role) {
                sums[at].0 += weight * quality;
                sums[at].1 += weight;
            }
        }
        let history = history(tree, role);
        let merit = |(place, (sum, weight)): (usize, (f64, f64))| {
            let entry = &tree.moves[place];
            let mean =
                if entry.visits > 0.0 { entry.total / entry.visits } else { f64::NEG_INFINITY };
            let what = tree.what(MoveId::new(place)).index();
            MoveMerit {
                quality: if weight > 0.0 { sum / weight } else { mean },
                history: history.get(&what).map_or(0.0, |(total, visits)| total / visits),
            }
        };
        Some(span.zip(sums).map(merit).collect())
    }
}

/// Each child of a node, with the index of the role's move that leads to it.
fn children_by_move(tree: &Tree, node: NodeId, role: Role) -> Vec<(usize, NodeId)> {
    match tree.chooser(node) {
        Some(chooser) if chooser == role => {
            let places = tree.span(node, role).map(MoveId::new).enumerate();
            places.filter_map(|(at, place)| Some((at, tree.child_of(place)?))).collect()
        }
        // The role has one move, whatever the other does.
        Some(_) => tree.children(node).map(|link| (0, link.child)).collect(),
        None => {
            let links = tree.children(node);
            links.map(|link| (tree.indices(node, &link)[role], link.child)).collect()
        }
    }
}

/// The effective quality of a node for a role; none where nothing is known of it.
fn quality(tree: &Tree, node: NodeId, role: Role) -> Option<f64> {
    let own = mean(tree, node, role)?;
    if tree.goals(node).is_some() {
        return Some(own);
    }
    let counts = (0..tree.roles()).map(|role| tree.span(node, role).len());
    let (ours, all) = (tree.span(node, role).len(), counts.product());
    let children = tree.children(node).filter_map(|link| mean(tree, link.child, role));
    Some(effective(own, ours, all, children))
}

/// The quality of a node that is worth `own`, with `ours` of `all` joint moves for the role to
/// choose among.
fn effective(own: f64, ours: usize, all: usize, children: impl Iterator<Item = f64>) -> f64 {
    let (worst, best) = children
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(worst, best), child| {
            (worst.min(child), best.max(child))
        });
    match ours {
        _ if worst > best => own,
        1 => worst,
        _ if ours < all => (worst + own) / 2.0,
        _ => best,
    }
}

/// The mean score of a node for a role; none where it was never visited.
fn mean(tree: &Tree, node: NodeId, role: Role) -> Option<f64> {
    if let Some(goals) = tree.goals(node) {
        return goals.get(role).copied();
    }
    let entries = tree.moves[tree.span(node, role)].iter();
    let (total, visits) = entries
        .fold((0.0, 0.0), |(total, visits), entry| (total + entry.total, visits + entry.visits));
    (visits > 0.0).then(|| total / visits)
}

/// By move of a role: the sum of its scores in all nodes, and its visits.
fn history(tree: &Tree, role: Role) -> FxHashMap<usize, (f64, f64)> {
    let mut sums: FxHashMap<usize, (f64, f64)> = FxHashMap::default();
    for node in (0..tree.nodes.len()).map(NodeId::new).filter(|&node| tree.is_open(node)) {
        for place in tree.span(node, role) {
            let entry = &tree.moves[place];
            if entry.visits > 0.0 {
                let (total, visits) =
                    sums.entry(tree.what(MoveId::new(place)).index()).or_default();
                *total += entry.total;
                *visits += entry.visits;
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use propnet::lanes::Ending;

    use super::*;
    use crate::search::tree_search::{CHOICE, Trial};

    #[test]
    fn a_node_is_worth_what_table_i_says() {
        let children = || [20.0, 80.0].into_iter();
        assert_eq!(effective(60.0, 1, 6, children()), 20.0);
        assert_eq!(effective(60.0, 2, 6, children()), 40.0);
        assert_eq!(effective(60.0, 6, 6, children()), 80.0);
        assert_eq!(effective(60.0, 6, 6, std::iter::empty()), 60.0, "nothing follows yet");
    }

    #[test]
    fn the_best_child_counts_where_the_role_chooses_alone() {
        let mut trial = Trial::new(CHOICE, "uct", &["in_flight=1", "one_role=off"]);
        // After a: 0, 90 and then 0 below; after b: 50 always.
        for (moves, score) in [
            ([0, 0, 0, 0, 0, 0, 0, 0], 0),
            ([0, 0, 0, 0, 0, 0, 0, 0], 0),
            ([0, 1, 0, 0, 0, 0, 0, 0], 90),
            ([0, 1, 0, 0, 0, 0, 0, 0], 90),
            ([1, 0, 0, 0, 0, 0, 0, 0], 50),
            ([1, 0, 0, 0, 0, 0, 0, 0], 50),
        ] {
            trial.simulate(&trial.moves(&moves), score, Ending::Terminal);
        }
        let merits = Eq.merits(&trial.search.tree, 0).expect("merits");
        let means: Vec<f64> = merits.iter().map(|merit| merit.quality).collect();
        assert!(means[0] > 45.0 && means[0] >= means[1], "{means:?}");
        // Moves named a scored (0 + 0 + 90 + 90) at the root, and in the nodes below.
        assert!(merits[0].history > 0.0 && merits[1].history > 0.0, "{merits:?}");
    }
}
