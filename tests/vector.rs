//! Games side by side, stepped by actions: compared with the reference reasoner, game by game.

use ludens::pipeline::{Compile, LaneProgram, PipelineOptions, circuit_within};
use ludens::playouts::{PlayoutBudget, PlayoutPlan, play};
use ludens::vector::{VectorError, VectorGame};
use propnet::game::{Game, State};
use propnet::lanes::{Backend, NO_ACTION, Setup, Width};
use propnet::program::StepOptions;
use propnet::reference::Reasoner;

use crate::support::{STUCK, load, root};

fn program(rules: &propnet::gdl::Rules, setup: Setup) -> LaneProgram {
    let circuit = circuit_within(rules, &PipelineOptions::default()).expect("a circuit");
    LaneProgram::new(&circuit, setup, &StepOptions::default(), Compile::First).expect("a program")
}

fn portable() -> Setup {
    Setup::new(Some(Width::Lanes64), Some(Backend::Portable)).expect("it works anywhere")
}

/// Plays at random in more games than there are lanes, and compares all answers with the reasoner's.
fn agrees(name: &str, steps: usize) {
    let rules = load(&root().join(format!("games/{name}.kif")));
    let program = program(&rules, portable());
    let mut games = VectorGame::new(&program, 70, 5);
    games.rule.restarts = true;
    games.threads = 2;
    let names = program.program.names.clone();
    let (count, roles) = (games.count(), names.roles().len());
    let mut reasoner = Reasoner::new(&rules);
    let start = reasoner.initial_state().expect("a state");
    let mut states = vec![start.clone(); count];
    let text = |state: &State| names.sentences(state).expect("its own state");
    for step in 0..steps {
        let mut actions = vec![0; count * roles];
        games.sample(&mut actions);
        for role in 0..roles {
            let moves = names.move_count(role);
            let mut legal = vec![false; count * moves];
            games.legal(role, &mut legal);
            for (state, legal) in states.iter().zip(legal.chunks_exact(moves)) {
                let expected = reasoner.legal_moves(state, role).expect("legal moves");
                let mut expected: Vec<String> = expected
                    .iter()
                    .map(|chosen| reasoner.move_text(role, chosen).expect("text"))
                    .collect();
                let found = (0..moves).filter(|&at| legal[at]);
                let mut found: Vec<String> = found.map(|at| names.text_of_move(role, at)).collect();
                expected.sort();
                found.sort();
                assert_eq!(found, expected, "{name}, step {step}, role {role}");
            }
        }
        games.step(&actions).expect("legal actions");
        let [mut ended, mut cut] = [vec![false; count], vec![false; count]];
        games.ends(&mut ended, &mut cut);
        let mut goals = vec![0.0; count * roles];
        games.goals(&mut goals);
        let now = games.states();
        for (at, state) in states.iter_mut().enumerate() {
            let mut joint = Vec::new();
            for role in 0..roles {
                let text = names.text_of_move(role, actions[at * roles + role] as usize);
                joint.push(reasoner.move_of(role, &text).expect("a move"));
            }
            *state = reasoner.next_state(state, &joint).expect("a state");
            let is_over = reasoner.is_terminal(state).expect("an answer");
            assert_eq!((ended[at], cut[at]), (is_over, false), "{name}, step {step}, game {at}");
            for role in 0..roles {
                let goal = goals[at * roles + role];
                match is_over {
                    true => assert_eq!(goal, reasoner.goal(state, role).expect("a goal") as f32),
                    false => assert!(goal.is_nan()),
                }
            }
            if is_over {
                *state = start.clone();
            }
            assert_eq!(text(&now[at]), reasoner.sentences(state).expect("sentences"));
        }
    }
    assert!(steps > 0);
}

#[test]
fn games_side_by_side_are_those_of_the_reasoner() {
    agrees("tic_tac_toe", 25);
    agrees("connect_four", 40);
    agrees("rock_paper_scissors", 12);
}

#[test]
fn observations_are_the_true_fluents_and_last_ones_those_before_the_restart() {
    let rules = load(&root().join("games/tic_tac_toe.kif"));
    let program = program(&rules, portable());
    let mut games = VectorGame::new(&program, 10, 1);
    games.rule.restarts = true;
    let fluents = games.names().fluent_count();
    let rows = |states: &[State]| -> Vec<bool> {
        states.iter().flat_map(|state| (0..fluents).map(|at| state.contains(at))).collect()
    };
    let [mut now, mut last] = [vec![false; 10 * fluents], vec![false; 10 * fluents]];
    let mut ends = 0;
    for _ in 0..30 {
        let mut actions = vec![0; 20];
        games.sample(&mut actions);
        let mut apart = VectorGame::at(&program, &games.states(), 1).expect("its own states");
        apart.step(&actions).expect("legal actions");
        games.step(&actions).expect("legal actions");
        games.observations(&mut now);
        games.last_observations(&mut last);
        assert_eq!(now, rows(&games.states()));
        // What does not start anew stays in the state that the step reached.
        assert_eq!(last, rows(&apart.states()));
        let mut over = vec![false; 10];
        apart.over(&mut over);
        ends += over.iter().filter(|over| **over).count();
    }
    assert!(ends > 10, "{ends}");
}

