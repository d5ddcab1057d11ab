//! What the colours and marks of a picture mean: only those that occur in it.

use propnet::circuit::diagram::{Diagram, Kind, Purpose, WireKind, palette};

use super::layout::{NodeSize, Point};
use super::path::{DrawnShape, LETTER_WIDTH, LINE_HEIGHT, LineStyle, Path};
use super::wires::line_of;

/// The width of the sign before an explanation.
const SIGN: f32 = 22.0;
/// The space after an explanation.
const GAP: f32 = 18.0;

/// The signs of a diagram and their meanings, in lines of at most this width, and the space they
/// take.
pub(super) fn legend(diagram: &Diagram, corner: Point, width: f32) -> (Vec<DrawnShape>, NodeSize) {
    let mut shapes = Vec::new();
    let mut at = corner;
    let mut widest: f32 = 0.0;
    for (sign, meaning) in signs(diagram) {
        let room = SIGN + meaning.chars().count() as f32 * LETTER_WIDTH;
        if at.x > corner.x && at.x + room > corner.x + width {
            at = Point { x: corner.x, y: at.y + LINE_HEIGHT + 4.0 };
        }
        shapes.extend(sign.shapes(at));
        let text = Point { x: at.x + SIGN, y: at.y };
        shapes.push(DrawnShape::Text { corner: text, text: meaning, colour: palette::INK });
        at.x += room + GAP;
        widest = widest.max(at.x - GAP - corner.x);
    }
    (shapes, NodeSize { width: widest, height: at.y + LINE_HEIGHT - corner.y })
}

enum Sign {
    Fill(&'static str),
    Wire(LineStyle),
    Complement,
    Initially,
    Hidden,
}

fn signs(diagram: &Diagram) -> Vec<(Sign, String)> {
    let graph = &diagram.graph;
    let has_element =
        |test: &dyn Fn(&propnet::circuit::diagram::Element) -> bool| graph.node_weights().any(test);
    let mut signs = Vec::new();
    for purpose in Purpose::all() {
        if has_element(&|element| element.purpose == purpose) {
            signs.push((Sign::Fill(palette::fill(purpose)), purpose.word().to_string()));
        }
    }
    let mut add = |wanted: bool, sign: Sign, meaning: &str| {
        if wanted {
            signs.push((sign, meaning.to_string()));
        }
    };
    let initially = |element: &propnet::circuit::diagram::Element| {
        element.kind == Kind::Base { initially: true }
    };
    add(has_element(&initially), Sign::Initially, "true at the start");
    let has_wire = |kind| graph.edge_weights().any(|wire| wire.kind == kind);
    add(graph.edge_weights().any(|wire| wire.complement), Sign::Complement, "not");
    for (kind, meaning) in
        [(WireKind::Transition, "to the next step"), (WireKind::Feedback, "until nothing changes")]
    {
        add(has_wire(kind), Sign::Wire(line_of(kind, None)), meaning);
    }
    for (lit, meaning) in [(true, "true"), (false, "false")] {
        let sign = Sign::Wire(line_of(WireKind::Signal, Some(lit)));
        add(has_element(&|element| element.lit == Some(lit)), sign, meaning);
    }
    let open = has_element(&|element| element.lit.is_some())
        && has_element(&|element| element.lit.is_none());
    add(open, Sign::Wire(line_of(WireKind::Signal, None)), "open until moves are made");
    add(has_element(&|element| element.hidden > 0), Sign::Hidden, "inputs that are not shown");
    signs
}

impl Sign {
    fn shapes(&self, corner: Point) -> Vec<DrawnShape> {
        let (left, middle) = (corner.x, corner.y + LINE_HEIGHT / 2.0);
        let ink = Some(LineStyle::solid(palette::INK, 1.0));
        let frame = |inset: f32, fill| {
            let corner = Point { x: left + inset, y: middle - 6.0 + inset };
            let path = Path::rounded(corner, 16.0 - 2.0 * inset, 12.0 - 2.0 * inset, 1.0);
            DrawnShape::Path { path, fill, line: ink }
        };
        let wire = |line| {
            let mut path = Path::default();
            path.move_to(left, middle).line_to(left + 16.0, middle);
            DrawnShape::Path { path, fill: None, line: Some(line) }
        };
        match *self {
            Sign::Fill(colour) => vec![frame(0.0, Some(colour))],
            Sign::Initially => {
                let fill = Some(palette::fill(Purpose::State));
                vec![frame(0.0, fill), frame(2.5, fill)]
            }
            Sign::Wire(line) => vec![wire(line)],
            Sign::Complement => {
                let path = Path::circle(left + 12.0, middle, 3.0);
                let circle = DrawnShape::Path { path, fill: Some(palette::PAPER), line: ink };
                vec![wire(line_of(WireKind::Signal, None)), circle]
            }
            Sign::Hidden => vec![DrawnShape::Text {
                corner: Point { x: left, y: corner.y },
                text: "+n".to_string(),
                colour: palette::INK,
            }],
        }
    }
}
