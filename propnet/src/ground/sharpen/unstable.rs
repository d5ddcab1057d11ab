//! Cycles through negation.
//!
//! The sheet is stratified, by relation or by argument, so such a ground cycle should not be
//! there; if one is, its rules mean something only together, and no pass may reason about its
//! atoms one by one. They are found once, by Tarjan's algorithm: a strongly connected component
//! with a negated literal inside. Rewriting makes no new ones, since what it puts in an atom's
//! place only reads what the atom read.

use super::super::rules::AtomId;
use super::work::{SharpenWork, Stopped, Ticker};

/// For each atom, whether it is part of a cycle through negation.
pub(super) fn unstable_atoms(
    work: &SharpenWork,
    ticker: &mut Ticker,
) -> Result<Vec<bool>, Stopped> {
    let mut search = UnstableSearch {
        work,
        order: vec![0; work.atom_count()],
        component: vec![UNKNOWN; work.atom_count()],
        stack: Vec::new(),
        frames: Vec::new(),
        visited: 0,
        components: 0,
    };
    // A cycle through negation passes through an atom that is read negated.
    for literal in work.rules.bodies(0..work.rules.len()) {
        if literal.negated() && search.order[literal.atom() as usize] == 0 {
            search.run(literal.atom(), ticker)?;
        }
    }
    let component = search.component;
    let mut bad = vec![false; search.components as usize];
    let mut any = false;
    for (head, body) in work.rules.iter() {
        let home = component[head as usize];
        for literal in body {
            if literal.negated() && home != UNKNOWN && component[literal.atom() as usize] == home {
                bad[home as usize] = true;
                any = true;
            }
        }
    }
    let mut unstable = vec![false; work.atom_count()];
    if any {
        for (flag, &home) in unstable.iter_mut().zip(&component) {
            *flag = home != UNKNOWN && bad[home as usize];
        }
    }
    Ok(unstable)
}

const UNKNOWN: u32 = u32::MAX;

struct UnstableSearch<'a> {
    work: &'a SharpenWork,
    /// When each atom was met, counted from one; 0 if not yet. While an atom is on the stack this
    /// sinks to the earliest atom that is known to be reached from it.
    order: Vec<u32>,
    component: Vec<u32>,
    stack: Vec<AtomId>,
    /// The path: each atom, its own time, and the next of its literals to follow.
    frames: Vec<(AtomId, u32, u32)>,
    visited: u32,
    components: u32,
}

impl UnstableSearch<'_> {
    fn run(&mut self, root: AtomId, ticker: &mut Ticker) -> Result<(), Stopped> {
        self.enter(root);
        while let Some(&mut (atom, time, ref mut at)) = self.frames.last_mut() {
            let literals = self.work.bodies_of(atom);
            if let Some(literal) = literals.get(*at as usize) {
                *at += 1;
                let other = literal.atom();
                if self.order[other as usize] == 0 {
                    self.enter(other);
                } else if self.component[other as usize] == UNKNOWN {
                    self.sink(atom, other);
                }
                continue;
            }
            ticker.tick(1 + literals.len())?;
            self.frames.pop();
            if self.order[atom as usize] == time {
                while let Some(member) = self.stack.pop() {
                    self.component[member as usize] = self.components;
                    if member == atom {
                        break;
                    }
                }
                self.components += 1;
            } else if let Some(&(parent, ..)) = self.frames.last() {
                self.sink(parent, atom);
            }
        }
        Ok(())
    }

    fn enter(&mut self, atom: AtomId) {
        self.visited += 1;
        self.order[atom as usize] = self.visited;
        self.stack.push(atom);
        self.frames.push((atom, self.visited, 0));
    }

    /// `atom` reaches what `other` reaches.
    fn sink(&mut self, atom: AtomId, other: AtomId) {
        let reached = self.order[other as usize];
        let own = &mut self.order[atom as usize];
        *own = (*own).min(reached);
    }
}
