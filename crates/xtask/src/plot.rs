//! Plots with several panels side by side and a common legend, as SVG.
//!
//! Designed for slides: large letters, few lines, the colour-blind safe palette of Okabe and Ito, and a
//! distinct marker per curve for printing without colour.

mod axis;
mod svg;

pub use axis::{Axis, Scale};

use axis::Range;
use svg::{Anchor, Svg};

/// The size of a panel, and the margins around its frame.
const PANEL: (f64, f64) = (560.0, 400.0);
const LEFT: f64 = 84.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 64.0;

/// The line height and the margins of the legend.
const LINE_HEIGHT: f64 = 26.0;
const EDGE: f64 = 24.0;

const GREY: &str = "#555555";
const LIGHT: &str = "#e4e4e4";

/// The palette, without yellow, which is hard to see on white, and with a grey.
const COLOURS: [&str; 8] =
    ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#777777"];

/// The maximal number of points with markers; of more points only the last has one.
const MARKED: usize = 30;

/// A panel of a plot.
#[derive(Debug, Clone)]
pub struct Panel {
    /// The title.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The curves.
    pub curves: Vec<Curve>,
}

/// A curve of a panel.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// The name in the legend.
    pub name: String,
    /// The index of its colour and marker, the same in all panels.
    pub style: usize,
    /// The points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// Draws the panels from left to right, and the legend.
pub fn picture(panels: &[Panel]) -> String {
    let width = PANEL.0 * panels.len() as f64;
    let names = legend_entries(panels);
    let lines = wrap(&names, width - 2.0 * EDGE);
    let height = PANEL.1 + LINE_HEIGHT * lines.len() as f64 + 8.0;
    let mut svg = Svg::new(width, height);
    for (number, panel) in panels.iter().enumerate() {
        draw(&mut svg, panel, PANEL.0 * number as f64);
    }
    for (number, line) in lines.iter().enumerate() {
        let y = PANEL.1 + LINE_HEIGHT * (number as f64 + 0.5);
        let mut x = EDGE;
        for (name, style) in line {
            let colour = COLOURS[style % COLOURS.len()];
            svg.path(&[(x, y), (x + 30.0, y)], colour, 2.5);
            mark(&mut svg, *style, (x + 15.0, y));
            svg.text(name, (x + 38.0, y + 5.0), 15.0, Anchor::Start, "#000000");
            x += entry_width(name);
        }
    }
    svg.finish()
}

/// The distinct names, in the order of their first curve.
fn legend_entries(panels: &[Panel]) -> Vec<(&str, usize)> {
    let mut entries: Vec<(&str, usize)> = Vec::new();
    for curve in panels.iter().flat_map(|panel| &panel.curves) {
        if entries.iter().all(|(name, _)| *name != curve.name) {
            entries.push((&curve.name, curve.style));
        }
    }
    entries
}

fn entry_width(name: &str) -> f64 {
    58.0 + svg::width(name, 15.0)
}

/// Breaks the entries into lines of at most this width.
fn wrap<'a>(entries: &[(&'a str, usize)], width: f64) -> Vec<Vec<(&'a str, usize)>> {
    let mut lines: Vec<Vec<(&str, usize)>> = Vec::new();
    let mut used = f64::INFINITY;
    for &entry in entries {
        used += entry_width(entry.0);
        if used > width {
            lines.push(Vec::new());
            used = entry_width(entry.0);
        }
        if let Some(line) = lines.last_mut() {
            line.push(entry);
        }
    }
    lines
}

