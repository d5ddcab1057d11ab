//! Claims on their way to be proven, and what each proof rests on.
//!
//! A proof is good as long as the claims that it used stand as they were. So when one is dropped
//! only the proofs that used it are done again, and when work must stop early what remains is a
//! set of claims that prove each other.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::simulate::States;
use super::claims::{Claims, Place};

/// Claims and their proofs.
pub(super) struct Stage {
    pub(super) claims: Claims,
    /// Claims that may have no proof that is good, those to be tried first in front.
    open: VecDeque<Place>,
    /// The claims that have a proof that is good.
    proven: FxHashSet<Place>,
    /// The claims whose proofs used a claim.
    users: FxHashMap<Place, Vec<Place>>,
    /// By fluent, the claims that are or were about it.
    about: Vec<Vec<Place>>,
}

impl Stage {
    /// Nothing is proven yet. The places are tried in this order.
    pub(super) fn new(claims: Claims, order: Vec<Place>, fluents: usize) -> Self {
        let mut about = vec![Vec::new(); fluents];
        for place in claims.places() {
            for fluent in claims.fluents(place) {
                about[fluent as usize].push(place);
            }
        }
        Stage {
            claims,
            open: order.into(),
            proven: FxHashSet::default(),
            users: FxHashMap::default(),
            about,
        }
    }

    /// A claim that is not proven.
    pub(super) fn next_open(&mut self) -> Option<Place> {
        while let Some(place) = self.open.pop_front() {
            if self.is_open(place) {
                return Some(place);
            }
        }
        None
    }

    fn is_open(&self, place: Place) -> bool {
        self.claims.has(place) && !self.claims.is_known(place) && !self.proven.contains(&place)
    }

    /// Puts a claim off.
    pub(super) fn put_off(&mut self, place: Place) {
        self.open.push_back(place);
    }

    /// The claims about a fluent.
    pub(super) fn about(&self, fluent: u32) -> impl Iterator<Item = Place> + '_ {
        let places = self.about[fluent as usize].iter().copied();
        places.filter(|&place| self.claims.has(place))
    }

    /// Notes a proof and the claims that it used.
    pub(super) fn proven(&mut self, place: Place, used: impl Iterator<Item = Place>) {
        self.proven.insert(place);
        for used in used {
            self.users.entry(used).or_default().push(place);
        }
    }

    /// Drops a claim.
    pub(super) fn drop(&mut self, place: Place) {
        self.claims.drop(place);
        self.changed(place);
        if let Place::Apart(group) = place {
            self.changed(Place::Some(group));
        }
    }

    /// Drops what states refute. Says whether there was anything.
    pub(super) fn weaken(&mut self, states: &States) -> bool {
        let changed = self.claims.weaken(states);
        for &place in &changed {
            self.changed(place);
            // A fluent that leaves its old leader may be claimed to follow another.
            if let Place::Same(fluent) = place
                && let Some(leader) = self.claims.same[fluent].and_then(|same| same.leader)
            {
                self.about[leader as usize].push(place);
            }
        }
        !changed.is_empty()
    }

    /// What is left when all that has no proof is dropped, and all that rests on it.
    pub(super) fn finished(mut self) -> Claims {
        // Dropping one reopens those that used it, so once more until there is none.
        loop {
            let open: Vec<Place> =
                self.claims.places().into_iter().filter(|&place| self.is_open(place)).collect();
            if open.is_empty() {
                return self.claims;
            }
            for place in open {
                self.drop(place);
            }
        }
    }

    /// A claim is not what it was: its proof and those that used it are not good any more.
    fn changed(&mut self, place: Place) {
        for user in self.users.remove(&place).unwrap_or_default().into_iter().chain([place]) {
            if self.proven.remove(&user) || user == place {
                self.open.push_back(user);
            }
        }
    }
}
