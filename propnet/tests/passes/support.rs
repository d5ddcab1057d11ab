//! Do two circuits say the same? Asked wherever the inputs are what a circuit may take for granted.
//!
//! A circuit is evaluated in 64 situations at once, one bit of a word each.

use propnet::circuit::{Circuit, FluentKind, Schedule, Signal, Values};
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// All states are looked at if there are no more fluents.
const FEW_FLUENTS: usize = 9;
/// All combinations of moves are looked at if there are no more.
const FEW_MOVES: usize = 40;
/// Words of random states, and random moves in each, if there are more.
const STATES: usize = 24;
const CHOICES: usize = 6;

/// One word for each role's moves.
type ByMove = Vec<Vec<u64>>;

/// What the ports say about a state, before moves are made.
#[derive(Debug, PartialEq)]
struct View {
    legal: ByMove,
    terminal: u64,
    goals: Vec<Vec<u64>>,
}

/// A circuit and what is true in it.
struct Simulated<'a> {
    circuit: &'a Circuit,
    schedule: Schedule,
    values: Values,
}

impl<'a> Simulated<'a> {
    fn new(circuit: &'a Circuit) -> Self {
        let schedule = Schedule::new(circuit, |_| true);
        Simulated { circuit, schedule, values: Values::new(circuit) }
    }

    /// Sets the fluents, and says what does not depend on the moves.
    fn view(&mut self, state: &[u64]) -> View {
        for (port, &word) in self.circuit.fluents.iter().zip(state) {
            if port.kind != FluentKind::Follows {
                self.values.set(port.now, word);
            }
        }
        let none: ByMove = self.circuit.moves.iter().map(|ports| vec![0; ports.len()]).collect();
        self.make(&none);
        let of = |signal: Signal| self.values.of(signal);
        let legal = |ports: &Vec<_>| {
            ports.iter().map(|port: &propnet::circuit::MovePort| of(port.legal)).collect()
        };
        let goals = |ports: &Vec<_>| {
            ports.iter().map(|port: &propnet::circuit::GoalPort| of(port.holds)).collect()
        };
        View {
            legal: self.circuit.moves.iter().map(legal).collect(),
            terminal: of(self.circuit.terminal),
            goals: self.circuit.goals.iter().map(goals).collect(),
        }
    }

    fn make(&mut self, moves: &ByMove) {
        for (ports, words) in self.circuit.moves.iter().zip(moves) {
            for (port, &word) in ports.iter().zip(words) {
                self.values.set(port.does, word);
            }
        }
        self.values.compute(self.circuit, &self.schedule);
    }

    /// The state behind the moves.
    fn next(&mut self, moves: &ByMove) -> Vec<u64> {
        self.make(moves);
        let mut by_input = vec![0; self.circuit.network.len()];
        for port in self.circuit.fluents.iter().filter(|port| port.kind != FluentKind::Follows) {
            by_input[port.now.node() as usize] = self.values.of(port.next);
        }
        let truth = |signal: Signal| {
            by_input[signal.node() as usize] ^ if signal.is_complement() { !0 } else { 0 }
        };
        let ports = self.circuit.fluents.iter();
        let next = ports.map(|port| match port.kind {
            FluentKind::Follows => truth(port.now),
            FluentKind::Carried | FluentKind::Observed => self.values.of(port.next),
        });
        next.collect()
    }
}

/// Whether the circuits say the same in all states in which their groups are kept, reachable or
/// not, whatever legal moves are made there. Where there are too many, random ones are tried.
pub(crate) fn same_everywhere(before: &Circuit, after: &Circuit, seed: u64) -> Result<(), String> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let (mut one, mut other) = (Simulated::new(before), Simulated::new(after));
    let fluents = before.fluents.len();
    let few = fluents <= FEW_FLUENTS;
    let words = if few { (1usize << fluents).div_ceil(64) } else { STATES };
    for word in 0..words {
        let state = match few {
            true => (0..fluents).map(|fluent| counted(word, fluent)).collect(),
            false => random_state(after, &mut rng),
        };
        let kept = kept(after, &state);
        let view = one.view(&state);
        let other_view = other.view(&state);
        same_view(&view, &other_view, kept, after)?;
        for moves in choices(&view.legal, &mut rng) {
            let legal = made_legally(&view.legal, &moves);
            same_next(&one.next(&moves), &other.next(&moves), kept & legal, before)?;
        }
    }
    Ok(())
}

/// Whether the circuits say the same in random play from the initial state.
pub(crate) fn same_in_play(
    before: &Circuit,
    after: &Circuit,
    seed: u64,
    steps: usize,
) -> Result<(), String> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let (mut one, mut other) = (Simulated::new(before), Simulated::new(after));
    let initial = |port: &propnet::circuit::FluentPort| if port.initially { !0 } else { 0 };
    let initial: Vec<u64> = before.fluents.iter().map(initial).collect();
    let mut state = initial.clone();
    for _ in 0..steps {
        let kept = kept(after, &state);
        if kept != !0 {
            return Err(format!("a group does not hold in the states {:?}", lanes(!kept)));
        }
        let view = one.view(&state);
        same_view(&view, &other.view(&state), !0, after)?;
        let moves = random_moves(&view.legal, &mut rng);
        let goes_on = made_legally(&view.legal, &moves) & !view.terminal;
        state = one.next(&moves);
        same_next(&state, &other.next(&moves), goes_on, before)?;
        // A playout that has ended begins anew.
        for (word, initial) in state.iter_mut().zip(&initial) {
            *word = *word & goes_on | initial & !goes_on;
        }
    }
    Ok(())
}

