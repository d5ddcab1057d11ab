//! Weights that depend on the state and on the last moves: every move as likely as a slow, obvious
//! version says, the same playouts everywhere.

use std::collections::BTreeMap;
use std::sync::Arc;

use propnet::game::{Game, Move, Role, State};
use propnet::lanes::{
    Backend, Condition, ContextError, Job, Jobs, LanesGame, Outcome, PerWidth, Quad, Setup,
    WeightInContext, Word,
};
use propnet::program::{Program, StepOptions};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use wide::{u64x4, u64x8};

use super::engine::levels;
use super::sheets::*;
use super::support::{ALL, Engine, Sheet, WITH_WEIGHTS};

/// By role and move: the base weight and the contexts.
type Table = Vec<Vec<(u32, Vec<WeightInContext>)>>;

fn context(conditions: &[Condition], weight: u32) -> WeightInContext {
    WeightInContext { conditions: conditions.iter().copied().collect(), weight }
}

/// A table of weights below 4096, many of them 0.
fn random_table(program: &Program, rng: &mut Pcg64) -> Table {
    let names = &program.names;
    let roles = names.roles().len();
    let fluents: Vec<usize> =
        (0..names.fluent_count()).filter(|&at| program.is_in_playouts(at)).collect();
    let weight = |rng: &mut Pcg64| match rng.random_range(0..4) {
        0 => 0,
        1 => 4095,
        _ => rng.random_range(0..300),
    };
    let condition = |rng: &mut Pcg64| match rng.random_range(0..5) {
        0 => {
            let role = rng.random_range(0..roles);
            let number = rng.random_range(0..names.move_count(role));
            let chosen = Move::new(names.table(), number as u32);
            Condition::Made { role, chosen, steps_ago: rng.random_range(1..=2) }
        }
        _ => Condition::Fluent(fluents[rng.random_range(0..fluents.len())]),
    };
    let of_move = |rng: &mut Pcg64| {
        let count = [0, 1, 3, 8, 30][rng.random_range(0..5)];
        let contexts = (0..count).map(|_| {
            let conditions: Vec<Condition> =
                (0..[1, 1, 1, 2, 3][rng.random_range(0..5)]).map(|_| condition(rng)).collect();
            context(&conditions, weight(rng))
        });
        let contexts = contexts.collect();
        (weight(rng), contexts)
    };
    (0..roles).map(|role| names.moves(role).map(|_| of_move(rng)).collect()).collect()
}

fn say<W: Word>(program: &Program, table: &Table) -> impl Fn(&mut Jobs<W>) {
    move |lanes| {
        for (role, moves) in table.iter().enumerate() {
            for (chosen, (base, contexts)) in program.names.moves(role).zip(moves) {
                lanes.set_weights_in_context(role, chosen, *base, contexts).expect("weights");
            }
        }
    }
}

/// The weight of a move in a state, after joint moves.
fn weight(table: &Table, role: Role, chosen: Move, state: &State, made: &[&[Move]]) -> u32 {
    let (base, contexts) = &table[role][chosen.index()];
    let holds = |condition: &Condition| match *condition {
        Condition::Fluent(fluent) => state.contains(fluent),
        Condition::Made { role, chosen, steps_ago } => {
            made.len() >= steps_ago && made[made.len() - steps_ago][role] == chosen
        }
    };
    let found = contexts.iter().find(|context| context.conditions.iter().all(holds));
    found.map_or(*base, |context| context.weight)
}

/// Jobs from the first state and from one after a few moves, some with a forced move.
fn jobs<W: Word>(engine: &Engine, count: u64) -> Vec<Job> {
    let mut game = LanesGame::<W>::new(engine.program.clone(), &engine.code);
    let initial = engine.initial();
    let mut rng = Pcg64::seed_from_u64(8);
    let first = game.complete_joint_move(&initial, &[], &mut rng).expect("legal moves");
    let second = Arc::new(game.next_state(&initial, &first).expect("legal moves"));
    let job = |tag: u64| {
        let state = if tag % 4 == 3 { &second } else { &initial };
        let forced = (tag % 4 == 1).then(|| first.clone().into());
        Job { forced, wants_moves: 1, limit: Some(60), ..Job::new(tag, tag, state) }
    };
    (0..count).map(job).collect()
}

/// What a move of a role was chosen for, and how often it should have been.
#[derive(Default)]
struct Count {
    made: f64,
    expected: f64,
    variance: f64,
}

