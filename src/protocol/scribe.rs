//! Writes a match down in a thread of its own: no answer waits for a disk.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use crate::agent::Log;
use crate::record::{Head, MatchRecord, Recorder, now};
use crate::search::Report;

/// What happens in a match.
pub(super) enum Event {
    /// It begins.
    Begin(Head),
    /// A line for the log.
    Line(String),
    /// What is true now, and what led there: the joint move, and our own search behind it.
    State { sentences: Vec<String>, moved: Option<Moved> },
    /// It is over.
    Completed(Vec<Option<i32>>),
    /// It was given up.
    Aborted,
}

/// A joint move.
pub(super) struct Moved {
    pub(super) joint: Vec<String>,
    /// The role that we play, and the search behind its move.
    pub(super) report: (usize, Option<Report>),
}

/// The way to a match's files; to nothing where none are wanted.
#[derive(Default)]
pub(super) struct Scribe {
    events: Option<Sender<Event>>,
    thread: Option<JoinHandle<()>>,
}

impl Scribe {
    /// Begins the files of a match in a folder.
    pub(super) fn start(folder: Option<&Path>, id: &str, log: &Log) -> Self {
        let Some(folder) = folder else { return Scribe::default() };
        let (events, received) = channel();
        let (folder, id, log) = (PathBuf::from(folder), id.to_string(), log.clone());
        let thread = thread::Builder::new().name("scribe".to_string()).spawn(move || {
            if let Err(error) = write(&folder, &id, &received) {
                log.line(&format!("{id}: the match is not written down: {error}"));
            }
        });
        Scribe { events: Some(events), thread: thread.ok() }
    }

    /// Writes something down, soon. A disk that is full must not end a match.
    pub(super) fn note(&self, event: Event) {
        if let Some(events) = &self.events {
            let _ = events.send(event);
        }
    }

    /// Someone who writes lines into the log of the match, too.
    pub(super) fn lines(&self) -> impl Fn(&str) + Send + Sync + 'static {
        let events = self.events.clone();
        move |line| {
            if let Some(events) = &events {
                let _ = events.send(Event::Line(line.to_string()));
            }
        }
    }

    /// Waits until all is written.
    pub(super) fn finish(&mut self, event: Event) {
        self.note(event);
        self.events = None;
        if let Some(thread) = self.thread.take() {
            // Its own panic is all that it could have to say.
            let _ = thread.join();
        }
    }
}

fn write(folder: &Path, id: &str, events: &Receiver<Event>) -> std::io::Result<()> {
    let mut recorder = Recorder::create(folder, id)?;
    let mut record = MatchRecord { match_id: id.to_string(), ..MatchRecord::default() };
    while let Ok(event) = events.recv() {
        let is_last = matches!(event, Event::Completed(_) | Event::Aborted);
        match event {
            Event::Line(line) => {
                recorder.log(&line)?;
                continue;
            }
            Event::Begin(head) => record = MatchRecord::new(head, now()),
            Event::State { sentences, moved } => {
                if let Some(Moved { joint, report: (role, report) }) = moved {
                    recorder.log(&format!("moves: {}", joint.join(" ")))?;
                    let mut reports = vec![None; record.roles.len()];
                    if let Some(own) = reports.get_mut(role) {
                        *own = report;
                    }
                    record.push_moves(joint, &reports);
                }
                record.push_state(&sentences, now(), vec![String::new(); record.roles.len()]);
            }
            Event::Completed(goals) => record.complete(goals),
            Event::Aborted => record.abort(),
        }
        recorder.save(&record)?;
        // Those who still hold a way to the log may hold it for long.
        if is_last {
            break;
        }
    }
    Ok(())
}
