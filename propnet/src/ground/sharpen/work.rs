//! The rules while they are being sharpened: normal form and the indices that passes share.
//!
//! Invariant between passes: rules are grouped by head, heads ascending; each body is sorted,
//! without repetition and without contradiction. Atom numbers never change here; atoms that fall
//! out of use are dropped at the very end. Every fluent has its two atoms and every move its two,
//! whether or not the rules mention them, so that no pass has to ask.

use super::super::rules::{
    AtomId, Fluent, GroundAtom, GroundLiteral, GroundRules, Recipe, RuleTable,
};
use super::rewrite::{Put, rewrite};
use super::unstable::unstable_atoms;

/// The caller asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("sharpening was stopped")]
pub struct Stopped;

/// Asks the caller now and then whether to go on.
pub(super) struct Ticker<'a> {
    proceed: &'a mut dyn FnMut() -> bool,
    done: usize,
}

impl<'a> Ticker<'a> {
    /// Steps between two questions; a step is about one rule or literal looked at.
    const STRIDE: usize = 10_000;

    pub(super) fn new(proceed: &'a mut dyn FnMut() -> bool) -> Self {
        Ticker { proceed, done: 0 }
    }

    /// Counts `steps` of work.
    pub(super) fn tick(&mut self, steps: usize) -> Result<(), Stopped> {
        self.done += steps;
        if self.done < Self::STRIDE {
            return Ok(());
        }
        self.done = 0;
        if (self.proceed)() { Ok(()) } else { Err(Stopped) }
    }
}

/// What passes need to know of an atom. Moves are numbered through all roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtomKind {
    True(u32),
    Does(u32),
    Next(u32),
    Legal(u32),
    /// A goal value or the end of the game.
    Verdict,
    Helper,
}

impl AtomKind {
    /// Whether rules give the atom its value, not the state or the moves.
    pub(super) fn is_derived(self) -> bool {
        !matches!(self, AtomKind::True(_) | AtomKind::Does(_))
    }
}

/// Rules being sharpened.
pub(super) struct SharpenWork {
    /// The game around the rules; its own rule table is empty meanwhile.
    pub(super) ground: GroundRules,
    pub(super) rules: RuleTable,
    /// The first rule of each atom; one more entry for the end.
    first: Vec<u32>,
    pub(super) kinds: Vec<AtomKind>,
    pub(super) true_atoms: Vec<AtomId>,
    pub(super) next_atoms: Vec<AtomId>,
    pub(super) legal_atoms: Vec<AtomId>,
    pub(super) does_atoms: Vec<AtomId>,
    /// The role of each move.
    pub(super) role_of_move: Vec<u32>,
    /// Atoms in a cycle through negation.
    pub(super) unstable: Vec<bool>,
    /// Counts how often the rules changed.
    pub(super) version: usize,
    /// Whether something may be constant that was not before: a rule turned out to be
    /// contradictory, or to be a fact. Merely writing rules in another way brings nothing new.
    pub(super) unsettled: bool,
}

impl SharpenWork {
    /// Takes the rules apart and brings them into normal form.
    pub(super) fn load(mut ground: GroundRules, ticker: &mut Ticker) -> Result<Self, Stopped> {
        let rules = std::mem::take(&mut ground.rules);
        // Rules may be sharpened twice. What is observed has rules, and is found again.
        for fluent in ground.fluents.iter_mut().filter(|f| f.recipe == Recipe::Observed) {
            fluent.recipe = Recipe::Carried;
        }
        let mut base = Vec::new();
        let mut role_of_move = Vec::new();
        for (role, moves) in ground.moves.iter().enumerate() {
            base.push(role_of_move.len());
            role_of_move.resize(role_of_move.len() + moves.len(), role as u32);
        }
        const NONE: AtomId = AtomId::MAX;
        let (fluents, moves) = (ground.fluents.len(), role_of_move.len());
        let mut true_atoms = vec![NONE; fluents];
        let mut next_atoms = vec![NONE; fluents];
        let mut legal_atoms = vec![NONE; moves];
        let mut does_atoms = vec![NONE; moves];
        let mut kinds = Vec::with_capacity(ground.atoms.len());
        for (id, atom) in ground.atoms.iter().enumerate() {
            let (kind, slot) = match *atom {
                GroundAtom::True(f) => (AtomKind::True(f as u32), Some(&mut true_atoms[f])),
                GroundAtom::Next(f) => (AtomKind::Next(f as u32), Some(&mut next_atoms[f])),
                GroundAtom::Does(role, m) => {
                    let m = base[role as usize] + m;
                    (AtomKind::Does(m as u32), Some(&mut does_atoms[m]))
                }
                GroundAtom::Legal(role, m) => {
                    let m = base[role as usize] + m;
                    (AtomKind::Legal(m as u32), Some(&mut legal_atoms[m]))
                }
                GroundAtom::Goal(..) | GroundAtom::Terminal => (AtomKind::Verdict, None),
                GroundAtom::Helper(..) => (AtomKind::Helper, None),
            };
            kinds.push(kind);
            if let Some(slot) = slot {
                *slot = id as AtomId;
            }
        }
        let atoms = &mut ground.atoms;
        let mut complete =
            |slots: &mut [AtomId], make: &dyn Fn(usize) -> (GroundAtom, AtomKind)| {
                for (index, slot) in slots.iter_mut().enumerate().filter(|(_, slot)| **slot == NONE)
                {
                    let (atom, kind) = make(index);
                    *slot = atoms.len() as AtomId;
                    atoms.push(atom);
                    kinds.push(kind);
                }
            };
        let place = |m: usize| (role_of_move[m], m - base[role_of_move[m] as usize]);
        complete(&mut true_atoms, &|f| (GroundAtom::True(f), AtomKind::True(f as u32)));
        complete(&mut next_atoms, &|f| (GroundAtom::Next(f), AtomKind::Next(f as u32)));
        complete(&mut legal_atoms, &|m| {
            let (role, index) = place(m);
            (GroundAtom::Legal(role, index), AtomKind::Legal(m as u32))
        });
        complete(&mut does_atoms, &|m| {
            let (role, index) = place(m);
            (GroundAtom::Does(role, index), AtomKind::Does(m as u32))
        });
        let mut work = SharpenWork {
            ground,
            rules: RuleTable::default(),
            first: Vec::new(),
            unstable: vec![false; kinds.len()],
            kinds,
            true_atoms,
            next_atoms,
            legal_atoms,
            does_atoms,
            role_of_move,
            version: 0,
            unsettled: true,
        };
        work.replace_rules(rules);
        rewrite(&mut work, &mut Put::nothing(), ticker)?;
        work.unstable = unstable_atoms(&work, ticker)?;
        Ok(work)
    }