/// Replays playouts, and compares what was chosen with the chances.
fn judge(engine: &Engine, table: &Table, jobs: &[Job], outcomes: &[Outcome], what: &str) {
    let mut game = LanesGame::<u64>::new(engine.program.clone(), &engine.code);
    let roles = game.roles().len();
    let mut counts: BTreeMap<(Role, Move, u32), Count> = BTreeMap::new();
    for outcome in outcomes {
        let job = &jobs[outcome.tag as usize];
        let mut state = State::clone(&job.state);
        let mut made: Vec<&[Move]> = Vec::new();
        for joint in outcome.moves.chunks(roles) {
            let is_forced = made.is_empty() && job.forced.is_some();
            for (role, &chosen) in joint.iter().enumerate().filter(|_| !is_forced) {
                let legal = game.legal_moves(&state, role).expect("legal moves");
                let weights: Vec<(Move, u32)> =
                    legal.iter().map(|at| (at, weight(table, role, at, &state, &made))).collect();
                let sum: u32 = weights.iter().map(|(_, weight)| weight).sum();
                for &(other, weight) in &weights {
                    let chance = match sum {
                        0 => 1.0 / weights.len() as f64,
                        _ => f64::from(weight) / f64::from(sum),
                    };
                    let count = counts.entry((role, other, weight)).or_default();
                    assert!(other != chosen || chance > 0.0, "{what}: a move without a weight");
                    count.made += f64::from(u8::from(other == chosen));
                    count.expected += chance;
                    count.variance += chance * (1.0 - chance);
                }
            }
            state = game.next_state(&state, joint).expect("legal moves");
            made.push(joint);
        }
    }
    let many: Vec<&Count> = counts.values().filter(|count| count.variance > 5.0).collect();
    assert!(many.len() > 2, "{what}: something to judge");
    let distance: f64 =
        many.iter().map(|count| (count.made - count.expected).powi(2) / count.variance).sum();
    let freedom = many.len() as f64;
    let most = freedom + 5.0 * (2.0 * freedom).sqrt() + 10.0;
    assert!(distance <= most, "{what}: chi-square {distance:.1} of {freedom}");
}

#[test]
fn moves_are_chosen_by_the_first_context_that_holds() {
    let games = [
        ("tic_tac_toe", TIC_TAC_TOE.to_string(), 4_000),
        ("connect_four", CONNECT_FOUR.to_string(), 1_000),
        ("breakthrough", BREAKTHROUGH.to_string(), 500),
        ("rock_paper_scissors", ROCK_PAPER_SCISSORS.to_string(), 4_000),
        ("eight_puzzle", EIGHT_PUZZLE.to_string(), 500),
        ("three players", THREE_PLAYERS.to_string(), 2_000),
        ("six roles", six_roles(), 1_000),
        ("passing", PASSING.to_string(), 2_000),
    ];
    for (name, text, count) in games {
        let sheet = Sheet::new(&text);
        let engine = sheet.engine(&WITH_WEIGHTS);
        for seed in 0..3 {
            let table = random_table(&engine.program, &mut Pcg64::seed_from_u64(seed));
            let jobs = jobs::<u64>(&engine, count);
            let say_it = say::<u64x8>(&engine.program, &table);
            let outcomes = engine.outcomes_with(seed, jobs.clone(), say_it);
            judge(&engine, &table, &jobs, &outcomes, &format!("{name}, table {seed}"));
        }
    }
}

/// Plays the same jobs by the same table on words of any width.
struct Play<'p>(&'p Sheet, Setup, u64);

impl PerWidth for Play<'_> {
    type Output = Vec<(u64, Vec<usize>, u64)>;

    fn run<W: Word>(self) -> Self::Output {
        let Play(sheet, setup, seed) = self;
        let engine = sheet.engine_on(setup.backend(), setup.mapping(), &WITH_WEIGHTS);
        let table = random_table(&engine.program, &mut Pcg64::seed_from_u64(seed));
        let outcomes =
            engine.outcomes_with::<W>(seed, jobs::<W>(&engine, 700), say(&engine.program, &table));
        let told = outcomes.into_iter().map(|outcome| {
            let moves = outcome.moves.iter().map(|chosen| chosen.index()).collect();
            (outcome.tag, moves, outcome.length)
        });
        told.collect()
    }
}

