//! What random games show: how long they are, who chooses from how much, and when they are decided.

use super::super::budget::WorkBudget;
use super::super::circuit::{Circuit, FluentKind};
use super::super::evaluate::Values;
use super::super::network::Signal;
use super::super::optimize::Simulator;
use super::super::rebuild::cone;
use super::super::schedule::Schedule;

/// What was seen in random games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RandomGames {
    /// By game that ended: its joint moves, ascending.
    pub lengths: Vec<usize>,
    /// Games that were cut, because they were too long or took too much work.
    pub cut: usize,
    /// States in which the game went on.
    pub states: u64,
    /// Those in which several roles had a choice.
    pub simultaneous: u64,
    /// By role: what it chose from.
    pub choices: Vec<RandomChoices>,
    /// By game that ended: the joint moves after which it was over or decided, as far as `early` says.
    pub decided: Vec<usize>,
}

/// What a role chose from in random games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RandomChoices {
    /// States in which it had more than one legal move.
    pub states: u64,
    /// The legal moves in all of those.
    pub moves: u64,
    /// The most legal moves in a state.
    pub most: u64,
}

/// Rounds of 64 games.
const ROUNDS: usize = 4;
/// A game with more joint moves is cut.
const LONGEST: usize = 2048;
/// The share of what is left of the budget that random games may cost.
const SHARE: u64 = 4;

/// Plays random games. `early` is the same game, but over as soon as it is decided.
pub fn random_games(
    circuit: &Circuit,
    early: Option<&Circuit>,
    seed: u64,
    budget: &WorkBudget<'_>,
) -> RandomGames {
    // The circuit that ends early knows both ends.
    let (playing, is_early) = (early.unwrap_or(circuit), early.is_some());
    let mut simulator = Simulator::new(circuit, seed, budget);
    let choices = vec![RandomChoices::default(); circuit.moves.len()];
    let mut games = RandomGames { choices, ..RandomGames::default() };
    let limit = budget.proofs() / SHARE;
    let first = simulator.now().clone();
    let mut outlook = EarlyEnds::new(playing);
    for _ in 0..ROUNDS {
        if simulator.effort() > limit || !budget.goes_on(1) {
            break;
        }
        simulator.start_at(&first);
        let mut round = Round { playing: !0, undecided: !0 };
        for step in 0..=LONGEST {
            if simulator.effort() > limit {
                break;
            }
            if is_early {
                let over = outlook.over(simulator.now());
                games.decided.extend(round.decide(over, step));
            }
            let ended = round.playing & !simulator.goes_on();
            round.playing &= !ended;
            games.lengths.extend(std::iter::repeat_n(step, ended.count_ones() as usize));
            // Where a role has no move the game stops undecided.
            games.decided.extend(round.decide(if is_early { ended } else { 0 }, step));
            if round.playing == 0 {
                break;
            }
            games.look(circuit, &simulator, round.playing);
            simulator.step();
        }
        games.cut += round.playing.count_ones() as usize;
    }
    games.lengths.sort_unstable();
    games.decided.sort_unstable();
    games
}

/// 64 games.
struct Round {
    /// Those that go on.
    playing: u64,
    /// Those that are not decided.
    undecided: u64,
}

impl Round {
    /// The step, for each of these games that was not decided before.
    fn decide(&mut self, over: u64, step: usize) -> impl Iterator<Item = usize> + use<> {
        let new = self.undecided & over;
        self.undecided &= !new;
        std::iter::repeat_n(step, new.count_ones() as usize)
    }
}

impl RandomGames {
    fn look(&mut self, circuit: &Circuit, simulator: &Simulator<'_>, playing: u64) {
        self.states += u64::from(playing.count_ones());
        let (mut any, mut several) = (0u64, 0u64);
        for (role, ports) in circuit.moves.iter().enumerate() {
            let mut counts = [0u64; 64];
            let legal = ports.iter().filter(|port| port.legal != Signal::FALSE);
            for port in legal {
                let mut word = simulator.holds(port.legal) & playing;
                while word != 0 {
                    counts[word.trailing_zeros() as usize] += 1;
                    word &= word - 1;
                }
            }
            let mut chooses = 0;
            let choices = &mut self.choices[role];
            for (lane, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 1) {
                chooses |= 1 << lane;
                choices.states += 1;
                choices.moves += count;
                choices.most = choices.most.max(count);
            }
            several |= any & chooses;
            any |= chooses;
        }
        self.simultaneous += u64::from(several.count_ones());
    }
}

/// Where a circuit says that games are over.
struct EarlyEnds<'c> {
    circuit: &'c Circuit,
    schedule: Schedule,
    values: Values,
}

impl<'c> EarlyEnds<'c> {
    fn new(circuit: &'c Circuit) -> Self {
        let terminal = [circuit.terminal].into_iter();
        let marks = cone(&circuit.network, &circuit.loops, terminal);
        EarlyEnds {
            schedule: Schedule::new(circuit, |node| marks[node as usize]),
            values: Values::new(circuit),
            circuit,
        }
    }

    fn over(&mut self, states: &[u64]) -> u64 {
        for (port, &word) in self.circuit.fluents.iter().zip(states) {
            if port.kind == FluentKind::Carried {
                self.values.set(port.now, word);
            }
        }
        self.values.compute(self.circuit, &self.schedule);
        self.values.of(self.circuit.terminal)
    }
}
