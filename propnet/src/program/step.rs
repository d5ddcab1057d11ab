//! Circuit -> one network for a whole step: rules, choice of moves, random numbers.

use super::choice::Tree;
use super::copier::{Copier, Input, and_in_pairs, or_in_pairs};
use super::leaves::{Choices, RoleMove, TreePlan};
use super::numbers::{Number, scale};
use super::random::{Generator, STATE_BITS};
use crate::circuit::{Circuit, Cone, FluentKind, Loop, Network, Signal};

/// The random bits of a choice: no move's chance is off by more than one part in 2 to so many.
const CHOICE_BITS: usize = 21;

/// A step of a playout, in every lane.
pub(super) struct Step {
    /// The gates, none with more than two inputs.
    pub(super) network: Network,
    /// The blocks that are repeated, dependencies first.
    pub(super) loops: Vec<Loop>,
    /// What the input with each number is.
    pub(super) inputs: Vec<Input>,
    /// Lanes in which the game was over when the step began.
    pub(super) ended: Signal,
    /// Lanes in which a role had no legal move though the game was not over.
    pub(super) stuck: Signal,
    /// Lanes that play on.
    pub(super) going: Signal,
    /// By tree: the rank that was chosen.
    pub(super) ranks: Vec<Number>,
    /// By carried fluent: its next truth; false in lanes that play no more.
    pub(super) next: Vec<Signal>,
    /// The random generators behind the step; false in lanes that play no more.
    pub(super) random: Vec<Signal>,
    /// By role and move: whether it is made.
    pub(super) does: Vec<Vec<Signal>>,
}

impl Step {
    /// The step of a circuit, with moves chosen as planned; with weights of so many bits, if any.
    pub(super) fn new(circuit: &Circuit, choices: &Choices, weight_bits: Option<usize>) -> Step {
        let wanted = [Cone::Legal, Cone::Terminal, Cone::Next];
        let mut copier = Copier::new(circuit, &wanted);
        let active = copier.input(Input::Active);
        let random = (0..STATE_BITS).map(|bit| copier.input(Input::Random(bit))).collect();
        let mut generator = Generator::new(random);
        copier.copy(|on_moves| !on_moves);
        let terminal = copier.place(circuit.terminal);
        let ended = copier.network.and(vec![active, terminal]);
        let playing = copier.network.and(vec![active, !terminal]);
        let forests: Vec<Forest> =
            choices.trees.iter().map(|plan| copier.forest(plan, weight_bits)).collect();
        let can_move = copier.can_move(choices, &forests);
        let stuck = copier.network.and(vec![playing, !can_move]);
        let going = copier.network.and(vec![playing, can_move]);
        let mut ranks = Vec::new();
        for (plan, forest) in choices.trees.iter().zip(&forests) {
            let random = generator.draw(&mut copier.network, CHOICE_BITS);
            let rank = scale(&mut copier.network, forest.tree.sum(), &random);
            copier.choose(plan, forest, going, &rank);
            ranks.push(rank);
        }
        for &(role, at) in &choices.alone {
            let legal = copier.legal(role, at);
            copier.make(role, at, legal);
        }
        copier.copy(|on_moves| on_moves);
        copier.finish(Ending { ended, stuck, going, ranks, random: generator.state() })
    }
}

/// A tree, ready for a rank.
struct Forest {
    tree: Tree,
    /// The most that a leaf counts for.
    most: usize,
}

/// What is known of a step before its end is built.
struct Ending {
    ended: Signal,
    stuck: Signal,
    going: Signal,
    ranks: Vec<Number>,
    random: Number,
}

