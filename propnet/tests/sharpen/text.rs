//! Ground rules from ground GDL and back.

use std::collections::HashMap;

use indexmap::IndexSet;
use propnet::gdl::{self, LiteralKind, Source, Symbol, parse, word};
use propnet::ground::{
    Arguments, Fluent, GroundAtom, GroundLiteral, GroundRules, HelperArguments, Recipe, RuleTable,
};
use propnet::terms::{TermId, Terms};

/// Reads ground GDL without `or`, `and` and `distinct`.
pub(crate) fn ground(text: &str) -> GroundRules {
    let (rules, findings) = parse(Source::from_text("s", text));
    assert!(findings.is_empty(), "{:?}", findings.first().map(|f| f.render(&rules.source)));
    let mut reader = Reader::default();
    for rule in rules.rules.iter().filter(|rule| rule.head.relation == word::ROLE) {
        let role = reader.terms.intern_term(&rule.head.args[0]).expect("ground");
        reader.roles.push(role);
        reader.moves.push(IndexSet::new());
    }
    let mut table = Vec::new();
    for rule in &rules.rules {
        if rule.head.relation == word::ROLE {
            continue;
        }
        if rule.head.relation == word::INIT {
            let term = reader.terms.intern_term(&rule.head.args[0]).expect("ground");
            reader.initial.insert(term);
            reader.fluents.insert(term);
            continue;
        }
        let head = reader.atom(&rule.head);
        let body: Vec<GroundLiteral> = rule
            .body
            .iter()
            .map(|literal| match &literal.kind {
                LiteralKind::Atom(atom) => GroundLiteral::new(reader.atom(atom), false),
                LiteralKind::Not(inner) => match &inner.kind {
                    LiteralKind::Atom(atom) => GroundLiteral::new(reader.atom(atom), true),
                    other => panic!("{other:?}"),
                },
                other => panic!("{other:?}"),
            })
            .collect();
        table.push((head, body, rule.span.start));
    }
    table.sort_by_key(|&(head, ..)| head);
    let mut grounded = RuleTable::default();
    table.iter().for_each(|(head, body, origin)| grounded.push(*head, body, *origin));
    let initial = &reader.initial;
    let fluent = |&term: &TermId| Fluent {
        term,
        initially: initial.contains(&term),
        recipe: Recipe::Carried,
    };
    GroundRules {
        source: rules.source,
        symbols: rules.symbols.into(),
        fluents: reader.fluents.iter().map(fluent).collect(),
        terms: reader.terms.into(),
        roles: reader.roles,
        moves: reader.moves.into_iter().map(|moves| moves.into_iter().collect()).collect(),
        atoms: reader.atoms.into_iter().collect(),
        helpers: reader.helpers,
        rules: grounded,
    }
}

#[derive(Default)]
struct Reader {
    terms: Terms,
    roles: Vec<TermId>,
    fluents: IndexSet<TermId>,
    initial: IndexSet<TermId>,
    moves: Vec<IndexSet<TermId>>,
    atoms: IndexSet<GroundAtom>,
    helpers: HelperArguments,
    known: HashMap<(Symbol, Vec<TermId>), Arguments>,
}

impl Reader {
    fn atom(&mut self, atom: &gdl::Atom) -> u32 {
        let args: Vec<TermId> =
            atom.args.iter().map(|arg| self.terms.intern_term(arg).expect("ground")).collect();
        let role = |roles: &[TermId]| {
            roles.iter().position(|&role| role == args[0]).expect("a role that is declared")
        };
        let atom = match atom.relation {
            word::TRUE => GroundAtom::True(self.fluents.insert_full(args[0]).0),
            word::NEXT => GroundAtom::Next(self.fluents.insert_full(args[0]).0),
            word::DOES | word::LEGAL => {
                let role = role(&self.roles);
                let index = self.moves[role].insert_full(args[1]).0;
                match atom.relation {
                    word::DOES => GroundAtom::Does(role as u32, index),
                    _ => GroundAtom::Legal(role as u32, index),
                }
            }
            word::GOAL => GroundAtom::Goal(role(&self.roles) as u32, args[1]),
            word::TERMINAL => GroundAtom::Terminal,
            relation => {
                let known = self.known.entry((relation, args));
                let add = |key: &(Symbol, Vec<TermId>)| self.helpers.add(&key.1).expect("few");
                GroundAtom::Helper(relation, *known.or_insert_with_key(add))
            }
        };
        self.atoms.insert_full(atom).0 as u32
    }
}

/// A rule a line; then each fluent that is not carried, with its recipe.
pub(crate) fn print(ground: &GroundRules) -> String {
    let mut lines = Vec::new();
    for (head, body) in ground.rules.iter() {
        let mut line = atom_text(ground, &ground.atoms[head as usize]);
        if !body.is_empty() {
            line = format!("(<= {line}");
            for literal in body {
                let atom = atom_text(ground, &ground.atoms[literal.atom() as usize]);
                line +=
                    &if literal.negated() { format!(" (not {atom})") } else { format!(" {atom}") };
            }
            line.push(')');
        }
        lines.push(line);
    }
    let term = |id: TermId| ground.terms.canonical(id, &ground.symbols);
    for fluent in &ground.fluents {
        let recipe = match fluent.recipe {
            Recipe::Carried => continue,
            Recipe::Constant(value) => value.to_string(),
            Recipe::Copy(other) => term(ground.fluents[other].term),
            Recipe::Observed => "observed".into(),
        };
        lines.push(format!("{}: {recipe}", term(fluent.term)));
    }
    lines.join("\n")
}

fn atom_text(ground: &GroundRules, atom: &GroundAtom) -> String {
    let term = |id: TermId| ground.terms.canonical(id, &ground.symbols);
    let fluent = |f: usize| term(ground.fluents[f].term);
    let role = |r: u32| term(ground.roles[r as usize]);
    let made = |r: u32, m: usize| format!("{} {}", role(r), term(ground.moves[r as usize][m]));
    match atom {
        GroundAtom::True(f) => format!("(true {})", fluent(*f)),
        GroundAtom::Next(f) => format!("(next {})", fluent(*f)),
        GroundAtom::Does(r, m) => format!("(does {})", made(*r, *m)),
        GroundAtom::Legal(r, m) => format!("(legal {})", made(*r, *m)),
        GroundAtom::Goal(r, v) => format!("(goal {} {})", role(*r), term(*v)),
        GroundAtom::Terminal => "terminal".into(),
        GroundAtom::Helper(name, Arguments::NONE) => ground.symbols.name(*name).into(),
        GroundAtom::Helper(name, args) => {
            let args: Vec<String> = ground.helpers.of(*args).iter().map(|&arg| term(arg)).collect();
            format!("({} {})", ground.symbols.name(*name), args.join(" "))
        }
    }
}
