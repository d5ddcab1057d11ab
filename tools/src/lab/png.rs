//! Plots as pixels, with a font that is part of the program, so that none needs to be installed.

use anyhow::{Context, Result};
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};
use plotters::backend::{BitMapBackend, DrawingBackend};
use plotters::style::text_anchor::{HPos, VPos};
use plotters_backend::{BackendColor, BackendCoord, BackendTextStyle, DrawingErrorKind};

/// A bitmap with its own text.
pub(super) struct PngBackend<'b> {
    inner: BitMapBackend<'b>,
}

impl<'b> PngBackend<'b> {
    /// A bitmap of red, green and blue bytes.
    pub(super) fn new(pixels: &'b mut [u8], size: (u32, u32)) -> Self {
        PngBackend { inner: BitMapBackend::with_buffer(pixels, size) }
    }
}

/// The pixels as a PNG file.
pub(super) fn encoded(pixels: &[u8], (width, height): (u32, u32)) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(::png::ColorType::Rgb);
    let mut writer = encoder.write_header().context("the plot cannot be encoded")?;
    writer.write_image_data(pixels).context("the plot cannot be encoded")?;
    writer.finish().context("the plot cannot be encoded")?;
    Ok(bytes)
}

/// The size of letters for a size of text.
fn letters<S: BackendTextStyle>(style: &S) -> RasterHeight {
    match style.size() {
        size if size < 18.0 => RasterHeight::Size16,
        _ => RasterHeight::Size20,
    }
}

/// The width and height of a text.
fn extent(text: &str, letters: RasterHeight) -> (i32, i32) {
    let width = get_raster_width(FontWeight::Regular, letters);
    ((text.chars().count() * width) as i32, letters.val() as i32)
}

impl DrawingBackend for PngBackend<'_> {
    type ErrorType = <BitMapBackend<'static> as DrawingBackend>::ErrorType;

    fn get_size(&self) -> (u32, u32) {
        self.inner.get_size()
    }

    fn ensure_prepared(&mut self) -> Result<(), DrawingErrorKind<Self::ErrorType>> {
        self.inner.ensure_prepared()
    }

    fn present(&mut self) -> Result<(), DrawingErrorKind<Self::ErrorType>> {
        self.inner.present()
    }

    fn draw_pixel(
        &mut self,
        point: BackendCoord,
        color: BackendColor,
    ) -> Result<(), DrawingErrorKind<Self::ErrorType>> {
        self.inner.draw_pixel(point, color)
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Self::ErrorType>> {
        let (width, height) = extent(text, letters(style));
        Ok((width as u32, height as u32))
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        place: BackendCoord,
    ) -> Result<(), DrawingErrorKind<Self::ErrorType>> {
        let letters = letters(style);
        let (width, height) = extent(text, letters);
        let left = match style.anchor().h_pos {
            HPos::Left => 0,
            HPos::Center => -width / 2,
            HPos::Right => -width,
        };
        let top = match style.anchor().v_pos {
            VPos::Top => 0,
            VPos::Center => -height / 2,
            VPos::Bottom => -height,
        };
        let letter_width = get_raster_width(FontWeight::Regular, letters) as i32;
        for (at, letter) in (0..).zip(text.chars()) {
            let raster = get_raster(letter, FontWeight::Regular, letters)
                .or_else(|| get_raster('?', FontWeight::Regular, letters));
            let rows = raster.iter().flat_map(|raster| (0..).zip(raster.rows()));
            for (y, row) in rows {
                for (x, &strength) in (0..).zip(row.iter()).filter(|(_, strength)| **strength > 0) {
                    let turned = style.transform().transform(left + at * letter_width + x, top + y);
                    let point = (place.0 + turned.0, place.1 + turned.1);
                    let alpha = style.color().alpha * f64::from(strength) / 255.0;
                    self.draw_pixel(point, BackendColor { alpha, ..style.color() })?;
                }
            }
        }
        Ok(())
    }
}
