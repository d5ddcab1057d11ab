//! Where a record starts, and the moves that it makes.

use propnet::gdl::Source;

use super::format::MatchRecord;
use crate::start::{Given, ScriptedMove, StartError, read_sentences};

impl MatchRecord {
    /// The joint moves. `name` stands for the record in error messages.
    pub fn script(&self, name: &str) -> Vec<ScriptedMove> {
        let script = |(at, moves): (usize, &Vec<String>)| {
            let place = format!("{name}: step {}", at + 1);
            let given = |text: String| Given { text, place: place.clone() };
            let entries = moves.iter().map(|text| Some(given(text.clone())));
            ScriptedMove {
                moves: entries.collect(),
                given: given(format!("({})", moves.join(" "))),
            }
        };
        self.moves.iter().enumerate().map(script).collect()
    }

    /// The sentences of the state after this many joint moves, if the record has it.
    pub fn state(&self, name: &str, step: usize) -> Result<Option<Vec<Given>>, StartError> {
        let read = |text: &String| {
            read_sentences(&Source::from_text(format!("{name}: state {step}"), text))
        };
        self.states.get(step).map(read).transpose()
    }
}
