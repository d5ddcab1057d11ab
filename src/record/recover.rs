//! Journals of matches whose process was killed, or whose disk was full at their end.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::file::{TEMPORARY, with};
use super::journal::read_journal;
use super::recorder::{JOURNAL, finish};

/// Finishes the records of matches that are no longer played: they are marked as aborted, unless
/// their journal says otherwise. Returns the paths of these records. Matches that are being played,
/// here or in another process, are left alone, and so are files that are not our journals.
pub fn finish_left_over(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut finished = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        let is_journal = path.extension().is_some_and(|extension| extension == JOURNAL);
        // Links are skipped: their type is not that of the file they point to.
        if is_journal && entry.file_type()?.is_file() {
            finished.extend(finish_one(&path)?);
        }
    }
    finished.sort();
    Ok(finished)
}

/// The record of the match with this journal; `None` if the journal is left as it is, or is empty.
fn finish_one(path: &Path) -> io::Result<Option<PathBuf>> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        // Its match has ended in the meantime.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    // A match in progress holds the lock.
    if file.try_lock().is_err() {
        return Ok(None);
    }
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    let stem = path.with_extension("");
    let Some(mut record) = read_journal(&text) else {
        // A recorder that got no further than this has made a log, too.
        if fs::symlink_metadata(with(&stem, "log")).is_ok() {
            fs::remove_file(path)?;
        }
        return Ok(None);
    };
    if !record.is_over() {
        record.abort();
    }
    for extension in ["json", "pgn"] {
        match fs::remove_file(with(&with(&stem, extension), TEMPORARY)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    finish(&stem, &record)?;
    Ok(Some(with(&stem, "json")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Head, MatchRecord, Recorder};

    #[test]
    fn journals_that_are_left_become_records() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let start = |id: &str| {
            let head = Head { match_id: id.to_string(), ..Head::default() };
            let mut record = MatchRecord::new(head, 7);
            record.push_state(&["s".to_string()], 8, Vec::new());
            let mut recorder = Recorder::create(folder, id).expect("a recorder");
            recorder.save(&record).expect("a journal");
            (recorder, record)
        };
        let (played, _) = start("played");
        let (killed, _) = start("killed.1");
        drop(killed);
        // A record that could not be written, although its journal could.
        let (mut full, mut over) = start("full");
        fs::create_dir(folder.join("full.json")).expect("a folder in the way");
        over.complete(vec![Some(100)]);
        assert!(full.save(&over).is_err());
        drop(full);
        fs::remove_dir(folder.join("full.json")).expect("no folder");
        fs::write(folder.join("full.json.tmp"), "{\"matchI").expect("half a record");
        drop(Recorder::create(folder, "empty").expect("a recorder"));
        fs::write(folder.join("other.part"), "not ours").expect("a file");

        let finished = finish_left_over(folder).expect("records");
        assert_eq!(finished, [folder.join("full.json"), folder.join("killed.1.json")]);
        let read = |path: &Path| -> MatchRecord {
            serde_json::from_slice(&fs::read(path).expect("a record")).expect("a record")
        };
        let [full, killed] = [&finished[0], &finished[1]].map(|path| read(path));
        assert!(full.is_completed && !full.is_aborted && full.goal_values == [Some(100)]);
        assert!(killed.is_aborted && killed.states == ["(s)"]);
        for (name, is_there) in [
            ("played.part", true),
            ("other.part", true),
            ("killed.1.part", false),
            ("full.part", false),
            ("full.json.tmp", false),
            ("empty.part", false),
        ] {
            assert_eq!(folder.join(name).exists(), is_there, "{name}");
        }
        drop(played);
        assert_eq!(finish_left_over(folder).expect("records"), [folder.join("played.json")]);
        assert!(finish_left_over(folder).expect("records").is_empty());
    }
}
