//! A message sequence chart as SVG.
//!
//! Each row of the picture is a row of the chart. A message through a channel is a slanted arrow from the
//! send to the receive. A loop has a frame and an extra line with the number of iterations. Text is to
//! the right of all lifelines, so that it covers no line.

use super::Picture;
use crate::run::{Chart, ChartMark, ChartRow};
use maud::{Markup, html};
use std::ops::Range;

const ROW: usize = 26;
const HEADER: usize = 64;
const MARGIN: usize = 56;
/// The width of a character, rounded up; the font is monospaced.
const LETTER: usize = 8;
const MIN_GAP: usize = 110;
/// The left edge of a loop's frame, to the right of the step numbers.
const FRAME: usize = 44;

/// The style sheet. All selectors begin with the chart's class, because a page has other elements.
pub const STYLE: &str = include_str!("chart.css");

impl Chart {
    /// The chart as an SVG document that needs no other file.
    pub fn to_svg(&self) -> String {
        let picture = self.draw();
        let elements = html! {
            rect width=(picture.width) height=(picture.height) fill="#ffffff" {} "\n"
            (picture.elements)
        };
        Picture { elements, ..picture }.to_document("chart", &self.title, STYLE)
    }

    /// Draws the chart. Elements that belong to steps name them in `data-step`.
    pub(crate) fn draw(&self) -> Picture {
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
        let elements = html! {
            (arrow_head()) "\n"
            @for (row, y) in self.rows.iter().zip(&heights) {
                rect.band data-step=(steps(row)) y=(y - ROW / 2) width=(width) height=(ROW) {} "\n"
            }
            (self.draw_lifelines(&places, &heights, bottom))
            @for rows in &self.loops { (self.draw_loop(rows, &heights, words)) "\n" }
            @for (number, row) in self.rows.iter().enumerate() {
                g data-step=(steps(row)) { "\n" (self.draw_mark(number, &heights, &places)) } "\n"
            }
            // Labels come last: no line is drawn over them.
            @for (number, row) in self.rows.iter().enumerate() {
                g data-step=(steps(row)) {
                    "\n" (self.draw_label(number, &heights, &places)) (self.draw_words(row, heights[number], words))
                } "\n"
            }
            (self.draw_heads(&places, width)) "\n"
        };
        Picture { width: width as f64, height: (bottom + ROW) as f64, elements }
    }

    /// The vertical position of each row; a loop has an extra line above its first row.
    fn heights(&self) -> Vec<usize> {
        let mut y = HEADER;
        let height = |row| {
            y += if self.loop_from(row).is_some() { 2 * ROW } else { ROW };
            y
        };
        (0..self.rows.len()).map(height).collect()
    }

    /// The frame of a loop, with the number of iterations in its corner as in UML.
    fn draw_loop(&self, rows: &Range<usize>, heights: &[usize], words: usize) -> Markup {
        let (times, when) = self.rounds(rows);
        let (top, bottom) = (heights[rows.start] - ROW - 10, heights[rows.end - 1] + 7);
        let (width, height, tab) = (words - 8 - FRAME, bottom - top, tab_width(&times));
        let (right, slant, low) = (FRAME + tab, FRAME + tab - 8, top + 20);
        let tab = format!("M{FRAME},{top} H{right} V{} L{slant},{low} H{FRAME} z", low - 8);
        html! {
            g data-step=(steps(&self.rows[rows.start])) {
                "\n" rect.frame x=(FRAME) y=(top) width=(width) height=(height) {}
                "\n" path.tab d=(tab) {}
                "\n" text x=(FRAME + 8) y=(top + 14) { (times) }
                "\n" text x=(words) y=(top + 14) { (when) } "\n"
            }
        }
    }

    fn draw_lifelines(&self, places: &[usize], heights: &[usize], bottom: usize) -> Markup {
        let top = |born: usize| {
            let lives = |row: &ChartRow| row.steps.last().is_none_or(|step| *step >= born);
            match born {
                0 => HEADER,
                _ => self.rows.iter().position(lives).map_or(bottom, |row| heights[row]),
            }
        };
        html! {
            @for (lifeline, x) in self.lifelines.iter().zip(places) {
                line.life x1=(x) y1=(top(lifeline.born)) x2=(x) y2=(bottom) {} "\n"
            }
        }
    }

    /// The title and the names. In a page they stay visible when the chart is scrolled.
    fn draw_heads(&self, places: &[usize], width: usize) -> Markup {
        let room = |name: &str| name.chars().count() * LETTER + 16;
        html! {
            g.heads {
                "\n" rect.ground width=(width) height=(HEADER) {}
                text.title x="16" y="22" { (self.title) } "\n"
                @for (lifeline, x) in self.lifelines.iter().zip(places) {
                    @let room = room(&lifeline.name);
                    rect.box x=(x - room / 2) y=(HEADER - 26) width=(room) height="24" rx="4" {}
                    text.name x=(x) y=(HEADER - 9) { (lifeline.name) } "\n"
                }
            }
        }
    }

