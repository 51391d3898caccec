//! The section of a requirement: an interactive graph, the rules in words, and a table of all states.

use super::table::with_code;
use crate::drawing::listed;
use crate::requirement::{Described, DescribedState};
use maud::{Markup, html};

/// The largest scale of a small graph; `graph.js` has the same constant.
const MAX_SCALE: f64 = 1.5;

impl Described {
    /// The contents of the section. `graph.js` makes the graph interactive. A graph that is too large is
    /// replaced by a sentence.
    pub(super) fn to_section(&self) -> Markup {
        let words = self.to_words();
        html! {
            (self.graph())
            @if !words.is_empty() {
                h3 { "In words" } "\n"
                ul.words {
                    "\n" @for sentence in &words { li { (with_code(sentence)) } "\n" }
                }
                "\n"
            }
            h3 { "State by state" } "\n"
            table.states {
                "\n" thead { tr { th { "state" } th { "members" } th { "steps" } } }
                "\n" tbody {
                    "\n" @for state in 0..self.states.len() { (self.state_row(state)) "\n" }
                }
                "\n"
            }
            "\n"
        }
    }

    /// The graph with its buttons, or the sentence that it is too large.
    fn graph(&self) -> Markup {
        let picture = match self.draw() {
            Ok(picture) => picture,
            Err(too_large) => return html! { p { (too_large.to_string()) "." } "\n" },
        };
        let label = "The graph; the table below says the same.";
        let max_height = (picture.height * MAX_SCALE).ceil();
        html! {
            div.graph style={ "max-height: " (max_height) "px" } {
                "\n" svg.drawing role="img" aria-label=(label) viewBox=(picture.view_box()) {
                    "\n" (picture.elements)
                }
                "\n" div.buttons {
                    button data-zoom="1.25" title="larger" { "+" }
                    button data-zoom="0.8" title="smaller" { "−" }
                    button data-zoom="0" title="all" { "fit" }
                }
                "\n" aside hidden {}
                "\n" div.tip hidden {} "\n"
            }
            "\n" p.hint {
                "Drag to move, turn the wheel to zoom. Point at a state for its members; \
                 click it for its neighbours, an arrow for its labels."
            }
            "\n"
        }
    }

    fn state_row(&self, number: usize) -> Markup {
        let DescribedState { members, mark } = &self.states[number];
        let initial = (number == self.initial).then_some("initial");
        html! {
            tr id={ "state" (number) } class=(mark.word().unwrap_or("plain")) {
                th { (number) @for word in initial.into_iter().chain(mark.word()) { br; (word) } }
                td { (lines(members)) }
                td {
                    dl {
                        @for arrow in self.arrows.iter().filter(|arrow| arrow.from == number) {
                            dt { "to " a href={ "#state" (arrow.to) } { (arrow.to) } }
                            dd { (lines(&arrow.labels)) }
                        }
                    }
                }
            }
        }
    }
}

/// The texts, each on a line of its own.
fn lines(texts: &[String]) -> Markup {
    html! {
        @for (i, text) in listed(texts).iter().enumerate() {
            @if i > 0 { br; }
            (text)
        }
    }
}
