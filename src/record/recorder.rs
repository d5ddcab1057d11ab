//! The files of one match.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::file::{file_name, replace};
use super::format::MatchRecord;
use super::pgn::pgn;
use super::time::{now, timestamp};

/// Writes MATCHID.json, MATCHID.log, and for two or more roles MATCHID.pgn.
pub struct Recorder {
    /// The folder and the name of the files, without their extensions.
    stem: PathBuf,
    log: File,
}

/// A name is tried with so many numbers.
const ATTEMPTS: usize = 10_000;

impl Recorder {
    /// The files of a match in a folder, which is made if it is not there. No match is written over
    /// another: a name that is taken gets a number.
    pub fn create(folder: &Path, match_id: &str) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let name = file_name(match_id);
        for attempt in 1..=ATTEMPTS {
            let numbered = if attempt == 1 { name.clone() } else { format!("{name}~{attempt}") };
            let stem = folder.join(numbered);
            // The log is the first file of a match, so whoever makes it has the name.
            let log = OpenOptions::new().append(true).create_new(true).open(with(&stem, "log"));
            match log {
                Ok(log) => return Ok(Recorder { stem, log }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            format!("every name like {name} is taken"),
        ))
    }

    /// Writes the match as it is now.
    pub fn save(&self, record: &MatchRecord) -> io::Result<()> {
        replace(&self.path("json"), &(serde_json::to_string(record)? + "\n"))?;
        if record.roles.len() > 1 {
            replace(&self.path("pgn"), &pgn(record))?;
        }
        Ok(())
    }

    /// Adds a line to the log, with the time.
    pub fn log(&mut self, line: &str) -> io::Result<()> {
        // What comes from outside must not look like lines of its own.
        let line = line.replace(['\r', '\n'], " ");
        self.log.write_all(format!("{} {line}\n", timestamp(now())).as_bytes())
    }

    /// The path of the file with that extension.
    pub fn path(&self, extension: &str) -> PathBuf {
        with(&self.stem, extension)
    }
}

/// Names of matches have dots, so nothing may be taken for an extension.
fn with(stem: &Path, extension: &str) -> PathBuf {
    let mut path = stem.as_os_str().to_owned();
    path.push(".");
    path.push(extension);
    path.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_match_is_written_over_another() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path().join("made/here");
        let mut names = Vec::new();
        for _ in 0..3 {
            let mut recorder = Recorder::create(&folder, "game.17").expect("a recorder");
            recorder.log("two\nlines").expect("a line");
            recorder.save(&MatchRecord::default()).expect("a record");
            let path = recorder.path("json");
            names.push(path.file_name().expect("a name").to_string_lossy().into_owned());
        }
        assert_eq!(names, ["game.17.json", "game.17~2.json", "game.17~3.json"]);
        let log = fs::read_to_string(folder.join("game.17~2.log")).expect("a log");
        assert!(log.ends_with("Z two lines\n") && log.lines().count() == 1, "{log}");
        // One role or none has no PGN, and nothing half written is left.
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 6);
    }
}
