//! Common pairs, greedily: the two items that are together in the most sets become one item, until
//! no two are together twice.
//!
//! No table of pairs is kept: wide sets have millions. Each item has a bound on how often it is
//! together with another. Bounds only fall while items are joined, so the item with the highest
//! bound is looked at first, and its best partner is counted only then.
//!
//! The most frequent pair first: Paar 1997.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::budget::WorkBudget;

/// Looking at an item, in units of the budget.
const ITEM: u64 = 3;

/// What became of the sets.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Joined {
    /// The sets, with pairs replaced by new items.
    pub(super) sets: Vec<Vec<u32>>,
    /// The new items, numbered after the given ones: each is two that come before it.
    pub(super) pairs: Vec<(u32, u32)>,
}

/// Joins common pairs of sets of items with numbers below `given`, within an effort, as long as the
/// work may go on.
pub(super) fn join(sets: &[Vec<u32>], given: u32, effort: u64, budget: &WorkBudget<'_>) -> Joined {
    let mut pairs = Pairs::new(sets, given, effort, budget);
    pairs.join_twins(given);
    pairs.join_greedily();
    let Pairs { mut open, done, joined, .. } = pairs;
    open.iter_mut().zip(done).for_each(|(open, mut done)| open.append(&mut done));
    Joined { sets: open, pairs: joined }
}

struct Pairs<'b> {
    /// By set, its items that are in at least two sets.
    open: Vec<Vec<u32>>,
    /// By set, its other items: they cannot be part of a common pair.
    done: Vec<Vec<u32>>,
    /// By item, the sets it is in, ascending.
    holders: Vec<Vec<u32>>,
    /// What the items after the given ones are made of.
    joined: Vec<(u32, u32)>,
    /// What may still be spent, in items looked at.
    effort: u64,
    budget: &'b WorkBudget<'b>,
    /// By item, how often it was seen beside the one that is looked at.
    seen: Vec<u32>,
}

/// An item that may be joined with another. The greatest comes first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    /// It is together with no item more often.
    bound: u32,
    item: Reverse<u32>,
    /// The item it was together with so often, when that was last counted.
    partner: Option<u32>,
}

impl<'b> Pairs<'b> {
    fn new(sets: &[Vec<u32>], given: u32, effort: u64, budget: &'b WorkBudget<'b>) -> Self {
        let mut holders = vec![Vec::new(); given as usize];
        for (set, items) in sets.iter().enumerate() {
            items.iter().for_each(|&item| holders[item as usize].push(set as u32));
        }
        let is_open = |item: &&u32| holders[**item as usize].len() > 1;
        let part = |items: &Vec<u32>| items.iter().partition(is_open);
        let (open, done) = sets.iter().map(part).unzip();
        let seen = vec![0; given as usize];
        Pairs { open, done, holders, joined: Vec::new(), effort, budget, seen }
    }

    /// Joins items that are always together: nothing is lost by that, and sets become narrow.
    fn join_twins(&mut self, given: u32) {
        let holders = &self.holders;
        let mut items: Vec<u32> =
            (0..given).filter(|&item| holders[item as usize].len() > 1).collect();
        items.sort_by_key(|&item| (&holders[item as usize], item));
        let twins = items.chunk_by(|&one, &other| holders[one as usize] == holders[other as usize]);
        let twins: Vec<Vec<u32>> =
            twins.filter(|twins| twins.len() > 1).map(<[u32]>::to_vec).collect();
        for mut twins in twins {
            // By pairs of pairs, to stay shallow.
            while twins.len() > 1 {
                let couples = twins.chunks(2).map(|couple| match *couple {
                    [one, other] => self.join_pair(one, other),
                    _ => couple[0],
                });
                twins = couples.collect();
            }
        }
    }

    fn join_greedily(&mut self) {
        let mut queue: BinaryHeap<Candidate> = BinaryHeap::new();
        for item in 0..self.holders.len() as u32 {
            self.enqueue(&mut queue, item);
        }
        while let Some(Candidate { bound, item: Reverse(item), partner }) = queue.pop() {
            if self.effort == 0 {
                return;
            }
            let partner = partner.filter(|&partner| self.together(item, partner) == bound);
            if let Some(partner) = partner {
                let both = self.join_pair(item, partner);
                self.enqueue(&mut queue, item);
                self.enqueue(&mut queue, both);
            } else if let Some((bound, partner)) = self.best_partner(item) {
                queue.push(Candidate { bound, item: Reverse(item), partner: Some(partner) });
            }
        }
    }

    fn enqueue(&self, queue: &mut BinaryHeap<Candidate>, item: u32) {
        let bound = self.holders[item as usize].len() as u32;
        if bound > 1 {
            queue.push(Candidate { bound, item: Reverse(item), partner: None });
        }
    }

