//! The plain way to evaluate a circuit: one state at a time. Lanes are compared with it.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use propnet::circuit::CircuitGame;
use propnet::game::{Game, PlayError};
use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::sheet::Bench;

/// The joint moves per second of processor time in random playouts on one thread.
pub(super) fn steps_per_cpu_second(bench: &Bench<'_>) -> f64 {
    let mut game = CircuitGame::new(bench.circuit.clone());
    let mut rng = Pcg64::seed_from_u64(bench.options.seed);
    let time = bench.options.time / 4;
    let (start, cpu) = (Instant::now(), ThreadTime::now());
    let mut steps = 0;
    while steps == 0 || start.elapsed() < time {
        let left = time.saturating_sub(start.elapsed());
        let before = steps;
        // A role without a legal move also ends a playout.
        let _ = playout(&mut game, &mut rng, left, &mut steps);
        if steps == before {
            break;
        }
    }
    steps as f64 / cpu.elapsed().as_secs_f64()
}

/// Plays to the end, or until the time is over.
fn playout(
    game: &mut CircuitGame,
    rng: &mut Pcg64,
    time: Duration,
    steps: &mut u64,
) -> Result<(), PlayError> {
    let start = Instant::now();
    let mut state = game.initial_state()?;
    while !game.is_terminal(&state)? {
        let joint = game.complete_joint_move(&state, &[], rng)?;
        state = game.next_state(&state, &joint)?;
        *steps += 1;
        if start.elapsed() >= time {
            break;
        }
    }
    Ok(())
}
