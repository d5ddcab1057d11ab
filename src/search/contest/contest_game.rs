//! One game of a contest, search by search.

use std::time::Instant;

use propnet::game::{JointMove, PlayError, Role};

use super::{Contest, Contestant};
use crate::search::budget::{Budget, Spent};
use crate::search::playout::SharedLanes;
use crate::search::search::Search;

/// The number of a side: 0 for the first contestant, 1 for the second.
pub(super) type Side = usize;

/// A game, and the searches that play it.
pub(super) struct ContestGame<'c> {
    number: u64,
    sides: [&'c Contestant; 2],
    contest: &'c Contest,
    /// By side; there is no second one in a game for one role.
    searches: Vec<Search>,
    /// The role of the first contestant.
    seat: Role,
    /// How many sides were asked in this turn, and the joint moves made before it.
    asked: usize,
    moves: usize,
    /// The side that searches, and what each has spent before.
    searching: Option<Side>,
    spent: [Spent; 2],
    /// The first move of the first contestant, and when the game began.
    opening: Option<String>,
    start: Instant,
}

/// A game that is over.
#[derive(Clone, Debug, PartialEq)]
pub struct GameResult {
    /// Its number.
    pub game: u64,
    /// The role of the first contestant.
    pub seat: Role,
    /// By role.
    pub goals: Vec<f64>,
    /// The points of the first contestant; see [`super::Score::percent`].
    pub points: f64,
    /// Joint moves.
    pub length: usize,
    /// The first move of the first contestant.
    pub opening: Option<String>,
    /// What each contestant has spent in the whole game.
    pub spent: [Spent; 2],
    /// How long it took, beside others.
    pub seconds: f64,
}

impl<'c> ContestGame<'c> {
    /// A game that has not begun; each side on shared lanes if there are any for it.
    pub(super) fn new(
        number: u64,
        sides: [&'c Contestant; 2],
        contest: &'c Contest,
        lanes: &[Option<Box<dyn SharedLanes>>; 2],
    ) -> Result<Self, PlayError> {
        let seed = contest.seed + number;
        let search = |side: Side| {
            let Contestant { game, settings, .. } = sides[side];
            // Games run in parallel, so each side has one thread, unless it says otherwise.
            let mut settings = settings.clone();
            settings.limit_threads(1);
            let seed = 2 * seed + side as u64;
            match &lanes[side] {
                Some(lanes) => Search::on_shared(game, &**lanes, &settings, seed),
                None => Search::new(game, &settings, seed),
            }
        };
        let mut first = search(0)?;
        let roles = first.game().roles().len();
        let seat = contest.seat.unwrap_or((number % roles as u64) as usize).min(roles - 1);
        let mut searches = vec![first];
        if roles > 1 {
            searches.push(search(1)?);
        }
        Ok(ContestGame {
            number,
            sides,
            contest,
            searches,
            seat,
            asked: 0,
            moves: 0,
            searching: None,
            spent: [Spent::default(); 2],
            opening: None,
            start: Instant::now(),
        })
    }

    /// Goes on to the next search; none if the game is over. Where a side has no choice there is
    /// none, unless there is one in every turn.
    pub(super) fn next_search(&mut self) -> Result<Option<Side>, PlayError> {
        if let Some(side) = self.searching.take() {
            self.spent[side] = self.spent[side].plus(self.searches[side].spent());
        }
        while !self.searches[0].is_over() && self.moves < self.contest.limit {
            while self.asked < self.searches.len() {
                let side = self.asked;
                self.asked += 1;
                let has_choice = |role| self.searches[side].legal_moves(role).len() > 1;
                let is_asked = self.contest.every_turn || self.roles_of(side).any(has_choice);
                if is_asked && self.sides[side].moves.is_empty() {
                    self.searching = Some(side);
                    return Ok(Some(side));
                }
            }
            self.make_moves()?;
            self.asked = 0;
            self.moves += 1;
        }
        Ok(None)
    }

    /// A side's search.
    pub(super) fn search(&mut self, side: Side) -> &mut Search {
        &mut self.searches[side]
    }

    /// What it may spend now.
    pub(super) fn budget(&self, side: Side) -> Budget {
        let Contestant { budget, time, .. } = self.sides[side];
        Budget { deadline: time.map(|time| Instant::now() + time), ..budget.clone() }
    }

    /// The result of a game that is over.
    pub(super) fn result(&mut self) -> GameResult {
        let state = self.searches[0].state().clone();
        let game = self.searches[0].game();
        let roles = 0..game.roles().len();
        let goals: Vec<f64> =
            roles.map(|role| game.goal(&state, role).map_or(0.0, f64::from)).collect();
        GameResult {
            game: self.number,
            seat: self.seat,
            points: points(&goals, self.seat),
            goals,
            length: self.moves,
            opening: self.opening.take(),
            spent: self.spent,
            seconds: self.start.elapsed().as_secs_f64(),
        }
    }

    fn roles_of(&self, side: Side) -> impl Iterator<Item = Role> + use<> {
        let (roles, seat) = (self.searches[0].roles(), self.seat);
        (0..roles).filter(move |&role| (role == seat) == (side == 0))
    }

    /// Makes the moves that all sides have chosen.
    fn make_moves(&mut self) -> Result<(), PlayError> {
        let mut texts: Vec<String> = Vec::with_capacity(self.searches[0].roles());
        for role in 0..self.searches[0].roles() {
            let side = usize::from(role != self.seat && self.searches.len() > 1);
            let search = &mut self.searches[side];
            let known = &self.sides[side].moves;
            let text =
                if known.is_empty() { best(search, role) } else { first(search, role, known) };
            texts.extend(text?);
        }
        if self.opening.is_none() {
            self.opening = texts.get(self.seat).cloned();
        }
        self.searches.iter_mut().try_for_each(|search| advance(search, &texts))
    }
}

/// The move that a search has found.
fn best(search: &mut Search, role: Role) -> Result<Option<String>, PlayError> {
    let chosen = search.best_move(role);
    chosen.map(|chosen| search.game().move_text(role, chosen)).transpose()
}

/// The first of some moves that is legal, or else the first legal one.
fn first(search: &mut Search, role: Role, known: &[String]) -> Result<Option<String>, PlayError> {
    let legal = search.legal_moves(role);
    let game = search.game();
    let texts = legal.iter().map(|&at| game.move_text(role, at));
    let texts = texts.collect::<Result<Vec<String>, _>>()?;
    let found = known.iter().find(|text| texts.contains(text));
    Ok(found.or(texts.first()).cloned())
}

/// Makes a joint move by its texts: the sides may have different engines.
fn advance(search: &mut Search, texts: &[String]) -> Result<(), PlayError> {
    let game = search.game();
    let joint = texts.iter().enumerate().map(|(role, text)| game.move_of(role, text));
    let joint = joint.collect::<Result<JointMove, _>>()?;
    search.advance(&joint)
}

fn points(goals: &[f64], seat: Role) -> f64 {
    let own = goals[seat];
    let others = goals.iter().enumerate().filter(|(role, _)| *role != seat);
    match others.map(|(_, goal)| *goal).reduce(f64::max) {
        None => own,
        Some(other) if own > other => 100.0,
        Some(other) if own == other => 50.0,
        Some(_) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_those_of_the_seat() {
        assert_eq!(points(&[100.0, 0.0], 0), 100.0);
        assert_eq!(points(&[100.0, 0.0], 1), 0.0);
        assert_eq!(points(&[30.0, 30.0, 20.0], 1), 50.0);
        assert_eq!(points(&[40.0], 0), 40.0);
    }
}
