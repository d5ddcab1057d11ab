//! Layouts keep their promises, and pictures are what they say they are.

use std::collections::BTreeSet;
use std::io::Cursor;

use ::png::{ColorType, Decoder};
use ludens::picture::layout::{Graph, GraphEdge, GraphLayout, NodeSize, Point, layout};
use ludens::picture::{DrawnShape, Scene, png, scene, svg};
use ludens::pipeline::{Control, PipelineBounds, ground_within};
use propnet::circuit::diagram::{
    Diagram, Element, Kind, Purpose, Wire, WireKind, classic, highlight, network,
};
use propnet::circuit::{Circuit, Cone, Signal, WorkBudget, build, build_labelled};
use propnet::game::State;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::support::{load, root, small_games};

/// A graph like that of a circuit: most nodes read a few of the ones before them, near and far, and
/// some wires lead back.
fn random_graph(nodes: usize, seed: u64) -> Graph {
    let mut rng = Pcg64::seed_from_u64(seed);
    let size = |rng: &mut Pcg64| NodeSize {
        width: rng.random_range(20..180) as f32,
        height: rng.random_range(16..60) as f32,
    };
    let sizes = (0..nodes).map(|_| size(&mut rng)).collect();
    let mut edges = Vec::new();
    let first = nodes.div_ceil(4);
    for to in first..nodes {
        for _ in 0..rng.random_range(1..4) {
            let near = to.saturating_sub(40);
            let from = if rng.random_bool(0.8) { near } else { 0 };
            edges.push(GraphEdge { from: rng.random_range(from..to), to, back: false });
        }
        if rng.random_bool(0.03) {
            edges.push(GraphEdge { from: to, to: rng.random_range(0..first), back: true });
        }
        if rng.random_bool(0.01) {
            // Nobody said that this one leads back.
            edges.push(GraphEdge { from: to, to: rng.random_range(0..=to), back: false });
        }
    }
    Graph { sizes, edges }
}

fn check(graph: &Graph) -> GraphLayout {
    let layout = layout(graph).expect("a layout");
    let boxes: Vec<(Point, NodeSize)> =
        layout.corners.iter().copied().zip(graph.sizes.iter().copied()).collect();
    assert_no_overlap(&boxes);
    for &(corner, size) in &boxes {
        assert!(corner.x >= 0.0 && corner.y >= -0.01, "{corner:?}");
        assert!(corner.x + size.width <= layout.size.width + 0.01);
        assert!(corner.y + size.height <= layout.size.height + 0.01);
    }
    for (at, edge) in graph.edges.iter().enumerate() {
        let (from, to) = (boxes[edge.from], boxes[edge.to]);
        let route = &layout.routes[at];
        let (first, last) = (route[0], route[route.len() - 1]);
        assert!((first.x - (from.0.x + from.1.width)).abs() < 0.01, "leaves on the right");
        assert!((last.x - to.0.x).abs() < 0.01, "arrives on the left");
        assert!(last.y > to.0.y && last.y < to.0.y + to.1.height, "arrives within its side");
        if !layout.is_back[at] {
            assert!(route.windows(2).all(|pair| pair[0].x <= pair[1].x + 0.01), "{route:?}");
        }
    }
    layout
}

/// Sorted by their left sides, only boxes that may touch are compared.
fn assert_no_overlap(boxes: &[(Point, NodeSize)]) {
    let mut sorted = boxes.to_vec();
    sorted.sort_by(|a, b| a.0.x.total_cmp(&b.0.x));
    for (at, (corner, size)) in sorted.iter().enumerate() {
        let right = corner.x + size.width;
        for (other, other_size) in sorted[at + 1..].iter().take_while(|other| other.0.x < right) {
            let apart =
                other.y >= corner.y + size.height || corner.y >= other.y + other_size.height;
            assert!(apart, "{corner:?} {size:?} and {other:?} {other_size:?}");
        }
    }
}

#[test]
fn nodes_stand_apart_and_wires_go_forward() {
    for (nodes, seed) in [(1, 1), (2, 2), (10, 3), (50, 4), (200, 5), (400, 6)] {
        let graph = random_graph(nodes, seed);
        let layout = check(&graph);
        // Of those that are not meant to lead back, only cycles do.
        let back = |at: &usize| layout.is_back[*at] && !graph.edges[*at].back;
        assert!((0..graph.edges.len()).filter(back).count() <= nodes / 20);
    }
    check(&Graph::default());
}

