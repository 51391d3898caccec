//! The states and arrows of a requirement as SVG.

use super::Picture;
use super::layout::{self, Extent, Graph, GraphLayout, Point, Route, START, TooLargeToDraw};
use crate::requirement::{Arrow, Described, StateMark};
use maud::{Markup, html};
use std::fmt::Write;

/// The style sheet. Lines and captions are readable on a white and on a black background; boxes have
/// their own background.
pub const STYLE: &str = include_str!("automaton.css");

/// Character width and line height, for members and for captions. Fonts are monospaced, so that text need
/// not be measured; the widest common one has a character width of 0.602 em.
const MEMBER: [f64; 2] = [7.3, 16.0];
const CAPTION: [f64; 2] = [6.7, 14.0];
/// The distance between a box and its text.
const PADDING: f64 = 9.0;
/// The minimal width of a box, and the width needed for each arrow end.
const MIN_BOX: f64 = 40.0;
const END: f64 = 5.0;
/// The maximal number of characters in a line.
const MAX_WIDTH: usize = 48;
/// The maximal number of lines at an arrow; the arrow's title lists all labels.
const MAX_LINES: usize = 8;
/// The maximal number of members or labels in a full list.
const MAX_LISTED: usize = 1000;
/// The length and half the width of an arrow's head.
const HEAD: [f64; 2] = [9.0, 4.0];

impl Described {
    /// The requirement as an SVG document that needs no other file.
    pub fn to_svg(&self) -> Result<String, TooLargeToDraw> {
        self.to_svg_called(&format!("Requirement of {}", self.module))
    }

    /// The automaton as an SVG document with this title.
    pub fn to_svg_called(&self, title: &str) -> Result<String, TooLargeToDraw> {
        Ok(self.draw()?.to_document("drawing", title, STYLE))
    }

    /// Draws the requirement.
    pub(crate) fn draw(&self) -> Result<Picture, TooLargeToDraw> {
        let states = self.summaries().into_iter().enumerate();
        let states: Vec<Vec<String>> = states.map(|(s, lines)| self.box_lines(s, lines)).collect();
        let captions: Vec<Vec<String>> = self.arrows.iter().map(caption_lines).collect();
        let mut n_ends = vec![0; states.len()];
        for end in self.arrows.iter().flat_map(|arrow| [arrow.from, arrow.to]) {
            n_ends[end] += 1;
        }
        let boxes = states.iter().zip(n_ends).map(|(lines, n_ends)| {
            let Extent { width, height } = text_size(lines, MEMBER);
            let width = (width + 2.0 * PADDING).max(MIN_BOX).max(f64::from(n_ends) * END);
            Extent { width, height: height + PADDING }
        });
        let arrows = self.arrows.iter().zip(&captions);
        let arrows = arrows.map(|(arrow, lines)| (arrow.from, arrow.to, text_size(lines, CAPTION)));
        let graph =
            Graph { initial: self.initial, boxes: boxes.collect(), arrows: arrows.collect() };
        let GraphLayout { size, corners, routes } = layout::layout(&graph)?;
        let elements = html! {
            @for (number, (route, lines)) in routes.iter().zip(&captions).enumerate() {
                (self.draw_arrow(number, route, lines)) "\n"
            }
            @for (state, (corner, lines)) in corners.iter().zip(&states).enumerate() {
                (self.draw_state(state, *corner, graph.boxes[state], lines)) "\n"
            }
        };
        Ok(Picture { width: size.width.ceil(), height: size.height.ceil(), elements })
    }

    fn box_lines(&self, state: usize, summary: Vec<String>) -> Vec<String> {
        let described = &self.states[state];
        let mark = described.mark.word().map(|word| format!(" {word}")).unwrap_or_default();
        let members = summary.into_iter().map(|member| cut(&member));
        [format!("{state}{mark}")].into_iter().chain(members).collect()
    }

    fn draw_arrow(&self, number: usize, route: &Route, lines: &[String]) -> Markup {
        let Arrow { from, to, labels, .. } = &self.arrows[number];
        let mark = match [self.states[*from].mark, self.states[*to].mark] {
            [_, StateMark::Error] => " error",
            [StateMark::Unreachable, _] | [_, StateMark::Unreachable] => " unreachable",
            _ => "",
        };
        html! {
            g class={ "arrow" (mark) } data-from=(from) data-to=(to) {
                title { (from) " → " (to) "\n" (listed(labels).join("\n")) }
                (line_with_head(&route.points))
                (text_lines(route.caption, lines, CAPTION))
            }
        }
    }

    fn draw_state(&self, state: usize, corner: Point, size: Extent, lines: &[String]) -> Markup {
        let described = &self.states[state];
        let initial = state == self.initial;
        let marks: Vec<&str> =
            initial.then_some("initial").into_iter().chain(described.mark.word()).collect();
        let Point { x, y } = corner;
        let middle = y + size.height / 2.0;
        let (dot, tip) = (Point { x: x - START + 5.0, y: middle }, Point { x, y: middle });
        let text_corner = Point { x: x + PADDING, y: y + PADDING / 2.0 };
        html! {
            g class={ "state" @for mark in &marks { " " (mark) } } data-state=(state) {
                title {
                    "state " (state)
                    @for mark in &marks { ", " (mark) }
                    @for member in listed(&described.members) { "\n" (member) }
                }
                rect x=(tenths(x)) y=(tenths(y)) width=(tenths(size.width)) height=(tenths(size.height)) rx="8" {}
                @if initial {
                    circle.head cx=(tenths(dot.x)) cy=(tenths(middle)) r="4" {}
                    (line_with_head(&[dot, dot, tip, tip]))
                }
                (text_lines(text_corner, lines, MEMBER))
            }
        }
    }
}

