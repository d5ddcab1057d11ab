//! `ludens dot`: formats, parts, limits and complaints.

use std::fs;
use std::io::Cursor;

use crate::support::{SMALL, files, path, root, run, run_well};

fn game(name: &str) -> String {
    root().join(format!("games/{name}.kif")).display().to_string()
}

/// The complaint of a command that must fail.
fn complaint(args: &[&str]) -> String {
    let (code, out, err) = run(args);
    assert_eq!((code, out.as_str()), (1, ""), "{args:?}\n{err}");
    err
}

#[test]
fn dot_goes_to_standard_output() {
    let text = run_well(&["dot", &game("tic_tac_toe")]);
    assert!(text.starts_with("digraph \"tic_tac_toe\" {\n") && text.ends_with("}\n"), "{text}");
    assert!(text.contains("label=\"(legal x (mark 1 1))\""), "{text}");
    assert!(!text.contains("class=or") && text.contains("arrowhead=odot"), "{text}");
    let classic = run_well(&["dot", "--classic", &game("tic_tac_toe")]);
    assert!(classic.contains("class=or") && !classic.contains("arrowhead=odot"), "{classic}");
    assert!(classic.contains("class=transition") && classic.contains("class=init"), "{classic}");
    // No limit for text, and the same text every time.
    let large = run_well(&["dot", &game("breakthrough")]);
    assert!(large.lines().count() > 3000);
    assert_eq!(large, run_well(&["dot", &game("breakthrough"), "--limit", "5"]));
}

#[test]
fn the_name_of_the_file_tells_the_format() {
    let folder = files(&[]);
    let sheet = game("tic_tac_toe");
    let written = |name: &str, extra: &[&str]| {
        let file = path(&folder, name);
        let mut args = vec!["dot", sheet.as_str(), "-o", file.as_str()];
        args.extend(extra);
        assert_eq!(run_well(&args), "", "{args:?}");
        fs::read(&file).expect("the file is there")
    };
    assert!(written("a.dot", &[]).starts_with(b"digraph"));
    let svg = String::from_utf8(written("a.SVG", &[])).expect("text");
    let document = roxmltree::Document::parse(&svg).expect("well-formed XML");
    let titles: Vec<&str> = document
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "title")))
        .filter_map(|node| node.text())
        .collect();
    for name in ["(cell 2 2 x)", "(does o noop)", "(next (control x))", "(goal x 50)", "terminal"] {
        assert!(titles.contains(&name), "{name}");
    }
    let png = written("a.png", &["--around", "(cell 2 2 x)"]);
    let picture = png::Decoder::new(Cursor::new(&png)).read_info().expect("a PNG file");
    assert!(picture.info().width > 500 && picture.info().height > 300);
    assert!(written("picture", &["--format", "svg"]).starts_with(b"<?xml"));
    assert!(written("a.txt", &["--format", "dot"]).starts_with(b"digraph"));
}

#[test]
fn pictures_go_to_standard_output_on_demand() {
    let text = run_well(&["dot", &game("tic_tac_toe"), "--format", "svg"]);
    assert!(text.starts_with("<?xml"));
}

#[test]
fn what_cannot_be_written_is_said_at_once() {
    let words = complaint(&["dot", &game("tic_tac_toe"), "-o", "circuit.gif"]);
    assert_eq!(
        words,
        "ludens: cannot tell the format of circuit.gif: call it .dot, .svg or .png, or use \
         --format\n"
    );
    let folder = files(&[]);
    let file = path(&folder, "nowhere/circuit.dot");
    let words = complaint(&["dot", &game("tic_tac_toe"), "-o", &file]);
    assert!(words.starts_with(&format!("ludens: cannot write {file}: ")), "{words}");
}

#[test]
fn large_pictures_are_refused_with_the_ways_out() {
    let folder = files(&[]);
    let file = path(&folder, "a.svg");
    let words = complaint(&["dot", &game("breakthrough"), "-o", &file]);
    let count = words.split_whitespace().find_map(|word| word.parse::<usize>().ok());
    assert!(count.is_some_and(|count| count > 300), "{words}");
    let ways = ["--limit", "--around", "--depth", "--from", "--to", "--only", "DOT"];
    assert!(ways.iter().all(|way| words.contains(way)), "{words}");
    assert!(!folder.path().join("a.svg").exists());
    run_well(&["dot", &game("breakthrough"), "-o", &file, "--limit", "5000"]);
    run_well(&["dot", &game("breakthrough"), "-o", &file, "--around", "(cell 2 3 white)"]);
    run_well(&["dot", &game("breakthrough"), "-o", &file, "--only", "terminal"]);
}

/// The labels of the ports in DOT text.
fn ports(text: &str) -> Vec<&str> {
    let gates = ["and", "or", "not", "init", "true", "false"];
    let labels = text.lines().filter_map(|line| line.split("label=\"").nth(1)?.split('"').next());
    labels.filter(|label| !gates.iter().any(|gate| label.starts_with(gate))).collect()
}

#[test]
fn parts_are_cut_out() {
    let sheet = game("tic_tac_toe");
    let dot = |extra: &[&str]| run_well(&[&["dot", sheet.as_str()], extra].concat());
    let next = dot(&["--around", "(next (cell 2 2 x))", "--depth", "1"]);
    assert_eq!(ports(&next), ["(cell 2 2 x)", "(does x (mark 2 2))", "(next (cell 2 2 x))"]);
    let way = dot(&["--from", "(control x)", "--to", "(legal x (mark 1 2))", "--passes", "none"]);
    assert_eq!(ports(&way), ["(control x)", "(legal x (mark 1 2))"]);
    assert!(way.contains("\\n+1\""), "{way}");
    let goals = dot(&["--only", "goal"]);
    assert!(ports(&goals).contains(&"(goal x 100)") && !goals.contains("class=does"), "{goals}");
    let both = dot(&["--only", "goal", "--around", "(cell 2 2 x)"]);
    assert!(!ports(&both).is_empty() && !both.contains("class=legal"), "{both}");
}

