//! Where the inputs and answers of a game stand among its atoms.

use super::order::{ComponentId, ComponentOrder};
use crate::ground::rules::{AtomId, GroundAtom, GroundRules};
use crate::terms::TermId;

/// Atoms by what they are asked for.
pub(super) struct AtomTables {
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
pub(super) struct QuestionCones {
    pub(super) terminal: Vec<ComponentId>,
    pub(super) legal: Vec<ComponentId>,
    pub(super) goal: Vec<ComponentId>,
    pub(super) next: Vec<ComponentId>,
}

impl AtomTables {
    pub(super) fn new(ground: &GroundRules) -> Self {
        let mut tables = AtomTables {
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
                GroundAtom::True(fluent) => tables.truths.push((id, fluent)),
                GroundAtom::Does(role, action) => tables.does.push((id, role as usize, action)),
                GroundAtom::Next(fluent) => tables.next[fluent] = Some(id),
                GroundAtom::Legal(role, action) => tables.legal[role as usize].push((action, id)),
                GroundAtom::Goal(role, value) => tables.goals[role as usize].push((value, id)),
                GroundAtom::Terminal => tables.terminal = Some(id),
                GroundAtom::Helper(..) => {}
            }
        }
        tables
    }

    pub(super) fn cones(&self, order: &ComponentOrder, ground: &GroundRules) -> QuestionCones {
        QuestionCones {
            terminal: order.cone(ground, self.terminal.into_iter()),
            legal: order.cone(ground, self.legal.iter().flatten().map(|&(_, atom)| atom)),
            goal: order.cone(ground, self.goals.iter().flatten().map(|&(_, atom)| atom)),
            next: order.cone(ground, self.next.iter().copied().flatten()),
        }
    }
}
