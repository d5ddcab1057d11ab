//! Lines of play: followed in lanes, and in the reference reasoner.

use propnet::game::{Game, PlayError};
use propnet::gdl::Rules;
use propnet::reference::Reasoner;

use super::expand::{Expand, NextStates};
use super::puzzle::Puzzle;

/// What a line scores at its end, and after how many of its moves that is; `None` where a move is
/// not legal, the game is not over after the last, or it has no score.
pub(super) fn follow(
    puzzle: &Puzzle,
    expander: &mut dyn Expand,
    moves: &[u32],
) -> Option<(i32, usize)> {
    let mut state = puzzle.start_code.clone();
    let (mut over, mut children) = (Vec::new(), NextStates::default());
    for depth in 0.. {
        expander.look(&state, depth, &mut over, &mut children);
        if let Some(over) = over.first() {
            return over.score.map(|score| (score, depth));
        }
        let chosen = *moves.get(depth)?;
        if !children.moves.contains(&chosen) {
            return None;
        }
        children.parents.truncate(1);
        children.moves = vec![chosen];
        expander.step(&state, depth, &mut children);
        state.copy_from_slice(&children.codes);
    }
    None
}

/// What a line scores by the rules themselves; `None` where the game is not over after it, or has
/// no score.
pub fn replay(rules: &Rules, start: &[String], moves: &[String]) -> Result<Option<i32>, PlayError> {
    let mut reasoner = Reasoner::new(rules);
    let mut state = reasoner.state_of(start)?;
    for text in moves {
        let chosen = reasoner.move_of(0, text)?;
        if reasoner.is_terminal(&state)? || !reasoner.legal_moves(&state, 0)?.contains(chosen) {
            return Ok(None);
        }
        state = reasoner.next_state(&state, &[chosen])?;
    }
    match reasoner.is_terminal(&state)? {
        true => Ok(reasoner.goal(&state, 0).ok()),
        false => Ok(None),
    }
}
