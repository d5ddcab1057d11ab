//! Two engines play the same random games; every answer is compared, as text and as a whole set.

use propnet::game::{Game, Move, PlayError, State};
use propnet::ground::{GroundGame, GroundRules, print_ground};
use propnet::reference::Reasoner;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::build::{build, read};

/// Plays the ground rules against the reasoner on `text`, then prints them, and plays what was
/// printed against it: read by the reasoner, and built again.
pub fn agree(text: &str, ground: &GroundRules, games: u64) {
    let mut judge = Reasoner::new(&read(text));
    play(&mut judge, &mut GroundGame::new(ground.clone()), games);
    let printed = print_ground(ground);
    play(&mut judge, &mut Reasoner::new(&read(&printed)), games);
    let again = build(&printed);
    play(&mut judge, &mut GroundGame::new(again.clone()), games);
    let mut printed: Vec<&str> = printed.lines().collect();
    let printed_again = print_ground(&again);
    let mut printed_again: Vec<&str> = printed_again.lines().collect();
    printed.sort_unstable();
    printed_again.sort_unstable();
    assert_eq!(printed, printed_again, "printing is stable, but for the order");
}

/// Builds the ground rules from the text itself.
pub fn agree_on(text: &str) {
    agree(text, &build(text), 20);
}

fn play(left: &mut dyn Game, right: &mut dyn Game, games: u64) {
    assert_eq!(left.roles(), right.roles());
    let roles = left.roles().len();
    for seed in 0..games {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let (first, second) = (left.initial_state(), right.initial_state());
        let (mut first, mut second) = (first.expect("a state"), second.expect("a state"));
        for _ in 0..30 {
            let shown = left.sentences(&first).expect("sentences");
            assert_eq!(shown, right.sentences(&second).expect("sentences"));
            assert_eq!(right.state_of(&shown).as_ref(), Ok(&second));
            let over = same(left.is_terminal(&first), right.is_terminal(&second));
            let mut moves = Vec::new();
            for role in 0..roles {
                same(left.goal(&first, role), right.goal(&second, role));
                let legal = same(legal(left, &first, role), legal(right, &second, role));
                let Some(legal) = legal.filter(|legal| !legal.is_empty()) else { break };
                let chosen = &legal[rng.random_range(0..legal.len())];
                moves.push(chosen.clone());
            }
            if over != Some(false) || moves.len() < roles {
                break;
            }
            let next = |game: &mut dyn Game, state: &State| {
                let made: Result<Vec<Move>, PlayError> =
                    moves.iter().enumerate().map(|(role, text)| game.move_of(role, text)).collect();
                let next = made.and_then(|made| game.next_state(state, &made))?;
                Ok((game.sentences(&next).expect("sentences"), next))
            };
            let (then, now) = (next(left, &first), next(right, &second));
            let shown = |next: &Result<(Vec<String>, State), PlayError>| {
                next.as_ref().map(|(shown, _)| shown.clone()).map_err(PlayError::clone)
            };
            same(shown(&then), shown(&now));
            match (then, now) {
                (Ok((_, then)), Ok((_, now))) => (first, second) = (then, now),
                _ => break,
            }
        }
    }
}

fn legal(game: &mut dyn Game, state: &State, role: usize) -> Result<Vec<String>, PlayError> {
    let legal = game.legal_moves(state, role)?;
    let text = |chosen| game.move_text(role, chosen).expect("a text");
    let mut texts: Vec<String> = legal.iter().map(text).collect();
    texts.sort();
    Ok(texts)
}

/// The answer, if it is one; errors must be the same, but of several sentences that depend on
/// their own negation either may be named.
fn same<T: PartialEq + std::fmt::Debug>(
    left: Result<T, PlayError>,
    right: Result<T, PlayError>,
) -> Option<T> {
    match (&left, &right) {
        (Err(PlayError::Unstratified { .. }), Err(PlayError::Unstratified { .. })) => None,
        _ => {
            assert_eq!(left, right);
            left.ok()
        }
    }
}
