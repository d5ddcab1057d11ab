//! A game that can be played: the questions an agent asks, whatever engine answers them.
//!
//! States and move sets are bit sets over the engine's tables of propositions and moves. A table
//! may grow while a game is played (the reference reasoner discovers propositions as it meets
//! them), so an index keeps its meaning for the life of an engine, and sets of different capacity
//! compare equal when they hold the same indices.

use std::fmt;
use std::hash::{Hash, Hasher};

use bitvec::prelude::{BitVec, Lsb0};
use rand::{Rng, RngExt};

use crate::gdl::Place;

/// A player, by its index in the order of declaration.
pub type Role = usize;

/// A move of a role, by its index in that role's table of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(pub u32);

/// One move for each role, in the order of the roles.
pub type JointMove = Vec<Move>;

/// A set of table indices.
#[derive(Clone, Debug, Default)]
pub struct BitSet {
    /// Without trailing zero words, so that equal sets have equal words.
    bits: BitVec<u64, Lsb0>,
}

/// A state: which propositions are true.
pub type State = BitSet;

/// A set of moves of one role.
pub type MoveSet = BitSet;

impl BitSet {
    /// The set with these words, of which the first has the indices below 64.
    pub fn from_words(mut words: Vec<u64>) -> Self {
        let end = words.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
        words.truncate(end);
        BitSet { bits: BitVec::from_vec(words) }
    }

    /// Adds an index.
    pub fn insert(&mut self, index: usize) {
        if index >= self.bits.len() {
            self.bits.resize((index / 64 + 1) * 64, false);
        }
        self.bits.set(index, true);
    }

    /// Whether the index is in the set.
    pub fn contains(&self, index: usize) -> bool {
        self.bits.get(index).is_some_and(|bit| *bit)
    }

    /// The indices in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words().iter().enumerate().flat_map(|(at, &word)| {
            std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)))
                .take_while(|&rest| rest != 0)
                .map(move |rest| at * 64 + rest.trailing_zeros() as usize)
        })
    }

    /// How many indices are in the set.
    pub fn len(&self) -> usize {
        self.words().iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.words().is_empty()
    }

    /// The bits, for callers that want to combine sets themselves.
    pub fn bits(&self) -> &bitvec::slice::BitSlice<u64, Lsb0> {
        &self.bits
    }

    /// The words, never with a zero word at the end.
    fn words(&self) -> &[u64] {
        self.bits.as_raw_slice()
    }
}

impl FromIterator<usize> for BitSet {
    fn from_iter<I: IntoIterator<Item = usize>>(indices: I) -> Self {
        let mut set = BitSet::default();
        for index in indices {
            set.insert(index);
        }
        set
    }
}

impl PartialEq for BitSet {
    fn eq(&self, other: &Self) -> bool {
        self.words() == other.words()
    }
}

impl Eq for BitSet {}

impl Hash for BitSet {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.words().hash(hasher);
    }
}

/// A game in progress is a state and these questions. Engines keep scratch space between
/// questions, hence `&mut self`.
pub trait Game {
    /// The roles in the order of declaration, in lower case.
    fn roles(&self) -> &[String];

    /// The state the game starts in.
    fn initial_state(&mut self) -> Result<State, PlayError>;

    /// Whether the game is over.
    fn is_terminal(&mut self, state: &State) -> Result<bool, PlayError>;

    /// The legal moves of a role; an error in a non-terminal state without one.
    fn legal_moves(&mut self, state: &State, role: Role) -> Result<MoveSet, PlayError>;

    /// The state after a joint move; an error if one of the moves is not legal.
    fn next_state(&mut self, state: &State, moves: &[Move]) -> Result<State, PlayError>;

    /// The goal value of a role; an error where the rules give none, several, or no integer.
    fn goal(&mut self, state: &State, role: Role) -> Result<i32, PlayError>;

