//! Applies the rules: legal moves, next states, and a move for players that have no legal one.

use propnet::game::{Game, Move, MoveSet, PlayError, Role, State};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Why moves have texts: they are those that the game offered.
const OWN_MOVE: &str = "a judge handles moves of its own game";

/// A game at one of its states.
pub(super) struct Judge<'g> {
    game: &'g mut dyn Game,
    state: State,
    /// By role; empty where the game is over.
    legal: Vec<MoveSet>,
    rng: Pcg64,
}

impl<'g> Judge<'g> {
    pub(super) fn new(game: &'g mut dyn Game, state: State, seed: u64) -> Self {
        Judge { game, state, legal: Vec::new(), rng: Pcg64::seed_from_u64(seed) }
    }

    pub(super) fn role_count(&self) -> usize {
        self.game.roles().len()
    }

    /// What is true, sorted.
    pub(super) fn sentences(&self) -> Result<Vec<String>, PlayError> {
        let mut sentences = self.game.sentences(&self.state)?;
        sentences.sort_unstable();
        Ok(sentences)
    }

    /// Looks at the state: whether the game goes on, and with which moves.
    pub(super) fn goes_on(&mut self) -> Result<bool, PlayError> {
        self.legal.clear();
        if self.game.is_terminal(&self.state)? {
            return Ok(false);
        }
        for role in 0..self.role_count() {
            self.legal.push(self.game.legal_moves(&self.state, role)?);
        }
        Ok(true)
    }

    /// The legal moves of a role in the spelling of the sheet, by their texts: in the same order
    /// whatever the engine.
    pub(super) fn moves(&self, role: Role) -> Vec<(String, Move)> {
        let text = |one| self.game.move_text(role, one).expect(OWN_MOVE);
        let legal = self.legal[role].iter();
        let mut moves: Vec<(String, String, Move)> =
            legal.map(|one| (text(one), self.spelling(role, one), one)).collect();
        moves.sort_unstable();
        moves.into_iter().map(|(_, spelling, one)| (spelling, one)).collect()
    }

    /// The move with this text, in any letter case, if it is legal.
    pub(super) fn legal(&mut self, role: Role, text: &str) -> Option<Move> {
        let found = self.game.move_of(role, text).ok()?;
        self.legal[role].contains(found).then_some(found)
    }

    /// A legal move at random.
    pub(super) fn random(&mut self, role: Role) -> Option<Move> {
        let moves = self.moves(role);
        let rank = self.rng.random_range(0..moves.len().max(1));
        moves.get(rank).map(|(_, one)| *one)
    }

    /// The first legal move.
    pub(super) fn first(&self, role: Role) -> Option<Move> {
        self.moves(role).first().map(|(_, one)| *one)
    }

    /// A move in the letter case of the sheet.
    pub(super) fn spelling(&self, role: Role, chosen: Move) -> String {
        self.game.move_spelling(role, chosen).expect(OWN_MOVE)
    }

    /// Goes on to the next state.
    pub(super) fn advance(&mut self, joint: &[Move]) -> Result<(), PlayError> {
        self.state = self.game.next_state(&self.state, joint)?;
        Ok(())
    }

    /// The goals, by role.
    pub(super) fn goals(&mut self) -> Vec<Result<i32, PlayError>> {
        (0..self.role_count()).map(|role| self.game.goal(&self.state, role)).collect()
    }
}
