//! Random rules, safe by construction: what a `not`, a `distinct` or a head names is bound by a
//! positive literal. Columns have kinds, and kinds have finitely many terms, so whatever recursion
//! does, it ends.

use rand::seq::SliceRandom;
use rand::{Rng, RngExt};
use rand_pcg::Pcg64Mcg;

/// What can stand in a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Number,
    Letter,
    /// `(p NUMBER LETTER)`
    Pair,
    /// `(b PAIR)`
    Nested,
    /// Any of the above.
    Any,
    Role,
    Fluent,
    Move,
    /// A fluent of one family, written out.
    Family(usize),
}

/// A kind of fluents or moves: a constant, or a function.
pub(crate) struct Family {
    pub(crate) name: String,
    pub(crate) columns: Vec<Kind>,
}

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
    pub(crate) rng: Pcg64Mcg,
    pub(crate) roles: Vec<String>,
    pub(crate) fluents: Vec<Family>,
    pub(crate) moves: Vec<Family>,
    pub(crate) relations: Vec<Relation>,
}

/// The variables of a rule that are bound so far, with the kinds of columns that bind them.
#[derive(Clone, Default)]
struct Scope {
    bound: Vec<(String, Vec<Kind>)>,
    made: usize,
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
    pub(crate) fn rule(&mut self, name: &str, columns: &[Kind], level: u32) -> (String, Vec<String>) {
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
                let parts: Vec<String> =
                    (0..2 + self.below(2)).map(|_| self.arm(scope, level, depth - 1, open)).collect();
                format!("(or {})", parts.join(" "))
            }
            10 => {
                let parts = [0, 1].map(|_| self.test(scope, level, depth - 1, open));
                format!("(and {})", parts.join(" "))
            }
            11 | 12 => {
                let word = ["or", "and"][self.below(2)];
                let parts = [0, 1].map(|_| self.test(scope, level.saturating_sub(1), depth - 1, false));
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
        let named = |maker: &Self, name| readable.iter().find(|&&at| maker.relations[at].name == name);
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

    /// A term in a body. Variables of other kinds are used as well: then it never holds, or it
    /// says that a term has two kinds.
    fn body_term(&mut self, scope: &mut Scope, kind: Kind, bind: bool) -> String {
        // Whole fluents and moves are mostly written out.
        let whole = matches!(kind, Kind::Fluent | Kind::Move) && !self.once_in(4);
        if !whole && !matches!(kind, Kind::Family(_)) {
            let known: Vec<usize> = (0..scope.bound.len())
                .filter(|&at| scope.bound[at].1.iter().any(|&own| fits(own, kind) || fits(kind, own)))
                .collect();
            match self.below(12) {
                0..=5 if !known.is_empty() => {
                    let at = known[self.below(known.len())];
                    if bind {
                        scope.bound[at].1.push(kind);
                    }
                    return scope.bound[at].0.clone();
                }
                0..=8 if bind => {
                    let name = scope.new_name();
                    scope.bound.push((name.clone(), vec![kind]));
                    return name;
                }
                9 if !bind && !scope.bound.is_empty() => {
                    return scope.bound[self.below(scope.bound.len())].0.clone();
                }
                _ => {}
            }
        }
        self.shape(kind, &mut |maker, kind| maker.body_term(scope, kind, bind))
    }

    /// A variable, or something made of variables, for `distinct`.
    fn bound_term(&mut self, scope: &Scope, plain: bool) -> String {
        let Some(last) = scope.bound.len().checked_sub(1) else { return self.ground(Kind::Any) };
        let (name, kinds) = &scope.bound[self.rng.random_range(0..=last)];
        let (name, kind) = (name.clone(), kinds[0]);
        match self.below(6) {
            _ if plain => name,
            0..=3 => scope.bound[self.below(last + 1)].0.clone(),
            4 => self.ground(kind),
            _ => self.body_term(&mut scope.clone(), kind, false),
        }
    }

    /// A term of this kind and no other, from what is bound.
    fn head_term(&mut self, scope: &Scope, kind: Kind) -> String {
        let known: Vec<&String> = scope
            .bound
            .iter()
            .filter(|(_, kinds)| kinds.iter().any(|&own| fits(own, kind)))
            .map(|(name, _)| name)
            .collect();
        if !known.is_empty() && !matches!(kind, Kind::Family(_)) && !self.once_in(6) {
            return known[self.below(known.len())].clone();
        }
        self.shape(kind, &mut |maker, kind| maker.head_term(scope, kind))
    }

    /// A ground term of a kind.
    pub(crate) fn ground(&mut self, kind: Kind) -> String {
        self.shape(kind, &mut |maker, kind| maker.ground(kind))
    }

    /// A constant or function of a kind, its arguments by `inner`.
    fn shape(&mut self, kind: Kind, inner: &mut dyn FnMut(&mut Self, Kind) -> String) -> String {
        match kind {
            Kind::Number => ["0", "1", "2"][self.below(3)].into(),
            Kind::Letter => ["a", "b"][self.below(2)].into(),
            Kind::Pair => {
                format!("(p {} {})", inner(self, Kind::Number), inner(self, Kind::Letter))
            }
            Kind::Nested => format!("(b {})", inner(self, Kind::Pair)),
            Kind::Any => {
                let kinds = [Kind::Number, Kind::Letter, Kind::Pair, Kind::Nested];
                let kind = kinds[self.below(4)];
                self.shape(kind, inner)
            }
            Kind::Role => match self.once_in(12) {
                true => "nobody".into(),
                false => self.roles[self.rng.random_range(0..self.roles.len())].clone(),
            },
            Kind::Fluent => {
                let family = self.rng.random_range(0..self.fluents.len());
                self.shape(Kind::Family(family), inner)
            }
            Kind::Family(family) => {
                let Family { name, columns } = &self.fluents[family];
                let (name, columns) = (name.clone(), columns.clone());
                sentence(&name, columns.iter().map(|&kind| inner(self, kind)).collect())
            }
            Kind::Move => {
                let family = self.rng.random_range(0..self.moves.len());
                let Family { name, columns } = &self.moves[family];
                let (name, columns) = (name.clone(), columns.clone());
                sentence(&name, columns.iter().map(|&kind| inner(self, kind)).collect())
            }
        }
    }
}

impl Scope {
    fn new_name(&mut self) -> String {
        self.made += 1;
        format!("?v{}", self.made)
    }
}

/// Whether every term of one kind is one of the other.
fn fits(inner: Kind, outer: Kind) -> bool {
    let plain = matches!(inner, Kind::Number | Kind::Letter | Kind::Pair | Kind::Nested);
    inner == outer || (outer == Kind::Any && plain)
}

fn sentence(name: &str, args: Vec<String>) -> String {
    match args.is_empty() {
        true => name.to_string(),
        false => format!("({name} {})", args.join(" ")),
    }
}
