//! Every random game ends, and with one goal value for each role.

use std::sync::Arc;

use propnet::game::Game;
use propnet::lanes::{Backend, Code, Ending, Job, Jobs, Outcome, Quad};
use propnet::program::{Mapping, Program, StepOptions};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;

use super::sheet::{Sheet, sheets};

/// Random games of each sheet.
const GAMES: u64 = 1000;

/// Games of no sheet are longer.
const MAX_STEPS: u64 = 2000;

#[test]
fn random_games_end_with_one_goal_for_each_role() {
    let complaints: Vec<String> =
        sheets().par_iter().with_max_len(1).filter_map(complaint).collect();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

fn complaint(sheet: &Sheet) -> Option<String> {
    let outcomes = random_games(sheet);
    assert_eq!(outcomes.len() as u64, GAMES);
    let ended_well = |outcome: &Outcome| {
        outcome.ending == Ending::Terminal && outcome.goals.iter().all(Option::is_some)
    };
    let other = outcomes.into_iter().find(|outcome| !ended_well(outcome))?;
    Some(format!("{}: {other:?}", sheet.name))
}

fn random_games(sheet: &Sheet) -> Vec<Outcome> {
    let options = StepOptions { limit_bits: 11, ..StepOptions::default() };
    let program = Arc::new(Program::with_options(&sheet.circuit, Mapping::TwoInputs, &options));
    let code = Arc::new(Code::new(&program, Backend::Portable).expect("nothing is compiled"));
    let mut lanes = Jobs::<Quad>::new(&program, &code, 1);
    let state = Arc::new(program.initial.clone());
    for number in 0..GAMES {
        let limit = Some(MAX_STEPS);
        let job = Job { limit, ..Job::new(number, number, &state) };
        lanes.push(job).expect("a limit that fits");
    }
    lanes.finish();
    lanes.outcomes()
}

/// Whoever stops a game early asks for goals before its end.
#[test]
fn goals_are_defined_in_every_state() {
    sheets().par_iter().with_max_len(1).for_each(|sheet| {
        let mut game = sheet.game();
        let mut rng = Pcg64Mcg::seed_from_u64(3);
        let mut state = game.initial_state().expect("a state");
        loop {
            for role in 0..game.roles().len() {
                let goal = game.goal(&state, role);
                let goal = goal.unwrap_or_else(|error| panic!("{}: {error}", sheet.name));
                assert!((0..=100).contains(&goal), "{}: {goal}", sheet.name);
            }
            if game.is_terminal(&state).expect("an answer") {
                return;
            }
            let joint = game.complete_joint_move(&state, &[], &mut rng).expect("moves");
            state = game.next_state(&state, &joint).expect("a state");
        }
    });
}
