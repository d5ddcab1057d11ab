//! The front door gives what the stages behind it give, and errors that say which stage failed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use propnet::circuit::CircuitError;
use propnet::circuit::optimize::{Pass, Size};
use propnet::game::{ForeignError, Game, Move, PlayError, State, TableId};
use propnet::ground::{GroundError, Limits};
use propnet::lanes::{Backend, Code, Playouts, Setup, Totals, Width};
use propnet::machine::Level;
use propnet::program::{Mapping, Program, StepOptions};
use propnet::reference::{Reasoner, WorkWatch};
use propnet::{BatchError, CompileError, CompileOptions, Compiled, load};
use rand::SeedableRng;
use rand_pcg::Pcg64;

const TIC_TAC_TOE: &str = include_str!("../../games/tic_tac_toe.kif");
const CONNECT_FOUR: &str = include_str!("../../games/connect_four.kif");
const ROCK_PAPER_SCISSORS: &str = include_str!("../../games/rock_paper_scissors.kif");

/// Never ends, and its goals are no numbers for one role.
const ENDLESS: &str = "(role a) (role b) (init (s 0)) (legal a m) (legal a n) (legal b m)
    (<= (next (s 1)) (does a m)) (<= (next (s 0)) (does a n)) (<= terminal (true (s 2)))
    (goal a 50) (goal b many)";

fn compiled(text: &str, options: &CompileOptions) -> Compiled {
    Compiled::new(&load(text).expect("a sheet"), options).expect("a game")
}

/// Every width and back end that this processor has.
fn setups() -> Vec<Setup> {
    let portable = Width::ALL.iter().map(|&width| (Some(width), Backend::Portable));
    let levels = [Level::Avx2, Level::Avx512].map(|level| (None, Backend::Machine(level)));
    let all = portable.chain(levels);
    all.filter_map(|(width, backend)| Setup::new(width, Some(backend)).ok()).collect()
}

#[test]
fn playouts_are_those_of_the_stages_on_every_back_end() {
    let (seed, number) = (7, 3_000);
    for text in [TIC_TAC_TOE, ROCK_PAPER_SCISSORS] {
        let usual = compiled(text, &CompileOptions::default());
        let step = StepOptions { limit_bits: 20, ..StepOptions::default() };
        let program = Program::with_options(usual.circuit(), Mapping::TwoInputs, &step);
        let code = Arc::new(Code::new(&program, Backend::Portable).expect("portable code"));
        let program = Arc::new(program);
        let start = &program.initial;
        let playouts = Playouts::<u64>::new(&program, &code, start, seed, &(0..number));
        let mut playouts = playouts.expect("its own state");
        playouts.set_limit(100_000);
        playouts.count_lengths();
        playouts.run(u64::MAX);
        let expected = playouts.totals().clone();
        assert_eq!(expected.playouts, number);

        for lanes in setups() {
            let game = compiled(text, &CompileOptions { lanes, ..Default::default() });
            assert_eq!(game.setup(), lanes);
            assert_eq!(game.playouts(number, seed), expected, "{lanes}");
        }
        assert_ne!(usual.playouts(number, seed + 1).goals, expected.goals, "the seed matters");
    }
}

#[test]
fn parts_of_a_range_add_up_and_start_where_they_are_told() {
    let game = compiled(TIC_TAC_TOE, &CompileOptions::default());
    let start = game.initial_state();
    let mut sum = Totals::new(game.program());
    for part in [0..700, 700..701, 701..2_000] {
        sum.add(&game.playouts_from(start, part, 3).expect("a state of this game"));
    }
    assert_eq!(sum, game.playouts(2_000, 3));

    // The last cell is left, and gives o a column.
    let text = "(cell 1 1 o) (cell 1 2 o) (cell 3 3 o) (cell 2 3 o) (cell 2 1 x) (cell 2 2 x) \
                (cell 3 1 x) (cell 3 2 x) (control o)";
    let sentences: Vec<String> =
        text.split_inclusive(')').map(|sentence| sentence.trim().to_string()).collect();
    let state = game.names().state_of(&sentences).expect("sentences of the game");
    let totals = game.playouts_from(&state, 0..100, 1).expect("a state of this game");
    assert_eq!((totals.playouts, totals.steps), (100, 100));
    assert_eq!(totals.mean_goals(game.program()), [Some(0.0), Some(100.0)]);
}

