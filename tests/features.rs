//! Features: what is found on our sheets, whatever their names and the order of their arguments.

use std::collections::BTreeMap;

use ludens::features::{EpisodePlan, FeatureKind, Features, NoFeatures};
use ludens::pipeline::{Compile, LaneProgram, PipelineOptions, circuit_within};
use propnet::gdl::{Atom, Literal, LiteralKind, Rules, Source, Term, TermKind, print_rules, word};
use propnet::reference;

use crate::support::{load, root, run, run_json, run_well};

/// What is found on a sheet: the kind and number of features, and by role how many pieces are its
/// own.
type Finding = Result<(FeatureKind, usize, Vec<usize>), NoFeatures>;

fn find(rules: &Rules) -> Finding {
    let options = PipelineOptions::default();
    let circuit = circuit_within(rules, &options).expect("a circuit");
    let step = EpisodePlan::step_options(1000);
    let program = LaneProgram::new(&circuit, options.lanes, &step, Compile::First);
    let program = program.expect("a program");
    let found = Features::find_by_play(&program, 7).expect("playouts");
    found.map(|features| {
        let roles = 0..program.program.names.roles().len();
        let own = |role| features.owners.iter().filter(|owner| **owner == Some(role)).count();
        (features.kind, features.list.len(), roles.map(own).collect())
    })
}

fn game(name: &str) -> Rules {
    load(&root().join(format!("games/{name}.kif")))
}

const PIECES: &[(&str, &[usize])] = &[
    ("battle", &[2, 2]),
    ("checkers", &[2, 2]),
    ("skirmish", &[4, 4]),
    ("tccc4", &[4, 4]),
    ("tccc4_3p", &[4, 4, 4]),
];

const CELLS: &[&str] = &["breakthrough", "chinook", "connect_five", "knightthrough", "othello"];

const NOTHING: &[&str] = &["tic_tac_toe_3d", "chinese_checkers_3p"];

#[test]
fn pieces_are_found_where_a_side_has_several_types() {
    for (name, own) in PIECES {
        let expected = Ok((FeatureKind::Pieces, own.iter().sum(), own.to_vec()));
        assert_eq!(find(&game(name)), expected, "{name}");
    }
}

#[test]
fn cells_are_found_where_each_side_has_one_type() {
    for name in CELLS {
        assert_eq!(find(&game(name)), Ok((FeatureKind::Cells, 128, vec![1, 1])), "{name}");
    }
}

#[test]
fn nothing_is_found_where_the_template_does_not_fit() {
    assert_eq!(find(&game("tic_tac_toe_3d")), Err(NoFeatures::NoBoard));
    assert_eq!(find(&game("chinese_checkers_3p")), Err(NoFeatures::SeparateCells));
    assert_eq!(find(&game("hanoi")), Err(NoFeatures::OneRole));
}

/// All names replaced, and the arguments of functions and relations turned round: contents are then
/// the first argument of a fluent, rows come before columns, and moves say where to before where from.
#[test]
fn names_and_the_order_of_arguments_make_no_difference() {
    let pieces = PIECES.iter().map(|(name, _)| name);
    for name in pieces.chain(CELLS).chain(NOTHING) {
        let rules = game(name);
        let text = scrambled(&rules);
        assert!(!text.contains("cell") && !text.contains("white"), "{name}");
        let scrambled = reference::load(Source::from_text(*name, &text)).expect("a sheet");
        assert_eq!(find(&scrambled), find(&rules), "{name}");
    }
}

#[test]
fn features_are_shown_with_what_was_learned() {
    let text = run_well(&["show", "othello", "features"]);
    assert!(text.starts_with("features  128 cells\nboard     cell, 64 cells\n"), "{text}");
    assert!(text.contains("moves     noop: no cell"), "{text}");
    let (code, shown) = run_json(&["show", "othello", "features", "--playouts", "2e3", "--json"]);
    assert_eq!((code, &shown["learned"]["learned_from"]), (0, &2000.into()));
    // Corners are worth much to whoever has them: black is the first role.
    let values = shown["learned"]["values"].as_array().expect("values");
    let values: BTreeMap<&str, f64> = values
        .iter()
        .map(|one| {
            (one["feature"].as_str().unwrap_or(""), one["values"][0].as_f64().unwrap_or(0.0))
        })
        .collect();
    for corner in ["1 1", "1 8", "8 1", "8 8"] {
        assert!(values[format!("{corner} black").as_str()] > 5.0, "{values:?}");
        assert!(values[format!("{corner} white").as_str()] < -5.0, "{values:?}");
    }
    let none = run_well(&["show", "tic_tac_toe_3d", "features", "--playouts", "10"]);
    assert!(none.starts_with("no features: no fluent has two coordinates"), "{none}");
    let (code, _, err) = run(&["show", "othello", "circuit", "--playouts", "10"]);
    assert!(code == 1 && err.contains("--playouts is only for features: "), "{err}");
}

