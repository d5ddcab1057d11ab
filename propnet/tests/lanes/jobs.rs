//! What jobs ask for, they get: forced moves, limits, their moves, and the state after the first.

use std::sync::Arc;

use propnet::circuit::CircuitGame;
use propnet::circuit::optimize::Pass;
use propnet::game::{Game, JointMove, Move, State};
use propnet::lanes::{Ending, Job, JobError, Jobs, LanesGame, Outcome};
use propnet::program::StepOptions;
use rand::SeedableRng;
use rand_pcg::Pcg64;
use wide::{u64x4, u64x8};

use super::engine::one_by_one;
use super::replay::replay;
use super::sheets::*;
use super::support::{ALL, Engine, Sheet, WITH_WEIGHTS, weigh};

/// Random states of a game and joint moves that are legal there.
fn positions(engine: &Engine, count: usize, seed: u64) -> Vec<(Arc<State>, JointMove)> {
    let mut game = LanesGame::<u64>::new(engine.program.clone(), &engine.code);
    let mut rng = Pcg64::seed_from_u64(seed);
    let mut state = game.initial_state().expect("a state");
    let mut found = Vec::new();
    while found.len() < count {
        let joint = game.complete_joint_move(&state, &[], &mut rng);
        match joint.ok().filter(|_| !game.is_terminal(&state).expect("an answer")) {
            Some(joint) => {
                let next = game.next_state(&state, &joint).expect("legal moves");
                found.push((Arc::new(std::mem::replace(&mut state, next)), joint));
            }
            None => state = game.initial_state().expect("a state"),
        }
    }
    found
}

#[test]
fn playouts_are_what_they_say() {
    let games = [
        TIC_TAC_TOE.to_string(),
        CONNECT_FOUR.to_string(),
        BREAKTHROUGH.to_string(),
        ROCK_PAPER_SCISSORS.to_string(),
        EIGHT_PUZZLE.to_string(),
        THREE_PLAYERS.to_string(),
        six_roles(),
        PASSING.to_string(),
        DEAD_END.to_string(),
    ];
    let kinds: [(&[Pass], StepOptions); 3] =
        [(&[], ALL), (Pass::ALL, ALL), (Pass::ALL, WITH_WEIGHTS)];
    for (text, (passes, options)) in games.iter().flat_map(|text| kinds.map(|kind| (text, kind))) {
        let sheet = Sheet::with_passes(text, passes);
        let engine = sheet.engine(&options);
        let jobs: Vec<Job> = positions(&engine, 80, 11)
            .into_iter()
            .zip(0..)
            .map(|((state, joint), tag)| Job {
                forced: (tag % 2 == 0).then_some(joint.into()),
                limit: (tag % 3 == 0).then_some(tag % 12),
                wants_first: tag % 4 < 2,
                wants_moves: 1,
                ..Job::new(tag, tag, &state)
            })
            .collect();
        let outcomes = engine.outcomes_with::<u64>(8, jobs.clone(), weigh(&engine));
        let mut judge = CircuitGame::new(sheet.plain.clone());
        for (job, outcome) in jobs.iter().zip(&outcomes) {
            replay(&mut judge, job, outcome);
        }
        // What is not asked for is not given, and changes nothing else.
        let quiet = |job: &Job| Job { wants_first: false, wants_moves: 0, ..job.clone() };
        let quiet =
            engine.outcomes_with::<u64x4>(8, jobs.iter().map(quiet).collect(), weigh(&engine));
        for (outcome, quiet) in outcomes.into_iter().zip(quiet) {
            assert_eq!(Outcome { moves: Vec::new(), first: None, ..outcome }, quiet);
        }
    }
}

#[test]
fn a_job_of_several_playouts_is_as_many_jobs() {
    for options in [ALL, WITH_WEIGHTS] {
        let engine = Sheet::new(BREAKTHROUGH).engine(&options);
        let positions = positions(&engine, 6, 3);
        several_as_many(&engine, &positions);
    }
}

fn several_as_many(engine: &Engine, positions: &[(Arc<State>, JointMove)]) {
    // More playouts than lanes, some with a record of their moves.
    let counts = [1, 100, 0, 3, 250, 40];
    let (mut jobs, mut single, mut number) = (Vec::new(), Vec::new(), 0);
    for (tag, (count, (state, joint))) in (0..).zip(counts.into_iter().zip(positions)) {
        let job = Job {
            count,
            forced: (tag % 4 < 2).then(|| joint.clone().into()),
            limit: (tag % 2 == 0).then_some(7),
            wants_first: tag != 1,
            wants_moves: [0, 17, count][tag as usize % 3],
            ..Job::new(tag, number, state)
        };
        for at in 0..count as u64 {
            let (number, wants_first) = (number + at, job.wants_first && at == 0);
            let wants_moves = usize::from((at as usize) < job.wants_moves);
            single.push(Job { number, count: 1, wants_first, wants_moves, ..job.clone() });
        }
        number += count as u64;
        jobs.push(job);
    }
    let expected = engine.outcomes_with::<u64>(5, single, weigh(engine));
    assert_eq!(engine.outcomes_with::<u64>(5, jobs.clone(), weigh(engine)), expected);
    assert_eq!(engine.outcomes_with::<u64x8>(5, jobs, weigh(engine)), expected);
}