    /// The goal value of a role, or nothing where the rules give no proper one.
    fn proper_goal(&mut self, state: &State, role: Role) -> Result<Option<i32>, PlayError> {
        match self.goal(state, role) {
            Ok(goal) => Ok(Some(goal)),
            Err(error) if error.is_about_goal() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The propositions of a state as sorted lower-case text.
    fn sentences(&self, state: &State) -> Vec<String>;

    /// The state in which exactly these sentences are true.
    fn state_of(&mut self, sentences: &[String]) -> Result<State, PlayError>;

    /// A move as lower-case text.
    fn move_text(&self, role: Role, chosen: Move) -> String;

    /// A move in the letter case of the sheet, which game managers insist on.
    fn move_spelling(&self, role: Role, chosen: Move) -> String;

    /// The move with this text, in any letter case; it need not be legal anywhere.
    fn move_of(&mut self, role: Role, text: &str) -> Result<Move, PlayError>;

    /// The joint move with the given moves, the rest chosen uniformly among the legal ones.
    fn complete_joint_move(
        &mut self,
        state: &State,
        given: &[Option<Move>],
        rng: &mut dyn Rng,
    ) -> Result<JointMove, PlayError> {
        let mut joint = Vec::with_capacity(self.roles().len());
        for role in 0..self.roles().len() {
            let chosen = match given.get(role).copied().flatten() {
                Some(chosen) => chosen,
                None => {
                    let legal = self.legal_moves(state, role)?;
                    let rank = rng.random_range(0..legal.len().max(1));
                    let index = legal.iter().nth(rank).ok_or_else(|| PlayError::NoLegalMove {
                        role: self.roles()[role].clone(),
                    })?;
                    Move(index as u32)
                }
            };
            joint.push(chosen);
        }
        Ok(joint)
    }
}

/// What the rules of a game, or a caller, can get wrong while a game is played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// A role cannot move although the game is not over.
    #[error("role {role} has no legal move in a state that is not terminal")]
    NoLegalMove {
        /// The role.
        role: String,
    },
    /// A role has no goal value in a state.
    #[error("role {role} has no goal value in this state")]
    NoGoal {
        /// The role.
        role: String,
    },
    /// A role has more than one goal value in a state.
    #[error("role {role} has several goal values in this state: {}", values.join(", "))]
    SeveralGoals {
        /// The role.
        role: String,
        /// The values, sorted.
        values: Vec<String>,
    },
    /// A goal value is no integer, see [`goal_value`].
    #[error("role {role} has the goal value {value}, which is no integer from 0 to 100")]
    GoalNotInteger {
        /// The role.
        role: String,
        /// The value.
        value: String,
    },
    /// A move that the rules do not allow in a state.
    #[error("the move {text} of role {role} is not legal in this state")]
    IllegalMove {
        /// The role.
        role: String,
        /// The move.
        text: String,
    },
    /// A joint move with too few or too many moves.
    #[error("a joint move needs {wanted} moves, one for each role, but has {got}")]
    WrongMoveCount {
        /// The number of roles.
        wanted: usize,
        /// The number of moves given.
        got: usize,
    },
    /// A text that is no move of this game.
    #[error("{text} is no move of role {role} in this game")]
    UnknownMove {
        /// The role.
        role: String,
        /// The text.
        text: String,
    },
    /// A sentence that no state of this game can contain.
    #[error("{text} is no state sentence of this game: {reason}")]
    UnknownSentence {
        /// The sentence.
        text: String,
        /// Why it cannot be one.
        reason: String,
    },
    /// A term grew past any sensible size: the rules build terms without end.
    #[error(
        "{place}: the rule for {relation} builds terms without end (deeper than {depth}, or of more than {words} words)"
    )]
    TermTooLarge {
        /// The relation the rule concludes.
        relation: String,
        /// Where the rule stands.
        place: RulePlace,
        /// The limit of its depth.
        depth: usize,
        /// The limit of its length.
        words: usize,
    },
    /// An evaluation exceeded the reasoner's limits.
    #[error("{place}: evaluating the rule for {relation} exceeded the limit of {limit} {what}")]
    TooLarge {
        /// The relation the rule concludes.
        relation: String,
        /// Where the rule stands.
        place: RulePlace,
        /// The limit.
        limit: u64,
        /// What was counted.
        what: &'static str,
    },
    /// The caller stopped the evaluation.
    #[error("the evaluation was stopped")]
    Stopped,
    /// A sentence depends on its own negation in this state.
    #[error("{place}: {sentence} depends on its own negation in this state")]
    Unstratified {
        /// The sentence whose truth is undefined.
        sentence: String,
        /// Where a rule for it stands.
        place: RulePlace,
    },
    /// A program cannot do what is asked of it.
    #[error("the program was made without {what}: make one for the settings that it is used with")]
    UnfitProgram {
        /// What it lacks.
        what: String,
    },
}

