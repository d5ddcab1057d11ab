//! Names of matches -> names of files, and files that are never incomplete.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::trace::hash_contents;

/// The longest name that is kept as it is, in bytes.
const LONGEST: usize = 100;

/// The name of a match's files without their extensions: the identifier itself, if every file
/// system accepts it. Others come from outside and may be anything, such as `../../x`: unusual
/// characters are replaced, and a hash keeps different identifiers apart.
pub fn file_name(match_id: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let is_safe = !match_id.is_empty()
        && match_id.len() <= LONGEST
        && match_id.chars().all(is_plain)
        && !match_id.starts_with(['.', '-']);
    if is_safe {
        return match_id.to_string();
    }
    let replaced = match_id.chars().map(|c| if is_plain(c) { c } else { '_' });
    let kept: String = replaced.skip_while(|c| matches!(c, '.' | '-')).take(LONGEST).collect();
    let separator = if kept.is_empty() { "match-" } else { "-" };
    format!("{kept}{separator}{}", hash_contents(&[match_id.as_bytes()]))
}

/// Makes a folder for records, if it does not exist, and checks that files can be written in it.
pub fn prepare_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let (_, trial) = create_new(&folder.join(format!(".trial-{}", std::process::id())))?;
    fs::remove_file(trial)
}

/// A name with an extension. Names of matches may have dots, so no part of them is taken for an
/// extension.
pub(super) fn with(stem: &Path, extension: &str) -> PathBuf {
    let mut path = stem.as_os_str().to_owned();
    path.push(".");
    path.push(extension);
    path.into()
}

/// Writes a file so that a reader finds either the old file or the complete new one, never a part
/// of it.
pub(super) fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let (mut file, beside) = create_new(&with(path, TEMPORARY))?;
    // Flushed to disk before it gets its name: otherwise a power cut may leave an empty file of
    // that name.
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    let renamed = written.and_then(|()| fs::rename(&beside, path));
    renamed.inspect_err(|_| {
        // A full disk has no room for useless files. The first error is reported.
        let _ = fs::remove_file(&beside);
    })
}

/// The suffix of a file's name while it is written.
pub(super) const TEMPORARY: &str = "tmp";

/// How many names are tried for a temporary file.
const ATTEMPTS: usize = 100;

/// Makes a new file, under this name or one with a number. Anything that already has the name, also
/// a link placed by someone else, stays as it is.
fn create_new(path: &Path) -> io::Result<(File, PathBuf)> {
    let mut taken = None;
    for attempt in 1..=ATTEMPTS {
        let mut name = path.as_os_str().to_owned();
        if attempt > 1 {
            name.push(format!("~{attempt}"));
        }
        match File::create_new(&name) {
            Ok(file) => return Ok((file, name.into())),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => taken = Some(error),
            Err(error) => return Err(error),
        }
    }
    Err(taken.unwrap_or_else(|| io::ErrorKind::AlreadyExists.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_names_are_kept() {
        for name in ["tic_tac_toe.1234567890123", "Match-7", "a"] {
            assert_eq!(file_name(name), name);
        }
    }

    #[test]
    fn a_file_is_whole_or_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("m.json");
        let names = || fs::read_dir(folder.path()).expect("a folder").count();
        write_whole(&path, "one").expect("written");
        write_whole(&path, "two").expect("written");
        assert_eq!((fs::read_to_string(&path).expect("a file").as_str(), names()), ("two", 1));
        // A folder is in the way: nothing remains of the attempt.
        let blocked = folder.path().join("n.json");
        fs::create_dir(&blocked).expect("a folder");
        assert!(write_whole(&blocked, "three").is_err());
        assert_eq!(names(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_the_way_is_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let precious = folder.path().join("precious");
        fs::write(&precious, "kept").expect("a file");
        let path = folder.path().join("m.json");
        for planted in [with(&path, TEMPORARY), path.clone()] {
            std::os::unix::fs::symlink(&precious, planted).expect("a link");
        }
        write_whole(&path, "record").expect("written");
        assert_eq!(fs::read_to_string(&precious).expect("a file"), "kept");
        assert_eq!(fs::read_to_string(&path).expect("a file"), "record");
        assert!(!path.is_symlink() && with(&path, TEMPORARY).is_symlink());
    }

    #[test]
    fn no_name_leaves_the_folder() {
        let long = "x".repeat(5000);
        let strange = [
            "../../etc/passwd",
            "..",
            ".",
            "",
            "/",
            "a/b",
            "a\\b",
            "C:x",
            ".hidden",
            "-rf",
            "a\0b",
            "line\nbreak",
            "naïve",
            "a b",
            &long,
        ];
        let names: Vec<String> = strange.iter().map(|name| file_name(name)).collect();
        for name in &names {
            assert!(name.len() <= 130 && !name.starts_with(['.', '-']), "{name}");
            assert!(!name.contains(['/', '\\', ':', '\0', '\n', ' ']), "{name}");
            assert_eq!(Path::new(name).components().count(), 1, "{name}");
        }
        let mut distinct = names.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), names.len(), "{names:?}");
    }
}
