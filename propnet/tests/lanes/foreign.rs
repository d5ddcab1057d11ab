//! States and moves of one engine are refused by all others, at every door.

use std::sync::Arc;

use propnet::circuit::CircuitGame;
use propnet::circuit::diagram::{highlight, network};
use propnet::circuit::optimize::Pass;
use propnet::game::{ForeignError, Game, JointMove, Move, PlayError, State};
use propnet::ground::{GroundGame, GroundRules, Limits, NoWatch, Options, ground};
use propnet::lanes::{Batch, Job, JobError, Jobs, LanesGame, Playouts};
use propnet::reference::Reasoner;
use propnet::{BatchError, CompileOptions, Compiled, load};
use rand::SeedableRng;
use rand_pcg::Pcg64;
use wide::u64x4;

use super::sheets::TIC_TAC_TOE;
use super::support::{ALL, Sheet};

const STATE: PlayError = PlayError::Foreign(ForeignError::State);
const MOVE: PlayError = PlayError::Foreign(ForeignError::Move);

/// An engine, and the number of the tables that it has.
type Engine = (usize, Box<dyn Game>);

/// Every kind of engine for the same sheet, some twice; those with the same number have the same
/// tables.
fn engines() -> Vec<Engine> {
    let rules = load(TIC_TAC_TOE).expect("a sheet");
    let grounding = ground(&rules, &Options::default(), Limits::default(), &mut NoWatch);
    let grounded: Arc<GroundRules> = Arc::new(grounding.expect("ground rules").rules);
    let sheet = Sheet::with_passes(TIC_TAC_TOE, Pass::ALL);
    let lanes = sheet.engine(&ALL);
    let compiled = || Compiled::new(&rules, &CompileOptions::default()).expect("a game");
    let again = compiled();
    vec![
        (0, Box::new(Reasoner::new(&rules))),
        (1, Box::new(Reasoner::new(&rules))),
        (2, Box::new(GroundGame::new(grounded.clone()))),
        (3, Box::new(GroundGame::new(grounded))),
        (4, Box::new(CircuitGame::new(sheet.plain.clone()))),
        (4, Box::new(LanesGame::<u64>::new(lanes.program.clone(), &lanes.code))),
        (4, Box::new(LanesGame::<u64x4>::new(lanes.program.clone(), &lanes.code))),
        (5, compiled().game()),
        (6, again.game()),
        (6, Box::new(CircuitGame::new(again.circuit().clone()))),
    ]
}

/// The initial state and a joint move that is legal there.
fn position(game: &mut dyn Game) -> (State, JointMove) {
    let state = game.initial_state().expect("a state");
    let joint = game.complete_joint_move(&state, &[], &mut Pcg64::seed_from_u64(1));
    (state, joint.expect("legal moves"))
}

fn refuses(game: &mut dyn Game, foreign: &State, moves: &[Move]) {
    let (own, joint) = position(game);
    let next = game.next_state(&own, &joint).expect("legal moves");
    let mut rng = Pcg64::seed_from_u64(1);
    for (role, &chosen) in moves.iter().enumerate() {
        assert_eq!(game.legal_moves(foreign, role), Err(STATE));
        assert_eq!(game.goal(foreign, role), Err(STATE));
        assert_eq!(game.proper_goal(foreign, role), Err(STATE));
        assert_eq!(game.move_text(role, chosen), Err(MOVE));
        assert_eq!(game.move_spelling(role, chosen), Err(MOVE));
        let mut one = joint.clone();
        one[role] = chosen;
        assert_eq!(game.next_state(&own, &one), Err(MOVE));
        let mut given = vec![None; moves.len()];
        given[role] = Some(chosen);
        assert_eq!(game.complete_joint_move(&own, &given, &mut rng), Err(MOVE));
    }
    assert_eq!(game.is_terminal(foreign), Err(STATE));
    assert_eq!(game.sentences(foreign), Err(STATE));
    assert_eq!(game.next_state(foreign, &joint), Err(STATE));
    assert_eq!(game.complete_joint_move(foreign, &[], &mut rng), Err(STATE));
    // Nothing of that has changed what it knows of its own state.
    assert_eq!(game.next_state(&own, &joint).as_ref(), Ok(&next));
}

#[test]
fn engines_refuse_what_is_of_other_tables() {
    let mut all = engines();
    let positions: Vec<(usize, (State, JointMove))> =
        all.iter_mut().map(|(table, game)| (*table, position(&mut **game))).collect();
    for (own, game) in &mut all {
        for (table, (state, joint)) in &positions {
            if table == own {
                let initial = game.initial_state().expect("a state");
                assert_eq!(game.next_state(state, joint), game.next_state(&initial, joint));
                assert!(game.next_state(state, joint).is_ok(), "a state of the same tables");
            } else {
                refuses(&mut **game, state, joint);
            }
        }
    }
}

