//! The files of one match.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::file::{file_name, with, write_whole};
use super::format::MatchRecord;
use super::journal::Journal;
use super::pgn::pgn;
use super::time::{now, timestamp};
use crate::text::plain;

/// Writes MATCHID.log, and MATCHID.part while the match goes on. When the match is over, writes
/// MATCHID.json and, for two or more roles, MATCHID.pgn, and removes MATCHID.part.
pub struct Recorder {
    /// The folder and the name of the files, without their extensions.
    stem: PathBuf,
    log: File,
    journal: Journal,
    is_finished: bool,
}

/// The highest number that is tried after a name.
const ATTEMPTS: usize = 10_000;

/// The extension of the journal.
pub(super) const JOURNAL: &str = "part";

impl Recorder {
    /// The files of a match in a folder, which is made if it does not exist. No match overwrites
    /// another: a name that is taken gets a number.
    pub fn create(folder: &Path, match_id: &str) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let name = file_name(match_id);
        for attempt in 1..=ATTEMPTS {
            let numbered = if attempt == 1 { name.clone() } else { format!("{name}~{attempt}") };
            if let Some(recorder) = Recorder::claim(folder.join(numbered))? {
                return Ok(recorder);
            }
        }
        Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            format!("every name like {name} is taken"),
        ))
    }

    /// The files with this name; `None` if one of them exists.
    fn claim(stem: PathBuf) -> io::Result<Option<Self>> {
        let is_taken = |extension: &&str| fs::symlink_metadata(with(&stem, extension)).is_ok();
        if ["log", "json", "pgn"].iter().any(is_taken) {
            return Ok(None);
        }
        // The process that makes the journal owns the name; the log keeps it when the journal is
        // gone.
        let part = with(&stem, JOURNAL);
        let Some(journal) = Journal::create(&part)? else { return Ok(None) };
        let log = OpenOptions::new().append(true).create_new(true).open(with(&stem, "log"));
        match log {
            Ok(log) => Ok(Some(Recorder { stem, log, journal, is_finished: false })),
            Err(error) => {
                // The first error is the one that counts.
                let _ = fs::remove_file(part);
                if error.kind() == io::ErrorKind::AlreadyExists { Ok(None) } else { Err(error) }
            }
        }
    }

    /// Writes what is new in a match. If the match is over, the record replaces the journal; after
    /// an error the call can be repeated.
    pub fn save(&mut self, record: &MatchRecord) -> io::Result<()> {
        if self.is_finished {
            return Ok(());
        }
        let noted = self.journal.add(record);
        if !record.is_over() {
            return noted;
        }
        // A journal without its end does not matter if the record can be written.
        finish(&self.stem, record)?;
        self.is_finished = true;
        Ok(())
    }

    /// Adds a line to the log, with the time.
    pub fn log(&mut self, line: &str) -> io::Result<()> {
        // Text from outside must not look like separate lines.
        let line = plain(line);
        self.log.write_all(format!("{} {line}\n", timestamp(now())).as_bytes())
    }

    /// The path of the file with that extension.
    pub fn path(&self, extension: &str) -> PathBuf {
        with(&self.stem, extension)
    }
}

/// Writes the record of a match that is over, and removes its journal.
pub(super) fn finish(stem: &Path, record: &MatchRecord) -> io::Result<()> {
    write_whole(&with(stem, "json"), &(serde_json::to_string(record)? + "\n"))?;
    if record.roles.len() > 1 {
        write_whole(&with(stem, "pgn"), &pgn(record))?;
    }
    match fs::remove_file(with(stem, JOURNAL)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn no_match_is_written_over_another() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path().join("made/here");
        let over = MatchRecord { is_aborted: true, ..MatchRecord::default() };
        let mut stems = Vec::new();
        for record in [&over, &MatchRecord::default(), &over] {
            let mut recorder = Recorder::create(&folder, "game.17").expect("a recorder");
            recorder.log("two\nlines").expect("a line");
            recorder.save(record).expect("a record");
            recorder.save(record).expect("nothing to do");
            let path = recorder.path("json");
            stems.push(path.file_name().expect("a name").to_string_lossy().into_owned());
        }
        assert_eq!(stems, ["game.17.json", "game.17~2.json", "game.17~3.json"]);
        let log = fs::read_to_string(folder.join("game.17~2.log")).expect("a log");
        assert!(log.ends_with("Z two lines\n") && log.lines().count() == 1, "{log}");
        // A match of one role or none has no PGN, and no temporary file is left.
        assert_eq!(
            names(&folder),
            [
                "game.17.json",
                "game.17.log",
                "game.17~2.log",
                "game.17~2.part",
                "game.17~3.json",
                "game.17~3.log"
            ]
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_the_place_of_a_file_is_another_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let precious = folder.path().join("precious");
        fs::write(&precious, "kept").expect("a file");
        for (number, extension) in ["part", "log", "json", "pgn"].iter().enumerate() {
            let name = if number == 0 { "m".into() } else { format!("m~{}", number + 1) };
            let link = folder.path().join(format!("{name}.{extension}"));
            // A link to an existing file, or to a missing one.
            let to = if number % 2 == 0 { precious.clone() } else { folder.path().join("gone") };
            std::os::unix::fs::symlink(to, link).expect("a link");
        }
        let mut recorder = Recorder::create(folder.path(), "m").expect("a recorder");
        assert_eq!(recorder.path("json"), folder.path().join("m~5.json"));
        recorder.save(&MatchRecord::default()).expect("a journal");
        assert_eq!(fs::read_to_string(&precious).expect("a file"), "kept");
        assert!(!folder.path().join("gone").exists());
        assert_eq!(names(folder.path()).len(), 7);
    }
}
