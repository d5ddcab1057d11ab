//! A match while it is played: a file that only grows, by a line of JSON for each event.
//!
//! ```text
//! {"head": RECORD}                       the record before the first state
//! {"seats": {roles, players}}            who plays what, where that is known later
//! {"step": {number, moves, reports, state, time, errors}}    step 0 is the first state
//! {"end": {completed, goals}}            how the match ended
//! ```
//!
//! Each line is written once, so a match of n steps writes n lines. If a line is cut off because
//! the process was killed or the disk is full, only that line is lost.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::format::MatchRecord;

/// A line of a journal.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum JournalLine {
    Head(Box<MatchRecord>),
    Seats { roles: Vec<String>, players: Vec<String> },
    Step(StepLine),
    End { completed: bool, goals: Vec<Option<i32>> },
}

/// A state, and the joint move that led there; the first has none.
#[derive(Serialize, Deserialize)]
struct StepLine {
    number: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    reports: Vec<Option<Value>>,
    state: String,
    time: u64,
    errors: Vec<String>,
}

/// The journal of a match in progress. While it is open, no other process finishes it.
pub(super) struct Journal {
    file: File,
    /// The number of bytes in complete lines.
    length: u64,
    /// Whether an incomplete line may follow them.
    is_cut: bool,
    noted: Noted,
}

/// What is in the file.
#[derive(Clone, Default)]
struct Noted {
    /// The start time in the head.
    head: Option<u64>,
    seats: (Vec<String>, Vec<String>),
    states: usize,
    is_over: bool,
}

impl Journal {
    /// Makes a journal; `None` if the name is taken, also by a link.
    pub(super) fn create(path: &Path) -> io::Result<Option<Self>> {
        let file = match OpenOptions::new().append(true).create_new(true).open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(None),
            Err(error) => return Err(error),
        };
        // Some file systems do not support locks: there a journal has no owner and stays until it
        // is finished by hand. A process that looks for leftover journals may have seen the empty
        // file before it was locked.
        let is_lost = matches!(file.try_lock(), Err(TryLockError::WouldBlock))
            || fs::symlink_metadata(path).is_err();
        if is_lost {
            // The process that finishes leftover journals may have removed it already.
            let _ = fs::remove_file(path);
            return Ok(None);
        }
        Ok(Some(Journal { file, length: 0, is_cut: false, noted: Noted::default() }))
    }

    /// Adds what is new in a record. Nothing is lost after an error: the next call adds everything
    /// that is missing.
    pub(super) fn add(&mut self, record: &MatchRecord) -> io::Result<()> {
        let (lines, noted) = self.noted.news(record)?;
        if lines.is_empty() {
            return Ok(());
        }
        if self.is_cut {
            self.file.set_len(self.length)?;
        }
        self.is_cut = true;
        self.file.write_all(&lines)?;
        self.is_cut = false;
        self.length += lines.len() as u64;
        self.noted = noted;
        Ok(())
    }
}

impl Noted {
    /// The missing lines, and what is noted with them.
    fn news(&self, record: &MatchRecord) -> io::Result<(Vec<u8>, Noted)> {
        let mut lines = Vec::new();
        let mut noted = self.clone();
        let seats = (record.roles.clone(), record.player_names_from_host.clone());
        if noted.head != Some(record.start_time) {
            push(&mut lines, &JournalLine::Head(Box::new(head(record))))?;
            noted = Noted { head: Some(record.start_time), seats, ..Noted::default() };
        } else if noted.seats != seats {
            let (roles, players) = seats.clone();
            push(&mut lines, &JournalLine::Seats { roles, players })?;
            noted.seats = seats;
        }
        for number in noted.states..record.states.len() {
            push(&mut lines, &JournalLine::Step(step(record, number)))?;
        }
        noted.states = record.states.len();
        if record.is_over() && !noted.is_over {
            let (completed, goals) = (record.is_completed, record.goal_values.clone());
            push(&mut lines, &JournalLine::End { completed, goals })?;
            noted.is_over = true;
        }
        Ok((lines, noted))
    }
}

fn push(lines: &mut Vec<u8>, line: &JournalLine) -> io::Result<()> {
    serde_json::to_writer(&mut *lines, line)?;
    lines.push(b'\n');
    Ok(())
}

/// A record without the events of the match.
fn head(record: &MatchRecord) -> MatchRecord {
    MatchRecord {
        match_id: record.match_id.clone(),
        start_time: record.start_time,
        game_meta_url: record.game_meta_url.clone(),
        start_clock: record.start_clock,
        play_clock: record.play_clock,
        player_names_from_host: record.player_names_from_host.clone(),
        scrambled: record.scrambled,
        game: record.game.clone(),
        sheet: record.sheet.clone(),
        roles: record.roles.clone(),
        ..MatchRecord::default()
    }
}

