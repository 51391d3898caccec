//! A report: one HTML page about a model that needs no other file and no network access.
//!
//! The page consists of the parts that exist: verdicts, tables, interactive runs, an interactive graph of
//! a requirement, and the text of the model. It is complete without scripts and when printed.
//!
//! A script gets its numbers and names as JSON that can contain no markup, and writes text, never markup.
//! What is drawn has limits, and the page says what is left out.

mod colours;
mod model_text;
mod requirement;
mod run;
mod table;

pub use colours::TextLanguage;
pub use model_text::{LineCoverage, ModelText};
pub use table::{FactTable, PageSection};

use crate::drawing::{AUTOMATON_STYLE, CHART_STYLE, printable};
use crate::requirement::Described;
use crate::run::Run;
use maud::{DOCTYPE, Markup, PreEscaped, Render, html};

const PAGE_STYLE: &str = include_str!("page.css");
const REPORT_STYLE: &str = include_str!("report.css");
const GRAPH_SCRIPT: &str = include_str!("graph.js");
const WALK_SCRIPT: &str = include_str!("walk.js");

/// The maximal number of runs shown.
const MAX_RUNS: usize = 8;

/// The contents of a report.
#[derive(Default)]
pub struct Page<'a> {
    /// The title.
    pub title: String,
    /// The verdict on all properties together.
    pub verdict: Option<Badge>,
    /// The verdict on each property.
    pub properties: Vec<PropertyRow>,
    /// Further facts for the top of the page.
    pub facts: FactTable,
    /// The runs that violate properties.
    pub runs: Vec<Run<'a>>,
    /// The requirement of a module.
    pub requirement: Option<&'a Described>,
    /// Further sections.
    pub sections: Vec<PageSection>,
    /// The text of the model.
    pub sources: Vec<ModelText>,
    /// The program and the command line that made the report.
    pub made_by: String,
}

/// A row of the table of properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyRow {
    /// The name of the property.
    pub name: String,
    /// The verdict.
    pub verdict: Badge,
    /// The engine that decided it.
    pub engine: String,
    /// The description of the violation, or why the verdict is unknown.
    pub reason: String,
}

/// A verdict as a report shows it: a coloured word.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Badge {
    /// The property holds.
    Holds,
    /// The property is violated.
    Fails,
    /// No engine decided the property.
    Unknown,
    /// No engine was asked.
    NotChecked,
}

impl Badge {
    fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::Unknown => "unknown",
            Self::NotChecked => "not checked",
        }
    }

    /// The predicate for `n` properties with this verdict.
    fn of(self, n: usize) -> &'static str {
        match (self, n) {
            (Self::Holds, 1) => "holds",
            (Self::Holds, _) => "hold",
            (Self::Fails, 1) => "fails",
            (Self::Fails, _) => "fail",
            (Self::Unknown, 1) => "is undecided",
            (Self::Unknown, _) => "are undecided",
            (Self::NotChecked, 1) => "was not checked",
            (Self::NotChecked, _) => "were not checked",
        }
    }
}

/// The badge as an element; its class is the word.
impl Render for Badge {
    fn render(&self) -> Markup {
        let word = self.word();
        html! { span class={ "badge " (word.replace(' ', "-")) } { (word) } }
    }
}

impl Page<'_> {
    /// The page as an HTML document.
    pub fn to_html(&self) -> String {
        let n_more = self.runs.len().saturating_sub(MAX_RUNS);
        let styles = [AUTOMATON_STYLE, CHART_STYLE, PAGE_STYLE, REPORT_STYLE].concat();
        let graph_script = if self.requirement.is_some() { GRAPH_SCRIPT } else { "" };
        let walk_script = if self.runs.is_empty() { "" } else { WALK_SCRIPT };
        let script = ["\n\"use strict\";\n", graph_script, walk_script].concat();
        let main = html! {
            (self.property_table())
            @for (number, run) in self.runs.iter().take(MAX_RUNS).enumerate() {
                (run::section(run, number, &self.sources)) "\n"
            }
            @if n_more > 0 { p.hint { (n_more) " more counterexamples are left out here." } "\n" }
            @if let Some(requirement) = self.requirement {
                section { "\n" h2 { "Requirement of " (requirement.module) } "\n" (requirement.to_section()) } "\n"
            }
            @for section in &self.sections { (section) }
            (model_text::section(&self.sources))
        };
        printable(html! {
            (DOCTYPE) "\n"
            html lang="en" {
                "\n" head {
                    "\n" meta charset="utf-8";
                    "\n" meta name="viewport" content="width=device-width, initial-scale=1";
                    "\n" title { (self.title) }
                    "\n" style { "\n" (PreEscaped(styles)) } "\n"
                }
                "\n" body {
                    "\n" header class=(self.verdict.map_or("", Badge::word)) {
                        "\n" h1 { (self.title) } "\n" (self.summary()) (self.facts)
                    }
                    "\n" main { "\n" (main) }
                    "\n" footer { (self.made_by) }
                    "\n" script { (PreEscaped(script)) } "\n"
                }
                "\n"
            }
            "\n"
        })
    }

    /// The verdict and a sentence that counts the properties by verdict.
    fn summary(&self) -> Markup {
        let Some(verdict) = self.verdict else { return html! {} };
        let kinds = [Badge::Fails, Badge::Holds, Badge::Unknown, Badge::NotChecked];
        let count = |kind| self.properties.iter().filter(|p| p.verdict == kind).count();
        let counts = kinds.into_iter().map(|kind| (kind, count(kind))).filter(|(_, n)| *n > 0);
        let counts: Vec<(Badge, usize)> = counts.collect();
        let sentence = match &counts[..] {
            [] => "There is no property to check.".to_owned(),
            [(kind, 1)] => format!("The only property {}.", kind.of(1)),
            [(kind, n)] => format!("All {n} properties {}.", kind.of(*n)),
            several => {
                let words = several.iter().map(|(kind, n)| format!("{n} {}", kind.of(*n)));
                let words = words.collect::<Vec<_>>().join(", ");
                format!("Of {} properties {words}.", self.properties.len())
            }
        };
        html! { p.verdict { (verdict) " " (sentence) } "\n" }
    }

    fn property_table(&self) -> Markup {
        let shown_run = |property: &PropertyRow| {
            self.runs.iter().take(MAX_RUNS).position(|run| run.why.property == property.name)
        };
        let says_why =
            self.properties.iter().any(|p| !p.reason.is_empty() || shown_run(p).is_some());
        html! {
            @if !self.properties.is_empty() {
                section {
                    "\n" h2 { "Properties" }
                    "\n" table.listed.properties {
                        "\n" thead { tr { th { "property" } th { "verdict" } th { "decided by" } @if says_why { th { "why" } } } }
                        "\n" tbody {
                            "\n"
                            @for property in &self.properties {
                                tr {
                                    th scope="row" { (property.name) }
                                    td { (property.verdict) }
                                    td { (property.engine) }
                                    @if says_why {
                                        td {
                                            (table::with_code(&property.reason))
                                            @if let Some(run) = shown_run(property) {
                                                " " a href={ "#run" (run) } { "counterexample" }
                                            }
                                        }
                                    }
                                }
                                "\n"
                            }
                        }
                        "\n"
                    }
                    "\n"
                }
                "\n"
            }
        }
    }
}
