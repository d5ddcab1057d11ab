//! Circuit -> one network for a whole step: rules, choice of moves, random numbers.

use super::choice::Tree;
use super::copier::{Copier, Input, and_in_pairs, or_in_pairs};
use super::leaves::{MoveChoices, RoleMove, TreePlan};
use super::limit::Countdown;
use super::numbers::{Number, index, scale};
use super::options::StepOptions;
use super::random::{Generator, STATE_BITS};
use super::weighted::Offer;
use crate::circuit::{Circuit, Cone, FluentKind, Loop, Network, Signal};

/// The random bits of a choice: no move's chance is off by more than one part in 2 to this power.
pub const CHOICE_BITS: usize = 21;

/// A step of a playout, in every lane.
pub(super) struct PlayoutStep {
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
    /// Lanes that were at the limit of their moves.
    pub(super) cut: Signal,
    /// Lanes that play on.
    pub(super) going: Signal,
    /// By role and move, one after the other: where it is legal.
    pub(super) legal: Vec<Signal>,
    /// By role and move, one after the other: where it is made.
    pub(super) does: Vec<Signal>,
    /// By carried fluent: its next truth; false in lanes that play no more.
    pub(super) next: Vec<Signal>,
    /// The random generators after the step; false in lanes that play no more, unless they have a
    /// new playout.
    pub(super) random: Vec<Signal>,
    /// The moves left, as a [`Countdown`] has them; false in lanes that play no more.
    pub(super) left: Vec<Signal>,
    /// By role: the move made, if it is recorded; only in lanes that play on.
    pub(super) made: Vec<MadeIndex>,
    /// By tree: what a choice by weights has to know, if moves have weights.
    pub(super) offers: Vec<Offer>,
}

/// Which of some moves of a role was made.
pub(super) struct MadeIndex {
    /// All of its moves, or only those that are not chosen by weights.
    pub(super) moves: Vec<usize>,
    /// The index of the one that was made among them.
    pub(super) index: Number,
}

impl PlayoutStep {
    /// The step of a circuit, with moves chosen as planned.
    pub(super) fn new(
        circuit: &Circuit,
        choices: &MoveChoices,
        options: &StepOptions,
    ) -> PlayoutStep {
        let wanted = [Cone::Legal, Cone::Terminal, Cone::Next];
        let mut copier = Copier::new(circuit, &wanted);
        let active = copier.input(Input::Active);
        let random = (0..STATE_BITS).map(|bit| copier.input(Input::Random(bit))).collect();
        let left: Number =
            (0..options.limit_bits).map(|bit| copier.input(Input::Left(bit))).collect();
        let mut generator = Generator::new(random);
        copier.copy(|on_moves| !on_moves);
        let terminal = copier.place(circuit.terminal);
        let ended = copier.network.and(vec![active, terminal]);
        let open = copier.network.and(vec![active, !terminal]);
        let countdown = Countdown::new(&mut copier.network, &left);
        let cut = copier.network.and(vec![open, countdown.is_over]);
        let playing = copier.network.and(vec![open, !countdown.is_over]);
        let forests: Vec<Forest> =
            choices.trees.iter().map(|plan| copier.forest(plan, options)).collect();
        let can_move = copier.can_move(choices, &forests);
        let stuck = copier.network.and(vec![playing, !can_move]);
        let going = copier.network.and(vec![playing, can_move]);
        // A choice by weights gets forced moves as an input.
        let may_be_forced = options.forced && options.weights.is_none();
        let choosing = match may_be_forced {
            true => {
                let is_forced = copier.input(Input::IsForced);
                copier.network.and(vec![going, !is_forced])
            }
            false => going,
        };
        let mut offers = Vec::new();
        for (number, (plan, forest)) in choices.trees.iter().zip(&forests).enumerate() {
            let random = generator.draw(&mut copier.network, CHOICE_BITS);
            // In an empty tree every rank leads to the last leaf, which is not to be taken there.
            let choosing = copier.network.and(vec![choosing, forest.some]);
            match &forest.tree {
                Some(tree) => {
                    let rank = scale(&mut copier.network, tree.sum(), &random);
                    let chosen = tree.descend(&mut copier.network, choosing, &rank);
                    copier.choose(&plan.leaves, &chosen, may_be_forced);
                }
                None => {
                    let positions = plan.positions();
                    let offer = copier.offer(plan, &positions, forest.some, random);
                    let chosen = copier.chosen(number, positions.len(), choosing);
                    copier.make_chosen(plan, &offer, &positions, &chosen);
                    offers.push(offer);
                }
            }
        }
        for &(role, at) in &choices.alone {
            let legal = copier.legal(role, at);
            copier.make(role, at, legal);
        }
        copier.copy(|on_moves| on_moves);
        let (random, left) = (generator.state(), countdown.next);
        let ending = BeforeEnd { ended, stuck, cut, going, random, left, offers };
        copier.finish(ending, choices, options)
    }
}

/// What is chosen from together.
struct Forest {
    /// The counts, unless moves have weights.
    tree: Option<Tree>,
    /// Where one of its moves is legal. Roles that can only move alone leave it empty.
    some: Signal,
}

/// What is known of a step before its end is built.
struct BeforeEnd {
    ended: Signal,
    stuck: Signal,
    cut: Signal,
    going: Signal,
    random: Number,
    left: Number,
    offers: Vec<Offer>,
}