/// A piece reaches the other side of the board only in the last state.
#[test]
fn cells_on_which_a_game_is_won_are_valued() {
    let (_, shown) = run_json(&["show", "breakthrough", "features", "--playouts", "2e3", "--json"]);
    let values = shown["learned"]["values"].as_array().expect("values");
    let value = |cell: String| {
        let found = values.iter().find(|one| one["feature"] == *cell).expect("a cell");
        found["values"][0].as_f64().expect("a value")
    };
    let mean = |cells: &str| {
        let of = |column: usize| value(format!("{column} {cells}"));
        (1..=8).map(of).sum::<f64>() / 8.0
    };
    assert!(mean("8 white") > 5.0 && mean("8 white") > mean("3 white"), "{values:?}");
    assert!(mean("1 black") < -5.0 && mean("1 black") < mean("6 black"), "{values:?}");
}

/// Pieces of skirmish in the order of the thesis: pawns, then knights and bishops, then rooks.
#[test]
fn pieces_of_skirmish_are_valued_as_in_the_thesis() {
    let (_, shown) = run_json(&["show", "skirmish", "features", "--playouts", "5e3", "--json"]);
    let values = shown["learned"]["values"].as_array().expect("values");
    assert_eq!(values.len(), 8);
    let value = |side: &str, piece: &str, role: usize| {
        let name = format!("{side}_{piece}");
        let found = values.iter().find(|one| one["feature"] == *name).expect("a piece");
        found["values"][role].as_f64().expect("a value")
    };
    for (role, side, other) in [(0, "white", "black"), (1, "black", "white")] {
        let own = |piece| value(side, piece, role);
        assert!(own("pawn") > 1.0, "{values:?}");
        for piece in ["knight", "bishop"] {
            assert!(own("pawn") < own(piece) && own(piece) < own("rook"), "{values:?}");
        }
        for piece in ["pawn", "knight", "bishop", "rook"] {
            assert_eq!(own(piece), -value(side, piece, 1 - role));
            assert!(value(other, piece, role) < -1.0, "{values:?}");
        }
    }
}

/// A sheet with all names replaced but the words of GDL and numbers, which may be goals, and all
/// arguments turned round but those of the words of GDL.
fn scrambled(rules: &Rules) -> String {
    let mut rules = rules.clone();
    for rule in &mut rules.rules {
        turn_atom(&mut rule.head);
        rule.body.iter_mut().for_each(turn_literal);
    }
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let text = print_rules(&rules);
    let pieces = text.split_inclusive(['(', ')', ' ', '\n']).map(|piece| {
        let end = piece.find(['(', ')', ' ', '\n']).unwrap_or(piece.len());
        let (name, rest) = piece.split_at(end);
        let stays = name.is_empty()
            || name.starts_with('?')
            || name.parse::<i64>().is_ok()
            || KEPT.contains(&name);
        let count = names.len();
        let new = match stays {
            true => name.to_string(),
            false => names.entry(name.to_string()).or_insert(format!("zz{count}")).clone(),
        };
        new + rest
    });
    pieces.collect()
}

/// The words of GDL.
const KEPT: &[&str] = &[
    "<=", "role", "init", "true", "next", "legal", "does", "goal", "terminal", "base", "input",
    "not", "or", "and", "distinct",
];

fn turn_literal(literal: &mut Literal) {
    match &mut literal.kind {
        LiteralKind::Atom(atom) => turn_atom(atom),
        LiteralKind::Not(inner) => turn_literal(inner),
        LiteralKind::Or(all) | LiteralKind::And(all) => all.iter_mut().for_each(turn_literal),
        LiteralKind::Distinct(one, two) => [one, two].into_iter().for_each(turn_term),
    }
}

fn turn_atom(atom: &mut Atom) {
    atom.args.iter_mut().for_each(turn_term);
    if !word::is_word(atom.relation) {
        atom.args.reverse();
    }
}

fn turn_term(term: &mut Term) {
    if let TermKind::Function(_, args) = &mut term.kind {
        args.iter_mut().for_each(turn_term);
        args.reverse();
    }
}
