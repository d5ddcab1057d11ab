//! Parties that share lanes: each gets what it would get alone, and in the same order.

use std::sync::Arc;

use propnet::game::{Move, State};
use propnet::lanes::{
    Backend, Condition, ContextualValue, Job, Outcome, PartyId, SharedJobs, ValueInContext,
    ValueTable, Word,
};
use propnet::machine::Level;
use propnet::program::{Mapping, Sampling, StepOptions};
use wide::u64x8;

use super::engine::levels;
use super::sheets::*;
use super::support::{ALL, Engine, Sheet, WITH_WEIGHTS};

/// What a party wants, and what it has got.
struct Guest {
    seed: u64,
    party: PartyId,
    /// The most playouts in flight, and all.
    at_once: u64,
    all: u64,
    pushed: u64,
    outcomes: Vec<Outcome>,
}

impl Guest {
    fn new<W: Word>(lanes: &mut SharedJobs<W>, engine: &Engine, seed: u64) -> Self {
        let party = lanes.join(seed);
        let table = engine.program.names.table();
        for at in 0..200 {
            for role in 0..2 {
                let weight = (at + 3) * (seed as u32 + role as u32 + 1) % 90;
                lanes.set_weight(party, role, Move::new(table, at), weight).expect("its own move");
            }
        }
        if seed.is_multiple_of(3) && !engine.program.step.ports.choices.is_empty() {
            lanes.set_values(party, &values(engine, seed)).expect("values");
        }
        let at_once = 3 + 4 * (seed % 7);
        Guest { seed, party, at_once, all: 20 * at_once, pushed: 0, outcomes: Vec::new() }
    }

    /// Takes what is over, and pushes more; whether it goes on.
    fn go_on<W: Word>(&mut self, lanes: &mut SharedJobs<W>, state: &Arc<State>) -> bool {
        self.outcomes.append(&mut lanes.outcomes(self.party));
        let in_flight = lanes.at_play(self.party) + lanes.queued(self.party);
        for _ in in_flight as u64..self.at_once.min(in_flight as u64 + self.all - self.pushed) {
            let wants_moves = usize::from(self.pushed.is_multiple_of(3));
            let job = Job {
                limit: self.pushed.is_multiple_of(5).then_some(9),
                wants_first: self.pushed.is_multiple_of(2),
                wants_moves,
                ..Job::new(self.pushed, 1000 * self.seed + self.pushed, state)
            };
            lanes.push(self.party, job).expect("a job that the program can do");
            self.pushed += 1;
        }
        lanes.at_play(self.party) + lanes.queued(self.party) > 0
    }
}

/// Values of moves, better or worse where a fluent is true or after a move.
fn values(engine: &Engine, seed: u64) -> ValueTable {
    let program = &engine.program;
    let fluents = (0..program.names.fluent_count()).filter(|&at| program.is_in_playouts(at));
    let fluents: Vec<usize> = fluents.collect();
    let value = |role: usize, chosen: Move| {
        let at = seed as usize + chosen.index();
        let made =
            Condition::Made { role: 1 - role, chosen: Move::new(chosen.table(), 0), steps_ago: 1 };
        let conditions = [Condition::Fluent(fluents[at % fluents.len()]), made];
        let contexts = conditions.into_iter().zip([90, 30]).map(|(condition, value)| {
            ValueInContext { conditions: [condition].into_iter().collect(), value }
        });
        ContextualValue { base: (at * 17 % 60) as u16, contexts: contexts.collect() }
    };
    let moves = |role: usize| program.names.moves(role).map(|at| value(role, at)).collect();
    let sampling = match seed % 2 {
        0 => Sampling::Gibbs,
        _ => Sampling::Greedy { explored: 200 },
    };
    ValueTable { sampling, parts: vec![(0..program.names.roles().len()).map(moves).collect()] }
}

