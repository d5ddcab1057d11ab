//! NST (n-gram selection technique): playouts prefer moves that did well after the same moves.
//!
//! Tak, Winands and Björnsson 2012, "N-grams and the last-good-reply policy applied in general game
//! playing". The value of a move is the mean of the means of up to three sequences: the move alone, after
//! the move before it, and after the two before it. Longer sequences count from some visits on.
//!
//! The move before is that of the role before in the order of roles, one step ago, and the one before
//! that of the role before that one, two steps ago. Where roles move in turns, these are the last moves.

use propnet::game::{Move, Role};
use propnet::lanes::Condition;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use super::averages::{Average, MoveAverages};
use super::lessons::Finished;
use super::mast::{AVERAGES, TAU, UNSEEN_VALUE};
use super::value_source::{Conditions, LaneValue, MakeValues, Situation, ValueSource};
use crate::search::scheme::{Parameter, Part};

/// The visits of a sequence of several moves that make its mean count.
const VISITS: Parameter = Parameter::count(
    "ngram_visits",
    "the visits from which on the mean of a sequence of two or three moves counts",
    7,
    1,
    1 << 20,
);

/// The longest sequence.
const LENGTH: Parameter =
    Parameter::count("ngram_length", "the moves of the longest sequence", 3, 1, 3);

/// The part with this name.
pub(super) const PART: Part<MakeValues> = Part {
    name: "nst",
    help: "playouts prefer moves that did well after the same one or two moves",
    paper: "Tak, Winands and Björnsson 2012 (NST)",
    parameters: &[TAU, UNSEEN_VALUE, VISITS, LENGTH],
    make: MakeValues {
        kind: AVERAGES,
        tau: TAU,
        weight: None,
        make: |values, moves| {
            Box::new(Nst {
                single: MoveAverages::new(moves, values.get(&UNSEEN_VALUE)),
                longer: vec![FxHashMap::default(); moves.len()],
                visits: values.get(&VISITS),
                length: values.count(&LENGTH) as usize,
            })
        },
    },
};

/// The most sequences of a role that are kept.
const MOST_SEQUENCES: usize = 1 << 20;

/// The most sequences of each length that lanes look at for a move: those made most often.
const MOST_CONTEXTS: usize = 96;

/// The means of sequences.
#[derive(Clone)]
struct Nst {
    single: MoveAverages,
    /// By role, for sequences of two and three moves that end with its own.
    longer: Vec<FxHashMap<Gram, Average>>,
    visits: f64,
    length: usize,
}

/// Moves before a move, the nearest one first, and the move.
type Gram = (SmallVec<[u32; 2]>, u32);

/// The role whose move some steps before counts.
fn role_before(role: Role, steps: usize, roles: usize) -> Role {
    (role + 2 * roles - steps) % roles
}

impl Nst {
    fn roles(&self) -> usize {
        self.longer.len()
    }

    /// The mean of the means of a move after others, the nearest one first.
    fn value(&self, role: Role, chosen: Move, before: &[u32]) -> f64 {
        let single = self.single.value(role, chosen);
        let known = |length: usize| self.mean(role, chosen, before.get(..length)?);
        let longer = [known(1), known(2)].into_iter().flatten();
        let (sum, count) =
            longer.fold((single, 1.0), |(sum, count), mean| (sum + mean, count + 1.0));
        sum / count
    }

    /// The mean of a sequence that was visited often enough.
    fn mean(&self, role: Role, chosen: Move, before: &[u32]) -> Option<f64> {
        let gram = (SmallVec::from_slice(before), chosen.index() as u32);
        let average = self.longer[role].get(&gram)?;
        average.value().filter(|_| average.count >= self.visits)
    }

    /// The conditions of moves before, the nearest one first.
    fn conditions(&self, role: Role, table: propnet::game::TableId, before: &[u32]) -> Conditions {
        let condition = |(at, &number): (usize, &u32)| Condition::Made {
            role: role_before(role, at + 1, self.roles()),
            chosen: Move::new(table, number),
            steps_ago: at + 1,
        };
        before.iter().enumerate().map(condition).collect()
    }
}

impl ValueSource for Nst {
    fn reads_playouts(&self) -> bool {
        true
    }

    fn looks_back(&self) -> bool {
        self.length > 1
    }

    fn learn(&mut self, finished: &Finished) {
        let roles = self.roles();
        finished.credits_in_sequence(|joint, scores, [last, second]| {
            for (role, (&chosen, &score)) in joint.iter().zip(scores).enumerate() {
                self.single.add(role, chosen, score, finished.count);
                let mut before: SmallVec<[u32; 2]> = smallvec![];
                for (at, joint) in [last, second].into_iter().take(self.length - 1).enumerate() {
                    let Some(joint) = joint else { break };
                    before.push(joint[role_before(role, at + 1, roles)].index() as u32);
                    let gram = (before.clone(), chosen.index() as u32);
                    let grams = &mut self.longer[role];
                    if grams.len() < MOST_SEQUENCES || grams.contains_key(&gram) {
                        grams.entry(gram).or_default().add(score, finished.count);
                    }
                }
            }
        });
    }