/// Automata one below the other, as one SVG document. Of one that is too large the name is shown.
pub fn stacked(automata: &[Described]) -> String {
    const GAP: f64 = 24.0;
    const TITLE: f64 = 20.0;
    let (mut elements, mut width, mut y) = (String::new(), MIN_BOX, 0.0);
    for automaton in automata {
        let drawn = automaton.draw();
        let title = match &drawn {
            Ok(_) => automaton.module.clone(),
            Err(why) => format!("{}: {why}", automaton.module),
        };
        let title_width = text_size(std::slice::from_ref(&title), MEMBER).width;
        let corner = Point { x: 0.0, y };
        let (picture_width, height, inner) = match drawn {
            Ok(picture) => (picture.width, picture.height, Some(picture.elements)),
            Err(_) => (0.0, 0.0, None),
        };
        let group = html! {
            (text_lines(corner, std::slice::from_ref(&title), MEMBER)) "\n"
            @if let Some(inner) = inner {
                g transform={ "translate(0 " (tenths(y + TITLE)) ")" } { "\n" (inner) } "\n"
            }
        };
        elements.push_str(&group.into_string());
        width = width.max(picture_width).max(title_width);
        y += TITLE + height + GAP;
    }
    let elements = maud::PreEscaped(elements);
    let picture = Picture { width: width.ceil(), height: y.ceil(), elements };
    picture.to_document("drawing", "Automata", STYLE)
}

/// A coordinate or a length, rounded to tenths of a pixel.
fn tenths(x: f64) -> String {
    format!("{x:.1}")
}

/// The lines of a caption. Continuation lines of a label are indented.
fn caption_lines(arrow: &Arrow) -> Vec<String> {
    let lines = arrow.caption.iter().flat_map(|caption| {
        let lines = caption.lines().enumerate();
        lines.map(|(i, line)| if i == 0 { cut(line) } else { cut(&format!("  {line}")) })
    });
    let mut lines: Vec<String> = lines.collect();
    if lines.len() > MAX_LINES {
        lines.truncate(MAX_LINES - 1);
        lines.push("…".to_owned());
    }
    lines
}

/// The first `MAX_LISTED` texts, followed by the number of the others.
pub fn listed(texts: &[String]) -> Vec<String> {
    let more = texts.len().saturating_sub(MAX_LISTED);
    let more = (more > 0).then(|| format!("… {more} more"));
    texts.iter().take(MAX_LISTED).cloned().chain(more).collect()
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(MAX_WIDTH) {
        Some((end, _)) if line.chars().count() > MAX_WIDTH + 1 => format!("{}…", &line[..end]),
        _ => line.to_owned(),
    }
}

fn text_size(lines: &[String], [width, height]: [f64; 2]) -> Extent {
    let columns = lines.iter().map(|line| line.chars().map(columns).sum::<usize>()).max();
    Extent { width: columns.unwrap_or(0) as f64 * width, height: lines.len() as f64 * height }
}

/// The number of columns of a character: two for East Asian scripts and emoji.
fn columns(c: char) -> usize {
    match c {
        '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' => 2,
        '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}' => 2,
        '\u{1f300}'..='\u{1faff}' | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}

/// Lines of text, one below the other.
fn text_lines(corner: Point, lines: &[String], [_, height]: [f64; 2]) -> Markup {
    // The baseline is at three quarters of the line height.
    let y = |i: usize| corner.y + (i as f64 + 0.75) * height;
    html! {
        text xml:space="preserve" {
            @for (i, line) in lines.iter().enumerate() {
                tspan x=(tenths(corner.x)) y=(tenths(y(i))) { (line) }
            }
        }
    }
}

fn line_with_head(points: &[Point]) -> Markup {
    html! {
        path.line d=(path(points)) {}
        path.head d=(head(points)) {}
    }
}

/// The line of an arrow, without its head.
fn path(points: &[Point]) -> String {
    let (mut points, tip) = (points.to_vec(), points.len() - 1);
    let (dx, dy) = direction(&points);
    // The line overlaps the head a little, so that no gap shows.
    let back = HEAD[0] - 1.0;
    points[tip] = Point { x: points[tip].x - dx * back, y: points[tip].y - dy * back };
    points[tip - 1] = points[tip];
    let mut text = format!("M{:.1} {:.1}", points[0].x, points[0].y);
    // Consecutive vertical pieces become one.
    let mut straight = String::new();
    for curve in points.windows(4).step_by(3) {
        let [from, a, b, to] = [curve[0], curve[1], curve[2], curve[3]];
        if [a.x, b.x, to.x].iter().all(|&x| x == from.x) {
            straight = format!("V{:.1}", to.y);
            continue;
        }
        text.push_str(&std::mem::take(&mut straight));
        // Writing to a string cannot fail.
        let _ = write!(text, "C{:.1} {:.1} {:.1} {:.1}", a.x, a.y, b.x, b.y);
        let _ = write!(text, " {:.1} {:.1}", to.x, to.y);
    }
    text + &straight
}

/// The head of an arrow.
fn head(points: &[Point]) -> String {
    let Point { x, y } = points[points.len() - 1];
    let (dx, dy) = direction(points);
    let [length, half] = HEAD;
    let (back_x, back_y) = (x - dx * length, y - dy * length);
    format!(
        "M{x:.1} {y:.1}L{:.1} {:.1}L{:.1} {:.1}z",
        back_x - dy * half,
        back_y + dx * half,
        back_x + dy * half,
        back_y - dx * half
    )
}

/// The direction of the last curve.
fn direction(points: &[Point]) -> (f64, f64) {
    let (from, to) = (points[points.len() - 4], points[points.len() - 1]);
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = dx.hypot(dy).max(f64::MIN_POSITIVE);
    (dx / length, dy / length)
}
