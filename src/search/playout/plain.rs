//! Playouts on any game, one after the other: for the reference reasoner, while there is no circuit.
//!
//! A step is one joint move, so that a search can end within a playout. The reasoner may need
//! longer for one playout than there is time for a move, and then the tree would learn nothing.
//! Where a clock decides, a playout therefore has a share of the time and is cut when that is used
//! up. After the first one that was cut, the others only look a little ahead: they see the ends
//! that are near.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use propnet::game::{Game, JointMove, Move, MoveSet, PlayError, State};
use propnet::lanes::{Ending, FirstState, Job, Outcome};
use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::simulator::{Effort, End, EndQuestion, Simulator, ends_after};
use crate::search::budget::Budget;
use crate::search::policy::{Policy, Situation};
use crate::search::strategies::{EndedPlayout, StrategyMix, StrategyPlan};

/// How many playouts should have time to end before a deadline.
const PLAYOUTS: u32 = 10;

/// How many short playouts share the time after a playout that did not end in its time.
const LOOKS: u32 = 100;

/// What a state is worth where nothing is known.
const NEUTRAL: i32 = 50;

/// A game that plays jobs.
pub(crate) struct PlainSimulator {
    game: Box<dyn Game + Send>,
    seed: u64,
    queue: VecDeque<Job>,
    playing: Option<PlainPlayout>,
    outcomes: Vec<Outcome>,
    /// What chooses moves; none for random moves.
    policy: Option<Policy>,
    /// What looks ahead, instead of a policy.
    mix: Option<StrategyMix>,
    /// The time that all playouts have; none where no clock counts.
    time: Option<Duration>,
    /// Whether playouts only look a little ahead.
    only_looks: bool,
    effort: Effort,
}

/// A playout under way.
struct PlainPlayout {
    job: Job,
    rng: Pcg64,
    plan: StrategyPlan,
    state: State,
    moves: Vec<Move>,
    length: u64,
    first: Option<FirstState>,
    /// When it is cut.
    end: Option<Instant>,
}

/// How a playout ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PlayoutEnd {
    /// By the rules, or the limit of its job.
    Whole(Ending),
    /// Its time was used up.
    Cut,
}

impl PlainSimulator {
    pub(crate) fn new(game: Box<dyn Game + Send>, seed: u64) -> Self {
        PlainSimulator {
            game,
            seed,
            queue: VecDeque::new(),
            playing: None,
            outcomes: Vec::new(),
            policy: None,
            mix: None,
            time: None,
            only_looks: false,
            effort: Effort::default(),
        }
    }

    /// The same, where moves are chosen by strategies.
    pub(crate) fn following(
        game: Box<dyn Game + Send>,
        seed: u64,
        mix: Option<StrategyMix>,
    ) -> Self {
        PlainSimulator { mix, ..Self::new(game, seed) }
    }

    fn start(&self, job: Job) -> PlainPlayout {
        let parts = if self.only_looks { LOOKS } else { PLAYOUTS };
        let end = self.time.and_then(|time| Instant::now().checked_add(time / parts));
        let seed = self.seed ^ job.number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut rng = Pcg64::seed_from_u64(seed);
        PlainPlayout {
            plan: self.mix.as_ref().map(|mix| mix.plan(&mut rng)).unwrap_or_default(),
            rng,
            state: State::clone(&job.state),
            moves: Vec::new(),
            length: 0,
            first: None,
            end,
            job,
        }
    }

    /// Makes a joint move; returns how the playout ended, if it did.
    fn advance(&mut self, playout: &mut PlainPlayout) -> Result<Option<PlayoutEnd>, PlayError> {
        if playout.length == 0
            && let Some(ending) = self.ending(playout)?
        {
            return Ok(Some(PlayoutEnd::Whole(ending)));
        }
        let forced = playout.job.forced.take();
        let joint = match forced {
            Some(joint) => joint.to_vec(),
            None if let Some(mix) = &mut self.mix => {
                mix.choose(&mut *self.game, &mut playout.plan, &playout.state, &mut playout.rng)?
            }
            None => {
                let at = Situation { state: &playout.state, made: &playout.moves };
                self.choose(&at, &mut playout.rng)?
            }
        };
        playout.state = self.game.next_state(&playout.state, &joint)?;
        playout.length += 1;
        playout.moves.extend(&joint);
        if playout.length == 1 && playout.job.wants_first {
            playout.first = Some(self.first(&playout.state, joint)?);
        }
        let is_late = || playout.end.is_some_and(|end| end <= Instant::now());
        Ok(match self.ending(playout)? {
            Some(ending) => Some(PlayoutEnd::Whole(ending)),
            None => is_late().then_some(PlayoutEnd::Cut),
        })
    }

    fn ending(&mut self, playout: &PlainPlayout) -> Result<Option<Ending>, PlayError> {
        if self.game.is_terminal(&playout.state)? {
            return Ok(Some(Ending::Terminal));
        }
        let is_at_limit = playout.job.limit.is_some_and(|limit| playout.length >= limit);
        Ok(is_at_limit.then_some(Ending::Limit))
    }

