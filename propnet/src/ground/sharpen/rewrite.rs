//! The one place that changes bodies: each atom is replaced by what a pass put in its place.
//!
//! A body that comes out contradictory, or that needs its own head, is dropped: the least
//! fixpoint never uses it. In a step each role makes exactly one move; so two different moves of
//! one role contradict each other, and one move makes "not another one" superfluous.

use rustc_hash::FxHashMap;

use super::super::rules::{AtomId, GroundLiteral};
use super::in_place::Rewriting;
use super::work::{AtomKind, SharpenWork, Stopped, Ticker, code, complement};

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
    work: &mut SharpenWork,
    puts: &mut Puts,
    ticker: &mut Ticker,
) -> Result<(), Stopped> {
    puts.shorten();
    let bodies = bodies_put(work, puts);
    let mut rules = Rewriting::new(std::mem::take(&mut work.rules));
    let mut writer = Writer {
        work,
        puts,
        bodies: &bodies,
        body: Vec::new(),
        pending: Vec::new(),
        does: Vec::new(),
        surprised: false,
    };
    // The first sweep has nothing to put but must sort; later bodies without a change stay.
    let loading = puts.put.is_empty();
    let mut body = Vec::new();
    let mut stated = None;
    while let Some(head) = rules.read(&mut body) {
        ticker.tick(1 + body.len())?;
        match puts.of(head) {
            Put::Keep => {}
            Put::True if needs_fact(work, head) => {
                // Rules are grouped: this is the first of the head's.
                if stated.replace(head) != Some(head) {
                    rules.write(head, &[]);
                }
                continue;
            }
            _ => continue,
        }
        let heir = puts.heir_of(head);
        if let [only] = body.as_slice()
            && puts.heir_of(only.atom()) != only.atom()
        {
            continue;
        }
        if !loading && heir == head && body.iter().all(|lit| puts.of(lit.atom()) == Put::Keep) {
            rules.write(head, &body);
        } else if writer.expand(heir, &body) {
            writer.surprised |= writer.body.is_empty();
            rules.write(heir, &writer.body);
        }
    }
    let surprised = writer.surprised;
    work.unsettled |= surprised;
    work.replace_rules(rules.finish());
    Ok(())
}

/// The bodies to put in the place of atoms, before rules are overwritten.
fn bodies_put(work: &SharpenWork, puts: &Puts) -> FxHashMap<AtomId, Vec<GroundLiteral>> {
    let atoms = puts.put.iter().enumerate().filter(|(_, put)| **put == Put::Body);
    let atoms = atoms.map(|(atom, _)| atom as AtomId);
    atoms.map(|atom| (atom, work.bodies_of(atom).to_vec())).collect()
}

/// Whether the atom must still be said to be true, though no rule reads it.
fn needs_fact(work: &SharpenWork, head: AtomId) -> bool {
    match work.kinds[head as usize] {
        AtomKind::Next(fluent) => work.is_carried(fluent),
        AtomKind::Legal(_) | AtomKind::Verdict => true,
        _ => false,
    }
}

struct Writer<'a> {
    work: &'a SharpenWork,
    puts: &'a Puts,
    /// What [`Put::Body`] stands for.
    bodies: &'a FxHashMap<AtomId, Vec<GroundLiteral>>,
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
                    self.pending.extend(self.bodies.get(&literal.atom()).into_iter().flatten());
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
            if let (AtomKind::Does(m), false) = (kinds[literal.atom() as usize], literal.negated())
            {
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
                AtomKind::Does(m) if literal.negated() => {
                    does.iter().all(|&(role, _)| role != roles[m as usize])
                }
                _ => true,
            });
        }
        true
    }
}
