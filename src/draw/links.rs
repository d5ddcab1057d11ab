//! Sentences about two cells: moves, facts, and rules by which a sentence about one cell follows
//! from the same sentence about another. Some of them tell which cells touch.

use std::collections::BTreeMap;

use propnet::gdl::Symbol;
use propnet::ground::{Atom, GroundRules};

use super::sentence::Sentence;

/// Arguments that may name two cells, all in the first list or one cell in each, by where they come
/// from.
#[derive(Clone, Debug, Default)]
pub struct Links {
    by_source: BTreeMap<String, Vec<[Vec<String>; 2]>>,
    count: usize,
}

/// Large games have millions of moves; a part of them tells enough.
const MOST: usize = 100_000;

impl Links {
    /// Adds the arguments of a sentence, or of two.
    pub(super) fn add(&mut self, source: String, args: [Vec<String>; 2]) {
        if self.count < MOST {
            self.count += 1;
            self.by_source.entry(source).or_default().push(args);
        }
    }

    /// The pairs of cells of each source; `cells` finds those that a list of arguments names.
    pub(super) fn pairs(
        &self,
        cells: impl Fn(&[String]) -> Vec<usize>,
    ) -> impl Iterator<Item = Vec<(usize, usize)>> {
        self.by_source.values().map(move |links| {
            let pair = |args: &[Vec<String>; 2]| {
                let found = [cells(&args[0]), cells(&args[1])].concat();
                if let [one, two] = found[..] { Some((one, two)) } else { None }
            };
            links.iter().filter_map(pair).collect()
        })
    }

    fn is_full(&self) -> bool {
        self.count >= MOST
    }
}

/// Adds what moves and ground rules say.
pub(super) fn add_ground_links(links: &mut Links, rules: &GroundRules) {
    let text = |term| rules.terms.canonical(term, &rules.symbols);
    for &action in rules.moves.iter().flatten() {
        let Sentence { name, args } = Sentence::read(&text(action));
        links.add(format!("move {name}"), [args, Vec::new()]);
    }
    for (head, body) in rules.rules.iter() {
        let Some((relation, about)) = subject(rules, head) else { continue };
        for literal in body.iter().filter(|literal| !literal.negated()) {
            if links.is_full() {
                return;
            }
            let Some((other, read)) = subject(rules, literal.atom()) else { continue };
            if other == relation && about != read {
                let texts = [about.as_slice(), read.as_slice()]
                    .map(|terms| terms.iter().map(|&term| text(term)).collect());
                links.add(format!("rule {}", rules.symbols.name(relation)), texts);
            }
        }
    }
}

/// The relation and the arguments of a helper, or of a fluent that is or will be true.
fn subject(rules: &GroundRules, atom: u32) -> Option<(Symbol, Vec<propnet::terms::TermId>)> {
    match rules.atoms[atom as usize] {
        Atom::Helper(relation, args) => Some((relation, rules.helpers.of(args).to_vec())),
        Atom::True(fluent) | Atom::Next(fluent) => {
            let term = rules.fluents[fluent].term;
            Some((rules.terms.name(term), rules.terms.args(term).to_vec()))
        }
        Atom::Does(..) | Atom::Legal(..) | Atom::Goal(..) | Atom::Terminal => None,
    }
}
