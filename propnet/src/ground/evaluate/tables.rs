//! Where the inputs and answers of a game stand among its atoms.

use rustc_hash::FxHashMap;

use super::order::{ComponentId, Order};
use crate::gdl::{Symbols, Term, TermKind, parse_ground_term};
use crate::ground::rules::{Atom, AtomId, GroundRules};
use crate::terms::{TermId, Terms};

/// Atoms by what they are asked for, and terms by their index.
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
    fluents: FxHashMap<TermId, usize>,
    /// By role.
    moves: Vec<FxHashMap<TermId, usize>>,
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
        let index = |terms: &mut dyn Iterator<Item = TermId>| {
            terms.enumerate().map(|(index, term)| (term, index)).collect()
        };
        let mut tables = Tables {
            truths: Vec::new(),
            does: Vec::new(),
            next: vec![None; ground.fluents.len()],
            legal: vec![Vec::new(); ground.roles.len()],
            goals: vec![Vec::new(); ground.roles.len()],
            terminal: None,
            fluents: index(&mut ground.fluents.iter().map(|fluent| fluent.term)),
            moves: ground.moves.iter().map(|moves| index(&mut moves.iter().copied())).collect(),
        };
        for (id, atom) in ground.atoms.iter().enumerate() {
            let id = id as AtomId;
            match *atom {
                Atom::True(fluent) => tables.truths.push((id, fluent)),
                Atom::Does(role, action) => tables.does.push((id, role, action)),
                Atom::Next(fluent) => tables.next[fluent] = Some(id),
                Atom::Legal(role, action) => tables.legal[role].push((action, id)),
                Atom::Goal(role, value) => tables.goals[role].push((value, id)),
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

    /// The fluent with this text, or why there is none.
    pub(super) fn fluent(&self, text: &str, ground: &GroundRules) -> Result<usize, String> {
        let term = find(text, &ground.terms, &ground.symbols)?;
        term.and_then(|term| self.fluents.get(&term).copied())
            .ok_or_else(|| "it can never be true in this game".to_string())
    }

    /// The role's move with this text.
    pub(super) fn action(&self, role: usize, text: &str, ground: &GroundRules) -> Option<usize> {
        let term = find(text, &ground.terms, &ground.symbols).ok().flatten()?;
        self.moves[role].get(&term).copied()
    }
}

/// The known term with this text, if it is known; an error where it is no term of the sheet.
fn find(text: &str, terms: &Terms, symbols: &Symbols) -> Result<Option<TermId>, String> {
    let (term, names) = parse_ground_term(text).ok_or("it is not one ground term")?;
    find_term(&term, &names, terms, symbols)
}

fn find_term(
    term: &Term,
    names: &Symbols,
    terms: &Terms,
    symbols: &Symbols,
) -> Result<Option<TermId>, String> {
    let (name, args) = match &term.kind {
        TermKind::Variable(name) | TermKind::Constant(name) => (*name, [].as_slice()),
        TermKind::Function(name, args) => (*name, args.as_slice()),
    };
    let name = names.name(name);
    let known = symbols.get(name).ok_or_else(|| format!("the sheet has no symbol {name}"))?;
    let args: Result<Vec<_>, String> =
        args.iter().map(|arg| find_term(arg, names, terms, symbols)).collect();
    let args: Option<Vec<TermId>> = args?.into_iter().collect();
    Ok(args.and_then(|args| terms.find(known, &args)))
}
