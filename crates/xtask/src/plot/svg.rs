//! The SVG elements that a plot needs.

use std::fmt::Write;

/// An SVG document under construction.
pub struct Svg(String);

/// The alignment of a text relative to its point.
#[derive(Clone, Copy)]
pub enum Anchor {
    /// The text begins at the point.
    Start,
    /// The text is centred at the point.
    Middle,
    /// The text ends at the point.
    End,
}

impl Anchor {
    fn name(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// The approximate width of a text.
pub fn width(text: &str, size: f64) -> f64 {
    0.53 * size * text.chars().count() as f64
}

impl Svg {
    /// An empty white picture.
    pub fn new(width: f64, height: f64) -> Svg {
        Svg(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" font-family=\"Helvetica, Arial, sans-serif\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
        ))
    }

    /// A polyline.
    pub fn path(&mut self, points: &[(f64, f64)], colour: &str, thickness: f64) {
        let _ = writeln!(
            self.0,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{thickness}\" \
             stroke-linejoin=\"round\"/>",
            list(points)
        );
    }

    /// A marker on a curve, filled or hollow.
    pub fn mark(
        &mut self,
        (x, y): (f64, f64),
        radius: f64,
        outline: &[(f64, f64)],
        colour: &str,
        full: bool,
    ) {
        let paint = format!(
            "fill=\"{}\" stroke=\"{colour}\" stroke-width=\"1.5\"",
            if full { colour } else { "white" }
        );
        let _ = if outline.is_empty() {
            writeln!(self.0, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" {paint}/>")
        } else {
            writeln!(self.0, "<polygon points=\"{}\" {paint}/>", list(outline))
        };
    }

    /// A text.
    pub fn text(&mut self, text: &str, (x, y): (f64, f64), size: f64, anchor: Anchor, fill: &str) {
        let _ = writeln!(
            self.0,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{}\" fill=\"{fill}\">{}</text>",
            anchor.name(),
            escaped(text)
        );
    }

    /// A text that runs upwards, centred at its point.
    pub fn upright(&mut self, text: &str, (x, y): (f64, f64), size: f64) {
        let _ = writeln!(
            self.0,
            "<text transform=\"translate({x:.1} {y:.1}) rotate(-90)\" font-size=\"{size}\" \
             text-anchor=\"middle\">{}</text>",
            escaped(text)
        );
    }

    /// The finished document.
    pub fn finish(self) -> String {
        self.0 + "</svg>\n"
    }
}

fn list(points: &[(f64, f64)]) -> String {
    points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
