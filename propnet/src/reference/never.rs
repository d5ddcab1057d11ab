//! Conditions on fluents that no state contains, and on moves that are never legal.
//!
//! Most of them are slips: `(true (contrl ?p))`, `(does ?r (pik ?k))`, `(true (step four))`. They
//! are found in the relaxed model, so what is said of them holds in every state that can be
//! reached; where that model is too large, the heads of the rules have to do.

use rustc_hash::{FxHashMap, FxHashSet};

use super::clause::clauses;
use super::join::ReasonerLimits;
use super::known::{KnownSentences, NameArity, Verdict, functor};
use super::model::Model;
use super::relaxed::relaxed;
use super::watch::WorkWatch;
use crate::gdl::check::{may_unify, quote};
use crate::gdl::{Atom, Finding, Findings, Rules, Symbol, Term, TermKind, word};
use crate::terms::{TermId, Terms};

/// What the relaxed model may take; a second or so.
const LIMITS: ReasonerLimits = ReasonerLimits { facts: 500_000, bytes: 128 << 20, work: 8_000_000 };

/// How many values are listed in a message.
const SHOWN_VALUES: usize = 8;

/// What looking for a rule that could conclude a sentence may take, in steps of unification.
const MAX_STEPS: usize = 1_000_000;

/// Values that are looked through for those to list.
const MOST_VALUES: usize = 2_000;

/// A warning for each condition that can never hold, each once.
pub(super) fn never(rules: &Rules, watch: &WorkWatch) -> Vec<Finding> {
    let mut terms = Terms::default();
    let mut search = NeverSearch::new(rules, &mut terms, watch);
    let mut findings = Findings::default();
    for rule in &rules.rules {
        for literal in &rule.body {
            literal.for_each_atom(false, &mut |atom, negated| {
                let Some((verdict, known)) = search.refute(atom, &terms) else { return };
                let case = Case { rules, terms: &terms, known, atom, negated };
                let finding = case.finding(&verdict);
                let is_shown = findings.has_room(finding.code);
                findings.push(if is_shown { case.explained(finding, &verdict) } else { finding });
            });
        }
    }
    findings.into_sorted()
}

/// What may be true and legal, and what was looked at.
struct NeverSearch<'a> {
    fluents: KnownSentences,
    moves: KnownSentences,
    roles: FxHashSet<&'a Term>,
    seen: FxHashSet<(Symbol, &'a [Term])>,
    /// Names that were reported.
    unknown: FxHashSet<(Symbol, NameArity)>,
}

impl<'a> NeverSearch<'a> {
    fn new(rules: &'a Rules, terms: &mut Terms, watch: &WorkWatch) -> Self {
        let (clauses, relations) = clauses(rules, terms);
        let relaxed = relaxed(clauses, &FxHashMap::default(), &relations);
        let mut model = Model::new(relaxed, relations, LIMITS, watch.clone());
        let mut known = |name, arity| {
            let relation = model.id(name, arity);
            match model.ask(relation, terms) {
                Ok(facts) => KnownSentences::from_rows(facts.rows(), terms),
                Err(_) => KnownSentences::from_heads(rules, |head| concludes(name, head)),
            }
        };
        let roles = rules.rules.iter().filter(|rule| rule.head.relation == word::ROLE);
        NeverSearch {
            fluents: known(word::TRUE, 1),
            moves: known(word::DOES, 2),
            roles: roles.filter_map(|rule| rule.head.args.first()).collect(),
            seen: FxHashSet::default(),
            unknown: FxHashSet::default(),
        }
    }

    /// Why a condition that was not looked at before cannot hold, and what could instead.
    fn refute(&mut self, atom: &'a Atom, terms: &Terms) -> Option<(Verdict, &KnownSentences)> {
        let known = match (atom.relation, atom.args.as_slice()) {
            (word::TRUE, [_]) => &mut self.fluents,
            // What is no role is reported as such.
            (word::DOES, [role, _])
                if matches!(role.kind, TermKind::Variable(_)) || self.roles.contains(role) =>
            {
                &mut self.moves
            }
            _ => return None,
        };
        if !self.seen.insert((atom.relation, &atom.args)) {
            return None;
        }
        let verdict = known.refute(atom, terms)?;
        // Once a name is enough.
        let is_new = match (&verdict, atom.args.last().and_then(functor)) {
            (Verdict::NoFunctor, Some(functor)) => self.unknown.insert((atom.relation, functor)),
            _ => true,
        };
        is_new.then_some((verdict, known))
    }
}

