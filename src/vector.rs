//! Any number of games side by side, stepped by the caller's actions: a vectorised environment.

use propnet::game::{ForeignError, PlayError, Role, State};
use propnet::lanes::{EndRule, Environments, IllegalAction, PerWidth, Word};
use propnet::names::Names;
use rand::SeedableRng;
use rand_pcg::Pcg64;
use rayon::prelude::*;

use crate::pipeline::LaneProgram;

/// Games side by side, in portions of as many as there are lanes.
///
/// ```
/// use ludens::pipeline::{Compile, LaneProgram};
/// use ludens::vector::VectorGame;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let game = ludens::Game::named("tic_tac_toe")?;
/// let compiled = game.compiled();
/// let program = LaneProgram::for_questions(compiled.circuit(), compiled.setup())?;
/// let mut games = VectorGame::new(&program, 1000, 7);
/// games.rule.restarts = true;
/// let mut actions = vec![0; 1000 * 2];
/// for _ in 0..20 {
///     games.sample(&mut actions);
///     games.step(&actions)?;
/// }
/// let mut observations = vec![false; 1000 * games.names().fluent_count()];
/// games.observations(&mut observations);
/// assert!(observations.contains(&true));
/// # Ok(())
/// # }
/// ```
pub struct VectorGame {
    program: LaneProgram,
    portions: Vec<Portion>,
    count: usize,
    /// How games end.
    pub rule: EndRule,
    /// The threads that share the work; 1 for the caller's own.
    pub threads: usize,
}

/// Lanes with their own random numbers, so that threads change no result.
struct Portion {
    lanes: Box<dyn LaneGames>,
    rng: Pcg64,
}

/// Why a step was not made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VectorError {
    /// There is not an action for each game and role.
    #[error("{count} games of {roles} roles need {} actions, but there are {given}", count * roles)]
    Count {
        /// The games.
        count: usize,
        /// The roles of each.
        roles: usize,
        /// The actions.
        given: usize,
    },
    /// An action is not the index of a move.
    #[error("game {at}: action {action} of {role} is not one of its {moves} moves")]
    NoMove {
        /// The game.
        at: usize,
        /// The role.
        role: String,
        /// The action.
        action: i32,
        /// The moves of the role.
        moves: usize,
    },
    /// A move is not legal.
    #[error("game {at}: {error}")]
    Illegal {
        /// The game.
        at: usize,
        /// Which move of which role.
        error: PlayError,
    },
}

impl VectorGame {
    /// A number of games at their start. The seed is that of [`VectorGame::sample`].
    pub fn new(program: &LaneProgram, count: usize, seed: u64) -> Self {
        let lanes = program.setup.width().lanes();
        let portion = |at: usize| Portion {
            lanes: program
                .setup
                .width()
                .dispatch(MakeGames { program, count: lanes.min(count - at * lanes) }),
            rng: Pcg64::seed_from_u64(seed.wrapping_add(at as u64)),
        };
        let portions = (0..count.div_ceil(lanes)).map(portion).collect();
        let rule = EndRule::default();
        VectorGame { program: program.clone(), portions, count, rule, threads: 1 }
    }

    /// The same from given states on.
    pub fn at(program: &LaneProgram, states: &[State], seed: u64) -> Result<Self, ForeignError> {
        let mut games = VectorGame::new(program, states.len(), seed);
        let size = program.setup.width().lanes();
        for (portion, states) in games.portions.iter_mut().zip(states.chunks(size)) {
            portion.lanes.load(states)?;
        }
        Ok(games)
    }

    /// The number of games.
    pub fn count(&self) -> usize {
        self.count
    }

    /// What roles, fluents and moves are called.
    pub fn names(&self) -> &Names {
        &self.program.program.names
    }

    fn roles(&self) -> usize {
        self.names().roles().len()
    }

