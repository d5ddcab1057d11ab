//! Rule instances -> GroundRules: predicates and rows become atoms with names.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::engine::{Engine, is_kept};
use super::grouping::{Grouping, HeadRoom};
use super::instances::Instances;
use super::limits::{GroundError, Watch};
use super::pace::relation_of;
use super::program::{FlatAtom, FlatRule, PredicateId};
use super::relation::Relation;
use super::rules::{
    Arguments, AtomId, Fluent, GroundAtom, GroundLiteral, GroundRules, HelperArguments, Recipe,
};
use crate::gdl::word;
use crate::terms::TermId;

/// No atom: the sentence says what someone does who is no role.
const NO_ATOM: AtomId = AtomId::MAX;

/// The watch is asked once in this number of rows or instances.
const WATCH_EVERY: u64 = 1 << 14;

impl<'a> Engine<'a> {
    /// The ground rules of everything kept, and the watch, whose work goes on.
    pub(super) fn emit(mut self) -> Result<(GroundRules, &'a mut dyn Watch), GroundError> {
        let roles = self.roles();
        self.relations.iter_mut().for_each(Relation::drop_indexes);
        (self.plans, self.assumed) = Default::default();
        let mut names = RowNames::new(&mut self, &roles)?;
        let rules = names.rules(&mut self)?;
        // Only rows are needed from here on.
        self.relations.iter_mut().for_each(Relation::drop_search);
        self.instances = Instances::new(0);
        let rules = rules.finish();
        names.name_helpers(&mut self)?;
        let RowNames { fluents, moves, atoms, helpers, .. } = names;
        let ground = GroundRules {
            source: self.rules.source.clone(),
            symbols: self.symbols.into(),
            terms: self.terms.into(),
            roles,
            fluents,
            moves,
            atoms,
            helpers,
            rules,
        };
        Ok((ground, self.watch))
    }

