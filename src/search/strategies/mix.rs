//! Which strategy each role of a playout follows: each as often as the others, or by UCB over the
//! scores that they led to. One of them is always to choose at random.
//!
//! Section V of Świechowski, Mańdziuk and Ong 2016: for puzzles, a seventh each for random choice
//! and the six variants of exploration; with all strategies, by UCB (Auer et al. 2002).

use std::collections::VecDeque;

use propnet::game::{Game, JointMove, Move, PlayError, State};
use rand::RngExt;
use rand_pcg::Pcg64;

use super::{EndedPlayout, Look, MakeStrategies, SimulationStrategy};
use crate::search::scheme::{Parameter, Part, Values};

/// How a strategy is chosen.
pub(crate) const CHOICE_BY: Parameter = Parameter::word(
    "strategy_choice",
    "how playouts choose among strategies: even, or by ucb; auto: even where exploration is the only one",
    &["auto", "even", "ucb"],
);

/// How strongly UCB prefers strategies that were followed less.
const SPREAD: f64 = 40.0;

/// The longest look back of any strategy.
const RECENT: usize = 8;

/// Strategies, and how well each did.
pub(crate) struct StrategyMix {
    strategies: Vec<Box<dyn SimulationStrategy>>,
    by_ucb: bool,
    /// By role and strategy, the random one first: playouts, and the sum of their scores.
    scores: Vec<Vec<(f64, f64)>>,
    /// The names of the strategies, the random one first.
    names: Vec<&'static str>,
    /// By role: the highest score of a playout.
    highest: Vec<f64>,
}

/// How a playout is made.
#[derive(Clone, Debug, Default)]
pub(crate) struct StrategyPlan {
    /// By role: its strategy; 0 to choose at random.
    assigned: Vec<usize>,
    /// The last states.
    recent: VecDeque<State>,
}

impl StrategyMix {
    /// The strategies of these parts; none without parts.
    pub(crate) fn new(
        parts: &[&'static Part<MakeStrategies>],
        values: &Values,
        roles: usize,
    ) -> Option<Self> {
        let (mut strategies, mut names) = (Vec::new(), vec!["random"]);
        for part in parts {
            strategies.extend((part.make)(values));
            names.resize(strategies.len() + 1, part.name);
        }
        let only_exploration = parts.iter().all(|part| part.name == super::exploration::PART.name);
        let by_ucb = match values.show(&CHOICE_BY).as_str() {
            "even" => false,
            "ucb" => true,
            _ => !only_exploration,
        };
        let scores = vec![vec![(0.0, 0.0); strategies.len() + 1]; roles];
        let highest = vec![0.0; roles];
        let mix = StrategyMix { strategies, by_ucb, scores, names, highest };
        (!mix.strategies.is_empty()).then_some(mix)
    }

    /// Chooses a strategy for each role.
    pub(crate) fn plan(&self, rng: &mut Pcg64) -> StrategyPlan {
        let choose = |scores: &Vec<(f64, f64)>| match self.by_ucb {
            true => by_ucb(scores),
            false => rng.random_range(0..scores.len()),
        };
        StrategyPlan {
            assigned: self.scores.iter().map(choose).collect(),
            recent: VecDeque::with_capacity(RECENT),
        }
    }

    /// The joint move in a state.
    pub(crate) fn choose(
        &mut self,
        game: &mut dyn Game,
        plan: &mut StrategyPlan,
        state: &State,
        rng: &mut Pcg64,
    ) -> Result<JointMove, PlayError> {
        if plan.recent.len() == RECENT {
            plan.recent.pop_front();
        }
        plan.recent.push_back(state.clone());
        // What others may do, and what is done where no strategy is followed.
        let random = game.complete_joint_move(state, &[], rng)?;
        let mut joint = random.clone();
        for (role, chosen) in joint.iter_mut().enumerate() {
            let strategy = match plan.assigned.get(role) {
                Some(&at) if at > 0 => &mut self.strategies[at - 1],
                _ => continue,
            };
            if rng.random::<f64>() >= strategy.share() {
                continue;
            }
            let legal: Vec<Move> = game.legal_moves(state, role)?.iter().collect();
            if legal.len() < 2 {
                continue;
            }
            let mut look = Look::new(game, role, &random, &legal, &plan.recent);
            if let Some(values) = strategy.values(&mut look)? {
                *chosen = legal[any_highest(&values, rng)];
            }
        }
        Ok(joint)
    }

    /// Learns from a playout.
    pub(crate) fn learn(&mut self, plan: &StrategyPlan, ended: &EndedPlayout<'_>) {
        let roles = plan.assigned.iter().zip(ended.goals).zip(&mut self.scores);
        for ((&at, goal), scores) in roles {
            scores[at].0 += 1.0;
            scores[at].1 += goal;
        }
        for (role, (&at, &goal)) in plan.assigned.iter().zip(ended.goals).enumerate() {
            if goal > self.highest[role] {
                self.highest[role] = goal;
                tracing::debug!(role, goal, strategy = self.names[at], "the highest score so far");
            }
        }
        self.strategies.iter_mut().for_each(|strategy| strategy.learn(ended));
    }

    /// By strategy of a role, the random one first: how many playouts followed it.
    #[cfg(test)]
    fn uses(&self, role: propnet::game::Role) -> Vec<f64> {
        self.scores[role].iter().map(|(count, _)| *count).collect()
    }
}

/// The strategy with the highest bound; one that was never followed first.
fn by_ucb(scores: &[(f64, f64)]) -> usize {
    let all: f64 = scores.iter().map(|(count, _)| count).sum();
    let bound = |&(count, sum): &(f64, f64)| match count > 0.0 {
        true => sum / count + SPREAD * (all.ln() / count).sqrt(),
        false => f64::INFINITY,
    };
    let bounds = scores.iter().map(bound).enumerate();
    bounds.reduce(|best, other| if other.1 > best.1 { other } else { best }).map_or(0, |(at, _)| at)
}

/// The place of one of the highest values.
fn any_highest(values: &[f64], rng: &mut Pcg64) -> usize {
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let ties: Vec<usize> = (0..values.len()).filter(|&at| values[at] >= highest).collect();
    match ties.len() {
        0 => 0,
        count => ties[rng.random_range(0..count)],
    }
}

#[cfg(test)]
mod tests {
    use propnet::gdl::Source;
    use propnet::reference::{self, Reasoner};
    use rand::SeedableRng;