    fn finish(&mut self, playout: PlainPlayout, end: PlayoutEnd) -> Outcome {
        let roles = 0..self.game.roles().len();
        let count = roles.len();
        let goals = roles.map(|role| {
            let goal = self.game.goal(&playout.state, role).ok();
            if end == PlayoutEnd::Cut { worth_on_the_way(goal, count) } else { goal }
        });
        let goals: Vec<Option<i32>> = goals.collect();
        if let Some(mix) = &mut self.mix
            && end != PlayoutEnd::Cut
        {
            let scores: Vec<f64> = goals.iter().map(|goal| goal.map_or(0.0, f64::from)).collect();
            let (moves, state) = (&playout.moves, &playout.state);
            mix.learn(&playout.plan, &EndedPlayout { moves, state, goals: &scores });
        }
        Outcome {
            tag: playout.job.tag,
            count: 1,
            ending: match end {
                PlayoutEnd::Whole(ending) => ending,
                PlayoutEnd::Cut => Ending::Limit,
            },
            goals: goals.into(),
            length: playout.length,
            // A playout that was cut gives no line to follow, and no credit to its moves.
            moves: match end {
                PlayoutEnd::Whole(_) if playout.job.wants_moves > 0 => playout.moves,
                _ => Vec::new(),
            },
            first: playout.first.map(Box::new),
        }
    }

    fn choose(&mut self, at: &Situation, rng: &mut Pcg64) -> Result<JointMove, PlayError> {
        let state = at.state;
        let Some(policy) = &self.policy else {
            return self.game.complete_joint_move(state, &[], rng);
        };
        let mut joint = Vec::new();
        for role in 0..self.game.roles().len() {
            let legal: Vec<Move> = self.game.legal_moves(state, role)?.iter().collect();
            let chosen = if legal.len() > 1 { policy.choose(role, &legal, at, rng) } else { 0 };
            joint.push(legal[chosen]);
        }
        Ok(joint)
    }

    fn first(&mut self, state: &State, moves: JointMove) -> Result<FirstState, PlayError> {
        let mut legal: Vec<MoveSet> = Vec::new();
        for role in 0..self.game.roles().len() {
            legal.push(match self.game.legal_moves(state, role) {
                Err(PlayError::NoLegalMove { .. }) => MoveSet::new(state.table(), []),
                moves => moves?,
            });
        }
        let is_terminal = self.game.is_terminal(state)?;
        Ok(FirstState { moves: moves.into(), state: state.clone(), legal, is_terminal })
    }
}

/// The value of a state where a playout was cut, by the goal there. Rules may well give 0 to all
/// roles until the game is over, and that must not look like a loss, so the goal counts half. In a
/// game for one role the goal counts in full: there is no opponent to lose to.
fn worth_on_the_way(goal: Option<i32>, roles: usize) -> Option<i32> {
    match roles {
        1 => goal,
        _ => Some(goal.map_or(NEUTRAL, |goal| goal.saturating_add(NEUTRAL) / 2)),
    }
}

impl Simulator for PlainSimulator {
    fn lanes(&self) -> usize {
        1
    }

    fn begin(&mut self, budget: &Budget) {
        self.queue.clear();
        self.playing = None;
        match budget.deadline {
            _ if budget.counts() => self.time = None,
            Some(end) => {
                self.time = Some(end.saturating_duration_since(Instant::now()));
                self.only_looks = false;
            }
            // Between turns, the time of the last turn applies.
            None => {}
        }
    }

    fn push(&mut self, job: Job) {
        for at in 0..job.count {
            let number = job.number.wrapping_add(at as u64);
            let wants_first = job.wants_first && at == 0;
            let wants_moves = usize::from(at < job.wants_moves);
            self.queue.push_back(Job { number, count: 1, wants_first, wants_moves, ..job.clone() });
        }
    }

    fn step(&mut self) {
        let next = self.playing.take();
        let Some(mut playout) = next.or_else(|| self.queue.pop_front().map(|job| self.start(job)))
        else {
            return;
        };
        let before = playout.length;
        // Where the rules fail, the playout is stuck there.
        let end = self.advance(&mut playout).unwrap_or(Some(PlayoutEnd::Whole(Ending::Stuck)));
        self.effort.lane_steps += playout.length - before;
        self.effort.busy_lane_steps += playout.length - before;
        match end {
            Some(end) => {
                self.only_looks |= end == PlayoutEnd::Cut;
                let outcome = self.finish(playout, end);
                self.outcomes.push(outcome);
            }
            None => self.playing = Some(playout),
        }
    }

    fn unfinished(&self) -> usize {
        self.queue.len() + usize::from(self.playing.is_some())
    }

    fn outcomes(&mut self) -> Vec<Outcome> {
        std::mem::take(&mut self.outcomes)
    }

    fn prefer(&mut self, policy: &Policy) {
        self.policy = Some(policy.clone());
    }

    fn game(&mut self) -> &mut dyn Game {
        &mut *self.game
    }

