//! The picture of a family: sizes and times against n.

use super::measure::CostRow;
use crate::plot::{Axis, Curve, Panel, Scale, picture as draw};

/// The picture as SVG.
pub fn picture(family: &str, rows: &[CostRow]) -> String {
    draw(&[
        panel(family, "size", "states, transitions, labels", sizes(rows)),
        panel(family, "time", "seconds", times(rows)),
    ])
}

fn panel(family: &str, what: &str, unit: &str, curves: Vec<Curve>) -> Panel {
    let axis = |title: &str| Axis { title: title.to_owned(), scale: Scale::Log };
    Panel { title: format!("{family}: {what}"), x: axis("n"), y: axis(unit), curves }
}

fn sizes(rows: &[CostRow]) -> Vec<Curve> {
    let sum = |row: &CostRow| row.network.as_ref().map(|n| n.states as f64);
    let transitions = |row: &CostRow| row.network.as_ref().map(|n| n.transitions as f64);
    let labels = |row: &CostRow| row.network.as_ref().map(|n| n.labels as f64);
    let product = |row: &CostRow| row.product.as_ref().map(|p| p.states as f64);
    vec![
        curve("states, sum", 0, rows, sum),
        curve("states, product", 1, rows, product),
        curve("transitions, sum", 2, rows, transitions),
        curve("labels", 6, rows, labels),
    ]
}

fn times(rows: &[CostRow]) -> Vec<Curve> {
    let closure = |row: &CostRow| row.network.as_ref().map(|n| n.seconds);
    let search = |row: &CostRow| row.product.as_ref().map(|p| p.seconds);
    vec![curve("closure", 4, rows, closure), curve("search of the product", 5, rows, search)]
}

fn curve(
    name: &str,
    style: usize,
    rows: &[CostRow],
    value: impl Fn(&CostRow) -> Option<f64>,
) -> Curve {
    let points = rows.iter().filter_map(|row| Some((f64::from(row.n), value(row)?)));
    Curve { name: name.to_owned(), style, points: points.collect() }
}
