//! What gates were made for: sentences of helper relations, and lines of the sheet.
//!
//! Labels are for people who look at a circuit. They are recorded only where the caller asks for
//! them, so an ordinary build keeps none, and no stage computes with them.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::network::Signal;
use crate::gdl::Symbol;
use crate::ground::{AtomId, GroundAtom, GroundRules, atom_text};

/// A mark on a signal of a circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The signal; never a constant.
    pub signal: Signal,
    /// What is known of it.
    pub mark: Mark,
}

/// What is known of a signal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It is true where this sentence of a helper relation holds; in lower case.
    Sentence(String),
    /// A rule in this line of the sheet led to it.
    Line(usize),
}

/// The labels on a new network, where the old signals are elsewhere or gone.
pub(super) fn moved(labels: &[Label], place: impl Fn(Signal) -> Signal) -> Vec<Label> {
    let moved = labels.iter().map(|label| (place(label.signal), &label.mark));
    let kept = moved.filter(|(signal, _)| signal.node() != Signal::FALSE.node());
    kept.map(|(signal, mark)| Label { signal, mark: mark.clone() }).collect()
}

/// Records labels while a circuit is built.
pub(super) struct Labeller<'a> {
    rules: &'a GroundRules,
    /// The sheet in lower case.
    sheet: String,
    /// Whether the sheet has the name of a relation. The grounder invents relations too.
    is_written: FxHashMap<Symbol, bool>,
    labels: Vec<Label>,
}

impl<'a> Labeller<'a> {
    pub(super) fn new(rules: &'a GroundRules) -> Self {
        let sheet = rules.source.text().to_lowercase();
        Labeller { rules, sheet, is_written: FxHashMap::default(), labels: Vec::new() }
    }

    /// The signal says that the body of a rule holds. A body of one condition makes no gate.
    pub(super) fn body(&mut self, rule: usize, signal: Signal) {
        if self.rules.rules.body(rule).len() > 1 {
            self.line(rule, signal);
        }
    }

    fn line(&mut self, rule: usize, signal: Signal) {
        let line = self.rules.source.place(self.rules.rules.origin(rule)).line;
        self.add(signal, Mark::Line(line));
    }

    /// The signal says that an atom with these rules holds.
    pub(super) fn atom(&mut self, atom: AtomId, rules: Range<usize>, signal: Signal) {
        if let GroundAtom::Helper(relation, _) = self.rules.atoms[atom as usize]
            && self.is_written(relation)
        {
            let text = atom_text(self.rules, atom, &|symbol| self.rules.symbols.name(symbol));
            self.add(signal, Mark::Sentence(text));
        }
        match rules.len() {
            1 => self.body(rules.start, signal),
            _ => rules.for_each(|rule| self.line(rule, signal)),
        }
    }

    pub(super) fn finish(self) -> Vec<Label> {
        self.labels
    }

    fn add(&mut self, signal: Signal, mark: Mark) {
        if signal.node() != Signal::FALSE.node() {
            self.labels.push(Label { signal, mark });
        }
    }

    fn is_written(&mut self, relation: Symbol) -> bool {
        let name = self.rules.symbols.name(relation);
        let sheet = &self.sheet;
        *self.is_written.entry(relation).or_insert_with(|| sheet.contains(name))
    }
}
