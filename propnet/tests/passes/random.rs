//! Random circuits: small enough to be looked at in all states, with everything that circuits of
//! sheets have, and more often than those.

use std::sync::Arc;

use propnet::circuit::{
    Circuit, FluentKind, FluentPort, Gate, GoalPort, Group, Loop, LoopMember, MovePort, Network,
    Signal,
};
use propnet::gdl::Symbols;
use propnet::names::Names;
use propnet::terms::{TermId, Terms};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// A circuit, always the same for a seed.
pub(crate) fn circuit(seed: u64) -> Circuit {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let fluents = rng.random_range(2..=9);
    let moves: Vec<usize> = (0..rng.random_range(1..=2)).map(|_| rng.random_range(1..=6)).collect();
    let names = names(fluents, &moves);
    let mut maker = Maker { rng, network: Network::default(), loops: Vec::new(), pool: Vec::new() };
    let now: Vec<Signal> =
        (0..fluents).map(|at| maker.network.add_source(Gate::Fluent(at as u32))).collect();
    let mut moves: Vec<Vec<MovePort>> = moves
        .iter()
        .enumerate()
        .map(|(role, &count)| (0..count).map(|at| maker.move_port(role, at)).collect())
        .collect();
    maker.pool.extend_from_slice(&now);
    maker.grow(3);
    if maker.once_in(3) {
        maker.recursion();
        maker.grow(2);
        if maker.once_in(2) {
            maker.recursion();
            maker.grow(2);
        }
    }
    for ports in &mut moves {
        ports.iter_mut().for_each(|port| port.legal = maker.legal());
        if maker.once_in(2) {
            ports[0].legal = Signal::TRUE;
        }
    }
    let goals = moves.iter().map(|_| maker.goals()).collect();
    let terminal = maker.some();
    maker.pool.extend(moves.iter().flatten().map(|port| port.legal));
    // Only what comes next may read the moves.
    maker.pool.extend(moves.iter().flatten().map(|port| port.does));
    maker.grow(4);
    let port = |(at, &now): (usize, &Signal)| {
        let initially = maker.once_in(2);
        let kind = match maker.once_in(8) {
            true => FluentKind::Observed,
            false => FluentKind::Carried,
        };
        let role = at % moves.len();
        FluentPort { initially, kind, now, next: maker.next(now, &moves[role]) }
    };
    let fluents: Vec<FluentPort> = now.iter().enumerate().map(port).collect();
    Circuit {
        groups: maker.groups(&fluents),
        degrees: None,
        labels: Vec::new(),
        network: maker.network,
        names: names.into(),
        fluents,
        moves,
        goals,
        terminal,
        loops: maker.loops,
        resolved: Vec::new(),
    }
}

fn names(fluents: usize, moves: &[usize]) -> Names {
    let (mut symbols, mut terms) = (Symbols::default(), Terms::default());
    let mut term =
        |text: String| terms.intern(symbols.intern(&text), &[]).expect("a constant is not deep");
    let roles: Vec<TermId> = (0..moves.len()).map(|role| term(format!("r{role}"))).collect();
    let fluents = (0..fluents).map(|at| term(format!("f{at}"))).collect();
    let moves = moves.iter().map(|&count| (0..count).map(|at| term(format!("m{at}"))).collect());
    let moves = moves.collect();
    Names::new(Arc::new(symbols), Arc::new(terms), &roles, fluents, moves)
}

struct Maker {
    rng: Pcg64Mcg,
    network: Network,
    loops: Vec<Loop>,
    /// What gates may read.
    pool: Vec<Signal>,
}

impl Maker {
    fn once_in(&mut self, times: u32) -> bool {
        self.rng.random_range(0..times) == 0
    }

    /// A signal of the pool, one in three complemented.
    fn some(&mut self) -> Signal {
        let signal = self.pool[self.rng.random_range(0..self.pool.len())];
        signal.complement_if(self.once_in(3))
    }

    fn several(&mut self, most: usize) -> Vec<Signal> {
        (0..self.rng.random_range(2..=most)).map(|_| self.some()).collect()
    }

