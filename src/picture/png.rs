//! Scene -> PNG. The font is part of the program, so none needs to be installed.

use ::png::{ColorType, Encoder, EncodingError, Filter};
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster};
use tiny_skia::{
    Color, FillRule, Paint, PathBuilder, Pixmap, PremultipliedColorU8, Stroke, StrokeDash,
    Transform,
};

use super::layout::Point;
use super::path::{DrawnShape, LETTER_WIDTH, LineStyle, Path, PathSegment};
use super::scene::Scene;

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PngError {
    /// It would be too large to hold or to look at.
    #[error(
        "the picture would have {width} x {height} pixels, more than {} million",
        MAX_PIXELS / 1_000_000
    )]
    TooLarge {
        /// The width.
        width: u64,
        /// The height.
        height: u64,
    },
    /// It could not be written as PNG.
    #[error("the picture cannot be encoded: {message}")]
    Encoding {
        /// The message of the encoder.
        message: String,
    },
}

/// Pictures with more pixels are refused.
const MAX_PIXELS: u64 = 100_000_000;
/// Pictures with up to this many pixels are drawn at double size, which is easier to read.
const MAX_DOUBLED: u64 = 6_000_000;

/// The scene as a PNG file.
pub fn png(scene: &Scene) -> Result<Vec<u8>, PngError> {
    let (width, height) = (scene.size.width.ceil() as u64, scene.size.height.ceil() as u64);
    let pixels = width.saturating_mul(height);
    if pixels > MAX_PIXELS {
        return Err(PngError::TooLarge { width, height });
    }
    let scale = if pixels <= MAX_DOUBLED { Scale::Double } else { Scale::Single };
    let times = scale.times() as u64;
    let pixmap = Pixmap::new((width * times) as u32, (height * times) as u32);
    let mut pixmap = pixmap.ok_or(PngError::TooLarge { width, height })?;
    pixmap.fill(Color::WHITE);
    for shape in scene.figures.iter().flat_map(|figure| &figure.shapes) {
        match shape {
            DrawnShape::Path { path, fill, line } => {
                draw_path(&mut pixmap, path, *fill, *line, scale)
            }
            DrawnShape::Text { corner, text, colour } => {
                draw_text(&mut pixmap, *corner, text, colour, scale);
            }
        }
    }
    encoded(&pixmap).map_err(|error| PngError::Encoding { message: error.to_string() })
}

/// As red, green and blue. Areas of one colour compress best as they are, without the filters
/// between neighbouring pixels that suit photographs.
fn encoded(pixmap: &Pixmap) -> Result<Vec<u8>, EncodingError> {
    let pixels = pixmap.pixels().iter();
    let colours: Vec<u8> =
        pixels.flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, pixmap.width(), pixmap.height());
    encoder.set_color(ColorType::Rgb);
    encoder.set_filter(Filter::NoFilter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&colours)?;
    writer.finish()?;
    Ok(bytes)
}

/// Characters come in these sizes, each exactly as wide as the layout assumes.
#[derive(Clone, Copy)]
enum Scale {
    Single,
    Double,
}

impl Scale {
    fn times(self) -> f32 {
        match self {
            Scale::Single => 1.0,
            Scale::Double => 2.0,
        }
    }

    fn letters(self) -> RasterHeight {
        match self {
            Scale::Single => RasterHeight::Size16,
            Scale::Double => RasterHeight::Size32,
        }
    }
}

fn draw_path(
    pixmap: &mut Pixmap,
    path: &Path,
    fill: Option<&str>,
    line: Option<LineStyle>,
    scale: Scale,
) {
    let Some(path) = built(path) else { return };
    let transform = Transform::from_scale(scale.times(), scale.times());
    if let Some(colour) = fill {
        pixmap.fill_path(&path, &paint(colour), FillRule::Winding, transform, None);
    }
    if let Some(LineStyle { colour, width, dashes }) = line {
        let dash = dashes.and_then(|dashes| StrokeDash::new(dashes.to_vec(), 0.0));
        let stroke = Stroke { width, dash, ..Stroke::default() };
        pixmap.stroke_path(&path, &paint(colour), &stroke, transform, None);
    }
}

fn built(path: &Path) -> Option<tiny_skia::Path> {
    let mut builder = PathBuilder::new();
    for step in &path.0 {
        match *step {
            PathSegment::Move(to) => builder.move_to(to.x, to.y),
            PathSegment::Line(to) => builder.line_to(to.x, to.y),
            PathSegment::Curve(one, two, to) => {
                builder.cubic_to(one.x, one.y, two.x, two.y, to.x, to.y)
            }
            PathSegment::Close => builder.close(),
        }
    }
    builder.finish()
}

fn paint(colour: &str) -> Paint<'static> {
    let [red, green, blue] = channels(colour);
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(red, green, blue, 255);
    paint
}

/// The red, green and blue of `#rrggbb`.
fn channels(colour: &str) -> [u8; 3] {
    let number = u32::from_str_radix(colour.trim_start_matches('#'), 16).unwrap_or(0);
    [(number >> 16) as u8, (number >> 8) as u8, number as u8]
}

fn draw_text(pixmap: &mut Pixmap, corner: Point, text: &str, colour: &str, scale: Scale) {
    let top = (corner.y * scale.times()).round() as usize;
    for (at, letter) in text.chars().enumerate() {
        let left = (corner.x + at as f32 * LETTER_WIDTH) * scale.times();
        draw_letter(pixmap, left.round() as usize, top, letter, channels(colour), scale);
    }
}

/// Blends a character into the pixels. Characters that the font does not have become question
/// marks.
fn draw_letter(
    pixmap: &mut Pixmap,
    left: usize,
    top: usize,
    letter: char,
    colour: [u8; 3],
    scale: Scale,
) {
    let raster = |letter| get_raster(letter, FontWeight::Regular, scale.letters());
    let Some(raster) = raster(letter).or_else(|| raster('?')) else { return };
    let (width, height) = (pixmap.width() as usize, pixmap.height() as usize);
    let pixels = pixmap.pixels_mut();
    for (y, row) in (top..height).zip(raster.rows()) {
        for (x, &cover) in (left..width).zip(row) {
            let pixel = &mut pixels[y * width + x];
            let below = [pixel.red(), pixel.green(), pixel.blue()];
            let blend = |at: usize| {
                let (ink, paper) = (u32::from(colour[at]), u32::from(below[at]));
                ((ink * u32::from(cover) + paper * (255 - u32::from(cover))) / 255) as u8
            };
            // The picture is opaque, so colours and premultiplied colours are the same.
            if let Some(mixed) = PremultipliedColorU8::from_rgba(blend(0), blend(1), blend(2), 255)
            {
                *pixel = mixed;
            }
        }
    }
}
