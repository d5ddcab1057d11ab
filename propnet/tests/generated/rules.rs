//! Random rules, safe by construction: what a `not`, a `distinct` or a head names is bound by a
//! positive literal. Columns have kinds, and kinds have finitely many terms, so whatever recursion
//! does, it ends.

use rand::RngExt;
use rand::seq::SliceRandom;

use super::choices::Choices;
use super::terms::{Family, Kind, Scope, fits, sentence};

/// A relation that rules may read. Those of one level may depend on each other; only those of
/// lower levels may be negated.
pub(crate) struct Relation {
    pub(crate) name: String,
    pub(crate) columns: Vec<Kind>,
    pub(crate) level: u32,
}

/// Levels of the words; relations that read the state stand above `TRUE`, and so on.
pub(crate) const INIT: u32 = 5;
pub(crate) const TRUE: u32 = 10;
pub(crate) const LEGAL: u32 = 20;
pub(crate) const TERMINAL: u32 = 21;
pub(crate) const GOAL: u32 = 22;
pub(crate) const DOES: u32 = 30;
pub(crate) const NEXT: u32 = 500;

pub(crate) struct Maker {
    pub(crate) rng: Choices,
    pub(crate) roles: Vec<String>,
    pub(crate) fluents: Vec<Family>,
    pub(crate) moves: Vec<Family>,
    pub(crate) relations: Vec<Relation>,
    /// Whether the sheet is to have much recursion.
    pub(crate) is_recursive: bool,
}

impl Maker {
    /// True once in so many times.
    pub(crate) fn once_in(&mut self, times: u32) -> bool {
        self.rng.random_range(0..times) == 0
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.rng.random_range(0..count)
    }

    /// A rule whose head has these columns and whose body reads up to this level.
    pub(crate) fn rule(
        &mut self,
        name: &str,
        columns: &[Kind],
        level: u32,
    ) -> (String, Vec<String>) {
        let mut scope = Scope::default();
        let mut body = Vec::new();
        for _ in 0..1 + self.below(3) {
            body.push(self.binder(&mut scope, level, 2));
        }
        for _ in 0..[0, 0, 1, 1, 2, 3][self.below(6)] {
            body.push(self.test(&scope, level, 2, true));
        }
        body.shuffle(&mut self.rng);
        let args = columns.iter().map(|&kind| self.head_term(&scope, kind)).collect();
        (sentence(name, args), body)
    }

    /// A sentence without variables.
    pub(crate) fn fact(&mut self, name: &str, columns: &[Kind]) -> String {
        let args = columns.iter().map(|&kind| self.ground(kind)).collect();
        sentence(name, args)
    }

    /// A positive literal, which may bind new variables.
    fn binder(&mut self, scope: &mut Scope, level: u32, depth: usize) -> String {
        match self.below(20) {
            0 if depth > 0 => {
                let parts = [0, 1].map(|_| self.binder(scope, level, depth - 1));
                format!("(and {})", parts.join(" "))
            }
            1 if depth > 0 => {
                let parts = [0, 1].map(|_| self.binder(scope, level.saturating_sub(1), depth - 1));
                format!("(not (or (not {}) (not {})))", parts[0], parts[1])
            }
            2 => format!("(not (not {}))", self.atom(scope, level, true)),
            3 | 4 => self.binding_or(scope, level),
            _ => self.atom(scope, level, true),
        }
    }

    /// Each arm binds the same new variable.
    fn binding_or(&mut self, scope: &mut Scope, level: u32) -> String {
        let name = scope.new_name();
        let wanted = self.relations_to(level);
        let relation = wanted[self.below(wanted.len())];
        if self.relations[relation].columns.is_empty() {
            return self.atom(scope, level, true);
        }
        let column = self.below(self.relations[relation].columns.len());
        let kind = self.relations[relation].columns[column];
        if matches!(kind, Kind::Family(_)) {
            return self.atom(scope, level, true);
        }
        let fitting: Vec<(usize, usize)> = wanted
            .iter()
            .flat_map(|&at| self.relations[at].columns.iter().enumerate().map(move |c| (at, c)))
            .filter(|(_, (_, other))| fits(**other, kind))
            .map(|(at, (column, _))| (at, column))
            .collect();
        let arms = 2 + self.below(2);
        let mut text = Vec::new();
        for _ in 0..arms {
            let (relation, column) = fitting[self.below(fitting.len())];
            let mut inner = scope.clone();
            let mut arm = self.atom_of(&mut inner, relation, true, Some((column, &name)));
            inner.bound.push((name.clone(), vec![kind]));
            if self.once_in(4) {
                arm = format!("(and {arm} {})", self.test(&inner, level, 1, true));
            }
            scope.made = inner.made;
            text.push(arm);
        }
        scope.bound.push((name, vec![kind]));
        format!("(or {})", text.join(" "))
    }

