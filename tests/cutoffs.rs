//! Early cutoffs on sheets that others wrote, of the games in table 5.1 of the CadiaPlayer thesis.

use std::path::Path;

use ludens::pipeline::{Compile, LaneProgram, PipelineOptions, circuit_within};
use ludens::search::CutoffKind::{GoalStability, Inactive, TerminalInterval};
use ludens::search::{Budget, Cutoff, CutoffKind, Search, SearchGame, Settings};
use propnet::lanes::Setup;

use crate::support::load;
use crate::trials::Trials;

const SHEETS: &[(&str, CutoffKind)] = &[
    ("rep_tictactoe_3d_2player", TerminalInterval),
    ("rep_battle", GoalStability),
    ("rep_breakthrough", TerminalInterval),
    ("rep_checkers", GoalStability),
    ("rep_chineseCheckers3", GoalStability),
    ("rep_chinook", TerminalInterval),
    ("rep_connect5", TerminalInterval),
    ("rep_knightThrough", TerminalInterval),
    ("rep_reversi", Inactive),
    ("rep_skirmish", GoalStability),
    ("rep_ttcc4_2player", TerminalInterval),
    ("rep_ttcc4", TerminalInterval),
];

pub(crate) fn add(trials: &mut Trials) {
    trials.with_corpus(cutoffs_are_active_where_the_thesis_says_so);
}

fn cutoffs_are_active_where_the_thesis_says_so(shared: &Path) {
    for &(name, kind) in SHEETS {
        let found = cutoff(&shared.join(format!("corpus/{name}.kif")));
        assert_eq!((found.kind, found.figures.samples), (kind, 100), "{name}: {found}");
        // The thesis measured around 250 in checkers and around 3000 in othello.
        let expected = match name {
            "rep_checkers" => 150.0..350.0,
            "rep_reversi" => 2500.0..3500.0,
            _ => continue,
        };
        assert!(expected.contains(&found.figures.stability), "{name}: {found}");
    }
}

/// What the first simulations of a search say.
fn cutoff(sheet: &Path) -> Cutoff {
    let circuit = circuit_within(&load(sheet), &PipelineOptions::default()).expect("a circuit");
    let settings: Settings = "uct+cutoff:threads=1".parse().expect("settings");
    let step = settings.step_options(circuit.names.roles().len());
    let program = LaneProgram::new(&circuit, Setup::default(), &step, Compile::First);
    let game = SearchGame::Lanes(program.expect("a program"));
    let mut search = Search::new(&game, &settings, 1).expect("a search");
    let report = search.run(&Budget::simulations(101)).expect("a report");
    *report.cutoff.expect("cutoffs are asked for")
}
