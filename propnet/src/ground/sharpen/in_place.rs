//! Writes a table of rules anew in its own place: the largest sheets have no room for two.
//!
//! ```text
//! literals   [ written ][ free ][ not read yet ]
//! ```
//!
//! Rules are read one after the other, and for each at most one is written, so heads never catch
//! up. Literals may, where bodies grow; then the rest moves on a little.

use super::super::rules::{AtomId, GroundLiteral, RuleTable};

/// A table of which a part is read, and a part written anew.
pub(super) struct Rewriting {
    table: RuleTable,
    /// Rules, and literals, that are read.
    read: usize,
    read_end: usize,
    /// Rules, and literals, that are written.
    written: usize,
    written_end: usize,
    /// How far the literals that are not read yet have moved on.
    moved: usize,
}

impl Rewriting {
    pub(super) fn new(table: RuleTable) -> Self {
        Rewriting { table, read: 0, read_end: 0, written: 0, written_end: 0, moved: 0 }
    }

    /// The head of the next rule; its body replaces what is in `body`.
    pub(super) fn read(&mut self, body: &mut Vec<GroundLiteral>) -> Option<AtomId> {
        let head = *self.table.heads.get(self.read)?;
        let end = self.table.ends[self.read] as usize + self.moved;
        body.clear();
        body.extend_from_slice(&self.table.literals[self.read_end..end]);
        self.read += 1;
        self.read_end = end;
        Some(head)
    }

    /// Writes a rule in the place of the one read last.
    pub(super) fn write(&mut self, head: AtomId, body: &[GroundLiteral]) {
        let end = self.written_end + body.len();
        if end > self.read_end {
            self.make_room(end - self.read_end);
        }
        self.table.literals[self.written_end..end].copy_from_slice(body);
        self.table.heads[self.written] = head;
        self.table.origins[self.written] = self.table.origins[self.read - 1];
        self.table.ends[self.written] = end as u32;
        self.written += 1;
        self.written_end = end;
    }

    /// The rules written.
    pub(super) fn finish(mut self) -> RuleTable {
        self.table.truncate(self.written, self.written_end);
        self.table
    }

    /// Moves on what is not read yet, by more than is needed now: it may be needed again.
    fn make_room(&mut self, needed: usize) {
        let literals = &mut self.table.literals;
        let (old, step) = (literals.len(), needed + literals.len() / 16);
        literals.resize(old + step, GroundLiteral::new(0, false));
        literals.copy_within(self.read_end..old, self.read_end + step);
        self.read_end += step;
        self.moved += step;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literals(numbers: &[u32]) -> Vec<GroundLiteral> {
        numbers.iter().map(|&number| GroundLiteral::new(number, false)).collect()
    }

    #[test]
    fn rules_shrink_grow_and_vanish() {
        let mut table = RuleTable::default();
        for rule in 0..100 {
            table.push(rule, &literals(&vec![rule; rule as usize % 4]), rule);
        }
        let mut rewriting = Rewriting::new(table);
        let mut body = Vec::new();
        let mut expected = Vec::new();
        while let Some(head) = rewriting.read(&mut body) {
            assert_eq!(body, literals(&vec![head; head as usize % 4]));
            if head % 5 != 0 {
                let new = literals(&vec![head + 1; (head * 7 % 9) as usize]);
                rewriting.write(head + 1000, &new);
                expected.push((head + 1000, new));
            }
        }
        let table = rewriting.finish();
        let found: Vec<_> = table.iter().map(|(head, body)| (head, body.to_vec())).collect();
        assert_eq!(found, expected);
        assert!((0..table.len()).all(|rule| table.origin(rule) + 1000 == table.head(rule)));
    }
}
