//! Ground terms, interned: equal terms have equal numbers.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::gdl::{MAX_DEPTH, Symbol, Symbols, Term, TermKind};

/// A ground term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);

/// The most words of a term. Terms share their parts, but their texts do not: a term that holds the
/// one before it twice is soon longer than any memory.
pub const MOST_WORDS: usize = 1 << 14;

/// The term is nested deeper than any text could be, or has too many words.
#[derive(Clone, Copy, Debug)]
pub struct TooLarge;

#[derive(Clone, Copy, Debug)]
struct TermEntry {
    name: Symbol,
    first_arg: u32,
    arity: u32,
    depth: u32,
    /// Of its text, at most [`MOST_WORDS`].
    words: u32,
}

/// All ground terms met so far.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    entries: Vec<TermEntry>,
    args: Vec<TermId>,
    lookup: HashTable<TermId>,
}

impl Terms {
    /// The term `name` applied to `args`, new or known.
    pub fn intern(&mut self, name: Symbol, args: &[TermId]) -> Result<TermId, TooLarge> {
        if let Some(known) = self.find(name, args) {
            return Ok(known);
        }
        let depth = args.iter().map(|&arg| self.entry(arg).depth + 1).max().unwrap_or(0);
        let words = 1 + args.iter().map(|&arg| self.entry(arg).words as usize).sum::<usize>();
        if depth as usize > MAX_DEPTH || words > MOST_WORDS {
            return Err(TooLarge);
        }
        let id = TermId(self.entries.len() as u32);
        let first_arg = self.args.len() as u32;
        self.entries.push(TermEntry {
            name,
            first_arg,
            arity: args.len() as u32,
            depth,
            words: words as u32,
        });
        self.args.extend_from_slice(args);
        let entries = &self.entries;
        let all = &self.args;
        self.lookup.insert_unique(hash_of(name, args), id, |&other| {
            let entry = entries[other.0 as usize];
            hash_of(entry.name, args_of(all, entry))
        });
        Ok(id)
    }

    /// The term, if it was met before.
    pub fn find(&self, name: Symbol, args: &[TermId]) -> Option<TermId> {
        self.lookup
            .find(hash_of(name, args), |&id| self.name(id) == name && self.args(id) == args)
            .copied()
    }

    /// Interns a ground term of a sheet; `None` if it has a variable, or is too large.
    pub fn intern_term(&mut self, term: &Term) -> Option<TermId> {
        match &term.kind {
            TermKind::Variable(_) => None,
            TermKind::Constant(name) => self.intern(*name, &[]).ok(),
            TermKind::Function(name, args) => {
                let args: Option<Vec<TermId>> =
                    args.iter().map(|arg| self.intern_term(arg)).collect();
                self.intern(*name, &args?).ok()
            }
        }
    }

    /// The function's name, or the constant's.
    pub fn name(&self, id: TermId) -> Symbol {
        self.entry(id).name
    }

    /// The function's arguments; none for a constant.
    pub fn args(&self, id: TermId) -> &[TermId] {
        args_of(&self.args, self.entry(id))
    }

    /// The term as text; `name` says how each symbol is written.
    pub fn text<'a>(&self, id: TermId, name: &dyn Fn(Symbol) -> &'a str) -> String {
        let mut text = String::new();
        self.write(&mut text, id, name);
        text
    }

    /// The term in lower case.
    pub fn canonical(&self, id: TermId, symbols: &Symbols) -> String {
        self.text(id, &|symbol| symbols.name(symbol))
    }

    fn write<'a>(&self, text: &mut String, id: TermId, name: &dyn Fn(Symbol) -> &'a str) {
        let args = self.args(id);
        if args.is_empty() {
            text.push_str(name(self.name(id)));
            return;
        }
        text.push('(');
        text.push_str(name(self.name(id)));
        for &arg in args {
            text.push(' ');
            self.write(text, arg, name);
        }
        text.push(')');
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The bytes that all of them take, about.
    pub fn bytes(&self) -> u64 {
        // Lists and tables have room to grow, which counts half as much again.
        const TERM: usize = (size_of::<TermEntry>() + 2 * size_of::<TermId>()) * 3 / 2;
        const ARG: usize = size_of::<TermId>() * 3 / 2;
        (self.entries.len() * TERM + self.args.len() * ARG) as u64
    }

    fn entry(&self, id: TermId) -> TermEntry {
        self.entries[id.0 as usize]
    }
}

fn args_of(all: &[TermId], entry: TermEntry) -> &[TermId] {
    let first = entry.first_arg as usize;
    &all[first..first + entry.arity as usize]
}

fn hash_of(name: Symbol, args: &[TermId]) -> u64 {
    let mut hasher = FxHasher::default();
    name.hash(&mut hasher);
    args.hash(&mut hasher);
    hasher.finish()
}
