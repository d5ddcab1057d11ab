//! The one place that changes bodies: each atom gives way to what a pass put in its place.
//!
//! A body that comes out contradictory, or that needs its own head, is dropped: the least
//! fixpoint never uses it. In a step each role makes exactly one move; so two different moves of
//! one role contradict each other, and one move makes "not another one" superfluous.

use super::super::rules::{AtomId, GroundLiteral, RuleTable};
use super::work::{Kind, Stopped, Ticker, Work, code, complement};

/// What stands in an atom's place from now on. Whatever is put there, the atom's own rules go;
/// an output that is known true keeps a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Put {
    /// The atom itself.
    Keep,
    True,
    False,
    Literal(GroundLiteral),
    /// The body of its only rule; the atom must be read once, and positively.
    Body,
}

/// What stands in each atom's place.
pub(super) struct Puts {
    pub(super) put: Vec<Put>,
    /// The atom that takes over an atom's rules, usually itself; empty if all do.
    pub(super) heir: Vec<AtomId>,
}

impl Put {
    /// No change; rewriting then only brings bodies into normal form.
    pub(super) fn nothing() -> Puts {
        Puts { put: Vec::new(), heir: Vec::new() }
    }

    /// Room for changes.
    pub(super) fn for_atoms(count: usize) -> Puts {
        Puts { put: vec![Put::Keep; count], heir: Vec::new() }
    }
}

impl Puts {
    fn of(&self, atom: AtomId) -> Put {
        self.put.get(atom as usize).copied().unwrap_or(Put::Keep)
    }

    fn heir_of(&self, atom: AtomId) -> AtomId {
        self.heir.get(atom as usize).copied().unwrap_or(atom)
    }

    /// Makes each chain of literals one step long. A chain that closes to a ring keeps one of its
    /// atoms: its rule then reads itself only, which says that all of the ring are false.
    fn shorten(&mut self) {
        let mut seen = vec![0u32; self.put.len()];
        let mut chain: Vec<(usize, bool)> = Vec::new();
        for start in 0..self.put.len() {
            chain.clear();
            let (mut atom, mut flipped) = (start, false);
            let mark = start as u32 + 1;
            while let Put::Literal(literal) = self.put[atom] {
                if seen[atom] == mark {
                    self.put[atom] = Put::Keep;
                    break;
                }
                seen[atom] = mark;
                chain.push((atom, flipped));
                atom = literal.atom() as usize;
                flipped ^= literal.negated();
                // All that starts below is short already: at most one step is left.
            }
            for &(link, before) in &chain {
                if link != atom {
                    let sign = before ^ flipped;
                    self.put[link] = match self.put[atom] {
                        Put::True | Put::False if sign == (self.put[atom] == Put::True) => {
                            Put::False
                        }
                        Put::True | Put::False => Put::True,
                        _ => Put::Literal(GroundLiteral::new(atom as AtomId, sign)),
                    };
                }
            }
        }
    }
}

/// Writes all rules anew.
pub(super) fn rewrite(
    work: &mut Work,
    puts: &mut Puts,
    ticker: &mut Ticker,
) -> Result<(), Stopped> {
    puts.shorten();
    let rules = &work.rules;
    let mut result = RuleTable::with_capacity(rules.len(), rules.literal_count());
    let mut writer = Writer {
        work,
        puts,
        body: Vec::new(),
        pending: Vec::new(),
        does: Vec::new(),
        surprised: false,
    };
    // The first sweep has nothing to put but must sort; later bodies without a change stay.
    let loading = puts.put.is_empty();
    for (rule, (head, body)) in rules.iter().enumerate() {
        ticker.tick(1 + body.len())?;
        match puts.of(head) {
            Put::Keep => {}
            Put::True if needs_fact(work, head) => {
                if rule == work.rules_of(head).start {
                    result.push(head, &[], rules.origin(rule));
                }
                continue;
            }
            _ => continue,
        }
        let heir = puts.heir_of(head);
        if let [only] = body
            && puts.heir_of(only.atom()) != only.atom()
        {
            continue;
        }
        if !loading && heir == head && body.iter().all(|lit| puts.of(lit.atom()) == Put::Keep) {
            result.push(head, body, rules.origin(rule));
        } else if writer.expand(heir, body) {
            writer.surprised |= writer.body.is_empty();
            result.push(heir, &writer.body, rules.origin(rule));
        }
    }
    let surprised = writer.surprised;
    work.unsettled |= surprised;
    work.replace_rules(result);
    Ok(())
}

/// Whether the atom must still be said to be true, though no rule reads it.
fn needs_fact(work: &Work, head: AtomId) -> bool {
    match work.kinds[head as usize] {
        Kind::Next(fluent) => work.is_carried(fluent),
        Kind::Legal(_) | Kind::Verdict => true,
        _ => false,
    }
}

struct Writer<'a> {
    work: &'a Work,
    puts: &'a Puts,
    body: Vec<GroundLiteral>,
    pending: Vec<GroundLiteral>,
    /// Role and move of each positive `does` in the body.
    does: Vec<(u32, u32)>,
    /// Whether a body turned out to be contradictory, to need its own head, or to be empty.
    surprised: bool,
}

impl Writer<'_> {
    /// Brings a body into normal form; false if it can never hold or never matter.
    fn expand(&mut self, head: AtomId, body: &[GroundLiteral]) -> bool {
        self.body.clear();
        self.pending.clear();
        self.pending.extend_from_slice(body);
        while let Some(literal) = self.pending.pop() {
            match (self.puts.of(literal.atom()), literal.negated()) {
                (Put::Keep, _) => self.body.push(literal),
                (Put::True, false) | (Put::False, true) => {}
                (Put::True, true) | (Put::False, false) => return false,
                (Put::Literal(other), negated) => self.pending.push(match negated {
                    false => other,
                    true => complement(other),
                }),
                (Put::Body, negated) => {
                    debug_assert!(!negated, "only what is read positively has a body put");
                    self.pending.extend_from_slice(self.work.bodies_of(literal.atom()));
                }
            }
        }
        self.body.sort_unstable();
        self.body.dedup();
        // An atom and its negation are neighbours now.
        let contradicts = |pair: &[GroundLiteral]| pair[0].atom() == pair[1].atom();
        let possible = !self.body.windows(2).any(contradicts)
            && self.exclude_moves()
            && !self.body.contains(&GroundLiteral::new(head, false));
        self.surprised |= !possible;
        possible
    }

    /// Uses that a role makes one move in a step; false if two are asked for.
    fn exclude_moves(&mut self) -> bool {
        self.does.clear();
        let (kinds, roles) = (&self.work.kinds, &self.work.role_of_move);
        for &literal in &self.body {
            if let (Kind::Does(m), false) = (kinds[literal.atom() as usize], literal.negated()) {
                let role = roles[m as usize];
                if self.does.iter().any(|&(other, _)| other == role) {
                    return false;
                }
                self.does.push((role, m));
            }
        }
        if !self.does.is_empty() {
            let does = &self.does;
            self.body.retain(|literal| match kinds[code(*literal) >> 1] {
                Kind::Does(m) if literal.negated() => {
                    does.iter().all(|&(role, _)| role != roles[m as usize])
                }
                _ => true,
            });
        }
        true
    }
}
