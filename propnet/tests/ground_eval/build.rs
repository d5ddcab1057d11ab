//! Ground GDL text -> GroundRules, word by word: the tests need no grounder.

use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexSet;
use propnet::gdl::{self, LiteralKind, Rules, Source, Symbol, Term, parse, word};
use propnet::ground::{
    Arguments, AtomId, Fluent, GroundAtom, GroundLiteral, GroundRules, HelperArguments, Recipe,
    RuleTable,
};
use propnet::terms::{TermId, Terms};

/// Parses a text without errors.
pub fn read(text: &str) -> Rules {
    let (rules, findings) = parse(Source::from_text("test", text));
    let shown: String = findings.iter().map(|finding| finding.render(&rules.source)).collect();
    assert!(findings.is_empty(), "{shown}");
    rules
}

/// The ground rules of a text in which every sentence is ground, `init` is given by facts, and
/// conditions are atoms, negated atoms or `distinct`.
pub fn build(text: &str) -> GroundRules {
    let rules = read(text);
    let mut builder = Builder::default();
    for rule in rules.rules.iter().filter(|rule| rule.head.relation == word::ROLE) {
        let role = builder.term(&rule.head.args[0]);
        builder.roles.insert(role);
    }
    builder.moves = vec![IndexSet::new(); builder.roles.len()];
    let mut initial = Vec::new();
    let mut ground = Vec::new();
    for rule in rules.rules.iter().filter(|rule| rule.head.relation != word::ROLE) {
        if rule.head.relation == word::INIT {
            assert!(rule.body.is_empty(), "init is given by facts");
            let term = builder.term(&rule.head.args[0]);
            initial.push(builder.fluents.insert_full(term).0);
            continue;
        }
        let head = builder.atom(&rule.head);
        if let Some(body) = builder.body(&rule.body) {
            ground.push((head, body, rule.span.start));
        }
    }
    ground.sort_by_key(|(head, ..)| *head);
    let mut table = RuleTable::default();
    for (head, body, origin) in &ground {
        table.push(*head, body, *origin);
    }
    let fluents = builder.fluents.iter().enumerate().map(|(index, &term)| Fluent {
        term,
        initially: initial.contains(&index),
        recipe: Recipe::Carried,
    });
    GroundRules {
        fluents: fluents.collect(),
        source: rules.source,
        symbols: rules.symbols.into(),
        terms: builder.terms.into(),
        roles: builder.roles.into_iter().collect(),
        moves: builder.moves.into_iter().map(|moves| moves.into_iter().collect()).collect(),
        atoms: builder.atoms.into_iter().collect(),
        helpers: builder.helpers,
        rules: table,
    }
}

/// Adds a fluent that no rule reads or concludes. Its name is a constant.
pub fn add_fluent(ground: &mut GroundRules, name: &str, initially: bool, recipe: Recipe) {
    let symbol = Arc::make_mut(&mut ground.symbols).intern(name);
    let term = Arc::make_mut(&mut ground.terms).intern(symbol, &[]).expect("a constant");
    ground.fluents.push(Fluent { term, initially, recipe });
}

/// The index of the fluent with this name.
pub fn fluent(ground: &GroundRules, name: &str) -> usize {
    let is_it = |fluent: &Fluent| ground.terms.canonical(fluent.term, &ground.symbols) == name;
    ground.fluents.iter().position(is_it).expect("a fluent of that name")
}

#[derive(Default)]
struct Builder {
    terms: Terms,
    roles: IndexSet<TermId>,
    fluents: IndexSet<TermId>,
    moves: Vec<IndexSet<TermId>>,
    atoms: IndexSet<GroundAtom>,
    helpers: HelperArguments,
    known: HashMap<(Symbol, Vec<TermId>), Arguments>,
}

impl Builder {
    fn term(&mut self, term: &Term) -> TermId {
        self.terms.intern_term(term).expect("a ground term")
    }

    fn atom(&mut self, atom: &gdl::Atom) -> AtomId {
        let args: Vec<TermId> = atom.args.iter().map(|arg| self.term(arg)).collect();
        let atom = match atom.relation {
            word::TRUE => GroundAtom::True(self.fluents.insert_full(args[0]).0),
            word::NEXT => GroundAtom::Next(self.fluents.insert_full(args[0]).0),
            word::DOES | word::LEGAL => {
                let role = self.role(args[0]);
                let action = self.moves[role].insert_full(args[1]).0;
                match atom.relation {
                    word::DOES => GroundAtom::Does(role as u32, action),
                    _ => GroundAtom::Legal(role as u32, action),
                }
            }
            word::GOAL => GroundAtom::Goal(self.role(args[0]) as u32, args[1]),
            word::TERMINAL => GroundAtom::Terminal,
            relation => {
                let known = self.known.entry((relation, args));
                let add = |key: &(Symbol, Vec<TermId>)| self.helpers.add(&key.1).expect("few");
                let arguments = *known.or_insert_with_key(add);
                GroundAtom::Helper(relation, arguments)
            }
        };
        self.atoms.insert_full(atom).0 as AtomId
    }

    fn role(&self, term: TermId) -> usize {
        self.roles.get_index_of(&term).expect("a role")
    }

    /// The conditions, without `distinct`; nothing if one is never met.
    fn body(&mut self, body: &[gdl::Literal]) -> Option<Vec<GroundLiteral>> {
        let mut literals = Vec::new();
        for literal in body {
            match &literal.kind {
                LiteralKind::Atom(atom) => {
                    literals.push(GroundLiteral::new(self.atom(atom), false))
                }
                LiteralKind::Not(inner) => match &inner.kind {
                    LiteralKind::Atom(atom) => {
                        literals.push(GroundLiteral::new(self.atom(atom), true));
                    }
                    other => panic!("not a negated atom: {other:?}"),
                },
                LiteralKind::Distinct(left, right) if left == right => return None,
                LiteralKind::Distinct(..) => {}
                other => panic!("not a plain condition: {other:?}"),
            }
        }
        Some(literals)
    }
}