#[test]
fn the_cone_of_a_sentence_is_cut_out() {
    let sheet = game("tic_tac_toe");
    let dot = |extra: &[&str]| run_well(&[&["dot", sheet.as_str()], extra].concat());
    let legal = dot(&["--of", "(legal x (mark 1 1))"]);
    let expected = ["(cell 1 1 o)", "(cell 1 1 x)", "(control x)", "(legal x (mark 1 1))"];
    let mut found = ports(&legal);
    found.sort_unstable();
    assert_eq!(found, expected);
    let end = dot(&["--of", "terminal", "--classic"]);
    assert_eq!(ports(&end).len(), 19, "{end}");
    assert!(!end.contains("class=goal") && !end.contains("class=does"), "{end}");
    // The gate of a helper, by its name; the cone of it is a part of that of the goal.
    let line = dot(&["--of", "(line x)", "--classic"]);
    assert_eq!(ports(&line).len(), 9, "{line}");
    assert!(line.contains("label=\"or\\n(line x)\\nlines 73, 77, 81, 85"), "{line}");
    assert!(line.contains("label=\"and\\nline 73\""), "{line}");
    let cut = dot(&["--of", "(goal x 100)", "--classic", "--depth", "1"]);
    assert!(cut.contains("(line x)") && cut.contains("\\n+8\""), "{cut}");
    let words = complaint(&["dot", &sheet, "--of", "(lime x)", "--classic"]);
    assert!(words.contains("has no port (lime x); similar are (line x)"), "{words}");
}

#[test]
fn unknown_ports_and_ways_are_complained_about() {
    let sheet = game("tic_tac_toe");
    let say = |extra: &[&str]| complaint(&[&["dot", sheet.as_str()], extra].concat());
    let words = say(&["--around", "(cell 2 2 y)"]);
    let expected = "ludens: the circuit has no port (cell 2 2 y); similar are (cell 2 2 o), \
                    (cell 2 2 x)";
    assert!(words.starts_with(expected), "{words}");
    let words = say(&["--from", "(does x noop)", "--to", "terminal"]);
    assert_eq!(
        words,
        "ludens: within one step of the game nothing leads from (does x noop) to terminal\n"
    );
    let words = say(&["--only", "goal", "--around", "(legal x noop)"]);
    assert_eq!(words, "ludens: (legal x noop) is not part of --only goal\n");
}

#[test]
fn a_state_is_highlighted() {
    let folder =
        files(&[("state.txt", "(cell 1 1 x)\n(control o)\n"), ("bad.txt", "(cell 9 9 x)")]);
    let sheet = game("tic_tac_toe");
    let lit = |state: &str| {
        let text = run_well(&["dot", &sheet, "--highlight", state, "--passes", "none"]);
        let lines = text.lines().filter(|line| line.contains("label=") && line.contains("#d9480f"));
        lines.map(str::to_string).collect::<Vec<_>>().join("\n")
    };
    let first = lit("init");
    assert!(first.contains("\"(legal x (mark 1 1))\""), "{first}");
    assert!(!first.contains("\"(legal o (mark 1 1))\""), "{first}");
    let second = lit(&path(&folder, "state.txt"));
    assert!(second.contains("\"(cell 1 1 x)\"") && !second.contains("\"(legal o (mark 1 1))\""));
    let bad = path(&folder, "bad.txt");
    let words = complaint(&["dot", &sheet, "--highlight", &bad]);
    assert!(
        words.contains("bad.txt: line 1, column 1: ") && words.contains("(cell 9 9 x)"),
        "{words}"
    );
    let words = complaint(&["dot", &sheet, "--highlight", &path(&folder, "none.txt")]);
    assert!(words.contains("cannot read"), "{words}");
}

#[test]
fn passes_are_chosen_by_name() {
    let folder = files(&[("small.kif", SMALL)]);
    let sheet = path(&folder, "small.kif");
    for passes in ["none", "fast", "all"] {
        let text = run_well(&["dot", &sheet, "--passes", passes]);
        for port in ["(legal a (say 0))", "(goal b 40)", "terminal"] {
            assert!(ports(&text).contains(&port), "{port} with {passes}\n{text}");
        }
    }
    let (code, _, err) = run(&["dot", &sheet, "--passes", "magic"]);
    assert!(code == 2 && err.contains("there is no pass magic"), "{err}");
}

#[test]
fn options_that_belong_together_are_asked_for_together() {
    let sheet = game("tic_tac_toe");
    for args in [
        vec!["--from", "terminal"],
        vec!["--to", "terminal"],
        vec!["--depth", "3"],
        vec!["--of", "terminal", "--around", "terminal"],
        vec!["--of", "terminal", "--from", "(control x)", "--to", "terminal"],
        vec!["--around", "terminal", "--from", "(control x)", "--to", "terminal"],
        vec!["--only", "helpers"],
        vec!["--format", "gif"],
    ] {
        let (code, _, err) = run(&[&["dot", sheet.as_str()], args.as_slice()].concat());
        assert_eq!(code, 2, "{args:?}: {err}");
    }
}
