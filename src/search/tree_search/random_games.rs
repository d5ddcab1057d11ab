//! Random small games for tests, and what each role can secure in them by backward induction.

use propnet::game::{Game, Move, MoveSet, PlayError, Role, State, TableId};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::matrix::{MatrixSolver, POINT};

/// Places with moves from one to the other, and a counter of steps, so that it ends. Places are
/// reached in many ways and come back.
#[derive(Clone)]
pub(super) struct RandomGame {
    roles: Vec<String>,
    places: Vec<GamePlace>,
    steps: usize,
    table: TableId,
}

#[derive(Clone)]
struct GamePlace {
    /// By role: how many moves it has.
    counts: Vec<usize>,
    /// By joint move, the last role's digit the lowest: where it leads.
    next: Vec<usize>,
    is_end: bool,
    goals: Vec<i32>,
}

/// What a random game is like.
#[derive(Clone, Copy, Debug)]
pub(super) struct RandomKind {
    pub(super) roles: usize,
    /// Whether several roles may choose at once.
    pub(super) is_simultaneous: bool,
    /// The share of ends, in percent, in which the goals of two roles add up to 100.
    pub(super) constant: u32,
}

impl RandomGame {
    pub(super) fn new(kind: RandomKind, seed: u64) -> Self {
        let mut rng = Pcg64::seed_from_u64(seed);
        let (count, steps) = (rng.random_range(3..9), rng.random_range(2..5));
        let place = |at: usize| Self::place(kind, at, count, &mut rng);
        let places = (0..count).map(place).collect();
        let roles = (0..kind.roles).map(|role| format!("r{role}")).collect();
        RandomGame { roles, places, steps, table: TableId::unique() }
    }

    fn place(kind: RandomKind, at: usize, count: usize, rng: &mut Pcg64) -> GamePlace {
        let chooser = rng.random_range(0..kind.roles);
        let is_choice = |role| kind.is_simultaneous || role == chooser;
        let moves = |role| if is_choice(role) { rng.random_range(1..4) } else { 1 };
        let counts: Vec<usize> = (0..kind.roles).map(moves).collect();
        let joint_moves = counts.iter().product();
        let next = (0..joint_moves).map(|_| rng.random_range(0..count)).collect();
        let mut goals: Vec<i32> = (0..kind.roles).map(|_| 25 * rng.random_range(0..5)).collect();
        if kind.roles == 2 && rng.random_range(0..100) < kind.constant {
            goals[1] = 100 - goals[0];
        }
        GamePlace { counts, next, is_end: at > 0 && rng.random_range(0..3) == 0, goals }
    }

    pub(super) fn roles(&self) -> usize {
        self.roles.len()
    }

    fn number(&self, state: &State) -> usize {
        state.iter().next().unwrap_or_default()
    }

    fn place_of(&self, number: usize) -> &GamePlace {
        &self.places[number % self.places.len()]
    }

    fn is_end(&self, number: usize) -> bool {
        number / self.places.len() >= self.steps || self.place_of(number).is_end
    }

    /// The state after a joint move, given by its number.
    fn next(&self, number: usize, joint: usize) -> usize {
        let step = number / self.places.len() + 1;
        step * self.places.len() + self.place_of(number).next[joint]
    }

    /// The move with an index, of a joint move with a number.
    fn digit(&self, place: &GamePlace, mut joint: usize, role: Role) -> usize {
        for later in (role + 1..self.roles()).rev() {
            joint /= place.counts[later];
        }
        joint % place.counts[role]
    }
}

/// What backward induction finds for a role in a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judged {
    /// What it can secure lies between these: mixed strategies for two roles or one that chooses,
    /// pure ones elsewhere.
    pub(super) secured: [i64; 2],
    /// The best it could get.
    pub(super) best: i64,
}