    fn spend(&mut self, items: usize) {
        let goes_on = self.budget.goes_on(ITEM * items as u64);
        self.effort = if goes_on { self.effort.saturating_sub(items as u64) } else { 0 };
    }

    /// How often two items are together.
    fn together(&mut self, one: u32, other: u32) -> u32 {
        let (one, other) = (&self.holders[one as usize], &self.holders[other as usize]);
        let count = common(one, other).count() as u32;
        self.spend(one.len() + other.len());
        count
    }

    /// The item that is most often with this one, if any is twice, and how often.
    fn best_partner(&mut self, item: u32) -> Option<(u32, u32)> {
        let mut beside: Vec<u32> = Vec::new();
        let mut looked = 0;
        for &set in &self.holders[item as usize] {
            let items = &self.open[set as usize];
            looked += items.len();
            for &other in items {
                let seen = &mut self.seen[other as usize];
                if *seen == 0 {
                    beside.push(other);
                }
                *seen += 1;
            }
        }
        self.spend(looked);
        let mut best = None;
        for other in beside {
            let count = std::mem::take(&mut self.seen[other as usize]);
            if count > 1 && other != item {
                // Of equally frequent partners the one with the least use elsewhere.
                let elsewhere = self.holders[other as usize].len();
                best = best.max(Some((count, Reverse(elsewhere), Reverse(other))));
            }
        }
        best.map(|(count, _, Reverse(other))| (count, other))
    }

    /// Makes the two one item wherever they are together.
    fn join_pair(&mut self, one: u32, other: u32) -> u32 {
        let both = self.holders.len() as u32;
        let sets: Vec<u32> =
            common(&self.holders[one as usize], &self.holders[other as usize]).collect();
        for &set in &sets {
            let items = &mut self.open[set as usize];
            items.retain(|&item| item != one && item != other);
            items.push(both);
            let looked = items.len();
            self.spend(looked);
        }
        for item in [one, other] {
            let mut left = sets.iter().copied().peekable();
            self.holders[item as usize].retain(|&set| left.next_if_eq(&set).is_none());
            if let [set] = self.holders[item as usize][..] {
                self.open[set as usize].retain(|&kept| kept != item);
                self.done[set as usize].push(item);
            }
        }
        self.holders.push(sets);
        self.seen.push(0);
        self.joined.push((one, other));
        both
    }
}

/// What two ascending lists share.
fn common<'a>(one: &'a [u32], other: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
    let mut other = other.iter().copied().peekable();
    one.iter().copied().filter(move |&wanted| {
        while other.next_if(|&found| found < wanted).is_some() {}
        other.peek() == Some(&wanted)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The given items that a set holds when all pairs are taken apart.
    fn taken_apart(set: &[u32], pairs: &[(u32, u32)], given: u32) -> Vec<u32> {
        let mut todo = set.to_vec();
        let mut items = Vec::new();
        while let Some(item) = todo.pop() {
            match item.checked_sub(given) {
                None => items.push(item),
                Some(pair) => todo.extend([pairs[pair as usize].0, pairs[pair as usize].1]),
            }
        }
        items.sort_unstable();
        items
    }

    #[test]
    fn the_most_frequent_pair_is_joined_first() {
        let sets = [vec![0, 1, 2], vec![0, 1, 3], vec![0, 1, 2, 4], vec![2, 3]];
        let Joined { sets: after, pairs } = join(&sets, 5, u64::MAX, &WorkBudget::default());
        assert_eq!(pairs, [(0, 1), (2, 5)]);
        assert_eq!(after, [vec![6], vec![3, 5], vec![6, 4], vec![3, 2]]);
    }

    #[test]
    fn no_pair_is_left_twice_and_nothing_is_lost() {
        let sets: Vec<Vec<u32>> = (0..60)
            .map(|set: u32| (0..40).filter(|item| (set * 7 + item * item) % 5 < 2).collect())
            .collect();
        let Joined { sets: after, pairs } = join(&sets, 40, u64::MAX, &WorkBudget::default());
        let mut seen = std::collections::BTreeSet::new();
        for (before, after) in sets.iter().zip(&after) {
            assert_eq!(&taken_apart(after, &pairs, 40), before);
            for (at, one) in after.iter().enumerate() {
                for other in &after[at + 1..] {
                    assert!(seen.insert((one.min(other), one.max(other))), "{one} and {other}");
                }
            }
        }
    }

    #[test]
    fn effort_is_bounded() {
        let sets = vec![(0..50).collect::<Vec<u32>>(), (0..49).collect(), (1..50).collect()];
        let joined = join(&sets, 50, 1, &WorkBudget::default());
        for (before, after) in sets.iter().zip(&joined.sets) {
            assert_eq!(&taken_apart(after, &joined.pairs, 50), before);
        }
    }
}
