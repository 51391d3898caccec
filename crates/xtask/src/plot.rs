//! Curves against n in panels side by side, all axes logarithmic, as SVG.

use crate::args::Failure;
use plotters::coord::Shift;
use plotters::prelude::*;

/// Darker than plotters' own, which is hard to see on white.
pub const DARK_GREEN: RGBColor = RGBColor(0, 128, 0);

/// One line of a panel.
pub struct Curve {
    /// In the legend.
    pub name: &'static str,
    /// Of the line.
    pub colour: RGBColor,
    /// n and the value.
    pub points: Vec<(f64, f64)>,
}

/// The panels from left to right, each with a title.
pub fn picture(panels: &[(String, Vec<Curve>)]) -> Result<String, Failure> {
    let mut text = String::new();
    draw(&mut text, panels).map_err(|e| Failure::new(format!("a picture: {e}")))?;
    Ok(text)
}

fn draw(
    text: &mut String,
    panels: &[(String, Vec<Curve>)],
) -> Result<(), Box<dyn std::error::Error>> {
    let width = 500 * u32::try_from(panels.len())?;
    let area = SVGBackend::with_string(text, (width, 400)).into_drawing_area();
    area.fill(&WHITE)?;
    for (part, (title, curves)) in area.split_evenly((1, panels.len())).iter().zip(panels) {
        panel(part, title, curves)?;
    }
    area.present()?;
    Ok(())
}

fn panel(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    title: &str,
    curves: &[Curve],
) -> Result<(), Box<dyn std::error::Error>> {
    let points = || curves.iter().flat_map(|curve| curve.points.iter());
    let (low, high) = range(points().map(|p| p.1));
    // Room for the legend.
    let high = high * (high / low).powf(0.35);
    let (first, last) = range(points().map(|p| p.0));
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 18))
        .margin(10)
        .x_label_area_size(30)
        .y_label_area_size(60)
        .build_cartesian_2d((first..last).log_scale().base(2.0), (low..high).log_scale())?;
    let number = |value: &f64| value.to_string();
    let mesh = &mut chart.configure_mesh();
    mesh.light_line_style(WHITE).x_desc("n").x_label_formatter(&number);
    mesh.y_label_formatter(&number).draw()?;
    for Curve { name, colour, points } in curves {
        let line = LineSeries::new(points.iter().copied(), colour.stroke_width(2)).point_size(3);
        chart
            .draw_series(line)?
            .label(*name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    let legend = &mut chart.configure_series_labels();
    legend.position(SeriesLabelPosition::UpperLeft).background_style(WHITE.mix(0.8));
    legend.border_style(BLACK.mix(0.3)).draw()?;
    Ok(())
}

/// A little more than the values take.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
    if low > high { (1.0, 10.0) } else { (low / 1.2, high * 1.2) }
}
