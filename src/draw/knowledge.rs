//! What is known of a game before it is drawn.

use std::collections::{BTreeMap, BTreeSet};

use propnet::game::Game;
use propnet::gdl::{Rules, print_term, word};
use propnet::ground::{GroundRules, Recipe};

use super::links::{Links, add_ground_links};
use crate::run::{Run, Setup};

/// What is known of a game: enough to tell which of its sentences are boards, and how large these
/// are.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    /// The roles in the order of declaration, in lower case.
    pub roles: Vec<String>,
    /// Every sentence that can be true in a state, if that is known.
    pub fluents: Option<Vec<String>>,
    /// States that play has met, the first one first.
    pub states: Vec<Vec<String>>,
    /// Names that the sheet puts in order, such as by `(succ one two) (succ two three)`.
    pub chains: Vec<Vec<String>>,
    /// Sentences about two cells.
    pub links: Links,
}

/// The playouts that are watched, and how many steps of each.
const PLAYOUTS: u64 = 4;
const STEPS: usize = 100;

impl Knowledge {
    /// What the facts of a sheet tell.
    pub fn new(rules: &Rules, roles: &[String]) -> Self {
        let mut knowledge = Knowledge { roles: roles.to_vec(), ..Knowledge::default() };
        let mut pairs: BTreeMap<&str, BTreeSet<(String, String)>> = BTreeMap::new();
        for rule in rules.rules.iter().filter(|rule| rule.body.is_empty()) {
            let head = &rule.head;
            if word::is_word(head.relation) || head.args.len() < 2 {
                continue;
            }
            let name = rules.symbols.name(head.relation);
            let args = head.args.iter().map(|arg| print_term(arg, &rules.symbols).to_lowercase());
            let args: Vec<String> = args.collect();
            if let [one, two] = args.as_slice() {
                pairs.entry(name).or_default().insert((one.clone(), two.clone()));
            }
            knowledge.links.add(format!("fact {name}"), [args, Vec::new()]);
        }
        knowledge.chains = pairs.values().flat_map(chains).collect();
        knowledge
    }

    /// What ground rules tell: every sentence that can be true, and which cells touch.
    pub fn learn_ground(&mut self, rules: &GroundRules) {
        let names = rules.names();
        let fluents = rules.fluents.iter().enumerate();
        let possible = fluents.filter(|(_, fluent)| fluent.recipe != Recipe::Constant(false));
        self.fluents = Some(possible.map(|(at, _)| names.fluent_text(at)).collect());
        add_ground_links(&mut self.links, rules);
    }

    /// Watches a few random playouts, as long as somebody wants that. What goes wrong in them ends
    /// them: it goes wrong again, and is reported, when the game is played.
    pub fn learn_play(
        &mut self,
        game: &mut dyn Game,
        setup: &Setup,
        goes_on: &mut dyn FnMut() -> bool,
    ) {
        for playout in 0..PLAYOUTS {
            let seed = setup.seed.wrapping_add(playout);
            let Ok(mut run) = Run::new(game, &Setup { seed, ..setup.clone() }) else { return };
            self.states.push(game.sentences(&run.state));
            while run.step < STEPS {
                let is_over = !goes_on() || game.is_terminal(&run.state).unwrap_or(true);
                if is_over || run.advance(game).is_err() {
                    break;
                }
                self.states.push(game.sentences(&run.state));
            }
        }
    }
}

/// The chains of a relation in which every name has at most one successor and one predecessor.
fn chains(pairs: &BTreeSet<(String, String)>) -> Vec<Vec<String>> {
    let next: BTreeMap<&String, &String> = pairs.iter().map(|(one, two)| (one, two)).collect();
    let seconds: BTreeSet<&String> = pairs.iter().map(|(_, two)| two).collect();
    if next.len() < pairs.len() || seconds.len() < pairs.len() {
        return Vec::new();
    }
    // Without a beginning it is a cycle, such as whose turn is next.
    let starts = next.keys().filter(|one| !seconds.contains(*one));
    let chain = |&start: &&String| {
        std::iter::successors(Some(start), |&name| next.get(name).copied()).cloned().collect()
    };
    starts.map(chain).collect()
}
