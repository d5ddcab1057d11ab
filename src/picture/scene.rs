//! Diagram -> Scene: shapes and text in their places, for any renderer.

use petgraph::Direction::Incoming;
use petgraph::graph::DiGraph;
use propnet::circuit::diagram::{Diagram, Element, Kind, Wire, palette};

use super::layout::{Graph, GraphEdge, GraphLayout, NodeSize, Point, TooManyBends, layout};
use super::legend::legend;
use super::outline::{lines, nose, outline, size};
use super::path::{DrawnShape, LETTER_WIDTH, LINE_HEIGHT, LineStyle};
use super::wires::wires;

/// A picture before it is drawn.
#[derive(Clone, Debug)]
pub struct Scene {
    /// How large it is.
    pub size: NodeSize,
    /// What is drawn, from bottom to top.
    pub figures: Vec<Figure>,
}

/// Shapes that belong together.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The name of what they show, if it has one.
    pub name: Option<String>,
    /// The element of the diagram that they show, an index.
    pub node: Option<usize>,
    /// The shapes, from bottom to top.
    pub shapes: Vec<DrawnShape>,
}

/// The margin on all sides.
const MARGIN: f32 = 16.0;
/// Pictures are at least this wide, so that their legend is not a narrow column.
const NARROWEST: f32 = 420.0;

/// At most this many edges back to the state are drawn. More would cover everything else, and the
/// names at their ends say the same.
const MOST_STEPS: usize = 6;

/// The picture of a diagram.
pub fn scene(diagram: &Diagram, title: &str) -> Result<Scene, TooManyBends> {
    let diagram = &readable(diagram);
    let texts: Vec<Vec<String>> = diagram.graph.node_weights().map(lines).collect();
    let graph = graph_of(diagram, &texts);
    let mut layout = layout(&graph)?;
    let below_title = MARGIN + LINE_HEIGHT + MARGIN;
    shift(&mut layout, Point { x: MARGIN, y: below_title });
    let title_corner = Point { x: MARGIN, y: MARGIN };
    let title = DrawnShape::Text { corner: title_corner, text: title.into(), colour: palette::INK };
    let mut figures = vec![
        Figure { name: None, node: None, shapes: vec![title] },
        Figure { name: None, node: None, shapes: wires(diagram, &layout) },
    ];
    let elements = diagram.graph.node_weights().zip(&texts).enumerate();
    figures.extend(elements.map(|(node, (element, lines))| Figure {
        name: Some(element.label()),
        node: Some(node),
        shapes: element_shapes(element, lines, layout.corners[node], graph.sizes[node]),
    }));
    let corner = Point { x: MARGIN, y: below_title + layout.size.height + MARGIN };
    let width = layout.size.width.max(NARROWEST);
    let (shapes, legend_size) = legend(diagram, corner, width);
    figures.push(Figure { name: None, node: None, shapes });
    let size = NodeSize {
        width: layout.size.width.max(legend_size.width) + 2.0 * MARGIN,
        height: corner.y + legend_size.height + MARGIN,
    };
    Ok(Scene { size, figures })
}

/// The diagram without the edges back to the state, if there are many.
fn readable(diagram: &Diagram) -> Diagram {
    let mut readable = diagram.clone();
    let leads_back = |graph: &DiGraph<Element, Wire>, edge| {
        let end = graph.edge_endpoints(edge).map(|(_, end)| graph[end].kind);
        matches!(end, Some(Kind::Base { .. }))
    };
    let steps = diagram.graph.edge_indices().filter(|&edge| leads_back(&diagram.graph, edge));
    if steps.count() > MOST_STEPS {
        readable.graph.retain_edges(|graph, edge| !leads_back(&graph, edge));
    }
    readable
}

/// The graph to be laid out.
fn graph_of(diagram: &Diagram, texts: &[Vec<String>]) -> Graph {
    let nodes = diagram.graph.node_indices();
    let sizes = nodes.map(|node| {
        let inputs = diagram.graph.edges_directed(node, Incoming).count();
        size(&diagram.graph[node], &texts[node.index()], inputs)
    });
    let edges = diagram.graph.raw_edges().iter().map(|edge| GraphEdge {
        from: edge.source().index(),
        to: edge.target().index(),
        // A wire that leads to an input closes a cycle, through a step of the game or a loop.
        back: matches!(diagram.graph[edge.target()].kind, Kind::Base { .. } | Kind::Feedback),
    });
    Graph { sizes: sizes.collect(), edges: edges.collect() }
}

fn shift(layout: &mut GraphLayout, by: Point) {
    let corners = layout.corners.iter_mut();
    for point in corners.chain(layout.routes.iter_mut().flatten()) {
        point.x += by.x;
        point.y += by.y;
    }
}

fn element_shapes(
    element: &Element,
    lines: &[String],
    corner: Point,
    size: NodeSize,
) -> Vec<DrawnShape> {
    let line = match element.lit {
        Some(true) => LineStyle::solid(palette::TRUE, 2.2),
        Some(false) => LineStyle::solid(palette::FALSE, 1.0),
        None => LineStyle::solid(palette::INK, 1.0),
    };
    let fill = Some(palette::fill(element.purpose));
    let outlines = outline(element.kind, corner, size);
    let mut shapes: Vec<DrawnShape> = outlines
        .into_iter()
        .map(|path| DrawnShape::Path { path, fill, line: Some(line) })
        .collect();
    let room = size.width - nose(element.kind, lines);
    let top = corner.y + (size.height - lines.len() as f32 * LINE_HEIGHT) / 2.0;
    for (at, text) in lines.iter().enumerate() {
        let width = text.chars().count() as f32 * LETTER_WIDTH;
        let corner = Point {
            x: (corner.x + (room - width) / 2.0).round(),
            y: (top + at as f32 * LINE_HEIGHT).round(),
        };
        shapes.push(DrawnShape::Text { corner, text: text.clone(), colour: palette::INK });
    }
    shapes
}
