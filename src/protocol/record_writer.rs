//! Writes the record of a match in its own thread, so that no move waits for a disk. Only the end
//! of a match waits: until everything is written, or writing has failed once.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use tracing::Level;

use crate::agent::Log;
use crate::record::{Head, MatchRecord, Recorder, game_name};
use crate::search::Report;

/// An event in a match.
pub(super) enum RecordEvent {
    /// It begins, at this time.
    Begin { head: Head, time: u64 },
    /// The rules are read: who plays what.
    Seats { roles: Vec<String>, players: Vec<String> },
    /// A line for the log.
    Line(String),
    /// The state from this time on, and what led to it: the joint move, and the report of our own
    /// search.
    State { sentences: Vec<String>, time: u64, moved: Option<Box<PlayedMove>> },
    /// It is over.
    Completed(Vec<Option<i32>>),
    /// It was given up.
    Aborted,
}

impl RecordEvent {
    /// How the match ended, in words.
    pub(super) fn described(&self) -> String {
        let RecordEvent::Completed(goals) = self else {
            return "the game was not over".to_string();
        };
        let goal = |goal: &Option<i32>| goal.map_or("?".to_string(), |goal| goal.to_string());
        format!("the goals are {}", goals.iter().map(goal).collect::<Vec<_>>().join(" "))
    }
}

/// A joint move.
pub(super) struct PlayedMove {
    pub(super) joint: Vec<String>,
    /// When the manager sent it.
    pub(super) time: u64,
    /// The role that we play, if that is known, and the report of the search that found its move.
    pub(super) report: Option<(usize, Option<Report>)>,
}

/// A handle to the thread that writes the files of a match; without a folder it writes nothing.
#[derive(Default)]
pub(super) struct RecordWriter {
    events: Option<Sender<RecordEvent>>,
    /// Closed when the end is written, or writing it has failed.
    ended: Option<Receiver<()>>,
}

impl RecordWriter {
    /// Begins the files of a match in a folder.
    pub(super) fn start(folder: Option<&Path>, id: &str, log: &Log) -> Self {
        let Some(folder) = folder else { return RecordWriter::default() };
        let (events, received) = channel();
        let (files, log) = (RecordFiles::new(folder, id), log.clone());
        let (end, ended) = channel();
        let work = move || files.keep(&received, &log, end);
        // Without a thread the other ends of both channels are gone, and nothing waits.
        let _ = thread::Builder::new().name("record writer".to_string()).spawn(work);
        RecordWriter { events: Some(events), ended: Some(ended) }
    }

    /// Sends an event to the thread. A full disk must not end a match.
    pub(super) fn note(&self, event: RecordEvent) {
        if let Some(events) = &self.events {
            let _ = events.send(event);
        }
    }

    /// A function that writes lines into the log of the match.
    pub(super) fn lines(&self) -> impl Fn(&str) + Send + Sync + 'static {
        let events = self.events.clone();
        move |line| {
            if let Some(events) = &events {
                let _ = events.send(RecordEvent::Line(line.to_string()));
            }
        }
    }

    /// Waits until all is written, but not for a disk that is full.
    pub(super) fn finish(&mut self, event: RecordEvent) {
        self.note(event);
        self.events = None;
        if let Some(ended) = self.ended.take() {
            // Nothing is ever sent.
            let _ = ended.recv();
        }
    }
}

/// The seconds before each further attempt to write the end of a match: about a minute in all.
const PAUSES: [u64; 6] = [1, 2, 4, 8, 16, 30];

/// The files of a match and their contents.
struct RecordFiles {
    folder: PathBuf,
    id: String,
    /// None as long as the files could not be made.
    recorder: Option<Recorder>,
    record: MatchRecord,
    /// Lines of the log that are not written yet.
    lines: VecDeque<String>,
}

impl RecordFiles {
    fn new(folder: &Path, id: &str) -> Self {
        let record = MatchRecord { match_id: id.to_string(), ..MatchRecord::default() };
        let (folder, id) = (folder.to_path_buf(), id.to_string());
        RecordFiles { folder, id, recorder: None, record, lines: VecDeque::new() }
    }

    /// Writes all events. If writing fails, it tries again with the next event: a disk may be full
    /// only for a while. Nothing follows the end, so it tries that for some time, after it has
    /// closed `end`.
    fn keep(mut self, events: &Receiver<RecordEvent>, log: &Log, end: Sender<()>) {
        let mut has_failed = false;
        while let Ok(event) = events.recv() {
            let is_line = matches!(event, RecordEvent::Line(_));
            let is_last = matches!(event, RecordEvent::Completed(_) | RecordEvent::Aborted);
            self.note(event);
            let written = self.write(!is_line || has_failed);
            if let Err(error) = &written
                && !has_failed
            {
                log.write(Level::WARN, &format!("{}: the match is not recorded: {error}", self.id));
            }
            has_failed = written.is_err();
            // Others may hold a sender of log lines for long.
            if is_last {
                drop(end);
                if has_failed {
                    self.insist(log, &PAUSES);
                }
                return;
            }
        }
        // The end of the match was not sent, so it was not played to its end.
        self.note(RecordEvent::Aborted);
        if let Err(error) = self.write(true) {
            log.write(Level::WARN, &format!("{}: the match is not recorded: {error}", self.id));
        }
    }

