//! Permutations of fluents and moves, and the groups that they make.

use rustc_hash::FxHashSet;

use crate::game::{Move, Role, State};

/// A permutation of the fluents and moves of a game that maps its rules to themselves.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    /// By fluent: the one in its place.
    pub fluents: Vec<u32>,
    /// By role and move: the one in its place.
    pub moves: Vec<Vec<u32>>,
}

impl Symmetry {
    /// Of a permutation of vertices: fluents, then moves role by role.
    pub(super) fn new(images: &[u32], fluents: usize, counts: &[usize]) -> Self {
        let mut first = fluents;
        let of_role = |&count: &usize| {
            let images = &images[first..first + count];
            let moves = images.iter().map(|&image| image - first as u32).collect();
            first += count;
            moves
        };
        let moves = counts.iter().map(of_role).collect();
        Symmetry { fluents: images[..fluents].to_vec(), moves }
    }

    /// The one that changes nothing.
    fn identity(of: &Symmetry) -> Self {
        let same = |count: usize| (0..count as u32).collect();
        Symmetry {
            fluents: same(of.fluents.len()),
            moves: of.moves.iter().map(|moves| same(moves.len())).collect(),
        }
    }

    /// This one, and then the other.
    fn then(&self, other: &Symmetry) -> Symmetry {
        let through = |first: &[u32], second: &[u32]| -> Vec<u32> {
            first.iter().map(|&image| second[image as usize]).collect()
        };
        Symmetry {
            fluents: through(&self.fluents, &other.fluents),
            moves: self
                .moves
                .iter()
                .zip(&other.moves)
                .map(|(first, second)| through(first, second))
                .collect(),
        }
    }

    /// The image of a state.
    pub fn state(&self, state: &State) -> State {
        State::new(state.table(), state.iter().map(|fluent| self.fluents[fluent] as usize))
    }

    /// The image of a move.
    pub fn image(&self, role: Role, chosen: Move) -> Move {
        Move::new(chosen.table(), self.moves[role][chosen.index()])
    }

    /// The permutation that takes it back.
    pub fn inverse(&self) -> Symmetry {
        let back = |images: &[u32]| {
            let mut back = vec![0; images.len()];
            images.iter().enumerate().for_each(|(at, &image)| back[image as usize] = at as u32);
            back
        };
        Symmetry {
            fluents: back(&self.fluents),
            moves: self.moves.iter().map(|moves| back(moves)).collect(),
        }
    }

    /// Whether the set of fluents that are true at the start stays the same.
    fn keeps(&self, initially: &[bool]) -> bool {
        self.fluents
            .iter()
            .enumerate()
            .all(|(fluent, &image)| initially[fluent] == initially[image as usize])
    }
}

/// Permutations that are a group.
#[derive(Clone, Debug, Default)]
pub struct SymmetryGroup {
    /// All of them, the one that changes nothing first; none where there is no other.
    pub members: Vec<Symmetry>,
    /// Whether there are no more of them.
    pub is_whole: bool,
}

impl SymmetryGroup {
    /// Those made by generators that keep the start, as many generators as make at most so many.
    pub(super) fn new(generators: &[Symmetry], initially: &[bool], most: usize) -> Self {
        let Some(first) = generators.first() else {
            return SymmetryGroup { members: Vec::new(), is_whole: true };
        };
        let identity = Symmetry::identity(first);
        // Permutations that keep the start may be products of those that do not.
        if let Some(all) = closure(&identity, generators, most) {
            let members: Vec<Symmetry> =
                all.into_iter().filter(|member| member.keeps(initially)).collect();
            let members = if members.len() > 1 { members } else { Vec::new() };
            return SymmetryGroup { members, is_whole: true };
        }
        let mut kept: Vec<Symmetry> = Vec::new();
        let mut members = Vec::new();
        for generator in generators.iter().filter(|generator| generator.keeps(initially)) {
            kept.push(generator.clone());
            match closure(&identity, &kept, most) {
                Some(more) => members = more,
                None => _ = kept.pop(),
            }
        }
        SymmetryGroup { members, is_whole: false }
    }

    /// The least image of a state, and the permutation that leads to it; none where it is the state
    /// itself.
    pub fn canonical(&self, state: &State) -> Option<(State, &Symmetry)> {
        let mut best: Option<(State, &Symmetry)> = None;
        for member in self.members.iter().skip(1) {
            let image = member.state(state);
            let least = best.as_ref().map_or(state, |(least, _)| least);
            if image.words() < least.words() {
                best = Some((image, member));
            }
        }
        best
    }
}

/// All products of generators, the identity first, if there are at most so many.
fn closure(identity: &Symmetry, generators: &[Symmetry], most: usize) -> Option<Vec<Symmetry>> {
    let mut known: FxHashSet<Symmetry> = FxHashSet::from_iter([identity.clone()]);
    let mut members = vec![identity.clone()];
    let mut at = 0;
    while at < members.len() {
        for generator in generators {
            let product = members[at].then(generator);
            if known.insert(product.clone()) {
                members.push(product);
                if members.len() > most {
                    return None;
                }
            }
        }
        at += 1;
    }
    Some(members)
}
