//! Pictures: where the boxes and arrows of an automaton go, and automata and charts as SVG.
//!
//! `layout` computes positions and knows nothing of requirements; `automaton` and `chart` write SVG elements, which
//! are used both for a picture of its own and inside a report page.

mod automaton;
mod chart;
mod layout;
mod markup;

pub(crate) use automaton::{STYLE as AUTOMATON_STYLE, listed, stacked};
pub(crate) use chart::STYLE as CHART_STYLE;
pub use layout::TooLargeToDraw;
pub(crate) use markup::printable;

use maud::{Markup, PreEscaped, html};

/// SVG elements and the size that they take.
pub(crate) struct Picture {
    /// The width, a whole number.
    pub width: f64,
    /// The height, a whole number.
    pub height: f64,
    /// The elements. A style sheet says what they look like.
    pub elements: Markup,
}

impl Picture {
    /// The picture as an SVG document that needs no other file. `class` is the one that `style` refers to.
    fn to_document(&self, class: &str, title: &str, style: &str) -> String {
        let Self { width, height, elements } = self;
        let xmlns = "http://www.w3.org/2000/svg";
        printable(html! {
            svg xmlns=(xmlns) class=(class) role="img" width=(width) height=(height) viewBox=(self.view_box()) {
                "\n" title { (title) } "\n"
                style { "\n" (PreEscaped(style)) } "\n"
                (elements)
            }
            "\n"
        })
    }

    /// The value of the attribute `viewBox`.
    pub fn view_box(&self) -> String {
        format!("0 0 {} {}", self.width, self.height)
    }
}
