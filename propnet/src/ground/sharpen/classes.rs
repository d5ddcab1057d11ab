//! Atoms with equal definitions, up to equal atoms.
//!
//! The partition is optimistic: at first all helpers are equal, and all fluents with the same
//! initial value. A class is split where two members differ in their definitions (for a fluent
//! the rules of its `next`) when each atom is read as its class. What is left at the end is
//! stable: members of a class have the same bodies, class by class.
//!
//! Why members of a stable class are equal in every reachable state. Over the steps: fluents of a
//! class start equal, and if all classes agree in a step, so do the `next` of a class. Within a
//! state: rules are applied in rounds, nothing being true at first; if classes agree after some
//! rounds, they agree after one more. So loops need no care, and neither does it matter which
//! member of a class an occurrence names.
//!
//! Definitions are compared by sums of hashes, which change in constant time when an atom changes
//! its class; only what reads that atom is looked at again. The result is then checked exactly,
//! so that hashes decide about speed only.
//!
//! Partition refinement: Hopcroft 1971.

use super::super::rules::{AtomId, GroundLiteral};
use super::cone::AtomCone;
use super::work::{AtomKind, Occurrences, SharpenWork, Stopped, Ticker};

/// How often each literal may be looked at, on average; a sheet beyond it keeps its equal atoms.
/// Splitting off small parts alone stays near the logarithm of the number of atoms; but where
/// most of a class leaves those that were not touched, no such bound holds.
const MAX_LOOKS: usize = 32;

/// All sums are computed anew if more than this part of the atoms changed its class.
const SWEEP: usize = 8;

/// The classes with at least two members, members ascending. A fluent is named by its `true`.
/// Only live atoms take part.
pub(super) fn equal_atoms(
    work: &SharpenWork,
    cone: &AtomCone,
    ticker: &mut Ticker,
) -> Result<Vec<Vec<AtomId>>, Stopped> {
    let mut classes = Classes::new(work, cone, ticker)?;
    if !classes.refine(ticker)? {
        return Ok(Vec::new());
    }
    let mut members: Vec<(u32, AtomId)> =
        classes.members.iter().map(|&atom| (classes.class[atom as usize], atom)).collect();
    members.sort_unstable();
    let mut result = Vec::new();
    for group in members.chunk_by(|left, right| left.0 == right.0).filter(|group| group.len() > 1) {
        let group: Vec<AtomId> = group.iter().map(|&(_, atom)| atom).collect();
        let first = classes.definition(group[0]);
        for &other in &group[1..] {
            ticker.tick(1 + first.len())?;
            if classes.definition(other) != first {
                // Two hashes collided. The proof is about all classes at once, so all are lost.
                return Ok(Vec::new());
            }
        }
        result.push(group);
    }
    Ok(result)
}

struct Classes<'a> {
    work: &'a SharpenWork,
    /// Needed from the time on when few atoms change.
    occurrences: Option<Occurrences>,
    /// The atoms that can be equal to others.
    members: Vec<AtomId>,
    /// By atom; those that are no members are alone in theirs.
    class: Vec<u32>,
    /// By class: how many members, and the hash of their definition.
    sizes: Vec<u32>,
    hashes: Vec<u64>,
    /// By rule: the sum over its literals.
    bodies: Vec<u64>,
    /// By atom: the sum over the rules that define it.
    definitions: Vec<u64>,
    /// Members whose definition was touched, and a mark for each.
    touched: Vec<AtomId>,
    is_touched: Vec<bool>,
}

impl<'a> Classes<'a> {
    fn new(work: &'a SharpenWork, cone: &AtomCone, ticker: &mut Ticker) -> Result<Self, Stopped> {
        let is_member = |atom: usize| match work.kinds[atom] {
            AtomKind::Helper => cone.live[atom] && !work.unstable[atom],
            AtomKind::True(fluent) => work.is_carried(fluent),
            _ => false,
        };
        // Classes 0 to 2: helpers, fluents that start false, fluents that start true.
        let mut class = Vec::with_capacity(work.atom_count());
        let mut members = Vec::new();
        let mut sizes = vec![0u32; 3];
        for (atom, &kind) in work.kinds.iter().enumerate() {
            let home = match kind {
                _ if !is_member(atom) => sizes.len(),
                AtomKind::True(fluent) => 1 + work.fluents()[fluent as usize].initially as usize,
                _ => 0,
            };
            if home < 3 {
                members.push(atom as AtomId);
                sizes[home] += 1;
            } else {
                sizes.push(1);
            }
            class.push(home as u32);
        }
        let mut classes = Classes {
            work,
            occurrences: None,
            touched: members.clone(),
            members,
            class,
            hashes: vec![0; sizes.len()],
            sizes,
            bodies: vec![0; work.rules.len()],
            definitions: vec![0; work.atom_count()],
            is_touched: vec![false; work.atom_count()],
        };
        classes.add_up(ticker)?;
        Ok(classes)
    }

    /// Computes all sums.
    fn add_up(&mut self, ticker: &mut Ticker) -> Result<(), Stopped> {
        self.definitions.fill(0);
        for (rule, (head, body)) in self.work.rules.iter().enumerate() {
            ticker.tick(1 + body.len())?;
            let add = |sum: u64, literal: &GroundLiteral| {
                let home = self.class[literal.atom() as usize];
                sum.wrapping_add(literal_hash(home, literal.negated()))
            };
            let sum = body.iter().fold(0, add);
            self.bodies[rule] = sum;
            let total = &mut self.definitions[defined_by(self.work, head) as usize];
            *total = total.wrapping_add(mix(sum));
        }
        Ok(())
    }

