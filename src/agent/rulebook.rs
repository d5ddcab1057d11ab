//! What answers questions about states: the reference reasoner with patience, or a circuit.

use std::sync::{Arc, Weak};

use propnet::game::Game;
use propnet::gdl::Rules;
use propnet::reference::{Limits, Reasoner};

use crate::search::Search;

/// Whatever has a game that answers questions.
pub(super) trait Rulebook {
    fn game(&mut self) -> &mut dyn Game;

    /// Makes room for a question that was too large, if there is more. All states have to be asked
    /// for anew then.
    fn widen(&mut self) -> bool {
        false
    }
}

/// The game of a search, which need not be run for that.
impl Rulebook for Search {
    fn game(&mut self) -> &mut dyn Game {
        Search::game(self)
    }
}

/// The reference reasoner, which cannot be interrupted. So it is not given all the room for a
/// question at once: in between it is seen whether anybody waits for the answer. What nobody waits
/// for is over after a few times as long as it was waited for, and what is asked again and again
/// costs a third more than all at once.
pub(super) struct PatientReasoner {
    rules: Arc<Rules>,
    reasoner: Reasoner,
    /// The room for a question is all that there may be, divided by this.
    share: u64,
    asker: Weak<()>,
}

/// The share at first, and what it is divided by.
const FIRST_SHARE: u64 = 64;
const STEP: u64 = 4;

impl PatientReasoner {
    /// A reasoner that works as long as its asker is there.
    pub(super) fn new(rules: Arc<Rules>, asker: Weak<()>) -> Self {
        let reasoner = Reasoner::with_limits(&rules, limits(FIRST_SHARE));
        PatientReasoner { rules, reasoner, share: FIRST_SHARE, asker }
    }
}

impl Rulebook for PatientReasoner {
    fn game(&mut self) -> &mut dyn Game {
        &mut self.reasoner
    }

    fn widen(&mut self) -> bool {
        if self.share == 1 || self.asker.strong_count() == 0 {
            return false;
        }
        self.share /= STEP;
        self.reasoner = Reasoner::with_limits(&self.rules, limits(self.share));
        true
    }
}

fn limits(share: u64) -> Limits {
    let all = Limits::default();
    Limits { facts: all.facts / share, bytes: all.bytes / share, work: all.work / share }
}