#[test]
fn a_thousand_nodes_take_few_steps() {
    let graph = random_graph(1000, 7);
    let layout = check(&graph);
    // Machines do far more than a hundred million of them in a second.
    assert!(layout.steps < 20_000_000, "{} steps", layout.steps);
    let twice = layout_steps(2000);
    assert!(twice < 5 * layout.steps, "{twice} steps");
}

fn layout_steps(nodes: usize) -> u64 {
    layout(&random_graph(nodes, 7)).expect("a layout").steps
}

#[test]
fn a_layout_is_the_same_every_time() {
    let graph = random_graph(300, 8);
    let [one, two] = [layout(&graph), layout(&graph)].map(|layout| layout.expect("a layout"));
    assert_eq!((one.corners, one.routes), (two.corners, two.routes));
}

/// A ladder: each node reads the one before it and the first.
#[test]
fn endless_wires_are_refused_before_they_fill_the_memory() {
    let nodes = 4_000;
    let sizes = vec![NodeSize { width: 10.0, height: 10.0 }; 2 * nodes];
    let chain = (1..nodes).map(|to| GraphEdge { from: to - 1, to, back: false });
    // Each of as many others is read at both ends of the chain.
    let far = (nodes..2 * nodes)
        .flat_map(|from| [1, nodes - 1].map(|to| GraphEdge { from, to, back: false }));
    let graph = Graph { sizes, edges: chain.chain(far).collect() };
    let error = layout(&graph).expect_err("too many bends");
    assert!(error.bends > 10_000_000 && error.limit == 1_000_000, "{error}");
}

fn circuit(name: &str) -> Circuit {
    let rules = load(&root().join(format!("games/{name}.kif")));
    build(
        &ground_within(&rules, &PipelineBounds::default(), Control::default())
            .expect("ground rules")
            .rules,
    )
    .expect("a circuit")
}

fn picture(diagram: &Diagram) -> Scene {
    scene(diagram, "a game").expect("a scene")
}

/// Every text of an SVG document, which must be well-formed.
fn texts(document: &str, tag: &str) -> BTreeSet<String> {
    let document = roxmltree::Document::parse(document).expect("well-formed XML");
    assert_eq!(document.root_element().tag_name().name(), "svg");
    let nodes = document
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", tag)));
    nodes.map(|node| node.text().unwrap_or_default().to_string()).collect()
}

#[test]
fn svg_is_xml_with_the_name_of_every_port() {
    for path in small_games() {
        let rules = load(&path);
        let ground = ground_within(&rules, &PipelineBounds::default(), Control::default())
            .expect("ground rules");
        let circuit = build(&ground.rules).expect("a circuit");
        for diagram in [network(&circuit), classic(&circuit)] {
            let titles = texts(&svg(&picture(&diagram)), "title");
            let ports = diagram.graph.node_weights().filter(|element| element.kind.is_port());
            for port in ports {
                assert!(titles.contains(&port.label()), "{} in {}", port.label(), path.display());
            }
        }
    }
}

/// One element, and wires of every kind to itself.
fn tiny(name: &str) -> Diagram {
    let mut diagram = Diagram::default();
    let element = Element::new(Kind::Does, name, Purpose::Moves, Signal::TRUE);
    let node = diagram.graph.add_node(element);
    for kind in [WireKind::Signal, WireKind::Feedback, WireKind::Transition] {
        diagram.graph.add_edge(node, node, Wire { complement: true, kind });
    }
    diagram
}

#[test]
fn names_cannot_break_the_svg() {
    let name = "(say <&> \"quoted\" 'a' \u{1} \u{e9} ]]>)";
    let document = svg(&picture(&tiny(name)));
    let seen = name.replace('\u{1}', "\u{fffd}");
    assert!(texts(&document, "title").contains(&seen));
    assert!(texts(&document, "text").contains(&seen));
}

#[test]
fn long_names_are_broken_and_kept_whole_in_the_title() {
    let name = format!("(does player (carry {}))", vec!["something"; 20].join(" "));
    let document = svg(&picture(&tiny(&name)));
    assert!(texts(&document, "title").contains(&name));
    let lines = texts(&document, "text");
    assert!(lines.iter().all(|line| line.len() <= 44), "{lines:?}");
}

