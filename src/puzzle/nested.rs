//! Nested Monte-Carlo search: Cazenave 2009; for games of one role Méhat and Cazenave 2010.
//!
//! A playout of level 0 is random. One of level n tries every move by playouts of level n - 1, and
//! follows the best line that it knows. The random playouts of all moves run side by side in lanes.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::method::Task;
use super::playouts::{Begin, Lockstep, Playout, WORST};

/// The random playouts of a move at least; more while lanes are free.
const PLAYOUTS: usize = 4;
/// The highest level.
const HIGHEST: usize = 4;

/// Searches at level 1, 2, ..., again and again at the highest, until told to end.
pub(super) fn run(task: &Task<'_>) {
    let puzzle = task.puzzle;
    let mut search = Nested {
        task,
        lockstep: Lockstep::new(task),
        generator: Pcg64Mcg::seed_from_u64(task.seed),
    };
    let start = Begin { code: puzzle.start_code.clone(), moves: Vec::new() };
    for level in 1.. {
        if search.search(level.min(HIGHEST), &start).is_none() {
            return;
        }
    }
}

struct Nested<'t> {
    task: &'t Task<'t>,
    lockstep: Lockstep<'t>,
    generator: Pcg64Mcg,
}

impl Nested<'_> {
    /// The best line from a state that a search of this level finds; `None` when told to end.
    fn search(&mut self, level: usize, begin: &Begin) -> Option<Playout> {
        let mut best = Playout { moves: Vec::new(), value: WORST };
        let mut here = begin.clone();
        loop {
            let children = self.lockstep.children(&here);
            if children.is_empty() {
                return Some(best);
            }
            let found = match level {
                1 => self.random(&children)?,
                _ => self.deeper(level - 1, &children)?,
            };
            if best.moves.is_empty() || found.value > best.value {
                best = found;
            }
            // The best line that is known goes through one of the children.
            let chosen = best.moves.get(here.moves.len()).copied();
            let next = children.into_iter().find(|child| child.moves.last().copied() == chosen);
            match next {
                Some(next) => here = next,
                None => return Some(best),
            }
        }
    }

    fn deeper(&mut self, level: usize, children: &[Begin]) -> Option<Playout> {
        let mut best: Option<Playout> = None;
        for child in children {
            let found = self.search(level, child)?;
            if best.as_ref().is_none_or(|best| found.value > best.value) {
                best = Some(found);
            }
        }
        best
    }

    /// The best of random playouts from all of these states.
    fn random(&mut self, children: &[Begin]) -> Option<Playout> {
        let each = (self.lockstep.lanes() / 8 / children.len()).max(PLAYOUTS);
        let begins: Vec<Begin> =
            children.iter().flat_map(|child| std::iter::repeat_n(child.clone(), each)).collect();
        let mut best: Option<Playout> = None;
        for group in begins.chunks(self.lockstep.lanes()) {
            let generator = &mut self.generator;
            let playouts =
                self.lockstep.run(group, |_, _, legal| generator.random_range(0..legal.len()));
            for playout in playouts {
                if playout.value > WORST {
                    self.task.offer_if_better(&playout.moves, playout.value.0);
                }
                if best.as_ref().is_none_or(|best| playout.value > best.value) {
                    best = Some(playout);
                }
            }
            if !self.task.pace.goes_on(0) {
                return None;
            }
        }
        best
    }
}
