//! A chart as a picture.
//!
//! Rows are steps. A message through a channel is a slanting arrow, from where it is sent to where it is
//! received. Words stand at the right, so that they never cover a line.

use super::chart::{Chart, Mark, Row};
use crate::requirement::markup::escaped;
use std::fmt::Write;

const ROW: usize = 26;
const HEADER: usize = 64;
const MARGIN: usize = 56;
/// The width of a letter, rounded up: the font has one width.
const LETTER: usize = 8;
const MIN_GAP: usize = 110;

const STYLE: &str = "\
text { font: 13px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #1f2937; }
.title { font-weight: bold; }
.number { fill: #9ca3af; text-anchor: end; }
.name { text-anchor: middle; }
.box { fill: #eef2ff; stroke: #6366f1; }
.life { stroke: #c7cdd8; stroke-width: 1.5; }
.message { stroke: #4338ca; stroke-width: 1.6; }
.channel { stroke: #0f766e; stroke-width: 1.6; stroke-dasharray: 6 3; }
.waiting { stroke: #0f766e; stroke-width: 1.6; stroke-dasharray: 2 3; }
.label { text-anchor: middle; paint-order: stroke; stroke: #ffffff; stroke-width: 4px; }
.note { fill: #6366f1; }
.wrong { fill: #b91c1c; font-weight: bold; }
.cross { stroke: #b91c1c; stroke-width: 3; }
";

impl Chart {
    /// The chart as an SVG document that needs nothing else.
    pub fn to_svg(&self) -> String {
        let places = self.columns();
        let words = places.last().map_or(MARGIN, |x| x + 40);
        let longest = self.rows.iter().map(|row| self.words(row).chars().count()).max();
        let title = self.title.chars().count() * LETTER + 2 * MARGIN;
        let last_name = self.lifelines.last().map_or(0, |life| life.name.chars().count());
        let names = places.last().map_or(0, |x| x + last_name * LETTER / 2 + 24);
        let width = (words + longest.unwrap_or(0) * LETTER + 24).max(title).max(names);
        let bottom = y(self.rows.len());
        let height = bottom + ROW;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" \
             width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n\
             <defs><marker id=\"head\" markerWidth=\"9\" markerHeight=\"8\" refX=\"8\" refY=\"4\" \
             orient=\"auto\"><path d=\"M0,0 L9,4 L0,8 z\" fill=\"context-stroke\"/></marker></defs>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
             <text class=\"title\" x=\"16\" y=\"22\">{title}</text>\n",
            title = escaped(&self.title),
        );
        for (lifeline, &x) in self.lifelines.iter().zip(&places) {
            let first = self.rows.iter().position(|row| row.step == 0 || row.step >= lifeline.born);
            let top = match lifeline.born {
                0 => HEADER,
                _ => first.map_or(bottom, y),
            };
            let room = lifeline.name.chars().count() * LETTER + 16;
            let (left, name) = (x - room / 2, escaped(&lifeline.name));
            put(
                &mut svg,
                format_args!(
                    "<line class=\"life\" x1=\"{x}\" y1=\"{top}\" x2=\"{x}\" y2=\"{bottom}\"/>"
                ),
            );
            put(
                &mut svg,
                format_args!(
                    "<rect class=\"box\" x=\"{left}\" y=\"{}\" width=\"{room}\" height=\"24\" rx=\"4\"/>\
                     <text class=\"name\" x=\"{x}\" y=\"{}\">{name}</text>",
                    HEADER - 26,
                    HEADER - 9
                ),
            );
        }
        // Labels come last, so that no line crosses them.
        let mut labels = String::new();
        for (number, row) in self.rows.iter().enumerate() {
            self.draw(&mut svg, &mut labels, number, row, &places);
            self.write(&mut labels, number, row, words);
        }
        svg + &labels + "</svg>\n"
    }

    /// Far enough from each other for names and messages.
    fn columns(&self) -> Vec<usize> {
        let half = |i: usize| self.lifelines[i].name.chars().count() * LETTER / 2 + 16;
        let mut gaps: Vec<usize> =
            (1..self.lifelines.len()).map(|i| (half(i - 1) + half(i)).max(MIN_GAP)).collect();
        for row in &self.rows {
            let (Mark::Rendezvous { from, to } | Mark::Receive { from, to, .. }) = row.mark else {
                continue;
            };
            let (a, b) = (from.min(to), from.max(to));
            if a < b {
                let wanted = row.label.chars().count().min(40) * LETTER + 40;
                gaps[b - 1] += wanted.saturating_sub(gaps[a..b].iter().sum());
            }
        }
        let first = MARGIN + if self.lifelines.is_empty() { 0 } else { half(0) };
        let next = |at: &mut usize, gap: &usize| {
            *at += gap;
            Some(*at)
        };
        std::iter::once(first).chain(gaps.iter().scan(first, next)).collect()
    }

    /// What stands at the right of a row.
    fn words(&self, row: &Row) -> String {
        match row.mark {
            Mark::Rendezvous { from, to } if from != to => String::new(),
            Mark::Receive { from, to, .. } if from != to => String::new(),
            Mark::Receive { sent, .. } => {
                format!("{}, sent in step {}", row.label, self.rows[sent].step)
            }
            Mark::Send { to: None, .. } => format!("{} (received by nobody)", row.label),
            Mark::Send { .. } => String::new(),
            _ => row.label.clone(),
        }
    }

    fn draw(
        &self,
        svg: &mut String,
        labels: &mut String,
        number: usize,
        row: &Row,
        places: &[usize],
    ) {
        let at = y(number);
        let mut message = |class: &str, from: usize, y1: usize, to: usize| {
            let (x1, x2) = (places[from], places[to]);
            let (middle, above) = ((x1 + x2) / 2, (y1 + at) / 2 - 5);
            let label = escaped(&row.label);
            put(
                svg,
                format_args!(
                    "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{at}\" \
                     marker-end=\"url(#head)\"/>"
                ),
            );
            put(
                labels,
                format_args!("<text class=\"label\" x=\"{middle}\" y=\"{above}\">{label}</text>"),
            );
        };
        match row.mark {
            Mark::Rendezvous { from, to } if from != to => message("message", from, at, to),
            Mark::Receive { from, to, sent } if from != to => message("channel", from, y(sent), to),
            Mark::Send { from, to: None } => {
                let (x1, x2) = (places[from], places[from] + 30);
                let ends = format!("x1=\"{x1}\" y1=\"{at}\" x2=\"{x2}\" y2=\"{at}\"");
                put(
                    svg,
                    format_args!("<line class=\"waiting\" {ends} marker-end=\"url(#head)\"/>"),
                );
            }
            Mark::Rendezvous { from: x, .. }
            | Mark::Receive { to: x, .. }
            | Mark::Send { from: x, .. }
            | Mark::Note(x) => {
                let x = places[x];
                put(svg, format_args!("<circle class=\"note\" cx=\"{x}\" cy=\"{at}\" r=\"4.5\"/>"));
            }
            Mark::End(Some(x)) => {
                let (left, right) = (places[x] - 6, places[x] + 6);
                let (top, bottom) = (at - 6, at + 6);
                let strokes =
                    format!("M{left},{top} L{right},{bottom} M{right},{top} L{left},{bottom}");
                put(svg, format_args!("<path class=\"cross\" d=\"{strokes}\"/>"));
            }
            Mark::End(None) => {}
        }
    }

    /// The number of the step at the left, and what is said about it at the right.
    fn write(&self, labels: &mut String, number: usize, row: &Row, words: usize) {
        let y = y(number) + 4;
        if row.step > 0 {
            put(
                labels,
                format_args!("<text class=\"number\" x=\"36\" y=\"{y}\">{}</text>", row.step),
            );
        }
        let what = self.words(row);
        if !what.is_empty() {
            let class = if matches!(row.mark, Mark::End(_)) { " class=\"wrong\"" } else { "" };
            put(
                labels,
                format_args!("<text{class} x=\"{words}\" y=\"{y}\">{}</text>", escaped(&what)),
            );
        }
    }
}

/// The height of a row.
fn y(number: usize) -> usize {
    HEADER + ROW + number * ROW
}

fn put(svg: &mut String, element: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(svg, "{element}");
}
