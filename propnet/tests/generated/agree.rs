//! What the reference reasoner says in random games, and whether an engine says the same.

use propnet::game::{Game, Move, PlayError, State};
use propnet::gdl::{Rules, Source};
use propnet::ground::{GroundError, GroundGame, Grounding, NoWatch, ground, print_ground};
use propnet::reference::{self, Reasoner};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::ways::Way;

/// Games and steps in each that are played.
pub(crate) const GAMES: u64 = 2;
pub(crate) const STEPS: usize = 6;

/// Everything that can be said about a state, as text.
#[derive(Debug, PartialEq)]
struct View {
    sentences: Vec<String>,
    terminal: Result<bool, PlayError>,
    legal: Vec<Result<Vec<String>, PlayError>>,
    goals: Vec<Result<i32, PlayError>>,
}

/// One game: what was seen and done in each state.
struct Play {
    steps: Vec<(View, Vec<String>)>,
    /// The state behind the last step, or why there is none.
    last: Result<View, PlayError>,
}

/// Games of one sheet.
pub(crate) struct Trace {
    roles: Vec<String>,
    plays: Vec<Play>,
}

/// What was compared.
pub(crate) struct Done {
    /// Groundings that were too large.
    pub(crate) skipped: u64,
    /// States that were looked at.
    pub(crate) steps: u64,
}

pub(crate) fn load(text: &str) -> Result<Rules, String> {
    reference::load(Source::from_text("s", text)).map_err(|error| error.to_string())
}

/// Compares every way with the reasoner, on the ground rules and on what they print as. `None`
/// if the sheet is refused.
pub(crate) fn compare(text: &str, ways: &[Way], seed: u64) -> Result<Option<Done>, String> {
    let Ok(rules) = load(text) else { return Ok(None) };
    let trace = Trace::new(&mut Reasoner::new(&rules), seed, GAMES, STEPS);
    let mut done = Done { skipped: 0, steps: trace.len() };
    for way in ways {
        let Grounding { rules: ground, .. } =
            match ground(&rules, &way.options, way.limits, &mut NoWatch) {
                Ok(grounding) => grounding,
                Err(GroundError::Limit { .. }) => {
                    done.skipped += 1;
                    continue;
                }
                Err(error) => return Err(format!("{:?}: {error}", way.options)),
            };
        let printed = print_ground(&ground);
        let place = |what: &str, why: String| {
            format!("{:?}, {what}: {why}\n\nground rules:\n{printed}", way.options)
        };
        let mut game = GroundGame::new(ground);
        trace.check(&mut game).map_err(|why| place("evaluated", why))?;
        let again = load(&printed).map_err(|why| place("loaded again", why))?;
        trace.check(&mut Reasoner::new(&again)).map_err(|why| place("printed", why))?;
    }
    Ok(Some(done))
}

impl Trace {
    /// Plays at random.
    pub(crate) fn new(game: &mut dyn Game, seed: u64, games: u64, steps: usize) -> Self {
        let roles = game.roles().to_vec();
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let plays = (0..games).map(|_| Play::new(game, &mut rng, steps)).collect();
        Trace { roles, plays }
    }

    /// The number of states seen.
    pub(crate) fn len(&self) -> u64 {
        self.plays.iter().map(|play| play.steps.len() as u64 + 1).sum()
    }

    /// Makes the same moves in another engine; the error is the first difference.
    pub(crate) fn check(&self, game: &mut dyn Game) -> Result<(), String> {
        same(&self.roles, &game.roles().to_vec())?;
        self.plays.iter().try_for_each(|play| play.check(game))
    }
}

impl Play {
    fn new(game: &mut dyn Game, rng: &mut Pcg64Mcg, limit: usize) -> Self {
        let mut state = game.initial_state();
        let mut steps = Vec::new();
        loop {
            let view = match &state {
                Ok(state) => View::new(game, state),
                Err(error) => return Play { steps, last: Err(error.clone()) },
            };
            let mut moves = Vec::new();
            for legal in view.legal.iter().flatten().filter(|legal| !legal.is_empty()) {
                moves.push(legal[rng.random_range(0..legal.len())].clone());
            }
            let over = view.terminal != Ok(false) || moves.len() < view.legal.len();
            if over || steps.len() == limit {
                return Play { steps, last: Ok(view) };
            }
            state = state.and_then(|state| make(game, &state, &moves));
            steps.push((view, moves));
        }
    }

    fn check(&self, game: &mut dyn Game) -> Result<(), String> {
        let mut state = game.initial_state();
        for (view, moves) in &self.steps {
            let now = state.map_err(|error| error.to_string())?;
            same(view, &View::new(game, &now))?;
            state = make(game, &now, moves);
            // The same state from its sentences, so that nothing hides beside them.
            let read = game.state_of(&view.sentences).map_err(|error| error.to_string())?;
            let (then, again) = (state.clone(), make(game, &read, moves));
            let shown = |state: &Result<State, PlayError>| {
                state
                    .as_ref()
                    .map(|state| game.sentences(state).expect("sentences"))
                    .map_err(PlayError::clone)
            };
            same(&shown(&then), &shown(&again))?;
        }
        match (&self.last, state) {
            (Ok(view), Ok(state)) => same(view, &View::new(game, &state)),
            (Err(one), Err(other)) if same_kind(one, &other) => Ok(()),
            (Err(one), other) => Err(format!("{one} is expected, not {other:?}")),
            (_, Err(other)) => Err(other.to_string()),
        }
    }
}

fn make(game: &mut dyn Game, state: &State, moves: &[String]) -> Result<State, PlayError> {
    let moves = moves.iter().enumerate().map(|(role, text)| game.move_of(role, text));
    let moves: Vec<Move> = moves.collect::<Result<_, _>>()?;
    game.next_state(state, &moves)
}

impl View {
    fn new(game: &mut dyn Game, state: &State) -> Self {
        let roles = 0..game.roles().len();
        let mut legal = |role: usize| {
            let legal = game.legal_moves(state, role)?;
            let text = |chosen| game.move_text(role, chosen).expect("a text");
            let mut texts: Vec<String> = legal.iter().map(text).collect();
            texts.sort();
            Ok(texts)
        };
        View {
            legal: roles.clone().map(&mut legal).collect(),
            sentences: game.sentences(state).expect("sentences"),
            terminal: game.is_terminal(state),
            goals: roles.map(|role| game.goal(state, role)).collect(),
        }
    }
}

fn same<T: PartialEq + std::fmt::Debug>(expected: &T, got: &T) -> Result<(), String> {
    match expected == got {
        true => Ok(()),
        false => Err(format!("expected\n{expected:?}\nbut got\n{got:?}")),
    }
}

/// Places and sentences of errors may differ.
fn same_kind(one: &PlayError, other: &PlayError) -> bool {
    std::mem::discriminant(one) == std::mem::discriminant(other)
}