#[test]
fn playouts_that_came_out_alike_are_told_together() {
    let engine = Sheet::new(TIC_TAC_TOE).engine(&ALL);
    let job =
        Job { count: 500, wants_first: true, wants_moves: 3, ..Job::new(7, 0, &engine.initial()) };
    let mut lanes = Jobs::<u64x8>::new(&engine.program, &engine.code, 1);
    lanes.push(job).expect("a job that the program can do");
    lanes.finish();
    let outcomes = lanes.outcomes();
    let (own, together): (Vec<&Outcome>, Vec<&Outcome>) =
        outcomes.iter().partition(|outcome| outcome.first.is_some() || !outcome.moves.is_empty());
    assert!(own.len() == 3 && own.iter().all(|outcome| outcome.count == 1));
    // All began in the same step, so length and goals tell them apart.
    let mut kinds: Vec<_> =
        together.iter().map(|outcome| (outcome.length, &outcome.goals)).collect();
    kinds.sort();
    kinds.dedup();
    assert_eq!(kinds.len(), together.len());
    assert!(together.len() < 10, "{together:?}");
}

#[test]
fn what_was_called_off_is_gone() {
    for options in [ALL, WITH_WEIGHTS] {
        let engine = Sheet::new(BREAKTHROUGH).engine(&options);
        let state = engine.initial();
        let jobs = |wants_moves| Job {
            count: 900,
            wants_first: true,
            wants_moves,
            ..Job::new(3, 7, &state)
        };
        let mut lanes = Jobs::<u64x4>::new(&engine.program, &engine.code, 2);
        weigh(&engine)(&mut lanes);
        lanes.push(jobs(100)).expect("a job that the program can do");
        lanes.run(50);
        lanes.clear();
        assert_eq!((lanes.queued(), lanes.at_play(), lanes.outcomes().len()), (0, 0, 0));
        lanes.push(jobs(5)).expect("a job that the program can do");
        lanes.finish();
        let expected = engine.outcomes_with::<u64x4>(2, vec![jobs(5)], weigh(&engine));
        assert_eq!(one_by_one(lanes.outcomes()), expected);
    }
}

#[test]
fn every_first_move_can_be_forced() {
    let engine = Sheet::new(BREAKTHROUGH).engine(&ALL);
    let mut game = LanesGame::<u64>::new(engine.program.clone(), &engine.code);
    let state = engine.initial();
    let legal = game.legal_moves(&state, 0).expect("moves");
    let wait = game.legal_moves(&state, 1).expect("moves").iter().next().expect("a move");
    let jobs: Vec<Job> = (0..300)
        .map(|tag| {
            let own = legal.iter().nth(tag as usize % legal.len()).expect("a move");
            Job {
                forced: Some([own, wait].into()),
                wants_first: true,
                ..Job::new(tag, tag, &state)
            }
        })
        .collect();
    for (job, outcome) in jobs.iter().zip(engine.outcomes::<u64x8>(1, jobs.clone())) {
        let forced = job.forced.as_ref().expect("a forced move");
        let first = outcome.first.expect("the state after the first move");
        assert_eq!(first.state, game.next_state(&state, forced).expect("legal moves"));
        assert_eq!(first.moves[..], forced[..]);
    }
}

#[test]
fn forced_moves_need_no_record_and_hold_for_one_step() {
    let options = StepOptions { forced: true, ..StepOptions::default() };
    let sheet = Sheet::new(ENDLESS);
    let engine = sheet.engine(&StepOptions { limit_bits: 4, ..options });
    let state = engine.initial();
    let forced: Option<Arc<[Move]>> =
        Some([2, 1].map(|index| Move::new(state.table(), index)).into());
    let jobs = |limit| {
        let job = move |tag| Job {
            forced: forced.clone(),
            limit: Some(limit),
            wants_first: true,
            ..Job::new(tag, tag, &state)
        };
        (0..200).map(job).collect::<Vec<Job>>()
    };
    let firsts: Vec<State> = engine
        .outcomes::<u64>(1, jobs.clone()(1))
        .into_iter()
        .map(|outcome| outcome.first.expect("the state after the first move").state)
        .collect();
    assert!(firsts.iter().all(|state| *state == firsts[0]));
    assert_eq!(sheet.engine(&ALL).outcomes::<u64>(1, jobs(9)).len(), 200);
}

#[test]
fn illegal_forced_moves_do_no_harm_to_others() {
    let engine = Sheet::new(TIC_TAC_TOE).engine(&ALL);
    let state = engine.initial();
    let (names, count) = (&engine.program.names, engine.program.names.move_count(0) as u32);
    let chosen = |index| Move::new(names.table(), index);
    let job = |tag: u64| {
        let nonsense = vec![chosen(tag as u32 % count), chosen((tag as u32 + 3) % count)];
        Job {
            forced: tag.is_multiple_of(2).then_some(nonsense.into()),
            limit: Some(50),
            ..Job::new(tag, tag, &state)
        }
    };
    let outcomes = engine.outcomes::<u64>(1, (0..300).map(job).collect());
    let alone = (0..300).filter(|tag| tag % 2 == 1).map(job).collect();
    let alone = engine.outcomes::<u64x4>(1, alone);
    let odd = outcomes.into_iter().filter(|outcome| outcome.tag % 2 == 1);
    assert!(odd.eq(alone));
}

