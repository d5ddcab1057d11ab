//! What decides the course of the game, and what is only shown.

use super::super::rules::AtomId;
use super::work::{Kind, Stopped, Ticker, Work};

/// The atoms that something reads.
pub(super) struct Cone {
    /// Needed, directly or through later states, by a legal move, a goal or the end of the game.
    pub(super) play: Vec<bool>,
    /// Needed at all: by play, or to know a fluent of the next state.
    pub(super) live: Vec<bool>,
}

/// Follows the rules backwards, first from what play asks for, then from the other fluents.
pub(super) fn cone(work: &Work, ticker: &mut Ticker) -> Result<Cone, Stopped> {
    let mut marks = Marks { work, live: vec![false; work.atom_count()], open: Vec::new() };
    for (atom, kind) in work.kinds.iter().enumerate() {
        if matches!(kind, Kind::Legal(_) | Kind::Verdict) {
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
    Ok(Cone { play, live: marks.live })
}

struct Marks<'a> {
    work: &'a Work,
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
            if let Kind::True(fluent) = work.kinds[atom as usize] {
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
