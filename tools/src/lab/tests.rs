//! Small experiments from end to end.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;

use super::command::{LabCommand, lab};
use super::experiment::Experiment;
use super::records::{GameRecord, Records};
use super::run::{RunOptions, run};
use super::score::CellScore;
use super::table::{csv, markdown, scores};

const TINY: &str = r#"
title = "Tiny"
reproduces = "nothing, table 0"
budget = { simulations = 20 }
per_cell = 6

[sides]
uct = { strategy = "uct" }
mc = { strategy = "mc" }
random = { strategy = "random" }
safe = { moves = ["(run 1)"] }

[[cells]]
games = ["tic_tac_toe"]
pairs = [["uct", "random"], ["mc", "uct"]]

[[cells]]
games = ["three_player_tic_tac_toe"]
pairs = [["uct", "random"]]
per_cell = 12

[[cells]]
games = ["penalties_2x3"]
pairs = [["uct", "safe"]]
role = "white"
budget = { states = 300 }

[[cells]]
games = ["lights_out"]
pairs = [["mc", "random"]]
limit = 3
per_cell = 2

[published.uct.random]
three_player_tic_tac_toe = [4.5, 2.0]
"#;

fn tiny() -> Experiment {
    Experiment::parse("tiny", Path::new(""), TINY).expect("a good file")
}

fn play(experiment: &Experiment, out: &Path) -> u64 {
    run(experiment, out, &RunOptions { threads: Some(2), ..RunOptions::default() }).expect("a run")
}

/// The lines of a file, in an order that does not depend on when games were over.
fn sorted_lines(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("records");
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    lines.sort();
    lines
}

fn read(experiment: &Experiment, paths: &[&Path]) -> Records {
    let paths: Vec<PathBuf> = paths.iter().map(|path| path.to_path_buf()).collect();
    Records::read(experiment, &paths).expect("records")
}

#[test]
fn an_experiment_is_played_and_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("tiny.jsonl");
    let experiment = tiny();
    assert_eq!(play(&experiment, &out), 6 + 6 + 12 + 6 + 2);
    assert_eq!(play(&experiment, &out), 0, "all are recorded");
    let records = read(&experiment, &[&out]);
    assert_eq!(records.warnings, [] as [&str; 0]);
    let scores = scores(&experiment, &records);
    let text = markdown(&experiment, &scores);
    assert!(text.contains("## Against random") && text.contains("## Against uct"), "{text}");
    assert!(text.contains("(4.5 ± 2.0) ‡"), "uct beats random play: {text}");
    let table = csv(&scores).expect("a table");
    assert_eq!(table.lines().count(), 1 + 5, "{table}");
    let fields = |line: &str| line.split(',').count();
    assert!(table.lines().all(|line| fields(line) == fields(table.lines().next().expect("one"))));
}

#[test]
fn sides_swap_roles_unless_one_is_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("tiny.jsonl");
    let experiment = tiny();
    play(&experiment, &out);
    let records = read(&experiment, &[&out]);
    let sides = |cell: usize| -> Vec<Vec<usize>> {
        records.cells[cell].iter().map(|record| record.sides.clone()).collect()
    };
    assert_eq!(sides(0)[..2], [vec![0, 1], vec![1, 0]]);
    let three = sides(2);
    assert_eq!(three[..3], [vec![0, 1, 1], vec![1, 0, 1], vec![1, 1, 0]]);
    assert_eq!(three[3..6], [vec![1, 0, 0], vec![0, 1, 0], vec![0, 0, 1]]);
    assert!(sides(3).iter().all(|sides| *sides == [0, 1]));
    let study = &records.cells[3];
    assert!(study.iter().all(|record| record.searches[1] == 0), "known moves need no search");
    let states = study.iter().all(|record| record.states[0] >= 300 * record.searches[0]);
    assert!(states && study.iter().all(|record| record.searches[0] == 2), "{study:?}");
    let goals: Vec<f64> = study.iter().map(|record| record.goals[0]).collect();
    assert!(goals.iter().all(|goal| *goal <= 50.0), "nobody beats the safe lane: {goals:?}");
}

