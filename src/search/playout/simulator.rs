//! What makes playouts: lanes that play many at once, or any game that plays one after the other.

use std::sync::Arc;

use propnet::circuit::plan::OpenGoals;
use propnet::game::{Game, Move, MoveSet, PlayError, State};
use propnet::lanes::{Job, Outcome};
use propnet::names::Names;

use crate::search::budget::Budget;
use crate::search::policy::{CreditedLine, LaneChoice, MetTerms, Policy};
use crate::search::tree::NewNode;

/// A maker of playouts. Jobs and outcomes are those of the lanes, whatever plays them.
pub(crate) trait Simulator: Send {
    /// How many playouts it makes at once.
    fn lanes(&self) -> usize;

    /// Takes lanes for this many playouts at once, for a run, if it shares lanes and so many are left;
    /// then it gives its number among those that share them.
    fn claim(&mut self, _playouts: usize) -> Option<usize> {
        None
    }

    /// Gives back what it has claimed.
    fn release(&mut self) {}

    /// A run begins; what was in flight before was cancelled.
    fn begin(&mut self, budget: &Budget);

    /// Accepts a job.
    fn push(&mut self, job: Job);

    /// Makes one more move in every playout in flight.
    fn step(&mut self);

    /// How many playouts are not over.
    fn unfinished(&self) -> usize;

    /// The outcomes of playouts that are over; each is given once.
    fn outcomes(&mut self) -> Vec<Outcome>;

    /// Makes playouts follow a policy, as it is now, from now on.
    fn prefer(&mut self, policy: &Policy);

    /// What lanes choose by, following a policy as it is now; none where there are no lanes.
    fn lane_choice(&self, _: &Policy) -> Option<LaneChoice> {
        None
    }

    /// Which goals are open in a state, where that is known of the game and playouts use it.
    fn open_goals(&self) -> Option<Arc<OpenGoals>> {
        None
    }

    /// The game, for questions about single states.
    fn game(&mut self) -> &mut dyn Game;

    /// For each line: the goals in all its states, each a goal of every role. None if the work is
    /// stopped.
    fn goals_along(
        &mut self,
        lines: &[Line],
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Vec<LineGoals>>, PlayError> {
        let game = self.game();
        lines.iter().map(|line| replay(game, line, goes_on)).collect()
    }

    /// Shows all states of simulations, each with the number of its simulation, the joint moves made
    /// before it, and the fluents that are true. The states of each simulation come in order.
    fn states_along(
        &mut self,
        lines: &[CreditedLine],
        show: &mut dyn FnMut(usize, usize, &[u32]),
    ) -> Result<(), PlayError> {
        let game = self.game();
        lines.iter().enumerate().try_for_each(|(at, line)| show_states(game, line, at, show))
    }

    /// The names of fluents and moves, of those at least that were met; none where they cannot be told.
    fn names(&mut self, met: &MetTerms) -> Option<Arc<Names>> {
        met_names(self.game(), met)
    }

    /// Where the game is over after one of these joint moves.
    fn ends_after(&mut self, questions: &[EndQuestion]) -> Result<Vec<End>, PlayError>;

    /// By role: how many moves are known.
    fn move_counts(&self) -> Vec<usize>;

    /// What was done so far.
    fn effort(&self) -> Effort;
}

/// Lanes that simulators share. In these each playout is what it would be in lanes of its own.
pub(crate) trait SharedLanes: Send {
    /// A simulator that has to claim lanes before each run.
    fn simulator(&self, seed: u64) -> Box<dyn Simulator>;

