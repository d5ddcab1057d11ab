//! What a solver asks about states, whatever answers it.

use super::error::SolveError;

/// Answers questions about many compact states at once.
pub trait Positions {
    /// How many roles there are.
    fn roles(&self) -> usize;

    /// The numbers of a compact state.
    fn numbers(&self) -> usize;

    /// How many states at most can be asked about at once.
    fn width(&self) -> usize;

    /// Whether the game is over in these states, one after the other, and with which goals; what is
    /// legal where it is not.
    fn look(&mut self, states: &[u64], answers: &mut StateAnswers) -> Result<(), SolveError>;

    /// Adds the states after joint moves, one for each of the given states: by state, the index of
    /// each role's move.
    fn step(&mut self, states: &[u64], joint: &[u32], next: &mut Vec<u64>);
}

/// The answers about some states.
#[derive(Clone, Debug, Default)]
pub struct StateAnswers {
    roles: usize,
    is_over: Vec<bool>,
    goals: Vec<i32>,
    legal: Vec<Vec<u32>>,
}

impl StateAnswers {
    /// Room for the answers about this many states, none of which is over, with no legal moves yet.
    pub fn reset(&mut self, roles: usize, count: usize) {
        self.roles = roles;
        self.is_over.clear();
        self.is_over.resize(count, false);
        self.goals.clear();
        self.goals.resize(count * roles, 0);
        if self.legal.len() < count * roles {
            self.legal.resize_with(count * roles, Vec::new);
        }
        self.legal[..count * roles].iter_mut().for_each(Vec::clear);
    }

    /// The goals of all roles in a state, if the game is over there.
    pub fn end(&self, at: usize) -> Option<&[i32]> {
        self.is_over[at].then(|| &self.goals[at * self.roles..(at + 1) * self.roles])
    }

    /// By role: the legal moves in a state, by their index.
    pub fn legal(&self, at: usize) -> &[Vec<u32>] {
        &self.legal[at * self.roles..(at + 1) * self.roles]
    }

    /// Notes that the game is over in a state, and what a role has there.
    pub fn set_goal(&mut self, at: usize, role: usize, goal: i32) {
        self.is_over[at] = true;
        self.goals[at * self.roles + role] = goal;
    }

    /// Notes a legal move.
    pub fn add_legal(&mut self, at: usize, role: usize, chosen: u32) {
        self.legal[at * self.roles + role].push(chosen);
    }

    /// Takes the answers about some states, in place of those from a place on.
    pub(super) fn take(&mut self, first: usize, other: &mut StateAnswers, count: usize) {
        let (begin, len) = (first * self.roles, count * self.roles);
        self.is_over[first..first + count].copy_from_slice(&other.is_over[..count]);
        self.goals[begin..begin + len].copy_from_slice(&other.goals[..len]);
        self.legal[begin..begin + len].swap_with_slice(&mut other.legal[..len]);
    }
}

/// No state may have more joint moves.
const MOST_JOINT_MOVES: usize = 1 << 20;

/// Adds all joint moves to a list, each as the indices of all roles' moves; the last role's move
/// changes fastest. Says how many there are.
pub(super) fn add_joint_moves(
    legal: &[Vec<u32>],
    joint: &mut Vec<u32>,
) -> Result<usize, SolveError> {
    let count = legal.iter().try_fold(1usize, |count, moves| count.checked_mul(moves.len()));
    let count = count.filter(|&count| count <= MOST_JOINT_MOVES);
    let count = count.ok_or(SolveError::JointMoves { most: MOST_JOINT_MOVES })?;
    joint.reserve(count * legal.len());
    for number in 0..count {
        let first = joint.len();
        joint.resize(first + legal.len(), 0);
        let mut rest = number;
        for (moves, place) in legal.iter().zip(&mut joint[first..]).rev() {
            *place = moves[rest % moves.len()];
            rest /= moves.len();
        }
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joint_moves_are_the_product_and_bounded() {
        let mut joint = Vec::new();
        let legal = [vec![4, 5], vec![7], vec![1, 2]];
        assert_eq!(add_joint_moves(&legal, &mut joint).expect("few"), 4);
        assert_eq!(joint, [4, 7, 1, 4, 7, 2, 5, 7, 1, 5, 7, 2]);
        let many: Vec<Vec<u32>> = vec![(0..2000).collect(); 2];
        let error = add_joint_moves(&many, &mut joint).expect_err("too many");
        assert!(error.to_string().contains("1048576 joint moves"), "{error}");
    }
}
