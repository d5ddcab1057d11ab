//! Which `or` of a rule is dealt with next, and what its arms need beside them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::connectives::{BodyCondition, Node};
use crate::gdl::{Atom, Symbol};

type VariableNames = FxHashSet<Symbol>;

/// A choice taken out of a body.
pub(super) struct TakenChoice {
    pub(super) arms: Vec<Vec<Node>>,
    /// The variables of the choice that occur outside it, in the order of their occurrence.
    pub(super) shared: Vec<Symbol>,
    /// The conditions beside it that bind what some arm does not; none if the arms make sense on
    /// their own. `None` if nothing binds it for certain, as `?y` in `(or (p ?y) q) (or (r ?y) s)`:
    /// then the choice can only be expanded.
    pub(super) context: Option<Vec<Node>>,
}

/// Takes out the choice that needs the least beside it: once it is an atom, it may give the others
/// what they need. `None` if there is no choice.
pub(super) fn take_choice(head: &Atom, body: &mut Vec<Node>) -> Option<TakenChoice> {
    body.iter().position(|node| matches!(node, Node::Or(_)))?;
    let by_atoms = bound_by(body.iter().filter(|node| node.is_atom()));
    let by_all = bound_by(body.iter());
    let uses = uses(head, body);
    // How little each needs: nothing, only atoms beside it, other choices as well, or expansion.
    let mut best: Option<(usize, u8)> = None;
    for (at, node) in body.iter().enumerate() {
        let Node::Or(arms) = node else { continue };
        let open = open_variables(arms, &uses);
        let need = match () {
            () if open.is_empty() => 0,
            () if open.iter().all(|name| by_atoms.contains(name)) => 1,
            () if open.iter().all(|name| by_all.contains(name)) => 2,
            () => 3,
        };
        if best.is_none_or(|(_, least)| need < least) {
            best = Some((at, need));
        }
        if need == 0 {
            break;
        }
    }
    let (at, need) = best?;
    let Node::Or(arms) = body.remove(at) else { return None };
    let shared = shared_variables(&arms, &uses);
    let context = (need < 3).then(|| binders(open_variables(&arms, &uses), body));
    Some(TakenChoice { arms, shared, context })
}

/// In how many conditions each variable occurs, the head included.
fn uses(head: &Atom, body: &[Node]) -> FxHashMap<Symbol, usize> {
    let mut uses: FxHashMap<Symbol, usize> = FxHashMap::default();
    let mut count = |names: VariableNames| {
        for name in names {
            *uses.entry(name).or_default() += 1;
        }
    };
    let mut in_head = VariableNames::default();
    head.for_each_variable(&mut |name, _| {
        in_head.insert(name);
    });
    count(in_head);
    for node in body {
        let mut names = VariableNames::default();
        node.for_each_variable(&mut |name| {
            names.insert(name);
        });
        count(names);
    }
    uses
}

fn shared_variables(arms: &[Vec<Node>], uses: &FxHashMap<Symbol, usize>) -> Vec<Symbol> {
    let mut seen = VariableNames::default();
    let mut shared = Vec::new();
    for node in arms.iter().flatten() {
        node.for_each_variable(&mut |name| {
            if uses.get(&name).is_some_and(|&uses| uses > 1) && seen.insert(name) {
                shared.push(name);
            }
        });
    }
    shared
}

/// The variables that some arm has, or shares with the rest, and does not bind.
fn open_variables(arms: &[Vec<Node>], uses: &FxHashMap<Symbol, usize>) -> VariableNames {
    let shared = shared_variables(arms, uses);
    let mut open = VariableNames::default();
    for arm in arms {
        let bound = bound_by(arm.iter());
        open.extend(shared.iter().filter(|name| !bound.contains(*name)));
        for node in arm {
            node.for_each_variable(&mut |name| {
                if !bound.contains(&name) {
                    open.insert(name);
                }
            });
        }
    }
    open
}

/// Conditions that bind the open variables: atoms if they can, else all choices too.
fn binders(mut open: VariableNames, body: &[Node]) -> Vec<Node> {
    let mut binders = Vec::new();
    for node in body.iter().filter(|node| node.is_atom()) {
        let mut binds = false;
        node.for_each_variable(&mut |name| binds |= open.remove(&name));
        if binds {
            binders.push(node.clone());
        }
    }
    if !open.is_empty() {
        let others = |node: &&Node| node.is_atom() || matches!(node, Node::Or(_));
        return body.iter().filter(others).cloned().collect();
    }
    binders
}

fn bound_by<'a>(arm: impl Iterator<Item = &'a Node>) -> VariableNames {
    let mut bound = VariableNames::default();
    for node in arm {
        match node {
            Node::Plain(BodyCondition::Holds(atom)) => atom.for_each_variable(&mut |name, _| {
                bound.insert(name);
            }),
            Node::Plain(_) => {}
            Node::Or(arms) => {
                let mut sets = arms.iter().map(|arm| bound_by(arm.iter()));
                let first = sets.next().unwrap_or_default();
                bound.extend(sets.fold(first, |a, b| a.intersection(&b).copied().collect()));
            }
        }
    }
    bound
}

/// How many rules the expansion of all choices would give, up to the limit.
pub(super) fn expansion(arms: &[Vec<Node>], beside: &[Node]) -> usize {
    let one_arm = |arm: &Vec<Node>| expansion(&[], arm);
    let choice: usize = arms.iter().map(one_arm).fold(0, usize::saturating_add).max(1);
    beside.iter().fold(choice, |product, node| match node {
        Node::Plain(_) => product,
        Node::Or(arms) => product.saturating_mul(expansion(arms, &[])),
    })
}
