//! Helpers that turn a sheet into text.

use propnet::game::{Game, JointMove, PlayError, State};
use propnet::gdl::{Source, parse};
use propnet::reference::{Reasoner, ReasonerLimits, load};

/// A game without any play: what the rules conclude about `show` are the legal moves.
const FRAME: &str = "(role r) (terminal) (goal r 0) (<= (legal r ?shown) (show ?shown))\n";

/// What follows about `show` in the initial state, sorted.
pub(crate) fn check(sheet: &str, expected: &str) {
    let mut game = game(&format!("{FRAME}{sheet}"));
    let initial = game.initial_state().expect("an initial state");
    assert_eq!(legal(&mut game, &initial, 0).expect("moves"), expected, "{sheet}");
}

/// A reasoner for a sheet that `load` must accept.
pub(crate) fn game(sheet: &str) -> Reasoner {
    match load(Source::from_text("s", sheet)) {
        Ok(rules) => Reasoner::new(&rules),
        Err(error) => panic!("{error}"),
    }
}

/// A reasoner for a sheet that is not checked.
pub(crate) fn unchecked(sheet: &str, limits: ReasonerLimits) -> Reasoner {
    let (rules, findings) = parse(Source::from_text("s", sheet));
    assert!(findings.is_empty(), "{findings:?}");
    Reasoner::with_limits(&rules, limits)
}

/// The legal moves of a role as text, sorted.
pub(crate) fn legal(game: &mut Reasoner, state: &State, role: usize) -> Result<String, PlayError> {
    let moves = game.legal_moves(state, role)?;
    let mut texts: Vec<String> =
        moves.iter().map(|chosen| game.move_text(role, chosen).expect("a text")).collect();
    texts.sort();
    Ok(texts.join(" "))
}

/// The joint move with these texts.
pub(crate) fn joint(game: &mut Reasoner, texts: &str) -> JointMove {
    let texts = texts.split(", ").enumerate();
    texts.map(|(role, text)| game.move_of(role, text).expect("a move")).collect()
}

/// The state with these sentences, which are separated by commas.
pub(crate) fn state(game: &mut Reasoner, sentences: &str) -> State {
    let sentences = sentences.split(", ").filter(|text| !text.is_empty());
    let sentences: Vec<String> = sentences.map(str::to_string).collect();
    game.state_of(&sentences).expect("sentences of the game")
}

/// All that can be asked about a state, in lines; errors in words.
pub(crate) fn describe(game: &mut Reasoner, state: &State) -> String {
    let mut text = format!("true: {}\n", game.sentences(state).expect("sentences").join(" "));
    let terminal = game.is_terminal(state);
    for role in 0..game.roles().len() {
        let (name, moves) = (game.roles()[role].clone(), legal(game, state, role));
        text.push_str(&format!("{name} may: {}\n", in_words(moves)));
        text.push_str(&format!("{name} gets: {}\n", in_words(game.goal(state, role))));
    }
    text.push_str(&format!("over: {}\n", in_words(terminal)));
    text
}

/// Plays joint moves (a line each) from the initial state and describes every state on the way.
pub(crate) fn transcript(sheet: &str, moves: &[&str], expected: &str) {
    let mut game = game(sheet);
    let mut state = game.initial_state().expect("an initial state");
    let mut text = describe(&mut game, &state);
    for texts in moves {
        let joint = joint(&mut game, texts);
        state = game.next_state(&state, &joint).expect("legal moves");
        text.push_str(&format!("-> {texts}\n{}", describe(&mut game, &state)));
    }
    let expected: Vec<&str> = expected.trim().lines().map(str::trim).collect();
    assert_eq!(text.trim().lines().collect::<Vec<_>>(), expected, "{sheet}");
}

fn in_words<T: ToString>(answer: Result<T, PlayError>) -> String {
    answer.map_or_else(|error| format!("ERROR {error}"), |answer| answer.to_string())
}
