//! Rule instances -> GroundRules: predicates and rows become atoms with names.

use rustc_hash::FxHashMap;

use super::engine::{Engine, is_kept};
use super::limits::Watch;
use super::program::PredicateId;
use super::relation::Relation;
use super::rules::{Atom, AtomId, Fluent, GroundLiteral, GroundRules, Recipe, RuleTable};
use crate::gdl::{Span, word};
use crate::terms::TermId;

/// No atom: the sentence says what someone does who is no role.
const NO_ATOM: AtomId = AtomId::MAX;

impl<'a> Engine<'a> {
    /// The ground rules of everything kept, and the watch, whose work goes on.
    pub(super) fn emit(mut self) -> (GroundRules, &'a mut dyn Watch) {
        let roles = self.roles();
        let mut names = Names::new(&mut self, &roles);
        let rules = names.rules(&mut self);
        let Names { fluents, moves, atoms, .. } = names;
        let ground = GroundRules {
            source: self.source.clone(),
            symbols: self.symbols,
            terms: self.terms,
            roles,
            fluents,
            moves,
            atoms,
            rules,
        };
        (ground, self.watch)
    }

    /// The roles in the order of their facts.
    fn roles(&self) -> Vec<TermId> {
        let mut roles = Vec::new();
        for predicate in self.predicates_of(word::ROLE) {
            let relation = &self.relations[predicate];
            roles.extend((0..relation.len()).map(|row| relation.row(row)[0]));
        }
        roles
    }
}

/// What predicates and rows are called.
struct Names {
    fluents: Vec<Fluent>,
    moves: Vec<Vec<TermId>>,
    atoms: Vec<Atom>,
    /// For each predicate the atoms of its rows.
    atoms_of: Vec<Vec<AtomId>>,
    /// Sentences that the sheet states to be true in every state.
    certain: Vec<Vec<bool>>,
}

impl Names {
    fn new(engine: &mut Engine<'_>, roles: &[TermId]) -> Self {
        let count = engine.program.predicates.len();
        let role_of: FxHashMap<TermId, usize> =
            roles.iter().enumerate().map(|(at, &role)| (role, at)).collect();
        let mut names = Names {
            fluents: Vec::new(),
            moves: vec![Vec::new(); roles.len()],
            atoms: Vec::new(),
            atoms_of: vec![Vec::new(); count],
            certain: vec![Vec::new(); count],
        };
        let mut fluent_of: FxHashMap<TermId, usize> = FxHashMap::default();
        let mut move_of: FxHashMap<(usize, TermId), usize> = FxHashMap::default();
        // Inputs first: they say which fluents and moves there are.
        let inputs = |relation| relation == word::TRUE || relation == word::DOES;
        let predicates = (0..count).filter(|&at| inputs(engine.program.key(at).relation));
        let others = (0..count).filter(|&at| !inputs(engine.program.key(at).relation));
        for predicate in predicates.chain(others).collect::<Vec<_>>() {
            if engine.known[predicate] || engine.program.guards.contains(&predicate) {
                continue;
            }
            let key = engine.program.key(predicate);
            let init = engine.program.same_columns(predicate, word::INIT);
            for row in 0..engine.relations[predicate].len() {
                let values = engine.relations[predicate].row(row).to_vec();
                let atom = match (key.relation, key.arity, key.functor.is_some()) {
                    (word::TRUE, 1, _) | (word::TRUE, _, true) => {
                        let term = whole(engine, predicate, &values);
                        let initially =
                            init.is_some_and(|init| engine.relations[init].find(&values).is_some());
                        let new = Fluent { term, initially, recipe: Recipe::Carried };
                        fluent_of.insert(term, names.fluents.len());
                        names.fluents.push(new);
                        Some(Atom::True(names.fluents.len() - 1))
                    }
                    (word::NEXT, 1, _) | (word::NEXT, _, true) => {
                        let term = whole(engine, predicate, &values);
                        fluent_of.get(&term).map(|&fluent| Atom::Next(fluent))
                    }
                    (word::DOES, 2, _) | (word::DOES, _, true) => {
                        let term = whole(engine, predicate, &values[1..]);
                        role_of.get(&values[0]).map(|&role| {
                            move_of.insert((role, term), names.moves[role].len());
                            names.moves[role].push(term);
                            Atom::Does(role, names.moves[role].len() - 1)
                        })
                    }
                    // What is legal for no role, or a goal of none, no one asks; but rules may.
                    (word::LEGAL, 2, _) | (word::LEGAL, _, true) => {
                        let term = whole(engine, predicate, &values[1..]);
                        let role = role_of.get(&values[0]).copied();
                        let known = role.and_then(|role| Some((role, *move_of.get(&(role, term))?)));
                        Some(match known {
                            Some((role, at)) => Atom::Legal(role, at),
                            None => Atom::Helper(word::LEGAL, [values[0], term].into()),
                        })
                    }
                    (word::GOAL, 2, _) => Some(match role_of.get(&values[0]) {
                        Some(&role) => Atom::Goal(role, values[1]),
                        None => Atom::Helper(word::GOAL, values.into()),
                    }),
                    (word::TERMINAL, 0, _) => Some(Atom::Terminal),
                    _ => Some(Atom::Helper(key.relation, values.into())),
                };
                let id = match atom {
                    Some(atom) => {
                        names.atoms.push(atom);
                        names.atoms.len() as AtomId - 1
                    }
                    None => NO_ATOM,
                };
                names.atoms_of[predicate].push(id);
            }
        }
        names.add_constant_fluents(engine);
        names
    }

