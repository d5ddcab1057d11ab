//! Plays the games of a race, as far as its effort goes each time.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use propnet::game::PlayError;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::super::choice_report::{ChoiceReport, Evidence, Profile};
use super::candidates::candidates;
use super::profile::profile;
use super::race::{FINAL, FINALS, HEAT, HEATS, Race, RaceRound, STEP};
use crate::search::budget::Budget;
use crate::search::contest::{Contest, Contestant, GameResult, play_while};
use crate::search::playout::SearchGame;
use crate::search::search::Search;
use crate::search::settings::Settings;
use crate::statistics::Estimate;

/// Makes what searches with some settings play on, or says why it cannot.
pub type GameFor = Arc<dyn Fn(&Settings) -> Result<SearchGame, String> + Send + Sync>;

/// How much contests may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ChoiceEffort {
    /// Time, from now on.
    Time(Duration),
    /// Simulations: then no clock is read, and one seed gives one choice.
    Simulations(u64),
}

/// The fewest simulations for a move in a final: with fewer the games say nothing about a search.
const FEWEST: u64 = 32;

/// The speed of a search is measured over this time.
const SAMPLE: Duration = Duration::from_millis(10);

/// The bytes of each tree in a contest.
const TREE_BYTES: u64 = 64 << 20;

/// A choice of a scheme that goes on from turn to turn.
pub struct Chooser {
    base: Contestant,
    /// What the base is called where it was asked for.
    asked: Settings,
    games: GameFor,
    profile: Profile,
    runners: Vec<Runner>,
    race: Race,
    /// Simulations for a move of the base, by stage; none until there is enough time for it.
    plan: Option<[u64; 2]>,
    /// The results of the round that is played, by game.
    results: BTreeMap<u64, f64>,
    seed: u64,
    played: u64,
    simulations: u64,
    seconds: f64,
    notice: Option<String>,
}

/// A candidate.
struct Runner {
    settings: Settings,
    /// None until it plays.
    game: Option<SearchGame>,
    /// Its simulations in the time that the base takes for one.
    speed: f64,
}

impl Chooser {
    /// A choice for these settings, which ask for one, with the game on which the base plays.
    pub fn new(
        game: &SearchGame,
        settings: &Settings,
        games: GameFor,
        seed: u64,
    ) -> Result<Self, PlayError> {
        let begun = Instant::now();
        let mut rng = Pcg64::seed_from_u64(seed);
        let settings_of = |scheme| Settings { scheme, ..settings.clone() };
        let base = settings.base();
        let mut search = Search::new(game, &single(&base), rng.random())?;
        let profile = profile(search.game(), &mut rng)?;
        let schemes = candidates(&profile, &settings.scheme);
        let runners = schemes.into_iter().map(settings_of);
        let runners: Vec<Runner> =
            runners.map(|settings| Runner { settings, game: None, speed: 1.0 }).collect();
        Ok(Chooser {
            base: contestant(game.clone(), &base, 0),
            asked: base,
            games,
            profile,
            race: Race::new(runners.len()),
            runners,
            plan: None,
            results: BTreeMap::new(),
            seed: rng.random_range(0..1 << 40),
            played: 0,
            simulations: 0,
            seconds: begun.elapsed().as_secs_f64(),
            notice: None,
        })
    }

    /// Whether no more games are to be played.
    pub fn is_over(&self) -> bool {
        self.race.next().is_none()
    }

    /// The settings that won, and what searches play on with them; none as long as the base plays.
    pub fn winner(&self) -> Option<(Settings, SearchGame)> {
        let runner = &self.runners[self.race.winner()?];
        Some((runner.settings.clone(), runner.game.clone()?))
    }

    /// Plays on, until the effort is spent or the caller wants no more.
    pub fn go_on(
        &mut self,
        effort: ChoiceEffort,
        may_go_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), PlayError> {
        let begun = Instant::now();
        let deadline = match effort {
            ChoiceEffort::Time(time) => begun.checked_add(time),
            ChoiceEffort::Simulations(_) => None,
        };
        let goes_on = || may_go_on() && deadline.is_none_or(|end| Instant::now() < end);
        let played = self.play(effort, &goes_on);
        self.seconds += begun.elapsed().as_secs_f64();
        played
    }

    fn play(
        &mut self,
        effort: ChoiceEffort,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), PlayError> {
        if self.is_over() || !self.has_plan(effort)? {
            return Ok(());
        }
        while goes_on()
            && let Some(round) = self.race.next()
        {
            if !self.has_game(round.entrant, effort)? {
                continue;
            }
            self.play_round(&round, goes_on)?;
            if (self.results.len() as u64) < round.games.end - round.games.start {
                self.notice = Some("contests go on in the next turns".to_string());
                return Ok(());
            }
            self.race.add(&round, std::mem::take(&mut self.results).into_values());
            self.notice = None;
        }
        Ok(())
    }

    /// Decides how many simulations a move may take, if the effort is enough for games that mean
    /// something.
    fn has_plan(&mut self, effort: ChoiceEffort) -> Result<bool, PlayError> {
        if self.plan.is_some() {
            return Ok(true);
        }
        let all = match effort {
            ChoiceEffort::Simulations(count) => count as f64,
            ChoiceEffort::Time(time) => {
                let threads = self.threads() as f64;
                rate(&self.base, self.seed)? * time.as_secs_f64() * threads
            }
        };
        let games = self.runners.len() as u64 * HEAT + STEP * FINAL;
        let heat = (all / (games as f64 * self.profile.choices.max(1.0))) as u64;
        if heat * STEP < FEWEST {
            self.notice = Some("too little time for contests".to_string());
            return Ok(false);
        }
        self.plan = Some([heat.max(1), heat * STEP]);
        self.notice = None;
        Ok(true)
    }

