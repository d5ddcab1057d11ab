//! What Python gives: roles by name or number, joint moves, arrays of weights.

use std::sync::Arc;

use ludens::agent::AgentError;
use numpy::{AllowTypeChange, PyArrayLike1};
use propnet::game::{JointMove, Move, Role, State};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{PlayError, play_error};
use crate::game::LoadedGame;

/// The role of a name, in any letter case, or of a number.
pub(crate) fn role(game: &LoadedGame, given: &Bound<'_, PyAny>) -> PyResult<Role> {
    let roles = game.names().roles();
    let unknown = |role: String| play_error(&AgentError::Role { role, known: roles.to_vec() });
    if let Ok(at) = given.extract::<i64>() {
        let role = usize::try_from(at).ok().filter(|&at| at < roles.len());
        return role.ok_or_else(|| unknown(at.to_string()));
    }
    let name: String = given
        .extract()
        .map_err(|_| PyTypeError::new_err("a role is given by its name or its number"))?;
    let at = roles.iter().position(|known| known.eq_ignore_ascii_case(&name));
    at.ok_or_else(|| unknown(name))
}

/// A joint move in a state: a list with the text of a move for each role, a dictionary by role, or
/// one text in a game for one role. Roles that have only one legal move may be left out.
pub(crate) fn joint_move(
    game: &Arc<LoadedGame>,
    state: &State,
    given: &Bound<'_, PyAny>,
) -> PyResult<JointMove> {
    let roles = game.names().roles().len();
    let mut texts: Vec<Option<String>> = vec![None; roles];
    if let Ok(text) = given.extract::<String>() {
        if roles != 1 {
            let what = format!("{roles} roles move at once: give a list or a dictionary of moves");
            return Err(PlayError::new_err(what));
        }
        texts[0] = Some(text);
    } else if let Ok(by_role) = given.cast::<PyDict>() {
        for (name, text) in by_role {
            texts[role(game, &name)?] = text.extract()?;
        }
    } else {
        let list: Vec<Option<String>> = given.extract()?;
        if list.len() != roles {
            let what = format!("{roles} roles need one move each, but there are {}", list.len());
            return Err(PlayError::new_err(what));
        }
        texts = list;
    }
    let mut engine = game.engine();
    let chosen = |(role, text): (Role, Option<String>)| -> PyResult<Move> {
        match text {
            Some(text) => engine.move_of(role, &text).map_err(|error| play_error(&error)),
            None => {
                let legal = engine.legal_moves(state, role).map_err(|error| play_error(&error))?;
                let mut moves = legal.iter();
                match (moves.next(), moves.next()) {
                    (Some(only), None) => Ok(only),
                    _ => {
                        let role = &game.names().roles()[role];
                        Err(PlayError::new_err(format!("{role} has a choice: give its move")))
                    }
                }
            }
        }
    };
    texts.into_iter().enumerate().map(chosen).collect()
}

/// The highest weight of a move in playouts.
const HIGHEST: f64 = ((1u32 << WEIGHT_BITS) - 1) as f64;

/// The bits of such a weight.
pub(crate) const WEIGHT_BITS: usize = 12;

/// Weights by role and move as whole numbers: the highest of a role has all bits. `given` is a
/// dictionary from roles to arrays in the order of the role's moves; other roles are even.
pub(crate) fn weights(game: &LoadedGame, given: &Bound<'_, PyDict>) -> PyResult<Vec<Vec<u32>>> {
    let names = game.names();
    let roles = 0..names.roles().len();
    let mut all: Vec<Vec<u32>> = roles.map(|role| vec![1; names.move_count(role)]).collect();
    for (name, values) in given {
        let role = role(game, &name)?;
        let values: PyArrayLike1<'_, f64, AllowTypeChange> = values.extract()?;
        let values: Vec<f64> = values.as_array().iter().copied().collect();
        let (count, role_name) = (names.move_count(role), &names.roles()[role]);
        if values.len() != count {
            let what = format!("{role_name} has {count} moves, but {} weights", values.len());
            return Err(PyValueError::new_err(what));
        }
        if let Some(wrong) = values.iter().find(|value| !(value.is_finite() && **value >= 0.0)) {
            let what = format!("{wrong} is no weight of {role_name}: finite, and at least 0");
            return Err(PyValueError::new_err(what));
        }
        let highest = values.iter().copied().fold(0.0, f64::max);
        let whole = |value: f64| match value > 0.0 {
            // A move that may be chosen keeps a chance.
            true => (value / highest * HIGHEST).round().max(1.0) as u32,
            false => 0,
        };
        all[role] = values.into_iter().map(whole).collect();
    }
    Ok(all)
}
