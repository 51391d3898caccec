//! A chart as a picture.
//!
//! Rows are steps. A message through a channel is a slanting arrow, from where it is sent to where it is
//! received. A loop has a frame, with a line of its own for how often. Words stand at the right, so that
//! they never cover a line.

use super::markup::escaped;
use crate::run::{Chart, Mark, Row};
use std::fmt::Write;
use std::ops::Range;

const ROW: usize = 26;
const HEADER: usize = 64;
const MARGIN: usize = 56;
/// The width of a letter, rounded up: the font has one width.
const LETTER: usize = 8;
const MIN_GAP: usize = 110;
/// The left edge of the frame of a loop: right of the numbers.
const FRAME: usize = 44;

/// What the elements look like. In a page there are other elements, so that everything begins with the chart.
pub(crate) const STYLE: &str = include_str!("chart.css");

/// A drawn chart.
pub(crate) struct Drawing {
    /// Its width.
    pub width: usize,
    /// Its height.
    pub height: usize,
    /// Its elements; what belongs to steps says to which (`data-step`).
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
        let (places, heights) = (self.columns(), self.heights());
        let tabs = self.loops.iter().map(|rows| FRAME + tab_width(&self.rounds(rows).0) + 16).max();
        let words = places.last().map_or(MARGIN, |x| x + 40).max(tabs.unwrap_or(0));
        let said = self.rows.iter().map(|row| self.words(row));
        let said = said.chain(self.loops.iter().map(|rows| self.rounds(rows).1));
        let longest = said.map(|words| words.chars().count()).max();
        let title = self.title.chars().count() * LETTER + 2 * MARGIN;
        let last_name = self.lifelines.last().map_or(0, |life| life.name.chars().count());
        let names = places.last().map_or(0, |x| x + last_name * LETTER / 2 + 24);
        let width = (words + longest.unwrap_or(0) * LETTER + 24).max(title).max(names);
        let bottom = heights.last().map_or(HEADER, |last| *last) + ROW;
        let mut elements = String::from(
            "<defs><marker id=\"head\" markerWidth=\"9\" markerHeight=\"8\" refX=\"8\" refY=\"4\" \
             orient=\"auto\"><path d=\"M0,0 L9,4 L0,8 z\" fill=\"context-stroke\"/></marker></defs>\n",
        );
        for (row, y) in self.rows.iter().zip(&heights) {
            let (steps, top) = (steps(row), y - ROW / 2);
            put(
                &mut elements,
                format_args!(
                    "<rect class=\"band\" data-step=\"{steps}\" y=\"{top}\" width=\"{width}\" \
                     height=\"{ROW}\"/>"
                ),
            );
        }
        self.draw_lifelines(&mut elements, &places, &heights, bottom);
        for rows in &self.loops {
            self.draw_loop(&mut elements, rows, &heights, words);
        }
        // Labels come last, so that no line crosses them.
        let mut labels = String::new();
        for (number, row) in self.rows.iter().enumerate() {
            let group = format!("<g data-step=\"{}\">\n", steps(row));
            elements.push_str(&group);
            labels.push_str(&group);
            self.draw_row(&mut elements, &mut labels, number, &heights, &places);
            self.write(&mut labels, row, heights[number], words);
            elements.push_str("</g>\n");
            labels.push_str("</g>\n");
        }
        elements.push_str(&labels);
        self.draw_heads(&mut elements, &places, width);
        Drawing { width, height: bottom + ROW, elements }
    }

    /// The heights of the rows; above a loop is a line more.
    fn heights(&self) -> Vec<usize> {
        let mut y = HEADER;
        let height = |row| {
            y += if self.loop_from(row).is_some() { 2 * ROW } else { ROW };
            y
        };
        (0..self.rows.len()).map(height).collect()
    }

    /// The frame of a loop, with how often in its corner, as in UML.
    fn draw_loop(&self, svg: &mut String, rows: &Range<usize>, heights: &[usize], words: usize) {
        let (times, when) = self.rounds(rows);
        let (top, bottom) = (heights[rows.start] - ROW - 10, heights[rows.end - 1] + 7);
        let (width, height, tab) = (words - 8 - FRAME, bottom - top, tab_width(&times));
        let steps = steps(&self.rows[rows.start]);
        let (right, slant, low) = (FRAME + tab, FRAME + tab - 8, top + 20);
        put(
            svg,
            format_args!(
                "<g data-step=\"{steps}\">\n\
                 <rect class=\"frame\" x=\"{FRAME}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"/>\n\
                 <path class=\"tab\" d=\"M{FRAME},{top} H{right} V{} L{slant},{low} H{FRAME} z\"/>\n\
                 <text x=\"{}\" y=\"{}\">{times}</text>\n<text x=\"{words}\" y=\"{}\">{when}</text>\n</g>",
                low - 8,
                FRAME + 8,
                top + 14,
                top + 14,
            ),
        );
    }

    fn draw_lifelines(&self, svg: &mut String, places: &[usize], heights: &[usize], bottom: usize) {
        for (lifeline, &x) in self.lifelines.iter().zip(places) {
            let lives = |row: &Row| row.steps.last().is_none_or(|step| *step >= lifeline.born);
            let top = match lifeline.born {
                0 => HEADER,
                _ => self.rows.iter().position(lives).map_or(bottom, |row| heights[row]),
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
            Mark::Receive { sent, round, .. } => {
                format!("{}, sent in step {}", row.label, self.sent_in(sent, round))
            }
            Mark::Send { to: None, .. } => format!("{} (received by nobody)", row.label),
            Mark::Send { from, to: Some(to) } if from != to => String::new(),
            _ => row.label.clone(),
        }
    }

    fn draw_row(
        &self,
        svg: &mut String,
        labels: &mut String,
        number: usize,
        heights: &[usize],
        places: &[usize],
    ) {
        let (row, at) = (&self.rows[number], heights[number]);
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
            Mark::Receive { from, to, sent, .. } if from != to => {
                message("channel", from, heights[sent], to);
            }
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
    fn write(&self, labels: &mut String, row: &Row, height: usize, words: usize) {
        let y = height + 4;
        if let Some(step) = row.steps.first() {
            put(labels, format_args!("<text class=\"number\" x=\"36\" y=\"{y}\">{step}</text>"));
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

/// The steps that a row belongs to.
fn steps(row: &Row) -> String {
    if row.steps.is_empty() {
        return "end".to_owned();
    }
    let steps: Vec<String> = row.steps.iter().map(usize::to_string).collect();
    steps.join(" ")
}

/// The width of the corner of a frame, in which this is said.
fn tab_width(times: &str) -> usize {
    times.len() * LETTER + 20
}

fn put(svg: &mut String, element: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(svg, "{element}");
}
