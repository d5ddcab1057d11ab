//! Latches: fluents that once true stay true, or once false stay false, as long as the game goes on.
//!
//! Random play proposes them: they have come to a value, and were never seen to leave it. The proof
//! is one step of induction: no legal joint move of a state that keeps the groups of the circuit
//! leads away from the value.

use batsat::Lit;

use super::super::budget::WorkBudget;
use super::super::circuit::{Circuit, FluentKind};
use super::super::optimize::Simulator;
use super::super::solver::Answer;
use super::frames::{FrameStart, Frames};

/// A fluent that keeps a value once it has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Latch {
    /// The fluent, by its index; it is carried.
    pub fluent: u32,
    /// The value that it keeps.
    pub value: bool,
}

/// Steps of random play by which candidates are found.
const STEPS: usize = 256;
/// The most work that one question may cost.
const EFFORT: u64 = 20_000_000;

/// The latches of a game that are found and proven within the budget, by fluent.
pub fn latches(circuit: &Circuit, budget: &WorkBudget<'_>) -> Vec<Latch> {
    let mut open = candidates(circuit, budget);
    if open.is_empty() {
        return open;
    }
    let mut step = LatchStep::new(circuit, budget, &open);
    let mut proven = Vec::new();
    while let Some(latch) = open.pop() {
        match step.leaves(latch) {
            Answer::Never => proven.push(latch),
            Answer::Unknown => {}
            // The example may show others to be none.
            Answer::Possible => open.retain(|&other| !step.is_left(other)),
        }
    }
    proven.sort_unstable();
    proven
}

/// Carried fluents that came to a value in 64 random games, and never left it.
fn candidates(circuit: &Circuit, budget: &WorkBudget<'_>) -> Vec<Latch> {
    let mut simulator = Simulator::new(circuit, 1, budget);
    let count = circuit.fluents.len();
    let (mut rises, mut falls) = (vec![false; count], vec![false; count]);
    for _ in 0..STEPS {
        if !budget.goes_on(1) {
            break;
        }
        // A game that is over starts again; that step is none of the game.
        let playing = simulator.goes_on();
        let before = simulator.now().clone();
        simulator.step();
        for (fluent, (&before, &now)) in before.iter().zip(simulator.now()).enumerate() {
            rises[fluent] |= !before & now & playing != 0;
            falls[fluent] |= before & !now & playing != 0;
        }
    }
    let latch = |fluent: usize| {
        let is_carried = circuit.fluents[fluent].kind == FluentKind::Carried;
        let fluent_index = fluent as u32;
        (is_carried && rises[fluent] != falls[fluent])
            .then_some(Latch { fluent: fluent_index, value: rises[fluent] })
    };
    (0..count).filter_map(latch).collect()
}

/// A step of the game as clauses.
struct LatchStep<'b> {
    frames: Frames<'b>,
    /// A legal joint move is made.
    made: Lit,
    /// By fluent, where asked about: what it is now and next.
    now: Vec<Option<[Lit; 2]>>,
}

impl<'b> LatchStep<'b> {
    fn new(circuit: &'b Circuit, budget: &'b WorkBudget<'b>, about: &[Latch]) -> Self {
        let mut frames = Frames::new(circuit, budget);
        let frame = frames.add(FrameStart::Free, Vec::new());
        frames.keep_groups(frame);
        let made = frames.move_made(frame);
        let mut now = vec![None; circuit.fluents.len()];
        for latch in about {
            let fluent = latch.fluent as usize;
            let next = frames.literal(frame, circuit.fluents[fluent].next);
            now[fluent] = Some([frames.fluent(frame, fluent), next]);
        }
        LatchStep { frames, made, now }
    }

    /// The literals that are true where a latch has its value and loses it.
    fn loss(&self, latch: Latch) -> Option<[Lit; 2]> {
        let [now, next] = self.now[latch.fluent as usize]?;
        Some(if latch.value { [now, !next] } else { [!now, next] })
    }

    /// Whether a move can lead away from the value.
    fn leaves(&mut self, latch: Latch) -> Answer {
        let Some([has, loses]) = self.loss(latch) else { return Answer::Unknown };
        self.frames.ask(&[self.made, has, loses], EFFORT)
    }

    /// Whether that is so in the last example.
    fn is_left(&self, latch: Latch) -> bool {
        self.loss(latch).is_none_or(|loss| loss.iter().all(|&literal| self.frames.holds(literal)))
    }
}
