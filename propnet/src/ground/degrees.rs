//! The rules of goals as formulas, whose degrees of truth can be computed for a state.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::rules::{AtomId, GroundAtom, GroundLiteral, GroundRules};
use crate::components::components;
use crate::game::{DegreeTerm, Formula, FormulaKind, FormulaLoop, GoalDegrees, goal_value};

/// With more literals than this the degrees of a single state would take milliseconds.
const MOST_LITERALS: usize = 1 << 20;

impl GoalDegrees {
    /// The rules of all goals, with all that they depend on; none where these are too many to be
    /// evaluated for state after state.
    ///
    /// Goal values that are no integers are left out, and so are conditions that always hold: the
    /// ground rules do not have them.
    pub fn new(rules: &GroundRules) -> Option<Self> {
        let rules_of = rules_of(rules);
        let goals = rules.atoms.iter().enumerate().filter_map(|(atom, what)| match *what {
            GroundAtom::Goal(role, value) => {
                let text = rules.terms.canonical(value, &rules.symbols);
                Some((role as usize, goal_value(&text)?, atom as AtomId))
            }
            _ => None,
        });
        let goals: Vec<(usize, i32, AtomId)> = goals.collect();
        let cone = cone(rules, &rules_of, goals.iter().map(|goal| goal.2))?;
        let mut builder = DegreeBuilder::new(rules, &rules_of);
        builder.add_fluents(&cone);
        for members in ordered(rules, &rules_of, &cone) {
            builder.add(&members);
        }
        let mut degrees = builder.degrees;
        degrees.goals = vec![Vec::new(); rules.roles.len()];
        for (role, value, atom) in goals {
            degrees.goals[role].push((value, builder.terms[&atom]));
        }
        degrees.goals.iter_mut().for_each(|goals| goals.sort_by_key(|(value, _)| *value));
        Some(degrees)
    }
}

/// By atom: its rules.
fn rules_of(rules: &GroundRules) -> Vec<Range<usize>> {
    let mut rules_of = vec![0..0; rules.atoms.len()];
    for rule in 0..rules.rules.len() {
        let range = &mut rules_of[rules.rules.head(rule) as usize];
        *range = if *range == (0..0) { rule..rule + 1 } else { range.start..rule + 1 };
    }
    rules_of
}

/// The atoms that some atoms depend on, these included, ascending; none if there are too many.
fn cone(
    rules: &GroundRules,
    rules_of: &[Range<usize>],
    of: impl Iterator<Item = AtomId>,
) -> Option<Vec<AtomId>> {
    let mut is_in = vec![false; rules.atoms.len()];
    let mut found: Vec<AtomId> = of.inspect(|&atom| is_in[atom as usize] = true).collect();
    let (mut at, mut literals) = (0, 0);
    while let Some(&atom) = found.get(at) {
        let body = rules.rules.bodies(rules_of[atom as usize].clone());
        literals += body.len();
        if literals > MOST_LITERALS {
            return None;
        }
        for literal in body {
            if !std::mem::replace(&mut is_in[literal.atom() as usize], true) {
                found.push(literal.atom());
            }
        }
        at += 1;
    }
    found.sort_unstable();
    Some(found)
}

/// The atoms of a cone that have rules, those that depend on each other together, dependencies first.
fn ordered(
    rules: &GroundRules,
    rules_of: &[Range<usize>],
    cone: &[AtomId],
) -> impl Iterator<Item = Vec<AtomId>> {
    let place: FxHashMap<AtomId, usize> = cone.iter().copied().zip(0..).collect();
    let edges = cone.iter().enumerate().flat_map(|(at, &atom)| {
        let body = rules.rules.bodies(rules_of[atom as usize].clone()).iter();
        let place = &place;
        body.map(move |literal| (at, place[&literal.atom()]))
    });
    let cone = cone.to_vec();
    let atoms = move |members: Vec<usize>| members.into_iter().map(|at| cone[at]).collect();
    components(place.len(), edges.collect()).into_iter().map(atoms)
}

struct DegreeBuilder<'r> {
    rules: &'r GroundRules,
    rules_of: &'r [Range<usize>],
    degrees: GoalDegrees,
    /// By atom: where its degree is.
    terms: FxHashMap<AtomId, DegreeTerm>,
}

