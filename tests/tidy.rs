//! House rules that a machine can check: module docs, file length, the order of the modules.

mod layers;
mod references;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::support;

/// Directories that hold no sources of ours.
const SKIPPED: &[&str] = &["target", ".git"];

/// No source file is longer; most should be far shorter.
const MAX_LINES: usize = 600;

#[test]
fn every_file_says_what_its_job_is() {
    check(&["rs"], "", |text| {
        (!text.starts_with("//! ")).then(|| "does not open with module docs (`//! `)".to_string())
    });
}

#[test]
fn no_file_is_too_long() {
    check(&["rs"], "", |text| {
        let lines = text.lines().count();
        (lines > MAX_LINES).then(|| format!("has {lines} lines, more than {MAX_LINES}"))
    });
}

#[test]
fn the_library_knows_no_player_no_files_no_clock_and_no_terminal() {
    check(&["rs"], "propnet/src", |text| {
        mention(text, &["ludens::", "std::fs", "std::time", "std::net", "println!", "eprintln!"])
    });
}

#[test]
fn the_command_line_stays_in_the_binary() {
    for directory in [
        "src/agent",
        "src/bench",
        "src/draw",
        "src/manager",
        "src/picture",
        "src/pipeline",
        "src/playouts",
        "src/protocol",
        "src/record",
        "src/search",
        "src/trace",
        "src/verify",
    ] {
        check(&["rs"], directory, |text| mention(text, &["anyhow", "crate::cli", "stdout()"]));
    }
}

/// Cargo finds no tests by itself here: a file that no test binary includes would never run.
#[test]
fn every_test_file_is_in_a_test_binary() {
    for tests in ["tests", "propnet/tests"] {
        let folder = support::root().join(tests);
        let names =
            |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let manifest = fs::read_to_string(folder.join("../Cargo.toml")).expect("a manifest");
        let mut modules: Vec<String> = Vec::new();
        for entry in fs::read_dir(&folder).expect("the folder of tests") {
            let path = entry.expect("an entry").path();
            let is_module =
                path.join("mod.rs").is_file() || path.extension() == Some("rs".as_ref());
            modules.extend(is_module.then(|| names(&path)));
        }
        let is_binary = |name: &String| manifest.contains(&format!("[[test]]\nname = \"{name}\""));
        let (binaries, modules): (Vec<_>, Vec<_>) = modules.into_iter().partition(is_binary);
        let roots = binaries.iter().map(|name| folder.join(format!("{name}.rs")));
        let roots: String =
            roots.map(|path| fs::read_to_string(path).expect("a test binary")).collect();
        for module in modules {
            let is_included = roots.contains(&format!("mod {module};"));
            assert!(is_included, "{tests}: no test binary includes `mod {module};`");
        }
    }
}

#[test]
fn one_file_of_the_library_is_unsafe() {
    let allowed = support::root().join("propnet/src/machine/executable.rs");
    let mut files = Vec::new();
    collect(&support::root().join("propnet/src"), &["rs"], &mut files);
    assert!(files.contains(&allowed), "the one file is there");
    for path in files.iter().filter(|path| **path != allowed) {
        let text = fs::read_to_string(path).expect("a file is read");
        let found = mention(&text, &["unsafe {", "unsafe fn", "unsafe impl", "allow(unsafe_code)"]);
        assert_eq!(found, None, "{}", path.display());
    }
}

#[test]
fn no_path_of_a_machine_is_written_down() {
    // Put together here, so that this file does not hold what it looks for.
    let homes: Vec<String> =
        ["home", "root", "work", "Users", "tmp"].map(|name| format!("/{name}/")).to_vec();
    let homes: Vec<&str> = homes.iter().map(String::as_str).collect();
    check(&["rs", "toml", "kif", "md", "json", "yml"], "", |text| mention(text, &homes));
}

/// One name has one meaning in a crate. `Args` are the arguments of whatever command a file is.
#[test]
fn no_two_types_of_a_crate_have_the_same_name() {
    for folder in ["src", "propnet/src", "tools/src"] {
        let mut files = Vec::new();
        collect(&support::root().join(folder), &["rs"], &mut files);
        let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for path in files {
            let text = fs::read_to_string(&path).expect("a file is read");
            // What a file declares once for each processor is one type; tests have their own.
            let names: BTreeSet<String> = text
                .lines()
                .take_while(|line| *line != "#[cfg(test)]")
                .filter_map(declared_type)
                .collect();
            for name in names {
                places.entry(name).or_default().push(path.display().to_string());
            }
        }
        places.retain(|name, places| places.len() > 1 && name != "Args");
        assert!(places.is_empty(), "{places:#?}");
    }
}

/// The name of the type that a line declares.
fn declared_type(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = words.iter().position(|word| ["struct", "enum", "trait"].contains(word))?;
    let is_declared =
        words[..at].iter().all(|word| word.starts_with("pub") || word.contains("super"));
    let name = words.get(at + 1)?.split(|letter: char| !letter.is_alphanumeric()).next()?;
    (is_declared && name.starts_with(char::is_uppercase)).then(|| name.to_string())
}

/// The first of the words that a text has, as a complaint.
fn mention(text: &str, words: &[&str]) -> Option<String> {
    let line = |at: usize| text[..at].lines().count().max(1);
    let found = words.iter().find_map(|word| text.find(word).map(|at| (word, line(at))));
    found.map(|(word, line)| format!("mentions `{word}` in line {line}"))
}

/// Applies a rule to each file with one of the extensions below a directory.
fn check(extensions: &[&str], below: &str, rule: impl Fn(&str) -> Option<String>) {
    let mut files = Vec::new();
    collect(&support::root().join(below), extensions, &mut files);
    assert!(!files.is_empty(), "{below} has files");
    let complaints: Vec<String> = files
        .iter()
        .filter_map(|path| {
            let bytes = fs::read(path).expect("a file is read");
            let text = String::from_utf8_lossy(&bytes);
            rule(&text).map(|complaint| format!("{} {complaint}", path.display()))
        })
        .collect();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

fn collect(directory: &Path, extensions: &[&str], files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !SKIPPED.contains(&name.as_str()) {
            collect(&path, extensions, files);
        } else if path.extension().is_some_and(|own| extensions.iter().any(|e| own == *e)) {
            files.push(path);
        }
    }
}
