//! What decides the course of the game, and what is only shown.

use super::super::rules::AtomId;
use super::work::{AtomKind, SharpenWork, Stopped, Ticker};

/// The atoms that something reads.
pub(super) struct AtomCone {
    /// Needed, directly or through later states, by a legal move, a goal or the end of the game.
    pub(super) play: Vec<bool>,
    /// Needed at all: by play, or to know a fluent of the next state.
    pub(super) live: Vec<bool>,
}

/// Follows the rules backwards, first from what play asks for, then from the other fluents.
pub(super) fn cone(work: &SharpenWork, ticker: &mut Ticker) -> Result<AtomCone, Stopped> {
    let mut marks = Marks { work, live: vec![false; work.atom_count()], open: Vec::new() };
    for (atom, kind) in work.kinds.iter().enumerate() {
        if matches!(kind, AtomKind::Legal(_) | AtomKind::Verdict) {
            marks.reach(atom as AtomId);
        }
    }
    marks.follow(ticker)?;
    let play = marks.live.clone();
    for (fluent, &next) in work.next_atoms.iter().enumerate() {
        if work.is_carried(fluent as u32) {
            marks.reach(next);
        }
    }
    marks.follow(ticker)?;
    Ok(AtomCone { play, live: marks.live })
}

struct Marks<'a> {
    work: &'a SharpenWork,
    live: Vec<bool>,
    open: Vec<AtomId>,
}

impl Marks<'_> {
    fn reach(&mut self, atom: AtomId) {
        if !std::mem::replace(&mut self.live[atom as usize], true) {
            self.open.push(atom);
        }
    }

    fn follow(&mut self, ticker: &mut Ticker) -> Result<(), Stopped> {
        let work = self.work;
        while let Some(atom) = self.open.pop() {
            if let AtomKind::True(fluent) = work.kinds[atom as usize] {
                self.reach(work.next_atoms[fluent as usize]);
            }
            let literals = work.bodies_of(atom);
            ticker.tick(1 + literals.len())?;
            for literal in literals {
                self.reach(literal.atom());
            }
        }
        Ok(())
    }
}
