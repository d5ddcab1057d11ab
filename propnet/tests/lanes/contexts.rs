//! Values that depend on the state and on the last moves: every move as likely as a slow, obvious
//! version says, the same playouts everywhere.

use std::collections::BTreeMap;
use std::sync::Arc;

use propnet::game::{Game, Move, Role, State};
use propnet::lanes::{
    Backend, Condition, ContextError, ContextualValue, Job, Jobs, LanesGame, Outcome, PerWidth,
    Quad, Setup, ValueInContext, ValueTable, Word,
};
use propnet::program::{EXPLORED_OF, HALVING, Program, Sampling, StepOptions};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use wide::{u64x4, u64x8};

use super::engine::levels;
use super::sheets::*;
use super::support::{ALL, Engine, Sheet, WITH_WEIGHTS};

fn context(conditions: &[Condition], value: u16) -> ValueInContext {
    ValueInContext { conditions: conditions.iter().copied().collect(), value }
}

/// A table of values, many of them so far apart that moves are never chosen.
fn random_table(program: &Program, rng: &mut Pcg64) -> ValueTable {
    let names = &program.names;
    let roles = names.roles().len();
    let fluents: Vec<usize> =
        (0..names.fluent_count()).filter(|&at| program.is_in_playouts(at)).collect();
    let value = |rng: &mut Pcg64| match rng.random_range(0..8) {
        0 => 0,
        1 => 900,
        _ => rng.random_range(300..500),
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
            context(&conditions, value(rng))
        });
        let contexts = contexts.collect();
        ContextualValue { base: value(rng), contexts }
    };
    let mut part =
        || (0..roles).map(|role| names.moves(role).map(|_| of_move(rng)).collect()).collect();
    let parts = vec![part(), part()];
    let sampling = match rng.random_range(0..3) {
        0 => Sampling::Greedy { explored: 100 },
        _ => Sampling::Gibbs,
    };
    let count = rng.random_range(1..=2);
    ValueTable { sampling, parts: parts.into_iter().take(count).collect() }
}

fn say<W: Word>(table: &ValueTable) -> impl Fn(&mut Jobs<W>) {
    move |lanes| lanes.set_values(table).expect("values")
}

/// The value of a move in a state, after joint moves.
fn value(table: &ValueTable, role: Role, chosen: Move, state: &State, made: &[&[Move]]) -> u16 {
    let holds = |condition: &Condition| match *condition {
        Condition::Fluent(fluent) => state.contains(fluent),
        Condition::Made { role, chosen, steps_ago } => {
            made.len() >= steps_ago && made[made.len() - steps_ago][role] == chosen
        }
    };
    let of_part = |part: &Vec<Vec<ContextualValue>>| {
        let own = &part[role][chosen.index()];
        let found = own.contexts.iter().find(|context| context.conditions.iter().all(holds));
        found.map_or(own.base, |context| context.value)
    };
    table.parts.iter().map(of_part).sum()
}

