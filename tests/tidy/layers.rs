//! The order of the modules: each may use only modules that stand before it in the tables here.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::collect;
use super::references::{exports, references};
use crate::support::root;

/// A module, or several that are one layer (`a | b`), and what it uses. A part of a module may have a
/// row of its own (`a::b`); the row `a` is then for all that is left of it.
type Row = (&'static str, &'static [&'static str]);

const PROPNET: &[Row] = &[
    ("gdl", &[]),
    ("components", &[]),
    ("terms", &["gdl"]),
    ("game", &["gdl"]),
    ("names", &["gdl", "terms", "game"]),
    ("reference", &["gdl", "components", "terms", "game"]),
    ("ground", &["gdl", "components", "terms", "game", "names"]),
    ("circuit", &["gdl", "components", "terms", "game", "names", "ground"]),
    ("program", &["game", "names", "circuit"]),
    ("machine", &["program"]),
    ("lanes", &["game", "names", "program", "machine"]),
    (
        "facade",
        &["gdl", "game", "names", "reference", "ground", "circuit", "program", "machine", "lanes"],
    ),
];

const LUDENS: &[Row] = &[
    ("text", &[]),
    ("count", &[]),
    ("findings", &[]),
    ("host", &[]),
    ("suggest", &[]),
    ("library", &["suggest"]),
    ("sheets", &["library"]),
    ("parallel", &[]),
    ("statistics", &[]),
    ("picture", &["text"]),
    ("matrix", &[]),
    ("visited", &[]),
    ("start", &["text"]),
    ("run", &["start"]),
    ("trace", &["start", "run"]),
    ("playouts", &[]),
    ("pipeline", &["statistics", "playouts"]),
    ("draw", &["text", "run", "pipeline"]),
    ("vector", &["pipeline"]),
    ("features", &["pipeline"]),
    ("puzzle", &["visited", "pipeline"]),
    ("perft", &["pipeline"]),
    ("bench", &["host", "statistics", "pipeline", "playouts"]),
    ("search", &["count", "statistics", "matrix", "playouts", "pipeline", "features"]),
    ("analysis", &["pipeline", "search"]),
    ("solve", &["matrix", "visited", "pipeline", "search"]),
    ("game", &["library", "sheets", "pipeline", "search"]),
    ("agent", &["text", "pipeline", "puzzle", "search"]),
    ("strategy", &["suggest", "search", "agent"]),
    ("record", &["text", "library", "start", "run", "trace", "search"]),
    ("verify", &["start", "trace", "pipeline", "record"]),
    ("manager", &["text", "pipeline", "search", "agent", "strategy", "record"]),
    ("protocol", &["text", "search", "agent", "record"]),
    (
        "web",
        &[
            "findings", "library", "picture", "start", "run", "trace", "draw", "pipeline",
            "vector", "search", "agent", "record", "manager", "protocol",
        ],
    ),
    ("cli", &[]),
];

const SEARCH: &[Row] = &[
    ("budget", &[]),
    ("memory", &[]),
    ("scheme::parameter", &[]),
    ("scheme::part", &["scheme::parameter"]),
    ("scheme::presets", &[]),
    ("tree", &["budget"]),
    ("policy", &["scheme::parameter", "scheme::part"]),
    ("strategies", &["scheme::parameter", "scheme::part"]),
    ("expansion", &["scheme::part"]),
    ("decision", &["scheme::parameter", "scheme::part", "tree"]),
    ("tree_search::simulation", &["tree"]),
    (
        "selection",
        &["scheme::parameter", "scheme::part", "tree", "policy", "tree_search::simulation"],
    ),
    ("untried", &["scheme::parameter", "scheme::part", "tree", "policy", "selection"]),
    ("playout::simulator", &["budget", "tree", "policy"]),
    ("evaluation", &["scheme::parameter", "scheme::part"]),
    ("selection::descend", &["tree", "policy", "selection", "untried", "tree_search::simulation"]),
    (
        "solver",
        &[
            "scheme::parameter",
            "scheme::part",
            "tree",
            "playout::simulator",
            "tree_search::simulation",
        ],
    ),
    (
        "scheme",
        &[
            "scheme::parameter",
            "scheme::part",
            "scheme::presets",
            "tree",
            "policy",
            "strategies",
            "expansion",
            "decision",
            "selection",
            "untried",
            "evaluation",
            "solver",
            "tree_search::simulation",
        ],
    ),
    (
        "settings",
        &[
            "memory",
            "scheme::parameter",
            "scheme::presets",
            "policy",
            "strategies",
            "solver",
            "scheme",
        ],
    ),
    ("playout", &["budget", "policy", "strategies", "playout::simulator", "scheme", "settings"]),
    ("choice_report", &["scheme"]),
    ("report | line_report", &["evaluation", "scheme", "choice_report"]),
    (
        "tree_search",
        &[
            "budget",
            "scheme::parameter",
            "tree",
            "policy",
            "playout::simulator",
            "evaluation",
            "tree_search::simulation",
            "selection::descend",
            "solver",
            "scheme",
            "settings",
            "playout",
            "decision",
            "report | line_report",
        ],
    ),
    (
        "search",
        &[
            "budget",
            "memory",
            "tree",
            "policy",
            "playout::simulator",
            "settings",
            "playout",
            "decision",
            "report | line_report",
            "tree_search",
        ],
    ),
    ("solving", &["tree", "solver", "report | line_report", "tree_search", "search"]),
    ("clarity", &["tree", "search"]),
    ("contest", &["budget", "settings", "playout", "playout::simulator", "search"]),
    ("choice", &["budget", "scheme", "settings", "playout", "choice_report", "search", "contest"]),
];

#[test]
fn modules_of_the_library_are_in_order() {
    check("propnet/src", &[], PROPNET);
}

#[test]
fn modules_of_the_player_are_in_order() {
    check("src", &[], LUDENS);
}

#[test]
fn parts_of_the_search_are_in_order() {
    check("src", &["search"], SEARCH);
}

/// Compares a table with the modules inside one of a crate, of which `inside` is the path.
fn check(source: &str, inside: &[&str], table: &[Row]) {
    let mut complaints = misplaced(table);
    let sources = Sources::read(&root().join(source));
    let mut found: BTreeMap<&str, BTreeMap<&str, &Path>> = BTreeMap::new();
    for (file, module, text) in &sources.files {
        // The module itself hands on what its parts make, so it may use all of them.
        let Some(rest) = below(module, inside) else { continue };
        let Some(row) = row_of(table, rest) else {
            complaints.push(format!("`{}` has no place in the table", rest.join("::")));
            continue;
        };
        let used = found.entry(row).or_default();
        for path in references(text, module) {
            let other = sources.resolve(path);
            let other = below(&other, inside).and_then(|rest| row_of(table, rest));
            if let Some(other) = other.filter(|other| *other != row) {
                used.entry(other).or_insert(file);
            }
        }
    }
    for (row, uses) in table {
        let Some(used) = found.get(row) else {
            complaints.push(format!("`{row}` is in the table only"));
            continue;
        };
        for (other, file) in used.iter().filter(|(other, _)| !uses.contains(*other)) {
            let file = file.display();
            complaints.push(format!("`{row}` uses `{other}` in {file}, which the table lacks"));
        }
        let needless = uses.iter().filter(|other| !used.contains_key(**other));
        complaints.extend(needless.map(|other| format!("`{row}` does not use `{other}`")));
    }
    assert!(complaints.is_empty(), "tests/tidy/layers.rs, {source}:\n{}", complaints.join("\n"));
}

/// What a table has against the order.
fn misplaced(table: &[Row]) -> Vec<String> {
    let mut complaints = Vec::new();
    for (at, (row, uses)) in table.iter().enumerate() {
        let is_before = |used: &str| table[..at].iter().any(|(other, _)| *other == used);
        let late = uses.iter().filter(|used| !is_before(used));
        complaints
            .extend(late.map(|used| format!("`{row}` uses `{used}`, which is not before it")));
    }
    complaints
}

/// The rest of a path that leads into a module.
fn below<'p>(path: &'p [String], inside: &[&str]) -> Option<&'p [String]> {
    let leads_there = path.iter().zip(inside).filter(|(one, other)| one == other).count();
    (leads_there == inside.len() && path.len() > inside.len()).then(|| &path[inside.len()..])
}

