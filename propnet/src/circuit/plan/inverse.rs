//! Moves that can be taken back: for each move one that always leads back to the state before.

use super::super::budget::WorkBudget;
use super::super::circuit::{Circuit, FluentKind};
use super::super::network::Signal;
use super::super::optimize::Simulator;
use super::super::solver::Answer;
use super::frames::{FrameStart, Frames};

/// The most work that one question may cost.
const EFFORT: u64 = 20_000_000;
/// Steps of random play to find candidates.
const STEPS: usize = 32;

/// By move of the only role, the move that takes it back; `None` unless that is proven for every
/// move that is ever legal. Fluents of `besides` need not come back: step counters.
pub fn inverse_moves(
    circuit: &Circuit,
    besides: &[u32],
    budget: &WorkBudget<'_>,
) -> Option<Vec<Option<usize>>> {
    let [ports] = circuit.moves.as_slice() else { return None };
    let carried: Vec<usize> = (0..circuit.fluents.len())
        .filter(|&fluent| {
            circuit.fluents[fluent].kind == FluentKind::Carried
                && besides.binary_search(&(fluent as u32)).is_err()
        })
        .collect();
    let mut inverse = vec![None; ports.len()];
    for (at, port) in ports.iter().enumerate() {
        if port.does == Signal::FALSE {
            continue;
        }
        let candidates = candidates(circuit, &carried, at, budget)?;
        let proven = |&back: &usize| is_inverse(circuit, &carried, at, back, budget);
        inverse[at] = Some(candidates.into_iter().find(proven)?);
    }
    Some(inverse)
}

/// Moves that led back in a few random states; `None` if the budget is used up.
fn candidates(
    circuit: &Circuit,
    carried: &[usize],
    at: usize,
    budget: &WorkBudget<'_>,
) -> Option<Vec<usize>> {
    let ports = &circuit.moves[0];
    let mut simulator = Simulator::new(circuit, 1 + at as u64, budget);
    for _ in 0..STEPS {
        if !budget.goes_on(1) || budget.proofs() == 0 {
            return None;
        }
        let before = simulator.now().clone();
        let lanes = simulator.holds(ports[at].legal) & simulator.goes_on();
        if lanes == 0 {
            simulator.step();
            continue;
        }
        let lane = lanes.trailing_zeros();
        let start = before.iter().map(|word| 0u64.wrapping_sub(word >> lane & 1)).collect();
        simulator.start_at(&start);
        simulator.step_with(&[Some(at as u32)]);
        if simulator.goes_on() == 0 {
            simulator.start_at(&before);
            simulator.step();
            continue;
        }
        let after = simulator.now().clone();
        let mut found = Vec::new();
        for (back, port) in ports.iter().enumerate() {
            if simulator.holds(port.legal) & 1 == 0 {
                continue;
            }
            simulator.step_with(&[Some(back as u32)]);
            if carried.iter().all(|&fluent| simulator.now()[fluent] == start[fluent]) {
                found.push(back);
            }
            simulator.start_at(&after);
        }
        return Some(found);
    }
    // It was not seen, so any move may take it back.
    Some((0..ports.len()).filter(|&back| ports[back].does != Signal::FALSE).collect())
}

/// Whether a move is always taken back by another, wherever the game goes on after it.
fn is_inverse(
    circuit: &Circuit,
    carried: &[usize],
    at: usize,
    back: usize,
    budget: &WorkBudget<'_>,
) -> bool {
    let mut frames = Frames::new(circuit, budget);
    let here = frames.add(FrameStart::Free, Vec::new());
    frames.keep_groups(here);
    let there = frames.add(FrameStart::After(here), Vec::new());
    let again = frames.add(FrameStart::After(there), Vec::new());
    let does = |frames: &mut Frames<'_>, frame: usize, chosen: usize| {
        for (at, port) in circuit.moves[0].iter().enumerate() {
            if port.does != Signal::FALSE {
                let literal = frames.literal(frame, port.does);
                frames.clause(&[if at == chosen { literal } else { !literal }]);
            }
        }
    };
    does(&mut frames, here, at);
    does(&mut frames, there, back);
    let legal = frames.literal(here, circuit.moves[0][at].legal);
    let over = [frames.literal(here, circuit.terminal), frames.literal(there, circuit.terminal)];
    let question = [legal, !over[0], !over[1]];
    // Wrong: the way back is not legal, or something is not as it was.
    let mut wrong = Vec::new();
    let legal_back = frames.literal(there, circuit.moves[0][back].legal);
    wrong.push(!legal_back);
    for &fluent in carried {
        let (old, new) = (frames.fluent(here, fluent), frames.fluent(again, fluent));
        let differs = frames.fresh();
        frames.clause(&[!differs, old, new]);
        frames.clause(&[!differs, !old, !new]);
        wrong.push(differs);
    }
    frames.clause(&wrong);
    frames.ask(&question, EFFORT) == Answer::Never
}
