//! How a player plays: plain data with documented defaults.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tracing::Level;

use crate::pipeline::{Cache, PipelineOptions};
use crate::search::{Budget, Parameter, SettingError, Settings};
use crate::text::plain;

/// The options of a player.
#[derive(Clone, Debug, Default)]
pub struct AgentOptions {
    /// The search, and the time kept in reserve.
    pub settings: AgentSettings,
    /// How circuits are made, and the bounds of grounding. With a budget for each move no clock is
    /// read, not even for grounding: only its memory is bounded.
    pub pipeline: PipelineOptions,
    /// The seed of all its random choices.
    pub seed: u64,
    /// The budget for each move; none for all the time there is, including that of the others. With
    /// a budget the player waits for its circuit and does not ponder between its moves, so that on
    /// one thread the same seed gives the same moves.
    pub budget: Option<Budget>,
    /// Players with the same cache and the same sheet share the circuit and the program.
    pub cache: Cache,
    /// Receives log lines.
    pub log: Log,
}

/// The settings of a player that people choose by name.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentSettings {
    /// How it searches.
    pub search: Settings,
    /// The time kept in reserve before every deadline, since sending an answer takes time.
    pub margin: Duration,
    /// Whether a move that is clear after half of its time is played then.
    pub ends_early: bool,
}

impl AgentSettings {
    /// The margin as a parameter, in milliseconds.
    pub const MARGIN: Parameter = Parameter::count(
        "margin",
        "milliseconds kept in reserve before a deadline",
        300,
        0,
        60_000,
    );

    /// Whether clear moves are played early, as a parameter.
    pub const EARLY: Parameter = Parameter::switch(
        "early",
        "whether a move that is clear after half of its time is played then",
        true,
    );

    /// Changes the setting of that name: one of the player itself, or one of the search.
    pub fn set_value(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        if name == Self::MARGIN.name {
            self.margin = Duration::from_millis(Self::MARGIN.read(value)? as u64);
        } else if name == Self::EARLY.name {
            self.ends_early = Self::EARLY.read(value)? != 0.0;
        } else {
            self.search.set_value(name, value)?;
        }
        Ok(())
    }
}

impl From<Settings> for AgentSettings {
    /// A search with the default margin.
    fn from(search: Settings) -> Self {
        AgentSettings { search, margin: Duration::from_millis(300), ends_early: true }
    }
}

impl Default for AgentSettings {
    fn default() -> Self {
        Settings::default().into()
    }
}

/// Receives log lines about a match.
#[derive(Clone)]
pub struct Log(Arc<WriteLine>);

type WriteLine = dyn Fn(Level, &str) + Send + Sync;

impl Log {
    /// A log that hands each line to a function.
    pub fn new(write: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Log::with_levels(move |_, line| write(line))
    }

    /// A log that hands each line to a function, with its level.
    pub fn with_levels(write: impl Fn(Level, &str) + Send + Sync + 'static) -> Self {
        Log(Arc::new(write))
    }

    /// Writes a line with level INFO.
    pub fn line(&self, text: &str) {
        self.write(Level::INFO, text);
    }

    /// Writes one line. Line breaks in texts from outside cannot make it several.
    pub fn write(&self, level: Level, text: &str) {
        (self.0)(level, &plain(text));
    }
}

impl Default for Log {
    /// Discards all lines.
    fn default() -> Self {
        Log::new(|_| {})
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Log")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn a_line_is_one_line_whatever_others_say() {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let heard = lines.clone();
        let log = Log::new(move |line| heard.lock().expect("no panic").push(line.to_string()));
        log.line("first\n  --> second\r\n\u{1b}[2J\u{202e}third");
        let expected = "first --> second [2J\\u{202e}third";
        assert_eq!(*lines.lock().expect("no panic"), [expected]);
    }
}
