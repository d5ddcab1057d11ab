//! Learning from the states of simulations: their moves are kept, and made again in lanes.
//!
//! A step of one lane costs as much as one of all, so simulations are learned from many at a time. How
//! many grows with those learned from before: what the first of them teach is used soon.

use std::sync::Arc;

use propnet::game::{Move, PlayError};

use super::tree_search::TreeSearch;
use crate::search::playout::Simulator;
use crate::search::policy::{CreditedLine, SeenState};

/// Simulations are learned from together when they are this share of those before, ...
const SHARE: u64 = 8;

/// ... but not fewer, nor more, than these.
const FEWEST: u64 = 8;
const MOST: u64 = 512;

impl TreeSearch {
    /// Keeps a simulation whose states are to be learned from, with the goals at its end.
    pub(super) fn keep_credited(&mut self, moves: Vec<Move>, goals: Vec<f64>, count: f64) {
        if self.parts.policy.as_ref().is_some_and(|policy| policy.reads_states()) {
            let start = Arc::clone(&self.tree[self.tree.root].state);
            let discount = self.parts.evaluation.discount();
            self.credited.push(CreditedLine { start, moves, goals, discount, count });
        }
    }

    /// Lets the policy learn from the states of simulations, if they are enough.
    pub(crate) fn learn_from_states(
        &mut self,
        simulator: &mut dyn Simulator,
    ) -> Result<(), PlayError> {
        let enough = (self.learning.lines / SHARE).clamp(FEWEST, MOST) as usize;
        let Some(policy) = self.parts.policy.as_mut().filter(|_| self.credited.len() >= enough)
        else {
            return Ok(());
        };
        let lines = std::mem::take(&mut self.credited);
        simulator.states_along(&lines, &mut |line, step, fluents| {
            policy.see(&SeenState { line, of: &lines[line], step, fluents });
        })?;
        policy.end_lines(&lines, &mut |met| simulator.names(met));
        self.learning.lines += lines.len() as u64;
        self.learning.note(lines.iter().map(|line| line.moves.len() as u64).sum());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use propnet::circuit::Circuit;
    use propnet::game::{Game, Role, State};
    use propnet::lanes::{Job, Outcome, Setup};
    use propnet::program::StepOptions;
    use propnet::{CompileOptions, Compiled, load};

    use super::*;
    use crate::pipeline::{Compile, LaneProgram};
    use crate::search::playout::SearchGame;
    use crate::search::policy::{Finished, Policy, Situation};
    use crate::search::scheme::Parts;
    use crate::search::settings::Settings;

    /// Sheets, each with strategies.
    const GAMES: [(&str, &[&str]); 2] = [
        (
            include_str!("../../../games/skirmish.kif"),
            &["past", "nst", "fast", "mast+fast", "past+fast", "nst+fast"],
        ),
        (
            include_str!("../../../games/breakthrough.kif"),
            &[
                "mast",
                "to_mast",
                "past",
                "nst",
                "fast",
                "mast+fast",
                "to_mast+fast",
                "past+fast",
                "mast:sampling=epsilon:epsilon=0.3",
                "past:sampling=epsilon",
            ],
        ),
    ];

    fn simulator(circuit: &Circuit, settings: &Settings) -> Box<dyn Simulator> {
        // Playouts are recorded, also where a policy learns in the tree alone.
        let step = settings.step_options(circuit.names.roles().len());
        let step = StepOptions { record: true, ..step };
        let program = LaneProgram::new(circuit, Setup::default(), &step, Compile::First);
        SearchGame::Lanes(program.expect("a program")).simulator(1)
    }

    fn play(simulator: &mut dyn Simulator, start: &Arc<State>, job: Job) -> Vec<Outcome> {
        simulator.push(Job { wants_moves: job.count, state: start.clone(), ..job });
        while simulator.unfinished() > 0 {
            simulator.step();
        }
        simulator.outcomes()
    }

    fn credited(outcome: &Outcome, start: &Arc<State>) -> CreditedLine {
        let goals = outcome.goals.iter().map(|goal| goal.map_or(0.0, f64::from)).collect();
        let (moves, start) = (outcome.moves.clone(), start.clone());
        CreditedLine { start, moves, goals, discount: 0.999, count: 1.0 }
    }

    fn new_policy(settings: &Settings, simulator: &dyn Simulator) -> Policy {
        let parts = Parts::new(&settings.scheme, &settings.values, &simulator.move_counts());
        parts.policy.expect("a policy")
    }

    fn learn_moves(policy: &mut Policy, lines: &[CreditedLine]) {
        for line in lines {
            let finished = Finished {
                path: &line.moves,
                playout: &[],
                goals: &line.goals,
                discount: line.discount,
                count: line.count,
            };
            policy.learn(&finished);
            policy.learn_from_tree(&finished);
        }
    }

    /// Learns on lanes, all simulations at once.
    fn on_lanes(policy: &mut Policy, lines: &[CreditedLine], simulator: &mut dyn Simulator) {
        learn_moves(policy, lines);
        let seen = simulator.states_along(lines, &mut |line, step, fluents| {
            policy.see(&SeenState { line, of: &lines[line], step, fluents });
        });
        seen.expect("states");
        policy.end_lines(lines, &mut |met| simulator.names(met));
    }

    /// Learns from one state after the other.
    fn in_sequence(policy: &mut Policy, lines: &[CreditedLine], simulator: &mut dyn Simulator) {
        learn_moves(policy, lines);
        for (line, of) in lines.iter().enumerate() {
            let mut state = State::clone(&of.start);
            for step in 0..=of.len() {
                let fluents: Vec<u32> = state.iter().map(|fluent| fluent as u32).collect();
                policy.see(&SeenState { line, of, step, fluents: &fluents });
                if let Some(joint) = of.moves.chunks_exact(of.goals.len()).nth(step) {
                    state = simulator.game().next_state(&state, joint).expect("a state");
                }
            }
        }
        policy.end_lines(lines, &mut |met| simulator.names(met));
    }

    /// What is done with a choice: role, legal moves, what was chosen, where.
    type VisitChoice<'v> = dyn FnMut(Role, &[Move], Move, &Situation) + 'v;

    /// Calls `visit` with each choice of a line.
    fn choices(line: &CreditedLine, game: &mut dyn Game, visit: &mut VisitChoice) {
        let roles = line.goals.len();
        let mut state = State::clone(&line.start);
        for (step, joint) in line.moves.chunks_exact(roles).enumerate() {
            let made = &line.moves[..step * roles];
            for (role, &chosen) in joint.iter().enumerate() {
                let legal = game.legal_moves(&state, role).expect("legal moves");
                let legal: Vec<Move> = legal.iter().collect();
                if legal.len() > 1 {
                    visit(role, &legal, chosen, &Situation { state: &state, made });
                }
            }
            state = game.next_state(&state, joint).expect("a state");
        }
    }

    #[test]
    fn lanes_teach_what_single_states_teach_and_play_by_it() {
        for (sheet, strategies) in GAMES {
            let game = Compiled::new(&load(sheet).expect("a sheet"), &CompileOptions::default());
            let circuit = game.expect("a circuit").circuit().clone();
            for strategy in strategies {
                let settings: Settings = strategy.parse().expect("settings");
                let mut simulator = simulator(&circuit, &settings);
                let start = Arc::new(simulator.game().initial_state().expect("a state"));
                let random = Job { count: 150, limit: Some(60), ..Job::new(0, 0, &start) };
                let outcomes = play(&mut *simulator, &start, random);
                let lines: Vec<CreditedLine> =
                    outcomes.iter().map(|outcome| credited(outcome, &start)).collect();
                let mut lanes = new_policy(&settings, &*simulator);
                let mut judge = new_policy(&settings, &*simulator);
                on_lanes(&mut lanes, &lines, &mut *simulator);
                in_sequence(&mut judge, &lines, &mut *simulator);
                for line in &lines[..4] {
                    choices(line, simulator.game(), &mut |role, legal, _, at| {
                        let (ours, theirs) =
                            (lanes.values(role, legal, at), judge.values(role, legal, at));
                        let near = |(one, other): (&f64, &f64)| (one - other).abs() < 1e-2;
                        let all = ours.iter().zip(&theirs).all(near);
                        assert!(all, "{strategy}: {ours:?} instead of {theirs:?}");
                    });
                }
                if ["mast", "to_mast"].contains(strategy) {
                    let at = Situation { state: &start, made: &[] };
                    for ((role, chosen), mean) in averages(&lines) {
                        let value = lanes.values(role, &[chosen], &at)[0];
                        assert!((value - mean).abs() < 1e-9, "{strategy}: {value}, not {mean}");
                    }
                }
                is_followed(&lanes, &mut *simulator, &start, strategy);
            }
        }
    }

    /// Averages of moves by their definition.
    fn averages(lines: &[CreditedLine]) -> BTreeMap<(Role, Move), f64> {
        let mut sums: BTreeMap<(Role, Move), (f64, f64)> = BTreeMap::new();
        for line in lines {
            let roles = line.goals.len();
            for (at, &chosen) in line.moves.iter().enumerate() {
                let (step, role) = (at / roles, at % roles);
                let score = line.discount.powi((line.len() - step) as i32) * line.goals[role];
                let (total, count) = sums.entry((role, chosen)).or_default();
                (*total, *count) = (*total + score, *count + 1.0);
            }
        }
        sums.into_iter().map(|(key, (total, count))| (key, total / count)).collect()
    }

    /// Compares the moves of playouts on lanes with the chances that they should have, by chi-square.
    fn is_followed(policy: &Policy, simulator: &mut dyn Simulator, start: &Arc<State>, what: &str) {
        simulator.prefer(policy);
        let table = simulator.lane_choice(policy).expect("lanes");
        let job = Job { count: 500, limit: Some(8), ..Job::new(0, 1000, start) };
        let outcomes = play(simulator, start, job);
        let mut counts: BTreeMap<(Role, Move), [f64; 3]> = BTreeMap::new();
        for outcome in &outcomes {
            choices(&credited(outcome, start), simulator.game(), &mut |role, legal, chosen, at| {
                for (&other, chance) in legal.iter().zip(table.chances(role, legal, at)) {
                    let [made, expected, variance] = counts.entry((role, other)).or_default();
                    *made += f64::from(u8::from(other == chosen));
                    *expected += chance;
                    *variance += chance * (1.0 - chance);
                }
            });
        }
        let many = counts.values().filter(|[_, _, variance]| *variance > 5.0);
        let gaps = many.map(|[made, expected, variance]| (made - expected).powi(2) / variance);
        let gaps: Vec<f64> = gaps.collect();
        let (distance, freedom) = (gaps.iter().sum::<f64>(), gaps.len() as f64);
        assert!(freedom > 2.0, "{what}: something to judge");
        let most = freedom + 5.0 * (2.0 * freedom).sqrt() + 10.0;
        assert!(distance <= most, "{what}: chi-square {distance:.1} of {freedom}");
    }
}
