//! What is known of a match, with the keys that other GGP servers use and a few of our own.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::search::Report;

/// A match, as far as it has come.
///
/// `states[k]` was reached after `k` joint moves, at `state_times[k]`, and `errors[k]` are the
/// players' errors on the way to it: first those at the start of the match, then those of each
/// joint move. `moves[k]` and `reports[k]` lead from `states[k]` to the next state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MatchRecord {
    /// The identifier of the match.
    pub match_id: String,
    /// Milliseconds since the start of 1970.
    pub start_time: u64,
    /// Where the rules are published; `None` if they are not.
    #[serde(rename = "gameMetaURL")]
    pub game_meta_url: Option<String>,
    /// Whether it was played to its end.
    pub is_completed: bool,
    /// Whether it ended early.
    pub is_aborted: bool,
    /// The states, each as a list of sentences.
    pub states: Vec<String>,
    /// The joint moves, a text for each role.
    pub moves: Vec<Vec<String>>,
    /// When the states were reached, in milliseconds since the start of 1970.
    pub state_times: Vec<u64>,
    /// What went wrong, for each state and role; empty if nothing did. `TO` is a move that came too
    /// late or not at all, `CE` a broken connection, `IL text` an illegal move or a start that was
    /// not answered with `ready`.
    pub errors: Vec<Vec<String>>,
    /// The goals, if the match is completed; `None` where the rules give no proper one.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "goals")]
    pub goal_values: Vec<Option<i32>>,
    /// Seconds before the first move.
    #[serde(serialize_with = "seconds")]
    pub start_clock: f64,
    /// Seconds for each move.
    #[serde(serialize_with = "seconds")]
    pub play_clock: f64,
    /// The players, by role; `unknown` where only the manager knows.
    pub player_names_from_host: Vec<String>,
    /// Whether the names in the rules were replaced by others.
    pub scrambled: bool,
    /// The name of the game; if only the rules are known, see [`super::game_name`].
    pub game: String,
    /// The rules, as text.
    pub sheet: String,
    /// The roles, in their order.
    pub roles: Vec<String>,
    /// For each joint move and role, the report of its search, if there was one.
    #[serde(deserialize_with = "or_none")]
    pub reports: Vec<Vec<Option<Value>>>,
}

/// Goals as other servers write them: a value that is not a whole number in range is not a proper
/// goal.
fn goals<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Option<i32>>, D::Error> {
    let values = Option::<Vec<Value>>::deserialize(deserializer)?.unwrap_or_default();
    let goal = |value: Value| {
        let number = value.as_f64().filter(|number| number.fract() == 0.0)?;
        (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&number).then_some(number as i32)
    };
    Ok(values.into_iter().map(goal).collect())
}

/// Reads `null` as the default value.
fn or_none<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}

/// Writes whole seconds as whole numbers, as other GGP servers do.
fn seconds<S: Serializer>(seconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if seconds.fract() == 0.0 && (0.0..1e15).contains(seconds) {
        serializer.serialize_u64(*seconds as u64)
    } else {
        serializer.serialize_f64(*seconds)
    }
}

/// What is known of a match before it begins.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// The identifier of the match.
    pub match_id: String,
    /// The name of the game.
    pub game: String,
    /// The rules, as text.
    pub sheet: String,
    /// The roles, in their order.
    pub roles: Vec<String>,
    /// The players, by role.
    pub players: Vec<String>,
    /// The time before the first move.
    pub start_clock: Duration,
    /// The time for each move.
    pub play_clock: Duration,
}

/// The number of moves per role that are kept of a report: with all moves, the record of a long
/// match of a game with many moves would become huge.
const KEPT_MOVES: usize = 8;

/// The number of joint moves that are kept of a report's principal variation.
const KEPT_LINE: usize = 16;

impl MatchRecord {
    /// A match that begins now.
    pub fn new(head: Head, start_time: u64) -> Self {
        MatchRecord {
            match_id: head.match_id,
            start_time,
            start_clock: head.start_clock.as_secs_f64(),
            play_clock: head.play_clock.as_secs_f64(),
            player_names_from_host: head.players,
            game: head.game,
            sheet: head.sheet,
            roles: head.roles,
            ..MatchRecord::default()
        }
    }

    /// Adds a state, with what went wrong on the way to it.
    pub fn push_state(&mut self, sentences: &[String], time: u64, errors: Vec<String>) {
        self.states.push(format!("({})", sentences.join(" ")));
        self.state_times.push(time);
        self.errors.push(errors);
    }

    /// Adds a joint move, with the reports of its searches.
    pub fn push_moves(&mut self, moves: Vec<String>, reports: &[Option<Report>]) {
        self.moves.push(moves);
        let reports = reports.iter().map(|report| report.as_ref().and_then(shortened));
        self.reports.push(reports.collect());
    }

    /// Marks the match as played to its end.
    pub fn complete(&mut self, goals: Vec<Option<i32>>) {
        self.is_completed = true;
        self.goal_values = goals;
    }

    /// Marks the match as ended early.
    pub fn abort(&mut self) {
        self.is_aborted = true;
    }

    /// Whether nothing more will happen in it.
    pub fn is_over(&self) -> bool {
        self.is_completed || self.is_aborted
    }

    /// How often something went wrong with a role's player.
    pub fn error_count(&self, role: usize) -> usize {
        let errors = self.errors.iter().filter_map(|errors| errors.get(role));
        errors.filter(|error| !error.is_empty()).count()
    }
}

fn shortened(report: &Report) -> Option<Value> {
    let mut report = report.clone();
    for role in &mut report.roles {
        role.moves.truncate(KEPT_MOVES);
    }
    report.principal_line.truncate(KEPT_LINE);
    serde_json::to_value(&report).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_as_the_same() {
        let head = Head {
            match_id: "m".to_string(),
            roles: vec!["a".to_string(), "b".to_string()],
            start_clock: Duration::from_secs(10),
            play_clock: Duration::from_millis(500),
            ..Head::default()
        };
        let mut record = MatchRecord::new(head, 7);
        let texts = |list: [&str; 2]| list.map(String::from).to_vec();
        record.push_state(&texts(["(n 0)", "over"]), 8, texts(["", "TO"]));
        record.push_moves(texts(["up", "(Say 0)"]), &[None, None]);
        record.push_state(&[], 9, texts(["IL (x", ""]));
        record.complete(vec![Some(100), None]);
        let text = serde_json::to_string(&record).expect("JSON");
        let read: MatchRecord = serde_json::from_str(&text).expect("a record");
        assert_eq!(read, record);
        assert!(text.contains(r#""startClock":10,"playClock":0.5"#), "{text}");
        assert!(text.contains(r#""gameMetaURL":null"#), "{text}");
        assert_eq!(record.states, ["((n 0) over)", "()"]);
        assert_eq!((record.error_count(0), record.error_count(1)), (1, 1));
    }
}