/// By party: its outcomes where these seeds play together. A party asks for outcomes when one of
/// them is there, and each begins some steps after the one before.
fn play<W: Word>(engine: &Engine, seeds: &[u64]) -> Vec<Vec<Outcome>> {
    let mut lanes = SharedJobs::<W>::new(&engine.program, &engine.code);
    let state = engine.initial();
    let mut guests: Vec<Guest> =
        seeds.iter().map(|&seed| Guest::new(&mut lanes, engine, seed)).collect();
    let mut playing = vec![false; guests.len()];
    let mut next = 0;
    while next < guests.len() || playing.contains(&true) {
        if next < guests.len() {
            let guest = &mut guests[next];
            if lanes.claim(guest.party, guest.at_once as usize) {
                playing[next] = guest.go_on(&mut lanes, &state);
                next += 1;
            }
        }
        for _ in 0..3 {
            let before: Vec<usize> = lanes.unfinished().collect();
            lanes.run(1);
            let after: Vec<usize> = lanes.unfinished().collect();
            for (guest, is_playing) in guests.iter_mut().zip(&mut playing) {
                let at = guest.party.index();
                if *is_playing && after[at] < before[at] && !guest.go_on(&mut lanes, &state) {
                    *is_playing = false;
                    lanes.release(guest.party);
                }
            }
        }
    }
    guests.into_iter().map(|guest| guest.outcomes).collect()
}

fn each_gets_what_it_would_get_alone<W: Word>(engine: &Engine) {
    let seeds: Vec<u64> = (1..=20).collect();
    let together = play::<W>(engine, &seeds);
    for (&seed, outcomes) in seeds.iter().zip(&together) {
        assert!(outcomes.len() >= 60, "{}", outcomes.len());
        assert_eq!(play::<W>(engine, &[seed])[0], *outcomes, "party {seed}");
    }
    assert_ne!(together[0], together[7], "they differ in more than their number");
}

#[test]
fn a_party_gets_what_it_would_get_alone() {
    for sheet in [TIC_TAC_TOE, BREAKTHROUGH] {
        let sheet = Sheet::new(sheet);
        for options in [ALL, WITH_WEIGHTS] {
            each_gets_what_it_would_get_alone::<u64x8>(&sheet.engine(&options));
            for level in levels().into_iter().filter(|&level| level == Level::Avx512) {
                let engine = compiled(&sheet, level, &options);
                each_gets_what_it_would_get_alone::<u64x8>(&engine);
            }
        }
    }
}

fn compiled(sheet: &Sheet, level: Level, options: &StepOptions) -> Engine {
    sheet.engine_on(Backend::Machine(level), Mapping::ThreeInputs, options)
}

#[test]
fn a_party_that_leaves_takes_nothing_with_it() {
    let engine = Sheet::new(BREAKTHROUGH).engine(&WITH_WEIGHTS);
    let state = engine.initial();
    let mut lanes = SharedJobs::<u64x8>::new(&engine.program, &engine.code);
    let [mut stays, mut leaves] = [3, 4].map(|seed| Guest::new(&mut lanes, &engine, seed));
    for guest in [&mut stays, &mut leaves] {
        assert!(lanes.claim(guest.party, 400 / 2));
        guest.go_on(&mut lanes, &state);
    }
    let third = lanes.join(5);
    assert!(!lanes.claim(third, 200), "too few are left");
    lanes.run(5);
    lanes.leave(leaves.party);
    assert!(lanes.claim(third, 200));
    let mut again = Guest::new(&mut lanes, &engine, 6);
    assert_eq!(again.party, leaves.party, "its number is free");
    assert!(lanes.claim(again.party, 10) && again.go_on(&mut lanes, &state));
    let mut is_playing = [true; 2];
    while is_playing.contains(&true) {
        let before: Vec<usize> = lanes.unfinished().collect();
        lanes.run(1);
        let after: Vec<usize> = lanes.unfinished().collect();
        for (guest, is_playing) in [&mut stays, &mut again].into_iter().zip(&mut is_playing) {
            let at = guest.party.index();
            if *is_playing && after[at] < before[at] {
                *is_playing = guest.go_on(&mut lanes, &state);
            }
        }
    }
    assert_eq!(stays.outcomes, play::<u64x8>(&engine, &[3])[0]);
    assert_eq!(again.outcomes, play::<u64x8>(&engine, &[6])[0]);
}
