//! Wires: their routes, and the marks at their ends.

use propnet::circuit::diagram::{Diagram, WireKind, palette};
use rustc_hash::FxHashSet;

use super::layout::{GraphLayout, Point};
use super::path::{DrawnShape, LineStyle, Path};

/// The length of an arrow's head.
const HEAD: f32 = 6.0;
/// The radius of the circle that marks a complement.
const CIRCLE: f32 = 3.0;

/// All wires. Wires that leave the same element share a path as far as their routes are the same.
pub(super) fn wires(diagram: &Diagram, layout: &GraphLayout) -> Vec<DrawnShape> {
    let mut ways: Vec<Way> = Vec::new();
    let mut drawn = FxHashSet::default();
    let mut last = vec![None; diagram.graph.node_count()];
    let mut marks = Vec::new();
    for (at, edge) in diagram.graph.raw_edges().iter().enumerate() {
        let source = edge.source().index();
        let lit = diagram.graph[edge.source()].lit;
        let line = line_of(edge.weight.kind, lit);
        let way = match last[source] {
            Some((way, kind)) if kind == edge.weight.kind => way,
            _ => {
                ways.push(Way { line, path: Path::default(), lit });
                ways.len() - 1
            }
        };
        last[source] = Some((way, edge.weight.kind));
        let mut route = layout.routes[at].clone();
        marks.extend(mark(&mut route, edge.weight.complement, line));
        let path = &mut ways[way].path;
        if layout.is_back[at] {
            backward(path, &route);
        } else {
            forward(path, &route, source, &mut drawn);
        }
    }
    // Wires that are true are on top.
    ways.sort_by_key(|way| way.lit);
    let lines = ways.into_iter().filter(|way| !way.path.0.is_empty());
    let lines =
        lines.map(|way| DrawnShape::Path { path: way.path, fill: None, line: Some(way.line) });
    lines.chain(marks).collect()
}

struct Way {
    line: LineStyle,
    path: Path,
    lit: Option<bool>,
}

/// How a wire is drawn.
pub(super) fn line_of(kind: WireKind, lit: Option<bool>) -> LineStyle {
    let (colour, width) = match (lit, kind) {
        (Some(true), _) => (palette::TRUE, 1.8),
        (Some(false), _) => (palette::FALSE, 1.0),
        (None, WireKind::Transition) => (palette::STEP, 1.0),
        (None, _) => (palette::WIRE, 1.0),
    };
    let dashes = match kind {
        WireKind::Signal => None,
        WireKind::Feedback => Some([1.5, 3.0]),
        WireKind::Transition => Some([6.0, 4.0]),
    };
    LineStyle { colour, width, dashes }
}

/// The mark at the end of a wire, which is shortened by it: a circle for a complement, otherwise an
/// arrowhead.
fn mark(route: &mut [Point], complement: bool, line: LineStyle) -> Option<DrawnShape> {
    let end = route.last_mut()?;
    let Point { x, y } = *end;
    if complement {
        end.x = x - 2.0 * CIRCLE;
        let path = Path::circle(x - CIRCLE, y, CIRCLE);
        let line = Some(LineStyle::solid(line.colour, line.width.max(1.2)));
        return Some(DrawnShape::Path { path, fill: Some(palette::PAPER), line });
    }
    end.x = x - HEAD + 1.0;
    let path = Path::polygon(&[(x, y), (x - HEAD, y - 2.5), (x - HEAD, y + 2.5)]);
    Some(DrawnShape::Path { path, fill: Some(line.colour), line: None })
}

/// From left to right; parts that were drawn before are left out.
fn forward(
    path: &mut Path,
    route: &[Point],
    source: usize,
    drawn: &mut FxHashSet<(usize, [u32; 4])>,
) {
    let mut there = false;
    for pair in route.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        if !drawn.insert((source, [from.x, from.y, to.x, to.y].map(f32::to_bits))) {
            there = false;
            continue;
        }
        if !there {
            path.move_to(from.x, from.y);
        }
        there = true;
        along(path, from, to);
    }
}

/// Horizontal at both ends.
fn along(path: &mut Path, from: Point, to: Point) {
    if from.y == to.y {
        path.line_to(to.x, to.y);
        return;
    }
    let middle = (from.x + to.x) / 2.0;
    path.curve_to((middle, from.y), (middle, to.y), (to.x, to.y));
}

/// Around the right end, from right to left, and around the left end.
fn backward(path: &mut Path, route: &[Point]) {
    let [start, out, right, .., left, into, end] = *route else { return };
    let between = &route[3..route.len() - 3];
    let (Some(&first), Some(&last)) = (between.first(), between.last()) else { return };
    path.move_to(start.x, start.y).line_to(out.x, out.y);
    turn(path, out, right, first);
    for pair in between.windows(2) {
        along(path, pair[0], pair[1]);
    }
    turn(path, last, left, into);
    path.line_to(end.x, end.y);
}

fn turn(path: &mut Path, from: Point, turn: Point, to: Point) {
    path.curve_to((turn.x, from.y), (turn.x, from.y), (turn.x, turn.y));
    path.curve_to((turn.x, to.y), (turn.x, to.y), (to.x, to.y));
}
