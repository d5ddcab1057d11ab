//! A job's playout is the same wherever it is played.

use propnet::lanes::{Backend, Ending, Job, Outcome, Phase, Playouts, Quad, Totals, Word};
use propnet::machine::Level;
use propnet::program::{Mapping, StepOptions};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use wide::{u64x4, u64x8};

use super::engine::{levels, one_by_one};
use super::sheets::*;
use super::support::{ALL, Engine, Sheet, weigh};

/// So many playouts of each game: a multiple of no width.
const COUNT: u64 = 1_300;

fn games() -> Vec<(&'static str, String)> {
    vec![
        ("tic_tac_toe", TIC_TAC_TOE.into()),
        ("breakthrough", BREAKTHROUGH.into()),
        ("rock_paper_scissors", ROCK_PAPER_SCISSORS.into()),
        ("three_players", THREE_PLAYERS.into()),
        ("hex_small", HEX_SMALL.into()),
        ("six_roles", six_roles()),
        ("passing", PASSING.into()),
        ("opening", opening()),
        ("dead_end", DEAD_END.into()),
    ]
}

fn plain_jobs(engine: &Engine, count: u64) -> Vec<Job> {
    let state = engine.initial();
    (0..count).map(|number| Job::new(number, number, &state)).collect()
}

/// What outcomes come to, counted one by one.
fn counted(engine: &Engine, outcomes: &[Outcome]) -> Totals {
    let mut totals = Totals::new(&engine.program);
    for outcome in outcomes {
        totals.playouts += 1;
        totals.steps += outcome.length;
        totals.stuck += u64::from(outcome.ending == Ending::Stuck);
        totals.cut += u64::from(outcome.ending == Ending::Limit);
        let roles = outcome.goals.iter().zip(&engine.program.goals).zip(&mut totals.goals);
        for ((goal, values), counts) in roles.filter(|_| outcome.ending == Ending::Terminal) {
            let goal = goal.expect("one goal in the end").to_string();
            let at = values.iter().position(|value| *value == goal).expect("a goal of the game");
            counts[at] += 1;
        }
    }
    totals
}

#[test]
fn totals_and_jobs_play_the_same() {
    for (name, text) in games() {
        let sheet = Sheet::new(&text);
        let (plain, full) = (sheet.engine(&StepOptions::default()), sheet.engine(&ALL));
        let totals = plain.totals::<u64>(3, COUNT);
        assert_eq!(totals.playouts, COUNT);
        let outcomes = full.outcomes::<u64x4>(3, plain_jobs(&full, COUNT));
        assert_eq!(counted(&full, &outcomes), totals, "{name}");
        // A step that can do more plays the same where nothing of it is asked for.
        assert_eq!(full.totals::<u64x4>(3, COUNT), totals, "{name}");
        assert_ne!(plain.totals::<u64x4>(4, COUNT), totals, "{name} with another seed");
    }
}

#[test]
fn width_and_back_end_do_not_matter() {
    for (name, text) in games() {
        let sheet = Sheet::new(&text);
        let options = [StepOptions::default(), ALL, StepOptions { weights: Some(5), ..ALL }];
        for options in &options {
            let portable = sheet.engine(options);
            let totals = portable.totals::<u64>(5, COUNT);
            let outcomes =
                portable.outcomes_with::<u64>(5, plain_jobs(&portable, 600), weigh(&portable));
            let check = |engine: &Engine, what: &str| {
                let agrees = |own: Totals| assert_eq!(own, totals, "{name}, {what}, {options:?}");
                match what {
                    "avx2" | "u64x4" => agrees(engine.totals::<u64x4>(5, COUNT)),
                    "quad" => agrees(engine.totals::<Quad>(5, COUNT)),
                    _ => agrees(engine.totals::<u64x8>(5, COUNT)),
                }
                let jobs = plain_jobs(engine, 600);
                let own = match what {
                    "avx2" | "u64x4" => engine.outcomes_with::<u64x4>(5, jobs, weigh(engine)),
                    "quad" => engine.outcomes_with::<Quad>(5, jobs, weigh(engine)),
                    _ => engine.outcomes_with::<u64x8>(5, jobs, weigh(engine)),
                };
                assert_eq!(own, outcomes, "{name}, {what}, {options:?}");
            };
            check(&portable, "u64x4");
            check(&portable, "u64x8");
            check(&portable, "quad");
            let three = sheet.engine_on(Backend::Portable, Mapping::ThreeInputs, options);
            check(&three, "u64x8 with tables of three inputs");
            for level in levels() {
                let mapping = match level {
                    Level::Avx2 => Mapping::TwoInputs,
                    Level::Avx512 => Mapping::ThreeInputs,
                };
                let engine = sheet.engine_on(Backend::Machine(level), mapping, options);
                check(&engine, level.name());
            }
        }
    }
}

