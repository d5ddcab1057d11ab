//! A scheme: names of parts, joined by `+`, that fit together.

use std::fmt;

use serde::{Serialize, Serializer};

use super::parameter::Values;
use super::part::{Part, PartInfo};
use super::presets::{AUTO, AUTO_BASE, PRESETS};
use crate::search::decision::{DECISIONS, MOST_VISITED, MakeDecision};
use crate::search::evaluation::{EVALUATIONS, MakeEvaluation};
use crate::search::expansion::{EXPANSIONS, Expansion};
use crate::search::policy::{MakeValues, POLICIES};
use crate::search::selection::{ADJUSTMENTS, MakeAdjustment, MakeSelection, SELECTIONS};
use crate::search::solver::{MakeSolver, SOLVERS};
use crate::search::strategies::{MakeStrategies, STRATEGIES};
use crate::search::untried::{MakeUntried, UNTRIED};

/// A choice of parts. The first of a kind is used where none is chosen, except that playouts choose
/// at random without a policy.
#[derive(Clone)]
pub struct Scheme {
    name: String,
    selection: Option<&'static Part<MakeSelection>>,
    /// One of each kind at most, in the order in which they adjust.
    pub(super) adjustments: Vec<&'static Part<MakeAdjustment>>,
    untried: Option<&'static Part<MakeUntried>>,
    expansion: Option<&'static Part<Expansion>>,
    /// One of each kind at most, in the order of the table; their values are added.
    pub(super) policies: Vec<&'static Part<MakeValues>>,
    /// Any number of them; they take the place of a policy.
    pub(crate) strategies: Vec<&'static Part<MakeStrategies>>,
    evaluation: Option<&'static Part<MakeEvaluation>>,
    solver: Option<&'static Part<MakeSolver>>,
    decision: Option<&'static Part<MakeDecision>>,
}

/// Why names do not make a scheme.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemeError {
    /// There is no part or preset of that name.
    #[error("there is no strategy {name}")]
    Unknown {
        /// The name.
        name: String,
    },
    /// Two parts answer the same question.
    #[error("{first} and {second} cannot be combined: both are for {kind}, and a search has one")]
    SameKind {
        /// The part named first.
        first: &'static str,
        /// The part named second.
        second: &'static str,
        /// The question that both answer.
        kind: &'static str,
    },
    /// The selection has no bounds that could be adjusted.
    #[error("{adjustment} adjusts the bounds of moves, but {selection} chooses without bounds")]
    NoBounds {
        /// The part that adjusts.
        adjustment: &'static str,
        /// The selection.
        selection: &'static str,
    },
}

impl Scheme {
    /// The scheme of these names, joined by `+`, in any order and letter case.
    pub fn named(text: &str) -> Result<Self, SchemeError> {
        let text = text.trim().to_lowercase().replace('-', "_");
        let names: Vec<&str> = text.split('+').map(str::trim).collect();
        let mut scheme = Scheme {
            name: names.join("+"),
            selection: None,
            adjustments: Vec::new(),
            untried: None,
            expansion: None,
            policies: Vec::new(),
            strategies: Vec::new(),
            evaluation: None,
            solver: None,
            decision: None,
        };
        for name in names {
            match PRESETS.iter().find(|preset| preset.name == name) {
                Some(preset) => preset.parts.iter().try_for_each(|part| scheme.add(part))?,
                None => scheme.add(name)?,
            }
        }
        if let (Some(policy), Some(strategy)) = (scheme.policies.first(), scheme.strategies.first())
        {
            let (first, second) = (policy.name, strategy.name);
            return Err(SchemeError::SameKind { first, second, kind: "the moves of playouts" });
        }
        match (scheme.adjustments.first(), scheme.uses_bounds()) {
            (Some(adjustment), false) => Err(SchemeError::NoBounds {
                adjustment: adjustment.name,
                selection: scheme.selection().name,
            }),
            _ => Ok(scheme),
        }
    }

    /// Whether selection goes by bounds, which can be adjusted.
    fn uses_bounds(&self) -> bool {
        (self.selection().make)(&Values::default(), Vec::new()).uses_statistics()
    }

    /// Adds the part with this name.
    fn add(&mut self, name: &str) -> Result<(), SchemeError> {
        let is_known = set(&mut self.selection, SELECTIONS, name, "selection")?
            || add(&mut self.adjustments, ADJUSTMENTS, name, |make| make.kind)?
            || set(&mut self.untried, UNTRIED, name, "untried moves")?
            || set(&mut self.expansion, EXPANSIONS, name, "expansion")?
            || add(&mut self.policies, POLICIES, name, |make| make.kind)?
            || self.follow(name)
            || set(&mut self.evaluation, EVALUATIONS, name, "evaluation")?
            || set(&mut self.solver, SOLVERS, name, "solver")?
            || set(&mut self.decision, DECISIONS, name, "decision")?;
        match is_known {
            true => Ok(()),
            false => Err(SchemeError::Unknown { name: name.to_string() }),
        }
    }

