//! What pictures are made of: outlines, lines and text.

use super::layout::Point;

/// The width of a character: all characters have the same width.
pub(super) const LETTER_WIDTH: f32 = 7.0;
/// The height of a line of text.
pub(super) const LINE_HEIGHT: f32 = 16.0;

/// One thing to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum DrawnShape {
    /// A path that is filled, stroked, or both.
    Path {
        /// Where it goes.
        path: Path,
        /// The colour inside, as `#rrggbb`.
        fill: Option<&'static str>,
        /// How it is stroked.
        line: Option<LineStyle>,
    },
    /// A line of text.
    Text {
        /// The upper left corner.
        corner: Point,
        /// The text.
        text: String,
        /// Its colour, as `#rrggbb`.
        colour: &'static str,
    },
}

/// How a path is stroked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineStyle {
    /// The colour, as `#rrggbb`.
    pub colour: &'static str,
    /// The width.
    pub width: f32,
    /// The lengths of dashes and of the gaps between them.
    pub dashes: Option<[f32; 2]>,
}

impl LineStyle {
    /// A line without gaps.
    pub fn solid(colour: &'static str, width: f32) -> Self {
        LineStyle { colour, width, dashes: None }
    }
}

/// A part of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PathSegment {
    /// Moves to a point without drawing.
    Move(Point),
    /// A straight line to a point.
    Line(Point),
    /// A cubic curve with these control points to a point.
    Curve(Point, Point, Point),
    /// Back to the point of the last move.
    Close,
}

/// A path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path(pub Vec<PathSegment>);

/// How far the control points of a quarter of a circle are from its ends, for radius one.
const ROUND: f32 = 0.552_284_8;

impl Path {
    /// Starts a new outline at a point.
    pub fn move_to(&mut self, x: f32, y: f32) -> &mut Self {
        self.0.push(PathSegment::Move(Point { x, y }));
        self
    }

    /// Draws a straight line to a point.
    pub fn line_to(&mut self, x: f32, y: f32) -> &mut Self {
        self.0.push(PathSegment::Line(Point { x, y }));
        self
    }

    /// Draws a curve.
    pub fn curve_to(&mut self, one: (f32, f32), two: (f32, f32), end: (f32, f32)) -> &mut Self {
        let point = |(x, y)| Point { x, y };
        self.0.push(PathSegment::Curve(point(one), point(two), point(end)));
        self
    }

    /// Closes the outline.
    pub fn close(&mut self) -> &mut Self {
        self.0.push(PathSegment::Close);
        self
    }

    /// A polygon.
    pub fn polygon(corners: &[(f32, f32)]) -> Self {
        let mut path = Path::default();
        for (at, &(x, y)) in corners.iter().enumerate() {
            if at == 0 {
                path.move_to(x, y)
            } else {
                path.line_to(x, y)
            };
        }
        path.close();
        path
    }

    /// A rectangle with rounded corners.
    pub fn rounded(corner: Point, width: f32, height: f32, radius: f32) -> Self {
        let (left, top) = (corner.x, corner.y);
        let (right, bottom) = (left + width, top + height);
        let near = radius * (1.0 - ROUND);
        let mut path = Path::default();
        path.move_to(left + radius, top)
            .line_to(right - radius, top)
            .curve_to((right - near, top), (right, top + near), (right, top + radius))
            .line_to(right, bottom - radius)
            .curve_to((right, bottom - near), (right - near, bottom), (right - radius, bottom))
            .line_to(left + radius, bottom)
            .curve_to((left + near, bottom), (left, bottom - near), (left, bottom - radius))
            .line_to(left, top + radius)
            .curve_to((left, top + near), (left + near, top), (left + radius, top))
            .close();
        path
    }

    /// A circle.
    pub fn circle(x: f32, y: f32, radius: f32) -> Self {
        let corner = Point { x: x - radius, y: y - radius };
        Path::rounded(corner, 2.0 * radius, 2.0 * radius, radius)
    }
}
