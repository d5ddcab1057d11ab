//! Figures drawn with plotters, as SVG and as PNG.
//!
//! All text is in a monospaced font: then its width is known without any installed font, and both
//! formats look alike.

use anyhow::{Result, anyhow};
use ludens::statistics::Estimate;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::figure::{Curve, Figure, Panel, Row};
use super::png::{PngBackend, encoded};

/// Sizes in pixels.
const PANEL: (u32, u32) = (520, 400);
const TITLE: u32 = 48;
const CAPTION: u32 = 36;
const ROW: u32 = 34;
const FRAME: u32 = 96;
const LETTER: u32 = 9;

const TEXT: i32 = 16;
const HEADLINE: i32 = 20;

/// Colours that stay apart for people who see colours differently: Okabe and Ito 2008.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(70, 70, 70),
];
const GREY: RGBColor = RGBColor(150, 150, 150);
const LIGHT: RGBColor = RGBColor(225, 225, 225);

/// The figure as SVG.
pub(super) fn svg(figure: &Figure) -> Result<String> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size(figure)).into_drawing_area();
        draw(&area, figure)?;
    }
    Ok(text)
}

/// The figure as the bytes of a PNG file.
pub(super) fn png(figure: &Figure) -> Result<Vec<u8>> {
    let (width, height) = size(figure);
    let mut pixels = vec![0; width as usize * height as usize * 3];
    {
        let area = PngBackend::new(&mut pixels, (width, height)).into_drawing_area();
        draw(&area, figure)?;
    }
    encoded(&pixels, (width, height))
}

/// How many panels stand side by side.
fn columns(figure: &Figure) -> u32 {
    (figure.panels.len() as u32).clamp(1, 3)
}

/// The size of each panel: that of the largest one.
fn panel_size(figure: &Figure) -> (u32, u32) {
    let size = |panel: &Panel| match panel {
        Panel::Rows { rows, .. } => {
            (PANEL.0.max(names_width(rows) + 380), FRAME + ROW * rows.len() as u32)
        }
        Panel::Curves { .. } => (PANEL.0 + 160, PANEL.1 + 40),
        Panel::Map { fields, .. } => {
            let most = |of: fn(&(u32, u32, f64)) -> u32| fields.iter().map(of).max().unwrap_or(1);
            (PANEL.0.max(100 + 34 * most(|it| it.0)), PANEL.1.max(110 + 26 * most(|it| it.1)))
        }
    };
    let sizes = figure.panels.iter().map(size);
    sizes.reduce(|a, b| (a.0.max(b.0), a.1.max(b.1))).unwrap_or(PANEL)
}

fn size(figure: &Figure) -> (u32, u32) {
    let (width, height) = panel_size(figure);
    let count = figure.panels.len().max(1) as u32;
    let titles = [&figure.title, &figure.caption].map(|text| text.chars().count() as u32);
    let text = 40 + titles[0] * 12;
    let text = text.max(40 + titles[1] * LETTER + 10);
    let wide = (columns(figure) * width).max(text);
    (wide, TITLE + count.div_ceil(columns(figure)) * height + CAPTION)
}

fn names_width(rows: &[Row]) -> u32 {
    rows.iter().map(|row| row.name.chars().count() as u32 * LETTER).max().unwrap_or(0) + 20
}

fn font<'t>(size: i32, colour: &RGBColor) -> TextStyle<'t> {
    ("monospace", size).into_font().color(colour)
}

/// A label for whole numbers alone: marks between them would be rounded.
fn whole(before: &str, value: &f64) -> String {
    let is_whole = (value - value.round()).abs() < 1e-6;
    if is_whole { format!("{before}{value:.0}") } else { String::new() }
}

fn draw<B: DrawingBackend>(area: &DrawingArea<B, Shift>, figure: &Figure) -> Result<()>
where
    B::ErrorType: 'static,
{
    let wrong = |error| anyhow!("the plot cannot be drawn: {error}");
    area.fill(&WHITE).map_err(wrong)?;
    let (_, height) = area.dim_in_pixel();
    area.draw_text(&figure.title, &font(HEADLINE, &BLACK), (20, 14)).map_err(wrong)?;
    let place = (20, (height - CAPTION + 8) as i32);
    area.draw_text(&figure.caption, &font(TEXT, &COLOURS[6]), place).map_err(wrong)?;
    let columns = columns(figure);
    let (panel_width, panel_height) = panel_size(figure);
    for (at, panel) in (0u32..).zip(&figure.panels) {
        let left = (at % columns * panel_width) as i32;
        let top = (TITLE + at / columns * panel_height) as i32;
        let extent = (panel_width as i32, panel_height as i32);
        let own = area.clone().shrink((left, top), extent);
        match panel {
            Panel::Rows { title, rows } => draw_rows(&own, title, rows),
            Panel::Curves { title, x_label, is_log, curves } => {
                draw_curves(&own, title, x_label, *is_log, curves)
            }
            Panel::Map { title, labels, fields } => draw_map(&own, title, labels, fields),
        }
        .map_err(wrong)?;
    }
    area.present().map_err(wrong)
}

