//! Ground rules as plain data.

use std::sync::Arc;

use crate::gdl::{Source, Symbol, Symbols};
use crate::names::Names;
use crate::terms::{TermId, Terms};

/// An atom, by its index in [`GroundRules::atoms`].
pub type AtomId = u32;

/// A grounded game.
#[derive(Clone, Debug)]
pub struct GroundRules {
    /// The sheet, for places.
    pub source: Source,
    /// The names all symbols refer to.
    pub symbols: Arc<Symbols>,
    /// The terms that fluents, moves and helpers are made of.
    pub terms: Arc<Terms>,
    /// The roles in the order of declaration.
    pub roles: Vec<TermId>,
    /// Every state sentence that can ever be true, those that playouts skip included.
    pub fluents: Vec<Fluent>,
    /// For each role, every move that can ever be legal.
    pub moves: Vec<Vec<TermId>>,
    /// What each atom says.
    pub atoms: Vec<GroundAtom>,
    /// What helpers are about: see [`GroundAtom::Helper`].
    pub helpers: HelperArguments,
    /// The ground rules, grouped by head, heads ascending.
    pub rules: RuleTable,
}

impl GroundRules {
    /// What fluents and moves are called.
    pub fn names(&self) -> Names {
        let fluents = self.fluents.iter().map(|fluent| fluent.term).collect();
        let (symbols, terms) = (self.symbols.clone(), self.terms.clone());
        Names::new(symbols, terms, &self.roles, fluents, self.moves.clone())
    }
}

/// A state sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fluent {
    /// The sentence.
    pub term: TermId,
    /// Whether it is true at the start.
    pub initially: bool,
    /// How its truth is known.
    pub recipe: Recipe,
}

/// How the truth of a fluent is known in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipe {
    /// It is part of the state that playouts carry.
    Carried,
    /// It never changes. It has no rules, and no rule reads it.
    Constant(bool),
    /// It always equals another fluent, which is carried. It has no rules, and no rule reads it.
    Copy(usize),
    /// Nothing that decides the course of the game reads it. It has rules, and observed fluents
    /// may read each other; it is computed only where a state is to be shown.
    Observed,
}

/// What an atom says. Large sheets have millions of them for a while, so roles have short numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroundAtom {
    /// The fluent is true. An input: no rule has it as head.
    True(usize),
    /// The role makes the move (an index into its moves). An input too.
    Does(u32, usize),
    /// The fluent will be true.
    Next(usize),
    /// The role may make the move.
    Legal(u32, usize),
    /// The role has this goal value.
    Goal(u32, TermId),
    /// The game is over.
    Terminal,
    /// A relation of the sheet, or one that the grounder made, with its arguments.
    Helper(Symbol, Arguments),
}

const _: () = assert!(size_of::<GroundAtom>() == 16);

/// Which of the [`HelperArguments`] are those of an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Arguments {
    start: u32,
    count: u32,
}

impl Arguments {
    /// No arguments.
    pub const NONE: Arguments = Arguments { start: 0, count: 0 };
}

/// The arguments of all helpers, in one list: large sheets have millions of them for a while.
#[derive(Clone, Debug, Default)]
pub struct HelperArguments {
    terms: Vec<TermId>,
}

impl HelperArguments {
    /// Adds the arguments of a helper; `None` if there are more than can be numbered.
    pub fn add(&mut self, arguments: &[TermId]) -> Option<Arguments> {
        if arguments.is_empty() {
            return Some(Arguments::NONE);
        }
        let start = u32::try_from(self.terms.len()).ok()?;
        self.terms.extend_from_slice(arguments);
        Some(Arguments { start, count: arguments.len() as u32 })
    }

    /// The arguments of a helper.
    pub fn of(&self, arguments: Arguments) -> &[TermId] {
        &self.terms[arguments.start as usize..][..arguments.count as usize]
    }
}

/// An atom that must hold, or must not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroundLiteral(u32);

impl GroundLiteral {
    /// The atom must hold, or with `negated` must not.
    pub fn new(atom: AtomId, negated: bool) -> Self {
        GroundLiteral(atom << 1 | negated as u32)
    }

    /// The atom.
    pub fn atom(self) -> AtomId {
        self.0 >> 1
    }

    /// Whether it must not hold.
    pub fn negated(self) -> bool {
        self.0 & 1 == 1
    }
}

/// Ground rules in flat arrays.
#[derive(Clone, Debug, Default)]
pub struct RuleTable {
    /// The head of each rule.
    pub(super) heads: Vec<AtomId>,
    /// Where each rule's body ends in `literals`; it begins where the one before ends.
    pub(super) ends: Vec<u32>,
    pub(super) literals: Vec<GroundLiteral>,
    /// Where the rule of the sheet begins that each comes from.
    pub(super) origins: Vec<u32>,
}

impl RuleTable {
    /// No rule, with room for this many rules and literals.
    pub fn with_capacity(rules: usize, literals: usize) -> Self {
        RuleTable {
            heads: Vec::with_capacity(rules),
            ends: Vec::with_capacity(rules),
            literals: Vec::with_capacity(literals),
            origins: Vec::with_capacity(rules),
        }
    }

    /// Adds a rule, with the place of the rule in the sheet that it comes from, as an offset. An
    /// empty body makes the head a fact.
    pub fn push(&mut self, head: AtomId, body: &[GroundLiteral], origin: u32) {
        self.heads.push(head);
        self.literals.extend_from_slice(body);
        self.ends.push(self.literals.len() as u32);
        self.origins.push(origin);
    }

    /// Keeps the first `rules` rules and `literals` literals, and frees the rest of the room.
    pub(super) fn truncate(&mut self, rules: usize, literals: usize) {
        self.heads.truncate(rules);
        self.ends.truncate(rules);
        self.origins.truncate(rules);
        self.literals.truncate(literals);
        self.heads.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.origins.shrink_to_fit();
        self.literals.shrink_to_fit();
    }

    /// The number of rules.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The number of body literals of all rules together.
    pub fn literal_count(&self) -> usize {
        self.literals.len()
    }

    /// The head of a rule.
    pub fn head(&self, rule: usize) -> AtomId {
        self.heads[rule]
    }

    /// The body of a rule.
    pub fn body(&self, rule: usize) -> &[GroundLiteral] {
        let start = if rule == 0 { 0 } else { self.ends[rule - 1] as usize };
        &self.literals[start..self.ends[rule] as usize]
    }

    /// The bodies of consecutive rules, one after the other.
    pub fn bodies(&self, rules: std::ops::Range<usize>) -> &[GroundLiteral] {
        let end = |rule: usize| if rule == 0 { 0 } else { self.ends[rule - 1] as usize };
        &self.literals[end(rules.start)..end(rules.end)]
    }

    /// The place of the rule in the sheet that a ground rule comes from, as an offset.
    pub fn origin(&self, rule: usize) -> u32 {
        self.origins[rule]
    }

    /// Heads and bodies in order.
    pub fn iter(&self) -> impl Iterator<Item = (AtomId, &[GroundLiteral])> {
        (0..self.len()).map(|rule| (self.heads[rule], self.body(rule)))
    }
}
