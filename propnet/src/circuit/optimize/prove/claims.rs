//! What is claimed about all states, to be proven or dropped: fluents that never change or go
//! with others, and groups of which never two are true.

use rustc_hash::FxHashMap;

use super::super::super::circuit::{Circuit, FluentKind, FluentPort, Group};
use super::super::simulate::States;

/// Claims about all states that can be reached. Seeing states makes them weaker, never stronger.
#[derive(Clone, Debug, Default)]
pub(crate) struct Claims {
    /// By fluent; `None` where nothing is claimed.
    pub(crate) same: Vec<Option<Same>>,
    /// Groups, fluents by their index, those worth keeping first.
    pub(crate) groups: Vec<Group>,
    /// How many of the groups are known to be true already.
    pub(crate) known: usize,
}

/// A fluent is always what another is, or its complement, or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Same {
    /// The other fluent, which has a smaller index; without one, false.
    pub(crate) leader: Option<u32>,
    /// Whether it is the complement of that.
    pub(crate) opposite: bool,
}

/// A claim, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum ClaimPlace {
    /// A fluent is the same as another.
    Same(usize),
    /// No two of a group are true.
    Apart(usize),
    /// One of a group is true.
    Some(usize),
}

impl Claims {
    /// The claims that carried fluents are the same, as far as these states show.
    pub(crate) fn same(circuit: &Circuit, seen: &[States]) -> Vec<Option<Same>> {
        let claim = |port: &FluentPort| {
            let same = Same { leader: None, opposite: port.initially };
            (port.kind == FluentKind::Carried).then_some(same)
        };
        let same = circuit.fluents.iter().map(claim).collect();
        let mut claims = Claims { same, ..Claims::default() };
        for states in seen {
            claims.weaken(states);
        }
        claims.same
    }

    /// All places where something is claimed.
    pub(crate) fn places(&self) -> Vec<ClaimPlace> {
        let groups =
            (0..self.groups.len()).flat_map(|at| [ClaimPlace::Apart(at), ClaimPlace::Some(at)]);
        let same = (0..self.same.len()).map(ClaimPlace::Same);
        groups.chain(same).filter(|&place| self.has(place)).collect()
    }

    /// Whether anything is claimed there.
    pub(crate) fn has(&self, place: ClaimPlace) -> bool {
        match place {
            ClaimPlace::Same(fluent) => self.same[fluent].is_some(),
            ClaimPlace::Apart(group) => self.groups[group].members.len() > 1,
            ClaimPlace::Some(group) => self.groups[group].exactly_one,
        }
    }

    /// Whether the claim is known to be true.
    pub(crate) fn is_known(&self, place: ClaimPlace) -> bool {
        matches!(place, ClaimPlace::Apart(group) | ClaimPlace::Some(group) if group < self.known)
    }

    /// The fluents that a claim is about.
    pub(crate) fn fluents(&self, place: ClaimPlace) -> Vec<u32> {
        match place {
            ClaimPlace::Same(fluent) => {
                let leader = self.same[fluent].and_then(|same| same.leader);
                [fluent as u32].into_iter().chain(leader).collect()
            }
            ClaimPlace::Apart(group) | ClaimPlace::Some(group) => {
                self.groups[group].members.clone()
            }
        }
    }

    /// Drops a claim.
    pub(crate) fn drop(&mut self, place: ClaimPlace) {
        match place {
            ClaimPlace::Same(fluent) => self.same[fluent] = None,
            ClaimPlace::Apart(group) => {
                self.groups[group].members.clear();
                self.groups[group].exactly_one = false;
            }
            ClaimPlace::Some(group) => self.groups[group].exactly_one = false,
        }
    }

    /// The claims that do not hold in these states.
    pub(crate) fn broken(&self, states: &States) -> Vec<ClaimPlace> {
        let mut broken = Vec::new();
        for (at, group) in self.groups.iter().enumerate() {
            let (mut any, mut two) = (0, 0);
            for &member in &group.members {
                let word = states[member as usize];
                two |= any & word;
                any |= word;
            }
            broken.extend((two != 0).then_some(ClaimPlace::Apart(at)));
            broken.extend((group.exactly_one && any != !0).then_some(ClaimPlace::Some(at)));
        }
        let is_broken =
            |fluent: &usize| self.same[*fluent].is_some_and(|same| !same.holds(*fluent, states));
        broken.extend((0..self.same.len()).filter(is_broken).map(ClaimPlace::Same));
        broken
    }

    /// Drops what these states refute, and says what was changed by that.
    pub(crate) fn weaken(&mut self, states: &States) -> Vec<ClaimPlace> {
        let mut changed = Vec::new();
        self.weaken_same(states, &mut changed);
        for at in self.known..self.groups.len() {
            self.weaken_group(at, states, &mut changed);
        }
        changed
    }

    fn weaken_same(&mut self, states: &States, changed: &mut Vec<ClaimPlace>) {
        // By old leader and word, relative to the leader: the new leader, and its side.
        let mut leaders: FxHashMap<(Option<u32>, u64), (u32, bool)> = FxHashMap::default();
        for fluent in 0..self.same.len() {
            let Some(same) = self.same[fluent] else { continue };
            if same.holds(fluent, states) {
                continue;
            }
            changed.push(ClaimPlace::Same(fluent));
            let own = (fluent as u32, same.opposite);
            let word = states[fluent] ^ mask(same.opposite);
            let &mut (leader, side) = leaders.entry((same.leader, word)).or_insert(own);
            self.same[fluent] = (leader != fluent as u32)
                .then_some(Same { leader: Some(leader), opposite: same.opposite != side });
        }
    }

    /// Members that are true beside one that comes before them leave their group.
    fn weaken_group(&mut self, at: usize, states: &States, changed: &mut Vec<ClaimPlace>) {
        let group = &mut self.groups[at];
        let count = group.members.len();
        let mut any = 0;
        group.members.retain(|&member| {
            let word = states[member as usize];
            let is_apart = any & word == 0;
            any |= if is_apart { word } else { 0 };
            is_apart
        });
        if group.members.len() != count {
            changed.extend([ClaimPlace::Apart(at), ClaimPlace::Some(at)]);
        } else if group.exactly_one && any != !0 {
            changed.push(ClaimPlace::Some(at));
        }
        group.exactly_one &= any == !0;
    }
}

impl Same {
    /// Whether the fluent is what it is said to be in all of these states.
    fn holds(self, fluent: usize, states: &States) -> bool {
        let leader = self.leader.map_or(0, |leader| states[leader as usize]);
        states[fluent] == leader ^ mask(self.opposite)
    }
}

fn mask(is_set: bool) -> u64 {
    if is_set { !0 } else { 0 }
}