#[test]
fn gates_are_drawn_with_the_sentences_and_lines_they_come_from() {
    let rules = load(&root().join("games/tic_tac_toe.kif"));
    let ground = ground_within(&rules, &PipelineBounds::default(), Control::default())
        .expect("ground rules");
    let diagram =
        classic(&build_labelled(&ground.rules, &WorkBudget::default()).expect("a circuit"));
    let goal = diagram.cone(&diagram.ports("(goal x 100)").expect("a port"), usize::MAX);
    let words = texts(&svg(&picture(&goal)), "text");
    for word in ["or", "(line x)", "lines 73, 77, 81, 85", "and", "line 73", "line 85"] {
        assert!(words.contains(word), "{word} in {words:?}");
    }
}

#[test]
fn the_legend_explains_what_is_there() {
    let circuit = circuit("tic_tac_toe");
    let words = |diagram: &Diagram| texts(&svg(&picture(diagram)), "text");
    let plain = words(&classic(&circuit));
    for word in
        ["state", "moves", "legal", "terminal", "goal", "next", "shared", "true at the start"]
    {
        assert!(plain.contains(word), "{word}");
    }
    assert!(!plain.contains("not") && !plain.contains("true"), "{plain:?}");
    assert!(words(&network(&circuit)).contains("not"));
    let mut lit = network(&circuit).only(Cone::Next);
    let state = State::new(circuit.names.table(), [0]);
    highlight(&mut lit, &circuit, &state).expect("its own state");
    let lit = words(&lit);
    for word in ["true", "false", "open until moves are made"] {
        assert!(lit.contains(word), "{word}");
    }
}

/// Where many wires lead back to the state, names stand for them; where few do, they are drawn.
#[test]
fn few_ways_back_are_drawn_and_many_are_not() {
    let dashed = |diagram: &Diagram| {
        let scene = picture(diagram);
        let shapes = scene.figures.iter().flat_map(|figure| &figure.shapes);
        shapes
            .filter(|shape| {
                matches!(shape, DrawnShape::Path { line: Some(line), .. } if line.dashes.is_some())
            })
            .count()
    };
    let all = network(&circuit("tic_tac_toe"));
    assert_eq!(dashed(&all), 0);
    let one = all.around(&all.ports("(cell 2 2 x)").expect("a port"), 1);
    // The wire, and its line in the legend.
    assert_eq!(dashed(&one), 2);
}

/// The size of a picture, and its pixels as red, green and blue.
fn decoded(bytes: &[u8]) -> ((u32, u32), Vec<u8>) {
    let mut reader = Decoder::new(Cursor::new(bytes)).read_info().expect("a PNG file");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    assert_eq!(info.color_type, ColorType::Rgb);
    ((info.width, info.height), pixels)
}

#[test]
fn png_has_the_size_of_the_scene_and_something_on_it() {
    let diagram = classic(&circuit("tic_tac_toe"));
    let part = diagram.around(&diagram.ports("(cell 2 2 x)").expect("a port"), 2);
    let scene = picture(&part);
    let bytes = png(&scene).expect("a picture");
    let (size, pixels) = decoded(&bytes);
    // Small pictures are drawn at double size.
    let (width, height) = (2.0 * scene.size.width.ceil(), 2.0 * scene.size.height.ceil());
    assert_eq!((size.0 as f32, size.1 as f32), (width, height));
    let colours: BTreeSet<[u8; 3]> =
        pixels.chunks(3).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    // Paper, ink, and the fills of states and moves.
    for colour in [[255, 255, 255], [0x22, 0x27, 0x2e], [0xdb, 0xe9, 0xfb], [0xfd, 0xe6, 0xc8]] {
        assert!(colours.contains(&colour), "{colour:?}");
    }
    assert_eq!(png(&scene), Ok(bytes), "the same every time");
}

#[test]
fn letters_that_no_font_has_are_drawn_as_question_marks() {
    let [strange, question] = ["(say \u{4e16})", "(say ?)"].map(|name| png(&picture(&tiny(name))));
    assert_eq!(strange.expect("a picture"), question.expect("a picture"));
}

#[test]
fn enormous_pictures_are_refused() {
    let mut scene = picture(&tiny("a"));
    scene.size = NodeSize { width: 20_000.0, height: 20_000.0 };
    let error = png(&scene).expect_err("refused").to_string();
    assert_eq!(error, "the picture would have 20000 x 20000 pixels, more than 100 million");
}
