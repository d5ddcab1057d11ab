//! Rules that another rule of the same head makes superfluous.
//!
//! A body that needs all that another body needs adds nothing. And where `l` alone makes the head
//! true, a body may take it for granted that `l` does not hold. The second step asks that the
//! head is in no cycle through negation; `l` is then settled before the head.

use super::super::rules::{AtomId, GroundLiteral, RuleTable};
use super::report::SharpenReport;
use super::work::{SharpenWork, Stopped, Ticker, code, complement};

/// Heads with more long rules than this are searched for repeated rules and single literals only.
const MAX_PAIRWISE: usize = 32;

/// Drops superfluous rules and literals.
pub(super) fn subsume(
    work: &mut SharpenWork,
    report: &mut SharpenReport,
    ticker: &mut Ticker,
) -> Result<(), Stopped> {
    let mut search = SubsumptionSearch {
        work,
        units: vec![0; 2 * work.atom_count()],
        dropped: vec![false; work.rules.len()],
        shortened: Vec::new(),
        literals: Vec::new(),
        long: Vec::new(),
    };
    let mut start = 0;
    while start < work.rules.len() {
        let head = work.rules.head(start);
        let end = work.rules_of(head).end;
        if end - start > 1 {
            ticker.tick(work.bodies_of(head).len())?;
            search.look_for_units(head);
            search.look_for_subsets();
        }
        start = end;
    }
    let SubsumptionSearch { dropped, shortened, literals, .. } = search;
    let count = dropped.iter().filter(|&&dropped| dropped).count();
    if count == 0 && shortened.is_empty() {
        return Ok(());
    }
    report.subsumed += count;
    let mut result = RuleTable::with_capacity(work.rules.len(), work.rules.literal_count());
    let mut shortened = shortened.into_iter().peekable();
    let mut new_fact = false;
    for (rule, (head, body)) in work.rules.iter().enumerate().filter(|&(rule, _)| !dropped[rule]) {
        let body = match shortened.next_if(|short| short.rule as usize == rule) {
            Some(short) => &literals[short.start as usize..short.end as usize],
            None => body,
        };
        new_fact |= body.is_empty();
        result.push(head, body, work.rules.origin(rule));
    }
    work.replace_rules(result);
    work.unsettled |= new_fact;
    Ok(())
}

/// A body that lost literals: a stretch of [`SubsumptionSearch::literals`].
struct Shortened {
    rule: u32,
    start: u32,
    end: u32,
}

/// A rule of the current head with two literals or more.
struct Long {
    rule: u32,
    /// A bit for each literal, folded to 64: a subset has a subset of the bits.
    bits: u64,
}

struct SubsumptionSearch<'a> {
    work: &'a SharpenWork,
    /// By literal: the head, plus one, of which it is the whole body of a rule.
    units: Vec<u32>,
    /// By rule.
    dropped: Vec<bool>,
    /// Ascending; none of them is dropped.
    shortened: Vec<Shortened>,
    literals: Vec<GroundLiteral>,
    long: Vec<Long>,
}

impl SubsumptionSearch<'_> {
    /// Drops rules that repeat a single literal or need more than it, and literals that a single
    /// one makes superfluous. What is long and stays as it is remains to be compared.
    fn look_for_units(&mut self, head: AtomId) {
        self.long.clear();
        let (mark, rules) = (head + 1, self.work.rules_of(head));
        let mut any = false;
        for rule in rules.clone() {
            if let [only] = self.work.rules.body(rule) {
                self.dropped[rule] = self.units[code(*only)] == mark;
                self.units[code(*only)] = mark;
                any = true;
            }
        }
        let stable = !self.work.unstable[head as usize];
        for rule in rules {
            let body = self.work.rules.body(rule);
            if self.dropped[rule] {
                continue;
            }
            let is_unit = |literal: GroundLiteral| self.units[code(literal)] == mark;
            if any && body.len() > 1 && body.iter().any(|&literal| is_unit(literal)) {
                self.dropped[rule] = true;
            } else if any && stable && body.iter().any(|&literal| is_unit(complement(literal))) {
                let start = self.literals.len() as u32;
                let rest = body.iter().filter(|&&literal| !is_unit(complement(literal)));
                self.literals.extend(rest);
                let end = self.literals.len() as u32;
                self.shortened.push(Shortened { rule: rule as u32, start, end });
            } else if body.len() > 1 {
                let bit = |literal: &GroundLiteral| 1u64 << (code(*literal) & 63);
                let bits = body.iter().fold(0, |bits, literal| bits | bit(literal));
                self.long.push(Long { rule: rule as u32, bits });
            }
        }
    }

    /// Drops long rules that another long rule makes superfluous.
    fn look_for_subsets(&mut self) {
        let rules = &self.work.rules;
        if self.long.len() > MAX_PAIRWISE {
            // Equal bodies become neighbours; the first one stays.
            self.long.sort_unstable_by(|left, right| {
                let body = |long: &Long| rules.body(long.rule as usize);
                (left.bits.cmp(&right.bits))
                    .then_with(|| body(left).cmp(body(right)))
                    .then(left.rule.cmp(&right.rule))
            });
            for pair in self.long.windows(2) {
                let [left, right] = [pair[0].rule as usize, pair[1].rule as usize];
                self.dropped[right] = rules.body(left) == rules.body(right);
            }
            return;
        }
        for (at, long) in self.long.iter().enumerate() {
            let superfluous = self.long.iter().enumerate().any(|(other_at, other)| {
                other.bits & !long.bits == 0
                    && other_at != at
                    && !self.dropped[other.rule as usize]
                    && is_subset(rules.body(other.rule as usize), rules.body(long.rule as usize))
            });
            self.dropped[long.rule as usize] = superfluous;
        }
    }
}

/// Whether all of a sorted body stands in another one.
fn is_subset(short: &[GroundLiteral], long: &[GroundLiteral]) -> bool {
    let mut rest = long.iter();
    short.len() <= long.len() && short.iter().all(|literal| rest.any(|other| other == literal))
}
