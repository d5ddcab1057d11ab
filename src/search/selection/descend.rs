//! From the root to a leaf.

use rand_pcg::Pcg64;

use super::{Choose, NodeMoves};
use crate::search::policy::Policy;
use crate::search::tree::{Closed, EndsAsked, MoveId, NodeId, SOLVED, Tree};
use crate::search::tree_search::Simulation;
use crate::search::untried::{Untried, choose_untried};

/// Where a descent ended.
pub(crate) enum Leaf {
    /// In a node whose score is known: nothing follows, or it is proven.
    Known(NodeId),
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
    /// The visits from which on nodes are to be asked about; the root is in any case if others are.
    pub(crate) asked_from: f64,
    /// Flags of moves that are not chosen where there are others.
    pub(crate) closed: u8,
}

/// What a descent works on.
pub(crate) struct Descent<'s> {
    pub(crate) tree: &'s mut Tree,
    pub(crate) simulation: &'s mut Simulation,
    pub(crate) rng: &'s mut Pcg64,
    pub(crate) untried: &'s dyn Untried,
    /// What playouts prefer, if anything.
    pub(crate) policy: Option<&'s Policy>,
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
        if tree.goals(node).is_some() || tree.is_solved(node) && node != tree.root {
            return Leaf::Known(node);
        }
        tree.open(node);
        let is_asked = visits >= reach.asked_from || node == tree.root;
        if is_asked && reach.asked_from.is_finite() && tree.asking(node) == EndsAsked::Unasked {
            simulation.unasked.push(node);
        }
        simulation.has_proofs |= tree.proof(node).is_some();
        simulation.nodes.push(node);
        let last_chooser = match reach.closed & SOLVED != 0 && tree.proof(node).is_some() {
            true => tree.last_of_several(node),
            false => None,
        };
        for role in 0..roles {
            let span = tree.span(node, role);
            let first = span.start;
            let path = &simulation.nodes;
            let own_flags;
            let closed = match last_chooser == Some(role) {
                true => {
                    let level = &simulation.chosen[simulation.chosen.len() - role..];
                    own_flags = tree.last_flags(node, level);
                    Closed::of(&own_flags, reach.closed)
                }
                false => tree.closed(node, role, reach.closed),
            };
            let before = (path.len() - 1) * roles;
            let chosen = &simulation.chosen[..before];
            let moves = NodeMoves { tree, role, span, visits, path, chosen, closed };
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
    policy: Option<&Policy>,
    rng: &mut Pcg64,
) -> usize {
    if node.span.len() == 1 {
        return 0;
    }
    let open = if node.closed.is_empty() { node.span.len() } else { node.open().count() };
    if open == 1 {
        return node.open().next().unwrap_or_default();
    }
    if C::USES_STATISTICS {
        let count = match node.closed.is_empty() {
            true => node.moves().iter().filter(|entry| entry.visits == 0.0).count(),
            false => node.untried().count(),
        };
        if count == open {
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