#[test]
fn games_that_are_over_wait_for_their_restart() {
    let rules = load(&root().join("games/tic_tac_toe.kif"));
    let program = program(&rules, portable());
    let mut games = VectorGame::new(&program, 5, 3);
    let mut actions = vec![0; 10];
    for _ in 0..9 {
        games.sample(&mut actions);
        games.step(&actions).expect("legal actions");
    }
    let mut over = vec![false; 5];
    games.over(&mut over);
    assert_eq!(over, [true; 5]);
    games.sample(&mut actions);
    assert_eq!(actions, [NO_ACTION; 10]);
    let states = games.states();
    games.step(&[NO_ACTION; 10]).expect("no game goes on");
    assert_eq!(games.states(), states);
    games.restart(Some(&[false, true, false, false, true]));
    games.over(&mut over);
    assert_eq!(over, [true, false, true, true, false]);
    games.restart(None);
    assert!(games.states().iter().all(|state| *state == program.program.initial));
}

#[test]
fn actions_that_are_not_legal_change_nothing() {
    let rules = load(&root().join("games/tic_tac_toe.kif"));
    let program = program(&rules, portable());
    let mut games = VectorGame::new(&program, 3, 3);
    let mut actions = vec![0; 6];
    games.sample(&mut actions);
    let before = games.states();
    let error = |games: &mut VectorGame, actions: &[i32]| {
        games.step(actions).expect_err("not legal").to_string()
    };
    let wrong = [&actions[..5], &[99]].concat();
    let moves = games.names().move_count(1);
    let expected = format!("game 2: action 99 of o is not one of its {moves} moves");
    assert_eq!(error(&mut games, &wrong), expected);
    let noop = games.names().move_of(0, "noop").expect("a move").index() as i32;
    let illegal = [&[noop], &actions[1..]].concat();
    assert!(error(&mut games, &illegal).starts_with("game 0: "), "{illegal:?}");
    let few = games.step(&actions[1..]).expect_err("too few");
    assert_eq!(few, VectorError::Count { count: 3, roles: 2, given: 5 });
    assert_eq!(games.states(), before);
}

#[test]
fn games_that_cannot_go_on_are_cut() {
    let program = program(&propnet::load(STUCK).expect("rules"), portable());
    let mut games = VectorGame::new(&program, 2, 3);
    games.rule.restarts = true;
    let mut actions = vec![0; 4];
    games.sample(&mut actions);
    games.step(&actions).expect("legal actions");
    let [mut ended, mut cut] = [vec![true; 2], vec![false; 2]];
    games.ends(&mut ended, &mut cut);
    assert_eq!((ended, cut), (vec![false; 2], vec![true; 2]));
    assert!(games.states().iter().all(|state| *state == program.program.initial));
    let rules = load(&root().join("games/tic_tac_toe.kif"));
    let mut limited = VectorGame::new(&self::program(&rules, portable()), 1, 3);
    limited.rule.limit = Some(2);
    let [mut ended, mut cut] = [vec![false], vec![false]];
    for is_cut in [false, true] {
        limited.sample(&mut actions[..2]);
        limited.step(&actions[..2]).expect("legal actions");
        limited.ends(&mut ended, &mut cut);
        assert_eq!((ended[0], cut[0]), (false, is_cut));
    }
}

#[test]
fn weights_of_moves_decide_playouts_and_the_caller_stops_them() {
    let rules = load(&root().join("games/tic_tac_toe.kif"));
    let circuit = circuit_within(&rules, &PipelineOptions::default()).expect("a circuit");
    let setup = portable();
    let step = StepOptions { weights: Some(8), limit_bits: 6, ..StepOptions::default() };
    let lanes = LaneProgram::new(&circuit, setup, &step, Compile::First).expect("a program");
    let names = &lanes.program.names;
    // x takes the first row; o anything else.
    let weights: Vec<Vec<u32>> = ["x", "o"]
        .iter()
        .enumerate()
        .map(|(role, _)| {
            let moves = (0..names.move_count(role)).map(|at| names.text_of_move(role, at));
            let first = |text: &String| text.starts_with("(mark 1");
            moves.map(|text| u32::from(first(&text) == (role == 0))).collect()
        })
        .collect();
    let plan = PlayoutPlan {
        program: &lanes.program,
        codes: &lanes.codes,
        state: &lanes.program.initial,
        seed: 1,
        budget: PlayoutBudget::Playouts(1_000),
        limit: 50,
        weights: &weights,
        threads: 1,
        width: setup.width(),
    };
    let totals = play(&plan, &|_| true).expect("playouts").totals;
    assert_eq!(totals.mean_goals(&lanes.program)[0], Some(100.0));
    let stopped = PlayoutPlan { budget: PlayoutBudget::Playouts(u64::MAX), ..plan };
    let totals = play(&stopped, &|_| false).expect("playouts").totals;
    assert!(totals.playouts > 0);
}
