//! Matches with people: who is asked, in which order, and what they see.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use ludens::manager::{Console, EndReason};

use super::table::{play, setup};
use crate::support::SMALL;

/// What was shown.
#[derive(Clone, Default)]
struct Screen(Arc<Mutex<Vec<u8>>>);

impl Screen {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().expect("a lock")).into_owned()
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("a lock").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn people_are_asked_one_after_the_other() {
    let screen = Screen::default();
    let mut setup = setup(SMALL, &["human", "human"]);
    setup.console = Console::new("say 0\n2\n".as_bytes(), screen.clone());
    let record = play(&setup).record;
    assert_eq!(record.moves, [["(Say 0)", "up"], ["up", "up"]]);
    let shown = screen.text();
    let (a, b) = (shown.find("a, your move"), shown.find("b, your move"));
    assert!(a.is_some() && a < b, "{shown}");
    // In the second step there is nothing to choose.
    assert_eq!(shown.matches("your move").count(), 2, "{shown}");
    assert!(shown.starts_with("  1 (Say 0)   2 up\n"), "{shown}");
}

#[test]
fn what_people_mistype_is_no_error() {
    let mut setup = setup(SMALL, &["human", "uct"]);
    setup.console = Console::new("say 9\n\n7\nup\n".as_bytes(), io::sink());
    let record = play(&setup).record;
    assert_eq!((record.moves[0][0].as_str(), record.error_count(0)), ("up", 0));
}

#[test]
fn whoever_leaves_ends_the_match() {
    for input in ["", "q\n", "say 9\n"] {
        let mut setup = setup(SMALL, &["random", "human"]);
        setup.console = Console::new(input.as_bytes(), io::sink());
        let outcome = play(&setup);
        assert_eq!(outcome.end, EndReason::Left(1), "{input:?}");
        assert!(outcome.record.is_aborted && outcome.record.moves.is_empty());
    }
}
