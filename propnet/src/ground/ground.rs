//! The whole way from rules to ground rules.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::demand::on_demand;
use super::engine::{Engine, Stop};
use super::fixpoint::init_is_static;
use super::limits::{GroundError, Limits, Stage, StageSizes, Watch};
use super::normalize::{keep_relevant, normalize};
use super::pace::Pace;
use super::program::{PredicateId, PredicateKey, RuleProgram};
use super::rules::GroundRules;
use super::sharpen::{SharpenReport, Stopped, sharpen};
use super::split::split;
use super::unfold::unfold;
use crate::gdl::{Rules, Span, word};
use crate::terms::Terms;

/// What may be switched off or changed for experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Split rule bodies before instantiating them.
    pub split: bool,
    /// Instantiate wide helpers only for the arguments that are asked for.
    pub demand: bool,
    /// Remove what is known from the ground rules.
    pub sharpen: bool,
    /// A rule of a helper may have this many instances before the helper is put on demand. Below,
    /// asking first costs more than it saves.
    pub wide: u64,
    /// The same for relations that depend on neither state nor moves: their facts are cheaper than
    /// ground rules.
    pub wide_static: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { split: true, demand: true, sharpen: true, wide: 200_000, wide_static: 3_000_000 }
    }
}

/// Ground rules, and what it took to get them.
#[derive(Clone, Debug)]
pub struct Grounding {
    /// The ground rules.
    pub rules: GroundRules,
    /// The rules of the sheet by their number of instances before sharpening, heaviest first.
    pub weights: Vec<RuleWeight>,
    /// What sharpening removed; `None` where it was switched off.
    pub sharpened: Option<SharpenReport>,
}

/// How many instances a rule of the sheet has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleWeight {
    /// Where the rule stands.
    pub span: Span,
    /// The relation it concludes.
    pub relation: String,
    /// Its instances, those of the parts it was split into included.
    pub instances: u64,
}