type Drawn<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

fn draw_rows<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    title: &str,
    rows: &[Row],
) -> Drawn<B> {
    let bottom = rows.len() as f64;
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .margin_right(24)
        .caption(title, font(TEXT, &BLACK))
        .x_label_area_size(44)
        .y_label_area_size(names_width(rows))
        .build_cartesian_2d(0.0..100.0, bottom..0.0)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .disable_y_axis()
        .x_labels(6)
        .x_label_formatter(&|percent| format!("{percent:.0} %"))
        .light_line_style(TRANSPARENT)
        .bold_line_style(LIGHT)
        .label_style(font(TEXT, &BLACK))
        .draw()?;
    chart.draw_series(LineSeries::new([(50.0, bottom), (50.0, 0.0)], GREY))?;
    let label = font(TEXT, &BLACK).pos(Pos::new(HPos::Right, VPos::Center));
    for (at, row) in rows.iter().enumerate() {
        let middle = at as f64 + 0.5;
        let area = chart.plotting_area();
        area.draw(&Text::new(row.name.clone(), (-3.0, middle), label.clone()))?;
        if let Some(published) = row.published {
            let (low, high) =
                (published.percent - published.half, published.percent + published.half);
            let y = middle + 0.2;
            let ends = [(low.max(0.0), y), (high.min(100.0), y)];
            area.draw(&PathElement::new(ends, GREY.stroke_width(2)))?;
            area.draw(&Circle::new((published.percent, y), 5, WHITE.filled()))?;
            area.draw(&Circle::new((published.percent, y), 5, COLOURS[1].stroke_width(2)))?;
        }
        if let Some(Estimate { mean, low, high }) = row.ours {
            let y = middle - 0.12;
            area.draw(&PathElement::new([(low, y), (high, y)], COLOURS[0].stroke_width(2)))?;
            area.draw(&Circle::new((mean, y), 5, COLOURS[0].filled()))?;
        }
    }
    Ok(())
}

fn draw_curves<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    title: &str,
    x_label: &str,
    is_log: bool,
    curves: &[Curve],
) -> Drawn<B> {
    let x = |value: f64| if is_log { value.max(1.0).log10() } else { value };
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let low = points().map(|(at, _)| x(*at)).fold(f64::INFINITY, f64::min);
    let high = points().map(|(at, _)| x(*at)).fold(f64::NEG_INFINITY, f64::max);
    let (low, high) = if is_log { (low.floor(), high.ceil()) } else { (low, high) };
    let (low, high) = if low < high { (low, high) } else { (low, low + 1.0) };
    let room = (high - low) * 0.04;
    let top = points().map(|(_, it)| it.high).fold(0.0, f64::max);
    let top = if top > 52.0 { 100.0 } else { 55.0 };
    let names = curves.iter().map(|curve| curve.name.chars().count() as u32);
    let legend = names.max().unwrap_or(0) * LETTER + 40;
    let (width, height) = area.dim_in_pixel();
    let plot = area.clone().shrink((0, 0), (width.saturating_sub(legend) as i32, height as i32));
    let mut chart = ChartBuilder::on(&plot)
        .margin(12)
        .caption(title, font(TEXT, &BLACK))
        .x_label_area_size(56)
        .y_label_area_size(64)
        .build_cartesian_2d(low - room..high + room, 0.0..top)?;
    let tick = |value: &f64| if is_log { whole("10^", value) } else { whole("", value) };
    chart
        .configure_mesh()
        .x_desc(x_label)
        .x_label_formatter(&tick)
        .x_labels(if is_log { ((high - low) as usize + 2).max(2) } else { 9 })
        .y_label_formatter(&|percent| format!("{percent:.0} %"))
        .y_labels(6)
        .light_line_style(TRANSPARENT)
        .bold_line_style(LIGHT)
        .label_style(font(TEXT, &BLACK))
        .axis_desc_style(font(TEXT, &BLACK))
        .draw()?;
    chart.draw_series(LineSeries::new([(low - room, 50.0), (high + room, 50.0)], GREY))?;
    for (at, curve) in curves.iter().enumerate() {
        let colour = COLOURS[at % COLOURS.len()];
        let line = curve.points.iter().map(|(at, it)| (x(*at), it.mean));
        chart.draw_series(LineSeries::new(line, colour.stroke_width(2)))?;
        for (place, it) in &curve.points {
            let ends = [(x(*place), it.low), (x(*place), it.high.min(top))];
            chart.plotting_area().draw(&PathElement::new(ends, colour.stroke_width(1)))?;
            chart.plotting_area().draw(&Circle::new((x(*place), it.mean), 4, colour.filled()))?;
        }
        let y = 40 + 22 * at as i32;
        let x = (width.saturating_sub(legend)) as i32;
        area.draw(&PathElement::new([(x + 4, y), (x + 24, y)], colour.stroke_width(3)))?;
        let style = font(TEXT, &BLACK).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(curve.name.clone(), (x + 30, y), style))?;
    }
    Ok(())
}