    /// Fluents that were read as static are part of every state.
    fn add_constant_fluents(&mut self, engine: &mut Engine<'_>) {
        for predicate in engine.program.constant_fluents.clone() {
            for row in 0..engine.relations[predicate].len() {
                let values = engine.relations[predicate].row(row).to_vec();
                let term = whole(engine, predicate, &values);
                let recipe = Recipe::Constant(true);
                self.fluents.push(Fluent { term, initially: true, recipe });
            }
        }
    }

    fn rules(&mut self, engine: &mut Engine<'_>) -> RuleTable {
        self.find_certain(engine);
        let mut found = Found::default();
        for (rule, flat) in engine.program.rules.iter().enumerate() {
            if engine.program.key(flat.head.predicate).relation == word::TRUE {
                continue; // certain: left out wherever it is asked
            }
            let positive: Vec<PredicateId> = flat
                .positive
                .iter()
                .filter(|atom| is_kept(atom, &engine.known, &engine.program))
                .map(|atom| atom.predicate)
                .collect();
            let negative: Vec<(PredicateId, usize)> = flat
                .negative
                .iter()
                .filter(|atom| is_kept(atom, &engine.known, &engine.program))
                .map(|atom| (atom.predicate, atom.args.len()))
                .collect();
            let columns: usize = negative.iter().map(|(_, columns)| columns).sum();
            // Each buffer is given up as it is read, so that memory does not double.
            let instances = std::mem::take(&mut engine.instances[rule].data);
            for instance in instances.chunks_exact(1 + positive.len() + columns) {
                let head = self.atoms_of[flat.head.predicate][instance[0] as usize];
                let start = found.literals.len();
                let body = Body { positive: &positive, negative: &negative };
                if head != NO_ATOM
                    && self.body(&engine.relations, body, &instance[1..], &mut found.literals)
                {
                    found.heads.push(head);
                    found.starts.push(start as u32);
                    found.rules.push(rule as u32);
                } else {
                    found.literals.truncate(start);
                }
            }
        }
        found.starts.push(found.literals.len() as u32);
        let origins: Vec<Span> = engine.program.rules.iter().map(|flat| flat.origin).collect();
        found.by_head(self.atoms.len(), &origins)
    }

    /// Adds the body of an instance; false if it can never hold.
    fn body(
        &self,
        relations: &[Relation],
        body: Body<'_>,
        instance: &[u32],
        literals: &mut Vec<GroundLiteral>,
    ) -> bool {
        let (rows, mut columns) = instance.split_at(body.positive.len());
        for (&predicate, &row) in body.positive.iter().zip(rows) {
            if self.is_certain(predicate, row) {
                continue;
            }
            match self.atoms_of[predicate][row as usize] {
                NO_ATOM => return false,
                atom => literals.push(GroundLiteral::new(atom, false)),
            }
        }
        for &(predicate, arity) in body.negative {
            let (values, rest) = columns.split_at(arity);
            columns = rest;
            let values: Vec<TermId> = values.iter().map(|&value| TermId(value)).collect();
            let Some(row) = relations[predicate].find(&values) else { continue };
            if self.is_certain(predicate, row) {
                return false;
            }
            match self.atoms_of[predicate][row as usize] {
                NO_ATOM => {}
                atom => literals.push(GroundLiteral::new(atom, true)),
            }
        }
        true
    }

    /// `(true f)` as a fact of the sheet.
    fn find_certain(&mut self, engine: &Engine<'_>) {
        for (rule, flat) in engine.program.rules.iter().enumerate() {
            if engine.program.key(flat.head.predicate).relation != word::TRUE {
                continue;
            }
            let certain = &mut self.certain[flat.head.predicate];
            certain.resize(engine.relations[flat.head.predicate].len() as usize, false);
            for &row in &engine.instances[rule].data {
                certain[row as usize] = true;
            }
        }
    }

    fn is_certain(&self, predicate: PredicateId, row: u32) -> bool {
        self.certain[predicate].get(row as usize).copied().unwrap_or(false)
    }
}

/// Ground rules in the order in which they were found.
#[derive(Default)]
struct Found {
    heads: Vec<AtomId>,
    /// Where each body starts in `literals`; it ends where the next starts.
    starts: Vec<u32>,
    literals: Vec<GroundLiteral>,
    /// The rule of the program each is an instance of.
    rules: Vec<u32>,
}

impl Found {
    /// The rules grouped by head, those of one head as they were found: a counting sort.
    fn by_head(self, atoms: usize, origins: &[Span]) -> RuleTable {
        let mut place = vec![0u32; atoms + 1];
        for &head in &self.heads {
            place[head as usize + 1] += 1;
        }
        for head in 0..atoms {
            place[head + 1] += place[head];
        }
        let mut order = vec![0u32; self.heads.len()];
        for (rule, &head) in self.heads.iter().enumerate() {
            order[place[head as usize] as usize] = rule as u32;
            place[head as usize] += 1;
        }
        let mut table = RuleTable::with_capacity(self.heads.len(), self.literals.len());
        for rule in order.into_iter().map(|rule| rule as usize) {
            let body = self.starts[rule] as usize..self.starts[rule + 1] as usize;
            table.push(self.heads[rule], &self.literals[body], origins[self.rules[rule] as usize]);
        }
        table
    }
}

/// The predicates of an instance's conditions, negative ones with their columns.
#[derive(Clone, Copy)]
struct Body<'a> {
    positive: &'a [PredicateId],
    negative: &'a [(PredicateId, usize)],
}

/// The whole fluent or move that columns stand for.
fn whole(engine: &mut Engine<'_>, predicate: PredicateId, columns: &[TermId]) -> TermId {
    match engine.program.key(predicate).functor {
        None => columns[0],
        // Parts of existing terms or heads of rules, whose depth the parser limits.
        Some((name, _)) => engine.terms.intern(name, columns).unwrap_or(columns[0]),
    }
}
