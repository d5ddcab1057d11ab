//! Whether in every state at most one role has a choice.

use batsat::Lit;

use super::super::budget::WorkBudget;
use super::super::circuit::Circuit;
use super::super::network::Signal;
use super::super::solver::Answer;
use super::frames::{FrameStart, Frames};

/// The most work that one question may cost.
const EFFORT: u64 = 50_000_000;

/// Whether it is proven within the budget that, as long as the game goes on, never two roles have
/// more than one legal move at once.
pub fn one_chooses(circuit: &Circuit, budget: &WorkBudget<'_>) -> bool {
    let mut frames = Frames::new(circuit, budget);
    let frame = frames.add(FrameStart::Free, Vec::new());
    frames.keep_groups(frame);
    let goes_on = !frames.literal(frame, circuit.terminal);
    let mut choosers: Vec<Lit> = Vec::new();
    for role in 0..circuit.moves.len() {
        let chooses = has_choice(&mut frames, frame, role);
        for &other in &choosers {
            if frames.ask(&[goes_on, chooses, other], EFFORT) != Answer::Never {
                return false;
            }
        }
        choosers.push(chooses);
    }
    true
}

/// A literal that is true only where two moves of the role are legal: one, and one before it.
fn has_choice(frames: &mut Frames<'_>, frame: usize, role: usize) -> Lit {
    let chooses = frames.fresh();
    let mut ways = vec![!chooses];
    let mut before: Option<Lit> = None;
    let circuit = frames.circuit;
    for port in circuit.moves[role].iter().filter(|port| port.legal != Signal::FALSE) {
        let legal = frames.literal(frame, port.legal);
        let any = frames.fresh();
        match before {
            None => frames.clause(&[!any, legal]),
            Some(before) => {
                let both = frames.fresh();
                frames.clause(&[!both, legal]);
                frames.clause(&[!both, before]);
                ways.push(both);
                frames.clause(&[!any, before, legal]);
            }
        }
        before = Some(any);
    }
    frames.clause(&ways);
    chooses
}