/// How likely each of these values is chosen.
fn chances(sampling: Sampling, values: &[u16]) -> Vec<f64> {
    let highest = values.iter().copied().max().expect("a legal move");
    let weight = |value: u16| match (sampling, f64::from(highest - value)) {
        (Sampling::Gibbs, below) if below >= 12.0 * HALVING as f64 => 0.0,
        (Sampling::Gibbs, below) => 0.5f64.powf(below / HALVING as f64),
        (Sampling::Greedy { .. }, below) => f64::from(u8::from(below == 0.0)),
    };
    let sum: f64 = values.iter().map(|&value| weight(value)).sum();
    let explored = match sampling {
        Sampling::Gibbs => 0.0,
        Sampling::Greedy { explored } => f64::from(explored) / f64::from(EXPLORED_OF),
    };
    let chance = |&value| (1.0 - explored) * weight(value) / sum + explored / values.len() as f64;
    values.iter().map(chance).collect()
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
fn judge(engine: &Engine, table: &ValueTable, jobs: &[Job], outcomes: &[Outcome], what: &str) {
    let mut game = LanesGame::<u64>::new(engine.program.clone(), &engine.code);
    let roles = game.roles().len();
    let mut counts: BTreeMap<(Role, Move, u16), Count> = BTreeMap::new();
    for outcome in outcomes {
        let job = &jobs[outcome.tag as usize];
        let mut state = State::clone(&job.state);
        let mut made: Vec<&[Move]> = Vec::new();
        for joint in outcome.moves.chunks(roles) {
            let is_forced = made.is_empty() && job.forced.is_some();
            for (role, &chosen) in joint.iter().enumerate().filter(|_| !is_forced) {
                let legal = game.legal_moves(&state, role).expect("legal moves");
                let values: Vec<u16> =
                    legal.iter().map(|at| value(table, role, at, &state, &made)).collect();
                let chances = chances(table.sampling, &values);
                for ((other, &value), &chance) in legal.iter().zip(&values).zip(&chances) {
                    let count = counts.entry((role, other, value)).or_default();
                    assert!(other != chosen || chance > 0.0, "{what}: a move that is never chosen");
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
            let outcomes = engine.outcomes_with(seed, jobs.clone(), say::<u64x8>(&table));
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
        let outcomes = engine.outcomes_with::<W>(seed, jobs::<W>(&engine, 700), say(&table));
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

/// A table of one part, for one role.
fn table_of(values: [(u16, &[ValueInContext]); 3]) -> ValueTable {
    let of_move = |(base, contexts): (u16, &[ValueInContext])| ContextualValue {
        base,
        contexts: contexts.to_vec(),
    };
    let moves = values.into_iter().map(of_move).collect();
    ValueTable { sampling: Sampling::Gibbs, parts: vec![vec![moves]] }
}

/// A value that is chosen if there is no other, and one that is.
const NO: u16 = 0;
const YES: u16 = 1000;

fn lines_follow_the_table<W: Word>() {
    let engine = Sheet::new(THREE_MOVES).engine(&WITH_WEIGHTS);
    let names = &engine.program.names;
    let find = |text: &str| names.move_of(0, text).expect("a move");
    let [a, b, c] = ["a", "b", "c"].map(find);
    let made = |chosen, steps_ago| Condition::Made { role: 0, chosen, steps_ago };
    let line_of = |table: &ValueTable, forced: Option<&str>| {
        line::<W>(&engine, forced, |lanes| lanes.set_values(table).expect("values"))
    };
    // After a comes b, after b comes c, after c comes a; a begins.
    let table = table_of([
        (
            YES,
            &[context(&[made(c, 1)], YES), context(&[made(a, 1)], NO), context(&[made(b, 1)], NO)],
        ),
        (NO, &[context(&[made(a, 1)], YES)]),
        (NO, &[context(&[made(b, 1)], YES)]),
    ]);
    assert_eq!(line_of(&table, None), ["a", "b", "c", "a", "b", "c"]);
    assert_eq!(line_of(&table, Some("b")), ["b", "c", "a", "b", "c", "a"]);
    // Two steps ago, and both: a a b a a b.
    let table = table_of([
        (YES, &[context(&[made(a, 1), made(a, 2)], NO)]),
        (NO, &[context(&[made(a, 1), made(a, 2)], YES)]),
        (NO, &[]),
    ]);
    assert_eq!(line_of(&table, None), ["a", "a", "b", "a", "a", "b"]);
    assert_eq!(line_of(&table, Some("c")), ["c", "a", "a", "b", "a", "a"]);
    // A fluent, and later contexts that do not count.
    let fluent = |text: &str| {
        let all = 0..names.fluent_count();
        Condition::Fluent(all.into_iter().find(|&at| names.fluent_text(at) == text).expect(text))
    };
    let steps =
        |value: u16| ["(step 1)", "(step 4)"].map(|text| context(&[fluent(text)], value)).to_vec();
    let of_b = [steps(YES), vec![context(&[fluent("(step 1)")], NO)]].concat();
    let table = table_of([(NO, &[]), (NO, &of_b), (YES, &steps(NO))]);
    assert_eq!(line_of(&table, None), ["c", "b", "c", "c", "b", "c"]);
    // The best one is always chosen, and its chance depends on how far below the others are.
    let greedy = ValueTable { sampling: Sampling::Greedy { explored: 0 }, ..table.clone() };
    assert_eq!(line_of(&greedy, None), ["c", "b", "c", "c", "b", "c"]);
    // A second part is added: b is better by more than anything.
    let other = table_of([(NO, &[]), (2 * YES, &[]), (NO, &[])]);
    let both = ValueTable { parts: [table.parts.clone(), other.parts].concat(), ..table.clone() };
    assert_eq!(line_of(&both, None), ["b"; 6]);
    // Plain weights take values away.
    let plain = |lanes: &mut Jobs<W>| {
        lanes.set_values(&both).expect("values");
        for (chosen, weight) in [(a, 0), (b, 0), (c, 3)] {
            lanes.set_weight(0, chosen, weight).expect("its own move");
        }
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
    let mut refused =
        |table: &ValueTable| lanes.set_values(table).expect_err("an error").to_string();
    let mut error = |base: u16, contexts: &[ValueInContext]| {
        refused(&table_of([(base, contexts), (1, &[]), (1, &[])]))
    };
    let moved = "the move belongs to another engine: translate it with `move_text` and `move_of`";
    assert_eq!(error(1, &[context(&[made(0, foreign, 1)], 1)]), moved);
    let fourth = Move::new(table, 3);
    let no_move = error(1, &[context(&[made(0, fourth, 1)], 1)]);
    assert_eq!(no_move, "role 0 has no move with the number 3");
    let no_role = error(1, &[context(&[made(1, a, 1)], 1)]);
    assert_eq!(no_role, "role 1 has no move with the number 0");
    let no_fluent = error(1, &[context(&[Condition::Fluent(999)], 1)]);
    assert_eq!(no_fluent, "there is no fluent with the number 999");
    for steps in [0, 3] {
        let far = error(1, &[context(&[made(0, a, steps)], 1)]);
        assert!(far.contains(&format!("{steps} steps ago; it must be 1 or 2")), "{far}");
    }
    let high = "a value of 32001 is too high; the highest is 32000";
    assert_eq!(error(32_001, &[]), high);
    assert_eq!(error(1, &[context(&[fluent], 32_001)]), high);
    assert!(error(1, &[context(&[fluent; 4], 1)]).starts_with("a context has 4 conditions"));
    let many = vec![context(&[fluent], 1); 257];
    assert!(error(1, &many).starts_with("a move has 257 contexts; it can have at most 256"));
    let different: Vec<_> = (0..31).map(|value| context(&[fluent], value)).collect();
    assert!(error(1, &different).starts_with("a move has 31 different values"));
    let usual = table_of([(1, &[]), (1, &[]), (1, &[])]);
    let parts = |parts: Vec<Vec<Vec<ContextualValue>>>| ValueTable { parts, ..usual.clone() };
    let part = usual.parts[0].clone();
    assert_eq!(refused(&parts(vec![])), "values have 0 parts; they must have 1 or 2");
    let three = vec![part.clone(), part.clone(), part.clone()];
    assert_eq!(refused(&parts(three)), "values have 3 parts; they must have 1 or 2");
    let none = "there are values for 0 moves of role 0, which has 3";
    assert_eq!(refused(&parts(vec![vec![]])), none);
    let second = "there are values for 3 moves of role 1, which has 0";
    assert_eq!(refused(&parts(vec![[part.clone(), part].concat()])), second);
    let greedy = ValueTable { sampling: Sampling::Greedy { explored: 513 }, ..usual.clone() };
    assert_eq!(refused(&greedy), "513 of 512 choices are to be explored: at most all can be");
    let without = |options: StepOptions| {
        let engine = sheet.engine(&options);
        let mut lanes = Jobs::<u64>::new(&engine.program, &engine.code, 1);
        let a = engine.program.names.move_of(0, "a").expect("a move");
        let contexts = [context(&[made(0, a, 1)], 1)];
        let table = table_of([(1, &contexts), (1, &[]), (1, &[])]);
        lanes.set_values(&table).expect_err("an error")
    };
    assert_eq!(without(ALL), ContextError::NoWeights);
    let unrecorded = StepOptions { record: false, ..WITH_WEIGHTS };
    assert_eq!(without(unrecorded), ContextError::NotRecorded);
}