    /// Where a clock counts, playouts are worth more: an answer takes as long as a move of them.
    fn ends_after(&mut self, questions: &[EndQuestion]) -> Result<Vec<End>, PlayError> {
        if self.time.is_some() { Ok(Vec::new()) } else { ends_after(&mut *self.game, questions) }
    }

    fn move_counts(&self) -> Vec<usize> {
        // Moves are found as they are met.
        vec![0; self.game.roles().len()]
    }

    fn effort(&self) -> Effort {
        self.effort
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use propnet::gdl::Source;
    use propnet::reference::{self, Reasoner};

    use super::*;

    /// A walk without end. Role a has the goal 0 on the way, b has none.
    const ENDLESS: &str = "
        (role a) (role b) (init (at 0)) (succ 0 1) (succ 1 0)
        (legal a go) (legal b go) (legal b wait)
        (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))
        (<= terminal (true (at 2)))
        (<= (goal a 0) (not (true (at 2)))) (<= (goal b 100) (true (at 2)))";

    fn simulator(sheet: &str) -> (PlainSimulator, Job) {
        let rules = reference::load(Source::from_text("sheet", sheet)).expect("a sheet");
        let mut simulator = PlainSimulator::new(Box::new(Reasoner::new(&rules)), 1);
        let state = Arc::new(simulator.game.initial_state().expect("a state"));
        let job = Job { limit: Some(100), wants_moves: 1, ..Job::new(7, 1, &state) };
        (simulator, job)
    }

    #[test]
    fn a_step_is_one_joint_move() {
        let (mut simulator, job) = simulator(ENDLESS);
        simulator.push(job);
        for length in 1..100 {
            simulator.step();
            assert_eq!((simulator.unfinished(), simulator.effort().lane_steps), (1, length));
        }
        simulator.step();
        let outcome = simulator.outcomes().pop().expect("an outcome");
        assert_eq!((outcome.ending, outcome.length), (Ending::Limit, 100));
        assert_eq!(outcome.goals[..], [Some(0), None]);
        assert_eq!(outcome.moves.len(), 200);
    }

    #[test]
    fn a_playout_is_cut_when_its_share_of_the_time_is_used_up() {
        let (mut simulator, job) = simulator(ENDLESS);
        simulator.begin(&Budget::time(Duration::ZERO));
        simulator.push(Job { wants_first: true, ..job.clone() });
        simulator.step();
        let outcome = simulator.outcomes().pop().expect("an outcome");
        assert_eq!((outcome.ending, outcome.length), (Ending::Limit, 1));
        assert_eq!(outcome.goals[..], [Some(25), Some(50)]);
        assert!(outcome.moves.is_empty() && outcome.first.is_some());
        // As in the last turn, until there is time again.
        simulator.begin(&Budget::default());
        simulator.push(job.clone());
        simulator.step();
        assert_eq!(simulator.outcomes().len(), 1);
        simulator.begin(&Budget::time(Duration::from_secs(36_000)));
        simulator.push(job.clone());
        simulator.step();
        assert_eq!(simulator.outcomes().len(), 0);
    }

    #[test]
    fn after_one_that_did_not_end_playouts_are_looks() {
        let (mut simulator, job) = simulator(ENDLESS);
        let hour = Duration::from_secs(3600);
        simulator.begin(&Budget::time(hour));
        let time_of = |simulator: &PlainSimulator| {
            let end = simulator.start(job.clone()).end.expect("a clock counts");
            end.saturating_duration_since(Instant::now())
        };
        assert!(time_of(&simulator) > hour / 20);
        let late = PlainPlayout { end: Some(Instant::now()), ..simulator.start(job.clone()) };
        simulator.playing = Some(late);
        simulator.step();
        assert!(time_of(&simulator) < hour / 20);
        simulator.begin(&Budget::time(hour));
        assert!(time_of(&simulator) > hour / 20);
    }

    #[test]
    fn no_clock_cuts_a_playout_where_simulations_are_counted() {
        let (mut simulator, job) = simulator(ENDLESS);
        simulator.begin(&Budget { simulations: Some(1), ..Budget::time(Duration::ZERO) });
        simulator.push(job);
        (0..99).for_each(|_| simulator.step());
        assert_eq!((simulator.unfinished(), simulator.outcomes().len()), (1, 0));
    }

    #[test]
    fn what_was_under_way_is_gone_when_a_run_begins() {
        let (mut simulator, job) = simulator(ENDLESS);
        simulator.push(job.clone());
        simulator.push(job);
        simulator.step();
        simulator.begin(&Budget::simulations(1));
        assert_eq!(simulator.unfinished(), 0);
        simulator.step();
        assert!(simulator.outcomes().is_empty());
    }

    #[test]
    fn who_plays_alone_counts_what_was_reached() {
        assert_eq!(
            [None, Some(0), Some(100)].map(|goal| worth_on_the_way(goal, 1)),
            [None, Some(0), Some(100)]
        );
        assert_eq!(
            [None, Some(0), Some(50), Some(100)].map(|goal| worth_on_the_way(goal, 2)),
            [Some(50), Some(25), Some(50), Some(75)]
        );
        assert_eq!(worth_on_the_way(Some(i32::MAX), 2), Some(i32::MAX / 2));
    }
}