fn draw(svg: &mut Svg, panel: &Panel, left: f64) {
    let (x0, x1) = (left + LEFT, left + PANEL.0 - RIGHT);
    let (y0, y1) = (PANEL.1 - BOTTOM, TOP);
    let points = || panel.curves.iter().flat_map(|curve| &curve.points);
    let across = Range::of(&panel.x.scale, points().map(|p| p.0));
    let up = Range::of(&panel.y.scale, points().map(|p| p.1));
    let x = |value: f64| x0 + across.share(value) * (x1 - x0);
    let y = |value: f64| y0 + up.share(value) * (y1 - y0);
    for (value, label) in up.ticks() {
        svg.path(&[(x0, y(value)), (x1, y(value))], LIGHT, 1.0);
        svg.text(&label, (x0 - 8.0, y(value) + 5.0), 14.0, Anchor::End, GREY);
    }
    for (value, label) in across.ticks() {
        svg.path(&[(x(value), y0), (x(value), y0 + 5.0)], GREY, 1.0);
        svg.text(&label, (x(value), y0 + 21.0), 14.0, Anchor::Middle, GREY);
    }
    svg.path(&[(x0, y1), (x0, y0), (x1, y0)], GREY, 1.0);
    svg.text(&panel.title, ((x0 + x1) / 2.0, 26.0), 18.0, Anchor::Middle, "#000000");
    svg.text(&panel.x.title, ((x0 + x1) / 2.0, y0 + 46.0), 15.0, Anchor::Middle, "#000000");
    svg.upright(&panel.y.title, (left + 20.0, (y0 + y1) / 2.0), 15.0);
    for curve in &panel.curves {
        let points: Vec<_> = curve.points.iter().map(|p| (x(p.0), y(p.1))).collect();
        svg.path(&points, COLOURS[curve.style % COLOURS.len()], 2.5);
        let few = points.len() <= MARKED;
        let marked = if few { &points[..] } else { &points[points.len() - 1..] };
        marked.iter().for_each(|&point| mark(svg, curve.style, point));
    }
}

/// The markers: circle, square, triangle, diamond; hollow for the second four.
fn mark(svg: &mut Svg, style: usize, (x, y): (f64, f64)) {
    let r = 5.0;
    let outline: &[(f64, f64)] = match style % 4 {
        0 => &[],
        1 => &[(-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)],
        2 => &[(0.0, -1.1), (1.05, 0.8), (-1.05, 0.8)],
        _ => &[(0.0, -1.25), (1.0, 0.0), (0.0, 1.25), (-1.0, 0.0)],
    };
    let outline: Vec<_> = outline.iter().map(|(dx, dy)| (x + r * dx, y + r * dy)).collect();
    let colour = COLOURS[style % COLOURS.len()];
    svg.mark((x, y), r, &outline, colour, style % COLOURS.len() < 4);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(name: &str, style: usize) -> Curve {
        Curve { name: name.to_owned(), style, points: vec![(1.0, 0.01), (2.0, 30.0)] }
    }

    fn panel(curves: Vec<Curve>) -> Panel {
        let axis = |title: &str, scale| Axis { title: title.to_owned(), scale };
        let names = Scale::Names(["2/1", "3/1"].map(str::to_owned).into());
        let (x, y) = (axis("size", names), axis("seconds", Scale::Log));
        Panel { title: "a < b & c".to_owned(), x, y, curves }
    }

    #[test]
    fn each_name_is_in_the_legend_once() {
        let panels =
            [panel(vec![curve("spin", 1), curve("check", 0)]), panel(vec![curve("spin", 1)])];
        assert_eq!(legend_entries(&panels), [("spin", 1), ("check", 0)]);
        let text = picture(&panels);
        assert_eq!(text.matches(">spin<").count(), 1);
        assert!(text.contains("a &lt; b &amp; c"), "{text}");
        assert_eq!(text.matches(">3/1<").count(), 2);
        assert!(text.contains(">seconds<") && text.contains(">0.01<") && text.contains(">10<"));
    }

    #[test]
    fn a_long_legend_has_several_lines() {
        let names = ["a rather long name of a curve"; 5].map(|name| (name, 0));
        let lines = wrap(&names, 700.0);
        assert_eq!(lines.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 1]);
        // An entry that is too long for a line gets its own line.
        assert_eq!(wrap(&names, 10.0).len(), 5);
        assert!(wrap(&[], 10.0).is_empty());
    }

    #[test]
    fn nothing_to_draw_is_no_reason_to_fail() {
        let text = picture(&[panel(vec![Curve { points: vec![], ..curve("none", 0) }])]);
        assert!(text.ends_with("</svg>\n") && !text.contains("NaN") && !text.contains("inf"));
        assert!(picture(&[]).ends_with("</svg>\n"));
    }
}
