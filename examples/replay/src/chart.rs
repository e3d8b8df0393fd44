//! The outcome as a picture: one panel per strategy, one above the other on the same axes, refused stacked on allowed.
//!
//! An SVG's text is drawn by whoever shows it, so no font is looked for here.

use crate::{
    Replay,
    axis::Axis,
    limits::Count,
    report::{percent, plural},
};
use indicatif::HumanCount;
use plotters::{coord::Shift, prelude::*};
use std::error::Error;

const WIDTH: u32 = 1_200;
const HEADER: u32 = 84;
const PANEL: u32 = 300;
const MARGIN: i32 = 24;

const ALLOWED: RGBColor = RGBColor(0x4c, 0x84, 0xb8);
const REFUSED: RGBColor = RGBColor(0xd9, 0x4f, 0x3d);
const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);
const FAINT: RGBColor = RGBColor(0x66, 0x66, 0x66);
const GRID: RGBColor = RGBColor(0xe4, 0xe4, 0xe4);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The text of an SVG file.
pub(crate) fn svg(replay: &Replay) -> Result<String, Box<dyn Error>> {
    let mut svg = String::new();
    let size = (WIDTH, HEADER + PANEL * replay.outcomes.len() as u32);
    let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    root.fill(&WHITE)?;
    let (top, below) = root.split_vertically(HEADER);
    header(&top, replay)?;
    for (panel, (kind, outcome)) in below.split_evenly((replay.outcomes.len(), 1)).iter().zip(&replay.outcomes) {
        let refused = percent(outcome.total.refused, outcome.total);
        let title = format!(
            "{}: {} allowed, {} refused ({refused})",
            replay.options.limit(kind),
            HumanCount(outcome.total.allowed),
            HumanCount(outcome.total.refused),
        );
        draw_panel(panel, &title, &replay.axis, &outcome.steps)?;
    }
    root.present()?;
    drop((top, below, root));
    Ok(svg)
}

fn font(size: i32, color: RGBColor) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&color)
}

fn header(area: &Area<'_>, replay: &Replay) -> Result<(), Box<dyn Error>> {
    let Replay { options, log, axis, .. } = replay;
    let name = options.log_name();
    let name = name.rsplit(['/', '\\']).next().unwrap_or(&name);
    let title = format!(
        "{name}: {} from {}, each client limited by itself",
        plural(log.requests.len() as u64, "request"),
        plural(log.clients.len() as u64, "client")
    );
    area.draw(&Text::new(title, (MARGIN, 18), font(24, INK)))?;
    area.draw(&Text::new(axis.span(), (MARGIN, 54), font(16, FAINT)))?;
    for (left, name, color) in [(WIDTH as i32 - 230, "allowed", ALLOWED), (WIDTH as i32 - 120, "refused", REFUSED)] {
        area.draw(&Rectangle::new([(left, 54), (left + 14, 68)], color.filled()))?;
        area.draw(&Text::new(name, (left + 22, 54), font(16, INK)))?;
    }
    Ok(())
}

fn draw_panel(area: &Area<'_>, title: &str, axis: &Axis, steps: &[Count]) -> Result<(), Box<dyn Error>> {
    let most = steps.iter().map(|count| count.total()).max().unwrap_or(0);
    area.draw(&Text::new(title, (MARGIN, 8), font(18, INK)))?;
    let time = (axis.at(0)..axis.at(steps.len())).with_key_points(axis.marks());
    let mut chart = ChartBuilder::on(area)
        .margin_left(MARGIN)
        .margin_right(MARGIN)
        .margin_top(36)
        .x_label_area_size(44)
        .y_label_area_size(70)
        .build_cartesian_2d(time, 0..most + most.div_ceil(20))?;
    chart
        .configure_mesh()
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(FAINT)
        .label_style(font(14, INK))
        .axis_desc_style(font(14, FAINT))
        .y_desc(format!("requests per {}", axis.step_length()))
        .y_labels(6)
        .y_label_formatter(&|count| HumanCount(*count).to_string())
        .x_label_formatter(&|mark| axis.label(*mark))
        .draw()?;
    // The whole in one colour, then the allowed part over it.
    for (color, height) in [(REFUSED, Count::total as fn(Count) -> u64), (ALLOWED, |count| count.allowed)] {
        let outline = steps
            .iter()
            .enumerate()
            .flat_map(|(step, count)| [(axis.at(step), height(*count)), (axis.at(step + 1), height(*count))]);
        chart.draw_series(AreaSeries::new(outline, 0, color))?;
    }
    Ok(())
}