    /// Makes an action of each role in each game, row by row. Nothing is changed where one is not
    /// legal. Games that are over take any action and stay as they are.
    pub fn step(&mut self, actions: &[i32]) -> Result<(), VectorError> {
        let (count, roles) = (self.count, self.roles());
        if actions.len() != count * roles {
            return Err(VectorError::Count { count, roles, given: actions.len() });
        }
        let rule = self.rule;
        let checked: Vec<_> =
            self.each(roles, actions, |portion, actions| portion.lanes.check(actions));
        let size = self.program.setup.width().lanes();
        for (at, checked) in checked.into_iter().enumerate() {
            checked.map_err(|illegal| self.complaint(at * size, illegal))?;
        }
        self.each(roles, actions, |portion, actions| portion.lanes.step(actions, rule));
        Ok(())
    }

    fn complaint(&self, first: usize, illegal: IllegalAction) -> VectorError {
        let IllegalAction { lane, role, action } = illegal;
        let (at, names) = (first + lane, self.names());
        let chosen = usize::try_from(action).ok().and_then(|at| names.moves(role).nth(at));
        match chosen {
            Some(chosen) => VectorError::Illegal { at, error: names.illegal_move(role, chosen) },
            None => VectorError::NoMove {
                at,
                role: names.roles()[role].clone(),
                action,
                moves: names.move_count(role),
            },
        }
    }

    /// For each game and role: a legal action at random; [`propnet::lanes::NO_ACTION`] where the
    /// game is over.
    pub fn sample(&mut self, actions: &mut [i32]) {
        let roles = self.roles();
        self.each_mut(roles, actions, |portion, actions| {
            portion.lanes.sample(&mut portion.rng, actions);
        });
    }

    /// Starts games anew: those for which the mask is true, or all.
    pub fn restart(&mut self, mask: Option<&[bool]>) {
        let size = self.program.setup.width().lanes();
        for (at, portion) in self.portions.iter_mut().enumerate() {
            portion.lanes.restart(mask.map(|mask| &mask[at * size..]));
        }
    }

    /// For each game: by move of a role, whether it is legal.
    pub fn legal(&mut self, role: Role, rows: &mut [bool]) {
        let moves = self.names().move_count(role);
        self.each_mut(moves, rows, |portion, rows| portion.lanes.legal(role, rows));
    }

    /// For each game: by fluent, whether it is true.
    pub fn observations(&mut self, rows: &mut [bool]) {
        let fluents = self.names().fluent_count();
        self.each_mut(fluents, rows, |portion, rows| portion.lanes.observations(rows));
    }

    /// The same for the states that the last step reached, before games started anew.
    pub fn last_observations(&mut self, rows: &mut [bool]) {
        let fluents = self.names().fluent_count();
        self.each_mut(fluents, rows, |portion, rows| portion.lanes.last_observations(rows));
    }

    /// For each game: whether the last step ended it by its rules, and whether it was given up.
    pub fn ends(&mut self, ended: &mut [bool], cut: &mut [bool]) {
        let size = self.program.setup.width().lanes();
        let rows = ended.chunks_mut(size).zip(cut.chunks_mut(size));
        for (portion, (ended, cut)) in self.portions.iter().zip(rows) {
            portion.lanes.ends(ended, cut);
        }
    }

    /// For each game: whether it is over.
    pub fn over(&mut self, over: &mut [bool]) {
        self.each_mut(1, over, |portion, over| portion.lanes.over(over));
    }

    /// For each game that the last step ended: the goal of each role; NaN elsewhere.
    pub fn goals(&mut self, goals: &mut [f32]) {
        let roles = self.roles();
        self.each_mut(roles, goals, |portion, goals| portion.lanes.goals(goals));
    }

    /// The states of all games.
    pub fn states(&self) -> Vec<State> {
        self.portions.iter().flat_map(|portion| portion.lanes.states()).collect()
    }

    /// Does something with each portion and its part of an array with so many columns.
    fn each<T: Sync, R: Send>(
        &mut self,
        columns: usize,
        rows: &[T],
        work: impl Fn(&mut Portion, &[T]) -> R + Sync,
    ) -> Vec<R> {
        let part = |at: usize| part(&self.program, self.count, columns, at);
        let parts: Vec<&[T]> =
            (0..self.portions.len()).map(|at| &rows[part(at).0..part(at).1]).collect();
        let both = |(portion, rows): (&mut Portion, &[T])| work(portion, rows);
        match self.threads {
            0 | 1 => self.portions.iter_mut().zip(parts).map(both).collect(),
            threads => {
                let least = self.portions.len().div_ceil(threads);
                let portions = self.portions.par_iter_mut().with_min_len(least);
                portions.zip(parts).map(both).collect()
            }
        }
    }

