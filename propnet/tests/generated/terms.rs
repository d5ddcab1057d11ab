//! Random terms of a kind, with or without variables.

use rand::RngExt;

use super::rules::Maker;

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

/// The variables of a rule that are bound so far, with the kinds of columns that bind them.
#[derive(Clone, Default)]
pub(crate) struct Scope {
    pub(crate) bound: Vec<(String, Vec<Kind>)>,
    pub(crate) made: usize,
}

impl Maker {
    /// A term in a body. Variables of other kinds are used as well: then it never holds, or it
    /// says that a term has two kinds.
    pub(crate) fn body_term(&mut self, scope: &mut Scope, kind: Kind, bind: bool) -> String {
        // Whole fluents and moves are mostly written out.
        let whole = matches!(kind, Kind::Fluent | Kind::Move) && !self.once_in(4);
        if !whole && !matches!(kind, Kind::Family(_)) {
            let known: Vec<usize> = (0..scope.bound.len())
                .filter(|&at| {
                    scope.bound[at].1.iter().any(|&own| fits(own, kind) || fits(kind, own))
                })
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
    pub(crate) fn bound_term(&mut self, scope: &Scope, plain: bool) -> String {
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
    pub(crate) fn head_term(&mut self, scope: &Scope, kind: Kind) -> String {
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
    pub(crate) fn new_name(&mut self) -> String {
        self.made += 1;
        format!("?v{}", self.made)
    }
}

/// Whether every term of one kind is one of the other.
pub(crate) fn fits(inner: Kind, outer: Kind) -> bool {
    let plain = matches!(inner, Kind::Number | Kind::Letter | Kind::Pair | Kind::Nested);
    inner == outer || (outer == Kind::Any && plain)
}

pub(crate) fn sentence(name: &str, args: Vec<String>) -> String {
    match args.is_empty() {
        true => name.to_string(),
        false => format!("({name} {})", args.join(" ")),
    }
}