/// By state and role.
pub(super) fn judge(game: &RandomGame) -> Vec<Vec<Judged>> {
    let states = (game.steps + 1) * game.places.len();
    let mut judged: Vec<Vec<Judged>> = vec![Vec::new(); states];
    let mut solver = MatrixSolver::new();
    for number in (0..states).rev() {
        let place = game.place_of(number);
        for role in 0..game.roles() {
            let found = if game.is_end(number) {
                let goal = i64::from(place.goals[role]) * POINT;
                Judged { secured: [goal; 2], best: goal }
            } else {
                let after = |joint| judged[game.next(number, joint)][role];
                judge_choice(game, place, role, after, &mut solver)
            };
            judged[number].push(found);
        }
    }
    judged
}

fn judge_choice(
    game: &RandomGame,
    place: &GamePlace,
    role: Role,
    after: impl Fn(usize) -> Judged,
    solver: &mut MatrixSolver,
) -> Judged {
    let joint_moves = 0..place.next.len();
    // A row for each own move, a column for each reply of the others.
    let rows = place.counts[role];
    let mut matrix: Vec<Vec<Judged>> = vec![Vec::new(); rows];
    joint_moves.for_each(|joint| matrix[game.digit(place, joint, role)].push(after(joint)));
    let columns = matrix[0].len();
    let bound = |at: usize| matrix.iter().flatten().map(move |judged| judged.secured[at]);
    let choosers = place.counts.iter().filter(|&&count| count > 1).count();
    let secured = if game.roles() <= 2 || choosers <= 1 {
        let least: Vec<i64> = bound(0).collect();
        let most: Vec<i64> = bound(1).collect();
        let lower = solver.solve(rows, columns, &least).lower;
        [lower, solver.solve(rows, columns, &most).upper]
    } else {
        [0, 1].map(|at| {
            let worst = |row: &Vec<Judged>| row.iter().map(|judged| judged.secured[at]).min();
            matrix.iter().filter_map(worst).max().unwrap_or_default()
        })
    };
    let best = matrix.iter().flatten().map(|judged| judged.best).max().unwrap_or_default();
    Judged { secured, best }
}

impl Game for RandomGame {
    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn initial_state(&mut self) -> Result<State, PlayError> {
        Ok(State::new(self.table, [0]))
    }

    fn is_terminal(&mut self, state: &State) -> Result<bool, PlayError> {
        Ok(self.is_end(self.number(state)))
    }

    fn legal_moves(&mut self, state: &State, role: Role) -> Result<MoveSet, PlayError> {
        let count = self.place_of(self.number(state)).counts[role];
        Ok(MoveSet::new(self.table, 0..count))
    }

    fn next_state(&mut self, state: &State, moves: &[Move]) -> Result<State, PlayError> {
        let number = self.number(state);
        let counts = &self.place_of(number).counts;
        let joint = moves.iter().zip(counts).fold(0, |sum, (at, count)| sum * count + at.index());
        Ok(State::new(self.table, [self.next(number, joint)]))
    }

    fn goal(&mut self, state: &State, role: Role) -> Result<i32, PlayError> {
        Ok(self.place_of(self.number(state)).goals[role])
    }

    fn sentences(&self, state: &State) -> Result<Vec<String>, PlayError> {
        Ok(vec![self.number(state).to_string()])
    }

    fn state_of(&mut self, sentences: &[String]) -> Result<State, PlayError> {
        let number = sentences.iter().filter_map(|text| text.parse().ok()).take(1);
        Ok(State::new(self.table, number))
    }

    fn move_text(&self, _: Role, chosen: Move) -> Result<String, PlayError> {
        Ok(chosen.index().to_string())
    }

    fn move_spelling(&self, role: Role, chosen: Move) -> Result<String, PlayError> {
        self.move_text(role, chosen)
    }

    fn move_of(&mut self, _: Role, text: &str) -> Result<Move, PlayError> {
        Ok(Move::new(self.table, text.parse().unwrap_or_default()))
    }
}
