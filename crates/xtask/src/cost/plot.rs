//! The picture of a family: sizes and times against n, both axes logarithmic.

use super::measure::Row;
use crate::args::Failure;
use plotters::coord::Shift;
use plotters::prelude::*;

const DARK_GREEN: RGBColor = RGBColor(0, 128, 0);

/// One line of a picture.
struct Curve {
    name: &'static str,
    colour: RGBColor,
    points: Vec<(f64, f64)>,
}

/// The picture as SVG.
pub fn picture(family: &str, rows: &[Row]) -> Result<String, Failure> {
    let mut text = String::new();
    draw(&mut text, family, rows).map_err(|e| Failure::new(format!("{family}: {e}")))?;
    Ok(text)
}

fn draw(text: &mut String, family: &str, rows: &[Row]) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::with_string(text, (1000, 400)).into_drawing_area();
    area.fill(&WHITE)?;
    let (left, right) = area.split_horizontally(500);
    panel(&left, &format!("{family}: size"), &sizes(rows))?;
    panel(&right, &format!("{family}: seconds"), &times(rows))?;
    area.present()?;
    Ok(())
}

fn sizes(rows: &[Row]) -> Vec<Curve> {
    let sum = |row: &Row| row.network.as_ref().map(|n| n.states as f64);
    let transitions = |row: &Row| row.network.as_ref().map(|n| n.transitions as f64);
    let labels = |row: &Row| row.network.as_ref().map(|n| n.labels as f64);
    let product = |row: &Row| row.product.as_ref().map(|p| p.states as f64);
    vec![
        curve("states, product", RED, rows, product),
        curve("states, sum", BLUE, rows, sum),
        curve("transitions, sum", DARK_GREEN, rows, transitions),
        curve("labels", BLACK, rows, labels),
    ]
}

fn times(rows: &[Row]) -> Vec<Curve> {
    let closure = |row: &Row| row.network.as_ref().map(|n| n.seconds);
    let search = |row: &Row| row.product.as_ref().map(|p| p.seconds);
    vec![curve("search of the product", RED, rows, search), curve("closure", BLUE, rows, closure)]
}

fn curve(
    name: &'static str,
    colour: RGBColor,
    rows: &[Row],
    value: impl Fn(&Row) -> Option<f64>,
) -> Curve {
    let points = rows.iter().filter_map(|row| Some((f64::from(row.n), value(row)?)));
    Curve { name, colour, points: points.collect() }
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
        .build_cartesian_2d((first..last).log_scale(), (low..high).log_scale())?;
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