#[test]
fn order_and_company_do_not_matter() {
    let sheet = Sheet::new(BREAKTHROUGH);
    let engine = sheet.engine(&ALL);
    let mut rng = Pcg64::seed_from_u64(1);
    let jobs: Vec<Job> = plain_jobs(&engine, 700)
        .into_iter()
        .map(|job| Job {
            limit: job.tag.is_multiple_of(3).then_some(20),
            wants_moves: usize::from(job.tag.is_multiple_of(5)),
            wants_first: job.tag.is_multiple_of(7),
            ..job
        })
        .collect();
    let outcomes = engine.outcomes::<u64x8>(2, jobs.clone());
    let mut shuffled = jobs.clone();
    for at in (1..shuffled.len()).rev() {
        shuffled.swap(at, rng.random_range(0..=at));
    }
    assert_eq!(engine.outcomes::<u64x4>(2, shuffled), outcomes);
    for at in [0, 5, 21, 100, 699] {
        let alone = engine.outcomes::<u64>(2, vec![jobs[at].clone()]);
        assert_eq!(alone[0], outcomes[at], "job {at} alone");
    }
}

#[test]
fn jobs_may_come_at_any_time() {
    let engine = Sheet::new(TIC_TAC_TOE).engine(&ALL);
    let jobs = plain_jobs(&engine, 1_000);
    let expected = engine.outcomes::<u64>(2, jobs.clone());
    let mut lanes = propnet::lanes::Jobs::<u64>::new(&engine.program, &engine.code, 2);
    let mut outcomes = Vec::new();
    for jobs in jobs.chunks(37) {
        jobs.iter().for_each(|job| lanes.push(job.clone()).expect("a plain job"));
        lanes.run(3);
        assert_eq!(lanes.queued() + lanes.at_play() > 0, lanes.at_play() > 0);
        outcomes.extend(lanes.outcomes());
    }
    lanes.finish();
    outcomes.extend(lanes.outcomes());
    assert_eq!(one_by_one(outcomes), expected);
}

#[test]
fn equal_weights_are_as_good_as_none() {
    let sheet = Sheet::new(BREAKTHROUGH);
    let totals = sheet.engine(&StepOptions::default()).totals::<u64x8>(6, COUNT);
    let weighted = sheet.engine(&StepOptions { weights: Some(4), ..StepOptions::default() });
    // Ranks are rounded down, so even the same moves are chosen, whatever the weight is.
    for weight in [0, 1, 5, 15] {
        let own = weighted.totals_with::<u64x8>(6, COUNT, |playouts| {
            for role in 0..2 {
                for chosen in weighted.program.names.moves(role) {
                    playouts.set_weight(role, chosen, weight).expect("its own move");
                }
            }
        });
        assert_eq!(own, totals, "weight {weight}");
    }
}

#[test]
fn parts_of_a_range_add_up() {
    fn part<W: Word>(engine: &Engine, jobs: std::ops::Range<u64>) -> Totals {
        let (program, code) = (&engine.program, &engine.code);
        let playouts = Playouts::<W>::new(program, code, &program.initial, 9, &jobs);
        let mut playouts = playouts.expect("its own state");
        playouts.set_limit(6);
        playouts.count_lengths();
        playouts.run(u64::MAX);
        playouts.totals().clone()
    }
    let engine = Sheet::new(TIC_TAC_TOE).engine(&ALL);
    let mut sum = part::<u64>(&engine, 0..100);
    sum.add(&part::<u64x4>(&engine, 100..777));
    sum.add(&part::<u64x8>(&engine, 777..778));
    let whole = part::<u64x8>(&engine, 0..778);
    assert_eq!(sum, whole);
    assert_eq!(whole.lengths.iter().sum::<u64>(), 778);
    let steps = whole.lengths.iter().zip(0..).map(|(count, length)| count * length);
    assert_eq!(steps.sum::<u64>(), whole.steps);
    assert_eq!(whole.lengths.len(), 7);
    assert!(whole.cut > 0 && whole.cut < whole.lengths[6] && whole.lengths[5] > 0);
}

#[test]
fn lanes_that_go_on_at_once_play_the_same_playouts() {
    let mut options = StepOptions { limit_bits: 5, ..StepOptions::default() };
    for text in [TIC_TAC_TOE, ROCK_PAPER_SCISSORS, THREE_PLAYERS] {
        let sheet = Sheet::new(text);
        let mut totals = |restart: bool| {
            options.restart = restart;
            // Some playouts come to their limit.
            sheet.engine(&options).totals_with::<u64x4>(3, 5_000, |playouts| {
                playouts.set_limit(8);
                playouts.count_lengths();
            })
        };
        assert_eq!(totals(true), totals(false));
        assert_eq!(totals(true).playouts, 5_000);
    }
}

#[test]
fn phases_are_told_in_their_order() {
    let engine = Sheet::new(TIC_TAC_TOE).engine(&StepOptions::default());
    let (program, jobs) = (&engine.program, 0..COUNT);
    let playouts = Playouts::<u64>::new(program, &engine.code, &program.initial, 3, &jobs);
    let mut playouts = playouts.expect("its own state");
    let mut told = Vec::new();
    playouts.run_watched(u64::MAX, &mut |phase| told.push(phase));
    assert_eq!(*playouts.totals(), engine.totals::<u64>(3, COUNT));
    let steps: Vec<&[Phase]> = told.split(|phase| *phase == Phase::Step).skip(1).collect();
    assert!(steps.iter().all(|rest| matches!(rest, [] | [Phase::Goals, Phase::Refill])));
    let ends = steps.iter().filter(|rest| !rest.is_empty()).count();
    assert!(0 < ends && ends < steps.len());
}
