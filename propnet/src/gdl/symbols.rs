//! Interned names, with the spelling they first had.
//!
//! GDL is case-insensitive, so a symbol's identity is its lower-case form. The spelling of its
//! first occurrence is kept beside it, because a game manager compares moves by their spelling.
//! Moves are terms, so where a name also stands for a relation, or for a word of GDL itself, its
//! spelling within terms is the one that counts.

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
    /// By canonical form.
    names: IndexMap<Box<str>, Spelling, FxBuildHasher>,
}

/// How a name is written.
#[derive(Clone, Debug)]
struct Spelling {
    /// None where it is the canonical form, as most names are: sheets may have a million.
    text: Option<Box<str>>,
    /// Whether it is that of a term.
    is_of_term: bool,
}

impl Spelling {
    fn new(text: &str, canonical: &str, is_of_term: bool) -> Self {
        Spelling { text: (text != canonical).then(|| text.into()), is_of_term }
    }
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
        let spelling = Spelling::new(spelling, &canonical, false);
        let (index, _) = self.names.insert_full(canonical.as_ref().into(), spelling);
        Symbol(index as u32)
    }

    /// The same for a name that stands in a term: how it is spelled there counts more than how it
    /// is spelled as a relation.
    pub fn intern_in_term(&mut self, spelling: &str) -> Symbol {
        let symbol = self.intern(spelling);
        if let Some((canonical, known)) = self.names.get_index_mut(symbol.0 as usize)
            && !known.is_of_term
        {
            *known = Spelling::new(spelling, canonical, true);
        }
        symbol
    }

    /// The symbol for a spelling, if the sheet has it.
    pub fn get(&self, spelling: &str) -> Option<Symbol> {
        self.names.get_index_of(&*canonical(spelling)).map(|index| Symbol(index as u32))
    }

    /// The lower-case form.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.names.get_index(symbol.0 as usize).map_or("", |(name, _)| name)
    }

    /// The spelling of the first occurrence in a term; of the first one at all where it stands in
    /// none. Words of GDL that stand in no term are spelled in lower case.
    pub fn spelling(&self, symbol: Symbol) -> &str {
        self.names
            .get_index(symbol.0 as usize)
            .map_or("", |(name, spelling)| spelling.text.as_deref().unwrap_or(name))
    }

    /// A text of terms with each symbol in its spelling.
    pub fn spell(&self, text: &str) -> String {
        let mut spelled = String::with_capacity(text.len());
        for part in text.split_inclusive(['(', ')', ' ']) {
            let name = part.trim_end_matches(['(', ')', ' ']);
            spelled.push_str(self.get(name).map_or(name, |symbol| self.spelling(symbol)));
            spelled.push_str(&part[name.len()..]);
        }
        spelled
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
    fn the_spelling_in_terms_counts_most() {
        let mut symbols = Symbols::default();
        let succ = symbols.intern("SUCC");
        assert_eq!(symbols.intern("TRUE"), word::TRUE);
        assert_eq!((symbols.spelling(succ), symbols.spelling(word::TRUE)), ("SUCC", "true"));
        for spelling in ["Succ", "sUCC"] {
            assert_eq!(symbols.intern_in_term(spelling), succ);
        }
        assert_eq!(symbols.intern_in_term("TrUe"), word::TRUE);
        symbols.intern("succ");
        assert_eq!((symbols.spelling(succ), symbols.spelling(word::TRUE)), ("Succ", "TrUe"));
        assert_eq!((symbols.name(succ), symbols.name(word::TRUE)), ("succ", "true"));
        assert_eq!(symbols.spell("(succ 1 (true other))"), "(Succ 1 (TrUe other))");
    }

    #[test]
    fn words_stand_where_their_constants_say() {
        let symbols = Symbols::default();
        assert_eq!(symbols.get("Distinct"), Some(word::DISTINCT));
        assert_eq!(symbols.get("<="), Some(word::IF));
        assert_eq!(symbols.get("random"), Some(word::RANDOM));
    }
}
