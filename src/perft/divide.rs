//! One depth, counted separately for each first joint move.

use propnet::game::{Game, State};
use serde::{Deserialize, Serialize};

use super::count::{Means, count};
use super::joint::{JointMoves, all_legal_moves};
use super::level::{Level, PerftError};

/// The counts at one depth after one first joint move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branch {
    /// The first joint move.
    pub moves: Vec<String>,
    /// The counts at the requested depth; `None` if all sequences end before it.
    pub level: Option<Level>,
}

/// Counts depth `depth` (at least 1) separately for each first joint move, and hands out each
/// branch when it is done. Stops with an error if a depth has more distinct states than this.
pub fn divide<'m, E: From<PerftError>>(
    game: &mut dyn Game,
    means: impl Into<Means<'m>>,
    start: &State,
    depth: u64,
    most_states: u64,
    mut done: impl FnMut(Branch) -> Result<(), E>,
) -> Result<(), E> {
    let mut means = means.into();
    let blame = |error| PerftError::Play { depth: 0, error };
    if game.is_terminal(start).map_err(blame)? {
        return Ok(());
    }
    let legal = all_legal_moves(game, start).map_err(blame)?;
    let mut joint_moves = JointMoves::new(&legal);
    while let Some(joint) = joint_moves.next() {
        let texts = joint.iter().enumerate().map(|(role, &chosen)| game.move_text(role, chosen));
        let moves = texts.collect::<Result<_, _>>().map_err(blame)?;
        let next = game.next_state(start, joint).map_err(blame)?;
        let (mut counter, first) = count(game, means.lend(), next, 1)?;
        counter.limit_states(most_states);
        let mut level = Some(first);
        while level.as_ref().is_some_and(|level| level.depth < depth) {
            level = counter.next_level()?;
        }
        done(Branch { moves, level })?;
    }
    Ok(())
}