    /// The number of atoms.
    pub(super) fn atom_count(&self) -> usize {
        self.kinds.len()
    }

    /// The rules of an atom.
    pub(super) fn rules_of(&self, atom: AtomId) -> std::ops::Range<usize> {
        self.first[atom as usize] as usize..self.first[atom as usize + 1] as usize
    }

    /// The bodies of all rules of an atom, one after the other.
    pub(super) fn bodies_of(&self, atom: AtomId) -> &[GroundLiteral] {
        self.rules.bodies(self.rules_of(atom))
    }

    /// Rules and literals together.
    pub(super) fn size(&self) -> usize {
        self.rules.len() + self.rules.literal_count()
    }

    /// The fluents.
    pub(super) fn fluents(&self) -> &[Fluent] {
        &self.ground.fluents
    }

    /// Whether rules must say what becomes of the fluent.
    pub(super) fn is_carried(&self, fluent: u32) -> bool {
        self.ground.fluents[fluent as usize].recipe == Recipe::Carried
    }

    /// Takes new rules, and groups them by head if they are not.
    pub(super) fn replace_rules(&mut self, rules: RuleTable) {
        self.version += 1;
        self.rules = grouped(rules, self.atom_count());
        self.first.clear();
        self.first.resize(self.atom_count() + 1, 0);
        for rule in 0..self.rules.len() {
            self.first[self.rules.head(rule) as usize + 1] += 1;
        }
        accumulate(&mut self.first);
    }
}

/// Orders rules by head; among equal heads the order stays.
pub(super) fn grouped(rules: RuleTable, atoms: usize) -> RuleTable {
    if (1..rules.len()).all(|rule| rules.head(rule - 1) <= rules.head(rule)) {
        return rules;
    }
    let mut place = vec![0; atoms + 1];
    for rule in 0..rules.len() {
        place[rules.head(rule) as usize + 1] += 1;
    }
    accumulate(&mut place);
    let mut order = vec![0; rules.len()];
    for rule in 0..rules.len() {
        let slot = &mut place[rules.head(rule) as usize];
        order[*slot as usize] = rule;
        *slot += 1;
    }
    let mut sorted = RuleTable::with_capacity(rules.len(), rules.literal_count());
    for rule in order {
        sorted.push(rules.head(rule), rules.body(rule), rules.origin(rule));
    }
    sorted
}

/// The rules in whose bodies each literal stands.
pub(super) struct Occurrences {
    first: Vec<u32>,
    rules: Vec<u32>,
}

impl Occurrences {
    pub(super) fn of(work: &SharpenWork) -> Self {
        let mut first = vec![0; 2 * work.atom_count() + 2];
        for literal in work.rules.bodies(0..work.rules.len()) {
            first[code(*literal) + 2] += 1;
        }
        accumulate(&mut first);
        // Shifted by one: while filling, `first[code + 1]` is where the next entry goes, and in
        // the end it is where the entries of `code` end.
        let mut rules = vec![0; work.rules.literal_count()];
        for (rule, (_, body)) in work.rules.iter().enumerate() {
            for &literal in body {
                let slot = &mut first[code(literal) + 1];
                rules[*slot as usize] = rule as u32;
                *slot += 1;
            }
        }
        Occurrences { first, rules }
    }

    /// Whether any body mentions the atom.
    pub(super) fn is_read(&self, atom: AtomId) -> bool {
        self.first[2 * atom as usize] < self.first[2 * atom as usize + 2]
    }

    /// The rules with this literal, by its code.
    pub(super) fn of_code(&self, code: usize) -> &[u32] {
        &self.rules[self.first[code] as usize..self.first[code + 1] as usize]
    }
}

/// The literal as an index: even for the atom, odd for its negation.
pub(super) fn code(literal: GroundLiteral) -> usize {
    (literal.atom() as usize) << 1 | literal.negated() as usize
}

/// The literal that holds exactly if this one does not.
pub(super) fn complement(literal: GroundLiteral) -> GroundLiteral {
    GroundLiteral::new(literal.atom(), !literal.negated())
}

/// Turns counts into running sums.
fn accumulate(counts: &mut [u32]) {
    let mut sum = 0;
    for count in counts {
        sum += *count;
        *count = sum;
    }
}
