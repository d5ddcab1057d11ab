//! The rules of a sheet as plain data.

use super::source::{Source, Span};
use super::symbols::{Symbol, Symbols};

/// A parsed sheet: its text, its names, its rules in file order.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The text all spans refer to.
    pub source: Source,
    /// The names all symbols refer to.
    pub symbols: Symbols,
    /// Facts and rules in the order of the text.
    pub rules: Vec<Rule>,
}

/// `head` holds if every literal of `body` does. A fact has an empty body.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// What is concluded.
    pub head: Atom,
    /// What must hold.
    pub body: Vec<Literal>,
    /// The whole rule.
    pub span: Span,
}

/// A relation applied to terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Atom {
    /// The relation's name.
    pub relation: Symbol,
    /// Its arguments.
    pub args: Vec<Term>,
    /// Where it is written.
    pub span: Span,
}

/// A condition in a rule body.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Literal {
    /// What is asked.
    pub kind: LiteralKind,
    /// Where it is written.
    pub span: Span,
}

/// The kinds of conditions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LiteralKind {
    /// The atom holds.
    Atom(Atom),
    /// The literal does not hold.
    Not(Box<Literal>),
    /// One of the literals holds.
    Or(Vec<Literal>),
    /// All of the literals hold.
    And(Vec<Literal>),
    /// The two terms differ.
    Distinct(Term, Term),
}

/// A term with its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Term {
    /// What it is.
    pub kind: TermKind,
    /// Where it is written.
    pub span: Span,
}

/// The kinds of terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TermKind {
    /// `?x`; the symbol includes the question mark.
    Variable(Symbol),
    /// A symbol, numbers included.
    Constant(Symbol),
    /// A function applied to one or more terms.
    Function(Symbol, Vec<Term>),
}

impl Term {
    /// Calls `visit` for each variable in the term, with its place.
    pub fn for_each_variable(&self, visit: &mut dyn FnMut(Symbol, Span)) {
        match &self.kind {
            TermKind::Variable(name) => visit(*name, self.span),
            TermKind::Constant(_) => {}
            TermKind::Function(_, args) => {
                for arg in args {
                    arg.for_each_variable(visit);
                }
            }
        }
    }
}

impl Atom {
    /// Calls `visit` for each variable in the arguments.
    pub fn for_each_variable(&self, visit: &mut dyn FnMut(Symbol, Span)) {
        for arg in &self.args {
            arg.for_each_variable(visit);
        }
    }
}

impl Literal {
    /// Calls `visit` for each atom in the literal, however deep, with whether it stands under an
    /// odd number of `not`s.
    pub fn for_each_atom<'a>(&'a self, negated: bool, visit: &mut dyn FnMut(&'a Atom, bool)) {
        match &self.kind {
            LiteralKind::Atom(atom) => visit(atom, negated),
            LiteralKind::Not(inner) => inner.for_each_atom(!negated, visit),
            LiteralKind::Or(parts) | LiteralKind::And(parts) => {
                for part in parts {
                    part.for_each_atom(negated, visit);
                }
            }
            LiteralKind::Distinct(..) => {}
        }
    }
}