    /// The horizontal positions of the lifelines, far enough apart for names and labels.
    fn columns(&self) -> Vec<usize> {
        let half = |i: usize| self.lifelines[i].name.chars().count() * LETTER / 2 + 16;
        let mut gaps: Vec<usize> =
            (1..self.lifelines.len()).map(|i| (half(i - 1) + half(i)).max(MIN_GAP)).collect();
        for row in &self.rows {
            let (ChartMark::Rendezvous { from, to } | ChartMark::Receive { from, to, .. }) =
                row.mark
            else {
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

    /// The text to the right of a row.
    fn words(&self, row: &ChartRow) -> String {
        match row.mark {
            ChartMark::Rendezvous { from, to } if from != to => String::new(),
            ChartMark::Receive { from, to, .. } if from != to => String::new(),
            ChartMark::Receive { sent, round, .. } => {
                format!("{}, sent in step {}", row.label, self.sent_in(sent, round))
            }
            ChartMark::Send { to: None, .. } => format!("{} (received by nobody)", row.label),
            ChartMark::Send { from, to: Some(to) } if from != to => String::new(),
            _ => row.label.clone(),
        }
    }

    /// The arrow, dot or cross of a row.
    fn draw_mark(&self, number: usize, heights: &[usize], places: &[usize]) -> Markup {
        let y = heights[number];
        if let Some((from, y1, to)) = self.message(number, heights) {
            let is_direct = matches!(self.rows[number].mark, ChartMark::Rendezvous { .. });
            let class = if is_direct { "message" } else { "channel" };
            return line(class, [places[from], y1], [places[to], y]);
        }
        match self.rows[number].mark {
            ChartMark::Send { from, to: None } => {
                line("waiting", [places[from], y], [places[from] + 30, y])
            }
            ChartMark::Rendezvous { from: x, .. }
            | ChartMark::Receive { to: x, .. }
            | ChartMark::Send { from: x, .. }
            | ChartMark::Note(x) => html! { circle.note cx=(places[x]) cy=(y) r="4.5" {} "\n" },
            ChartMark::Read(x) => html! { circle.read cx=(places[x]) cy=(y) r="4" {} "\n" },
            ChartMark::End(Some(x)) => {
                let (left, right, top, bottom) = (places[x] - 6, places[x] + 6, y - 6, y + 6);
                let strokes =
                    format!("M{left},{top} L{right},{bottom} M{right},{top} L{left},{bottom}");
                html! { path.cross d=(strokes) {} "\n" }
            }
            ChartMark::End(None) => html! {},
        }
    }

    /// The label of a row's arrow, above its middle.
    fn draw_label(&self, number: usize, heights: &[usize], places: &[usize]) -> Markup {
        html! {
            @if let Some((from, y, to)) = self.message(number, heights) {
                @let (x, y) = ((places[from] + places[to]) / 2, (y + heights[number]) / 2 - 5);
                text.label x=(x) y=(y) { (self.rows[number].label) } "\n"
            }
        }
    }

    /// The arrow that ends in a row: the sender, the height at which it starts, and the receiver.
    fn message(&self, number: usize, heights: &[usize]) -> Option<(usize, usize, usize)> {
        match self.rows[number].mark {
            ChartMark::Rendezvous { from, to } if from != to => Some((from, heights[number], to)),
            ChartMark::Receive { from, to, sent, .. } if from != to => {
                Some((from, heights[sent], to))
            }
            _ => None,
        }
    }

    /// The step number on the left, and the text on the right.
    fn draw_words(&self, row: &ChartRow, height: usize, x: usize) -> Markup {
        let (y, words) = (height + 4, self.words(row));
        let class = matches!(row.mark, ChartMark::End(_)).then_some("wrong");
        html! {
            @if let Some(step) = row.steps.first() {
                text.number x="36" y=(y) { (step) } "\n"
            }
            @if !words.is_empty() {
                text class=[class] x=(x) y=(y) { (words) } "\n"
            }
        }
    }
}

/// The marker for arrow heads, which takes the colour of its arrow.
fn arrow_head() -> Markup {
    html! {
        defs {
            marker id="head" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto" {
                path d="M0,0 L9,4 L0,8 z" fill="context-stroke" {}
            }
        }
    }
}

/// An arrow between two points.
fn line(class: &str, [x1, y1]: [usize; 2], [x2, y2]: [usize; 2]) -> Markup {
    html! { line class=(class) x1=(x1) y1=(y1) x2=(x2) y2=(y2) marker-end="url(#head)" {} "\n" }
}

/// The steps of a row, as the value of `data-step`.
fn steps(row: &ChartRow) -> String {
    if row.steps.is_empty() {
        return "end".to_owned();
    }
    let steps: Vec<String> = row.steps.iter().map(usize::to_string).collect();
    steps.join(" ")
}

/// The width of the frame's corner that contains this text.
fn tab_width(times: &str) -> usize {
    times.len() * LETTER + 20
}