    /// Adds gates to the pool: so many rounds, each reading what was before.
    fn grow(&mut self, rounds: usize) {
        for _ in 0..rounds {
            let new: Vec<Signal> = (0..self.rng.random_range(1..=5)).map(|_| self.gate()).collect();
            self.pool.extend(new);
        }
    }

    fn gate(&mut self) -> Signal {
        match self.rng.random_range(0..4) {
            0 | 1 => {
                let inputs = self.several(7);
                self.network.and(inputs)
            }
            2 => {
                let inputs = self.several(7);
                self.network.or(inputs)
            }
            _ => {
                // Bodies that share literals.
                let shared = self.some();
                let bodies = (0..self.rng.random_range(2..=5)).map(|_| {
                    let mut body = self.several(3);
                    if !self.once_in(4) {
                        body.push(shared);
                    }
                    self.network.and(body)
                });
                let bodies = bodies.collect();
                self.network.or(bodies)
            }
        }
    }

    fn move_port(&mut self, role: usize, at: usize) -> MovePort {
        let does = self.network.add_source(Gate::Move(role as u32, at as u32));
        MovePort { legal: Signal::FALSE, does }
    }

    fn legal(&mut self) -> Signal {
        match self.rng.random_range(0..6) {
            0 => Signal::TRUE,
            1 => self.some(),
            2 => self.gate(),
            _ => {
                let inputs = self.several(4);
                self.network.and(inputs)
            }
        }
    }

    fn goals(&mut self) -> Vec<GoalPort> {
        let port = |value: u32| GoalPort { value: TermId(value), holds: self.some() };
        (0..2).map(port).collect()
    }

    /// A loop: each member follows from what is outside and other members, never from their
    /// absence.
    fn recursion(&mut self) {
        let number = self.loops.len() as u32;
        let count = self.rng.random_range(2..=5);
        let feedback: Vec<Signal> = (0..count)
            .map(|at| self.network.add_source(Gate::Feedback(number, at as u32)))
            .collect();
        let mut members = Vec::new();
        for at in 0..count {
            let bodies = (0..self.rng.random_range(1..=3)).map(|_| {
                let mut body = vec![self.some()];
                for _ in 0..self.rng.random_range(0..=2) {
                    body.push(feedback[self.rng.random_range(0..count)]);
                }
                self.network.and(body)
            });
            let bodies = bodies.collect();
            members.push(LoopMember { feedback: feedback[at], value: self.network.or(bodies) });
        }
        self.loops.push(Loop { members, sweeps: count });
        self.pool.extend(feedback);
    }

    /// Often as sheets write it: set by some moves, kept by others.
    fn next(&mut self, now: Signal, moves: &[MovePort]) -> Signal {
        if self.once_in(4) {
            return self.some();
        }
        let mut bodies = Vec::new();
        for port in moves {
            let mut body = vec![port.does];
            match self.rng.random_range(0..5) {
                0 => continue,
                1 | 2 => body.push(now),
                3 => body.push(self.some()),
                _ => body.extend([now, self.some()]),
            }
            bodies.push(self.network.and(body));
        }
        if self.once_in(2) {
            // All moves that leave the fluent alone in one helper.
            let alone = moves.iter().filter(|_| self.rng.random_range(0..3) > 0);
            let alone = alone.map(|port| port.does).collect();
            let alone = self.network.or(alone);
            bodies.push(self.network.and(vec![now, alone]));
        }
        if self.once_in(3) {
            bodies.push(self.gate());
        }
        self.network.or(bodies)
    }

    fn groups(&mut self, fluents: &[FluentPort]) -> Vec<Group> {
        let carried = (0..fluents.len() as u32)
            .filter(|&at| fluents[at as usize].kind == FluentKind::Carried);
        let carried: Vec<u32> = carried.collect();
        let mut groups = Vec::new();
        let mut rest = &carried[..];
        while rest.len() >= 2 && self.once_in(2) {
            let (members, others) = rest.split_at(self.rng.random_range(2..=rest.len()));
            groups.push(Group { members: members.to_vec(), exactly_one: self.once_in(2) });
            rest = others;
        }
        groups
    }
}
