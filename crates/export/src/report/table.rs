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
                @for sentence in &self.sentences { p { (with_code(sentence)) } "\n" }
                @if !self.rows.is_empty() { (self.table()) "\n" }
                @if n_more > 0 { p.hint { (n_more) " more are left out here." } "\n" }
            }
            "\n"
        }
    }
}

impl PageSection {
    /// A column without a word is left out; numbers stand below each other by their last digits.
    fn table(&self) -> Markup {
        let column = |i: usize| {
            self.rows.iter().filter_map(move |cells| cells.get(i)).filter(|cell| !cell.is_empty())
        };
        let shown: Vec<(usize, Option<&str>)> = (0..self.columns.len())
            .filter(|&i| column(i).next().is_some())
            .map(|i| (i, column(i).all(|cell| is_number(cell)).then_some("count")))
            .collect();
        html! {
            table.listed {
                "\n" thead { tr { @for (i, class) in &shown { th class=[class] { (self.columns[*i]) } } } }
                "\n" tbody {
                    "\n"
                    @for cells in self.rows.iter().take(MAX_ROWS) {
                        tr {
                            @for (i, class) in &shown {
                                td class=[class] { @if let Some(cell) = cells.get(*i) { (with_code(cell)) } }
                            }
                        }
                        "\n"
                    }
                }
                "\n"
            }
        }
    }
}

/// Whether a cell is a number, perhaps with commas.
fn is_number(cell: &str) -> bool {
    cell.bytes().all(|byte| byte.is_ascii_digit() || byte == b',')
}

/// A sentence whose names and labels, in backquotes, are set as code.
pub(super) fn with_code(sentence: &str) -> Markup {
    let parts: Vec<&str> = sentence.split('`').collect();
    html! {
        @for (i, part) in parts.iter().enumerate() {
            @if i % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}