#[test]
fn all_widths_and_back_ends_choose_the_same_moves() {
    let games = [TIC_TAC_TOE, BREAKTHROUGH, ROCK_PAPER_SCISSORS, THREE_PLAYERS, PASSING];
    for (seed, text) in games.into_iter().enumerate() {
        let (sheet, seed) = (Sheet::new(text), seed as u64);
        let portable = |lanes| Setup::new(Some(lanes), Some(Backend::Portable)).expect("anywhere");
        let mut setups: Vec<Setup> =
            propnet::lanes::Width::ALL.iter().map(|&width| portable(width)).collect();
        let compiled = levels().into_iter().map(Backend::Machine);
        setups.extend(compiled.map(|backend| Setup::new(None, Some(backend)).expect("a level")));
        let mut told = setups
            .into_iter()
            .map(|setup| (setup, setup.width().dispatch(Play(&sheet, setup, seed))));
        let (_, expected) = told.next().expect("a width");
        for (setup, told) in told {
            assert!(told == expected, "game {seed} on {setup}");
        }
    }
}

/// One role that may always make any of three moves.
const THREE_MOVES: &str = "
    (role r) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
    (legal r a) (legal r b) (legal r c)
    (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
    (<= (next (last ?m)) (does r ?m))
    (<= (next (last ?m)) (true (last ?m)) (does r a))
    (<= terminal (true (step 6))) (<= (goal r 100) (true (last a))) (<= (goal r 50) (true (last b)))
    (<= (goal r 0) (true (last c)))";

/// The texts of the moves of a playout in [`THREE_MOVES`], after a table was said.
fn line<W: Word>(engine: &Engine, forced: Option<&str>, say: impl Fn(&mut Jobs<W>)) -> Vec<String> {
    let names = &engine.program.names;
    let forced = forced.map(|text| vec![names.move_of(0, text).expect("a move")].into());
    // Lanes are used many times.
    let job = |tag| Job {
        forced: forced.clone(),
        wants_moves: 1,
        ..Job::new(tag, tag, &engine.initial())
    };
    let outcomes = engine.outcomes_with(1, (0..3 * W::LANES as u64).map(job).collect(), say);
    assert!(outcomes.iter().all(|outcome| outcome.moves == outcomes[0].moves), "one line");
    outcomes[0].moves.iter().map(|&chosen| names.move_text(0, chosen).expect("a move")).collect()
}

#[test]
fn a_move_made_before_counts_in_its_own_playout_only() {
    lines_follow_the_table::<u64>();
    lines_follow_the_table::<u64x4>();
    lines_follow_the_table::<u64x8>();
    lines_follow_the_table::<Quad>();
}

fn lines_follow_the_table<W: Word>() {
    let engine = Sheet::new(THREE_MOVES).engine(&WITH_WEIGHTS);
    let names = &engine.program.names;
    let find = |text: &str| names.move_of(0, text).expect("a move");
    let [a, b, c] = ["a", "b", "c"].map(find);
    let made = |chosen, steps_ago| Condition::Made { role: 0, chosen, steps_ago };
    // After a comes b, after b comes c, after c comes a; a begins.
    let say = |lanes: &mut Jobs<W>| {
        let mut set = |chosen, base, contexts: &[WeightInContext]| {
            lanes.set_weights_in_context(0, chosen, base, contexts).expect("weights");
        };
        set(
            a,
            1,
            &[context(&[made(c, 1)], 9), context(&[made(a, 1)], 0), context(&[made(b, 1)], 0)],
        );
        set(b, 0, &[context(&[made(a, 1)], 7)]);
        set(c, 0, &[context(&[made(b, 1)], 8)]);
    };
    assert_eq!(line(&engine, None, say), ["a", "b", "c", "a", "b", "c"]);
    assert_eq!(line(&engine, Some("b"), say), ["b", "c", "a", "b", "c", "a"]);
    // Two steps ago, and both: a a b a a b.
    let say = |lanes: &mut Jobs<W>| {
        let mut set = |chosen, base, contexts: &[WeightInContext]| {
            lanes.set_weights_in_context(0, chosen, base, contexts).expect("weights");
        };
        set(a, 1, &[context(&[made(a, 1), made(a, 2)], 0)]);
        set(b, 0, &[context(&[made(a, 1), made(a, 2)], 1)]);
        set(c, 0, &[]);
    };
    assert_eq!(line(&engine, None, say), ["a", "a", "b", "a", "a", "b"]);
    assert_eq!(line(&engine, Some("c"), say), ["c", "a", "a", "b", "a", "a"]);
    // A fluent, and later contexts that do not count.
    let fluent = |text: &str| {
        let all = 0..names.fluent_count();
        Condition::Fluent(all.into_iter().find(|&at| names.fluent_text(at) == text).expect(text))
    };
    let say = |lanes: &mut Jobs<W>| {
        let mut set = |chosen, base, contexts: &[WeightInContext]| {
            lanes.set_weights_in_context(0, chosen, base, contexts).expect("weights");
        };
        let steps = ["(step 1)", "(step 4)"].map(|text| context(&[fluent(text)], 5));
        set(a, 0, &[]);
        set(b, 0, &[&steps[..], &[context(&[fluent("(step 1)")], 0)]].concat());
        set(c, 3, &steps.map(|step| WeightInContext { weight: 0, ..step }));
    };
    assert_eq!(line(&engine, None, say), ["c", "b", "c", "c", "b", "c"]);
    // Plain weights take contexts away.
    let plain = |lanes: &mut Jobs<W>| {
        say(lanes);
        lanes.set_weight(0, b, 0).expect("its own move");
        lanes.set_weights_in_context(0, c, 3, &[]).expect("weights");
    };
    assert_eq!(line(&engine, None, plain), ["c"; 6]);
}

#[test]
fn what_cannot_be_is_refused() {
    let sheet = Sheet::new(THREE_MOVES);
    let engine = sheet.engine(&WITH_WEIGHTS);
    let mut lanes = Jobs::<u64>::new(&engine.program, &engine.code, 1);
    let a = engine.program.names.move_of(0, "a").expect("a move");
    let table = engine.program.names.table();
    let other = Sheet::new(THREE_MOVES).engine(&WITH_WEIGHTS);
    let foreign = other.program.names.move_of(0, "a").expect("a move");
    let made = |role, chosen, steps_ago| Condition::Made { role, chosen, steps_ago };
    let fluent = Condition::Fluent(0);
    let mut error = |chosen: Move, base: u32, contexts: &[WeightInContext]| {
        lanes.set_weights_in_context(0, chosen, base, contexts).expect_err("an error").to_string()
    };
    let moved = "the move belongs to another engine: translate it with `move_text` and `move_of`";
    assert_eq!(error(foreign, 1, &[]), moved);
    assert_eq!(error(a, 1, &[context(&[made(0, foreign, 1)], 1)]), moved);
    let fourth = Move::new(table, 3);
    assert_eq!(error(fourth, 1, &[]), "role 0 has no move with the number 3");
    let no_role = error(a, 1, &[context(&[made(1, a, 1)], 1)]);
    assert_eq!(no_role, "role 1 has no move with the number 0");
    let no_fluent = error(a, 1, &[context(&[Condition::Fluent(999)], 1)]);
    assert_eq!(no_fluent, "there is no fluent with the number 999");
    for steps in [0, 3] {
        let far = error(a, 1, &[context(&[made(0, a, steps)], 1)]);
        assert!(far.contains(&format!("{steps} steps ago; it must be 1 or 2")), "{far}");
    }
    let high = "a weight of 4096 does not fit the 12 bits that the program has for weights";
    assert_eq!(error(a, 4096, &[]), high);
    assert_eq!(error(a, 1, &[context(&[fluent], 4096)]), high);
    assert!(error(a, 1, &[context(&[fluent; 4], 1)]).starts_with("a context has 4 conditions"));
    let many = vec![context(&[fluent], 1); 257];
    assert!(error(a, 1, &many).starts_with("a move has 257 contexts; it can have at most 256"));
    let different: Vec<_> = (0..31).map(|weight| context(&[fluent], weight)).collect();
    assert!(error(a, 1, &different).starts_with("a move has 31 different weights"));
    let without = |options: StepOptions| {
        let engine = sheet.engine(&options);
        let mut lanes = Jobs::<u64>::new(&engine.program, &engine.code, 1);
        let a = engine.program.names.move_of(0, "a").expect("a move");
        let contexts = [context(&[made(0, a, 1)], 1)];
        lanes.set_weights_in_context(0, a, 1, &contexts).expect_err("an error")
    };
    assert_eq!(without(ALL), ContextError::NoWeights);
    let unrecorded = StepOptions { record: false, ..WITH_WEIGHTS };
    assert_eq!(without(unrecorded), ContextError::NotRecorded);
}
