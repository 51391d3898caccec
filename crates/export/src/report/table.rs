//! Tables of facts, and sections with a table.

use maud::{Markup, Render, html};

/// The maximal number of rows shown.
const MAX_ROWS: usize = 1000;

/// Pairs of a name and a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FactTable(pub Vec<(String, String)>);

/// A section of a report: sentences, followed by a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageSection {
    /// The heading.
    pub title: String,
    /// The sentences.
    pub sentences: Vec<String>,
    /// The heads of the columns.
    pub columns: Vec<&'static str>,
    /// The rows; without rows the table is omitted.
    pub rows: Vec<Vec<String>>,
}

impl Render for FactTable {
    fn render(&self) -> Markup {
        html! {
            @if !self.0.is_empty() {
                table.facts {
                    "\n"
                    @for (what, value) in &self.0 {
                        tr { th scope="row" { (what) } td { (value) } } "\n"
                    }
                }
                "\n"
            }
        }
    }
}

impl Render for PageSection {
    fn render(&self) -> Markup {
        let n_more = self.rows.len().saturating_sub(MAX_ROWS);
        html! {
            section {
                "\n" h2 { (self.title) } "\n"
                @for sentence in &self.sentences { p { (sentence) } "\n" }
                @if !self.rows.is_empty() { (self.table()) "\n" }
                @if n_more > 0 { p.hint { (n_more) " more are left out here." } "\n" }
            }
            "\n"
        }
    }
}

impl PageSection {
    fn table(&self) -> Markup {
        html! {
            table.listed {
                "\n" thead { tr { @for column in &self.columns { th { (column) } } } }
                "\n" tbody {
                    "\n"
                    @for cells in self.rows.iter().take(MAX_ROWS) {
                        tr { @for cell in cells { td { (cell) } } } "\n"
                    }
                }
                "\n"
            }
        }
    }
}