fn step(record: &MatchRecord, number: usize) -> StepLine {
    let before = number.checked_sub(1);
    StepLine {
        number,
        moves: before.and_then(|at| record.moves.get(at).cloned()),
        reports: before.and_then(|at| record.reports.get(at).cloned()).unwrap_or_default(),
        state: record.states[number].clone(),
        time: record.state_times.get(number).copied().unwrap_or_default(),
        errors: record.errors.get(number).cloned().unwrap_or_default(),
    }
}

/// The record in the text of a journal, as far as the match had come; `None` if it is not a
/// journal.
pub(super) fn read_journal(text: &[u8]) -> Option<MatchRecord> {
    let mut lines = text.split(|&byte| byte == b'\n').map(serde_json::from_slice::<JournalLine>);
    let Some(Ok(JournalLine::Head(record))) = lines.next() else { return None };
    let mut record = *record;
    // After a line that cannot be read, only lines that do not depend on it count.
    for line in lines.flatten() {
        match line {
            JournalLine::Head(head) => record = *head,
            JournalLine::Seats { roles, players } => {
                (record.roles, record.player_names_from_host) = (roles, players);
            }
            JournalLine::Step(step) if step.number == record.states.len() => add(&mut record, step),
            JournalLine::Step(_) => break,
            JournalLine::End { completed: true, goals } => record.complete(goals),
            JournalLine::End { completed: false, .. } => record.abort(),
        }
    }
    Some(record)
}

fn add(record: &mut MatchRecord, step: StepLine) {
    if let Some(moves) = step.moves {
        record.moves.push(moves);
        record.reports.push(step.reports);
    }
    record.states.push(step.state);
    record.state_times.push(step.time);
    record.errors.push(step.errors);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Head;

    fn texts(list: &[&str]) -> Vec<String> {
        list.iter().map(|text| text.to_string()).collect()
    }

    /// A match of this many steps.
    fn record(steps: u64) -> MatchRecord {
        let head = Head { match_id: "m".into(), sheet: "(role a)".into(), ..Head::default() };
        let mut record = MatchRecord::new(head, 7);
        record.push_state(&texts(&["s"]), 8, texts(&["", "TO"]));
        for step in 1..=steps {
            record.push_moves(texts(&["up", "(Say 0)"]), &[None, None]);
            record.push_state(&texts(&["s", "t"]), 8 + step, texts(&["", ""]));
        }
        record
    }

    #[test]
    fn a_journal_is_read_as_the_record_it_was_written_from() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("m.part");
        let mut journal = Journal::create(&path).expect("a file").expect("a journal");
        assert!(Journal::create(&path).expect("no error").is_none());
        let mut match_ = MatchRecord { match_id: "m".into(), ..MatchRecord::default() };
        let mut check = |record: &MatchRecord| {
            journal.add(record).expect("written");
            let text = fs::read(&path).expect("a journal");
            assert_eq!(read_journal(&text).as_ref(), Some(record));
            text.len()
        };
        check(&match_);
        match_ = record(0);
        check(&match_);
        (match_.roles, match_.player_names_from_host) = (texts(&["a", "b"]), texts(&["x", "y"]));
        check(&match_);
        let MatchRecord { states, moves, reports, state_times, errors, .. } = record(3);
        match_ = MatchRecord { states, moves, reports, state_times, errors, ..match_ };
        let before = check(&match_);
        assert_eq!(check(&match_), before, "nothing is written twice");
        match_.complete(vec![Some(100), None]);
        check(&match_);
    }

    #[test]
    fn what_is_cut_off_loses_one_line() {
        let mut text = Noted::default().news(&record(2)).expect("lines").0;
        let whole = read_journal(&text).expect("a record");
        assert_eq!(whole.states.len(), 3);
        text.truncate(text.len() - 2);
        assert_eq!(read_journal(&text).expect("a record"), record(1));
        // Lines after a lost line cannot be used, and no end is claimed.
        text.extend(b"\n");
        let mut over = record(4);
        over.complete(vec![]);
        let noted = Noted { head: Some(7), states: 4, ..Noted::default() };
        text.extend(noted.news(&over).expect("lines").0);
        assert_eq!(read_journal(&text).expect("a record"), record(1));
        for text in ["", "{}", "[Event \"m\"]", "{\"head\":1}", "\n"] {
            assert_eq!(read_journal(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn half_a_line_is_taken_back_before_the_next() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("m.part");
        let mut journal = Journal::create(&path).expect("a file").expect("a journal");
        journal.add(&record(0)).expect("written");
        // As if the disk had been full in the middle of a line.
        journal.file.write_all(b"{\"step\":{\"num").expect("written");
        journal.is_cut = true;
        journal.add(&record(2)).expect("written");
        let text = fs::read(&path).expect("a journal");
        assert_eq!(read_journal(&text), Some(record(2)));
        assert_eq!(text.iter().filter(|&&byte| byte == b'\n').count(), 4);
    }
}
