//! Puts rules in the order of their heads while they are found in another.
//!
//! How many rules each head may have, and how many literals, is counted first; then each rule
//! goes to its place at once. Where fewer came than were counted, the gaps are closed in the end:
//!
//! ```text
//! literals   [ head 0: a b c . ][ head 1: d . . ][ head 2: e f ]    ->    a b c d e f
//! ```

use super::rules::{AtomId, GroundLiteral, RuleTable};

/// The places of one head.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HeadRoom {
    pub(super) rules: u32,
    pub(super) literals: u32,
}

/// A table with a place for each rule that may come.
pub(super) struct Grouping {
    /// Until the end, `ends` are where bodies begin, and there are no heads: the places determine
    /// them.
    table: RuleTable,
    /// The first place of each head.
    first: Vec<u32>,
    /// The next free places of each head.
    next: Vec<HeadRoom>,
}

impl Grouping {
    /// The table for heads with this room for rules and literals each; none where it would have more
    /// of them than can be numbered.
    pub(super) fn new(mut rooms: Vec<HeadRoom>) -> Option<Self> {
        let mut sum = HeadRoom::default();
        for room in &mut rooms {
            let next = HeadRoom {
                rules: sum.rules.checked_add(room.rules)?,
                literals: sum.literals.checked_add(room.literals)?,
            };
            *room = std::mem::replace(&mut sum, next);
        }
        let (rules, literals) = (sum.rules as usize, sum.literals as usize);
        let table = RuleTable {
            heads: Vec::new(),
            ends: vec![0; rules],
            literals: vec![GroundLiteral::new(0, false); literals],
            origins: vec![0; rules],
        };
        let first = rooms.iter().map(|room| room.rules).collect();
        Some(Grouping { table, first, next: rooms })
    }

    /// Puts a rule in its place.
    pub(super) fn put(&mut self, head: AtomId, body: &[GroundLiteral], origin: u32) {
        let HeadRoom { rules, literals } = &mut self.next[head as usize];
        let (at, start) = (*rules as usize, *literals as usize);
        self.table.ends[at] = *literals;
        self.table.origins[at] = origin;
        self.table.literals[start..start + body.len()].copy_from_slice(body);
        *literals += body.len() as u32;
        *rules += 1;
    }

    /// The table without gaps.
    pub(super) fn finish(self) -> RuleTable {
        let Grouping { mut table, first, next } = self;
        let places =
            || first.iter().zip(&next).map(|(&first, next)| first as usize..next.rules as usize);
        table.heads.reserve_exact(places().map(|places| places.len()).sum());
        let mut literals = 0;
        for (head, places) in places().enumerate() {
            for at in places.clone() {
                let start = table.ends[at] as usize;
                // A body ends where the next of its head begins.
                let end = match at + 1 < places.end {
                    true => table.ends[at + 1],
                    false => next[head].literals,
                };
                table.literals.copy_within(start..end as usize, literals);
                literals += end as usize - start;
                let rule = table.heads.len();
                table.heads.push(head as AtomId);
                table.ends[rule] = literals as u32;
                table.origins[rule] = table.origins[at];
            }
        }
        table.truncate(table.len(), literals);
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_come_in_the_order_of_heads_without_gaps() {
        let literals = |numbers: &[u32]| -> Vec<GroundLiteral> {
            numbers.iter().map(|&number| GroundLiteral::new(number, false)).collect()
        };
        let rooms = [(2, 5), (0, 0), (3, 4), (1, 1)];
        let rooms = rooms.map(|(rules, literals)| HeadRoom { rules, literals });
        let mut grouping = Grouping::new(rooms.to_vec()).expect("few rules");
        for (head, body, origin) in
            [(2, vec![7], 1), (0, vec![1, 2], 2), (2, vec![], 3), (3, vec![9], 4), (0, vec![5], 5)]
        {
            grouping.put(head, &literals(&body), origin);
        }
        let table = grouping.finish();
        let found: Vec<_> = (0..table.len())
            .map(|rule| (table.head(rule), table.body(rule).to_vec(), table.origin(rule)))
            .collect();
        let expected = [(0, vec![1, 2], 2), (0, vec![5], 5), (2, vec![7], 1), (2, vec![], 3)];
        let expected = expected.into_iter().chain([(3, vec![9], 4)]);
        let expected: Vec<_> =
            expected.map(|(head, body, origin)| (head, literals(&body), origin)).collect();
        assert_eq!(found, expected);
        let too_many = HeadRoom { rules: 1, literals: u32::MAX };
        assert!(Grouping::new(vec![too_many, too_many]).is_none());
    }
}