/// Fields coloured by their value, with lines along which a tree has the same number of nodes: with
/// `x` moves in each state and `y - 1` moves of each player it has about x^(2 (y - 1)).
fn draw_map<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    title: &str,
    labels: &[String; 2],
    fields: &[(u32, u32, f64)],
) -> Drawn<B> {
    let range = |of: fn(&(u32, u32, f64)) -> u32| {
        let all = || fields.iter().map(of);
        (f64::from(all().min().unwrap_or(0)), f64::from(all().max().unwrap_or(1)))
    };
    let ((left, right), (bottom, top)) = (range(|field| field.0), range(|field| field.1));
    let steps = |of: fn(&(u32, u32, f64)) -> u32| {
        let mut all: Vec<u32> = fields.iter().map(of).collect();
        all.sort_unstable();
        all.dedup();
        let gaps = all.windows(2).map(|two| f64::from(two[1] - two[0]));
        gaps.reduce(f64::min).unwrap_or(1.0) / 2.0
    };
    let (half_x, half_y) = (steps(|field| field.0), steps(|field| field.1));
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .caption(title, font(TEXT, &BLACK))
        .x_label_area_size(56)
        .y_label_area_size(56)
        .build_cartesian_2d(left - half_x..right + half_x, bottom - half_y..top + half_y)?;
    chart
        .configure_mesh()
        .disable_mesh()
        .x_desc(&labels[0])
        .y_desc(&labels[1])
        .x_label_formatter(&|value| whole("", value))
        .y_label_formatter(&|value| whole("", value))
        .label_style(font(TEXT, &BLACK))
        .axis_desc_style(font(TEXT, &BLACK))
        .draw()?;
    let highest = fields.iter().map(|field| field.2).fold(1.0, f64::max);
    let centred = Pos::new(HPos::Center, VPos::Center);
    let area = chart.plotting_area();
    for &(x, y, percent) in fields {
        let (x, y) = (f64::from(x), f64::from(y));
        let share = percent / highest;
        let shade = |full: u8| (255.0 - share * (255.0 - f64::from(full))) as u8;
        let colour = RGBColor(shade(0), shade(114), shade(178));
        let ends = [(x - half_x, y - half_y), (x + half_x, y + half_y)];
        area.draw(&Rectangle::new(ends, colour.filled()))?;
        let ink = if share > 0.6 { WHITE } else { BLACK };
        let style = font(TEXT - 2, &ink).pos(centred);
        area.draw(&Text::new(format!("{percent:.0}"), (x, y), style))?;
    }
    let nodes = |x: f64, y: f64| 2.0 * (y - 1.0) * x.ln();
    let (least, most) = (nodes(left, bottom), nodes(right, top));
    for part in 1..8 {
        let level = least + (most - least) * f64::from(part) / 8.0;
        let at = |step: u32| left + (right - left) * f64::from(step) / 200.0;
        let line = (0..=200).map(at).map(|x| (x, 1.0 + level / (2.0 * x.ln())));
        let inside = line.filter(|(_, y)| (bottom - half_y..=top + half_y).contains(y));
        chart.draw_series(LineSeries::new(inside, GREY.stroke_width(1)))?;
    }
    Ok(())
}