    /// Adds the simulation strategy with this name; returns whether there is one.
    fn follow(&mut self, name: &str) -> bool {
        let Some(&part) = STRATEGIES.iter().find(|part| part.name == name) else { return false };
        if self.strategies.iter().all(|other| other.name != part.name) {
            self.strategies.push(part);
        }
        true
    }

    /// Whether playouts look at what moves lead to, one state after the other.
    pub fn looks_ahead(&self) -> bool {
        !self.strategies.is_empty()
    }

    /// Whether the scheme that plays is chosen for each game.
    pub fn is_auto(&self) -> bool {
        self.name.split('+').any(|name| name == AUTO)
    }

    /// The scheme with these parts in the place of `auto`; none where they do not fit the others.
    pub(crate) fn replacing_auto(&self, parts: &str) -> Option<Scheme> {
        let others = self.name.split('+').filter(|name| *name != AUTO);
        let names: Vec<&str> = std::iter::once(parts).chain(others).collect();
        Scheme::named(&names.join("+")).ok()
    }

    /// The scheme that plays as long as none was chosen.
    pub fn base(&self) -> Scheme {
        let base = self.is_auto().then(|| self.replacing_auto(AUTO_BASE)).flatten();
        base.unwrap_or_else(|| self.clone())
    }

    /// What it is called on the command line and in records.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it plays by what a search finds.
    pub fn needs_search(&self) -> bool {
        (self.decision().make)(&Values::default()).needs_search()
    }

    pub(super) fn selection(&self) -> &'static Part<MakeSelection> {
        self.selection.unwrap_or(SELECTIONS[0])
    }

    pub(super) fn untried(&self) -> &'static Part<MakeUntried> {
        self.untried.unwrap_or(UNTRIED[0])
    }

    pub(super) fn expansion(&self) -> &'static Part<Expansion> {
        self.expansion.unwrap_or(EXPANSIONS[0])
    }

    pub(super) fn evaluation(&self) -> &'static Part<MakeEvaluation> {
        self.evaluation.unwrap_or(EVALUATIONS[0])
    }

    pub(super) fn solver(&self) -> &'static Part<MakeSolver> {
        self.solver.unwrap_or(SOLVERS[0])
    }

    pub(super) fn decision(&self) -> &'static Part<MakeDecision> {
        let plays_most_visited = self.adjustments.iter().any(|part| part.make.plays_most_visited);
        // Means are kept within what is proven, visits are not.
        let is_by_visits = plays_most_visited && self.solver.is_none();
        let usual = if is_by_visits { MOST_VISITED } else { DECISIONS[0] };
        self.decision.unwrap_or(usual)
    }
}

/// Sets a part of a kind, if there is one with this name; returns whether there is.
fn set<M>(
    own: &mut Option<&'static Part<M>>,
    table: &'static [&'static Part<M>],
    name: &str,
    kind: &'static str,
) -> Result<bool, SchemeError> {
    let Some(part) = table.iter().find(|part| part.name == name) else { return Ok(false) };
    match own.replace(part) {
        Some(first) if first.name != part.name => {
            Err(SchemeError::SameKind { first: first.name, second: part.name, kind })
        }
        _ => Ok(true),
    }
}

/// Adds a part of which a scheme may have one of each kind, if there is one with this name, in the order
/// of its table; returns whether there is.
fn add<M>(
    own: &mut Vec<&'static Part<M>>,
    table: &'static [&'static Part<M>],
    name: &str,
    kind: impl Fn(&M) -> &'static str,
) -> Result<bool, SchemeError> {
    let Some(&part) = table.iter().find(|part| part.name == name) else { return Ok(false) };
    let new = kind(&part.make);
    match own.iter().find(|other| kind(&other.make) == new) {
        Some(same) if same.name == part.name => return Ok(true),
        Some(first) => {
            return Err(SchemeError::SameKind { first: first.name, second: part.name, kind: new });
        }
        None => own.push(part),
    }
    own.sort_by_key(|part| table.iter().position(|other| other.name == part.name));
    Ok(true)
}

/// All parts, by kind.
pub fn parts() -> Vec<PartInfo> {
    fn infos<M>(kind: &'static str, table: &[&Part<M>]) -> Vec<PartInfo> {
        table.iter().map(|part| part.info(kind)).collect()
    }
    [
        infos("selection", SELECTIONS),
        ADJUSTMENTS.iter().map(|part| part.info(part.make.kind)).collect(),
        infos("untried moves", UNTRIED),
        infos("expansion", EXPANSIONS),
        POLICIES.iter().map(|part| part.info(part.make.kind)).collect(),
        infos("simulation strategy", STRATEGIES),
        infos("evaluation", EVALUATIONS),
        infos("solver", SOLVERS),
        infos("decision", DECISIONS),
    ]
    .concat()
}

impl Default for Scheme {
    /// Plain UCT.
    fn default() -> Self {
        Scheme::named(PRESETS[0].name).expect("the first preset is made of parts")
    }
}

