//! What is known of a game before it is drawn.

use std::collections::{BTreeMap, BTreeSet};

use propnet::game::Game;
use propnet::gdl::{Rules, print_term, word};
use propnet::ground::{GroundRules, Recipe};

use super::hints::Hints;
use super::links::{LinkKind, Links};
use super::sentence::Sentence;
use super::statics::static_facts;
use crate::run::{Run, Setup};

/// What is known of a game: enough to decide which of its sentences are boards, and how large the
/// boards are.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    /// The roles in the order of declaration, in lower case.
    pub roles: Vec<String>,
    /// Every sentence that can be true in a state, if that is known.
    pub fluents: Option<Vec<String>>,
    /// States observed in play, the first one first.
    pub states: Vec<Vec<String>>,
    /// Names that the sheet puts in order, such as by `(succ one two) (succ two three)`.
    pub chains: Vec<Vec<String>>,
    /// Sentences that may be about two cells.
    pub links: Links,
    /// How the sheet wants to be drawn.
    pub hints: Hints,
}

/// The number of playouts that are observed, and of steps in each.
const PLAYOUTS: u64 = 4;
const STEPS: usize = 100;

impl Knowledge {
    /// The facts of a sheet, and what follows from them.
    pub fn new(rules: &Rules, roles: &[String]) -> Self {
        let hints = Hints::read(rules.source.text());
        let mut knowledge = Knowledge { roles: roles.to_vec(), hints, ..Knowledge::default() };
        let mut pairs: BTreeMap<&str, Vec<(String, String)>> = BTreeMap::new();
        for rule in rules.rules.iter().filter(|rule| rule.body.is_empty()) {
            let head = &rule.head;
            if word::is_word(head.relation) || head.args.len() < 2 {
                continue;
            }
            let name = rules.symbols.name(head.relation);
            let args = head.args.iter().map(|arg| print_term(arg, &rules.symbols).to_lowercase());
            let args: Vec<String> = args.collect();
            if let [one, two] = args.as_slice() {
                pairs.entry(name).or_default().push((one.clone(), two.clone()));
            }
            knowledge.links.add(LinkKind::Fact, Sentence { name: name.to_string(), args });
        }
        for fact in static_facts(rules) {
            knowledge.links.add(LinkKind::Fact, fact);
        }
        knowledge.chains = pairs.values().flat_map(|pairs| chains(pairs, roles)).collect();
        knowledge
    }

    /// Adds what the ground rules say: every sentence that can be true, and every move.
    pub fn learn_ground(&mut self, rules: &GroundRules) {
        let names = rules.names();
        let fluents = rules.fluents.iter().enumerate();
        let possible = fluents.filter(|(_, fluent)| fluent.recipe != Recipe::Constant(false));
        self.fluents = Some(possible.map(|(at, _)| names.fluent_text(at)).collect());
        for (role, moves) in rules.moves.iter().enumerate() {
            for at in 0..moves.len() {
                let text = names.text_of_move(role, at);
                self.links.add(LinkKind::Move, Sentence::read(&text));
            }
        }
    }

    /// Observes a few random playouts, as long as the caller wants it. An error ends them silently:
    /// it occurs again, and is reported, when the game is played.
    pub fn learn_play(
        &mut self,
        game: &mut dyn Game,
        setup: &Setup,
        goes_on: &mut dyn FnMut() -> bool,
    ) {
        for playout in 0..PLAYOUTS {
            let seed = setup.seed.wrapping_add(playout);
            let Ok(mut run) = Run::new(game, &Setup { seed, ..setup.clone() }) else { return };
            self.states.extend(game.sentences(&run.state));
            while run.step < STEPS {
                let is_over = !goes_on() || game.is_terminal(&run.state).unwrap_or(true);
                if is_over || run.advance(game).is_err() {
                    break;
                }
                self.states.extend(game.sentences(&run.state));
            }
        }
    }
}

/// The chains of a relation in which every name has at most one successor and one predecessor. A
/// cylindrical board has cycles, which begin where the sheet begins them. A cycle that contains a
/// role only says whose turn is next.
fn chains(pairs: &[(String, String)], roles: &[String]) -> Vec<Vec<String>> {
    let next: BTreeMap<&String, &String> = pairs.iter().map(|(one, two)| (one, two)).collect();
    let seconds: BTreeSet<&String> = pairs.iter().map(|(_, two)| two).collect();
    let count = pairs.iter().collect::<BTreeSet<_>>().len();
    if next.len() < count || seconds.len() < count {
        return Vec::new();
    }
    let mut seen: BTreeSet<&String> = BTreeSet::new();
    let mut found = Vec::new();
    let names = || pairs.iter().map(|(one, _)| one);
    for start in names().filter(|one| !seconds.contains(one)).chain(names()) {
        let mut chain = Vec::new();
        let mut name = Some(start);
        while let Some(one) = name.filter(|one| seen.insert(one)) {
            chain.push(one.clone());
            name = next.get(one).copied();
        }
        if chain.len() > 1 && !chain.iter().any(|name| roles.contains(name)) {
            found.push(chain);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pairs: &str, expected: &[&str]) {
        let pair = |text: &str| {
            let (one, two) = text.split_once(' ').expect("two names");
            (one.to_string(), two.to_string())
        };
        let pairs: Vec<_> = pairs.split(", ").map(pair).collect();
        let found = chains(&pairs, &["red".to_string(), "blue".to_string()]);
        let found: Vec<String> = found.iter().map(|chain| chain.join(" ")).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn the_sheet_puts_names_in_order() {
        check("low mid, one two, mid high", &["low mid high", "one two"]);
        check("b c, c d, d a, a b", &["b c d a"]);
        check("a b, a c", &[]);
        check("a c, b c", &[]);
        check("a b, b c, a b", &["a b c"]);
        check("red blue, blue red", &[]);
    }
}
