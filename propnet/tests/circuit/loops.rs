//! Recursion becomes gates in three ways, and each says what the reference reasoner says, in every
//! state.

use propnet::circuit::{Circuit, CircuitGame, LoopChoice, Way, WorkBudget, build_with};
use propnet::game::{Game, State};
use propnet::gdl::{Rules, Source};
use propnet::ground::{GroundRules, Limits, NoWatch, Options, ground};
use propnet::reference::{Reasoner, load};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

const CHOICES: [LoopChoice; 4] =
    [LoopChoice::Cheapest, LoopChoice::Eliminate, LoopChoice::Unroll, LoopChoice::Repeat];

/// So many fluents, all of whose states can be reached, since each can be flipped in each state.
const FLUENTS: usize = 6;

/// A game in which a move `(show I)` is legal where the sentence `pI` holds.
pub(crate) fn sheet(helpers: usize, rules: &str) -> String {
    let mut text = String::from("(role r) (<= terminal (true never)) (goal r 0)\n");
    text += "(<= (next never) (true never))\n";
    for fluent in 0..FLUENTS {
        text += &format!(
            "(legal r (flip {fluent}))
             (<= (next f{fluent}) (does r (flip {fluent})) (not (true f{fluent})))
             (<= (next f{fluent}) (true f{fluent}) (not (does r (flip {fluent}))))\n"
        );
    }
    for helper in 0..helpers {
        text += &format!("(<= (legal r (show {helper})) p{helper})\n");
    }
    text + rules
}

/// Random rules `pI <- ...` over fluents and the other sentences.
fn random_rules(rng: &mut Pcg64, helpers: usize) -> String {
    let mut text = String::new();
    for helper in 0..helpers {
        for _ in 0..rng.random_range(1..4) {
            let mut body = String::new();
            for _ in 0..rng.random_range(0..3) {
                body += &format!(" p{}", rng.random_range(0..helpers));
            }
            for _ in 0..rng.random_range(1..3) {
                let fluent = format!("(true f{})", rng.random_range(0..FLUENTS));
                body +=
                    &if rng.random() { format!(" {fluent}") } else { format!(" (not {fluent})") };
            }
            text += &format!("(<= p{helper}{body})\n");
        }
    }
    text
}

pub(crate) fn rules_of(text: &str) -> (Rules, GroundRules) {
    let rules = load(Source::from_text("loops", text)).expect("a sheet");
    let ground = ground(&rules, &Options::default(), Limits::default(), &mut NoWatch);
    let ground = ground.expect("ground rules").rules;
    (rules, ground)
}

/// The legal moves of each state, as text.
pub(crate) fn answers(game: &mut dyn Game) -> Vec<Vec<String>> {
    let states = 0..1usize << FLUENTS;
    let answer = |bits: usize| {
        let fluents = (0..FLUENTS).filter(|fluent| bits >> fluent & 1 == 1);
        let sentences: Vec<String> = fluents.map(|fluent| format!("f{fluent}")).collect();
        let state: State = game.state_of(&sentences).expect("a state");
        let legal = game.legal_moves(&state, 0).expect("moves");
        let mut moves: Vec<String> =
            legal.iter().map(|chosen| game.move_text(0, chosen).expect("a text")).collect();
        moves.sort();
        moves
    };
    states.map(answer).collect()
}

fn check(text: &str) -> Vec<Circuit> {
    let (rules, ground) = rules_of(text);
    let expected = answers(&mut Reasoner::new(&rules));
    let circuits = CHOICES.map(|choice| {
        let circuit = build_with(&ground, choice, &WorkBudget::default()).expect("a circuit");
        assert_eq!(answers(&mut CircuitGame::new(circuit.clone())), expected, "{choice:?}\n{text}");
        circuit
    });
    circuits.into()
}

fn ways(circuit: &Circuit) -> Vec<Way> {
    circuit.resolved.iter().map(|resolved| resolved.way).collect()
}

#[test]
fn random_recursion_has_its_least_fixpoint_in_every_way() {
    let mut loops = 0;
    for seed in 0..120 {
        let mut rng = Pcg64::seed_from_u64(seed);
        let helpers = 2 + seed as usize % 9;
        let text = sheet(helpers, &random_rules(&mut rng, helpers));
        loops += check(&text)[0].resolved.len();
    }
    assert!(loops > 40, "only {loops} loops were met");
}

#[test]
fn each_choice_is_honoured() {
    // A ring: each member follows from the one before, and each can be the first.
    let ring: String = (0..5)
        .map(|at| format!("(<= p{at} (true f{at})) (<= p{at} p{} (true f5))\n", (at + 4) % 5))
        .collect();
    let circuits = check(&sheet(5, &ring));
    assert_eq!(ways(&circuits[1]), [Way::Eliminated]);
    assert!(matches!(ways(&circuits[2])[..], [Way::Unrolled(1..=5)]), "{:?}", ways(&circuits[2]));
    assert_eq!(ways(&circuits[3]), [Way::Repeated(5)]);
    assert_eq!(circuits[3].loops.len(), 1);
    assert!(circuits[..3].iter().all(|circuit| circuit.loops.is_empty()));
}

#[test]
fn loops_that_read_loops_are_done_in_order() {
    let text = sheet(
        4,
        "(<= p0 (true f0)) (<= p0 p1 (true f1)) (<= p1 p0 (true f2)) (<= p1 (true f5))
         (<= p2 (true f3) (not p0)) (<= p2 p3 p1) (<= p3 p2 (true f4)) (<= p3 (not p1))",
    );
    let circuits = check(&text);
    assert_eq!(circuits[3].loops.len(), 2);
}

#[test]
fn what_needs_itself_never_holds() {
    let circuits = check(&sheet(3, "(<= p0 p1) (<= p1 p0) (<= p2 (true f0)) (<= p1 p1 p2)"));
    assert!(circuits.iter().all(|circuit| circuit.loops.len() <= 1));
}

#[test]
fn long_rings_are_repeated_and_need_many_sweeps() {
    // Against the order of the members, so that each sweep finds few.
    let count = 40;
    let mut ring = String::from("(<= p0 (true f0))\n");
    for at in 0..count {
        ring += &format!("(<= p{at} p{} (not (true f{})))\n", (at + 7) % count, 1 + at % 5);
        ring += &format!("(<= p{at} p{} (true f{}))\n", (at + 39) % count, 1 + at % 3);
    }
    check(&sheet(count, &ring));
}
