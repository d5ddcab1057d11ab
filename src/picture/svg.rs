//! Scene -> SVG.

use std::fmt::Write;

use super::path::{DrawnShape, LETTER_WIDTH, LineStyle, Path, PathSegment};
use super::scene::{Figure, Scene};
use crate::text::xml;

/// The distance from the top of a line of text to its baseline.
const BASELINE: f32 = 12.5;

/// The scene as a whole SVG document. Named figures are groups with a title.
pub fn svg(scene: &Scene) -> String {
    let mut text = String::new();
    let (width, height) = (scene.size.width.ceil(), scene.size.height.ceil());
    text.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-size=\"11.7\" font-family=\"'Noto Sans Mono', \
         'DejaVu Sans Mono', Menlo, Consolas, monospace\">"
    );
    text.push_str("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    for figure in &scene.figures {
        write_figure(&mut text, figure);
    }
    text.push_str("</svg>\n");
    text
}

fn write_figure(text: &mut String, figure: &Figure) {
    if figure.shapes.is_empty() {
        return;
    }
    match figure.node {
        Some(node) => {
            let _ = write!(text, "<g data-node=\"{node}\">");
        }
        None => text.push_str("<g>"),
    }
    if let Some(name) = &figure.name {
        let _ = write!(text, "<title>{}</title>", xml(name));
    }
    text.push('\n');
    for shape in &figure.shapes {
        write_shape(text, shape);
    }
    text.push_str("</g>\n");
}

fn write_shape(text: &mut String, shape: &DrawnShape) {
    match shape {
        DrawnShape::Path { path, fill, line } => {
            let _ = write!(text, "<path d=\"{}\" fill=\"{}\"", data(path), fill.unwrap_or("none"));
            if let Some(LineStyle { colour, width, dashes }) = line {
                let _ = write!(text, " stroke=\"{colour}\" stroke-width=\"{width}\"");
                if let Some([dash, gap]) = dashes {
                    let _ = write!(text, " stroke-dasharray=\"{dash} {gap}\"");
                }
            }
            text.push_str("/>\n");
        }
        DrawnShape::Text { corner, text: letters, colour } => {
            // Fonts differ; the explicit length makes all of them fit.
            let length = letters.chars().count() as f32 * LETTER_WIDTH;
            let _ = writeln!(
                text,
                "<text x=\"{}\" y=\"{}\" fill=\"{colour}\" textLength=\"{length}\" \
                 xml:space=\"preserve\">{}</text>",
                short(corner.x),
                short(corner.y + BASELINE),
                xml(letters),
            );
        }
    }
}

fn data(path: &Path) -> String {
    let mut data = String::new();
    for step in &path.0 {
        let (letter, points): (char, &[_]) = match step {
            PathSegment::Move(point) => ('M', &[*point]),
            PathSegment::Line(point) => ('L', &[*point]),
            PathSegment::Curve(one, two, end) => ('C', &[*one, *two, *end]),
            PathSegment::Close => ('Z', &[]),
        };
        data.push(letter);
        for (at, point) in points.iter().enumerate() {
            let space = if at > 0 { " " } else { "" };
            let _ = write!(data, "{space}{} {}", short(point.x), short(point.y));
        }
    }
    data
}

/// A tenth of a pixel is as exact as an eye can see.
fn short(number: f32) -> f32 {
    (number * 10.0).round() / 10.0
}
