//! People who choose their moves on the page. Nobody sees a choice before all have chosen.

use std::collections::HashMap;
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::manager::HumanInput;

/// The choices of a match's people for its next joint move.
#[derive(Default)]
pub(super) struct Seats {
    chosen: Mutex<Choices>,
    changed: Condvar,
}

#[derive(Default)]
struct Choices {
    /// By role.
    moves: HashMap<String, String>,
    is_closed: bool,
}

impl Seats {
    /// A person's choice; it may be changed until it is taken.
    pub(super) fn choose(&self, role: &str, text: &str) {
        self.lock().moves.insert(role.to_string(), text.to_string());
        self.changed.notify_all();
    }

    /// Forgets choices that were not taken: the next joint move begins.
    pub(super) fn clear(&self) {
        self.lock().moves.clear();
    }

    /// Everybody leaves.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Choices> {
        self.chosen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HumanInput for Seats {
    fn choose(&self, role: &str, _: &[String]) -> io::Result<Option<String>> {
        let mut chosen = self.lock();
        loop {
            if chosen.is_closed {
                return Ok(None);
            }
            if let Some(text) = chosen.moves.remove(role) {
                return Ok(Some(text));
            }
            chosen = self.changed.wait(chosen).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use super::*;

    #[test]
    fn choices_are_waited_for_until_everybody_leaves() {
        let seats = Arc::new(Seats::default());
        let asked = seats.clone();
        let waiting = thread::spawn(move || {
            let ask = |role| HumanInput::choose(&*asked, role, &[]).expect("no error");
            [ask("white"), ask("black"), ask("white")]
        });
        seats.choose("black", "b");
        seats.choose("white", "w");
        // The third question is never answered.
        while !seats.lock().moves.is_empty() {
            thread::yield_now();
        }
        seats.close();
        let found = waiting.join().expect("no panic");
        assert_eq!(found, [Some("w".to_string()), Some("b".to_string()), None]);
    }
}
