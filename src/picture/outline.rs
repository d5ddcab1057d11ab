//! The shapes of gates and ports: the usual symbols of circuit diagrams where they exist.

use propnet::circuit::diagram::{Element, Kind};

use super::layout::{NodeSize, Point};
use super::path::{LETTER_WIDTH, LINE_HEIGHT, Path};

/// The number of characters after which a line is broken.
const LONGEST_LINE: usize = 44;
/// The space left and right of the text of a port.
const SIDE: f32 = 8.0;
/// The space above and below the text.
const ABOVE: f32 = 3.0;
/// The height that each wire into a gate gets.
const PITCH: f32 = 7.0;
/// Gates do not grow taller than this.
const TALLEST: f32 = 150.0;

/// The lines of text on an element.
pub(super) fn lines(element: &Element) -> Vec<String> {
    let mut lines = match element.kind {
        Kind::Not => Vec::new(),
        _ => broken(&element.label()),
    };
    lines.extend(element.notes().iter().flat_map(|note| broken(note)));
    if element.hidden > 0 {
        lines.push(format!("+{}", element.hidden));
    }
    lines
}

/// Breaks a long name at spaces.
fn broken(name: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in name.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= LONGEST_LINE => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

/// The size of an element.
pub(super) fn size(element: &Element, lines: &[String], inputs: usize) -> NodeSize {
    let letters = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let text =
        NodeSize { width: letters as f32 * LETTER_WIDTH, height: lines.len() as f32 * LINE_HEIGHT };
    let for_wires = (PITCH * (inputs + 1) as f32).min(TALLEST);
    match element.kind {
        Kind::Not => NodeSize { width: 20.0, height: 18.0_f32.max(text.height) },
        Kind::And | Kind::Or => NodeSize {
            width: 24.0 + text.width + nose(element.kind, lines),
            height: (text.height + 4.0 * ABOVE * lines.len().max(1) as f32).max(for_wires),
        },
        _ => NodeSize { width: text.width + 2.0 * SIDE, height: text.height + 2.0 * ABOVE },
    }
}

/// The space to the right of the text in which a gate narrows, if it has several lines of text.
pub(super) fn nose(kind: Kind, lines: &[String]) -> f32 {
    let letters = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    match kind {
        Kind::Or if lines.len() > 1 => 16.0 + 0.25 * letters as f32 * LETTER_WIDTH,
        Kind::And if lines.len() > 1 => 8.0,
        _ => 0.0,
    }
}

/// The outline of an element, and whether it has a second one inside.
pub(super) fn outline(kind: Kind, corner: Point, size: NodeSize) -> Vec<Path> {
    let Point { x: left, y: top } = corner;
    let (right, bottom) = (left + size.width, top + size.height);
    let middle = (top + bottom) / 2.0;
    match kind {
        Kind::And => vec![and_gate(corner, size)],
        Kind::Or => vec![or_gate(corner, size)],
        Kind::Not => {
            let tip = right - 6.0;
            let triangle = Path::polygon(&[(left, top), (tip, middle), (left, bottom)]);
            vec![triangle, Path::circle(right - 3.0, middle, 3.0)]
        }
        Kind::Base { initially } => {
            let mut paths = vec![Path::rounded(corner, size.width, size.height, 2.0)];
            if initially {
                let inside = Point { x: left + 2.5, y: top + 2.5 };
                paths.push(Path::rounded(inside, size.width - 5.0, size.height - 5.0, 1.0));
            }
            paths
        }
        Kind::Does => vec![Path::polygon(&[
            (left, top),
            (right - SIDE, top),
            (right, middle),
            (right - SIDE, bottom),
            (left, bottom),
        ])],
        Kind::Transition => {
            let mut clock = Path::default();
            clock.move_to(left, middle - 5.0).line_to(left + 6.0, middle);
            clock.line_to(left, middle + 5.0);
            vec![Path::rounded(corner, size.width, size.height, 1.0), clock]
        }
        Kind::Next | Kind::Legal | Kind::Goal | Kind::Terminal | Kind::Follows => {
            vec![Path::rounded(corner, size.width, size.height, 9.0_f32.min(size.height / 2.0))]
        }
        Kind::Constant(_) | Kind::Init | Kind::Feedback => {
            vec![Path::rounded(corner, size.width, size.height, 4.0)]
        }
    }
}

/// Flat on the left, round on the right.
fn and_gate(corner: Point, size: NodeSize) -> Path {
    let Point { x: left, y: top } = corner;
    let (right, bottom) = (left + size.width, top + size.height);
    let round = (size.height / 2.0).min(size.width * 0.5);
    let bend = right - round;
    let middle = (top + bottom) / 2.0;
    let mut path = Path::default();
    path.move_to(left, top)
        .line_to(bend, top)
        .curve_to((bend + round * 0.6, top), (right, middle - size.height * 0.25), (right, middle))
        .curve_to(
            (right, middle + size.height * 0.25),
            (bend + round * 0.6, bottom),
            (bend, bottom),
        )
        .line_to(left, bottom)
        .close();
    path
}

/// Concave on the left, pointed on the right.
fn or_gate(corner: Point, size: NodeSize) -> Path {
    let Point { x: left, y: top } = corner;
    let (right, bottom) = (left + size.width, top + size.height);
    let middle = (top + bottom) / 2.0;
    let bend = left + size.width * 0.35;
    let hollow = left + HOLLOW;
    let mut path = Path::default();
    path.move_to(left - 2.0, top)
        .line_to(bend, top)
        .curve_to((left + size.width * 0.75, top), (right - 6.0, middle - 8.0), (right, middle))
        .curve_to((right - 6.0, middle + 8.0), (left + size.width * 0.75, bottom), (bend, bottom))
        .line_to(left - 2.0, bottom)
        .curve_to(
            (hollow, middle + size.height * 0.2),
            (hollow, middle - size.height * 0.2),
            (left - 2.0, top),
        )
        .close();
    path
}

/// How deep the concave left side of an OR gate is.
const HOLLOW: f32 = 3.0;
