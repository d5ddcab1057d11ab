//! What `init`, `legal`, `terminal`, `goal`, `base` and `input` must not depend on.
//!
//! A player may compute the initial state before there is a state, and legal moves before there
//! are moves; a sheet that turns this round means different things to different players. So it is
//! an error where a chain of rules leads there, and a warning where only the names do.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::chains::Chains;
use super::quote;
use super::relations::{RelationGraph, RelationKey};
use crate::gdl::finding::Finding;
use crate::gdl::finding::Severity::{self, Error, Warning};
use crate::gdl::findings::Findings;
use crate::gdl::rules::{Atom, Rule, Rules};
use crate::gdl::symbols::{Symbol, word};

const TRUE: RelationKey = (word::TRUE, 1);
const DOES: RelationKey = (word::DOES, 2);
const INIT: RelationKey = (word::INIT, 1);
const LEGAL: RelationKey = (word::LEGAL, 2);
const NEXT: RelationKey = (word::NEXT, 1);

/// A word, the relations it must not depend on, directly or through others, how bad it is, and what
/// to do instead.
type Ban = (Symbol, &'static [RelationKey], Severity, &'static str);

/// What a sheet means that breaks one of the first four depends on who plays it. The last two are
/// only lists for others.
#[rustfmt::skip] // a table
const FORBIDDEN: [Ban; 6] = [
    (word::INIT, &[TRUE, DOES], Error, "the first state comes before every state and move: use neither `true` nor `does`"),
    (word::LEGAL, &[DOES], Error, "moves are chosen from the legal ones: let `next` record what was done, and ask with `true`"),
    (word::TERMINAL, &[DOES], Error, "the end must follow from the state: let `next` record what was done, and ask with `true`"),
    (word::GOAL, &[DOES], Error, "goals must follow from the state: let `next` record what was done, and ask with `true`"),
    (word::BASE, &[TRUE, DOES, INIT, LEGAL, NEXT], Warning, "list every fact that may ever be true, from facts and relations that never change"),
    (word::INPUT, &[TRUE, DOES, INIT, LEGAL, NEXT], Warning, "list every move that may ever be legal, from facts and relations that never change"),
];

/// How many relations of a way are named in a message.
const SHOWN_STEPS: usize = 4;

/// How many links of a chain are shown, the last one included.
const SHOWN_LINKS: usize = 8;

pub(super) fn check(rules: &Rules, relations: &RelationGraph, findings: &mut Findings) {
    let ways: Vec<(RelationKey, DependencePaths)> = [TRUE, DOES, INIT, LEGAL, NEXT]
        .into_iter()
        .filter_map(|target| {
            Some((target, DependencePaths::new(relations, relations.id_of(target)?)))
        })
        .collect();
    let mut chains: FxHashMap<RelationKey, Chains> = FxHashMap::default();
    for (index, rule) in rules.rules.iter().enumerate() {
        let Some(ban) = FORBIDDEN.iter().find(|(head, ..)| *head == rule.head.relation) else {
            continue;
        };
        let mut offence: Option<(&Atom, &DependencePaths)> = None;
        for (target, way) in ways.iter().filter(|(target, _)| ban.1.contains(target)) {
            let Some(atom) = way.first_from(rule, relations) else { continue };
            offence = offence.or(Some((atom, way)));
            if ban.2 == Severity::Error {
                let leads = |id| way.leads_from(id);
                let chains = chains
                    .entry(*target)
                    .or_insert_with(|| Chains::new(rules, relations, *target, &leads));
                if chains.leads_from(index) {
                    // A chain may be as long as the sheet.
                    let chain = findings.has_room("dependence").then(|| chains.from(index));
                    findings.push(error(rules, rule, &chain.unwrap_or(vec![atom]), ban.3));
                    offence = None;
                    break;
                }
            }
        }
        // By name only, or harmless: a player that does as the specification says may refuse it.
        if let Some((atom, way)) = offence {
            let head = quote::name(rules, rule.head.relation);
            let message = format!("{head} depends on {}", way.describe(rules, relations, atom));
            findings.push(Finding::warning("dependence", atom.span, message).help(ban.3));
        }
    }
}

/// The chain of conditions that leads from a rule to what it must not depend on.
fn error(rules: &Rules, rule: &Rule, chain: &[&Atom], help: &str) -> Finding {
    let name = |atom: &Atom| quote::name(rules, atom.relation);
    let (first, last) = (chain[0], chain[chain.len() - 1]);
    let through: Vec<String> = chain[..chain.len() - 1].iter().map(|atom| name(atom)).collect();
    let message = format!("{} depends on {}", name(&rule.head), through_text(name(last), through));
    let mut finding = Finding::error("dependence", first.span, message).help(help);
    let (shown, skipped) = match chain.len() - 1 {
        links @ 0..=SHOWN_LINKS => (links, 0),
        links => (SHOWN_LINKS - 1, links - SHOWN_LINKS),
    };
    let link = |at: usize| format!("{} depends on {}", name(chain[at]), name(chain[at + 1]));
    for at in 0..shown {
        finding = finding.related(chain[at + 1].span, link(at));
    }
    if skipped > 0 {
        let note = format!("{}; {skipped} links before it are left out", link(chain.len() - 2));
        finding = finding.related(last.span, note);
    }
    finding
}

/// "`does`", or "`does` through `p`, `q`".
fn through_text(target: String, mut steps: Vec<String>) -> String {
    if steps.is_empty() {
        return target;
    }
    if steps.len() > SHOWN_STEPS {
        steps.truncate(SHOWN_STEPS);
        steps.push("...".to_string());
    }
    format!("{target} through {}", steps.join(", "))
}

/// The shortest ways to one relation from all that depend on it.
struct DependencePaths {
    target: usize,
    /// For each relation the next on its way; `usize::MAX` where there is no way.
    next: Vec<usize>,
}

impl DependencePaths {
    fn new(relations: &RelationGraph, target: usize) -> Self {
        let mut next = vec![usize::MAX; relations.len()];
        next[target] = target;
        let mut queue = VecDeque::from([target]);
        while let Some(id) = queue.pop_front() {
            for user in relations.users(id) {
                if next[user] == usize::MAX {
                    next[user] = id;
                    queue.push_back(user);
                }
            }
        }
        DependencePaths { target, next }
    }

    fn leads_from(&self, id: usize) -> bool {
        self.next[id] != usize::MAX
    }

    /// The first condition of a rule from which there is a way.
    fn first_from<'a>(&self, rule: &'a Rule, relations: &RelationGraph) -> Option<&'a Atom> {
        let mut found = None;
        for literal in &rule.body {
            literal.for_each_atom(false, &mut |atom, _| {
                let leads = relations.id(atom).is_some_and(|id| self.leads_from(id));
                if leads && found.is_none() {
                    found = Some(atom);
                }
            });
        }
        found
    }

    fn describe(&self, rules: &Rules, relations: &RelationGraph, from: &Atom) -> String {
        let target = quote::name(rules, relations.key(self.target).0);
        let mut steps = Vec::new();
        let mut at = relations.id(from).unwrap_or(self.target);
        while at != self.target && steps.len() <= SHOWN_STEPS {
            steps.push(quote::name(rules, relations.key(at).0));
            at = self.next[at];
        }
        through_text(target, steps)
    }
}