/// The bits of a fluent when all states are counted through.
fn counted(word: usize, fluent: usize) -> u64 {
    let lanes = (0..64).filter(|lane| (word * 64 + lane) >> fluent & 1 == 1);
    lanes.fold(0, |bits, lane| bits | 1 << lane)
}

/// A state in which the groups are kept, unless they overlap.
fn random_state(circuit: &Circuit, rng: &mut Pcg64Mcg) -> Vec<u64> {
    let mut state: Vec<u64> = circuit.fluents.iter().map(|_| rng.next_u64()).collect();
    for group in &circuit.groups {
        group.members.iter().for_each(|&member| state[member as usize] = 0);
        for lane in 0..64 {
            let count = group.members.len() + !group.exactly_one as usize;
            if let Some(&member) = group.members.get(rng.random_range(0..count)) {
                state[member as usize] |= 1 << lane;
            }
        }
    }
    state
}

/// The situations in which the groups of a circuit are kept.
fn kept(circuit: &Circuit, state: &[u64]) -> u64 {
    let mut kept = !0;
    for group in &circuit.groups {
        let (mut one, mut two) = (0, 0);
        for &member in &group.members {
            two |= one & state[member as usize];
            one |= state[member as usize];
        }
        kept &= !two & if group.exactly_one { one } else { !0 };
    }
    kept
}

/// All combinations of moves, or some that are legal.
fn choices(legal: &ByMove, rng: &mut Pcg64Mcg) -> Vec<ByMove> {
    let combinations = legal.iter().map(Vec::len).try_fold(1usize, usize::checked_mul);
    let Some(combinations @ 0..=FEW_MOVES) = combinations else {
        return (0..CHOICES).map(|_| random_moves(legal, rng)).collect();
    };
    let combination = |mut number: usize| {
        let role = |words: &Vec<u64>| {
            let (chosen, count) = (number % words.len(), words.len());
            number /= count;
            (0..count).map(|at| if at == chosen { !0 } else { 0 }).collect()
        };
        legal.iter().map(role).collect()
    };
    (0..combinations).map(combination).collect()
}

/// One legal move of each role in each situation; none where there is none.
fn random_moves(legal: &ByMove, rng: &mut Pcg64Mcg) -> ByMove {
    let mut role = |words: &Vec<u64>| {
        let mut moves = vec![0; words.len()];
        for lane in 0..64 {
            let legal: Vec<usize> =
                (0..words.len()).filter(|&at| words[at] >> lane & 1 == 1).collect();
            if !legal.is_empty() {
                moves[legal[rng.random_range(0..legal.len())]] |= 1 << lane;
            }
        }
        moves
    };
    legal.iter().map(&mut role).collect()
}

/// The situations in which each role makes a move, and only one that is legal.
fn made_legally(legal: &ByMove, moves: &ByMove) -> u64 {
    let roles = legal.iter().zip(moves).map(|(legal, moves)| {
        let both = legal.iter().zip(moves);
        let (any, wrong) =
            both.fold((0, 0), |(any, wrong), (legal, made)| (any | made, wrong | made & !legal));
        any & !wrong
    });
    roles.fold(!0, |all, one| all & one)
}

fn same_view(one: &View, other: &View, mask: u64, circuit: &Circuit) -> Result<(), String> {
    let role_of = |role: usize| &circuit.names.roles()[role];
    for (role, (one, other)) in one.legal.iter().zip(&other.legal).enumerate() {
        for (at, (one, other)) in one.iter().zip(other).enumerate() {
            same(*one, *other, mask, &format!("move {at} of {} is legal", role_of(role)))?;
        }
    }
    for (role, (one, other)) in one.goals.iter().zip(&other.goals).enumerate() {
        for (at, (one, other)) in one.iter().zip(other).enumerate() {
            same(*one, *other, mask, &format!("{} has goal {at}", role_of(role)))?;
        }
    }
    same(one.terminal, other.terminal, mask, "the game is over")
}

fn same_next(one: &[u64], other: &[u64], mask: u64, circuit: &Circuit) -> Result<(), String> {
    for (fluent, (one, other)) in one.iter().zip(other).enumerate() {
        let what = || format!("{} will be true", circuit.names.fluent_text(fluent));
        if (one ^ other) & mask != 0 {
            same(*one, *other, mask, &what())?;
        }
    }
    Ok(())
}

fn same(one: u64, other: u64, mask: u64, what: &str) -> Result<(), String> {
    match (one ^ other) & mask {
        0 => Ok(()),
        wrong => Err(format!("whether {what} differs in situations {:?}", lanes(wrong))),
    }
}

fn lanes(word: u64) -> Vec<usize> {
    (0..64).filter(|lane| word >> lane & 1 == 1).collect()
}