#[test]
fn totals_are_summed_up() {
    let game = compiled(TIC_TAC_TOE, &CompileOptions::default());
    let totals = game.playouts(20_000, 1);
    let means = totals.mean_goals(game.program());
    // By counting all games: x has 64.85, o the rest of 100.
    let near = |mean: Option<f64>, goal: f64| mean.is_some_and(|mean| (mean - goal).abs() < 2.0);
    assert!(near(means[0], 64.85) && near(means[1], 35.15), "{means:?}");
    let lengths: u64 = totals.lengths.iter().zip(0..).map(|(count, length)| count * length).sum();
    assert_eq!(totals.mean_length(), Some(lengths as f64 / 20_000.0));
    assert_eq!(totals.lengths.iter().sum::<u64>(), 20_000);

    let nothing = game.playouts(0, 1);
    assert_eq!(nothing.mean_goals(game.program()), [None, None]);
    assert_eq!(nothing.mean_length(), None);
}

#[test]
fn the_options_reach_the_circuit() {
    let with = |passes: &[Pass]| {
        let options = CompileOptions { passes: passes.to_vec(), ..Default::default() };
        Size::of(compiled(TIC_TAC_TOE, &options).circuit())
    };
    assert!(with(Pass::ALL).two_input_gates < with(&[]).two_input_gates);
}

#[test]
fn games_without_end_are_cut() {
    for max_moves in [0, 1, 300] {
        let game = compiled(ENDLESS, &CompileOptions { max_moves, ..Default::default() });
        let totals = game.playouts(100, 1);
        assert_eq!((totals.cut, totals.steps), (100, 100 * max_moves));
        assert_eq!(totals.mean_goals(game.program()), [None, None]);
    }
}

/// Random play with a state in each of some games, in step with the reasoner.
#[test]
fn batches_and_games_answer_as_the_reasoner_does() {
    let rules = load(TIC_TAC_TOE).expect("a sheet");
    let mut judge = Reasoner::new(&rules);
    let mut rng = Pcg64::seed_from_u64(5);
    for lanes in setups() {
        let options = CompileOptions { lanes, ..Default::default() };
        let compiled = Compiled::new(&rules, &options).expect("a game");
        let (mut game, mut batch) = (compiled.game(), compiled.batch());
        assert_eq!(batch.lanes(), lanes.width().lanes());
        // More than fit in one portion of the narrower ones.
        let mut states = vec![compiled.initial_state().clone(); 70];
        while !states.is_empty() {
            let situations = batch.look(&states).expect("states of this game");
            let goals = batch.goals(&states).expect("states of this game");
            let mut going = Vec::new();
            let mut moves = Vec::new();
            for ((state, situation), goals) in states.into_iter().zip(&situations).zip(goals) {
                let plain =
                    judge.state_of(&game.sentences(&state).expect("sentences")).expect("a state");
                let over = judge.is_terminal(&plain).expect("an answer");
                assert_eq!(situation.is_terminal, over);
                for (role, &goal) in goals.iter().enumerate() {
                    assert_eq!(judge.proper_goal(&plain, role), Ok(goal));
                    let legal: Vec<String> = situation.legal[role]
                        .iter()
                        .map(|chosen| game.move_text(role, chosen).expect("a text"))
                        .collect();
                    let expected = judge.legal_moves(&plain, role).expect("moves");
                    assert_eq!(legal.len(), expected.len());
                    for text in legal {
                        let chosen = judge.move_of(role, &text).expect("a move");
                        assert!(expected.contains(chosen), "{text}");
                    }
                }
                if !over {
                    let joint = game.complete_joint_move(&state, &[], &mut rng).expect("moves");
                    going.push(state);
                    moves.push(joint);
                }
            }
            states = batch.next_states(&going, &moves).expect("legal moves");
            for ((before, joint), after) in going.iter().zip(&moves).zip(&states) {
                assert_eq!(game.next_state(before, joint).as_ref(), Ok(after));
            }
        }
    }
}

