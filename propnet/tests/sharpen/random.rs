//! Random ground games, small enough to visit every reachable state.
//!
//! Layers keep them in the language: state helpers read the state, step helpers also the moves;
//! legal moves, goals and the end read no step helper. Among helpers a positive literal may point
//! anywhere in its layer or below, so that loops arise; a negated one only to a lower stratum.

use propnet::gdl::{Source, Symbols};
use propnet::ground::sharpen::sharpen;
use propnet::ground::{
    Arguments, Fluent, GroundAtom, GroundLiteral, GroundRules, HelperArguments, Recipe, RuleTable,
};
use propnet::terms::Terms;
use proptest::prelude::*;

use super::model::same_game;
use super::text::print;

/// Numbers from which a game is made; every choice of numbers is a game.
#[derive(Clone, Debug)]
struct Seed {
    initially: Vec<bool>,
    moves: Vec<usize>,
    rules: Vec<(u8, Vec<(u8, bool)>)>,
    /// Moves that are always legal, so that games go on.
    free: Vec<bool>,
    /// Pairs of fluents and of helpers: the second behaves as the first, if nothing else is said
    /// about it.
    twins: Vec<(u8, u8)>,
}

fn seed() -> impl Strategy<Value = Seed> {
    // Few facts, or nearly everything is constant.
    let literal = (any::<u8>(), prop::bool::weighted(0.35));
    let body = prop_oneof![
        1 => Just(Vec::new()),
        30 => prop::collection::vec(literal, 1..4),
    ];
    (
        prop::collection::vec(any::<bool>(), 2..7),
        prop::collection::vec(1..4usize, 1..3),
        prop::collection::vec((any::<u8>(), body), 10..60),
        prop::collection::vec(prop::bool::weighted(0.7), 6),
        prop::collection::vec((any::<u8>(), any::<u8>()), 0..4),
    )
        .prop_map(|(initially, moves, rules, free, twins)| Seed {
            initially,
            moves,
            rules,
            free,
            twins,
        })
}

const HELPERS: usize = 10;
/// Helpers from here on may read moves.
const STEP: usize = 5;

/// Layer of the helper and stratum in the layer: what a negated literal must stay below.
fn stratum(helper: usize) -> usize {
    [0, 0, 0, 1, 1, 2, 2, 2, 3, 3][helper]
}

fn game(seed: &Seed) -> GroundRules {
    let mut symbols = Symbols::default();
    let mut terms = Terms::default();
    let mut term = |name: String| {
        let symbol = symbols.intern(&name);
        terms.intern(symbol, &[]).expect("flat")
    };
    let roles: Vec<_> = (0..seed.moves.len()).map(|r| term(format!("r{r}"))).collect();
    let fluents: Vec<Fluent> = seed
        .initially
        .iter()
        .enumerate()
        .map(|(f, &initially)| Fluent {
            term: term(format!("f{f}")),
            initially,
            recipe: Recipe::Carried,
        })
        .collect();
    let moves: Vec<Vec<_>> =
        seed.moves.iter().map(|&n| (0..n).map(|m| term(format!("m{m}"))).collect()).collect();
    let values = [term("50".into())];

    let mut atoms = Vec::new();
    for h in 0..HELPERS {
        atoms.push(GroundAtom::Helper(symbols.intern(&format!("h{h}")), Arguments::NONE));
    }
    for f in 0..fluents.len() {
        atoms.extend([GroundAtom::True(f), GroundAtom::Next(f)]);
    }
    for (r, moves) in (0..).zip(&moves) {
        atoms.extend(
            (0..moves.len()).flat_map(|m| [GroundAtom::Does(r, m), GroundAtom::Legal(r, m)]),
        );
        atoms.extend(values.iter().map(|&value| GroundAtom::Goal(r, value)));
    }
    atoms.push(GroundAtom::Terminal);

    // Fluents change more if more is said about them.
    let often = |id: usize| match atoms[id] {
        GroundAtom::True(_) | GroundAtom::Does(..) => 0,
        GroundAtom::Next(_) => 4,
        _ => 1,
    };
    let derived: Vec<usize> = (0..atoms.len()).flat_map(|id| vec![id; often(id)]).collect();
    let mut rules = Vec::new();
    for (head, body) in &seed.rules {
        let head = derived[*head as usize % derived.len()];
        let body: Vec<GroundLiteral> = body
            .iter()
            .filter_map(|&(pick, negated)| {
                let often = |id: usize| match atoms[id] {
                    _ if !may_read(&atoms[head], head, &atoms[id], id, negated) => 0,
                    GroundAtom::True(_) | GroundAtom::Does(..) => 2,
                    _ => 1,
                };
                let allowed: Vec<usize> =
                    (0..atoms.len()).flat_map(|id| vec![id; often(id)]).collect();
                let id = *allowed.get(pick as usize % allowed.len().max(1))?;
                Some(GroundLiteral::new(id as u32, negated))
            })
            .collect();
        rules.push((head as u32, body));
    }
    let free = |id: &usize| matches!(atoms[*id], GroundAtom::Legal(..));
    for (id, _) in derived.iter().filter(|id| free(id)).zip(&seed.free).filter(|(_, free)| **free) {
        rules.push((*id as u32, Vec::new()));
    }
    let id = |atom: GroundAtom| atoms.iter().position(|a| *a == atom).expect("there");
    for &(one, other) in &seed.twins {
        let (f, g) = (one as usize % fluents.len(), other as usize % fluents.len());
        add_twin(
            &mut rules,
            id(GroundAtom::Next(f)),
            id(GroundAtom::Next(g)),
            id(GroundAtom::True(f)),
            id(GroundAtom::True(g)),
        );
        let (h, k) = (one as usize % HELPERS, other as usize % HELPERS);
        if stratum(h) <= stratum(k) && (h < STEP) == (k < STEP) {
            add_twin(&mut rules, h, k, h, k);
        }
    }
    rules.sort_by_key(|&(head, _)| head);
    let mut table = RuleTable::default();
    rules.iter().for_each(|(head, body)| table.push(*head, body, 0));
    GroundRules {
        source: Source::from_text("s", ""),
        symbols: symbols.into(),
        terms: terms.into(),
        roles,
        fluents,
        moves,
        atoms,
        helpers: HelperArguments::default(),
        rules: table,
    }
}

