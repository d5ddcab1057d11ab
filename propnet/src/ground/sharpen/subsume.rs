//! Rules that another rule of the same head makes superfluous.
//!
//! A body that needs all that another body needs adds nothing. And where `l` alone makes the head
//! true, a body may take it for granted that `l` does not hold. The second step asks that the
//! head is in no cycle through negation; `l` is then settled before the head.

use super::super::rules::{AtomId, GroundLiteral, RuleTable};
use super::report::SharpenReport;
use super::work::{Stopped, Ticker, Work, code, complement};

/// Heads with more rules than this are searched for repeated rules and single literals only.
const MAX_PAIRWISE: usize = 32;

/// Drops superfluous rules and literals.
pub(super) fn subsume(
    work: &mut Work,
    report: &mut SharpenReport,
    ticker: &mut Ticker,
) -> Result<(), Stopped> {
    let mut result = RuleTable::with_capacity(work.rules.len(), work.rules.literal_count());
    let mut group = Group { units: vec![0; 2 * work.atom_count()], ..Group::default() };
    let mut start = 0;
    while start < work.rules.len() {
        let head = work.rules.head(start);
        let end = work.rules_of(head).end;
        ticker.tick(work.bodies_of(head).len() + end - start)?;
        group.fill(work, head);
        group.drop_superfluous();
        for rule in (0..end - start).filter(|&rule| !group.dropped[rule]) {
            result.push(head, group.body(rule), work.rules.origin(start + rule));
        }
        start = end;
    }
    if result.len() < work.rules.len() || result.literal_count() < work.rules.literal_count() {
        report.subsumed += work.rules.len() - result.len();
        work.replace_rules(result);
    }
    Ok(())
}

/// The rules of one head.
#[derive(Default)]
struct Group {
    literals: Vec<GroundLiteral>,
    ranges: Vec<(u32, u32)>,
    /// A bit for each literal, folded to 64: a subset has a subset of the bits.
    bits: Vec<u64>,
    /// By literal: the head, plus one, of which it is the whole body of a rule.
    units: Vec<u32>,
    order: Vec<u32>,
    dropped: Vec<bool>,
}

impl Group {
    /// Takes the bodies of a head, without what single literals make superfluous.
    fn fill(&mut self, work: &Work, head: AtomId) {
        self.literals.clear();
        self.ranges.clear();
        self.bits.clear();
        self.dropped.clear();
        let mark = head + 1;
        let rules = work.rules_of(head);
        let several = rules.len() > 1;
        if several {
            for rule in rules.clone() {
                if let [only] = work.rules.body(rule) {
                    self.units[code(*only)] = mark;
                }
            }
        }
        let stable = !work.unstable[head as usize];
        for rule in rules {
            let body = work.rules.body(rule);
            let first = self.literals.len() as u32;
            let mut bits = 0;
            let mut drop = false;
            for &literal in body {
                if several && body.len() > 1 && self.units[code(literal)] == mark {
                    drop = true;
                }
                if several && stable && self.units[code(complement(literal))] == mark {
                    continue;
                }
                self.literals.push(literal);
                bits |= 1 << (code(literal) & 63);
            }
            self.ranges.push((first, self.literals.len() as u32));
            self.bits.push(bits);
            self.dropped.push(drop);
        }
    }

    fn body(&self, rule: usize) -> &[GroundLiteral] {
        let (first, last) = self.ranges[rule];
        &self.literals[first as usize..last as usize]
    }

    fn drop_superfluous(&mut self) {
        let count = self.ranges.len();
        if count > MAX_PAIRWISE {
            return self.drop_repeated();
        }
        for rule in 0..count {
            self.dropped[rule] |= (0..count).any(|other| self.covers(other, rule));
        }
    }

    /// Whether `rule` is superfluous beside `other`. Of equal rules the first one stays.
    fn covers(&self, other: usize, rule: usize) -> bool {
        if other == rule || self.dropped[other] || self.bits[other] & !self.bits[rule] != 0 {
            return false;
        }
        let (short, long) = (self.body(other), self.body(rule));
        if short.len() > long.len() || (short.len() == long.len() && other > rule) {
            return false;
        }
        let mut rest = long.iter();
        short.iter().all(|literal| rest.any(|candidate| candidate == literal))
    }

    fn drop_repeated(&mut self) {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend((0..self.ranges.len() as u32).filter(|&rule| !self.dropped[rule as usize]));
        order.sort_unstable_by(|&left, &right| {
            let bodies = self.body(left as usize).cmp(self.body(right as usize));
            bodies.then(left.cmp(&right))
        });
        for pair in order.windows(2) {
            if self.body(pair[0] as usize) == self.body(pair[1] as usize) {
                self.dropped[pair[1] as usize] = true;
            }
        }
        self.order = order;
    }
}
