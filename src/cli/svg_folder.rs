//! The states of a match as pictures in a folder: 000.svg, 001.svg, ...

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use ludens::draw::{BoardPicture, Knowledge};

/// A folder and the pictures of a game.
pub(crate) struct SvgFolder {
    folder: PathBuf,
    picture: BoardPicture,
    /// The last joint move.
    last: Vec<String>,
    written: usize,
}

impl SvgFolder {
    /// Makes the folder, if it is not there.
    pub(crate) fn new(folder: &Path, knowledge: &Knowledge) -> Result<Self> {
        let picture = BoardPicture::new(knowledge);
        ensure!(picture.has_boards(), "the game has no board to draw with --svg");
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot write to {}", folder.display()))?;
        Ok(SvgFolder { folder: folder.into(), picture, last: Vec::new(), written: 0 })
    }

    /// The joint move that leads to the next state.
    pub(crate) fn note_moves(&mut self, moves: &[String]) {
        self.last = moves.to_vec();
    }

    /// Writes the next state.
    pub(crate) fn write(&mut self, sentences: &[String]) -> io::Result<()> {
        self.picture.include(sentences);
        let marks = self.picture.last_marks(&self.last);
        let path = self.folder.join(format!("{:03}.svg", self.written));
        self.written += 1;
        fs::write(path, self.picture.svg(sentences, &marks))
    }
}
