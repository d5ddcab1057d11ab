//! Playouts made again, move by move, on a slower engine.

use propnet::game::{Game, JointMove, Move, MoveSet, State};
use propnet::lanes::{Ending, Job, Outcome};

/// Replays a playout that reported its moves on another engine, and compares everything it said.
pub(crate) fn replay(game: &mut dyn Game, job: &Job, outcome: &Outcome) {
    let roles = game.roles().len();
    let mut state = State::clone(&job.state);
    let joint_moves: Vec<JointMove> = outcome.moves.chunks(roles).map(<[Move]>::to_vec).collect();
    assert_eq!(joint_moves.len() as u64, outcome.length);
    if let (Some(forced), Some(first)) = (&job.forced, joint_moves.first()) {
        assert_eq!(forced[..], first[..]);
    }
    for (at, joint) in joint_moves.iter().enumerate() {
        assert!(!game.is_terminal(&state).expect("an answer"));
        state = game.next_state(&state, joint).expect("legal moves");
        if at == 0 && job.wants_first {
            let first = outcome.first.as_ref().expect("the state after the first move");
            assert_eq!((&first.moves[..], &first.state), (&joint[..], &state));
            assert_eq!(first.is_terminal, game.is_terminal(&state).expect("an answer"));
            for (role, legal) in first.legal.iter().enumerate() {
                let own = game.legal_moves(&state, role);
                let own = own.unwrap_or_else(|_| MoveSet::new(state.table(), []));
                assert_eq!(*legal, own);
            }
        }
    }
    assert_eq!(outcome.first.is_some(), job.wants_first && outcome.length > 0);
    let is_terminal = game.is_terminal(&state).expect("an answer");
    let is_stuck = (0..roles).any(|role| game.legal_moves(&state, role).is_err());
    match outcome.ending {
        Ending::Terminal => assert!(is_terminal),
        Ending::Stuck => assert!(is_stuck && !is_terminal),
        Ending::Limit => assert!(!is_terminal && Some(outcome.length) == job.limit),
    }
    assert!(job.limit.is_none_or(|limit| outcome.length <= limit));
    for (role, &goal) in outcome.goals.iter().enumerate() {
        assert_eq!(goal, game.goal(&state, role).ok());
    }
}
