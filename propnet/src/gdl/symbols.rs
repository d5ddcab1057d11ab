//! Interned names, with the spelling they first had.
//!
//! GDL is case-insensitive, so a symbol's identity is its lower-case form. The spelling of its
//! first occurrence is kept beside it, because a game manager compares moves by their spelling.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// An interned name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

/// The names that GDL itself gives a meaning. They stand first in every symbol table.
pub mod word {
    use super::Symbol;

    macro_rules! words {
        ($($name:ident = $index:literal $text:literal $doc:literal;)*) => {
            $(#[doc = $doc] pub const $name: Symbol = Symbol($index);)*
            pub(super) const ALL: &[&str] = &[$($text),*];
        };
    }

    /// Whether the symbol has a meaning of its own.
    pub fn is_word(symbol: Symbol) -> bool {
        (symbol.0 as usize) < ALL.len()
    }

    words! {
        ROLE = 0 "role" "`(role r)`";
        INIT = 1 "init" "`(init f)`";
        TRUE = 2 "true" "`(true f)`";
        DOES = 3 "does" "`(does r m)`";
        LEGAL = 4 "legal" "`(legal r m)`";
        NEXT = 5 "next" "`(next f)`";
        TERMINAL = 6 "terminal" "`terminal`";
        GOAL = 7 "goal" "`(goal r v)`";
        BASE = 8 "base" "`(base f)`";
        INPUT = 9 "input" "`(input r m)`";
        NOT = 10 "not" "`(not l)`";
        OR = 11 "or" "`(or l ...)`";
        AND = 12 "and" "`(and l ...)`";
        DISTINCT = 13 "distinct" "`(distinct a b)`";
        IF = 14 "<=" "`(<= head body...)`";
        SEES = 15 "sees" "`(sees r p)`, of GDL-II";
        RANDOM = 16 "random" "the role that GDL-II gives a meaning";
    }
}

/// The table of symbols of one sheet.
#[derive(Clone, Debug)]
pub struct Symbols {
    /// Canonical form to first spelling.
    names: IndexMap<Box<str>, Box<str>, FxBuildHasher>,
}

impl Default for Symbols {
    fn default() -> Self {
        let mut symbols = Symbols { names: IndexMap::default() };
        for text in word::ALL {
            symbols.intern(text);
        }
        symbols
    }
}

impl Symbols {
    /// The symbol for a spelling, new or known.
    pub fn intern(&mut self, spelling: &str) -> Symbol {
        let canonical = canonical(spelling);
        if let Some(index) = self.names.get_index_of(&*canonical) {
            return Symbol(index as u32);
        }
        let (index, _) = self.names.insert_full(canonical.as_ref().into(), spelling.into());
        Symbol(index as u32)
    }

    /// The symbol for a spelling, if the sheet has it.
    pub fn get(&self, spelling: &str) -> Option<Symbol> {
        self.names.get_index_of(&*canonical(spelling)).map(|index| Symbol(index as u32))
    }

    /// The lower-case form.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.names.get_index(symbol.0 as usize).map_or("", |(name, _)| name)
    }

    /// The spelling of the first occurrence.
    pub fn spelling(&self, symbol: Symbol) -> &str {
        self.names.get_index(symbol.0 as usize).map_or("", |(_, spelling)| spelling)
    }

    /// Number of symbols.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Never true: the words of the language are always there.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

fn canonical(spelling: &str) -> std::borrow::Cow<'_, str> {
    if spelling.bytes().any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii()) {
        spelling.to_lowercase().into()
    } else {
        spelling.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_does_not_matter_but_the_first_spelling_stays() {
        let mut symbols = Symbols::default();
        let first = symbols.intern("xPlayer");
        assert_eq!(symbols.intern("XPLAYER"), first);
        assert_eq!(symbols.name(first), "xplayer");
        assert_eq!(symbols.spelling(first), "xPlayer");
    }

    #[test]
    fn words_stand_where_their_constants_say() {
        let symbols = Symbols::default();
        assert_eq!(symbols.get("Distinct"), Some(word::DISTINCT));
        assert_eq!(symbols.get("<="), Some(word::IF));
        assert_eq!(symbols.get("random"), Some(word::RANDOM));
    }
}