impl<'r> DegreeBuilder<'r> {
    fn new(rules: &'r GroundRules, rules_of: &'r [Range<usize>]) -> Self {
        let (degrees, terms) = (GoalDegrees::default(), FxHashMap::default());
        DegreeBuilder { rules, rules_of, degrees, terms }
    }

    fn add_fluents(&mut self, cone: &[AtomId]) {
        for &atom in cone {
            if let GroundAtom::True(fluent) = self.rules.atoms[atom as usize] {
                self.terms.insert(atom, DegreeTerm::new(self.degrees.fluents.len(), false));
                self.degrees.fluents.push(fluent);
            }
        }
    }

    /// Adds the formulas of atoms that depend on each other.
    fn add(&mut self, members: &[AtomId]) {
        let body_of = |atom: AtomId| self.rules.rules.bodies(self.rules_of[atom as usize].clone());
        if let [atom] = *members {
            if self.terms.contains_key(&atom) {
                return;
            }
            if body_of(atom).iter().all(|literal| literal.atom() != atom) {
                let term = self.alone(atom);
                self.terms.insert(atom, term);
                return;
            }
        }
        let start = self.degrees.formulas.len();
        let mut place = self.degrees.fluents.len() + start;
        for &atom in members {
            // The formulas of its rules come first.
            place += self.rules_of[atom as usize].len();
            self.terms.insert(atom, DegreeTerm::new(place, false));
            place += 1;
        }
        for &atom in members {
            let rules = self.rules_of[atom as usize].clone();
            let bodies: Vec<DegreeTerm> = rules.map(|rule| self.conditions(rule)).collect();
            self.push(FormulaKind::Alternatives, bodies);
        }
        self.degrees.loops.push(FormulaLoop { start, end: self.degrees.formulas.len() });
    }

    /// The degree of an atom that does not depend on itself. A single rule with a single condition
    /// needs no formula.
    fn alone(&mut self, atom: AtomId) -> DegreeTerm {
        let rules = self.rules_of[atom as usize].clone();
        let alternatives = rules.map(|rule| match *self.rules.rules.body(rule) {
            [literal] => self.term(literal),
            _ => self.conditions(rule),
        });
        let alternatives: Vec<DegreeTerm> = alternatives.collect();
        match alternatives[..] {
            [only] => only,
            _ => self.push(FormulaKind::Alternatives, alternatives),
        }
    }

    fn conditions(&mut self, rule: usize) -> DegreeTerm {
        let body = self.rules.rules.body(rule).iter();
        let terms = body.map(|&literal| self.term(literal)).collect();
        self.push(FormulaKind::Conditions, terms)
    }

    fn term(&self, literal: GroundLiteral) -> DegreeTerm {
        self.terms[&literal.atom()].complemented(literal.negated())
    }