impl PartialEq for Scheme {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Scheme").field(&self.name).finish()
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl Serialize for Scheme {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_made_of_parts_whose_names_are_unique() {
        for preset in PRESETS {
            let scheme = Scheme::named(preset.name).expect("a scheme");
            assert_eq!(scheme.name(), preset.name);
        }
        let all = parts();
        for (at, part) in all.iter().enumerate() {
            assert!(all[..at].iter().all(|other| other.name != part.name), "{}", part.name);
            assert!(!part.help.is_empty(), "{}", part.name);
            for parameter in part.parameters {
                let all = all.iter().flat_map(|part| part.parameters);
                let mut same = all.filter(|other| other.name == parameter.name);
                assert!(same.all(|other| other == parameter), "{}", parameter.name);
            }
        }
    }

    /// The names of the policies.
    fn names(scheme: &Scheme) -> Vec<&'static str> {
        scheme.policies.iter().map(|part| part.name).collect()
    }

    #[test]
    fn averages_are_mixed_with_features() {
        for (text, expected) in [
            ("fast", &["fast"][..]),
            ("fast+mast", &["mast", "fast"]),
            ("to-mast+fast", &["to_mast", "fast"]),
            ("past+fast", &["past", "fast"]),
            ("fast+rave+nst", &["nst", "fast"]),
            ("cadia2010", &["mast", "fast"]),
            ("cadia2012", &["mast", "fast"]),
        ] {
            assert_eq!(names(&Scheme::named(text).expect("a scheme")), expected, "{text}");
        }
    }

    #[test]
    fn parts_are_combined_by_name_in_any_order() {
        for text in ["uct+mast", "MAST + uct", "mast", "uct+uct+mast"] {
            let scheme = Scheme::named(text).expect("a scheme");
            assert_eq!(scheme.selection().name, "uct", "{text}");
            assert_eq!(names(&scheme), ["mast"], "{text}");
        }
        let scheme = Scheme::named("mc-mem+mast").expect("a scheme");
        assert_eq!((scheme.name(), scheme.selection().name), ("mc_mem+mast", "uniform"));
    }

    #[test]
    fn the_most_visited_move_is_played_where_visits_follow_other_values() {
        for (text, decision) in [
            ("uct+mast", "mean"),
            ("rave+mast", "most_visited"),
            ("grave", "most_visited"),
            ("rave+mean", "mean"),
            ("rave+solver", "mean"),
            ("uct+most_visited", "most_visited"),
            ("cadia2012", "most_visited"),
        ] {
            let scheme = Scheme::named(text).expect("a scheme");
            assert_eq!(scheme.decision().name, decision, "{text}");
        }
    }

    #[test]
    fn strategies_are_mixed_and_take_the_place_of_a_policy() {
        let scheme = Scheme::named("max+exploration+age").expect("a scheme");
        let names: Vec<&str> = scheme.strategies.iter().map(|part| part.name).collect();
        assert_eq!((scheme.selection().name, names), ("max", vec!["exploration", "age"]));
        assert_eq!(Scheme::named("mini-all").expect("a scheme").strategies.len(), STRATEGIES.len());
        let refused = Scheme::named("mini+mast").expect_err("two ways to choose").to_string();
        assert!(refused.starts_with("mast and exploration cannot be combined"), "{refused}");
    }

    #[test]
    fn auto_begins_with_a_solver() {
        let base = |text: &str| Scheme::named(text).expect("a scheme").base().name().to_string();
        assert_eq!(base("auto"), "uct+solver");
        assert_eq!(base("Auto + fast"), "uct+solver+fast");
        assert_eq!(base("uct"), "uct");
        let auto = Scheme::named("auto").expect("a scheme");
        assert_eq!((auto.is_auto(), auto.solver().name), (true, "solver"));
        assert!(!Scheme::named("uct+solver").expect("a scheme").is_auto());
        assert_eq!(auto.replacing_auto("mast").expect("a scheme").name(), "mast");
        assert!(Scheme::named("auto+past").expect("one").replacing_auto("mast").is_none());
    }

    #[test]
    fn impossible_combinations_are_refused_with_the_reason() {
        let refused = |text: &str| Scheme::named(text).expect_err("no scheme").to_string();
        assert_eq!(refused("uct+best"), "there is no strategy best");
        assert_eq!(refused(""), "there is no strategy ");
        assert_eq!(
            refused("uct+mc"),
            "uct and uniform cannot be combined: both are for selection, and a search has one"
        );
        for (text, first, second) in [
            ("mast+past", "mast", "past"),
            ("past+uct+to-mast", "past", "to_mast"),
            ("fast+nst+mast", "nst", "mast"),
        ] {
            let reason = "both are for averages of moves in playouts, and a search has one";
            let expected = format!("{first} and {second} cannot be combined: {reason}");
            assert_eq!(refused(text), expected);
        }
    }
}