    /// The same for an array that is written.
    fn each_mut<T: Send>(
        &mut self,
        columns: usize,
        rows: &mut [T],
        work: impl Fn(&mut Portion, &mut [T]) + Sync,
    ) {
        let size = self.program.setup.width().lanes() * columns;
        if size == 0 {
            return;
        }
        let both = |(portion, rows): (&mut Portion, &mut [T])| work(portion, rows);
        match self.threads {
            0 | 1 => self.portions.iter_mut().zip(rows.chunks_mut(size)).for_each(both),
            threads => {
                let least = self.portions.len().div_ceil(threads);
                let portions = self.portions.par_iter_mut().with_min_len(least);
                portions.zip(rows.par_chunks_mut(size)).for_each(both);
            }
        }
    }
}

/// Where the rows of a portion begin and end.
fn part(program: &LaneProgram, count: usize, columns: usize, at: usize) -> (usize, usize) {
    let size = program.setup.width().lanes();
    (at * size * columns, count.min((at + 1) * size) * columns)
}

/// [`Environments`] of a width that is known only at run time.
trait LaneGames: Send + Sync {
    fn load(&mut self, states: &[State]) -> Result<(), ForeignError>;
    fn restart(&mut self, mask: Option<&[bool]>);
    fn check(&self, actions: &[i32]) -> Result<(), IllegalAction>;
    fn step(&mut self, actions: &[i32], rule: EndRule);
    fn sample(&self, rng: &mut Pcg64, actions: &mut [i32]);
    fn legal(&self, role: Role, rows: &mut [bool]);
    fn observations(&self, rows: &mut [bool]);
    fn last_observations(&self, rows: &mut [bool]);
    fn ends(&self, ended: &mut [bool], cut: &mut [bool]);
    fn over(&self, over: &mut [bool]);
    fn goals(&self, goals: &mut [f32]);
    fn states(&self) -> Vec<State>;
}

impl<W: Word> LaneGames for Environments<W> {
    fn load(&mut self, states: &[State]) -> Result<(), ForeignError> {
        Environments::load(self, states)
    }

    fn restart(&mut self, mask: Option<&[bool]>) {
        let lanes = match mask {
            None => W::splat(true),
            Some(mask) => {
                let mut lanes = W::ZERO;
                let chosen = mask.iter().take(self.count()).enumerate();
                chosen.filter(|(_, chosen)| **chosen).for_each(|(lane, _)| lanes.insert(lane));
                lanes
            }
        };
        Environments::restart(self, lanes);
    }

    fn check(&self, actions: &[i32]) -> Result<(), IllegalAction> {
        Environments::check(self, actions)
    }

    fn step(&mut self, actions: &[i32], rule: EndRule) {
        Environments::step(self, actions, rule);
    }

    fn sample(&self, rng: &mut Pcg64, actions: &mut [i32]) {
        Environments::sample(self, rng, actions);
    }

    fn legal(&self, role: Role, rows: &mut [bool]) {
        self.write_legal(role, rows);
    }

    fn observations(&self, rows: &mut [bool]) {
        self.write_observations(rows);
    }

    fn last_observations(&self, rows: &mut [bool]) {
        self.write_last_observations(rows);
    }

    fn ends(&self, ended: &mut [bool], cut: &mut [bool]) {
        self.write_ends(ended, cut);
    }

    fn over(&self, over: &mut [bool]) {
        self.write_over(over);
    }

    fn goals(&self, goals: &mut [f32]) {
        self.write_goals(goals);
    }

    fn states(&self) -> Vec<State> {
        Environments::states(self)
    }
}

/// Makes games in lanes.
struct MakeGames<'p> {
    program: &'p LaneProgram,
    count: usize,
}

impl PerWidth for MakeGames<'_> {
    type Output = Box<dyn LaneGames>;

    fn run<W: Word>(self) -> Box<dyn LaneGames> {
        let LaneProgram { program, codes, .. } = self.program;
        Box::new(Environments::<W>::new(program, codes.best(), self.count))
    }
}
