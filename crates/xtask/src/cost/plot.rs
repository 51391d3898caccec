//! The picture of a family: sizes and times against n.

use super::measure::Row;
use crate::args::Failure;
use crate::plot::{self, Curve, DARK_GREEN};
use plotters::style::{BLACK, BLUE, RED, RGBColor};

/// The picture as SVG.
pub fn picture(family: &str, rows: &[Row]) -> Result<String, Failure> {
    plot::picture(&[
        (format!("{family}: size"), sizes(rows)),
        (format!("{family}: seconds"), times(rows)),
    ])
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
