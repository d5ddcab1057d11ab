//! Claims on their way to be proven, and what each proof rests on.
//!
//! A proof is good as long as the claims that it used stand as they were. So when one is dropped
//! only the proofs that used it are done again, and when work must stop early what remains is a
//! set of claims that prove each other.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::simulate::States;
use super::claims::{ClaimPlace, Claims};

/// Claims and their proofs.
pub(super) struct ProofStage {
    pub(super) claims: Claims,
    /// Claims that may have no proof that is good, those to be tried first in front.
    open: VecDeque<ClaimPlace>,
    /// The claims that have a proof that is good.
    proven: FxHashSet<ClaimPlace>,
    /// The claims whose proofs used a claim.
    users: FxHashMap<ClaimPlace, Vec<ClaimPlace>>,
    /// By fluent, the claims that are or were about it.
    about: Vec<Vec<ClaimPlace>>,
}

impl ProofStage {
    /// Nothing is proven yet. The places are tried in this order.
    pub(super) fn new(claims: Claims, order: Vec<ClaimPlace>, fluents: usize) -> Self {
        let mut about = vec![Vec::new(); fluents];
        for place in claims.places() {
            for fluent in claims.fluents(place) {
                about[fluent as usize].push(place);
            }
        }
        ProofStage {
            claims,
            open: order.into(),
            proven: FxHashSet::default(),
            users: FxHashMap::default(),
            about,
        }
    }

    /// A claim that is not proven.
    pub(super) fn next_open(&mut self) -> Option<ClaimPlace> {
        while let Some(place) = self.open.pop_front() {
            if self.is_open(place) {
                return Some(place);
            }
        }
        None
    }

    fn is_open(&self, place: ClaimPlace) -> bool {
        self.claims.has(place) && !self.claims.is_known(place) && !self.proven.contains(&place)
    }

    /// Puts a claim off.
    pub(super) fn put_off(&mut self, place: ClaimPlace) {
        self.open.push_back(place);
    }

    /// The claims about a fluent.
    pub(super) fn about(&self, fluent: u32) -> impl Iterator<Item = ClaimPlace> + '_ {
        let places = self.about[fluent as usize].iter().copied();
        places.filter(|&place| self.claims.has(place))
    }

    /// Notes a proof and the claims that it used.
    pub(super) fn proven(&mut self, place: ClaimPlace, used: impl Iterator<Item = ClaimPlace>) {
        self.proven.insert(place);
        for used in used {
            self.users.entry(used).or_default().push(place);
        }
    }

    /// Drops a claim.
    pub(super) fn drop(&mut self, place: ClaimPlace) {
        self.claims.drop(place);
        self.changed(place);
        if let ClaimPlace::Apart(group) = place {
            self.changed(ClaimPlace::Some(group));
        }
    }

    /// Drops what states refute. Says whether there was anything.
    pub(super) fn weaken(&mut self, states: &States) -> bool {
        let changed = self.claims.weaken(states);
        for &place in &changed {
            self.changed(place);
            // A fluent that leaves its old leader may be claimed to follow another.
            if let ClaimPlace::Same(fluent) = place
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
            let open: Vec<ClaimPlace> =
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
    fn changed(&mut self, place: ClaimPlace) {
        for user in self.users.remove(&place).unwrap_or_default().into_iter().chain([place]) {
            if self.proven.remove(&user) || user == place {
                self.open.push_back(user);
            }
        }
    }
}