/// Whether rules with this head make sentences of a relation true.
fn concludes(relation: Symbol, head: Symbol) -> bool {
    match relation {
        word::DOES => head == word::LEGAL,
        _ => matches!(head, word::INIT | word::NEXT | word::TRUE),
    }
}

/// A condition that cannot hold.
struct Case<'a> {
    rules: &'a Rules,
    terms: &'a Terms,
    known: &'a KnownSentences,
    atom: &'a Atom,
    negated: bool,
}

impl Case<'_> {
    fn finding(&self, verdict: &Verdict) -> Finding {
        let is_move = self.atom.relation == word::DOES;
        let subject = self.atom.args.last();
        let text = subject.map(|term| quote::term(self.rules, term)).unwrap_or_default();
        let what = match (verdict, is_move) {
            (Verdict::NotOfRole, _) => {
                let role = quote::term(self.rules, &self.atom.args[0]);
                format!("{text} is never a legal move of {role}, only of others")
            }
            (_, true) => format!("{text} is never a legal move"),
            (_, false) => format!("{text} is true in no state that can be reached"),
        };
        let effect = if self.negated { "always holds" } else { "never holds" };
        let code = if is_move { "never-legal" } else { "never-reached" };
        let span = subject.map_or(self.atom.span, |term| term.span);
        let message = format!("{what}, so this condition {effect}");
        Finding::warning(code, span, message)
    }

    /// Adds what may have been meant.
    fn explained(&self, finding: Finding, verdict: &Verdict) -> Finding {
        // Nothing is called so, but perhaps a rule tries.
        let idle = match verdict {
            Verdict::NoFunctor => self.head(),
            _ => None,
        };
        match idle {
            Some(head) => finding
                .related(head.span, "only rules that never apply conclude it, such as this one")
                .help("mend the conditions of that rule, or remove this one"),
            None => finding.help(self.help(verdict)),
        }
    }

    /// The head of a rule that could conclude what the condition asks.
    fn head(&self) -> Option<&Atom> {
        let mut budget = MAX_STEPS;
        let heads = self.rules.rules.iter().map(|rule| &rule.head);
        let mut heads = heads.filter(|head| concludes(self.atom.relation, head.relation));
        heads.find(|head| may_unify(&self.atom.args, &head.args, &mut budget))
    }

    fn help(&self, verdict: &Verdict) -> String {
        let is_move = self.atom.relation == word::DOES;
        let subject = self.atom.args.last();
        match (verdict, subject.map(|term| (functor(term), &term.kind))) {
            (Verdict::NoFunctor, Some((Some(functor), _))) => self.other_name(functor, is_move),
            (Verdict::NoValue { at, values }, Some((_, TermKind::Function(_, args))))
                if values.len() <= MOST_VALUES =>
            {
                self.other_value(&args[*at], *at, values)
            }
            _ if is_move => "mend the move, or the rules for `legal`".to_string(),
            _ => "mend the fluent, or the rules for `init` and `next`".to_string(),
        }
    }

    /// Something else that is called much the same.
    fn other_name(&self, (name, arity): NameArity, is_move: bool) -> String {
        let spelling = |symbol| self.rules.symbols.spelling(symbol);
        if let Some((_, other)) = self.known.functors().find(|&(other, _)| other == name) {
            let (other, here) = (quote::arguments(other), quote::arguments(arity));
            return format!(
                "{} has {other} elsewhere, and {here} here",
                quote::name(self.rules, name)
            );
        }
        let names: Vec<&str> = self.known.functors().map(|(name, _)| spelling(name)).collect();
        let words = if is_move { "`legal`" } else { "`init` or `next`" };
        match quote::close_to(spelling(name), names.into_iter()) {
            Some(close) => format!("did you mean `{close}`?"),
            None => format!("mend the name, or let {words} conclude it"),
        }
    }

    /// What stands in that place instead.
    fn other_value(&self, given: &Term, at: usize, values: &[TermId]) -> String {
        let spelling = |symbol| self.rules.symbols.spelling(symbol);
        let mut texts: Vec<String> =
            values.iter().map(|&value| self.terms.text(value, &spelling)).collect();
        texts.sort_by_cached_key(|text| (text.parse::<u64>().unwrap_or(u64::MAX), text.clone()));
        let given = quote::term(self.rules, given);
        let close = quote::close_to(given.trim_matches('`'), texts.iter().map(String::as_str));
        if let Some(close) = close {
            return format!("did you mean `{close}` instead of {given}?");
        }
        let more = texts.len().saturating_sub(SHOWN_VALUES);
        texts.truncate(SHOWN_VALUES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("argument {} is never {given}; it can be {}{more}", at + 1, texts.join(", "))
    }
}