    use super::super::STRATEGIES;
    use super::*;

    fn mix(names: &[&str], values: &Values, roles: usize) -> StrategyMix {
        let parts: Vec<_> =
            STRATEGIES.iter().filter(|part| names.contains(&part.name)).copied().collect();
        StrategyMix::new(&parts, values, roles).expect("strategies")
    }

    #[test]
    fn the_highest_bound_is_followed() {
        // Means 50 and 60; with 9 and 1 playouts the bounds are 70.2 and 120.7.
        assert_eq!(by_ucb(&[(9.0, 450.0), (1.0, 60.0)]), 1);
        // 50 + 40 sqrt(ln 200 / 100) = 59.2 and 60 + the same.
        assert_eq!(by_ucb(&[(100.0, 5000.0), (100.0, 6000.0)]), 1);
        assert_eq!(by_ucb(&[(100.0, 9000.0), (100.0, 6000.0)]), 0);
        assert_eq!(by_ucb(&[(5.0, 500.0), (0.0, 0.0)]), 1, "what was never followed");
    }

    #[test]
    fn exploration_and_random_choice_get_a_seventh_each() {
        let mut mix = mix(&["exploration"], &Values::default(), 1);
        let mut rng = Pcg64::seed_from_u64(3);
        let table = propnet::game::TableId::unique();
        let state = State::new(table, []);
        for _ in 0..7000 {
            let plan = mix.plan(&mut rng);
            mix.learn(&plan, &EndedPlayout { moves: &[], state: &state, goals: &[0.0] });
        }
        let uses = mix.uses(0);
        assert_eq!(uses.len(), 7);
        assert!(uses.iter().all(|count| (850.0..1150.0).contains(count)), "{uses:?}");
    }

    /// Two players at once; every state has a fact of each one's last move.
    const SHEET: &str = "(role a) (role b) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (legal a left) (legal a right) (legal b left) (legal b right)
        (<= (next (did ?r ?m)) (does ?r ?m)) (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
        (<= terminal (true (n 3))) (goal a 0) (<= (goal b 100) (true (did a left)))";

    #[test]
    fn all_strategies_make_legal_moves_of_all_roles() {
        let rules = reference::load(Source::from_text("sheet", SHEET)).expect("a sheet");
        let mut game = Reasoner::new(&rules);
        let names = ["exploration", "age", "ssc", "mobility", "history", "score"];
        let mut mix = mix(&names, &Values::default(), 2);
        let mut rng = Pcg64::seed_from_u64(1);
        for _ in 0..60 {
            let mut plan = mix.plan(&mut rng);
            let mut state = game.initial_state().expect("a state");
            let mut moves = Vec::new();
            while !game.is_terminal(&state).expect("an answer") {
                let joint = mix.choose(&mut game, &mut plan, &state, &mut rng).expect("moves");
                state = game.next_state(&state, &joint).expect("legal moves");
                moves.extend(joint);
            }
            mix.learn(&plan, &EndedPlayout { moves: &moves, state: &state, goals: &[0.0, 50.0] });
        }
        // Random choice, six explorations and five others, each at least once.
        assert_eq!(mix.uses(0).len(), 12);
        assert!(mix.uses(0).iter().all(|count| *count > 0.0), "{:?}", mix.uses(0));
    }
}
