//! The figures: how requirements shrink (figure 7 of the algorithm paper), and growth with the parameter.

use super::mode::Mode;
use super::results::{CaseRuns, Results};
use super::trace::Way;
use crate::plot::{Axis, Curve, Panel, Scale, picture};
use resy_testkit::case_studies::CaseStudy;
use std::collections::BTreeMap;

/// File names with contents.
pub fn figures(results: &Results) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> =
        sizes(results).iter().map(|(size, rows)| figure7(results, size, rows)).collect();
    let families = results.families();
    // A single point is not a curve.
    let grown = families.iter().filter(|(_, rows)| rows.len() > 1);
    files.extend(grown.map(|(family, rows)| growth(results, family, rows)));
    files
}

/// Whether a row is in figure 7: the sliding windows of the papers' sizes.
pub fn is_in_figure7(row: &CaseStudy) -> bool {
    row.name.starts_with("SW ") && row.is_in_a_paper()
}

/// The rows of the sliding window by size.
fn sizes(results: &Results) -> BTreeMap<&str, Vec<&CaseStudy>> {
    let mut sizes = BTreeMap::<&str, Vec<&CaseStudy>>::new();
    for row in results.rows.iter().filter(|row| is_in_figure7(row)) {
        sizes.entry(row.size()).or_default().push(row);
    }
    sizes
}

/// The size of the requirement against refinement steps, for the properties A to D.
fn figure7(results: &Results, size: &str, rows: &[&CaseStudy]) -> (String, String) {
    let model =
        if size == "algorithm" { "SW (FORTE 2006)".to_owned() } else { format!("SW {size}") };
    let module = rows.first().map_or(String::new(), |row| row.modules[0].to_lowercase());
    let panel = |way: Way| {
        let curve = |(style, row): (usize, &&CaseStudy)| {
            let trace = results.traces.get(&(row.name.clone(), way)).map_or(&[][..], Vec::as_slice);
            let points = trace.iter().map(|point| (point.step, point.requirement)).collect();
            Curve { name: format!("property {}", row.property), style, points }
        };
        Panel {
            title: format!("{model}, {module}: {}", way.name()),
            x: axis("steps of refinement", Scale::Linear),
            y: axis("states of the requirement", Scale::Linear),
            curves: rows.iter().enumerate().map(curve).collect(),
        }
    };
    (format!("figure7-{}.svg", size.replace('/', "-")), picture(&Way::ALL.map(panel)))
}

fn axis(title: &str, scale: Scale) -> Axis {
    Axis { title: title.to_owned(), scale }
}

/// The modes of the figures, with the papers' splits.
const LINES: [(&str, Mode); 7] = [
    ("check", Mode::Check),
    ("spin", Mode::Spin),
    ("CMC (--engine requirement)", Mode::Requirement),
    ("assume", Mode::Assume),
    ("--engine network", Mode::Network),
    ("R10% (resy spin)", Mode::Threshold),
    ("--engine monolithic", Mode::Monolithic),
];

/// Time and memory against the parameter, one curve per mode.
fn growth(results: &Results, family: &str, rows: &[&CaseStudy]) -> (String, String) {
    let curve = |name: &str, style: usize, mode: Mode, value: fn(&CaseRuns<'_>) -> Option<f64>| {
        let point =
            |(x, row): (usize, &&CaseStudy)| Some((x as f64, value(&results.of(row, mode, 0))?));
        let points = rows.iter().enumerate().filter_map(point).collect();
        Curve { name: name.to_owned(), style, points }
    };
    let curves = |value: fn(&CaseRuns<'_>) -> Option<f64>| -> Vec<Curve> {
        let lines = LINES.iter().enumerate();
        lines.map(|(style, &(name, mode))| curve(name, style, mode, value)).collect()
    };
    let mut times = curves(|runs| runs.seconds());
    times.push(curve("pan alone", LINES.len(), Mode::Spin, |runs| runs.step(2)));
    let names = || Scale::Names(rows.iter().map(|row| row.size().to_owned()).collect());
    let panel = |what: &str, unit: &str, curves: Vec<Curve>| Panel {
        title: format!("{family}: {what}"),
        x: axis(parameter(family), names()),
        y: axis(unit, Scale::Log),
        curves: curves.into_iter().filter(|curve| !curve.points.is_empty()).collect(),
    };
    let panels = [
        panel("time to the verdict", "seconds", times),
        panel("peak memory", "MB", curves(|runs| runs.bytes().map(|bytes| bytes / 1e6))),
    ];
    (format!("growth-{}.svg", family.replace(' ', "-").to_lowercase()), picture(&panels))
}

fn parameter(family: &str) -> &'static str {
    match family.split(' ').next() {
        Some("SW") => "buffer / window",
        Some("Elevator") => "floors",
        Some("Prodcell") => "components",
        Some("Workflow") => "participants",
        _ => "parameter",
    }
}

#[cfg(test)]
mod tests {
    use super::super::results::tests::{answer, results};
    use super::super::trace::TracePoint;
    use super::*;

    #[test]
    fn there_is_a_figure_for_each_size_and_each_family_that_grows() {
        let mut results =
            results(&["SW 2/1/A", "SW 2/1/D", "SW algorithm/A", "Elevator 2", "Elevator 3"]);
        let point = |step, requirement| TracePoint { step, classes: step + 1.0, requirement };
        let key = ("SW 2/1/D".to_owned(), Way::Alternating);
        results.traces.insert(key, vec![point(0.0, 98.0), point(1.0, 1.0)]);
        results.add("Elevator 2", Mode::Check, 0, answer("holds", 0.01));
        results.add("Elevator 3", Mode::Check, 0, answer("hung", 25.0));
        let files = figures(&results);
        let names: Vec<&str> = files.iter().map(|file| file.0.as_str()).collect();
        assert_eq!(names, ["figure7-2-1.svg", "figure7-algorithm.svg", "growth-elevator.svg"]);
        assert!(
            files[0].1.contains("property D")
                && files[0].1.contains(">SW 2/1, sender: forward first<")
        );
        let growth = &files[2].1;
        assert!(growth.contains(">check<") && !growth.contains(">assume<"), "{growth}");
        assert!(growth.contains(">floors<") && growth.contains(">MB<"));
    }
}