impl PlayError {
    /// Whether the rules give a role no proper goal value: none, several, or one that is no
    /// integer. The game can be played all the same.
    pub fn is_about_goal(&self) -> bool {
        matches!(
            self,
            PlayError::NoGoal { .. }
                | PlayError::SeveralGoals { .. }
                | PlayError::GoalNotInteger { .. }
        )
    }
}

/// The number that a goal value stands for, for every engine and every count.
///
/// GDL has integers from 0 to 100. Larger and negative ones are read too, as far as they fit, so
/// that sheets on another scale can be played. Anything else is a symbol: `x`, `+5`, `1.5`,
/// `3000000000`. Values are compared as symbols before they are read: `5` and `05` together are
/// several values.
pub fn goal_value(text: &str) -> Option<i32> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

/// The one goal value among those that hold.
pub(crate) fn one_goal(role: &str, mut values: Vec<String>) -> Result<i32, PlayError> {
    values.sort_by_key(|value| (goal_value(value), value.clone()));
    let role = role.to_string();
    match values.as_slice() {
        [] => Err(PlayError::NoGoal { role }),
        [value] => goal_value(value)
            .ok_or_else(|| PlayError::GoalNotInteger { role, value: value.clone() }),
        _ => Err(PlayError::SeveralGoals { role, values }),
    }
}

/// The place of a rule in the sheet.
pub type RulePlace = Place;

impl fmt::Display for BitSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_integers_that_fit() {
        let cases = [
            ("0", Some(0)),
            ("100", Some(100)),
            ("05", Some(5)),
            ("-7", Some(-7)),
            ("2147483647", Some(i32::MAX)),
            ("2147483648", None),
            ("99999999999999999999", None),
            ("+5", None),
            ("-", None),
            ("--5", None),
            ("-+5", None),
            ("1.5", None),
            ("x", None),
            ("", None),
            ("(f 1)", None),
            ("\u{663}", None),
        ];
        for (text, value) in cases {
            assert_eq!(goal_value(text), value, "{text}");
        }
        let several = |values: [&str; 2]| one_goal("a", values.map(String::from).to_vec());
        assert!(matches!(several(["5", "05"]), Err(PlayError::SeveralGoals { .. })));
        let error = several(["100", "20"]).expect_err("two values").to_string();
        assert!(error.ends_with(": 20, 100"), "{error}");
    }

    #[test]
    fn sets_of_different_growth_compare_by_their_members() {
        let small: BitSet = [3, 70].into_iter().collect();
        let mut grown: BitSet = [70].into_iter().collect();
        grown.insert(3);
        assert_eq!(small, grown);
        assert_eq!(grown.iter().collect::<Vec<_>>(), [3, 70]);
        assert_eq!(grown.len(), 2);
        assert!(!grown.contains(500) && BitSet::default().is_empty());
        assert_eq!(small, BitSet::from_words(vec![8, 64, 0, 0]));
        assert!(BitSet::from_words(vec![0, 0]).is_empty());
    }
}
