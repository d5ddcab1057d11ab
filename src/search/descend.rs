//! From the root to a leaf.

use rand_pcg::Pcg64;

use super::choose::{Rule, choose};
use super::flight::Flight;
use super::tree::Tree;

/// Where a descent ended.
pub(super) enum Leaf {
    /// In a node where nothing follows.
    Over(u32),
    /// At the joint move chosen last, behind which a playout begins.
    Playout,
}

/// How far descents may go.
pub(super) struct Reach {
    /// The most nodes of a path.
    pub(super) levels: usize,
    /// Whether nodes may be opened, which takes memory.
    pub(super) may_open: bool,
}

/// Chooses moves from the root on, until something is not known, and counts the visits.
///
/// A descent visits no node twice: where a joint move leads back, or further than it may go, it ends
/// as if what follows were not known.
pub(super) fn descend(
    tree: &mut Tree,
    rule: &Rule,
    reach: &Reach,
    rng: &mut Pcg64,
    flight: &mut Flight,
    descent: u32,
) -> Leaf {
    let samples = flight.samples as f64;
    let roles = tree.roles();
    let mut node = tree.root;
    loop {
        let entry = &mut tree.nodes[node as usize];
        let visits = entry.visits;
        entry.visits += samples;
        entry.descent = descent;
        if tree.goals(node).is_some() {
            return Leaf::Over(node);
        }
        tree.open(node);
        flight.nodes.push(node);
        for role in 0..roles {
            let span = tree.span(node, role);
            let at = span.start + choose(rule, &tree.moves[span], visits, role, rng);
            tree.moves[at].visits += samples;
            flight.chosen.push(at as u32);
        }
        let level = flight.level(flight.depth() - 1);
        match tree.child(node, level) {
            Some(child)
                if tree.nodes[child as usize].descent != descent
                    && flight.depth() < reach.levels
                    && (reach.may_open || tree.is_open(child)) =>
            {
                node = child;
            }
            known => {
                let is_deepest = flight.depth() >= reach.levels;
                flight.expands = known.is_none() && !is_deepest && tree.can_link(node);
                return Leaf::Playout;
            }
        }
    }
}
