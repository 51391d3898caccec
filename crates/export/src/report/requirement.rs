//! A requirement in a page: the graph to walk around in, what it says in words, and all of it as a table.

use crate::drawing::automaton::{Drawing, listed};
use crate::drawing::markup::escaped;
use crate::requirement::{Described, DescribedState};
use std::fmt::Write;

/// A small graph is not blown up further; the script says the same.
const MAX_SCALE: f64 = 1.5;

impl Described {
    /// The requirement as a part of a page; the script of the page moves the graph. Instead of a graph that is
    /// too large there is a sentence.
    pub(super) fn to_section(&self) -> String {
        let words = match self.to_words().join("\n") {
            none if none.is_empty() => none,
            words => format!("<h3>In words</h3>\n<p class=\"words\">{}</p>\n", escaped(&words)),
        };
        let states: String = (0..self.states.len()).map(|state| self.state_row(state)).collect();
        format!(
            "{}{words}<h3>State by state</h3>\n<table class=\"states\">\n\
             <thead><tr><th>state</th><th>members</th><th>steps</th></tr></thead>\n\
             <tbody>\n{states}</tbody>\n</table>\n",
            self.graph(),
        )
    }

    /// The graph with its buttons, or why there is none.
    fn graph(&self) -> String {
        let Drawing { size, elements } = match self.draw() {
            Ok(drawing) => drawing,
            Err(too_large) => return format!("<p>{}.</p>\n", escaped(&too_large.to_string())),
        };
        let (width, height) = (size.width.ceil(), size.height.ceil());
        format!(
            "<div class=\"graph\" style=\"max-height: {}px\">\n<svg class=\"drawing\" role=\"img\" \
             aria-label=\"The graph; the table below says the same.\" \
             viewBox=\"0 0 {width} {height}\">\n{elements}</svg>\n\
             <div class=\"buttons\"><button data-zoom=\"1.25\" title=\"larger\">+</button>\
             <button data-zoom=\"0.8\" title=\"smaller\">−</button>\
             <button data-zoom=\"0\" title=\"all\">fit</button></div>\n\
             <aside hidden></aside>\n<div class=\"tip\" hidden></div>\n</div>\n\
             <p class=\"hint\">Drag to move, turn the wheel to zoom. Point at a state for its \
             members; click it for its neighbours, an arrow for its labels.</p>\n",
            (height * MAX_SCALE).ceil()
        )
    }

    fn state_row(&self, number: usize) -> String {
        let DescribedState { members, mark } = &self.states[number];
        let initial = (number == self.initial).then_some("initial");
        let marks: String =
            initial.into_iter().chain(mark.word()).map(|word| format!("<br>{word}")).collect();
        let mut steps = String::new();
        for arrow in self.arrows.iter().filter(|arrow| arrow.from == number) {
            let labels = listed(&arrow.labels).into_iter().map(|label| escaped(&label));
            let labels = labels.collect::<Vec<_>>().join("<br>");
            // Writing to a string cannot fail.
            let _ = write!(
                steps,
                "<dt>to <a href=\"#state{0}\">{0}</a></dt><dd>{labels}</dd>",
                arrow.to
            );
        }
        let members = listed(members).into_iter().map(|member| escaped(&member));
        let members = members.collect::<Vec<_>>().join("<br>");
        let class = mark.word().unwrap_or("plain");
        format!(
            "<tr id=\"state{number}\" class=\"{class}\"><th>{number}{marks}</th>\
             <td>{members}</td><td><dl>{steps}</dl></td></tr>\n"
        )
    }
}
