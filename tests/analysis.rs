//! What the rules tell about a game: known answers on our sheets, and nothing that play refutes.

use std::sync::Arc;

use ludens::pipeline::{Compile, LaneProgram, PipelineOptions, circuit_within, ground_within};
use ludens::pipeline::{Control, PipelineBounds};
use ludens::playouts::{Codes, PlayoutBudget, Statistics};
use ludens::search::{Budget, Report, RunEnd, Search, SearchGame, Settings};
use propnet::circuit::plan::{
    DecisiveMoves, GoalOutlook, Latch, OpenGoals, decisive, fixed_course, independent_parts,
    latches, step_counter,
};
use propnet::circuit::{Circuit, CircuitGame, WorkBudget};
use propnet::game::{Game, Move, State};
use propnet::gdl::{Rules, Source};
use propnet::ground::symmetries;
use propnet::lanes::Setup;
use propnet::program::{Program, StepOptions};
use propnet::reference;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde_json::Value;

use crate::support::playing::played;
use crate::support::{load, root, run_json, run_well};

fn sheet(name: &str) -> Rules {
    load(&root().join(format!("games/{name}.kif")))
}

fn circuit(rules: &Rules) -> Circuit {
    circuit_within(rules, &PipelineOptions::default()).expect("a circuit")
}

fn analysis(name: &str) -> Value {
    let path = root().join(format!("games/{name}.kif"));
    let (status, found) = run_json(&["show", path.to_str().expect("a path"), "analysis", "--json"]);
    assert_eq!(status, 0, "{name}");
    found
}

/// The latches with a value whose fluents begin with some text.
fn latched(analysis: &Value, value: bool, begin: &str) -> usize {
    let latches = analysis["proven"]["latches"].as_array().expect("latches");
    let is_one = |latch: &&Value| {
        latch["value"] == value
            && latch["fluent"].as_str().is_some_and(|text| text.starts_with(begin))
    };
    latches.iter().filter(is_one).count()
}

#[test]
fn tic_tac_toe_is_known_through_and_through() {
    let found = analysis("tic_tac_toe");
    let proven = &found["proven"];
    assert_eq!(latched(&found, true, "(cell"), 18, "marks stay");
    assert_eq!(proven["symmetries"]["count"], 8);
    assert_eq!(proven["symmetries"]["keep_the_start"], 8);
    assert_eq!(proven["symmetries"]["is_complete"], true);
    assert_eq!((&proven["most_moves"], &proven["is_length_fixed"]), (&9.into(), &false.into()));
    assert_eq!((&proven["one_chooses"], &proven["goal_sum"]), (&true.into(), &100.into()));
    assert_eq!((&proven["decides_early"], &proven["parts"]["count"]), (&true.into(), &9.into()));
    assert_eq!(proven["fixed_course"]["returns_to"], 0, "who is in control comes round");
    let observed = &found["observed"];
    assert_eq!(observed["simultaneous"], 0.0);
    assert_eq!(observed["choices"][0]["most"], 9);
    let mean = |what: &Value| what.as_f64().expect("a mean");
    let (decided, length) = (mean(&observed["decided_after"]), mean(&observed["lengths"]["mean"]));
    assert!(decided < length && length < 9.0, "{decided} {length}");
}

#[test]
fn symmetries_of_our_sheets_are_found() {
    for (name, count) in [("tic_tac_toe", 8), ("connect_four", 2), ("breakthrough", 2)] {
        let bounds = PipelineBounds::default();
        let ground = ground_within(&sheet(name), &bounds, Control::default()).expect("rules").rules;
        let found = symmetries(&ground);
        let kept = found.that_keep_the_start(100);
        let kept = kept.members.len().max(1);
        assert_eq!((kept, found.is_complete), (count, true), "{name}");
    }
}

#[test]
fn step_counters_turns_and_simultaneous_choices_are_told_apart() {
    let eight = analysis("eight_puzzle");
    let fixed = &eight["proven"]["fixed_course"];
    assert!(fixed["returns_to"].is_null() && fixed["steps"].as_u64() > Some(30), "{fixed}");
    let counter = step_counter(&circuit(&sheet("eight_puzzle")), &WorkBudget::default());
    let horizon = counter.expect("a step counter").horizon();
    assert_eq!(eight["proven"]["most_moves"], horizon);
    let scissors = analysis("rock_paper_scissors");
    assert_eq!(scissors["proven"]["one_chooses"], false);
    assert_eq!(scissors["proven"]["is_length_fixed"], true);
    assert_eq!(scissors["observed"]["simultaneous"], 1.0);
}