#[test]
fn what_does_not_belong_to_the_game_is_refused() {
    let compiled = compiled(TIC_TAC_TOE, &CompileOptions::default());
    let error = ForeignError::State;
    // The same indices, but of other tables.
    let own = compiled.initial_state().clone();
    let foreign = State::new(TableId::unique(), own.iter());
    assert_eq!(compiled.playouts_from(&foreign, 0..1, 1), Err(error));

    let mut batch = compiled.batch();
    let states = [own.clone(), foreign];
    assert_eq!(batch.look(&states), Err(BatchError::Foreign { at: 1, error }));
    assert_eq!(batch.goals(&states), Err(BatchError::Foreign { at: 1, error }));

    let names = compiled.names();
    let joint = |texts: [&str; 2]| -> Vec<Move> {
        (0..2).map(|role| names.move_of(role, texts[role]).expect("a move")).collect()
    };
    let (legal, illegal) = (joint(["(mark 1 1)", "noop"]), joint(["noop", "noop"]));
    let two = [own.clone(), own];
    let mut next = |moves: &[Vec<Move>]| batch.next_states(&two, moves).expect_err("refused");
    assert_eq!(next(std::slice::from_ref(&legal)), BatchError::Count { states: 2, moves: 1 });
    let error = PlayError::WrongMoveCount { wanted: 2, got: 1 };
    assert_eq!(next(&[vec![legal[0]], legal.clone()]), BatchError::Play { at: 0, error });
    let message = next(&[legal.clone(), illegal]).to_string();
    assert_eq!(message, "state 1: the move noop of role x is not legal in this state");
    let unknown = vec![Move::new(names.table(), u32::MAX), legal[1]];
    assert!(matches!(next(&[legal, unknown]), BatchError::Play { at: 1, .. }));
}

#[test]
fn bad_sheets_and_sheets_over_their_limits_are_errors() {
    let error = load("(role a)\n(<= (legal a ?m))").expect_err("no sheet");
    assert!(error.to_string().contains("sheet:2:"), "{error}");
    assert_eq!(format!("{error:?}"), error.to_string(), "what `main` shows is for people");
    assert!(load("").is_err());

    let rules = load(TIC_TAC_TOE).expect("a sheet");
    let limits = Limits { rules: 10, ..Limits::default() };
    let options = CompileOptions { limits, ..Default::default() };
    let error = Compiled::new(&rules, &options).err().expect("too many rules");
    assert!(matches!(error, CompileError::Ground(GroundError::Limit { limit: 10, .. })));
    assert!(!error.is_stopped());
}

#[test]
fn a_watch_stops_every_stage() {
    let rules = load(TIC_TAC_TOE).expect("a sheet");
    let (mut in_circuit, mut behind) = (0, 0);
    for patience in 0.. {
        let asked = AtomicU64::new(0);
        let watch = WorkWatch::new(move || asked.fetch_add(1, Ordering::Relaxed) < patience);
        let options = CompileOptions { watch, ..Default::default() };
        let Err(error) = Compiled::new(&rules, &options) else { break };
        assert!(error.is_stopped(), "{error}");
        match error {
            CompileError::Circuit(CircuitError::Stopped { .. }) => in_circuit += 1,
            CompileError::Stopped => behind += 1,
            error => panic!("{error}"),
        }
    }
    assert!(in_circuit > 0 && behind == 1, "{in_circuit} {behind}");

    // Grounding asks only where it takes a while.
    let rules = load(CONNECT_FOUR).expect("a sheet");
    let options = CompileOptions { watch: WorkWatch::new(|| false), ..Default::default() };
    let error = Compiled::new(&rules, &options).err().expect("stopped at once");
    assert!(matches!(error, CompileError::Ground(GroundError::Stopped { .. })), "{error}");
    assert!(error.is_stopped());
}
