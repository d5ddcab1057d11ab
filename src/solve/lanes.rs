//! Many states asked about at once, one in each lane.

use propnet::game::Move;
use propnet::lanes::{Batch, CompactWords, PerWidth, Word};

use super::error::SolveError;
use super::game::SolveGame;
use super::positions::{Positions, StateAnswers};

/// The states of a game in lanes, as wide as its lanes are.
pub(super) fn positions(game: &SolveGame) -> Box<dyn Positions + Send> {
    game.lanes.setup.width().dispatch(MakePositions(game))
}

struct MakePositions<'g>(&'g SolveGame);

impl PerWidth for MakePositions<'_> {
    type Output = Box<dyn Positions + Send>;

    fn run<W: Word>(self) -> Box<dyn Positions + Send> {
        let game = self.0.clone();
        Box::new(LanePositions::<W> {
            batch: Batch::new(&game.lanes.program, game.lanes.codes.best()),
            words: CompactWords::default(),
            joint: Vec::new(),
            game,
        })
    }
}

struct LanePositions<W> {
    game: SolveGame,
    batch: Batch<W>,
    words: CompactWords<W>,
    joint: Vec<Move>,
}

impl<W: Word> LanePositions<W> {
    fn name(&self, role: usize) -> String {
        self.game.roles()[role].clone()
    }

    fn add_goals(&mut self, over: W, answers: &mut StateAnswers) -> Result<(), SolveError> {
        self.batch.score();
        for (role, values) in self.game.values.iter().enumerate() {
            let (mut some, mut several) = (W::ZERO, W::ZERO);
            for (lanes, value) in self.batch.goal_lanes(role).zip(values) {
                several = several | some & lanes;
                some = some | lanes;
                match value {
                    Some(value) => {
                        (lanes & over).lanes().for_each(|at| answers.set_goal(at, role, *value));
                    }
                    None => several = several | lanes,
                }
            }
            if !(over & (several | !some)).is_zero() {
                return Err(SolveError::EndWithoutGoal { role: self.name(role) });
            }
        }
        Ok(())
    }
}

impl<W: Word> Positions for LanePositions<W> {
    fn roles(&self) -> usize {
        self.game.values.len()
    }

    fn numbers(&self) -> usize {
        self.game.layout.len()
    }

    fn width(&self) -> usize {
        W::LANES
    }

    fn look(&mut self, states: &[u64], answers: &mut StateAnswers) -> Result<(), SolveError> {
        let (count, roles) = (states.len() / self.numbers(), self.roles());
        answers.reset(roles, count);
        self.batch.load_compact(&self.game.layout, states, &[], &mut self.words);
        self.batch.look();
        let over = self.batch.terminal_lanes() & W::first(count);
        let open = W::first(count) & !over;
        for role in 0..roles {
            let mut any = over;
            for (chosen, lanes) in self.batch.legal_lanes(role).enumerate() {
                any = any | lanes;
                (lanes & open).lanes().for_each(|at| answers.add_legal(at, role, chosen as u32));
            }
            if !(open & !any).is_zero() {
                return Err(SolveError::NoLegalMove { role: self.name(role) });
            }
        }
        if over.is_zero() { Ok(()) } else { self.add_goals(over, answers) }
    }

    fn step(&mut self, states: &[u64], joint: &[u32], next: &mut Vec<u64>) {
        let (roles, table) = (self.roles(), self.game.circuit.names.table());
        self.joint.clear();
        self.joint.extend(joint.iter().map(|&chosen| Move::new(table, chosen)));
        self.batch.load_compact(&self.game.layout, states, &[], &mut self.words);
        let made = self.batch.make(self.joint.chunks_exact(roles));
        made.expect("the moves are of this game");
        self.batch.advance();
        let count = states.len() / self.numbers();
        self.batch.next_compact(&self.game.layout, count, &mut self.words, next);
    }
}