#[test]
fn endless_games_end_at_their_limit() {
    let engine = Sheet::new(ENDLESS).engine(&ALL);
    let state = engine.initial();
    let limits = [0, 1, 2, 3, 100, 253, 254];
    let job = |(tag, &limit): (u64, &u64)| Job { limit: Some(limit), ..Job::new(tag, tag, &state) };
    let outcomes = engine.outcomes::<u64>(1, (0..).zip(&limits).map(job).collect());
    for (outcome, limit) in outcomes.iter().zip(limits) {
        assert_eq!((outcome.ending, outcome.length), (Ending::Limit, limit));
        assert_eq!(outcome.goals[..], [Some(30), Some(70)]);
    }
    let totals = engine.totals_with::<u64x4>(1, 700, |playouts| {
        playouts.set_limit(9);
        playouts.count_lengths();
    });
    assert_eq!((totals.playouts, totals.cut, totals.steps), (700, 700, 6_300));
    assert_eq!(totals.lengths, [0, 0, 0, 0, 0, 0, 0, 0, 0, 700]);
    assert!(totals.goals.iter().flatten().all(|&count| count == 0));
}

#[test]
fn a_playout_without_limit_outlasts_the_counter() {
    let engine = Sheet::new(ENDLESS).engine(&StepOptions { limit_bits: 3, ..ALL });
    let mut lanes = Jobs::<u64>::new(&engine.program, &engine.code, 1);
    lanes.push(Job::new(0, 0, &engine.initial())).expect("a plain job");
    lanes.run(40);
    assert_eq!((lanes.at_play(), lanes.outcomes().len()), (1, 0));
}

#[test]
fn dead_ends_are_counted_and_told() {
    let engine = Sheet::new(DEAD_END).engine(&ALL);
    let totals = engine.totals::<u64>(1, 8_000);
    assert_eq!(totals.playouts, 8_000);
    // On in all of three steps: one in eight.
    assert!((900..1_100).contains(&totals.goals[0].iter().sum::<u64>()), "{totals:?}");
    assert_eq!(totals.stuck + totals.goals[0].iter().sum::<u64>(), 8_000);
    let state = engine.initial();
    let job = |tag| Job { wants_moves: 1, ..Job::new(tag, tag, &state) };
    for outcome in engine.outcomes::<u64>(1, (0..200).map(job).collect()) {
        let expected = match outcome.ending {
            Ending::Stuck => Some(70),
            _ => Some(10),
        };
        assert_eq!(outcome.goals[..], [expected]);
        assert!(outcome.ending == Ending::Terminal || outcome.moves.len() < 4);
    }
    // No goal at the start, several in the middle.
    for at in ["(at 0)", "(at 2)"] {
        let state = engine.program.names.state_of(&[at.to_string()]).expect("a state");
        let job = Job { limit: Some(0), ..Job::new(0, 0, &Arc::new(state)) };
        let outcomes = engine.outcomes::<u64>(1, vec![job]);
        assert_eq!((outcomes[0].ending, &outcomes[0].goals[..]), (Ending::Limit, &[None][..]));
    }
}

#[test]
fn what_a_program_cannot_do_is_refused() {
    let sheet = Sheet::new(ENDLESS);
    let plain = sheet.engine(&StepOptions::default());
    let state = plain.initial();
    let job = Job::new(0, 0, &state);
    let refusal = |engine: &Engine, job: Job| {
        Jobs::<u64>::new(&engine.program, &engine.code, 1).push(job).expect_err("a refusal")
    };
    let chosen = |index| Move::new(state.table(), index);
    let forced = Job { forced: Some([chosen(0), chosen(0)].into()), ..job.clone() };
    assert_eq!(refusal(&plain, forced), JobError::NotForced);
    let moves = Job { wants_moves: 1, ..job.clone() };
    assert_eq!(refusal(&plain, moves), JobError::NotRecorded);
    let first = Job { wants_first: true, ..job.clone() };
    assert_eq!(refusal(&plain, first), JobError::NotRecorded);
    let limit = Job { limit: Some(0), ..job.clone() };
    assert_eq!(refusal(&plain, limit), JobError::Limit { limit: 0, bits: 0 });
    let full = sheet.engine(&ALL);
    let limit = Job { limit: Some(255), ..job.clone() };
    assert_eq!(refusal(&full, limit), JobError::Limit { limit: 255, bits: 8 });
    for joint in [vec![], vec![chosen(0)], vec![chosen(0), chosen(4)]] {
        let forced = Job { forced: Some(joint.into()), ..job.clone() };
        assert_eq!(refusal(&full, forced), JobError::NoJointMove);
    }
}
