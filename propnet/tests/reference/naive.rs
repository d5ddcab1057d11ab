//! A naive evaluator: every rule is grounded over a fixed set of terms by brute force, and each
//! stratum is iterated until nothing changes. Nothing in it is clever, and nothing is shared with
//! the reasoner but the parser.

use std::collections::{BTreeMap, BTreeSet};

use propnet::gdl::{Atom, Literal, LiteralKind, Rule, Rules, Source, Term, TermKind, parse};

/// Sentences as text, such as `(true (f a))`.
pub(crate) type Facts = BTreeSet<String>;

type Binding = BTreeMap<u32, String>;

/// The rules of a sheet and all terms that variables may stand for.
pub(crate) struct Naive {
    rules: Rules,
    terms: Vec<String>,
    strata: Vec<Vec<String>>,
}

impl Naive {
    /// `strata` names the relations, lowest stratum first; those of one stratum may depend on
    /// each other, but not by negation.
    pub(crate) fn new(sheet: &str, terms: &[&str], strata: &[&[&str]]) -> Self {
        let (rules, findings) = parse(Source::from_text("s", sheet));
        assert!(findings.is_empty(), "{findings:?}");
        let own = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        let strata = strata.iter().map(|names| own(names)).collect();
        Naive { rules, terms: own(terms), strata }
    }

    /// All that follows from the given facts.
    pub(crate) fn model(&self, given: &Facts) -> Facts {
        let mut facts = given.clone();
        for stratum in &self.strata {
            let name = |rule: &&Rule| self.name(rule.head.relation.0).to_string();
            let rules: Vec<&Rule> =
                self.rules.rules.iter().filter(|rule| stratum.contains(&name(rule))).collect();
            loop {
                let before = facts.len();
                for rule in &rules {
                    self.conclude(rule, &mut facts);
                }
                if facts.len() == before {
                    break;
                }
            }
        }
        facts
    }

    fn name(&self, symbol: u32) -> &str {
        self.rules.symbols.name(propnet::gdl::Symbol(symbol))
    }

    /// Tries every binding of every variable of the rule.
    fn conclude(&self, rule: &Rule, facts: &mut Facts) {
        let mut variables = BTreeSet::new();
        rule.head.for_each_variable(&mut |name, _| {
            variables.insert(name.0);
        });
        for literal in &rule.body {
            collect(literal, &mut variables);
        }
        let variables: Vec<u32> = variables.into_iter().collect();
        let mut counter = vec![0; variables.len()];
        loop {
            let values = counter.iter().map(|&at: &usize| self.terms[at].clone());
            let binding: Binding = variables.iter().copied().zip(values).collect();
            if rule.body.iter().all(|literal| self.holds(literal, &binding, facts)) {
                facts.insert(self.atom(&rule.head, &binding));
            }
            let Some(at) = counter.iter().position(|&at| at + 1 < self.terms.len()) else { break };
            counter[..at].fill(0);
            counter[at] += 1;
        }
    }

    fn holds(&self, literal: &Literal, binding: &Binding, facts: &Facts) -> bool {
        match &literal.kind {
            LiteralKind::Atom(atom) => facts.contains(&self.atom(atom, binding)),
            LiteralKind::Not(inner) => !self.holds(inner, binding, facts),
            LiteralKind::Or(parts) => parts.iter().any(|part| self.holds(part, binding, facts)),
            LiteralKind::And(parts) => parts.iter().all(|part| self.holds(part, binding, facts)),
            LiteralKind::Distinct(left, right) => {
                self.term(left, binding) != self.term(right, binding)
            }
        }
    }

    fn atom(&self, atom: &Atom, binding: &Binding) -> String {
        self.application(atom.relation.0, &atom.args, binding)
    }

    fn term(&self, term: &Term, binding: &Binding) -> String {
        match &term.kind {
            TermKind::Variable(name) => binding[&name.0].clone(),
            TermKind::Constant(name) => self.name(name.0).to_string(),
            TermKind::Function(name, args) => self.application(name.0, args, binding),
        }
    }

    fn application(&self, name: u32, args: &[Term], binding: &Binding) -> String {
        let name = self.name(name);
        if args.is_empty() {
            return name.to_string();
        }
        let args: Vec<String> = args.iter().map(|arg| self.term(arg, binding)).collect();
        format!("({name} {})", args.join(" "))
    }
}

fn collect(literal: &Literal, variables: &mut BTreeSet<u32>) {
    match &literal.kind {
        LiteralKind::Atom(atom) => atom.for_each_variable(&mut |name, _| {
            variables.insert(name.0);
        }),
        LiteralKind::Not(inner) => collect(inner, variables),
        LiteralKind::Or(parts) | LiteralKind::And(parts) => {
            parts.iter().for_each(|part| collect(part, variables));
        }
        LiteralKind::Distinct(left, right) => {
            for term in [left, right] {
                term.for_each_variable(&mut |name, _| {
                    variables.insert(name.0);
                });
            }
        }
    }
}

/// The arguments of the facts `(WORD ...)`, as text.
pub(crate) fn of<'a>(facts: &'a Facts, word: &str) -> Vec<&'a str> {
    let start = format!("({word} ");
    let found = facts.iter().filter_map(|fact| fact.strip_prefix(&start)?.strip_suffix(')'));
    found.collect()
}