/// The row that a module belongs to: the one that names most of its path.
fn row_of(table: &[Row], module: &[String]) -> Option<&'static str> {
    let path = module.join("::");
    let names = |name: &str| {
        path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    let rows = table.iter().map(|(row, _)| *row).filter(|row| row.split(" | ").any(names));
    rows.max_by_key(|row| row.len())
}

/// All files of a crate.
struct Sources {
    /// File, module, text.
    files: Vec<(PathBuf, Vec<String>, String)>,
    /// By module, what it hands on.
    exports: BTreeMap<Vec<String>, BTreeMap<String, Vec<String>>>,
}

impl Sources {
    fn read(source: &Path) -> Sources {
        let mut paths = Vec::new();
        collect(source, &["rs"], &mut paths);
        let read = |path: PathBuf| {
            let module = module_of(path.strip_prefix(source).unwrap_or(&path));
            let text = fs::read_to_string(&path).expect("a file is read");
            (path, module, text)
        };
        let files: Vec<(PathBuf, Vec<String>, String)> = paths.into_iter().map(read).collect();
        let exports = files.iter().map(|(_, module, text)| (module.clone(), exports(text)));
        let exports = exports.collect();
        Sources { files, exports }
    }

    /// Where an item is made that modules may have handed on.
    fn resolve(&self, path: Vec<String>) -> Vec<String> {
        let mut module = Vec::new();
        for (at, name) in path.iter().enumerate() {
            let below: Vec<String> = [&module[..], std::slice::from_ref(name)].concat();
            if self.exports.contains_key(&below) {
                module = below;
                continue;
            }
            let from = self.exports.get(&module).and_then(|exports| exports.get(name));
            let is_own = |from: &&Vec<String>| {
                self.exports.contains_key(&[&module[..], &from[..1]].concat())
            };
            return match from.filter(is_own) {
                Some(from) => self.resolve([&module[..], from, &path[at + 1..]].concat()),
                None => module,
            };
        }
        module
    }
}

/// The module that a file is, by its path below the sources.
fn module_of(file: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        file.with_extension("").iter().map(|name| name.to_string_lossy().into_owned()).collect();
    if matches!(names.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        names.pop();
    }
    names
}
