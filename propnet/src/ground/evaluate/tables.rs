//! Where the inputs and answers of a game stand among its atoms.

use super::order::{ComponentId, Order};
use crate::ground::rules::{Atom, AtomId, GroundRules};
use crate::terms::TermId;

/// Atoms by what they are asked for.
pub(super) struct Tables {
    /// The atoms that read fluents.
    pub(super) truths: Vec<(AtomId, usize)>,
    /// The atoms that read moves: atom, role, move.
    pub(super) does: Vec<(AtomId, usize, usize)>,
    /// By fluent: the atom that says that it will be true, unless it never will by a rule.
    pub(super) next: Vec<Option<AtomId>>,
    /// By role: moves and the atoms that say that they are legal.
    pub(super) legal: Vec<Vec<(usize, AtomId)>>,
    /// By role: goal values and the atoms that say so.
    pub(super) goals: Vec<Vec<(TermId, AtomId)>>,
    /// The atom that says that the game is over.
    pub(super) terminal: Option<AtomId>,
}

/// For each question, what must be computed to answer it.
pub(super) struct Cones {
    pub(super) terminal: Vec<ComponentId>,
    pub(super) legal: Vec<ComponentId>,
    pub(super) goal: Vec<ComponentId>,
    pub(super) next: Vec<ComponentId>,
}

impl Tables {
    pub(super) fn new(ground: &GroundRules) -> Self {
        let mut tables = Tables {
            truths: Vec::new(),
            does: Vec::new(),
            next: vec![None; ground.fluents.len()],
            legal: vec![Vec::new(); ground.roles.len()],
            goals: vec![Vec::new(); ground.roles.len()],
            terminal: None,
        };
        for (id, atom) in ground.atoms.iter().enumerate() {
            let id = id as AtomId;
            match *atom {
                Atom::True(fluent) => tables.truths.push((id, fluent)),
                Atom::Does(role, action) => tables.does.push((id, role as usize, action)),
                Atom::Next(fluent) => tables.next[fluent] = Some(id),
                Atom::Legal(role, action) => tables.legal[role as usize].push((action, id)),
                Atom::Goal(role, value) => tables.goals[role as usize].push((value, id)),
                Atom::Terminal => tables.terminal = Some(id),
                Atom::Helper(..) => {}
            }
        }
        tables
    }

    pub(super) fn cones(&self, order: &Order, ground: &GroundRules) -> Cones {
        Cones {
            terminal: order.cone(ground, self.terminal.into_iter()),
            legal: order.cone(ground, self.legal.iter().flatten().map(|&(_, atom)| atom)),
            goal: order.cone(ground, self.goals.iter().flatten().map(|&(_, atom)| atom)),
            next: order.cone(ground, self.next.iter().copied().flatten()),
        }
    }
}
