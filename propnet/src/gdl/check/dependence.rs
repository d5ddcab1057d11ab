//! What `init`, `legal`, `terminal`, `goal`, `base` and `input` must not depend on.
//!
//! A player may compute the initial state before there is a state, and legal moves before there
//! are moves; a sheet that turns this round means different things to different players.

use std::collections::VecDeque;

use super::quote;
use super::relations::{Key, Relations};
use crate::gdl::finding::Finding;
use crate::gdl::findings::Findings;
use crate::gdl::rules::{Atom, Rules};
use crate::gdl::symbols::{Symbol, word};

const TRUE: Key = (word::TRUE, 1);
const DOES: Key = (word::DOES, 2);
const INIT: Key = (word::INIT, 1);
const LEGAL: Key = (word::LEGAL, 2);
const NEXT: Key = (word::NEXT, 1);

/// Each word with the relations it must not depend on, directly or through others.
#[rustfmt::skip] // a table
const FORBIDDEN: [(Symbol, &[Key], &str); 6] = [
    (word::INIT, &[TRUE, DOES], "the first state comes before every state and move: use neither `true` nor `does`"),
    (word::LEGAL, &[DOES], "moves are chosen from the legal ones: let `next` record what was done, and ask with `true`"),
    (word::TERMINAL, &[DOES], "the end must follow from the state: let `next` record what was done, and ask with `true`"),
    (word::GOAL, &[DOES], "goals must follow from the state: let `next` record what was done, and ask with `true`"),
    (word::BASE, &[TRUE, DOES, INIT, LEGAL, NEXT], "list every fact that may ever be true, from facts and relations that never change"),
    (word::INPUT, &[TRUE, DOES, INIT, LEGAL, NEXT], "list every move that may ever be legal, from facts and relations that never change"),
];

/// How many relations of a way are named in a message.
const SHOWN_STEPS: usize = 4;

pub(super) fn check(rules: &Rules, relations: &Relations, findings: &mut Findings) {
    let ways: Vec<(Key, Way)> = [TRUE, DOES, INIT, LEGAL, NEXT]
        .into_iter()
        .filter_map(|target| Some((target, Way::new(relations, relations.id_of(target)?))))
        .collect();
    for rule in &rules.rules {
        let Some(&(_, forbidden, why)) =
            FORBIDDEN.iter().find(|(head, ..)| *head == rule.head.relation)
        else {
            continue;
        };
        let mut offence: Option<(&Atom, &Way)> = None;
        for literal in &rule.body {
            literal.for_each_atom(false, &mut |atom, _| {
                let Some(id) = relations.id(atom) else { return };
                let reached = ways
                    .iter()
                    .find(|(target, way)| forbidden.contains(target) && way.leads_from(id));
                if let (None, Some((_, way))) = (offence, reached) {
                    offence = Some((atom, way));
                }
            });
        }
        if let Some((atom, way)) = offence {
            let head = quote::name(rules, rule.head.relation);
            let message = format!("{head} depends on {}", way.describe(rules, relations, atom));
            findings.push(Finding::warning("dependence", atom.span, message).help(why.to_string()));
        }
    }
}

/// The shortest ways to one relation from all that depend on it.
struct Way {
    target: usize,
    /// For each relation the next on its way; `usize::MAX` where there is no way.
    next: Vec<usize>,
}

impl Way {
    fn new(relations: &Relations, target: usize) -> Self {
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
        Way { target, next }
    }

    fn leads_from(&self, id: usize) -> bool {
        self.next[id] != usize::MAX
    }

    /// "`does`", or "`does` through `p`, `q`".
    fn describe(&self, rules: &Rules, relations: &Relations, from: &Atom) -> String {
        let target = quote::name(rules, relations.key(self.target).0);
        let mut steps = Vec::new();
        let mut at = relations.id(from).unwrap_or(self.target);
        while at != self.target {
            if steps.len() == SHOWN_STEPS {
                steps.push("...".to_string());
                break;
            }
            steps.push(quote::name(rules, relations.key(at).0));
            at = self.next[at];
        }
        if steps.is_empty() { target } else { format!("{target} through {}", steps.join(", ")) }
    }
}