    /// Tries to write the end of a match again and again, with a pause of this many seconds before
    /// each attempt.
    fn insist(&mut self, log: &Log, pauses: &[u64]) {
        let mut last = None;
        for &pause in pauses {
            thread::sleep(Duration::from_secs(pause));
            match self.write(true) {
                Ok(()) => return log.line(&format!("{}: the match is recorded", self.id)),
                Err(error) => last = Some(error),
            }
        }
        if let Some(error) = last {
            let text = format!(
                "{}: the record is not finished: {error}; what is in its journal will be when a \
                 match is next recorded in this folder",
                self.id
            );
            log.write(Level::WARN, &text);
        }
    }

    fn note(&mut self, event: RecordEvent) {
        match event {
            RecordEvent::Line(line) => self.lines.push_back(line),
            RecordEvent::Begin { head, time } => {
                // Managers do not send the name of the game.
                let game = game_name(&head.sheet);
                self.record = MatchRecord::new(Head { game, ..head }, time);
            }
            RecordEvent::Seats { roles, players } => {
                self.record.roles = roles;
                self.record.player_names_from_host = players;
            }
            RecordEvent::State { sentences, time, moved } => {
                let roles = self.record.roles.len();
                if let Some(moved) = moved {
                    let PlayedMove { joint, report, .. } = *moved;
                    let mut reports = vec![None; roles];
                    if let Some((role, report)) = report
                        && let Some(own) = reports.get_mut(role)
                    {
                        *own = report;
                    }
                    self.record.push_moves(joint, &reports);
                }
                self.record.push_state(&sentences, time, vec![String::new(); roles]);
            }
            RecordEvent::Completed(goals) => self.record.complete(goals),
            RecordEvent::Aborted => self.record.abort(),
        }
    }

    fn write(&mut self, with_record: bool) -> io::Result<()> {
        let recorder = match &mut self.recorder {
            Some(recorder) => recorder,
            none => none.insert(Recorder::create(&self.folder, &self.id)?),
        };
        while let Some(line) = self.lines.front() {
            recorder.log(line)?;
            self.lines.pop_front();
        }
        if with_record { recorder.save(&self.record) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::record::read_record;

    #[test]
    fn what_could_not_be_written_is_written_later() {
        let folder = tempfile::tempdir().expect("a folder");
        // A file where the folder should be.
        let out = folder.path().join("out");
        fs::write(&out, "").expect("a file");
        let mut files = RecordFiles::new(&out, "m");
        let head = Head { match_id: "m".to_string(), ..Head::default() };
        files.note(RecordEvent::Begin { head, time: 7 });
        files.note(RecordEvent::Line("begins".to_string()));
        assert!(files.write(true).is_err());
        fs::remove_file(&out).expect("no file");
        files.note(RecordEvent::State { sentences: vec!["s".to_string()], time: 8, moved: None });
        files.write(true).expect("a record");
        // And something where the record should be.
        let blocked = out.join("m.json");
        fs::create_dir(&blocked).expect("a folder");
        files.note(RecordEvent::State { sentences: vec!["t".to_string()], time: 9, moved: None });
        files.write(true).expect("a journal needs no record");
        files.note(RecordEvent::Aborted);
        assert!(files.write(true).is_err());
        files.insist(&Log::default(), &[0]);
        // The journal knows how it ended, should this process end now.
        let journal = fs::read(out.join("m.part")).expect("a journal");
        assert!(read_record(&journal).expect("a record").is_aborted);
        fs::remove_dir(blocked).expect("no folder");
        files.insist(&Log::default(), &[0]);
        assert!(!out.join("m.part").exists());
        let text = fs::read_to_string(out.join("m.json")).expect("a record");
        let record: MatchRecord = serde_json::from_str(&text).expect("a record");
        assert_eq!((record.states, record.is_aborted), (vec!["(s)".into(), "(t)".into()], true));
        assert_eq!((record.start_time, record.state_times), (7, vec![8, 9]));
        let log = fs::read_to_string(out.join("m.log")).expect("a log");
        assert!(log.ends_with(" begins\n") && log.lines().count() == 1, "{log}");
    }
}