/// Two boards, on one of which the role in control marks a cell; points are those of both.
fn boards(goals: &str) -> String {
    let cells: String = ["l", "m"]
        .iter()
        .flat_map(|board| (1..=3).map(move |at| format!("(cell {board} {at}) ")))
        .collect();
    format!(
        "(role a) (role b) (init (control a)) {cells}
         (<= (legal ?r (mark ?x ?n)) (true (control ?r)) (cell ?x ?n) (not (marked ?x ?n)))
         (<= (marked ?x ?n) (true (has ?r ?x ?n)))
         (<= (legal ?r pass) (role ?r))
         (<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
         (<= (next (has ?r ?x ?n)) (does ?r (mark ?x ?n)))
         (<= (next (has ?r ?x ?n)) (true (has ?r ?x ?n)))
         (<= terminal (marked l 1) (marked m 1))
         {goals}"
    )
}

#[test]
fn parts_are_found_and_goals_are_sums_or_conjunctions_of_them() {
    let conjunction = boards(
        "(<= (goal a 100) (true (has a l 2)) (true (has a m 2)))
         (<= (goal a 0) (not (true (has a l 2)))) (<= (goal a 0) (not (true (has a m 2))))
         (goal b 0)",
    );
    let sum = boards(
        "(<= (goal a 100) (true (has a l 2)) (true (has a m 2)))
         (<= (goal a 50) (true (has a l 2)) (not (true (has a m 2))))
         (<= (goal a 50) (true (has a m 2)) (not (true (has a l 2))))
         (<= (goal a 0) (not (true (has a l 2))) (not (true (has a m 2))))
         (goal b 0)",
    );
    for (text, expected) in [(conjunction, "conjunction"), (sum, "sum")] {
        let rules = reference::load(Source::from_text("boards", &text)).expect("a sheet");
        let circuit = circuit(&rules);
        let fixed = fixed_course(&circuit, &WorkBudget::default()).expect("turns");
        let parts = independent_parts(&circuit, &fixed.fluents);
        // The cells are parts of their own, or of boards; none joins two boards.
        let board = |fluent: u32| {
            let text = circuit.names.fluent_text(fluent as usize);
            ["l", "m"].into_iter().find(|board| text.contains(&format!(" {board} ")))
        };
        assert!(parts.len() >= 2, "{parts:?}");
        for part in &parts {
            assert!(part.fluents.iter().all(|&fluent| board(fluent) == board(part.fluents[0])));
        }
        let goals = propnet::circuit::plan::part_goals(&circuit, &parts, &WorkBudget::default());
        assert_eq!(format!("{:?}", goals[0]).to_lowercase(), expected);
        assert_eq!(format!("{:?}", goals[1]), "Apart");
    }
}

/// All states of a random game, and its joint moves.
fn random_game(game: &mut CircuitGame, rng: &mut Pcg64Mcg, most: usize) -> Vec<State> {
    let mut state = game.initial_state().expect("a state");
    let mut states = vec![state.clone()];
    while states.len() < most && !game.is_terminal(&state).expect("an answer") {
        let roles = 0..game.roles().len();
        let joint: Vec<Move> = roles
            .map(|role| {
                let legal: Vec<Move> =
                    game.legal_moves(&state, role).expect("moves").iter().collect();
                legal[rng.random_range(0..legal.len())]
            })
            .collect();
        state = game.next_state(&state, &joint).expect("a state");
        states.push(state.clone());
    }
    states
}

fn outlook(circuit: &Circuit, latches: &[Latch]) -> Option<GoalOutlook> {
    OpenGoals::new(circuit, latches).map(|goals| goals.outlook())
}

#[test]
fn no_game_breaks_a_latch_or_ends_beyond_the_goals_that_were_left() {
    let names = [
        "tic_tac_toe",
        "connect_four",
        "hex_small",
        "breakthrough",
        "quarto",
        "pentago",
        "othello",
        "buttons_and_lights",
        "tic_tac_toe_3d",
        "checkers",
    ];
    let mut ruled_out = 0;
    for name in names {
        let circuit = circuit(&sheet(name));
        let found = latches(&circuit, &WorkBudget::default());
        let mut outlook = outlook(&circuit, &found);
        let mut game = CircuitGame::new(circuit);
        let mut rng = Pcg64Mcg::seed_from_u64(5);
        for _ in 0..20 {
            let states = random_game(&mut game, &mut rng, 300);
            for pair in states.windows(2) {
                for latch in &found {
                    let has = |state: &State| state.contains(latch.fluent as usize) == latch.value;
                    assert!(!has(&pair[0]) || has(&pair[1]), "{name}: {latch:?}");
                }
            }
            let end = &states[states.len() - 1];
            let Some(outlook) =
                outlook.as_mut().filter(|_| game.is_terminal(end).expect("an answer"))
            else {
                continue;
            };
            let roles = 0..game.roles().len();
            let goals: Vec<i32> = roles.map(|role| game.goal(end, role).expect("a goal")).collect();
            for state in &states {
                outlook.look(state);
                for (role, goal) in goals.iter().enumerate() {
                    let [least, most] = outlook.range(role).expect("goals");
                    assert!((least..=most).contains(goal), "{name}: {goal} in {least}..{most}");
                    assert!(!outlook.is_decided() || least == most);
                    ruled_out += u32::from(least > 0 || most < 100);
                }
            }
        }
    }
    assert!(ruled_out > 20, "{ruled_out}");
}

#[test]
fn playouts_that_end_early_have_the_goals_of_those_that_go_on() {
    let setup = Setup::default();
    for (name, is_shorter) in
        [("tic_tac_toe", true), ("connect_four", false), ("breakthrough", false)]
    {
        let circuit = circuit(&sheet(name));
        let [whole, early] = [false, true].map(|ends_early| {
            let step = StepOptions { limit_bits: 10, ends_early, ..StepOptions::default() };
            let program = Arc::new(Program::with_options(&circuit, setup.mapping(), &step));
            let codes = Codes::ready(&program, setup.backend()).expect("code");
            let totals =
                played(&program, &codes, (setup, 1), PlayoutBudget::Playouts(5_000)).totals;
            Statistics::new(&program, &totals)
        });
        // Each playout makes the same moves up to where it is decided.
        assert_eq!(whole.goals, early.goals, "{name}");
        assert!(early.steps + u64::from(is_shorter) <= whole.steps, "{name}: {}", early.steps);
    }
}

/// What one role may do: legal moves, and for each whether it wins at once.
fn wins(game: &mut CircuitGame, state: &State, role: usize) -> Vec<(Move, bool)> {
    let legal: Vec<Move> = game.legal_moves(state, role).expect("moves").iter().collect();
    let joint_with = |game: &mut CircuitGame, chosen: Move| -> Vec<Move> {
        (0..game.roles().len())
            .map(|other| match other == role {
                true => chosen,
                false => game.legal_moves(state, other).expect("moves").iter().next().expect("one"),
            })
            .collect()
    };
    let mut found = Vec::new();
    for chosen in legal {
        let joint = joint_with(game, chosen);
        let next = game.next_state(state, &joint).expect("a state");
        let is_won = game.is_terminal(&next).expect("an answer")
            && game.goal(&next, role).expect("a goal") == 100;
        found.push((chosen, is_won));
    }
    found
}

/// The moves that playouts should be left with.
fn left(game: &mut CircuitGame, state: &State, role: usize, kind: DecisiveMoves) -> Vec<Move> {
    let all = wins(game, state, role);
    let winning: Vec<Move> = all.iter().filter(|(_, wins)| *wins).map(|(what, _)| *what).collect();
    if !winning.is_empty() || kind == DecisiveMoves::Win || all.len() == 1 {
        return if winning.is_empty() {
            all.iter().map(|(what, _)| *what).collect()
        } else {
            winning
        };
    }
    let mut safe = Vec::new();
    for &(chosen, _) in &all {
        let joint: Vec<Move> = (0..game.roles().len())
            .map(|other| match other == role {
                true => chosen,
                false => game.legal_moves(state, other).expect("moves").iter().next().expect("one"),
            })
            .collect();
        let next = game.next_state(state, &joint).expect("a state");
        let is_over = game.is_terminal(&next).expect("an answer");
        if is_over || !wins(game, &next, 1 - role).iter().any(|(_, wins)| *wins) {
            safe.push(chosen);
        }
    }
    if safe.is_empty() { all.iter().map(|(what, _)| *what).collect() } else { safe }
}

#[test]
fn decisive_moves_are_those_that_win_or_stop_a_win() {
    for (name, kind) in [
        ("tic_tac_toe", DecisiveMoves::Win),
        ("tic_tac_toe", DecisiveMoves::Block),
        ("breakthrough", DecisiveMoves::Win),
        ("connect_four", DecisiveMoves::Win),
    ] {
        let circuit = circuit(&sheet(name));
        let restricted = decisive(&circuit, kind, &WorkBudget::default());
        let restricted = restricted.unwrap_or_else(|| panic!("{name}: decisive moves"));
        let mut game = CircuitGame::new(circuit);
        let mut other = CircuitGame::new(restricted);
        let mut rng = Pcg64Mcg::seed_from_u64(3);
        let (mut fewer, mut states) = (0, 0);
        for _ in 0..6 {
            let line = random_game(&mut game, &mut rng, 300);
            for state in &line[..line.len() - 1] {
                for role in 0..2 {
                    let mut expected = left(&mut game, state, role, kind);
                    let mut found: Vec<Move> =
                        other.legal_moves(state, role).expect("moves").iter().collect();
                    expected.sort_unstable_by_key(|what| what.index());
                    found.sort_unstable_by_key(|what| what.index());
                    let all = game.legal_moves(state, role).expect("moves").len();
                    if all > 1 {
                        assert_eq!(found, expected, "{name}, {kind:?}");
                        fewer += u32::from(found.len() < all);
                        states += 1;
                    }
                }
            }
        }
        assert!(fewer > 3 && fewer < states, "{name}, {kind:?}: {fewer} of {states}");
    }
}

fn searched(name: &str, strategy: &str, simulations: u64) -> Report {
    let circuit = circuit(&sheet(name));
    let settings: Settings = strategy.parse().expect("settings");
    let step = settings.step_options(circuit.names.roles().len());
    let program = LaneProgram::new(&circuit, Setup::default(), &step, Compile::First);
    let game = SearchGame::Lanes(program.expect("a program"));
    let mut search = Search::new(&game, &settings, 1).expect("a search");
    search.run(&Budget::simulations(simulations)).expect("a report")
}

#[test]
fn searches_use_what_latches_and_decisive_moves_tell() {
    let plain = searched("tic_tac_toe", "uct+solver:threads=1", 200_000);
    let latched = searched("tic_tac_toe", "uct+solver:threads=1:latches=on", 200_000);
    for report in [&plain, &latched] {
        assert_eq!(report.end, RunEnd::Solved);
        let bounds = &report.solver.as_ref().expect("a solver").bounds;
        assert!(bounds.iter().flatten().all(|bound| (bound - 50.0).abs() < 0.01), "{bounds:?}");
    }
    let report = searched("tic_tac_toe", "mast:threads=1:decisive=block:latches=on", 2_000);
    assert!(report.best_move(0).is_some() && report.simulations >= 2_000);
}

#[test]
fn playouts_with_decisive_moves_win_sooner_or_are_drawn_more_often() {
    let setup = Setup::default();
    let circuit = circuit(&sheet("tic_tac_toe"));
    let kinds = [DecisiveMoves::Off, DecisiveMoves::Win, DecisiveMoves::Block];
    let [plain, wins, blocks] = kinds.map(|decisive| {
        let step = StepOptions { limit_bits: 10, decisive, ..StepOptions::default() };
        let program = Arc::new(Program::with_options(&circuit, setup.mapping(), &step));
        let codes = Codes::ready(&program, setup.backend()).expect("code");
        let totals = played(&program, &codes, (setup, 1), PlayoutBudget::Playouts(5_000)).totals;
        Statistics::new(&program, &totals)
    });
    let draws = |statistics: &Statistics| {
        let draw = statistics.goals[0].distribution.iter().find(|share| share.value == "50");
        draw.map_or(0, |share| share.playouts)
    };
    assert!(wins.steps < plain.steps && draws(&wins) < draws(&plain), "{}", wins.steps);
    assert!(draws(&blocks) > 2 * draws(&wins), "{} {}", draws(&blocks), draws(&wins));
}

#[test]
fn the_analysis_is_shown_as_text() {
    let path = root().join("games/tic_tac_toe.kif");
    let text = run_well(&["show", path.to_str().expect("a path"), "analysis"]);
    for line in ["Proven", "Observed", "symmetries         8, 8 keep the start", "at most 9 moves"]
    {
        assert!(text.contains(line), "{line} in {text}");
    }
}
