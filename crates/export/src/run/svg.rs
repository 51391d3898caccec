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

/// What the elements look like. In a page there are other elements, so that everything begins with the chart.
pub(crate) const STYLE: &str = include_str!("chart.css");

/// A drawn chart.
pub(crate) struct Drawing {
    /// Its width.
    pub width: usize,
    /// Its height.
    pub height: usize,
    /// Its elements; what belongs to a step says so (`data-step`).
    pub elements: String,
}

impl Chart {
    /// The chart as an SVG document that needs nothing else.
    pub fn to_svg(&self) -> String {
        let Drawing { width, height, elements } = self.draw();
        let title = escaped(&self.title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" \
             width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n{elements}</svg>\n"
        )
    }

    /// Draws the chart.
    pub(crate) fn draw(&self) -> Drawing {
        let places = self.columns();
        let words = places.last().map_or(MARGIN, |x| x + 40);
        let longest = self.rows.iter().map(|row| self.words(row).chars().count()).max();
        let title = self.title.chars().count() * LETTER + 2 * MARGIN;
        let last_name = self.lifelines.last().map_or(0, |life| life.name.chars().count());
        let names = places.last().map_or(0, |x| x + last_name * LETTER / 2 + 24);
        let width = (words + longest.unwrap_or(0) * LETTER + 24).max(title).max(names);
        let bottom = y(self.rows.len());
        let mut elements = String::from(
            "<defs><marker id=\"head\" markerWidth=\"9\" markerHeight=\"8\" refX=\"8\" refY=\"4\" \
             orient=\"auto\"><path d=\"M0,0 L9,4 L0,8 z\" fill=\"context-stroke\"/></marker></defs>\n",
        );
        for (number, row) in self.rows.iter().enumerate() {
            let (step, top) = (step(row), y(number) - ROW / 2);
            put(
                &mut elements,
                format_args!(
                    "<rect class=\"band\" data-step=\"{step}\" y=\"{top}\" width=\"{width}\" \
                     height=\"{ROW}\"/>"
                ),
            );
        }
        self.draw_lifelines(&mut elements, &places, bottom);
        // Labels come last, so that no line crosses them.
        let mut labels = String::new();
        for (number, row) in self.rows.iter().enumerate() {
            let group = format!("<g data-step=\"{}\">\n", step(row));
            elements.push_str(&group);
            labels.push_str(&group);
            self.draw_row(&mut elements, &mut labels, number, row, &places);
            self.write(&mut labels, number, row, words);
            elements.push_str("</g>\n");
            labels.push_str("</g>\n");
        }
        elements.push_str(&labels);
        self.draw_heads(&mut elements, &places, width);
        Drawing { width, height: bottom + ROW, elements }
    }

    fn draw_lifelines(&self, svg: &mut String, places: &[usize], bottom: usize) {
        for (lifeline, &x) in self.lifelines.iter().zip(places) {
            let first = self.rows.iter().position(|row| row.step == 0 || row.step >= lifeline.born);
            let top = match lifeline.born {
                0 => HEADER,
                _ => first.map_or(bottom, y),
            };
            put(
                svg,
                format_args!(
                    "<line class=\"life\" x1=\"{x}\" y1=\"{top}\" x2=\"{x}\" y2=\"{bottom}\"/>"
                ),
            );
        }
    }

    /// The title and the names: in a page they stay where they are when the rest is scrolled.
    fn draw_heads(&self, svg: &mut String, places: &[usize], width: usize) {
        let title = escaped(&self.title);
        put(
            svg,
            format_args!(
                "<g class=\"heads\">\n<rect class=\"ground\" width=\"{width}\" height=\"{HEADER}\"/>\
                 <text class=\"title\" x=\"16\" y=\"22\">{title}</text>"
            ),
        );
        for (lifeline, &x) in self.lifelines.iter().zip(places) {
            let room = lifeline.name.chars().count() * LETTER + 16;
            let (left, name) = (x - room / 2, escaped(&lifeline.name));
            put(
                svg,
                format_args!(
                    "<rect class=\"box\" x=\"{left}\" y=\"{}\" width=\"{room}\" height=\"24\" rx=\"4\"/>\
                     <text class=\"name\" x=\"{x}\" y=\"{}\">{name}</text>",
                    HEADER - 26,
                    HEADER - 9
                ),
            );
        }
        svg.push_str("</g>\n");
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

    fn draw_row(
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

/// The step that a row belongs to.
fn step(row: &Row) -> String {
    if row.step == 0 { "end".to_owned() } else { row.step.to_string() }
}

/// The height of a row.
fn y(number: usize) -> usize {
    HEADER + ROW + number * ROW
}

fn put(svg: &mut String, element: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(svg, "{element}");
}
