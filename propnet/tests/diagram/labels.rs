//! Labels: the right ones, still true after passes, and free of charge for whoever wants none.

use std::collections::BTreeMap;

use propnet::circuit::diagram::{Diagram, Element, Kind, classic, network};
use propnet::circuit::optimize::{Params, Pass};
use propnet::circuit::{
    Circuit, CircuitGame, Mark, Schedule, Signal, Values, WorkBudget, build_labelled, print_circuit,
};
use propnet::game::{Game, Move, State};
use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::support::{ROUTES, circuit_of, game, ground_rules, sheet_of};

fn labelled(text: &str) -> Circuit {
    build_labelled(&ground_rules(text), &WorkBudget::default()).expect("a circuit")
}

fn optimized(circuit: Circuit) -> Circuit {
    Pass::ALL.iter().fold(circuit, |circuit, pass| pass.run(&circuit, &Params::default()).0)
}

/// The gate that computes a sentence.
fn gate<'a>(diagram: &'a Diagram, sentence: &str) -> &'a Element {
    let ports = diagram.ports(sentence).expect("a gate with that label");
    assert_eq!(ports.len(), 1, "{sentence}");
    &diagram.graph[ports[0]]
}

#[test]
fn gates_name_the_sentences_they_compute_and_the_lines_they_come_from() {
    let diagram = classic(&labelled(
        "(role a) (legal a p) (legal a q) (num 1)
         (<= (next (on ?x)) (does a ?x))
         (<= (next (on ?x)) (true (on ?x)))
         (<= (Both ?x)
             (true (on p)) (true (on q)) (num ?x))
         (<= (some ?x) (true (on p)) (num ?x))
         (<= (some ?x) (true (on q)) (num ?x))
         (<= terminal (both 1))
         (<= (goal a 100) (some 1) (not (both 1)))
         (<= (goal a 0) (both 1))",
    ));
    let both = gate(&diagram, "(both 1)");
    assert_eq!((both.kind, both.notes()), (Kind::And, vec!["(both 1)".into(), "line 4".into()]));
    let some = gate(&diagram, "(some 1)");
    assert_eq!((some.kind, some.lines.as_slice()), (Kind::Or, [6, 7].as_slice()));
    assert_eq!(some.notes(), ["(some 1)", "lines 6, 7"]);
    // The gate of a port has lines too; the port has its name already.
    let goal = diagram.graph.node_weights().find(|element| element.lines == [9]);
    assert_eq!(goal.map(|gate| gate.notes()), Some(vec!["line 9".to_string()]));
    let ports = diagram.graph.node_weights().filter(|element| element.kind.is_port());
    assert!(ports.into_iter().all(|port| port.notes().is_empty()));
}

#[test]
fn an_and_gate_that_is_an_or_of_opposites_says_what_it_is_not() {
    let diagram = network(&labelled(&sheet_of("tic_tac_toe")));
    let line = gate(&diagram, "(not (line x))");
    assert_eq!((line.kind, line.lines.first()), (Kind::And, Some(&73)));
    assert_eq!(gate(&diagram, "(line x)"), line);
}

#[test]
fn relations_of_the_grounder_are_no_labels() {
    for name in ["tic_tac_toe", "breakthrough", "connect_four", "checkers"] {
        let text = sheet_of(name);
        for label in labelled(&text).labels {
            let Mark::Sentence(sentence) = label.mark else { continue };
            let relation = sentence.trim_matches(['(', ')']).split(' ').next();
            let relation = relation.expect("a relation");
            assert!(text.contains(relation), "{sentence} in {name}");
        }
    }
}

#[test]
fn labels_change_nothing_and_cost_nothing_where_nobody_asks() {
    for text in [sheet_of("tic_tac_toe"), sheet_of("connect_four"), ROUTES.to_string()] {
        let (plain, marked) = (circuit_of(&text), labelled(&text));
        assert!(plain.labels.is_empty() && plain.labels.capacity() == 0);
        assert!(!marked.labels.is_empty());
        assert_eq!(print_circuit(&plain), print_circuit(&marked));
        let (plain, marked) = (optimized(plain), optimized(marked));
        assert!(plain.labels.is_empty() && !marked.labels.is_empty());
        assert_eq!(print_circuit(&plain), print_circuit(&marked));
    }
}

/// What is true at every label of a sentence, after a joint move in a state.
fn truths(circuit: &Circuit, state: &State, moves: &[Move]) -> BTreeMap<String, bool> {
    let mut values = Values::new(circuit);
    for (fluent, port) in circuit.fluents.iter().enumerate() {
        values.set(port.now, if state.contains(fluent) { !0 } else { 0 });
    }
    for (ports, chosen) in circuit.moves.iter().zip(moves) {
        let port = &ports[chosen.index()];
        values.set(port.does, !0);
    }
    values.compute(circuit, &Schedule::new(circuit, |_| true));
    let truth = |signal: Signal| values.of(signal) & 1 == 1;
    let labels = circuit.labels.iter().filter_map(|label| match &label.mark {
        Mark::Sentence(sentence) => Some((sentence.clone(), truth(label.signal))),
        Mark::Line(_) => None,
    });
    labels.collect()
}

#[test]
fn labels_stay_true_through_all_passes() {
    let mut kept = 0;
    for text in ["tic_tac_toe", "connect_four", "breakthrough"]
        .map(sheet_of)
        .into_iter()
        .chain([ROUTES.into()])
    {
        let built = labelled(&text);
        let passed = optimized(built.clone());
        let mut play = CircuitGame::new(built.clone());
        let mut rng = Pcg64::seed_from_u64(9);
        let mut state = play.initial_state().expect("a state");
        for _ in 0..40 {
            if play.is_terminal(&state).expect("an answer") {
                break;
            }
            let joint = play.complete_joint_move(&state, &[], &mut rng).expect("legal moves");
            let expected = truths(&built, &state, &joint);
            for (sentence, truth) in truths(&passed, &state, &joint) {
                assert_eq!(expected.get(&sentence), Some(&truth), "{sentence}");
                kept += 1;
            }
            state = play.next_state(&state, &joint).expect("a next state");
        }
    }
    assert!(kept > 100, "{kept}");
}

#[test]
fn loops_have_labels_in_both_views() {
    let circuit = labelled(ROUTES);
    for diagram in [classic(&circuit), network(&circuit)] {
        let named: Vec<&String> =
            diagram.graph.node_weights().flat_map(|element| &element.sentences).collect();
        assert!(named.iter().any(|sentence| sentence.contains("(reach 5)")), "{named:?}");
    }
    assert!(game("tic_tac_toe").labels.is_empty());
}