    /// Makes what a candidate plays on, unless it is there.
    fn has_game(&mut self, entrant: usize, effort: ChoiceEffort) -> Result<bool, PlayError> {
        let runner = &mut self.runners[entrant];
        if runner.game.is_some() {
            return Ok(true);
        }
        let Ok(game) = (self.games)(&runner.settings) else {
            self.race.give_up(entrant);
            return Ok(false);
        };
        if matches!(effort, ChoiceEffort::Time(_)) {
            let own = rate(&contestant(game.clone(), &runner.settings, 0), self.seed)?;
            let base = rate(&self.base, self.seed)?;
            runner.speed = if base > 0.0 { (own / base).clamp(0.1, 10.0) } else { 1.0 };
        }
        runner.game = Some(game);
        Ok(true)
    }

    /// Plays those games of a round that have no result yet.
    fn play_round(
        &mut self,
        round: &RaceRound,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), PlayError> {
        let [own, base] = self.budgets(round.entrant, round.stage);
        let runner = &self.runners[round.entrant];
        let Some(game) = runner.game.clone() else { return Ok(()) };
        let first = contestant(game, &runner.settings, own);
        let second = Contestant { budget: Budget::simulations(base), ..self.base.clone() };
        let roles = self.profile.roles as u64;
        // With three roles or more one side has one of them: half of the games are the other way.
        let is_turned = |number: &u64| roles > 2 && number / roles % 2 == 1;
        let missing = round.games.clone().filter(|number| !self.results.contains_key(number));
        let (turned, straight): (Vec<u64>, Vec<u64>) = missing.partition(is_turned);
        let contest = Contest {
            games: round.games.end,
            seed: self.seed + 10_000 * (2 * round.entrant + round.stage) as u64,
            threads: Some(self.threads()),
            ..Contest::default()
        };
        let over = Mutex::new(Vec::new());
        for (numbers, is_turned) in [(straight, false), (turned, true)] {
            let note = |result: &GameResult| {
                let points = if is_turned { 100.0 - result.points } else { result.points };
                let spent: u64 = result.spent.iter().map(|spent| spent.simulations).sum();
                over.lock().unwrap_or_else(PoisonError::into_inner).push((
                    result.game,
                    points,
                    spent,
                ));
                true
            };
            let (one, other) = if is_turned { (&second, &first) } else { (&first, &second) };
            play_while(one, other, &contest, &numbers, &note, goes_on)?;
        }
        for (number, points, spent) in over.into_inner().unwrap_or_else(PoisonError::into_inner) {
            self.results.insert(number, points);
            self.played += 1;
            self.simulations += spent;
        }
        Ok(())
    }

    /// Simulations for a move of a candidate and of the base: as many as they make in the same time.
    fn budgets(&self, entrant: usize, stage: usize) -> [u64; 2] {
        let base = self.plan.map_or(1, |plan| plan[stage]);
        let own = (base as f64 * self.runners[entrant].speed) as u64;
        [own.max(1), base]
    }

    fn threads(&self) -> usize {
        self.asked.threads().unwrap_or_else(rayon::current_num_threads)
    }

    /// What was chosen so far, and why.
    pub fn report(&self) -> ChoiceReport {
        let winner = self.race.winner().map(|at| self.runners[at].settings.scheme.clone());
        let base = self.asked.scheme.clone();
        let rounds = (0..self.runners.len()).flat_map(|at| [(at, HEATS), (at, FINALS)]);
        ChoiceReport {
            scheme: winner.unwrap_or_else(|| base.clone()),
            base,
            profile: self.profile,
            evidence: rounds.filter_map(|(at, stage)| self.evidence(at, stage)).collect(),
            games: self.played,
            simulations: self.simulations,
            seconds: self.seconds,
            notice: self.notice.clone(),
        }
    }

    fn evidence(&self, entrant: usize, stage: usize) -> Option<Evidence> {
        let points = self.race.points(entrant, stage);
        let estimate = Estimate::of(points, 100.0)?;
        Some(Evidence {
            scheme: self.runners[entrant].settings.scheme.clone(),
            simulations: self.budgets(entrant, stage),
            games: points.len(),
            percent: estimate.mean,
            interval: [estimate.low, estimate.high],
        })
    }
}

/// The same settings for one thread and a small tree.
fn single(settings: &Settings) -> Settings {
    settings.alone(TREE_BYTES)
}

/// A side with this many simulations for a move.
fn contestant(game: SearchGame, settings: &Settings, simulations: u64) -> Contestant {
    Contestant {
        game,
        settings: single(settings),
        budget: Budget::simulations(simulations),
        time: None,
        moves: Vec::new(),
    }
}

/// Simulations a second from the start of the game.
fn rate(side: &Contestant, seed: u64) -> Result<f64, PlayError> {
    let mut search = Search::new(&side.game, &side.settings, seed)?;
    let begun = Instant::now();
    let mut made = 0;
    let mut next = 64;
    // Where the game is solved a budget is not spent, and the next ones neither.
    for _ in 0..16 {
        made += search.run(&Budget::simulations(next))?.simulations;
        if begun.elapsed() >= SAMPLE {
            break;
        }
        next *= 2;
    }
    Ok(made as f64 / begun.elapsed().as_secs_f64().max(1e-6))
}