#[test]
fn a_resumed_run_equals_an_uninterrupted_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, killed) = (folder.path().join("whole.jsonl"), folder.path().join("killed.jsonl"));
    let experiment = tiny();
    play(&experiment, &whole);
    let text = fs::read_to_string(&whole).expect("records");
    // Killed in the middle of a line: what is left of it is skipped and that game is played again.
    let cut = text.len() * 2 / 5;
    let complete = text[..cut].matches('\n').count();
    fs::write(&killed, &text[..cut]).expect("a file");
    let again = play(&experiment, &killed);
    assert_eq!(complete + again as usize, text.lines().count());
    let mut lines = sorted_lines(&killed);
    lines.retain(|line| serde_json::from_str::<GameRecord>(line).is_ok());
    assert_eq!(lines, sorted_lines(&whole));
    let records = read(&experiment, &[&killed]);
    let place = format!("{}: line {} is not a record; skipped", killed.display(), complete + 1);
    assert_eq!(records.warnings, [place]);
    assert_eq!(records.cells, read(&experiment, &[&whole]).cells);
}

#[test]
fn games_that_are_shared_out_equal_one_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, parts) = (folder.path().join("whole.jsonl"), folder.path().join("parts.jsonl"));
    let experiment = tiny();
    play(&experiment, &whole);
    for (at, cell) in experiment.cells.iter().enumerate() {
        let missing = read(&experiment, &[&parts]).missing(at, cell);
        assert_eq!(missing.len() as u64, cell.games);
        for numbers in missing.chunks(4) {
            let part = Some((at, numbers.to_vec()));
            let options = RunOptions { threads: Some(1), part, ..RunOptions::default() };
            let played = run(&experiment, &parts, &options).expect("a run");
            assert_eq!(played, numbers.len() as u64);
        }
    }
    assert_eq!(sorted_lines(&parts), sorted_lines(&whole));
}

#[test]
fn merged_records_equal_one_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let (whole, one, other) = (path("whole.jsonl"), path("one.jsonl"), path("other.jsonl"));
    let experiment = tiny();
    play(&experiment, &whole);
    let half = RunOptions { only: vec!["tic_tac_toe/uct".to_string()], ..RunOptions::default() };
    run(&experiment, &one, &half).expect("a run");
    play(&experiment, &other);
    let merged = read(&experiment, &[&one, &other]);
    assert_eq!(merged.cells, read(&experiment, &[&whole]).cells);
    let all = path("all.jsonl");
    let text = [&one, &other].map(|path| fs::read_to_string(path).expect("records")).concat();
    fs::write(&all, text).expect("a file");
    assert_eq!(read(&experiment, &[&all]).cells, merged.cells, "concatenation is the same");
}

#[test]
fn records_of_another_definition_are_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("tiny.jsonl");
    play(&tiny(), &out);
    let text = TINY.replace("strategy = \"mc\"", "strategy = \"mc_mem\"");
    let changed = Experiment::parse("tiny", Path::new(""), &text).expect("a good file");
    let records = read(&changed, &[&out]);
    let expected = "8 records of cells that are defined in another way now; not counted";
    assert_eq!(records.warnings, [format!("{}: {expected}", out.display())]);
    assert_eq!(records.missing(1, &changed.cells[1]), (0..6).collect::<Vec<_>>());
    let fewer = TINY.replace(", [\"mc\", \"uct\"]", "");
    let fewer = Experiment::parse("tiny", Path::new(""), &fewer).expect("a good file");
    let warnings = read(&fewer, &[&out]).warnings;
    assert!(
        warnings[0].contains("6 records of cells that the experiment does not"),
        "{warnings:?}"
    );
}

/// A record with these goals of two roles.
fn record(number: u64, sides: [usize; 2], goals: [f64; 2]) -> GameRecord {
    GameRecord {
        experiment: "tiny".to_string(),
        game: "tic_tac_toe".to_string(),
        first: "uct".to_string(),
        second: "random".to_string(),
        key: String::new(),
        number,
        seed: number,
        sides: sides.to_vec(),
        goals: goals.to_vec(),
        length: 7,
        searches: [4, 3],
        simulations: [400, 60],
        states: [2000, 90],
        opening: None,
    }
}

