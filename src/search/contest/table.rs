//! Many games in one thread, whose searches share lanes.
//!
//! ```text
//! wait for lanes -> search: step of all lanes, exchange where enough is over -> move -> wait ...
//! ```
//!
//! Few simulations of one search are in flight at once, and a step costs the same for one lane as for
//! all. So the searches of many games take turns in the lanes of their side, each as many as it may
//! have simulations in flight. They go on in step with all others, so each is what it would be alone.

use std::collections::VecDeque;

use propnet::game::PlayError;

use super::contest_game::{ContestGame, GameResult, Side};
use super::{Contest, Contestant};
use crate::search::playout::SharedLanes;

/// Games that are played at the same time.
pub(super) struct Table<'c> {
    sides: [&'c Contestant; 2],
    contest: &'c Contest,
    /// By side: lanes that its searches share, if they can.
    lanes: [Option<Box<dyn SharedLanes>>; 2],
    /// By place.
    games: Vec<Option<ContestGame<'c>>>,
    /// By side: the searches on its lanes, and the places of games that wait for such lanes.
    running: [Vec<Running>; 2],
    waiting: [VecDeque<usize>; 2],
    /// Games that are over and that nobody was told of.
    results: Vec<GameResult>,
}

/// A search on shared lanes.
struct Running {
    place: usize,
    /// Its number among those that share lanes.
    number: usize,
    /// When no more playouts than this are unfinished, it goes on.
    enough: usize,
}

impl<'c> Table<'c> {
    pub(super) fn new(sides: [&'c Contestant; 2], contest: &'c Contest) -> Self {
        let lanes = |side: &Contestant| {
            let can_share = contest.at_once > 1 && side.can_share_lanes();
            if can_share { side.game.shared_lanes() } else { None }
        };
        Table {
            sides,
            contest,
            lanes: sides.map(lanes),
            games: Vec::new(),
            running: [Vec::new(), Vec::new()],
            waiting: [VecDeque::new(), VecDeque::new()],
            results: Vec::new(),
        }
    }

    /// Plays games until there is no next one, or the caller does not want it to go on.
    pub(super) fn play(
        mut self,
        next_game: &dyn Fn() -> Option<u64>,
        game_over: &dyn Fn(&GameResult),
        goes_on: &dyn Fn() -> bool,
    ) -> Result<(), PlayError> {
        let mut unfinished = Vec::new();
        while goes_on() {
            self.begin_games(next_game)?;
            for side in 0..self.lanes.len() {
                if let (Some(lanes), false) = (&self.lanes[side], self.running[side].is_empty()) {
                    lanes.step(&mut unfinished);
                    self.go_on(side, &unfinished)?;
                }
            }
            self.results.drain(..).for_each(|result| game_over(&result));
            if self.games.iter().all(Option::is_none) {
                break;
            }
        }
        Ok(())
    }

    /// Begins games while no other waits for lanes.
    fn begin_games(&mut self, next_game: &dyn Fn() -> Option<u64>) -> Result<(), PlayError> {
        while self.waiting.iter().all(VecDeque::is_empty)
            && self.games.iter().flatten().count() < self.contest.at_once.max(1)
            && let Some(number) = next_game()
        {
            let game = ContestGame::new(number, self.sides, self.contest, &self.lanes)?;
            let place = self.games.iter().position(Option::is_none).unwrap_or(self.games.len());
            if place == self.games.len() {
                self.games.push(None);
            }
            self.games[place] = Some(game);
            self.advance(place)?;
        }
        Ok(())
    }

    /// Lets the searches of a side go on for which enough is over.
    fn go_on(&mut self, side: Side, unfinished: &[usize]) -> Result<(), PlayError> {
        let mut ended = Vec::new();
        for at in (0..self.running[side].len()).rev() {
            let Running { place, number, enough } = &mut self.running[side][at];
            let Some(game) = &mut self.games[*place] else { continue };
            if unfinished[*number] <= *enough {
                let budget = game.budget(side);
                match game.search(side).go_on(&budget)? {
                    Some(next) => *enough = next,
                    None => ended.push(self.running[side].swap_remove(at).place),
                }
            }
        }
        for place in ended {
            self.advance(place)?;
        }
        // The first one is waited for, however many lanes it needs.
        while let Some(&place) = self.waiting[side].front()
            && self.begin_search(place, side)?
        {
            self.waiting[side].pop_front();
        }
        Ok(())
    }

    /// Goes on with a game up to its next search on shared lanes, or to its end.
    fn advance(&mut self, place: usize) -> Result<(), PlayError> {
        while let Some(game) = &mut self.games[place] {
            match game.next_search()? {
                Some(side) if self.lanes[side].is_none() => {
                    let budget = game.budget(side);
                    game.search(side).run(&budget)?;
                }
                Some(side) => {
                    if !self.waiting[side].is_empty() || !self.begin_search(place, side)? {
                        self.waiting[side].push_back(place);
                    }
                    break;
                }
                None => {
                    self.results.push(game.result());
                    self.games[place] = None;
                }
            }
        }
        Ok(())
    }

    /// Begins a search, if there are lanes for it.
    fn begin_search(&mut self, place: usize, side: Side) -> Result<bool, PlayError> {
        let Some(game) = &mut self.games[place] else { return Ok(true) };
        let budget = game.budget(side);
        let search = game.search(side);
        let Some(number) = search.begin_shared(&budget) else { return Ok(false) };
        match search.go_on(&budget)? {
            Some(enough) => self.running[side].push(Running { place, number, enough }),
            // It has nothing to play.
            None => self.advance(place)?,
        }
        Ok(true)
    }
}

impl Contestant {
    /// Whether its searches may wait for each other: by the clock they cannot, and those with several
    /// threads have lanes of their own.
    fn can_share_lanes(&self) -> bool {
        let mut settings = self.settings.clone();
        settings.limit_threads(1);
        let by_clock = self.time.is_some() || self.budget.deadline.is_some();
        // Who looks ahead plays one state after the other.
        let is_alone = settings.scheme.looks_ahead() || settings.threads() != Some(1);
        self.budget.counts() && !by_clock && !is_alone
    }
}
