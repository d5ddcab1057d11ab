//! Which side a piece belongs to: the role whose moves make it appear on cells.
//!
//! A piece that goes somewhere, is put somewhere or becomes another appears on a cell that the move
//! names. What appears where no move names the cell, such as a disc that falls down a column, counts
//! only for contents that never appear otherwise: a captured piece that comes back on its first cell
//! is not the captor's. Blanks appear by the moves of all roles, so they belong to none.

use propnet::game::{Move, Role, State};

use super::board::{Board, Contents};
use super::episode::Episode;
use super::move_terms::MoveTerms;

/// The share of its appearances that must be by one role for a content to belong to it.
const OWN_SHARE: f64 = 0.8;

/// By content of the board: the role that it belongs to.
pub(super) fn owners(
    board: &Board,
    moves: &MoveTerms,
    episodes: &[Episode],
    places: &[Option<(usize, usize)>],
) -> Vec<Option<Role>> {
    let contents = board.contents.len();
    let roles = moves.roles();
    let named_cells = moves.named_cells(&board.cell_index());
    let mut named = vec![vec![0u64; roles]; contents];
    let mut unnamed = named.clone();
    for (before, joint, after) in episodes.iter().flat_map(Episode::steps) {
        for (cell, content) in appearances(before, after, places, board.cells.len()) {
            let names_cell =
                |(role, chosen): &(Role, &Move)| named_cells[*role][chosen.index()].contains(&cell);
            let movers: Vec<Role> =
                joint.iter().enumerate().filter(names_cell).map(first).collect();
            if movers.is_empty() {
                let acts = |(role, chosen): &(Role, &Move)| moves.has_arguments(*role, **chosen);
                let acting = joint.iter().enumerate().filter(acts).map(first);
                acting.for_each(|role| unnamed[content][role] += 1);
            }
            movers.into_iter().for_each(|role| named[content][role] += 1);
        }
    }
    let votes = named.into_iter().zip(unnamed);
    votes
        .map(|(named, unnamed)| if named.iter().sum::<u64>() > 0 { named } else { unnamed })
        .map(|votes| owner(&votes))
        .collect()
}

fn first<T>((role, _): (Role, T)) -> Role {
    role
}

/// The role that has nearly all votes.
fn owner(votes: &[u64]) -> Option<Role> {
    let all: u64 = votes.iter().sum();
    let (role, &most) = votes.iter().enumerate().max_by_key(|(_, count)| **count)?;
    (all > 0 && most as f64 >= OWN_SHARE * all as f64).then_some(role)
}

/// Each cell whose content is another after a move, with that content.
fn appearances(
    before: &State,
    after: &State,
    places: &[Option<(usize, usize)>],
    cells: usize,
) -> Vec<(usize, usize)> {
    let (before, after) = (contents(before, places, cells), contents(after, places, cells));
    let changed = before.into_iter().zip(after).enumerate();
    changed
        .filter(|(_, (before, after))| before != after)
        .filter_map(|(cell, (_, after))| Some((cell, after?)))
        .collect()
}

/// What is on each cell in a state.
pub(super) fn contents(state: &State, places: &[Option<(usize, usize)>], cells: usize) -> Contents {
    let mut contents = vec![None; cells];
    for (cell, content) in state.iter().filter_map(|fluent| *places.get(fluent)?) {
        contents[cell] = Some(content);
    }
    contents
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_belongs_to_the_role_with_nearly_all_votes() {
        assert_eq!(owner(&[]), None);
        assert_eq!(owner(&[0, 0]), None);
        assert_eq!(owner(&[1, 0]), Some(0));
        assert_eq!(owner(&[2, 8]), Some(1));
        assert_eq!(owner(&[3, 7]), None);
        assert_eq!(owner(&[50, 50]), None);
    }
}
