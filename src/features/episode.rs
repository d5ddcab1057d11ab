//! Playouts with all their states: what features are found in and learned from.
//!
//! Lanes keep the moves of a playout, not its states. The states are obtained by making the moves
//! again, in many lanes at once.

use std::collections::HashMap;
use std::sync::Arc;

use propnet::game::{ForeignError, Move, PlayError, Role, State};
use propnet::lanes::{Batch, ContextError, Ending, Job, JobError, Jobs, Outcome, PerWidth, Word};
use propnet::program::StepOptions;

use super::control;
use super::mapping::MoveValues;
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

    /// Adds what was played from its last state on.
    fn go_on(&mut self, more: Episode) {
        self.states.extend(more.states.into_iter().skip(1));
        self.moves.extend(more.moves);
        self.goals = more.goals;
    }
}

/// Which playouts are made.
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
        let weights = Some(control::WEIGHT_BITS);
        StepOptions { record: true, limit_bits, weights, ..StepOptions::default() }
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
    /// The same, where playouts prefer moves.
    #[error(transparent)]
    Context(#[from] ContextError),
}

impl From<ForeignError> for EpisodeError {
    fn from(error: ForeignError) -> Self {
        EpisodeError::Play(error.into())
    }
}

/// Playouts that are kept at the same time, whatever the width of the lanes.
pub(super) const CHUNK: u64 = 256;

/// Of playouts that prefer moves, the first so many at most are random, as in the tree of a search:
/// otherwise they would all begin alike. How many is a matter of the playout's number.
const LONGEST_OPENING: u64 = 20;

/// Further random numbers for the same playout.
const SECOND: u64 = 1 << 63;

/// Makes playouts from the initial state and hands each on, in the order of their numbers, which is
/// the same for lanes of any width. They are random, or prefer moves by their values after a random
/// opening.
pub fn play_episodes(
    program: &LaneProgram,
    plan: &EpisodePlan,
    control: Option<&MoveValues>,
    visit: &mut dyn FnMut(Episode),
) -> Result<(), EpisodeError> {
    program.setup.width().dispatch(PlayEpisodes { program, plan, control, visit })
}

struct PlayEpisodes<'p> {
    program: &'p LaneProgram,
    plan: &'p EpisodePlan,
    control: Option<&'p MoveValues>,
    visit: &'p mut dyn FnMut(Episode),
}

impl PerWidth for PlayEpisodes<'_> {
    type Output = Result<(), EpisodeError>;

    fn run<W: Word>(self) -> Self::Output {
        let PlayEpisodes { program, plan, control, visit } = self;
        let start = Arc::new(program.game().initial_state()?);
        let mut player = EpisodePlayer::<W> {
            jobs: Jobs::new(&program.program, program.codes.best(), plan.seed),
            replayer: Replayer::new(program),
        };
        let names = &program.program.names;
        let end = plan.first.saturating_add(plan.count);
        let mut number = plan.first;
        while number < end {
            let next = end.min(number.saturating_add(CHUNK));
            let job = |limit: u64, number: u64, at: usize, state: &Arc<State>| Job {
                limit: Some(limit),
                wants_moves: 1,
                ..Job::new(at as u64, number, state)
            };
            let opening = |number: u64| match control {
                None => plan.limit,
                Some(_) => plan.limit.min(1 + number % LONGEST_OPENING),
            };
            control::prefer(names, None, &mut player.jobs)?;
            let random = (number..next).zip(0..);
            let random = random.map(|(number, at)| job(opening(number), number, at, &start));
            let mut episodes = player.play(random.collect())?;
            if let Some(values) = control {
                control::prefer(names, Some(values), &mut player.jobs)?;
                let open = episodes.iter().zip(number..).enumerate();
                let open = open.filter(|(_, (one, _))| !one.is_over);
                let jobs = open.map(|(at, (one, number))| {
                    let last = Arc::new(one.episode.states[one.episode.states.len() - 1].clone());
                    job((plan.limit - opening(number)).max(1), number ^ SECOND, at, &last)
                });
                for more in player.play(jobs.collect())? {
                    episodes[more.tag].episode.go_on(more.episode);
                }
            }
            episodes.into_iter().for_each(|one| visit(one.episode));
            number = next;
        }
        Ok(())
    }
}

/// What plays jobs and makes their moves again.
struct EpisodePlayer<W> {
    jobs: Jobs<W>,
    replayer: Replayer<W>,
}

/// An episode, the number of its job among those played together, and whether its game is over.
struct PlayedJob {
    tag: usize,
    episode: Episode,
    is_over: bool,
}

impl<W: Word> EpisodePlayer<W> {
    /// The episodes of jobs, in their order.
    fn play(&mut self, jobs: Vec<Job>) -> Result<Vec<PlayedJob>, EpisodeError> {
        let starts: HashMap<u64, Arc<State>> =
            jobs.iter().map(|job| (job.tag, job.state.clone())).collect();
        for job in jobs {
            self.jobs.push(job)?;
        }
        self.jobs.finish();
        let mut outcomes = self.jobs.outcomes();
        // Longer ones first: those that still make moves are then in the first lanes.
        outcomes.sort_by_key(|outcome| std::cmp::Reverse((outcome.length, outcome.tag)));
        let mut played = Vec::with_capacity(outcomes.len());
        for some in outcomes.chunks(W::LANES) {
            let playouts: Vec<&[Move]> = some.iter().map(|one| one.moves.as_slice()).collect();
            let starts: Vec<&State> = some.iter().map(|one| &*starts[&one.tag]).collect();
            let states = self.replayer.states(&starts, &playouts)?;
            played.extend(some.iter().zip(states).map(|(one, states)| PlayedJob {
                tag: one.tag as usize,
                episode: episode(one, states),
                is_over: one.ending != Ending::Limit,
            }));
        }
        played.sort_by_key(|one| one.tag);
        Ok(played)
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

    /// The states of playouts from these first ones, none longer than the one before it; at most as
    /// many as there are lanes.
    fn states(
        &mut self,
        starts: &[&State],
        playouts: &[&[Move]],
    ) -> Result<Vec<Vec<State>>, ForeignError> {
        let roles = self.roles.max(1);
        let mut states: Vec<Vec<State>> = starts.iter().map(|&start| vec![start.clone()]).collect();
        self.batch.load(starts.iter().copied())?;
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