impl Copier<'_> {
    /// What the moves of a plan are chosen from.
    fn forest(&mut self, plan: &TreePlan, options: &StepOptions) -> Forest {
        let legal: Vec<Signal> = plan.leaves.iter().map(|moves| self.any_legal(moves)).collect();
        if options.weights.is_some() {
            let some = or_in_pairs(&mut self.network, legal);
            return Forest { tree: None, some };
        }
        let tree = Tree::new(&mut self.network, &legal);
        let some = or_in_pairs(&mut self.network, tree.sum().to_vec());
        Forest { tree: Some(tree), some }
    }

    /// Where every role has a legal move, in a state in which the game goes on.
    ///
    /// Of the roles of a tree at most one has legal moves in it, and a role that has one alone has
    /// none in the tree. So all roles can move where all but one have a move alone, and the tree is
    /// not empty or the last one has a move alone too.
    fn can_move(&mut self, choices: &MoveChoices, forests: &[Forest]) -> Signal {
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
            let mut waiting = Signal::TRUE;
            let mut all_but_one = Signal::FALSE;
            for &role in &plan.roles {
                in_a_tree[role] = true;
                // All before, or all but one before and this one.
                let this = self.network.and(vec![all_but_one, alone[role]]);
                all_but_one = self.network.or(vec![waiting, this]);
                waiting = self.network.and(vec![waiting, alone[role]]);
            }
            let chosen = self.network.and(vec![forest.some, all_but_one]);
            all.push(self.network.or(vec![waiting, chosen]));
        }
        all.extend((0..roles).filter(|&role| !in_a_tree[role]).map(|role| alone[role]));
        and_in_pairs(&mut self.network, all)
    }

    /// Makes the moves of the leaves that were chosen, or that are forced.
    fn choose(&mut self, leaves: &[Vec<RoleMove>], chosen: &[Signal], may_be_forced: bool) {
        for (moves, &leaf) in leaves.iter().zip(chosen) {
            for &(role, at) in moves {
                let legal = match moves[..] {
                    [_] => Signal::TRUE,
                    _ => self.legal(role, at),
                };
                let mut made = self.network.and(vec![leaf, legal]);
                if may_be_forced {
                    let forced = self.input(Input::Forced(role, at));
                    made = self.network.or(vec![made, forced]);
                }
                self.make(role, at, made);
            }
        }
    }

    pub(super) fn make(&mut self, role: usize, at: usize, made: Signal) {
        self.put(self.circuit.moves[role][at].does, made);
    }

    fn finish(
        mut self,
        ending: BeforeEnd,
        choices: &MoveChoices,
        options: &StepOptions,
    ) -> PlayoutStep {
        let carried = self.circuit.fluents.iter().filter(|port| port.kind == FluentKind::Carried);
        let next: Vec<Signal> = carried.map(|port| self.place(port.next)).collect();
        let mut while_going = |signals: Vec<Signal>| -> Vec<Signal> {
            let going = ending.going;
            signals.into_iter().map(|signal| self.network.and(vec![signal, going])).collect()
        };
        let next = while_going(next);
        let mut random = while_going(ending.random);
        let left = while_going(ending.left);
        if options.restart {
            let over = vec![ending.ended, ending.stuck, ending.cut];
            let over = or_in_pairs(&mut self.network, over);
            self.restart(over, &mut random);
        }
        let made = if options.record { self.made(choices, options) } else { Vec::new() };
        let moves = self.circuit.moves.iter().flatten();
        let (legal, does) =
            moves.map(|port| (self.place(port.legal), self.place(port.does))).unzip();
        PlayoutStep {
            network: self.network,
            loops: self.loops,
            inputs: self.inputs,
            ended: ending.ended,
            stuck: ending.stuck,
            cut: ending.cut,
            going: ending.going,
            legal,
            does,
            next,
            random,
            left,
            made,
            offers: ending.offers,
        }
    }

    /// Puts fresh generators into lanes that are over and have a new playout ready.
    fn restart(&mut self, over: Signal, random: &mut [Signal]) {
        let ready = self.input(Input::Ready);
        let starts = self.network.and(vec![over, ready]);
        for (bit, word) in random.iter_mut().enumerate() {
            let fresh = self.input(Input::Fresh(bit));
            let started = self.network.and(vec![fresh, starts]);
            *word = self.network.or(vec![*word, started]);
        }
    }

    /// By role: the move that is made, as far as a choice by weights does not know it.
    fn made(&mut self, choices: &MoveChoices, options: &StepOptions) -> Vec<MadeIndex> {
        let roles = 0..self.circuit.moves.len();
        roles
            .map(|role| {
                let alone = choices.alone.iter().filter(|(owner, _)| *owner == role);
                let moves: Vec<usize> = match options.weights {
                    Some(_) => alone.map(|&(_, at)| at).collect(),
                    None => (0..self.circuit.moves[role].len()).collect(),
                };
                let does = moves.iter().map(|&at| self.circuit.moves[role][at].does);
                let does: Vec<Signal> = does.map(|port| self.place(port)).collect();
                MadeIndex { index: index(&mut self.network, &does), moves }
            })
            .collect()
    }
}
