//! Bytes of a file -> a match, in any of the formats of records.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::format::MatchRecord;
use super::journal::read_journal;
use super::read_pgn::read_pgn;

/// Why something cannot be read as the record of a match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// It is in none of the known formats.
    #[error(
        "not the record of a match: expected a record in JSON, a journal (.part), or a game in a \
         PGN-like format"
    )]
    Unknown,
    /// It is JSON, but not a record.
    #[error("not the record of a match: {0}")]
    Json(String),
    /// There are several records in it.
    #[error("{0} records in one list: put the one you mean into its own file")]
    Several(usize),
    /// It looks like PGN.
    #[error("not a game in a PGN-like format: line {line}: {message}")]
    Pgn {
        /// The line, counted from one.
        line: usize,
        /// What is wrong there.
        message: String,
    },
}

/// Whether bytes look like a record: a list of joint moves never begins like one.
pub fn is_record(bytes: &[u8]) -> bool {
    matches!(without_mark(bytes).trim_ascii_start().first(), Some(b'{' | b'['))
}

/// Reads the record of a match: our own, finished or as a journal, in JSON or in the style of PGN;
/// or that of another game server, whose JSON has the same keys.
pub fn read_record(bytes: &[u8]) -> Result<MatchRecord, ReadError> {
    let bytes = without_mark(bytes).trim_ascii_start();
    match bytes.first() {
        Some(b'{') => match read_journal(bytes) {
            Some(record) => Ok(record),
            None => read_json(bytes),
        },
        Some(b'[') if is_tag(bytes) => read_pgn(&String::from_utf8_lossy(bytes)),
        Some(b'[') => read_list(bytes),
        _ => Err(ReadError::Unknown),
    }
}

/// The bytes after a byte order mark.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
}

/// Whether a name follows the bracket, as in the first tag of PGN.
fn is_tag(bytes: &[u8]) -> bool {
    bytes[1..].trim_ascii_start().first().is_some_and(u8::is_ascii_alphabetic)
}

fn read_json(bytes: &[u8]) -> Result<MatchRecord, ReadError> {
    // Everything else may be absent. Without moves it is not a record.
    let found: Moves = serde_json::from_slice(bytes).map_err(unreadable)?;
    if found.moves.is_none() {
        return Err(ReadError::Json("it has no \"moves\"".to_string()));
    }
    serde_json::from_slice(bytes).map_err(unreadable)
}

/// Whether a document has moves, in any form.
#[derive(Deserialize)]
struct Moves {
    moves: Option<IgnoredAny>,
}

/// A list of records, such as `match --rounds N --json` prints, with one in it.
fn read_list(bytes: &[u8]) -> Result<MatchRecord, ReadError> {
    let list: Vec<MatchRecord> = serde_json::from_slice(bytes).map_err(unreadable)?;
    match <[MatchRecord; 1]>::try_from(list) {
        Ok([record]) => Ok(record),
        Err(list) => Err(ReadError::Several(list.len())),
    }
}

fn unreadable(error: serde_json::Error) -> ReadError {
    ReadError::Json(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::journal::Journal;
    use crate::record::pgn;

    #[test]
    fn records_of_other_servers_are_read() {
        let text = r#"{"matchId": "base.1", "randomToken": "x", "startTime": 1300000000000,
            "gameMetaURL": "http://games.ggp.org/base/games/ticTacToe/v0/", "isCompleted": true,
            "states": ["( ( cell 1 1 b ) ( control xplayer ) )"],
            "moves": [["( mark 1 1 )", "noop"]], "stateTimes": [1, 2], "goalValues": [100, 0],
            "previewClock": -1, "startClock": 30, "playClock": 15, "scrambled": false}"#;
        let record = read_record(text.as_bytes()).expect("a record");
        assert_eq!((record.match_id.as_str(), record.sheet.as_str()), ("base.1", ""));
        assert_eq!(record.moves, [["( mark 1 1 )", "noop"]]);
        assert_eq!(record.goal_values, [Some(100), Some(0)]);
    }

    #[test]
    fn what_is_no_record_is_refused() {
        for (text, said) in [
            ("", "expected a record in JSON"),
            ("(mark 1 1)", "expected a record in JSON"),
            ("{}", "it has no \"moves\""),
            ("{\"moves\": 1}", "invalid type"),
            ("{\"moves\": [[1]]}", "invalid type"),
            ("{\"moves\": [", "EOF"),
            ("[]", "0 records in one list"),
            ("[{}, {}]", "2 records in one list"),
            ("[1]", "invalid type"),
            ("[Event \"m\"]\n(", "line 2"),
        ] {
            let error = read_record(text.as_bytes()).expect_err("no record").to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
        assert!(is_record(b"\xef\xbb\xbf {") && is_record(b"\n[") && !is_record(b"(a b) {"));
    }

    #[test]
    fn no_part_of_a_record_is_a_panic() {
        let texts = |list: [&str; 2]| list.map(String::from).to_vec();
        let mut record = MatchRecord { match_id: "\"é\\".into(), ..MatchRecord::default() };
        record.push_state(&texts(["a", "(b é)"]), 1, Vec::new());
        record.push_moves(texts(["(é {%})", "\"go"]), &[]);
        record.push_state(&[], 2, Vec::new());
        record.complete(vec![Some(-1), None]);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("m.part");
        let mut journal = Journal::create(&path).expect("a file").expect("a journal");
        journal.add(&record).expect("written");
        let journal = std::fs::read(path).expect("a journal");
        let json = serde_json::to_vec(&record).expect("JSON");
        for whole in [json, journal, pgn(&record).into_bytes()] {
            assert_eq!(read_record(&whole).expect("a record").moves, record.moves);
            for at in 0..whole.len() {
                let _ = read_record(&whole[..at]);
                for other in [b'(', b'"', b'%', b'-', b'\\', 0xff] {
                    let mut changed = whole.clone();
                    changed[at] = other;
                    let _ = read_record(&changed);
                }
            }
        }
    }
}