    /// Asks the watch now and then.
    fn emit_step(&mut self, steps: &mut u64) -> Result<(), GroundError> {
        *steps += 1;
        match steps.is_multiple_of(WATCH_EVERY) && !self.watch.proceed() {
            true => Err(GroundError::Stopped { growth: self.growth() }),
            false => Ok(()),
        }
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
struct RowNames {
    fluents: Vec<Fluent>,
    moves: Vec<Vec<TermId>>,
    atoms: Vec<GroundAtom>,
    helpers: HelperArguments,
    /// For each predicate the atoms of its rows.
    atoms_of: Vec<Vec<AtomId>>,
    /// Sentences that the sheet states to be true in every state.
    certain: Vec<Vec<bool>>,
}

impl RowNames {
    fn new(engine: &mut Engine<'_>, roles: &[TermId]) -> Result<Self, GroundError> {
        let count = engine.program.predicates.len();
        let role_of: FxHashMap<TermId, usize> =
            roles.iter().enumerate().map(|(at, &role)| (role, at)).collect();
        let mut names = RowNames {
            fluents: Vec::new(),
            moves: vec![Vec::new(); roles.len()],
            atoms: Vec::new(),
            helpers: HelperArguments::default(),
            atoms_of: vec![Vec::new(); count],
            certain: vec![Vec::new(); count],
        };
        let mut steps = 0;
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
            names.atoms_of[predicate].reserve_exact(engine.relations[predicate].len() as usize);
            for row in 0..engine.relations[predicate].len() {
                engine.emit_step(&mut steps)?;
                let values = engine.relations[predicate].row(row).to_vec();
                let atom = match (key.relation, key.arity, key.functor.is_some()) {
                    (word::TRUE, 1, _) | (word::TRUE, _, true) => {
                        let term = whole(engine, predicate, &values)?;
                        let initially =
                            init.is_some_and(|init| engine.relations[init].find(&values).is_some());
                        let new = Fluent { term, initially, recipe: Recipe::Carried };
                        fluent_of.insert(term, names.fluents.len());
                        names.fluents.push(new);
                        Some(GroundAtom::True(names.fluents.len() - 1))
                    }
                    (word::NEXT, 1, _) | (word::NEXT, _, true) => {
                        let term = whole(engine, predicate, &values)?;
                        fluent_of.get(&term).map(|&fluent| GroundAtom::Next(fluent))
                    }
                    (word::DOES, 2, _) | (word::DOES, _, true) => {
                        let term = whole(engine, predicate, &values[1..])?;
                        role_of.get(&values[0]).map(|&role| {
                            move_of.insert((role, term), names.moves[role].len());
                            names.moves[role].push(term);
                            GroundAtom::Does(role as u32, names.moves[role].len() - 1)
                        })
                    }
                    // What is legal for no role, or a goal of none, no one asks; but rules may.
                    (word::LEGAL, 2, _) | (word::LEGAL, _, true) => {
                        let term = whole(engine, predicate, &values[1..])?;
                        let role = role_of.get(&values[0]).copied();
                        let known =
                            role.and_then(|role| Some((role, *move_of.get(&(role, term))?)));
                        Some(match known {
                            Some((role, at)) => GroundAtom::Legal(role as u32, at),
                            None => {
                                let added = names.helpers.add(&[values[0], term]);
                                let arguments =
                                    added.ok_or_else(|| too_many(engine, "arguments"))?;
                                GroundAtom::Helper(word::LEGAL, arguments)
                            }
                        })
                    }
                    (word::GOAL, 2, _) => Some(match role_of.get(&values[0]) {
                        Some(&role) => GroundAtom::Goal(role as u32, values[1]),
                        None => GroundAtom::Helper(word::GOAL, Arguments::NONE),
                    }),
                    (word::TERMINAL, 0, _) => Some(GroundAtom::Terminal),
                    _ => Some(GroundAtom::Helper(key.relation, Arguments::NONE)),
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
        names.add_constant_fluents(engine)?;
        Ok(names)
    }

    /// Gives helpers their arguments. There are many of them, so this waits until the memory of
    /// instances is free again.
    fn name_helpers(&mut self, engine: &mut Engine<'_>) -> Result<(), GroundError> {
        for (predicate, atoms) in self.atoms_of.iter().enumerate() {
            let relation = std::mem::take(&mut engine.relations[predicate]);
            for (row, &atom) in atoms.iter().enumerate().filter(|(_, atom)| **atom != NO_ATOM) {
                if let GroundAtom::Helper(_, arguments @ Arguments::NONE) =
                    &mut self.atoms[atom as usize]
                {
                    let added = self.helpers.add(relation.row(row as u32));
                    *arguments = added.ok_or_else(|| too_many(engine, "arguments"))?;
                }
            }
        }
        Ok(())
    }

    /// Fluents that were read as static are part of every state.
    fn add_constant_fluents(&mut self, engine: &mut Engine<'_>) -> Result<(), GroundError> {
        for predicate in engine.program.constant_fluents.clone() {
            for row in 0..engine.relations[predicate].len() {
                let values = engine.relations[predicate].row(row).to_vec();
                let term = whole(engine, predicate, &values)?;
                let recipe = Recipe::Constant(true);
                self.fluents.push(Fluent { term, initially: true, recipe });
            }
        }
        Ok(())
    }

    /// The rules of all instances, each in its place.
    fn rules(&mut self, engine: &mut Engine<'_>) -> Result<Grouping, GroundError> {
        let runs = engine.instances.by_rule();
        self.find_certain(engine, &runs);
        let shapes = Shape::by_rule(engine, &runs);
        let rooms = self.rooms(engine, &shapes);
        let mut grouping = Grouping::new(rooms).ok_or_else(|| too_many(engine, "literals"))?;
        let (mut steps, mut literals) = (0, Vec::new());
        for (shape, runs) in &shapes {
            for start in runs.iter().flat_map(|(_, run)| run.clone().step_by(shape.numbers)) {
                engine.emit_step(&mut steps)?;
                let instance = engine.instances.numbers(&(start..start + shape.numbers));
                let head = self.atoms_of[shape.head][instance[0] as usize];
                literals.clear();
                if head != NO_ATOM && self.body(engine, shape, &instance[1..], &mut literals) {
                    grouping.put(head, &literals, shape.origin);
                }
            }
        }
        Ok(grouping)
    }

    /// How many rules each atom may have, and literals in them.
    fn rooms(&self, engine: &Engine<'_>, shapes: &[(Shape, &[InstanceRun])]) -> Vec<HeadRoom> {
        let mut rooms = vec![HeadRoom::default(); self.atoms.len()];
        for (shape, runs) in shapes {
            let literals = (shape.positive.len() + shape.negative.len()) as u32;
            let numbers = runs.iter().map(|(_, run)| engine.instances.numbers(run));
            for instance in numbers.flat_map(|numbers| numbers.chunks_exact(shape.numbers)) {
                let head = self.atoms_of[shape.head][instance[0] as usize];
                if head != NO_ATOM {
                    let room = &mut rooms[head as usize];
                    room.rules += 1;
                    room.literals = room.literals.saturating_add(literals);
                }
            }
        }
        rooms
    }

    /// Adds the body of an instance; false if it can never hold.
    fn body(
        &self,
        engine: &Engine<'_>,
        shape: &Shape,
        instance: &[u32],
        literals: &mut Vec<GroundLiteral>,
    ) -> bool {
        let (rows, mut columns) = instance.split_at(shape.positive.len());
        for (&predicate, &row) in shape.positive.iter().zip(rows) {
            if self.is_certain(predicate, row) {
                continue;
            }
            match self.atoms_of[predicate][row as usize] {
                NO_ATOM => return false,
                atom => literals.push(GroundLiteral::new(atom, false)),
            }
        }
        for &(predicate, arity) in &shape.negative {
            let (values, rest) = columns.split_at(arity);
            columns = rest;
            let values: Vec<TermId> = values.iter().map(|&value| TermId(value)).collect();
            let Some(row) = engine.relations[predicate].find(&values) else { continue };
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
    fn find_certain(&mut self, engine: &Engine<'_>, runs: &[InstanceRun]) {
        for (rule, run) in runs {
            let head = engine.program.rules[*rule].head.predicate;
            if engine.program.key(head).relation != word::TRUE {
                continue;
            }
            let certain = &mut self.certain[head];
            certain.resize(engine.relations[head].len() as usize, false);
            for &row in engine.instances.numbers(run) {
                certain[row as usize] = true;
            }
        }
    }

    fn is_certain(&self, predicate: PredicateId, row: u32) -> bool {
        self.certain[predicate].get(row as usize).copied().unwrap_or(false)
    }
}

/// A rule, and a stretch of its instances.
type InstanceRun = (usize, Range<usize>);

/// What the numbers of a rule's instances mean.
struct Shape {
    head: PredicateId,
    positive: Vec<PredicateId>,
    /// With the number of their columns.
    negative: Vec<(PredicateId, usize)>,
    /// How many numbers an instance has.
    numbers: usize,
    /// Where the rule stands in the sheet.
    origin: u32,
}

impl Shape {
    /// The shapes of all rules with their instances. Not of those which state that a fluent is true
    /// in every state: what is certain is left out wherever it is asked.
    fn by_rule<'r>(
        engine: &Engine<'_>,
        runs: &'r [InstanceRun],
    ) -> Vec<(Shape, &'r [InstanceRun])> {
        let is_certain = |rule: usize| {
            let head = engine.program.rules[rule].head.predicate;
            engine.program.key(head).relation == word::TRUE
        };
        let by_rule = runs.chunk_by(|(rule, _), (next, _)| rule == next);
        let asked = by_rule.filter(|runs| !is_certain(runs[0].0));
        asked.map(|runs| (Shape::of(engine, runs[0].0), runs)).collect()
    }

    fn of(engine: &Engine<'_>, rule: usize) -> Self {
        let flat = &engine.program.rules[rule];
        let is_kept = |atom: &&FlatAtom| is_kept(atom, &engine.known, &engine.program);
        let positive = flat.positive.iter().filter(is_kept).map(|atom| atom.predicate);
        let positive: Vec<PredicateId> = positive.collect();
        let negative = flat.negative.iter().filter(is_kept);
        let negative: Vec<(PredicateId, usize)> =
            negative.map(|atom| (atom.predicate, atom.args.len())).collect();
        let columns: usize = negative.iter().map(|(_, columns)| columns).sum();
        Shape {
            head: flat.head.predicate,
            numbers: 1 + positive.len() + columns,
            positive,
            negative,
            origin: flat.origin.start,
        }
    }
}

/// There are more of something than numbers of 32 bits.
fn too_many(engine: &Engine<'_>, what: &'static str) -> GroundError {
    GroundError::Limit { what, limit: u32::MAX.into(), growth: engine.growth() }
}

/// The whole fluent or move that columns stand for.
fn whole(
    engine: &mut Engine<'_>,
    predicate: PredicateId,
    columns: &[TermId],
) -> Result<TermId, GroundError> {
    let Some((name, _)) = engine.program.key(predicate).functor else { return Ok(columns[0]) };
    engine.terms.intern(name, columns).map_err(|_| {
        // Its parts are as large as terms can be.
        let sources = [word::NEXT, word::INIT, word::LEGAL];
        let of = |relation| engine.program.same_columns(predicate, relation);
        let concludes =
            |flat: &&FlatRule| sources.iter().any(|&s| of(s) == Some(flat.head.predicate));
        let origin = engine.program.rules.iter().find(concludes).map(|flat| flat.origin);
        let origin = origin.unwrap_or_default();
        GroundError::TermTooLarge {
            relation: relation_of(engine.rules, origin),
            place: engine.rules.source.place(origin.start),
        }
    })
}
