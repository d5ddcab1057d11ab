//! Which groups to try: fluents that look alike and were never seen true together.
//!
//! Rule sheets write one thing that has many values as many fluents that differ in an argument:
//! (cell 1 1 ?content), (control ?role), (step ?number), (at ?x ?y). Which arguments are the value
//! is not written down, so all choices are tried against the states that were seen.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::super::super::circuit::{Circuit, FluentKind, Group};
use super::super::simulate::States;
use crate::terms::TermId;

/// Functors with more arguments are tried with one argument as the value, or all but one.
const ALL_CHOICES: u32 = 5;

/// How many groups each fluent without a group is compared with.
const TRIED: usize = 40;

/// Where the fluents were seen true: by fluent, a bit for each state.
struct SeenStates(Vec<Vec<u64>>);

/// Groups of carried fluents that no state seen refutes. Members are in the order in which they
/// are worth keeping: those seen true most often first.
pub(crate) fn propose(circuit: &Circuit, states: &[States], known: &[Group]) -> Vec<Group> {
    let seen = SeenStates::new(circuit, states);
    let mut proposed = Proposed::new(circuit, &seen, known);
    for functor in functors(circuit).values() {
        proposed.by_name(functor);
    }
    proposed.by_sight();
    proposed.complete();
    proposed.groups.into_iter().map(|group| seen.finished(group)).collect()
}

impl SeenStates {
    fn new(circuit: &Circuit, states: &[States]) -> Self {
        let column = |fluent: usize| states.iter().map(|words| words[fluent]).collect();
        SeenStates((0..circuit.fluents.len()).map(column).collect())
    }

    fn of(&self, fluent: u32) -> &[u64] {
        &self.0[fluent as usize]
    }

    fn count(&self, fluent: u32) -> u32 {
        self.of(fluent).iter().map(|word| word.count_ones()).sum()
    }

    fn changes(&self, fluent: u32) -> bool {
        self.of(fluent).iter().any(|&word| word != 0)
            && self.of(fluent).iter().any(|&word| word != !0)
    }

    /// Where one of them was true, if never two were.
    fn union(&self, members: &[u32]) -> Option<Vec<u64>> {
        let mut any = vec![0; self.0.first().map_or(0, Vec::len)];
        for &member in members {
            if !add(&mut any, self.of(member)) {
                return None;
            }
        }
        Some(any)
    }

    fn finished(&self, mut members: Vec<u32>) -> Group {
        members.sort_by_key(|&member| (u32::MAX - self.count(member), member));
        let union = self.union(&members);
        let exactly_one = union.is_some_and(|any| any.iter().all(|&word| word == !0));
        Group { members, exactly_one }
    }
}

/// Adds a column to those of others unless they meet.
fn add(any: &mut [u64], column: &[u64]) -> bool {
    let is_apart = any.iter().zip(column).all(|(any, word)| any & word == 0);
    if is_apart {
        any.iter_mut().zip(column).for_each(|(any, word)| *any |= word);
    }
    is_apart
}

/// The groups found so far.
struct Proposed<'a> {
    circuit: &'a Circuit,
    seen: &'a SeenStates,
    /// Members ascending.
    groups: Vec<Vec<u32>>,
    /// By fluent, the groups that it is in, known ones counted from the end of these.
    groups_of: Vec<Vec<usize>>,
    known: Vec<Vec<u32>>,
}

impl<'a> Proposed<'a> {
    fn new(circuit: &'a Circuit, seen: &'a SeenStates, known: &[Group]) -> Self {
        let known: Vec<Vec<u32>> = known.iter().map(|group| group.members.clone()).collect();
        let groups_of = vec![Vec::new(); circuit.fluents.len()];
        Proposed { circuit, seen, groups: Vec::new(), groups_of, known }
    }