    fn push(&mut self, kind: FormulaKind, terms: Vec<DegreeTerm>) -> DegreeTerm {
        let degrees = &mut self.degrees;
        degrees.terms.extend(terms);
        degrees.formulas.push(Formula { kind, end: degrees.terms.len() as u32 });
        DegreeTerm::new(degrees.fluents.len() + degrees.formulas.len() - 1, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::gdl::Source;
    use crate::ground::{GroundGame, Limits, NoWatch, Options, ground};
    use crate::reference::load;

    /// Moves make and remove facts, so that none of them is constant.
    const MOVES: &str = "
        (role r) (role s) (thing a) (thing b) (thing c) (thing d) (init (is a))
        (<= (legal ?r (make ?x)) (role ?r) (thing ?x))
        (<= (next (is ?x)) (does r (make ?x)))
        (<= (next (is ?x)) (true (is ?x)) (does s (make ?y)) (distinct ?x ?y))
        (<= terminal (true (is a)) (true (is b)) (true (is c)) (true (is d)))";

    /// The degrees of the first role's goals where these facts are true.
    fn degrees(goals: &str, facts: &[&str]) -> Vec<(i32, f64)> {
        let rules = load(Source::from_text("sheet", &format!("{MOVES}{goals}"))).expect("a sheet");
        let grounding = ground(&rules, &Options::default(), Limits::default(), &mut NoWatch);
        let rules = grounding.expect("ground rules").rules;
        let degrees = GoalDegrees::new(&rules).expect("few rules");
        let facts: Vec<String> = facts.iter().map(|fact| format!("(is {fact})")).collect();
        let state = GroundGame::new(rules).state_of(&facts).expect("a state");
        degrees.of(&state, &mut Vec::new()).goals(0).collect()
    }

    #[test]
    fn conditions_are_averaged_and_the_best_alternative_counts() {
        let goals = "
            (<= (goal r 100) (true (is a)) (true (is b)) (true (is c)) (true (is d)))
            (<= (goal r 60) (true (is a)) (true (is b)) (true (is c)))
            (<= (goal r 60) (true (is c)) (true (is d)))
            (<= (goal r 0) (not (true (is a))))";
        assert_eq!(degrees(goals, &["a"]), [(0, 0.0), (60, 1.0 / 3.0), (100, 0.25)]);
        assert_eq!(degrees(goals, &["a", "d"]), [(0, 0.0), (60, 0.5), (100, 0.5)]);
        assert_eq!(degrees(goals, &[]), [(0, 1.0), (60, 0.0), (100, 0.0)]);
    }

    #[test]
    fn what_a_relation_lacks_is_the_degree_of_its_negation() {
        let goals = "
            (<= both (true (is a)) (true (is b)))
            (<= (goal r 100) (not both) (true (is c)))
            (<= (goal r 30) both)";
        // not both: 1 - 1/2; the mean with c: 1/4 and 3/4.
        assert_eq!(degrees(goals, &["a"]), [(30, 0.5), (100, 0.25)]);
        assert_eq!(degrees(goals, &["b", "c"]), [(30, 0.5), (100, 0.75)]);
        assert_eq!(degrees(goals, &["a", "b", "c"]), [(30, 1.0), (100, 0.5)]);
    }

    #[test]
    fn relations_with_one_rule_are_their_conditions() {
        let goals = "
            (link a b) (link b c) (link c d)
            (<= (reached a) (true (is a)))
            (<= (reached ?y) (reached ?x) (link ?x ?y) (true (is ?y)))
            (<= (goal r 100) (reached d))";
        // Grounding puts the conditions of each in the place of it: a, b, c and d.
        assert_eq!(degrees(goals, &["a", "c"]), [(100, 0.5)]);
        assert_eq!(degrees(goals, &["d"]), [(100, 0.25)]);
        assert_eq!(degrees(goals, &["a", "b", "c", "d"]), [(100, 1.0)]);
    }

    #[test]
    fn a_circle_of_rules_ends() {
        let goals = "
            (link a b) (link b a) (link b c) (link c b) (link c d)
            (<= (reached ?x) (true (is ?x)) (not (true (is d))))
            (<= (reached ?y) (reached ?x) (link ?x ?y) (true (is ?y)))
            (<= (goal r 100) (reached c))";
        // a: 1 by the first rule; b: (1 + 0) / 2 by both; c: 1/2 by the first, (1/2 + 0) / 2 by the
        // second.
        assert_eq!(degrees(goals, &["a"]), [(100, 0.5)]);
        // With d, what is true is half reached; b: (1/2 + 1) / 2 by a, which is then (3/4 + 1) / 2 by b,
        // and so on up to 1. c is the mean of that and 0.
        let [(_, degree)] = degrees(goals, &["a", "b", "d"])[..] else { panic!("one goal") };
        assert!((degree - 0.5).abs() < 1e-3 && degree < 0.5, "{degree}");
    }

    #[test]
    fn goals_are_summed_up_by_their_degrees() {
        let goals = "
            (<= (goal r 100) (true (is a)) (true (is b)))
            (<= (goal r 40) (true (is c)))
            (<= (goal s 10) (true (is d)))";
        let rules = load(Source::from_text("sheet", &format!("{MOVES}{goals}"))).expect("a sheet");
        let grounding = ground(&rules, &Options::default(), Limits::default(), &mut NoWatch);
        let rules = grounding.expect("ground rules").rules;
        let degrees = GoalDegrees::new(&rules).expect("few rules");
        let state = GroundGame::new(rules).state_of(&["(is a)".into(), "(is c)".into()]);
        let mut scratch = Vec::new();
        let found = degrees.of(&state.expect("a state"), &mut scratch);
        assert_eq!(found.highest(0), 0.5);
        // (100 * 1/2 + 40 * 1) / (1/2 + 1)
        assert_eq!(found.expected(0), Some(60.0));
        assert_eq!((found.highest(1), found.expected(1)), (0.0, None));
    }
}
