//! From the root to a leaf.

use rand_pcg::Pcg64;

use super::{Choose, NodeMoves};
use crate::search::policy::Sampler;
use crate::search::tree::{MoveId, NodeId, Tree};
use crate::search::tree_search::Simulation;
use crate::search::untried::{Untried, choose_untried};

/// Where a descent ended.
pub(crate) enum Leaf {
    /// In a node where nothing follows.
    Terminal(NodeId),
    /// At the joint move chosen last, after which a playout begins.
    Playout,
}

/// How far descents may go.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    /// The most nodes of a path.
    pub(crate) levels: usize,
    /// Whether nodes may be opened, which takes memory.
    pub(crate) may_open: bool,
}

/// What a descent works on.
pub(crate) struct Descent<'s> {
    pub(crate) tree: &'s mut Tree,
    pub(crate) simulation: &'s mut Simulation,
    pub(crate) rng: &'s mut Pcg64,
    pub(crate) untried: &'s dyn Untried,
    /// What playouts prefer, if anything.
    pub(crate) policy: Option<&'s dyn Sampler>,
    pub(crate) reach: Reach,
    /// Descents are numbered, so that a node knows the last one.
    pub(crate) number: u32,
}

/// Chooses moves from the root on, until a child is not known, and counts the visits.
///
/// A descent visits no node twice: where a joint move leads back, or further than it may go, it ends
/// as if the child were not known.
pub(super) fn descend<C: Choose>(scheme: &C, descent: Descent) -> Leaf {
    let Descent { tree, simulation, rng, untried, policy, reach, number } = descent;
    let samples = simulation.samples as f64;
    let roles = tree.roles();
    let mut node = tree.root;
    loop {
        let entry = &mut tree[node];
        let visits = entry.visits;
        entry.visits += samples;
        entry.descent = number;
        if tree.goals(node).is_some() {
            return Leaf::Terminal(node);
        }
        tree.open(node);
        simulation.nodes.push(node);
        for role in 0..roles {
            let span = tree.span(node, role);
            let first = span.start;
            let path = &simulation.nodes;
            let moves = NodeMoves { tree, role, span, visits, path };
            let at = MoveId::new(first + choose(scheme, &moves, untried, policy, rng));
            tree[at].visits += samples;
            simulation.chosen.push(at);
        }
        let level = simulation.level(simulation.depth() - 1);
        match tree.child(node, level) {
            Some(child)
                if tree[child].descent != number
                    && simulation.depth() < reach.levels
                    && (reach.may_open || tree.is_open(child)) =>
            {
                node = child;
            }
            known => {
                let is_deepest = simulation.depth() >= reach.levels;
                simulation.expands = known.is_none() && !is_deepest && tree.can_link(node);
                return Leaf::Playout;
            }
        }
    }
}

/// One role's choice.
#[inline]
fn choose<C: Choose>(
    scheme: &C,
    node: &NodeMoves,
    untried: &dyn Untried,
    policy: Option<&dyn Sampler>,
    rng: &mut Pcg64,
) -> usize {
    if node.span.len() == 1 {
        return 0;
    }
    if C::USES_STATISTICS {
        let count = node.moves().iter().filter(|entry| entry.visits == 0.0).count();
        if count == node.span.len() {
            return choose_untried(node, count, policy, rng);
        }
        if count > 0 {
            let urgency = untried.urgency(node, count);
            // Most schemes try all moves first: then no bounds are needed.
            if urgency == f64::INFINITY {
                return choose_untried(node, count, policy, rng);
            }
            let best = scheme.choose(node, rng);
            return match best.bound >= urgency {
                true => best.at,
                false => choose_untried(node, count, policy, rng),
            };
        }
    }
    scheme.choose(node, rng).at
}