    /// Groups among the fluents of a functor, the largest first.
    fn by_name(&mut self, functor: &[u32]) {
        let arity = self.args(functor[0]).len() as u32;
        for values in choices(arity) {
            let mut buckets: BTreeMap<Vec<TermId>, Vec<u32>> = BTreeMap::new();
            for &fluent in functor {
                let args = self.args(fluent).iter().enumerate();
                let key = args.filter(|(at, _)| values >> at & 1 == 0).map(|(_, &arg)| arg);
                buckets.entry(key.collect()).or_default().push(fluent);
            }
            let buckets: Vec<Vec<u32>> =
                buckets.into_values().filter(|members| members.len() > 1).collect();
            let apart: Vec<bool> =
                buckets.iter().map(|members| self.seen.union(members).is_some()).collect();
            // A family in which no group was seen to change may be anything.
            let lively = |members: &[u32]| {
                members.iter().filter(|&&member| self.seen.changes(member)).count() > 1
            };
            let is_family = apart.iter().all(|&is_apart| is_apart)
                && buckets.iter().any(|members| lively(members));
            let accepted: Vec<Vec<u32>> = buckets
                .into_iter()
                .zip(apart)
                .filter(|(members, is_apart)| *is_apart && (is_family || lively(members)))
                .map(|(members, _)| members)
                .collect();
            for members in accepted {
                self.accept(members);
            }
        }
    }

    fn args(&self, fluent: u32) -> &'a [TermId] {
        let names = &self.circuit.names;
        names.terms().args(names.fluent_term(fluent as usize))
    }

    /// Adds a group unless it is part of another.
    fn accept(&mut self, members: Vec<u32>) {
        let holds = |other: &Vec<u32>| members.iter().all(|m| other.binary_search(m).is_ok());
        let is_part = self.groups_of[members[0] as usize].iter().any(|&at| holds(&self.groups[at]));
        if is_part || self.known.iter().any(holds) {
            return;
        }
        for &member in &members {
            self.groups_of[member as usize].push(self.groups.len());
        }
        self.groups.push(members);
    }

    /// Puts fluents that are in no group with others that were never seen beside them.
    fn by_sight(&mut self) {
        let is_known =
            |fluent: &u32| self.known.iter().any(|members| members.binary_search(fluent).is_ok());
        let is_open = |fluent: &u32| {
            let port = &self.circuit.fluents[*fluent as usize];
            port.kind == FluentKind::Carried
                && self.groups_of[*fluent as usize].is_empty()
                && self.seen.changes(*fluent)
                && !is_known(fluent)
        };
        let open: Vec<u32> = (0..self.circuit.fluents.len() as u32).filter(is_open).collect();
        let mut bins: Vec<(Vec<u32>, Vec<u64>)> = Vec::new();
        for fluent in open {
            let column = self.seen.of(fluent);
            // The bins made last hold what is written nearby.
            let fitting = bins
                .iter_mut()
                .rev()
                .take(TRIED)
                .find_map(|(members, any)| add(any, column).then_some(members));
            match fitting {
                Some(members) => members.push(fluent),
                None => bins.push((vec![fluent], column.to_vec())),
            }
        }
        for (members, _) in bins {
            if members.len() > 1 {
                self.accept(members);
            }
        }
    }

    /// Adds the fluent that was true exactly where none of a group was.
    fn complete(&mut self) {
        let mut by_column: FxHashMap<&[u64], u32> = FxHashMap::default();
        for fluent in (0..self.circuit.fluents.len() as u32).rev() {
            if self.seen.changes(fluent) {
                by_column.insert(self.seen.of(fluent), fluent);
            }
        }
        for members in &mut self.groups {
            let Some(any) = self.seen.union(members) else { continue };
            let none: Vec<u64> = any.iter().map(|word| !word).collect();
            if let Some(&fluent) = by_column.get(&none[..]) {
                members.push(fluent);
                members.sort_unstable();
            }
        }
    }
}

/// The carried fluents of each functor.
fn functors(circuit: &Circuit) -> BTreeMap<(u32, usize), Vec<u32>> {
    let mut functors: BTreeMap<(u32, usize), Vec<u32>> = BTreeMap::new();
    let terms = circuit.names.terms();
    for (fluent, port) in circuit.fluents.iter().enumerate() {
        let term = circuit.names.fluent_term(fluent);
        let arity = terms.args(term).len();
        if port.kind == FluentKind::Carried && arity > 0 {
            functors.entry((terms.name(term).0, arity)).or_default().push(fluent as u32);
        }
    }
    functors
}

/// Sets of arguments that may be the value, large ones first.
fn choices(arity: u32) -> Vec<u32> {
    let arity = arity.min(31);
    let all = (1u32 << arity) - 1;
    let mut choices: Vec<u32> = if arity <= ALL_CHOICES {
        (1..=all).collect()
    } else {
        (0..arity).flat_map(|at| [1 << at, all & !(1 << at)]).chain([all]).collect()
    };
    choices.sort_by_key(|choice| (31 - choice.count_ones(), *choice));
    choices
}
