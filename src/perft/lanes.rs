//! Counting in lanes: one state in each lane at a time.
//!
//! ```text
//! open states -> look: legal moves -> (state, joint move) for each -> advance -> distinct states
//! distinct states -> look: terminal, score: goals -> a level, and the states that are open
//! ```

use std::sync::Arc;

use propnet::game::{Move, PlayError, State, goal_value};
use propnet::lanes::{Batch, Code, Word};
use propnet::program::Program;

use super::count::Counter;
use super::joint::JointMoves;
use super::level::{Level, PerftError};
use super::store::{States, Store};

/// A count in progress.
pub struct LanesPerft<W> {
    program: Arc<Program>,
    batch: Batch<W>,
    /// By role and goal value: the value, where it is a number.
    goal_values: Vec<Vec<Option<i32>>>,
    depth: u64,
    /// The states of the level that are not terminal.
    open: States,
    most_states: u64,
}

/// States with a joint move for each, to be made at once.
struct Children {
    states: States,
    moves: Vec<Move>,
    /// The states they lead to.
    next: Vec<u64>,
}

impl<W: Word> LanesPerft<W> {
    /// Starts in a state, which is the level of the depth given.
    pub fn new(
        program: &Arc<Program>,
        code: &Arc<Code>,
        start: &State,
        depth: u64,
    ) -> Result<(Self, Level), PerftError> {
        let values = |values: &Vec<String>| values.iter().map(|value| goal_value(value)).collect();
        let mut perft = LanesPerft {
            batch: Batch::new(program, code),
            goal_values: program.goals.iter().map(values).collect(),
            depth,
            open: States::new(program.packed_len()),
            most_states: u64::MAX,
            program: program.clone(),
        };
        let mut states = States::new(program.packed_len());
        let packed = program.pack(start);
        let packed = packed.map_err(|error| PerftError::Play { depth, error: error.into() })?;
        states.push(&packed, 1);
        let level = perft.survey(&states)?;
        Ok((perft, level))
    }

    fn roles(&self) -> usize {
        self.goal_values.len()
    }

    /// Counts states, and keeps those that are not terminal.
    fn survey(&mut self, states: &States) -> Result<Level, PerftError> {
        let mut level = Level::new(self.depth, self.roles(), states.len());
        self.open.clear();
        for (bits, paths) in states.chunks(W::LANES) {
            self.batch.load_packed(bits);
            self.batch.look();
            let terminal = self.batch.terminal_lanes() & W::first(paths.len());
            let each = bits.chunks_exact(self.program.packed_len()).zip(paths).enumerate();
            for (lane, (state, &paths)) in each {
                let is_terminal = terminal.has(lane);
                level.add(paths, is_terminal)?;
                if !is_terminal {
                    self.open.push(state, paths);
                }
            }
            if !terminal.is_zero() {
                self.batch.score();
                self.add_goals(&mut level, terminal, paths)?;
            }
        }
        Ok(level)
    }

    /// Counts the goals in terminal states.
    fn add_goals(&self, level: &mut Level, terminal: W, paths: &[u128]) -> Result<(), PerftError> {
        for (role, values) in self.goal_values.iter().enumerate() {
            let (mut some, mut several) = (W::ZERO, W::ZERO);
            for lanes in self.batch.goal_lanes(role) {
                several = several | some & lanes;
                some = some | lanes;
            }
            let wrong = terminal & (several | !some);
            for lane in wrong.lanes() {
                level.add_goal(role, None, paths[lane])?;
            }
            let right = terminal & !wrong;
            for (lanes, &value) in self.batch.goal_lanes(role).zip(values) {
                for lane in (lanes & right).lanes() {
                    level.add_goal(role, value, paths[lane])?;
                }
            }
        }
        Ok(())
    }

    /// The legal moves of each role in the first lanes, whose states are not terminal.
    fn legal(&self, count: usize) -> Result<Vec<Vec<Vec<Move>>>, PerftError> {
        let mut legal = vec![vec![Vec::new(); self.roles()]; count];
        let first = W::first(count);
        for role in 0..self.roles() {
            let moves = self.program.names.moves(role);
            for (chosen, lanes) in moves.zip(self.batch.legal_lanes(role)) {
                for lane in (lanes & first).lanes() {
                    legal[lane][role].push(chosen);
                }
            }
            if legal.iter().any(|moves| moves[role].is_empty()) {
                let role = self.program.names.roles()[role].clone();
                let error = PlayError::NoLegalMove { role };
                return Err(PerftError::Play { depth: self.depth, error });
            }
        }
        Ok(legal)
    }

    /// Makes the moves of children, and adds the states that they lead to.
    fn make(&mut self, children: &mut Children, reached: &mut Store) -> Result<(), PerftError> {
        let count = children.states.len();
        self.batch.load_packed(children.states.bits());
        let made = self.batch.make(children.moves.chunks_exact(self.roles()));
        made.expect("the batch offered these moves");
        self.batch.advance();
        children.next.clear();
        self.batch.next_packed(count, &mut children.next);
        let depth = self.depth + 1;
        let next = children.next.chunks_exact(self.program.packed_len());
        for (state, &paths) in next.zip(children.states.paths()) {
            let added = reached.add(state, paths);
            added.ok_or(PerftError::Overflow { depth })?;
        }
        if reached.states.len() as u64 > self.most_states {
            return Err(PerftError::States { depth, most: self.most_states });
        }
        children.states.clear();
        children.moves.clear();
        Ok(())
    }
}

impl<W: Word> Counter for LanesPerft<W> {
    fn is_done(&self) -> bool {
        self.open.len() == 0
    }

    fn limit_states(&mut self, most: u64) {
        self.most_states = most;
    }

    fn next_level(&mut self) -> Result<Option<Level>, PerftError> {
        if self.is_done() {
            return Ok(None);
        }
        let len = self.program.packed_len();
        let open = std::mem::replace(&mut self.open, States::new(len));
        let mut reached = Store::new(len);
        let mut children =
            Children { states: States::new(len), moves: Vec::new(), next: Vec::new() };
        for (bits, paths) in open.chunks(W::LANES) {
            self.batch.load_packed(bits);
            self.batch.look();
            let legal = self.legal(paths.len())?;
            for ((state, &paths), legal) in bits.chunks_exact(len).zip(paths).zip(&legal) {
                let mut joint_moves = JointMoves::new(legal);
                while let Some(joint) = joint_moves.next() {
                    children.states.push(state, paths);
                    children.moves.extend_from_slice(joint);
                    if children.states.len() == W::LANES {
                        self.make(&mut children, &mut reached)?;
                    }
                }
            }
        }
        self.make(&mut children, &mut reached)?;
        self.depth += 1;
        self.survey(&reached.states).map(Some)
    }
}
