//! Games as lines of JSON: written as they are played, read again, whatever became of the file.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::experiment::{Cell, Experiment};

/// A game that was played. Nothing in it depends on when or where that was, unless the budget is time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct GameRecord {
    pub(super) experiment: String,
    /// The cell: its game, its sides, and the hash of what defines it.
    pub(super) game: String,
    pub(super) first: String,
    pub(super) second: String,
    pub(super) key: String,
    /// The number of the game in its cell.
    pub(super) number: u64,
    pub(super) seed: u64,
    /// By role: 0 where the first side plays it, 1 where the second does.
    pub(super) sides: Vec<usize>,
    /// By role.
    pub(super) goals: Vec<f64>,
    /// Joint moves.
    pub(super) length: usize,
    /// By side: moves that were searched for, and what all of them have cost.
    pub(super) searches: [u64; 2],
    pub(super) simulations: [u64; 2],
    pub(super) states: [u64; 2],
    /// The first move of the first side, where that is what counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) opening: Option<String>,
}

/// The records of an experiment.
#[derive(Debug, Default)]
pub(super) struct Records {
    /// By cell, in the order of the experiment: its games by number.
    pub(super) cells: Vec<Vec<GameRecord>>,
    /// What a reader should know about the files.
    pub(super) warnings: Vec<String>,
}

impl Records {
    /// Reads files, of which each may be missing. A game that is there several times counts once.
    pub(super) fn read(experiment: &Experiment, paths: &[PathBuf]) -> Result<Self> {
        let cells = experiment.cells.iter().enumerate();
        let places: HashMap<[&str; 3], usize> =
            cells.map(|(at, cell)| (cell.names(), at)).collect();
        let mut records = Records::default();
        records.cells.resize(experiment.cells.len(), Vec::new());
        for path in paths.iter().filter(|path| path.exists()) {
            let bytes =
                std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            let place = |record: &GameRecord| {
                let names = [&record.game, &record.first, &record.second].map(String::as_str);
                places.get(&names).copied()
            };
            records.add(experiment, path, &String::from_utf8_lossy(&bytes), place);
        }
        for games in &mut records.cells {
            // Stable, so the first of several records of a game stays.
            games.sort_by_key(|record| record.number);
            games.dedup_by_key(|record| record.number);
        }
        Ok(records)
    }

    /// Adds the records of a file.
    fn add(
        &mut self,
        experiment: &Experiment,
        path: &Path,
        text: &str,
        place: impl Fn(&GameRecord) -> Option<usize>,
    ) {
        let (mut stale, mut foreign) = (0, 0);
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        for (at, line) in lines {
            let Ok(record) = serde_json::from_str::<GameRecord>(line) else {
                let line = at + 1;
                let warning = format!("{}: line {line} is not a record; skipped", path.display());
                self.warnings.push(warning);
                continue;
            };
            match place(&record) {
                Some(at) if record.key == experiment.cells[at].key => self.cells[at].push(record),
                Some(_) => stale += 1,
                None => foreign += 1,
            }
        }
        for (count, what) in [
            (stale, "of cells that are defined in another way now; not counted"),
            (foreign, "of cells that the experiment does not have; not counted"),
        ] {
            if count > 0 {
                self.warnings.push(format!("{}: {count} records {what}", path.display()));
            }
        }
    }

    /// The numbers of the games of a cell that are not recorded.
    pub(super) fn missing(&self, at: usize, cell: &Cell) -> Vec<u64> {
        let mut played = self.cells[at].iter().map(|record| record.number).peekable();
        (0..cell.games)
            .filter(|number| {
                while played.next_if(|played| played < number).is_some() {}
                played.peek() != Some(number)
            })
            .collect()
    }
}

/// A file that records are added to.
pub(super) struct RecordFile {
    file: File,
}

impl RecordFile {
    /// Opens a file, or makes it. A last line that was cut off is ended, so that it spoils no other.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let what = || format!("cannot write {}", path.display());
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).append(true).create(true).open(path).with_context(what)?;
        let mut last = [b'\n'];
        if file.seek(SeekFrom::End(0)).with_context(what)? > 0 {
            file.seek(SeekFrom::End(-1)).with_context(what)?;
            file.read_exact(&mut last).with_context(what)?;
        }
        if last != [b'\n'] {
            file.write_all(b"\n").with_context(what)?;
        }
        Ok(RecordFile { file })
    }

    /// Adds a record, in one piece.
    pub(super) fn add(&mut self, record: &GameRecord) -> Result<()> {
        let mut line = serde_json::to_string(record)?;
        line.push('\n');
        self.file.write_all(line.as_bytes()).context("cannot write a record")
    }
}
