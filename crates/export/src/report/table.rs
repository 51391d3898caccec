//! Tables of a report.

use crate::drawing::markup::escaped;
use std::fmt::Write;

/// More rows are only counted.
const MAX_ROWS: usize = 1000;

/// Facts: what, and its value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts(pub Vec<(String, String)>);

/// A part of a report: some sentences, and then a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// The sentences.
    pub sentences: Vec<String>,
    /// The heads of the columns.
    pub columns: Vec<&'static str>,
    /// The rows; there is no table without any.
    pub rows: Vec<Vec<String>>,
}

impl Facts {
    pub(super) fn to_html(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let rows = self.0.iter();
        let rows: String = rows
            .map(|(what, value)| {
                format!(
                    "<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n",
                    escaped(what),
                    escaped(value)
                )
            })
            .collect();
        format!("<table class=\"facts\">\n{rows}</table>\n")
    }
}

impl Section {
    pub(super) fn to_html(&self) -> String {
        let mut html = format!("<section>\n<h2>{}</h2>\n", escaped(&self.title));
        for sentence in &self.sentences {
            // Writing to a string cannot fail.
            let _ = writeln!(html, "<p>{}</p>", escaped(sentence));
        }
        if !self.rows.is_empty() {
            let heads: String =
                self.columns.iter().map(|c| format!("<th>{}</th>", escaped(c))).collect();
            let rows: String = self.rows.iter().take(MAX_ROWS).map(|cells| row(cells)).collect();
            let _ = write!(
                html,
                "<table class=\"listed\">\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"
            );
        }
        let more = self.rows.len().saturating_sub(MAX_ROWS);
        if more > 0 {
            let _ = writeln!(html, "<p class=\"hint\">{more} more are left out here.</p>");
        }
        html + "</section>\n"
    }
}

fn row(cells: &[String]) -> String {
    let cells: String = cells.iter().map(|cell| format!("<td>{}</td>", escaped(cell))).collect();
    format!("<tr>{cells}</tr>\n")
}