    /// Makes one more move in every playout of all simulators; by number, how many playouts of each
    /// are not over then.
    fn step(&self, unfinished: &mut Vec<usize>);
}

/// A simulation as the moves that were made in it.
pub(crate) struct Line {
    /// The joint moves of the match before its first state.
    pub(crate) played: u64,
    /// Its first state.
    pub(crate) start: Arc<State>,
    /// The joint moves one after the other, each a move of every role.
    pub(crate) moves: Vec<Move>,
    /// Whether the game is over in its last state.
    pub(crate) is_terminal: bool,
}

/// A state, and joint moves in it.
pub(crate) struct EndQuestion {
    pub(crate) state: Arc<State>,
    /// The joint moves one after the other, each a move of every role.
    pub(crate) moves: Vec<Move>,
}

/// A state in which the game is over.
pub(crate) struct End {
    /// The question, and the joint move of it that leads there.
    pub(crate) question: usize,
    pub(crate) joint: usize,
    pub(crate) state: State,
    /// By role; nothing where the rules give none, or several.
    pub(crate) goals: Vec<f64>,
}

/// The goals in the states of a line, each a goal of every role.
pub(crate) type LineGoals = Vec<Option<i32>>;

/// The goals along a line, state by state.
pub(super) fn replay(
    game: &mut dyn Game,
    line: &Line,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Option<LineGoals>, PlayError> {
    let roles = game.roles().len();
    let mut state = State::clone(&line.start);
    let mut goals = Vec::with_capacity(line.moves.len() + roles);
    let mut moves = line.moves.chunks_exact(roles);
    loop {
        if !goes_on() {
            return Ok(None);
        }
        for role in 0..roles {
            goals.push(game.proper_goal(&state, role)?);
        }
        match moves.next() {
            Some(joint) => state = game.next_state(&state, joint)?,
            None => return Ok(Some(goals)),
        }
    }
}

/// Shows all states of a simulation.
pub(super) fn show_states(
    game: &mut dyn Game,
    line: &CreditedLine,
    at: usize,
    show: &mut dyn FnMut(usize, usize, &[u32]),
) -> Result<(), PlayError> {
    let mut state = State::clone(&line.start);
    let mut fluents = Vec::new();
    let mut joints = line.moves.chunks_exact(line.goals.len().max(1));
    for step in 0.. {
        fluents.clear();
        fluents.extend(state.iter().map(|fluent| fluent as u32));
        show(at, step, &fluents);
        match joints.next() {
            Some(joint) => state = game.next_state(&state, joint)?,
            None => break,
        }
    }
    Ok(())
}

/// The names of what was met on an engine that finds fluents and moves on its way.
fn met_names(game: &mut dyn Game, met: &MetTerms) -> Option<Arc<Names>> {
    let table = game.initial_state().ok()?.table();
    let fluent = |at: usize| game.sentences(&State::new(table, [at])).ok()?.pop();
    let fluents: Vec<String> = (0..met.fluents).map(fluent).collect::<Option<_>>()?;
    let text = |role, at| game.move_text(role, Move::new(table, at as u32)).ok();
    let roles = met.moves.iter().enumerate();
    let moves = roles.map(|(role, &count)| (0..count).map(|at| text(role, at)).collect());
    Names::from_texts(game.roles(), &fluents, &moves.collect::<Option<Vec<_>>>()?).map(Arc::new)
}

/// Where the game is over after joint moves, one after the other.
pub(super) fn ends_after(
    game: &mut dyn Game,
    questions: &[EndQuestion],
) -> Result<Vec<End>, PlayError> {
    let roles = game.roles().len();
    let mut ends = Vec::new();
    for (question, asked) in questions.iter().enumerate() {
        for (joint, moves) in asked.moves.chunks_exact(roles).enumerate() {
            let state = game.next_state(&asked.state, moves)?;
            if game.is_terminal(&state)? {
                let goals = (0..roles).map(|role| goal(game, &state, role)).collect();
                ends.push(End { question, joint, state, goals });
            }
        }
    }
    Ok(ends)
}

/// What a simulator has done.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effort {
    /// Steps of all lanes, busy or not.
    pub(crate) lane_steps: u64,
    /// Steps of lanes that had a playout to make.
    pub(crate) busy_lane_steps: u64,
}

impl Effort {
    /// Both together.
    pub(crate) fn plus(self, other: Effort) -> Effort {
        Effort {
            lane_steps: self.lane_steps + other.lane_steps,
            busy_lane_steps: self.busy_lane_steps + other.busy_lane_steps,
        }
    }
}

/// What a node needs to know about a state.
pub(crate) fn new_node(game: &mut dyn Game, state: State) -> Result<NewNode, PlayError> {
    let roles = game.roles().len();
    let is_terminal = game.is_terminal(&state)?;
    let mut legal = Vec::with_capacity(roles);
    let mut is_over = is_terminal;
    for role in 0..roles {
        legal.push(match game.legal_moves(&state, role) {
            Err(PlayError::NoLegalMove { .. }) => {
                is_over = true;
                MoveSet::new(state.table(), [])
            }
            moves => moves?,
        });
    }
    let goals = is_over.then(|| (0..roles).map(|role| goal(game, &state, role)).collect());
    Ok(NewNode { state, legal, goals })
}

/// The goal of a role; nothing where the rules give none, or several.
fn goal(game: &mut dyn Game, state: &State, role: usize) -> f64 {
    game.goal(state, role).map_or(0.0, f64::from)
}

/// The same for the outcome of a job.
pub(crate) fn goals_of(outcome: &Outcome) -> impl Iterator<Item = f64> + '_ {
    outcome.goals.iter().map(|goal| goal.map_or(0.0, f64::from))
}

/// What the state after a job's first move is as a node, if it was asked for.
pub(crate) fn first_node(outcome: &mut Outcome) -> Option<NewNode> {
    let first = *outcome.first.take()?;
    // The playout ended right there, so its goals are those of the state.
    let is_over = outcome.length == 1
        && (first.is_terminal || first.legal.iter().any(|legal| legal.is_empty()));
    let goals = is_over.then(|| goals_of(outcome).collect());
    Some(NewNode { state: first.state, legal: first.legal, goals })
}
