//! Playouts with all their states: what features are found in and learned from.
//!
//! Lanes keep the moves of a playout, not its states. The states are obtained by making the moves
//! again, in many lanes at once.

use std::sync::Arc;

use propnet::game::{ForeignError, Move, PlayError, Role, State};
use propnet::lanes::{Batch, Ending, Job, JobError, Jobs, Outcome, PerWidth, Word};
use propnet::program::StepOptions;

use crate::pipeline::LaneProgram;

/// A playout from its first state to its last.
#[derive(Clone, Debug)]
pub struct Episode {
    /// The states, one more than joint moves.
    pub states: Vec<State>,
    /// The joint moves one after the other, each a move of every role in order.
    pub moves: Vec<Move>,
    /// By role: the goal in the last state; none where the game is not over or has no proper goal.
    pub goals: Vec<Option<i32>>,
}

impl Episode {
    /// The joint moves, each with the state before it and the state after it.
    pub fn steps(&self) -> impl Iterator<Item = (&State, &[Move], &State)> {
        let roles = self.goals.len().max(1);
        let states = self.states.windows(2);
        states.zip(self.moves.chunks(roles)).map(|(pair, joint)| (&pair[0], joint, &pair[1]))
    }
}

/// Which random playouts are made.
#[derive(Clone, Copy, Debug)]
pub struct EpisodePlan {
    /// The number of the first playout; the same number and seed give the same playout.
    pub first: u64,
    /// How many playouts.
    pub count: u64,
    /// For the random moves.
    pub seed: u64,
    /// The joint moves after which a playout ends even if the game is not over.
    pub limit: u64,
}

impl EpisodePlan {
    /// What the step of a program must be able to do for such playouts.
    pub fn step_options(limit: u64) -> StepOptions {
        let limit_bits = StepOptions::bits_for(limit);
        StepOptions { record: true, limit_bits, ..StepOptions::default() }
    }
}

/// Why there are no playouts.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EpisodeError {
    /// The game cannot be played.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The program was not made for such playouts; see [`EpisodePlan::step_options`].
    #[error(transparent)]
    Job(#[from] JobError),
}

impl From<ForeignError> for EpisodeError {
    fn from(error: ForeignError) -> Self {
        EpisodeError::Play(error.into())
    }
}

/// Playouts that are kept at the same time, whatever the width of the lanes.
const CHUNK: u64 = 256;

/// Makes random playouts from the initial state and hands each on, in the order of their numbers,
/// which is the same for lanes of any width.
pub fn play_episodes(
    program: &LaneProgram,
    plan: &EpisodePlan,
    visit: &mut dyn FnMut(Episode),
) -> Result<(), EpisodeError> {
    program.setup.width().dispatch(PlayEpisodes { program, plan, visit })
}

struct PlayEpisodes<'p> {
    program: &'p LaneProgram,
    plan: &'p EpisodePlan,
    visit: &'p mut dyn FnMut(Episode),
}

impl PerWidth for PlayEpisodes<'_> {
    type Output = Result<(), EpisodeError>;

    fn run<W: Word>(self) -> Self::Output {
        let PlayEpisodes { program, plan, visit } = self;
        let start = Arc::new(program.game().initial_state()?);
        let mut jobs = Jobs::<W>::new(&program.program, program.codes.best(), plan.seed);
        let mut replayer = Replayer::<W>::new(program);
        let end = plan.first.saturating_add(plan.count);
        let mut number = plan.first;
        while number < end {
            let next = end.min(number.saturating_add(CHUNK));
            for number in number..next {
                let limit = Some(plan.limit);
                jobs.push(Job { limit, wants_moves: 1, ..Job::new(number, number, &start) })?;
            }
            jobs.finish();
            let mut outcomes = jobs.outcomes();
            // Longer ones first: those that still make moves are then in the first lanes.
            outcomes.sort_by_key(|outcome| std::cmp::Reverse((outcome.length, outcome.tag)));
            let mut episodes = Vec::with_capacity(outcomes.len());
            for some in outcomes.chunks(W::LANES) {
                let playouts: Vec<&[Move]> = some.iter().map(|one| one.moves.as_slice()).collect();
                let states = replayer.states(&start, &playouts)?;
                let tagged = some.iter().zip(states);
                episodes.extend(tagged.map(|(one, states)| (one.tag, episode(one, states))));
            }
            episodes.sort_by_key(|(tag, _)| *tag);
            episodes.into_iter().for_each(|(_, episode)| visit(episode));
            number = next;
        }
        Ok(())
    }
}

fn episode(outcome: &Outcome, states: Vec<State>) -> Episode {
    let is_over = outcome.ending == Ending::Terminal;
    let goals = outcome.goals.iter().map(|goal| goal.filter(|_| is_over));
    Episode { states, moves: outcome.moves.clone(), goals: goals.collect() }
}

/// Makes recorded moves again.
struct Replayer<W> {
    batch: Batch<W>,
    roles: usize,
}

impl<W: Word> Replayer<W> {
    fn new(program: &LaneProgram) -> Self {
        let roles: Role = program.program.names.roles().len();
        Replayer { batch: Batch::new(&program.program, program.codes.best()), roles }
    }

    /// The states of playouts, none longer than the one before it; at most as many as there are
    /// lanes.
    fn states(
        &mut self,
        start: &State,
        playouts: &[&[Move]],
    ) -> Result<Vec<Vec<State>>, ForeignError> {
        let roles = self.roles.max(1);
        let mut states = vec![vec![start.clone()]; playouts.len()];
        self.batch.load(playouts.iter().map(|_| start))?;
        let longest = playouts.first().map_or(0, |moves| moves.len() / roles);
        for step in 0..longest {
            let at = step * roles;
            let going = playouts.partition_point(|moves| moves.len() >= at + roles);
            self.batch.make(playouts[..going].iter().map(|moves| &moves[at..at + roles]))?;
            self.batch.advance();
            let next = self.batch.next_states(going);
            states.iter_mut().zip(next).for_each(|(states, next)| states.push(next));
            self.batch.go_on();
        }
        Ok(states)
    }
}