/// Grounds rules that [`crate::reference::load`] accepted.
pub fn ground(
    rules: &Rules,
    options: &Options,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Result<Grounding, GroundError> {
    let mut symbols = rules.symbols.clone();
    let mut terms = Terms::default();
    let mut pace = Pace::new(rules, limits, watch);
    let mut program = normalize(rules, &mut symbols, &mut terms, &mut pace)?;
    watch.finished(Stage::Normalize, rules_only(&program));
    if options.split {
        if unfold(&mut program, &mut Pace::new(rules, limits, watch))? {
            keep_relevant(&mut program);
        }
        split(&mut program, &mut symbols, &mut Pace::new(rules, limits, watch))?;
    }
    watch.finished(Stage::Split, rules_only(&program));
    add_inputs(&mut program);
    let mut wide = BTreeSet::new();
    let mut seen = Vec::new();
    loop {
        let (program, symbols) = match wide.is_empty() {
            true => (program.clone(), symbols.clone()),
            false => {
                let mut symbols = symbols.clone();
                let pace = &mut Pace::new(rules, limits, watch);
                // Used up here: the next attempt needs the room.
                let seen = std::mem::take(&mut seen);
                (on_demand(&program, &wide, seen, &mut symbols, pace)?, symbols)
            }
        };
        let mut engine = Engine::new(program, terms.clone(), symbols, rules, limits, watch);
        match instantiate(&mut engine, options) {
            Ok(()) => return finish(engine, rules, options),
            Err(Stop::Error(error)) => return Err(error),
            Err(Stop::Wide(predicates)) => wide.extend(predicates),
        }
        seen = engine.relations;
    }
}

/// Computes all rows and instances of a program.
fn instantiate(engine: &mut Engine<'_>, options: &Options) -> Result<(), Stop> {
    if !init_is_static(&engine.program) {
        engine.take_initial_state()?;
    }
    if options.demand {
        engine.wide_at = options.wide_static;
    }
    let rules = engine.statics()?;
    let sizes = engine.sizes();
    engine.watch.finished(Stage::Statics, sizes);
    engine.start();
    if options.demand {
        engine.wide_at = options.wide;
    }
    engine.least_fixpoint(&rules)?;
    let sizes = engine.sizes();
    engine.watch.finished(Stage::Fixpoint, sizes);
    Ok(())
}

/// Instances to ground rules, and these sharpened.
fn finish(engine: Engine<'_>, rules: &Rules, options: &Options) -> Result<Grounding, GroundError> {
    let weights = engine.weights(rules);
    let growth = engine.growth();
    let (ground, watch) = engine.emit()?;
    watch.finished(Stage::Emit, sizes_of(&ground));
    if !options.sharpen {
        return Ok(Grounding { rules: ground, weights, sharpened: None });
    }
    let sharpened = sharpen(ground, &mut || watch.proceed());
    let (ground, report) = sharpened.map_err(|Stopped| GroundError::Stopped { growth })?;
    watch.finished(Stage::Sharpen, sizes_of(&ground));
    Ok(Grounding { rules: ground, weights, sharpened: Some(report) })
}

fn sizes_of(ground: &GroundRules) -> StageSizes {
    let literals = ground.rules.literal_count() as u64;
    StageSizes {
        rules: 0,
        facts: ground.atoms.len() as u64,
        ground_rules: ground.rules.len() as u64,
        literals,
        bytes: ground.rules.len() as u64 * 16 + literals * 4 + ground.atoms.len() as u64 * 32,
    }
}

fn rules_only(program: &RuleProgram) -> StageSizes {
    StageSizes { rules: program.rules.len() as u64, ..StageSizes::default() }
}

/// What can be next or initial can be true, and what is legal can be done, whether or not a rule
/// reads it.
fn add_inputs(program: &mut RuleProgram) {
    for predicate in 0..program.predicates.len() {
        let key = program.key(predicate);
        let input = match key.relation {
            word::NEXT | word::INIT if key.functor.is_some() || key.arity == 1 => word::TRUE,
            word::LEGAL if key.functor.is_some() || key.arity == 2 => word::DOES,
            _ => continue,
        };
        if !is_constant(program, predicate) {
            program.predicate(PredicateKey { relation: input, ..key });
        }
    }
}

/// Whether the fluents of a predicate were read as static.
fn is_constant(program: &RuleProgram, predicate: PredicateId) -> bool {
    let init = program.same_columns(predicate, word::INIT);
    init.is_some_and(|init| program.constant_fluents.contains(&init))
}

impl Engine<'_> {
    /// Where the initial state depends on relations that depend on the state, it is computed
    /// beforehand, in an empty state.
    fn take_initial_state(&mut self) -> Result<(), Stop> {
        let (program, symbols) = (self.program.clone(), self.symbols.clone());
        let (terms, limits) = (self.terms.clone(), self.limits);
        let mut first = Engine::new(program, terms, symbols, self.rules, limits, self.watch);
        let rows = first.initial_rows()?;
        self.terms = first.terms;
        let Engine { program, .. } = self;
        let keys: Vec<PredicateKey> = program.predicates.keys().copied().collect();
        program.rules.retain(|rule| keys[rule.head.predicate].relation != word::INIT);
        for (predicate, row) in rows {
            self.insert(predicate, &row);
        }
        Ok(())
    }

    /// Makes the initial state true, and lets what is next or legal be true or done.
    fn start(&mut self) {
        self.keep = true;
        for (source, input) in
            [(word::INIT, word::TRUE), (word::NEXT, word::TRUE), (word::LEGAL, word::DOES)]
        {
            for predicate in self.predicates_of(source) {
                if is_constant(&self.program, predicate) {
                    continue;
                }
                self.feeds[predicate] = self.program.same_columns(predicate, input);
            }
        }
        for predicate in self.predicates_of(word::INIT) {
            let Some(truth) = self.feeds[predicate] else { continue };
            for row in 0..self.relations[predicate].len() {
                let values = self.relations[predicate].row(row).to_vec();
                self.insert(truth, &values);
            }
        }
    }

    /// The rules of the sheet by their instances, heaviest first.
    fn weights(&self, rules: &Rules) -> Vec<RuleWeight> {
        let mut instances: FxHashMap<u32, u64> = FxHashMap::default();
        for (rule, flat) in self.program.rules.iter().enumerate() {
            if self.instances.has_kept(rule) {
                *instances.entry(flat.origin.start).or_default() += self.instances.count(rule);
            }
        }
        let mut weights: Vec<RuleWeight> = rules
            .rules
            .iter()
            .filter_map(|rule| {
                let instances = instances.remove(&rule.span.start)?;
                let relation = rules.symbols.name(rule.head.relation).to_string();
                Some(RuleWeight { span: rule.span, relation, instances })
            })
            .collect();
        weights.sort_by_key(|weight| (std::cmp::Reverse(weight.instances), weight.span.start));
        weights
    }

    fn sizes(&self) -> StageSizes {
        StageSizes {
            rules: self.program.rules.len() as u64,
            facts: self.facts,
            ground_rules: self.kept,
            literals: self.instances.len() as u64 - self.kept,
            bytes: self.bytes(),
        }
    }
}