impl Copier<'_> {
    /// The tree of a plan, over counts or weights.
    fn forest(&mut self, plan: &TreePlan, weight_bits: Option<usize>) -> Forest {
        let most = weight_bits.map_or(1, |bits| (1 << bits) - 1);
        let leaves: Vec<Number> =
            plan.leaves.iter().map(|moves| self.leaf(moves, weight_bits)).collect();
        Forest { tree: Tree::new(&mut self.network, &leaves, most), most }
    }

    /// What a leaf counts for.
    fn leaf(&mut self, moves: &[RoleMove], weight_bits: Option<usize>) -> Number {
        let legal = |copier: &Self, &(role, at): &RoleMove| copier.legal(role, at);
        let Some(bits) = weight_bits else {
            let signals = moves.iter().map(|chosen| legal(self, chosen)).collect();
            return vec![or_in_pairs(&mut self.network, signals)];
        };
        let bit = |bit| {
            let weights: Vec<Signal> = moves
                .iter()
                .map(|chosen| {
                    let weight = self.input(Input::Weight(chosen.0, chosen.1, bit));
                    let legal = legal(self, chosen);
                    self.network.and(vec![legal, weight])
                })
                .collect();
            or_in_pairs(&mut self.network, weights)
        };
        (0..bits).map(bit).collect()
    }

    /// Where every role has a legal move, in a state in which the game goes on.
    ///
    /// Of the roles of a tree at most one has legal moves in it, and a role that has one alone has
    /// none in the tree. So all roles can move where all but one have a move alone, and the tree is
    /// not empty or the last one has a move alone too.
    fn can_move(&mut self, choices: &Choices, forests: &[Forest]) -> Signal {
        let roles = self.circuit.moves.len();
        let mut alone = vec![Vec::new(); roles];
        for &(role, at) in &choices.alone {
            alone[role].push(self.legal(role, at));
        }
        let alone: Vec<Signal> =
            alone.into_iter().map(|legal| or_in_pairs(&mut self.network, legal)).collect();
        let mut in_a_tree = vec![false; roles];
        let mut all = Vec::new();
        for (plan, forest) in choices.trees.iter().zip(forests) {
            // Weights may be 0 although a move is legal; what counts is whether one is.
            let some = self.some_legal(plan, forest);
            let mut waiting = Signal::TRUE;
            let mut all_but_one = Signal::FALSE;
            for &role in &plan.roles {
                in_a_tree[role] = true;
                // All before, or all but one before and this one.
                let this = self.network.and(vec![all_but_one, alone[role]]);
                all_but_one = self.network.or(vec![waiting, this]);
                waiting = self.network.and(vec![waiting, alone[role]]);
            }
            let chosen = self.network.and(vec![some, all_but_one]);
            all.push(self.network.or(vec![waiting, chosen]));
        }
        all.extend((0..roles).filter(|&role| !in_a_tree[role]).map(|role| alone[role]));
        and_in_pairs(&mut self.network, all)
    }

    fn some_legal(&mut self, plan: &TreePlan, forest: &Forest) -> Signal {
        if forest.most == 1 {
            return or_in_pairs(&mut self.network, forest.tree.sum().to_vec());
        }
        let moves = plan.leaves.iter().flatten();
        let legal = moves.map(|&(role, at)| self.legal(role, at));
        let legal = legal.collect();
        or_in_pairs(&mut self.network, legal)
    }

    /// Makes the moves that a rank leads to.
    fn choose(&mut self, plan: &TreePlan, forest: &Forest, going: Signal, rank: &[Signal]) {
        let mut chosen = Vec::with_capacity(plan.leaves.len());
        forest.tree.descend(&mut self.network, going, rank, forest.most, &mut chosen);
        for (moves, leaf) in plan.leaves.iter().zip(chosen) {
            for &(role, at) in moves {
                let legal = match moves[..] {
                    [_] => Signal::TRUE,
                    _ => self.legal(role, at),
                };
                let made = self.network.and(vec![leaf, legal]);
                self.make(role, at, made);
            }
        }
    }

    fn make(&mut self, role: usize, at: usize, made: Signal) {
        self.put(self.circuit.moves[role][at].does, made);
    }

    fn finish(mut self, ending: Ending) -> Step {
        let carried = self.circuit.fluents.iter().filter(|port| port.kind == FluentKind::Carried);
        let next: Vec<Signal> = carried.map(|port| self.place(port.next)).collect();
        let mut while_going = |signals: Vec<Signal>| -> Vec<Signal> {
            let going = ending.going;
            signals.into_iter().map(|signal| self.network.and(vec![signal, going])).collect()
        };
        let next = while_going(next);
        let random = while_going(ending.random);
        let moves = self.circuit.moves.iter();
        let does = moves.map(|ports| ports.iter().map(|port| self.place(port.does)).collect());
        Step {
            does: does.collect(),
            network: self.network,
            loops: self.loops,
            inputs: self.inputs,
            ended: ending.ended,
            stuck: ending.stuck,
            going: ending.going,
            ranks: ending.ranks,
            next,
            random,
        }
    }
}
