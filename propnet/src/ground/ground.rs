//! The whole way from rules to ground rules.

use super::engine::Engine;
use super::fixpoint::init_is_static;
use super::limits::{GroundError, Limits, Stage, StageSizes, Watch};
use super::normalize::normalize;
use super::program::{PredicateId, PredicateKey, Program};
use super::rules::GroundRules;
use super::split::split;
use crate::gdl::{Rules, word};
use crate::terms::Terms;

/// What may be switched off for experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Split rule bodies before instantiating them.
    pub split: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { split: true }
    }
}

/// Grounds rules that [`crate::reference::load`] accepted.
pub fn ground(
    rules: &Rules,
    options: &Options,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Result<GroundRules, GroundError> {
    let mut symbols = rules.symbols.clone();
    let mut terms = Terms::default();
    let mut program = normalize(rules, &mut symbols, &mut terms);
    watch.finished(Stage::Normalize, rules_only(&program));
    if options.split {
        split(&mut program, &mut symbols);
    }
    watch.finished(Stage::Split, rules_only(&program));
    add_inputs(&mut program);
    let initial = match init_is_static(&program) {
        true => None,
        false => {
            let (program, terms, symbols) = (program.clone(), terms.clone(), symbols.clone());
            let mut engine = Engine::new(program, terms, symbols, &rules.source, limits, watch);
            let rows = engine.initial_rows()?;
            Some((rows, engine.terms))
        }
    };
    if let Some((_, grown)) = &initial {
        terms = grown.clone();
        program.rules.retain(|rule| {
            let key = program.predicates.get_index(rule.head.predicate);
            key.is_none_or(|(key, ())| key.relation != word::INIT)
        });
    }
    let mut engine = Engine::new(program, terms, symbols, &rules.source, limits, watch);
    if let Some((rows, _)) = initial {
        for (predicate, row) in rows {
            engine.insert(predicate, &row);
        }
    }
    let rules = engine.statics()?;
    let sizes = engine.sizes();
    engine.watch.finished(Stage::Statics, sizes);
    engine.start();
    engine.least_fixpoint(&rules)?;
    let sizes = engine.sizes();
    engine.watch.finished(Stage::Fixpoint, sizes);
    Ok(engine.emit())
}

fn rules_only(program: &Program) -> StageSizes {
    StageSizes { rules: program.rules.len() as u64, ..StageSizes::default() }
}

/// What can be next or initial can be true, and what is legal can be done, whether or not a rule
/// reads it.
fn add_inputs(program: &mut Program) {
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
fn is_constant(program: &Program, predicate: PredicateId) -> bool {
    let init = program.same_columns(predicate, word::INIT);
    init.is_some_and(|init| program.constant_fluents.contains(&init))
}

impl Engine<'_> {
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

    fn sizes(&self) -> StageSizes {
        let kept = self.instances.iter();
        StageSizes {
            rules: self.program.rules.len() as u64,
            facts: self.facts,
            ground_rules: self.kept,
            literals: kept.map(|instances| instances.data.len() as u64).sum::<u64>() - self.kept,
            bytes: self.bytes(),
        }
    }
}