#[test]
fn points_belong_to_the_first_side_whatever_its_role() {
    let experiment = tiny();
    let games = [
        record(0, [0, 1], [100.0, 0.0]),
        record(1, [1, 0], [100.0, 0.0]),
        record(2, [0, 1], [50.0, 50.0]),
        record(3, [1, 0], [30.0, 70.0]),
    ];
    let score = CellScore::of(&experiment.cells[0], &games).expect("games");
    assert_eq!((score.games, score.percent.mean, score.length), (4, 62.5, 7.0));
    assert_eq!(score.goals.map(|goals| goals.mean), Some(55.0));
    assert_eq!((score.simulations, score.states), ([100.0, 20.0], [500.0, 30.0]));
    assert_eq!(CellScore::of(&experiment.cells[0], &[]), None);
}

#[test]
fn first_moves_count_where_right_ones_are_known() {
    let text = TINY.replace("limit = 3", "limit = 3\nright = [\"(press 2 2)\"]");
    let experiment = Experiment::parse("tiny", Path::new(""), &text).expect("a good file");
    let game = |number, opening: &str| GameRecord {
        opening: Some(opening.to_string()),
        ..record(number, [0, 1], [0.0, 0.0])
    };
    let games = [game(0, "(press 2 2)"), game(1, "(press 1 2)")];
    let score = CellScore::of(&experiment.cells[4], &games).expect("games");
    assert_eq!(score.percent.mean, 50.0);
}

#[test]
fn the_experiments_of_the_project_can_be_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("records/lab");
    let files = fs::read_dir(folder).expect("the experiments");
    let files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    let experiments = files.iter().filter(|path| path.extension() == Some("toml".as_ref()));
    let read: Vec<Experiment> =
        experiments.map(|path| Experiment::read(path).expect("a good file")).collect();
    assert!(!read.is_empty());
    for experiment in read {
        let published = experiment.cells.iter().filter(|cell| cell.published.is_some()).count();
        assert!(experiment.reproduces.is_none() || published > 0, "{}", experiment.name);
    }
}

#[test]
fn an_experiment_is_drawn_reported_and_rated() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tiny.toml");
    fs::write(&file, TINY).expect("a file");
    let run = |text: &[&str]| -> String {
        let name = file.to_str().expect("a name");
        let arguments = text.iter().map(|word| if *word == "FILE" { name } else { *word });
        let parsed = Parsed::try_parse_from(["lab"].into_iter().chain(arguments));
        lab(&parsed.expect("arguments").command).expect("an answer")
    };
    let played = run(&["run", "FILE", "-j", "2"]);
    assert!(played.starts_with("32 games played"), "{played}");
    run(&["plot", "FILE"]);
    let svg = fs::read_to_string(folder.path().join("tiny.svg")).expect("a plot");
    assert!(svg.starts_with("<svg") && svg.contains("tic_tac_toe, against random"), "{svg}");
    let png = fs::read(folder.path().join("tiny.png")).expect("a plot");
    assert!(png.starts_with(b"\x89PNG") && png.len() > 5000, "{}", png.len());
    let page = folder.path().join("page.html");
    run(&["report", "FILE", "--out", page.to_str().expect("a name")]);
    let page = fs::read_to_string(page).expect("a page");
    assert!(page.contains("<svg") && page.contains("<td>") && !page.contains("src="), "{page}");
    let ratings = run(&["elo", "FILE", "--only", "tic_tac_toe"]);
    let place = |name: &str| ratings.find(&format!("| {name} |")).expect("it is rated");
    assert!(place("uct") < place("random"), "{ratings}");
    let verdict = run(&[
        "sprt",
        "FILE",
        "--only",
        "tic_tac_toe/uct/random",
        "--better",
        "99",
        "--null",
        "10",
    ]);
    assert!(verdict.starts_with("tic_tac_toe/uct/random: better"), "{verdict}");
}

/// The commands, as the program reads them.
#[derive(clap::Parser)]
struct Parsed {
    #[command(subcommand)]
    command: LabCommand,
}