    /// A literal that binds nothing outside of it. Where it is `open`, not under `not`, it may
    /// have variables of its own.
    fn test(&mut self, scope: &Scope, level: u32, depth: usize, open: bool) -> String {
        let mut inner = scope.clone();
        match self.below(if depth > 0 { 14 } else { 7 }) {
            0..=2 => {
                let (left, right) = (self.bound_term(scope, true), self.bound_term(scope, false));
                format!("(distinct {left} {right})")
            }
            3..=5 => format!("(not {})", self.atom(&mut inner, level.saturating_sub(1), false)),
            6 => self.atom(&mut inner, level, false),
            7..=9 => {
                let parts: Vec<String> = (0..2 + self.below(2))
                    .map(|_| self.arm(scope, level, depth - 1, open))
                    .collect();
                format!("(or {})", parts.join(" "))
            }
            10 => {
                let parts = [0, 1].map(|_| self.test(scope, level, depth - 1, open));
                format!("(and {})", parts.join(" "))
            }
            11 | 12 => {
                let word = ["or", "and"][self.below(2)];
                let parts =
                    [0, 1].map(|_| self.test(scope, level.saturating_sub(1), depth - 1, false));
                format!("(not ({word} {}))", parts.join(" "))
            }
            _ => format!("(not {})", self.test(scope, level.saturating_sub(1), depth - 1, false)),
        }
    }

    /// An arm of an `or`.
    fn arm(&mut self, scope: &Scope, level: u32, depth: usize, open: bool) -> String {
        let mut inner = scope.clone();
        match self.below(3) {
            0 => self.test(scope, level, depth, open),
            1 => self.atom(&mut inner, level, open),
            _ => {
                let atom = self.atom(&mut inner, level, open);
                format!("(and {atom} {})", self.test(&inner, level, depth, open))
            }
        }
    }

    fn relations_to(&self, level: u32) -> Vec<usize> {
        (0..self.relations.len()).filter(|&at| self.relations[at].level <= level).collect()
    }

    /// An atom of a relation up to the level; only with `bind` it may have new variables.
    fn atom(&mut self, scope: &mut Scope, level: u32, bind: bool) -> String {
        let readable = self.relations_to(level);
        let named =
            |maker: &Self, name| readable.iter().find(|&&at| maker.relations[at].name == name);
        let chosen = match self.below(10) {
            0..=2 => named(self, "true").copied(),
            3 | 4 => named(self, "does").copied(),
            // Those of its own level, for recursion.
            5 | 6 => {
                let own = |&&at: &&usize| self.relations[at].level == level;
                let own: Vec<usize> = readable.iter().filter(own).copied().collect();
                (!own.is_empty()).then(|| own[self.below(own.len())])
            }
            _ => None,
        };
        let chosen = match chosen {
            Some(chosen) => chosen,
            None => readable[self.below(readable.len())],
        };
        self.atom_of(scope, chosen, bind, None)
    }

    fn atom_of(
        &mut self,
        scope: &mut Scope,
        relation: usize,
        bind: bool,
        given: Option<(usize, &str)>,
    ) -> String {
        let (name, columns) =
            (self.relations[relation].name.clone(), self.relations[relation].columns.clone());
        let mut args = Vec::new();
        for (column, &kind) in columns.iter().enumerate() {
            args.push(match given {
                Some((at, variable)) if at == column => variable.to_string(),
                _ => self.body_term(scope, kind, bind),
            });
        }
        sentence(&name, args)
    }
}