    fn values(&self, role: Role, moves: &[Move], at: &Situation) -> Vec<f64> {
        let roles = self.roles();
        let before = (1..self.length)
            .map_while(|steps| at.made_before(role_before(role, steps, roles), steps, roles));
        let before: SmallVec<[u32; 2]> = before.map(|chosen| chosen.index() as u32).collect();
        moves.iter().map(|&chosen| self.value(role, chosen, &before)).collect()
    }

    fn lane_values(&self, role: Role, count: usize) -> Vec<LaneValue> {
        let singles = self.single.values(role);
        let base = |at: usize| singles.get(at).copied().flatten();
        let mut moves: Vec<LaneValue> = (0..count)
            .map(|at| LaneValue {
                base: base(at).unwrap_or(self.single.unseen()),
                contexts: Vec::new(),
            })
            .collect();
        let Some(table) = self.single.table() else { return moves };
        // By length and move: sequences that count, with their visits.
        let mut grams = [vec![Vec::new(); count], vec![Vec::new(); count]];
        for ((before, chosen), average) in &self.longer[role] {
            if average.count >= self.visits
                && let Some(own) = grams[before.len() - 1].get_mut(*chosen as usize)
            {
                own.push((average.count, before));
            }
        }
        // Longer sequences first. Those of one length exclude each other, so that equal values can
        // follow each other.
        for of_length in grams.iter_mut().rev() {
            for (at, own) in of_length.iter_mut().enumerate() {
                own.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(other.1)));
                own.truncate(MOST_CONTEXTS);
                let chosen = Move::new(table, at as u32);
                let value = |before: &[u32]| self.value(role, chosen, before);
                let context =
                    |before: &[u32]| (self.conditions(role, table, before), value(before));
                let mut contexts: Vec<(Conditions, f64)> =
                    own.iter().map(|(_, before)| context(before)).collect();
                contexts.sort_by(|one, other| other.1.total_cmp(&one.1));
                moves[at].contexts.extend(contexts);
            }
        }
        moves
    }

    fn copy(&self) -> Box<dyn ValueSource> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use propnet::game::{State, TableId};

    use super::*;
    use crate::search::scheme::Values;

    /// Two roles in turns; the other one waits with move 9.
    fn learn(nst: &mut dyn ValueSource, table: TableId, own: &[u32], goals: [f64; 2], count: f64) {
        let chosen = |at: u32| Move::new(table, at);
        let joints = own.iter().enumerate().flat_map(|(step, &at)| match step % 2 {
            0 => [chosen(at), chosen(9)],
            _ => [chosen(9), chosen(at)],
        });
        let moves: Vec<Move> = joints.collect();
        let (path, playout) = moves.split_at(2);
        nst.learn(&Finished { path, playout, goals: &goals, discount: 1.0, count });
    }

    #[test]
    fn a_move_is_worth_the_mean_of_its_sequences() {
        let table = TableId::unique();
        let chosen = |at: u32| Move::new(table, at);
        let mut nst = (PART.make.make)(&Values::default(), &[10, 10]);
        // Move 3 after 2 after 1 is worth 80 in seven simulations; after 4, 20 in seven, and after 5
        // after 2, 50 in six, which are too few.
        learn(&mut *nst, table, &[1, 2, 3], [80.0, 20.0], 7.0);
        learn(&mut *nst, table, &[1, 4, 3], [20.0, 80.0], 7.0);
        learn(&mut *nst, table, &[5, 2, 3], [50.0, 50.0], 6.0);
        let state = State::new(table, []);
        let value = |before: &[u32]| {
            let joints = before.iter().enumerate().flat_map(|(at, &own)| {
                // The last one before a move of the first role is of the second.
                match (before.len() - at) % 2 {
                    1 => [chosen(9), chosen(own)],
                    _ => [chosen(own), chosen(9)],
                }
            });
            let made: Vec<Move> = joints.collect();
            let at = Situation { state: &state, made: &made };
            let exact = nst.values(0, &[chosen(3)], &at)[0];
            let lanes = &nst.lane_values(0, 10)[3];
            let holds = |condition: &Condition| match *condition {
                Condition::Made { role, chosen, steps_ago } => {
                    at.made_before(role, steps_ago, 2) == Some(chosen)
                }
                Condition::Fluent(_) => false,
            };
            let first = lanes.contexts.iter().find(|(all, _)| all.iter().all(holds));
            assert_eq!(first.map_or(lanes.base, |(_, value)| *value), exact, "{before:?}");
            exact
        };
        // Alone: (7 * 80 + 7 * 20 + 6 * 50) / 20.
        let single = 50.0;
        // After 2: (7 * 80 + 6 * 50) / 13.
        let double = 860.0 / 13.0;
        assert_eq!(value(&[]), single);
        assert!((value(&[1, 2]) - (single + double + 80.0) / 3.0).abs() < 1e-9);
        assert!((value(&[5, 2]) - (single + double) / 2.0).abs() < 1e-9);
        assert!((value(&[2]) - (single + double) / 2.0).abs() < 1e-9);
        assert!((value(&[1, 4]) - (single + 20.0 + 20.0) / 3.0).abs() < 1e-9);
        assert_eq!(value(&[7]), single);
        let unseen = nst.values(0, &[chosen(8)], &Situation { state: &state, made: &[] });
        assert_eq!(unseen, [100.0]);
    }
}
