//! What kind of game it is, by a few random walks.

use propnet::game::{Game, JointMove, Move, PlayError};
use rand::RngExt;
use rand_pcg::Pcg64;

use super::super::choice_report::Profile;

/// Walks, and the steps of all of them together.
const WALKS: u64 = 16;
const MOST_STEPS: u64 = 400;

/// Walks through a game at random.
pub(super) fn profile(game: &mut dyn Game, rng: &mut Pcg64) -> Result<Profile, PlayError> {
    let roles = game.roles().len();
    let mut seen = Seen::default();
    while seen.walks < WALKS && seen.steps < MOST_STEPS {
        walk(game, roles, rng, &mut seen)?;
    }
    let walks = seen.walks.max(1) as f64;
    let first = seen.sums.first().copied();
    Ok(Profile {
        roles,
        is_simultaneous: seen.is_simultaneous,
        constant_sum: first.filter(|first| seen.sums.iter().all(|sum| sum == first)),
        length: seen.steps as f64 / walks,
        choices: seen.choices as f64 / walks,
        branching: seen.moves as f64 / seen.choices.max(1) as f64,
        walks: seen.walks,
    })
}

/// What walks have met.
#[derive(Default)]
struct Seen {
    walks: u64,
    steps: u64,
    choices: u64,
    moves: u64,
    is_simultaneous: bool,
    /// By end: the sum of the goals.
    sums: Vec<f64>,
}

/// Makes moves at random until the game is over, or there were enough steps.
fn walk(
    game: &mut dyn Game,
    roles: usize,
    rng: &mut Pcg64,
    seen: &mut Seen,
) -> Result<(), PlayError> {
    let mut state = game.initial_state()?;
    seen.walks += 1;
    while seen.steps < MOST_STEPS {
        if game.is_terminal(&state)? {
            let goals = (0..roles).map(|role| game.goal(&state, role).map_or(0.0, f64::from));
            seen.sums.push(goals.sum());
            return Ok(());
        }
        let mut joint = JointMove::new();
        let mut choosers = 0;
        for role in 0..roles {
            let legal: Vec<Move> = match game.legal_moves(&state, role) {
                // It cannot go on.
                Err(PlayError::NoLegalMove { .. }) => return Ok(()),
                legal => legal?.iter().collect(),
            };
            if legal.is_empty() {
                return Ok(());
            }
            if legal.len() > 1 {
                choosers += 1;
                seen.moves += legal.len() as u64;
            }
            joint.push(legal[rng.random_range(0..legal.len())]);
        }
        seen.choices += choosers;
        seen.is_simultaneous |= choosers > 1;
        seen.steps += 1;
        state = game.next_state(&state, &joint)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use propnet::gdl::Source;
    use propnet::reference::{Reasoner, load};
    use rand::SeedableRng;

    use super::*;
    use crate::library;

    fn of(text: &str) -> Profile {
        let rules = load(Source::from_text("sheet", text)).expect("rules");
        let mut rng = Pcg64::seed_from_u64(1);
        profile(&mut Reasoner::new(&rules), &mut rng).expect("a profile")
    }

    #[test]
    fn a_game_in_turn_is_told_from_one_with_simultaneous_moves() {
        let in_turn = of("(role a) (role b) (init (turn a 2))
            (legal a x) (<= (legal a y) (true (turn a ?n)))
            (legal b x) (<= (legal b y) (true (turn b ?n))) (<= (legal b z) (true (turn b ?n)))
            (<= (next (turn b 1)) (true (turn a 2))) (<= (next over) (true (turn b 1)))
            (<= terminal (true over)) (goal a 30) (goal b 70)");
        assert!(!in_turn.is_simultaneous);
        assert_eq!((in_turn.roles, in_turn.length, in_turn.choices), (2, 2.0, 2.0));
        assert_eq!((in_turn.branching, in_turn.constant_sum), (2.5, Some(100.0)));
        let at_once = of("(role a) (role b) (legal a x) (legal a y) (legal b x) (legal b y)
            (<= (next over) (does a x)) (<= (next (w b)) (does b y)) (init (n 0))
            (<= (next over) (does a y)) (<= terminal (true over))
            (goal a 50) (<= (goal b 100) (true (w b))) (<= (goal b 0) (not (true (w b))))");
        assert!(at_once.is_simultaneous);
        assert_eq!((at_once.length, at_once.choices, at_once.constant_sum), (1.0, 2.0, None));
    }

    #[test]
    fn a_puzzle_has_one_role() {
        let sheet = library::find("eight_puzzle").expect("a sheet");
        let profile = of(sheet.text);
        assert_eq!(profile.roles, 1);
        assert!(profile.walks >= 1 && profile.branching > 1.0);
    }
}
