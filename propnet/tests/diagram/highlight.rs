//! What lights up is what the game says, and nothing is claimed that a move decides.

use propnet::circuit::diagram::{Diagram, Kind, classic, highlight, network};
use propnet::circuit::{Circuit, CircuitGame, LoopChoice};
use propnet::game::{Game, Move, State};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::support::{ROUTES, circuit_with, game};

#[test]
fn lights_are_what_the_game_says() {
    let loops = [LoopChoice::Unroll, LoopChoice::Repeat].map(|way| circuit_with(ROUTES, way));
    let games = ["tic_tac_toe", "hex_small", "rock_paper_scissors"].map(game);
    let mut rng = Pcg64::seed_from_u64(6);
    for circuit in games.iter().chain(&loops) {
        for view in [network, classic] {
            let mut diagram = view(circuit);
            let mut play = CircuitGame::new(circuit.clone());
            let mut state = play.initial_state().expect("a state");
            for _ in 0..12 {
                highlight(&mut diagram, circuit, &state).expect("its own state");
                compare_state(&diagram, circuit, &mut play, &state);
                if play.is_terminal(&state).expect("an answer") {
                    break;
                }
                let chosen: Vec<Move> = (0..play.roles().len())
                    .map(|role| {
                        let legal = play.legal_moves(&state, role).expect("legal moves");
                        let at = rng.random_range(0..legal.len());
                        legal.iter().nth(at).expect("a move")
                    })
                    .collect();
                state = play.next_state(&state, &chosen).expect("a state");
                compare_next(&diagram, &play, &state);
            }
        }
    }
}

fn lit(diagram: &Diagram, kind: Kind, label: &str) -> Option<bool> {
    let mut elements = diagram.graph.node_weights();
    elements.find(|element| element.kind == kind && element.label() == label).expect(label).lit
}

/// Nobody need move for these, so all of them are decided.
fn compare_state(diagram: &Diagram, circuit: &Circuit, play: &mut CircuitGame, state: &State) {
    let over = play.is_terminal(state).expect("an answer");
    assert_eq!(lit(diagram, Kind::Terminal, "terminal"), Some(over));
    for (role, name) in play.roles().to_vec().iter().enumerate() {
        let legal = play.legal_moves(state, role).expect("legal moves");
        for chosen in circuit.names.moves(role) {
            let text = play.move_text(role, chosen).expect("a text");
            let label = format!("(legal {name} {text})");
            assert_eq!(lit(diagram, Kind::Legal, &label), Some(legal.contains(chosen)), "{label}");
            assert_eq!(lit(diagram, Kind::Does, &format!("(does {name} {text})")), None);
        }
    }
}

/// What was said about the next state before anybody moved is true in it.
fn compare_next(diagram: &Diagram, play: &CircuitGame, next: &State) {
    let sentences = play.sentences(next).expect("sentences");
    for element in diagram.graph.node_weights() {
        if element.kind == Kind::Next
            && let Some(truth) = element.lit
        {
            assert_eq!(sentences.contains(&element.name), truth, "{}", element.label());
        }
    }
}

#[test]
fn what_a_move_decides_is_open() {
    let circuit = game("tic_tac_toe");
    let mut diagram = network(&circuit);
    let first = ["(cell 1 1 x)".to_string(), "(control o)".to_string()];
    let state = circuit.names.state_of(&first).expect("a state");
    highlight(&mut diagram, &circuit, &state).expect("its own state");
    assert_eq!(lit(&diagram, Kind::Next, "(next (cell 1 1 x))"), Some(true));
    assert_eq!(lit(&diagram, Kind::Next, "(next (cell 2 2 o))"), None);
    assert_eq!(lit(&diagram, Kind::Next, "(next (control x))"), Some(true));
    assert_eq!(lit(&diagram, Kind::Next, "(next (control o))"), Some(false));
    assert_eq!(lit(&diagram, Kind::Legal, "(legal o (mark 1 1))"), Some(false));
    assert_eq!(lit(&diagram, Kind::Legal, "(legal o (mark 2 2))"), Some(true));
}