#[test]
fn lanes_refuse_what_is_of_other_tables() {
    let sheet = Sheet::new(TIC_TAC_TOE);
    let engine = sheet.engine(&ALL);
    let (program, code) = (&engine.program, &engine.code);
    let (own, own_joint) = position(&mut LanesGame::<u64>::new(program.clone(), code));
    for (_, mut other) in engines() {
        let (state, joint) = position(&mut *other);
        let mut batch = Batch::<u64>::new(program, code);
        batch.load([&own]).expect("its own state");
        assert_eq!(batch.load([&own, &state]), Err(ForeignError::State));
        assert_eq!(batch.make([&own_joint[..], &joint[..]]), Err(ForeignError::Move));
        // The state that was loaded before is still there.
        batch.make([&own_joint[..]]).expect("its own moves");
        batch.advance();
        let mut game = CircuitGame::new(sheet.plain.clone());
        let next = game.next_state(&own, &own_joint).expect("legal moves");
        assert_eq!(batch.next_states(1), [next]);

        assert_eq!(program.pack(&state), Err(ForeignError::State));
        let refused = Playouts::<u64>::new(program, code, &state, 1, &(0..1));
        assert_eq!(refused.err(), Some(ForeignError::State));
        let mut playouts =
            Playouts::<u64>::new(program, code, &own, 1, &(0..1)).expect("its own state");
        assert_eq!(playouts.set_weight(0, joint[0], 1), Err(ForeignError::Move));

        let mut jobs = Jobs::<u64>::new(program, code, 1);
        assert_eq!(jobs.set_weight(0, joint[0], 1), Err(ForeignError::Move));
        let foreign = Job::new(0, 0, &Arc::new(state.clone()));
        assert_eq!(jobs.push(foreign), Err(JobError::Foreign(ForeignError::State)));
        let job = Job::new(0, 0, &Arc::new(own.clone()));
        let forced = Job { forced: Some([own_joint[0], joint[1]].into()), ..job };
        assert_eq!(jobs.push(forced), Err(JobError::Foreign(ForeignError::Move)));
        assert_eq!(jobs.queued(), 0);

        let mut diagram = network(&sheet.plain);
        assert_eq!(highlight(&mut diagram, &sheet.plain, &state), Err(ForeignError::State));
        let names = &program.names;
        assert_eq!(names.sentences(&state), Err(STATE));
        assert_eq!(names.move_text(0, joint[0]), Err(MOVE));
        assert_eq!(names.move_spelling(0, joint[0]), Err(MOVE));
    }
}

#[test]
fn a_compiled_game_refuses_what_is_of_other_tables() {
    let rules = load(TIC_TAC_TOE).expect("a sheet");
    let compiled = Compiled::new(&rules, &CompileOptions::default()).expect("a game");
    let own = compiled.initial_state().clone();
    let (_, own_joint) = position(&mut *compiled.game());
    let mut batch = compiled.batch();
    for (_, mut other) in engines() {
        let (state, joint) = position(&mut *other);
        assert_eq!(compiled.playouts_from(&state, 0..1, 1), Err(ForeignError::State));
        let states = [own.clone(), state];
        let refused = BatchError::Foreign { at: 1, error: ForeignError::State };
        assert_eq!(batch.look(&states), Err(refused.clone()));
        assert_eq!(batch.goals(&states), Err(refused.clone()));
        let joints = [own_joint.clone(), own_joint.clone()];
        assert_eq!(batch.next_states(&states, &joints), Err(refused));
        let refused = batch.next_states(&[own.clone(), own.clone()], &[own_joint.clone(), joint]);
        assert_eq!(refused, Err(BatchError::Play { at: 1, error: MOVE }));
    }
}

/// Text is what engines have in common.
#[test]
fn what_is_translated_is_accepted() {
    let mut all = engines();
    let (state, joint) = position(&mut *all[0].1);
    let sentences = all[0].1.sentences(&state).expect("its own state");
    let texts: Vec<String> = (0..joint.len())
        .map(|role| all[0].1.move_text(role, joint[role]).expect("its own move"))
        .collect();
    let shown = all[0].1.next_state(&state, &joint).expect("legal moves");
    let expected = all[0].1.sentences(&shown).expect("its own state");
    for (_, game) in &mut all {
        let state = game.state_of(&sentences).expect("a state");
        let joint: JointMove = (0..texts.len())
            .map(|role| game.move_of(role, &texts[role]).expect("a move"))
            .collect();
        let next = game.next_state(&state, &joint).expect("legal moves");
        assert_eq!(game.sentences(&next).expect("its own state"), expected);
    }
}
