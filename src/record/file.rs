//! Names of matches -> names of files, and files that are never half written.

use std::fs;
use std::io;
use std::path::Path;

use crate::trace::hash_contents;

/// The longest name that is kept as it is, in bytes.
const LONGEST: usize = 100;

/// The name of a match's files without what tells them apart: the identifier itself, if it is one
/// that no file system minds. Others come from outside and may be anything, such as `../../x`: what
/// is strange in them is replaced, and a hash keeps different ones apart.
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

/// Makes a folder for records, if it is not there, and sees whether files can be written in it.
pub fn prepare_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let trial = folder.join(format!(".trial-{}", std::process::id()));
    fs::write(&trial, "")?;
    fs::remove_file(&trial)
}

/// Writes a file so that whoever looks finds the old text or the new one, never a part.
pub(super) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    fs::write(&beside, text)?;
    fs::rename(&beside, path)
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