    /// Splits classes until they are stable; false if that takes too long.
    fn refine(&mut self, ticker: &mut Ticker) -> Result<bool, Stopped> {
        let all = self.work.rules.literal_count() + self.work.rules.len();
        let mut left = MAX_LOOKS * (all + 1000);
        while !self.touched.is_empty() {
            let moved = self.split_touched();
            // A sweep over all rules reads memory in order, and costs a fraction of looking at
            // the same literals one by one. The first few splits concern nearly all atoms.
            let mut looks = all;
            if moved.len() > self.members.len() / SWEEP {
                let before = self.definitions.clone();
                self.add_up(ticker)?;
                let is_touched =
                    |&atom: &AtomId| before[atom as usize] != self.definitions[atom as usize];
                self.touched.extend(self.members.iter().copied().filter(is_touched));
                self.touched.iter().for_each(|&atom| self.is_touched[atom as usize] = true);
            } else if !moved.is_empty() {
                let work = self.work;
                let occurrences = self.occurrences.take().unwrap_or_else(|| Occurrences::of(work));
                looks = 0;
                for &(atom, from) in &moved {
                    let readers = self.announce(atom, from, &occurrences);
                    looks += readers;
                    ticker.tick(1 + readers)?;
                }
                self.occurrences = Some(occurrences);
            }
            if looks > left {
                return Ok(false);
            }
            left -= looks;
        }
        Ok(true)
    }

    /// Splits the classes of touched members by their definitions. Those that were not touched
    /// still agree, and keep the class; if all were, the largest part does. Returns who moved,
    /// and from where.
    fn split_touched(&mut self) -> Vec<(AtomId, u32)> {
        let key =
            |&atom: &AtomId| (self.class[atom as usize], self.definitions[atom as usize], atom);
        let mut order: Vec<(u32, u64, AtomId)> = self.touched.iter().map(key).collect();
        order.sort_unstable();
        for &atom in &self.touched {
            self.is_touched[atom as usize] = false;
        }
        self.touched.clear();
        let mut moved = Vec::new();
        for same_class in order.chunk_by(|left, right| left.0 == right.0) {
            let home = same_class[0].0;
            if self.sizes[home as usize] as usize == same_class.len() {
                let parts = same_class.chunk_by(|left, right| left.1 == right.1);
                // Of several largest parts the last one: any will do, if always the same.
                let largest = parts.max_by_key(|part| part.len());
                self.hashes[home as usize] = largest.map_or(0, |part| part[0].1);
            }
            for part in same_class.chunk_by(|left, right| left.1 == right.1) {
                if part[0].1 == self.hashes[home as usize] {
                    continue;
                }
                let new = self.sizes.len() as u32;
                self.sizes.push(part.len() as u32);
                self.hashes.push(part[0].1);
                self.sizes[home as usize] -= part.len() as u32;
                for &(.., atom) in part {
                    self.class[atom as usize] = new;
                    moved.push((atom, home));
                }
            }
        }
        moved
    }

    /// Tells all that read the atom that it left a class. Returns how many do.
    fn announce(&mut self, atom: AtomId, from: u32, occurrences: &Occurrences) -> usize {
        let to = self.class[atom as usize];
        let mut looks = 0;
        for negated in [false, true] {
            let change = literal_hash(to, negated).wrapping_sub(literal_hash(from, negated));
            let readers = occurrences.of_code((atom as usize) << 1 | negated as usize);
            looks += readers.len();
            for &rule in readers {
                let head = self.work.rules.head(rule as usize);
                let defined = defined_by(self.work, head) as usize;
                let body = &mut self.bodies[rule as usize];
                let before = mix(*body);
                *body = body.wrapping_add(change);
                let total = &mut self.definitions[defined];
                *total = total.wrapping_add(mix(*body).wrapping_sub(before));
                // Those that are no members are alone in their class and stay there.
                if !std::mem::replace(&mut self.is_touched[defined], true) {
                    self.touched.push(defined as AtomId);
                }
            }
        }
        looks
    }

    /// The bodies that define an atom, with classes for atoms, in an order of their own.
    fn definition(&self, atom: AtomId) -> Vec<Vec<(u32, bool)>> {
        let head = match self.work.kinds[atom as usize] {
            AtomKind::True(fluent) => self.work.next_atoms[fluent as usize],
            _ => atom,
        };
        let body = |rule: usize| {
            let read =
                |literal: &GroundLiteral| (self.class[literal.atom() as usize], literal.negated());
            let mut body: Vec<_> = self.work.rules.body(rule).iter().map(read).collect();
            body.sort_unstable();
            body
        };
        let mut bodies: Vec<_> = self.work.rules_of(head).map(body).collect();
        bodies.sort_unstable();
        bodies
    }
}

/// The atom that rules with this head define.
fn defined_by(work: &SharpenWork, head: AtomId) -> AtomId {
    match work.kinds[head as usize] {
        AtomKind::Next(fluent) => work.true_atoms[fluent as usize],
        _ => head,
    }
}

fn literal_hash(class: u32, negated: bool) -> u64 {
    mix((class as u64) << 1 | negated as u64)
}

/// Spreads a number over all bits (splitmix64).
fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}