/// Repeats the rules of one head for another, which reads itself where the first reads itself.
fn add_twin(
    rules: &mut Vec<(u32, Vec<GroundLiteral>)>,
    from: usize,
    to: usize,
    read: usize,
    instead: usize,
) {
    let twin = |literal: &GroundLiteral| match literal.atom() as usize == read {
        true => GroundLiteral::new(instead as u32, literal.negated()),
        false => *literal,
    };
    for at in 0..rules.len() {
        if rules[at].0 as usize == from && from != to {
            let body = rules[at].1.iter().map(twin).collect();
            rules.push((to as u32, body));
        }
    }
}

fn may_read(
    head: &GroundAtom,
    head_id: usize,
    read: &GroundAtom,
    read_id: usize,
    negated: bool,
) -> bool {
    let step = |atom: &GroundAtom, id: usize| match atom {
        GroundAtom::Helper(..) => id >= STEP,
        GroundAtom::Does(..) | GroundAtom::Next(_) => true,
        _ => false,
    };
    match (head, read) {
        (_, GroundAtom::Next(_) | GroundAtom::Goal(..)) => false,
        (_, GroundAtom::True(_)) => true,
        _ if step(read, read_id) && !step(head, head_id) => false,
        (_, GroundAtom::Does(..)) => true,
        (GroundAtom::Helper(..), GroundAtom::Helper(..)) => match negated {
            true => stratum(read_id) < stratum(head_id),
            // Rounded down to the layer: loops within a layer, also through other strata, would
            // make a negation unsafe; equal strata are safe.
            false => stratum(read_id) <= stratum(head_id),
        },
        (_, GroundAtom::Helper(..)) => true,
        // Legal moves and the end are read by the step and by goals.
        (GroundAtom::Next(_) | GroundAtom::Goal(..), _) => true,
        (GroundAtom::Helper(..), _) => head_id >= STEP,
        (GroundAtom::Terminal, GroundAtom::Legal(..)) => true,
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_same_game(seed in seed()) {
        let before = game(&seed);
        let (after, report) = sharpen(before.clone(), &mut || true).expect("not stopped");
        if let Err(difference) = same_game(&before, &after) {
            let (before, after) = (print(&before), print(&after));
            prop_assert!(false, "{difference}\n{before}\n\n{after}\n{report:?}");
        }
        prop_assert!(report.after.rules <= report.before.rules);
        let (again, _) = sharpen(before.clone(), &mut || true).expect("not stopped");
        prop_assert_eq!(print(&after), print(&again), "not twice the same");
        let (twice, _) = sharpen(after, &mut || true).expect("not stopped");
        prop_assert_eq!(same_game(&before, &twice).err(), None, "sharpened twice");
    }
}
