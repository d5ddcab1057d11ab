//! Recorded playouts that are replayed side by side have the states that one at a time has.

use propnet::game::{ForeignError, Game, Move, State};
use propnet::lanes::{Job, LanesGame, RecordedPlayout, Replay, Word};
use wide::{u64x4, u64x8};

use super::sheets::*;
use super::support::{ALL, Sheet};

#[test]
fn replayed_states_are_those_of_the_game() {
    for text in [TIC_TAC_TOE, CONNECT_FOUR, ROCK_PAPER_SCISSORS, EIGHT_PUZZLE, PASSING] {
        let sheet = Sheet::new(text);
        states_are_the_same::<u64>(&sheet);
        states_are_the_same::<u64x4>(&sheet);
        states_are_the_same::<u64x8>(&sheet);
    }
}

fn states_are_the_same<W: Word>(sheet: &Sheet) {
    let engine = sheet.engine(&ALL);
    let (program, state) = (&engine.program, engine.initial());
    let job = |tag| Job { wants_moves: 1, limit: Some(20 + tag % 7), ..Job::new(tag, tag, &state) };
    // More than there are lanes, and a playout without a move.
    let outcomes = engine.outcomes::<W>(5, (0..W::LANES as u64 + 20).map(job).collect());
    let mut playouts: Vec<RecordedPlayout> = outcomes
        .iter()
        .map(|outcome| RecordedPlayout { state: &state, moves: &outcome.moves })
        .collect();
    playouts[3].moves = &[];
    let expected: Vec<Vec<State>> =
        playouts.iter().map(|playout| states(&engine, playout)).collect();
    let mut replayed: Vec<Vec<State>> = playouts.iter().map(|_| Vec::new()).collect();
    let mut replay = Replay::<W>::new(program, &engine.code);
    let shown = replay.run(&playouts, |step| {
        let count = W::LANES.min(playouts.len() - step.first);
        let mut packed = Vec::new();
        step.packed(count, &mut packed);
        for lane in step.lanes.lanes() {
            let own = &playouts[step.first + lane];
            assert_eq!(step.moving.has(lane), own.moves.len() / program.goals.len() > step.step);
            let fluents = 0..program.names.fluent_count();
            let found = fluents.filter(|&fluent| step.fluent(fluent).has(lane));
            let found = State::new(program.names.table(), found);
            let len = program.packed_len();
            assert_eq!(packed[lane * len..][..len], program.pack(&found).expect("its own state"));
            assert_eq!(replayed[step.first + lane].len(), step.step);
            replayed[step.first + lane].push(found);
        }
    });
    shown.expect("its own states");
    assert!(replayed == expected);
}

/// The states of a playout, one after the other.
fn states(engine: &super::engine::Engine, playout: &RecordedPlayout) -> Vec<State> {
    let mut game = LanesGame::<u64>::new(engine.program.clone(), &engine.code);
    let mut states = vec![playout.state.clone()];
    for joint in playout.moves.chunks(game.roles().len()) {
        let last = states.last().expect("the first state");
        states.push(game.next_state(last, joint).expect("legal moves"));
    }
    states
}

#[test]
fn what_is_of_another_engine_is_refused() {
    let [own, other] = [(); 2].map(|()| Sheet::new(TIC_TAC_TOE).engine(&ALL));
    let mut replay = Replay::<u64>::new(&own.program, &own.code);
    let foreign = [Move::new(other.program.names.table(), 0); 2];
    let (state, foreign_state) = (own.initial(), other.initial());
    let mut error = |state: &State, moves: &[Move]| {
        replay.run(&[RecordedPlayout { state, moves }], |_| panic!("nothing to show"))
    };
    assert_eq!(error(&state, &foreign), Err(ForeignError::Move));
    assert_eq!(error(&foreign_state, &[]), Err(ForeignError::State));
}
