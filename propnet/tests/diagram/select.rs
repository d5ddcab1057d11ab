//! Parts of diagrams: the right ones, and helpful words where there is none.

use std::collections::BTreeSet;

use propnet::circuit::Cone;
use propnet::circuit::diagram::{Diagram, Kind, SelectError, classic, network};

use super::support::{ROUTES, circuit_of, game};

/// The labels of the ports.
fn ports(diagram: &Diagram) -> BTreeSet<String> {
    let ports = diagram.graph.node_weights().filter(|element| element.kind.is_port());
    ports.map(|element| element.label()).collect()
}

fn labels(diagram: &Diagram, name: &str) -> Vec<String> {
    let ports = diagram.ports(name).expect("a port");
    ports.into_iter().map(|node| diagram.graph[node].label()).collect()
}

#[test]
fn ports_are_found_by_their_sentence() {
    for diagram in [network(&game("tic_tac_toe")), classic(&game("tic_tac_toe"))] {
        let is = |name: &str, expected: &[&str]| assert_eq!(labels(&diagram, name), expected);
        is("(cell 2 2 x)", &["(cell 2 2 x)", "(next (cell 2 2 x))"]);
        is("  ( CELL 2\t2 X ) ", &["(cell 2 2 x)", "(next (cell 2 2 x))"]);
        is("(true (cell 2 2 x))", &["(cell 2 2 x)"]);
        is("(next (cell 2 2 x))", &["(next (cell 2 2 x))"]);
        is("(does x (mark 1 1))", &["(does x (mark 1 1))"]);
        is("(legal o noop)", &["(legal o noop)"]);
        is("(goal x 100)", &["(goal x 100)"]);
        is("terminal", &["terminal"]);
    }
}

#[test]
fn unknown_names_bring_similar_ones() {
    let diagram = network(&game("tic_tac_toe"));
    let complaint = |name: &str| diagram.ports(name).expect_err("no such port").to_string();
    assert_eq!(
        complaint("(cel 2 2 x)"),
        "the circuit has no port (cel 2 2 x); similar are (cell 2 2 x), (cell 1 2 x), (cell 2 1 x)"
    );
    assert_eq!(
        complaint("(qqqqqqqqqqqqqqqqqqqqq)"),
        "the circuit has no port (qqqqqqqqqqqqqqqqqqqqq)"
    );
    assert!(matches!(diagram.between("terminl", "terminal"), Err(SelectError::Unknown { .. })));
}

#[test]
fn around_a_port_is_what_it_depends_on_and_what_depends_on_it() {
    let diagram = classic(&game("tic_tac_toe"));
    let start = diagram.ports("(next (cell 2 2 x))").expect("a port");
    let near = diagram.around(&start, 1);
    let expected = ["(cell 2 2 x)", "(does x (mark 2 2))", "(next (cell 2 2 x))"];
    assert_eq!(ports(&near), expected.map(str::to_string).into());
    // One OR gate, and the way back to the state.
    let kinds: Vec<Kind> = near.graph.node_weights().map(|element| element.kind).collect();
    assert!(kinds.contains(&Kind::Or) && kinds.contains(&Kind::Transition));
    assert_eq!(near.graph.node_count(), 5);
    assert!(near.graph.node_weights().all(|element| element.hidden == 0));

    let start = diagram.ports("(cell 2 2 x)").expect("a port");
    let [one, two, all] = [1, 2, usize::MAX].map(|depth| diagram.around(&start, depth));
    assert!(ports(&one).is_subset(&ports(&two)) && ports(&two).is_subset(&ports(&all)));
    assert!(one.graph.node_count() < two.graph.node_count());
    assert!(ports(&two).contains("(legal o (mark 2 2))") && !ports(&one).contains("terminal"));
    assert!(ports(&all).contains("terminal") && !ports(&all).contains("(legal o noop)"));
}

#[test]
fn the_cone_of_a_sentence_is_what_it_depends_on_and_nothing_else() {
    for view in [network, classic] {
        let diagram = view(&game("tic_tac_toe"));
        let cone = |name: &str, depth| diagram.cone(&diagram.ports(name).expect("a port"), depth);
        let legal = cone("(legal x (mark 1 2))", usize::MAX);
        let expected = ["(cell 1 2 o)", "(cell 1 2 x)", "(control x)", "(legal x (mark 1 2))"];
        assert_eq!(ports(&legal), expected.map(str::to_string).into());
        let end = cone("terminal", usize::MAX);
        let cells = ports(&end).into_iter().filter(|name| name.starts_with("(cell"));
        assert_eq!((cells.count(), ports(&end).len()), (18, 19));
        assert!(end.graph.node_weights().all(|element| element.hidden == 0));
        // Other than what is around it, where the goals are too.
        assert!(!ports(&end).contains("(goal x 100)"));
        let near = cone("terminal", 1);
        assert!(near.graph.node_count() < end.graph.node_count());
        assert!(near.graph.node_weights().any(|element| element.hidden > 0));
    }
}

#[test]
fn gates_count_the_inputs_that_are_not_shown() {
    let diagram = classic(&game("tic_tac_toe"));
    let way = diagram.between("(cell 2 2 x)", "(goal x 100)").expect("a way");
    // Through the center go four lines of x, of which there are eight.
    let hidden: BTreeSet<(Kind, usize)> =
        way.graph.node_weights().map(|element| (element.kind, element.hidden)).collect();
    let base = Kind::Base { initially: false };
    assert_eq!(hidden, [(base, 0), (Kind::And, 2), (Kind::Or, 4), (Kind::Goal, 0)].into());
    assert_eq!(way.graph.node_count(), 1 + 4 + 1 + 1);
}

#[test]
fn between_two_ports_is_what_lies_on_a_way() {
    let diagram = network(&game("tic_tac_toe"));
    let way = diagram.between("(control x)", "(legal x (mark 1 2))").expect("a way");
    assert_eq!(way.graph.node_count(), 3);
    let none = diagram.between("(does x (mark 1 1))", "terminal").expect_err("no way");
    let words = "within one step of the game nothing leads from (does x (mark 1 1)) to terminal";
    assert_eq!(none.to_string(), words);
}

#[test]
fn only_one_question_is_shown_with_all_that_it_depends_on() {
    for view in [network, classic] {
        let diagram = view(&game("tic_tac_toe"));
        let kinds = |cone| -> BTreeSet<&str> {
            let part: Diagram = diagram.only(cone);
            let ports = part.graph.node_weights().filter(|element| element.kind.is_port());
            ports.map(|element| element.kind.word()).collect()
        };
        assert_eq!(kinds(Cone::Legal), ["base", "legal"].into());
        assert_eq!(kinds(Cone::Goal), ["base", "goal"].into());
        assert_eq!(kinds(Cone::Terminal), ["base", "terminal"].into());
        assert_eq!(kinds(Cone::Next), ["base", "does", "next"].into());
        for cone in [Cone::Legal, Cone::Goal, Cone::Terminal, Cone::Next] {
            assert!(diagram.only(cone).graph.node_weights().all(|element| element.hidden == 0));
        }
    }
}

#[test]
fn loops_are_followed() {
    for view in [network, classic] {
        let diagram = view(&circuit_of(ROUTES));
        let part = ports(&diagram.only(Cone::Goal));
        assert!(part.contains("(open 1 2)") && part.contains("(at 3)"), "{part:?}");
    }
}
