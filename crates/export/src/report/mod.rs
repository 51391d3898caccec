//! A report: one HTML page with all that is known about a model, which needs no other file and no network.
//!
//! The page is made of what there is: verdicts, tables, runs to walk along, a requirement to walk around in,
//! and the text of the model. Everything can be read without its scripts, and printed.

mod requirement;
mod run;
mod source;
mod table;

pub use source::Source;
pub use table::{Facts, Section};

use crate::drawing::automaton::STYLE as REQUIREMENT_STYLE;
use crate::drawing::chart::STYLE as CHART_STYLE;
use crate::drawing::markup::escaped;
use crate::requirement::Described;
use crate::run::Run;

const PAGE_STYLE: &str = include_str!("page.css");
const REPORT_STYLE: &str = include_str!("report.css");
const GRAPH_SCRIPT: &str = include_str!("graph.js");
const WALK_SCRIPT: &str = include_str!("walk.js");

/// More runs are only counted.
const MAX_RUNS: usize = 8;

/// What a report says.
#[derive(Default)]
pub struct Page<'a> {
    /// What it is about.
    pub title: String,
    /// The verdict on all properties together.
    pub verdict: Option<Verdict>,
    /// What was found of each property.
    pub properties: Vec<Judged>,
    /// What else is said at the top.
    pub facts: Facts,
    /// The runs that violate properties.
    pub runs: Vec<Run<'a>>,
    /// The requirement of a module.
    pub requirement: Option<&'a Described>,
    /// More tables.
    pub sections: Vec<Section>,
    /// The text of the model.
    pub sources: Vec<Source>,
    /// Who made the report, and how.
    pub made_by: String,
}

/// A property and what was found of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Its name.
    pub name: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Who says so.
    pub engine: String,
    /// What is wrong, or why it is not known.
    pub reason: String,
}

/// A verdict, as a report shows it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Holds,
    /// It does not.
    Fails,
    /// Nobody could tell.
    Unknown,
    /// Nobody tried.
    NotChecked,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::Unknown => "unknown",
            Self::NotChecked => "not checked",
        }
    }

    /// What is said of so many properties.
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

    /// The verdict as a coloured word.
    fn badge(self) -> String {
        let class = self.word().replace(' ', "-");
        format!("<span class=\"badge {class}\">{}</span>", self.word())
    }
}

impl Page<'_> {
    /// The page as an HTML document.
    pub fn to_html(&self) -> String {
        let title = escaped(&self.title);
        let runs = self.runs.iter().take(MAX_RUNS).enumerate();
        let runs: String = runs.map(|(i, run)| run::section(run, i, &self.sources)).collect();
        let more = self.runs.len().saturating_sub(MAX_RUNS);
        let more = match more {
            0 => String::new(),
            n => format!("<p class=\"hint\">{n} more counterexamples are left out here.</p>\n"),
        };
        let requirement = self.requirement.map(|requirement| {
            let heading = format!("Requirement of {}", requirement.module);
            format!(
                "<section>\n<h2>{}</h2>\n{}</section>\n",
                escaped(&heading),
                requirement.to_section()
            )
        });
        let sections: String = self.sections.iter().map(Section::to_html).collect();
        let graph_script = if self.requirement.is_some() { GRAPH_SCRIPT } else { "" };
        let walk_script = if self.runs.is_empty() { "" } else { WALK_SCRIPT };
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n\
             <style>\n{REQUIREMENT_STYLE}{CHART_STYLE}{PAGE_STYLE}{REPORT_STYLE}</style>\n</head>\n<body>\n\
             <header class=\"{}\">\n<h1>{title}</h1>\n{}{}</header>\n<main>\n{}{runs}{more}{}{sections}{}</main>\n\
             <footer>{}</footer>\n<script>\n\"use strict\";\n{graph_script}{walk_script}</script>\n</body>\n</html>\n",
            self.verdict.map_or("", Verdict::word),
            self.summary(),
            self.facts.to_html(),
            self.properties(),
            requirement.unwrap_or_default(),
            source::section(&self.sources),
            escaped(&self.made_by),
        )
    }

    /// The verdict in a sentence.
    fn summary(&self) -> String {
        let Some(verdict) = self.verdict else { return String::new() };
        let kinds = [Verdict::Fails, Verdict::Holds, Verdict::Unknown, Verdict::NotChecked];
        let count = |kind| self.properties.iter().filter(|p| p.verdict == kind).count();
        let counts = kinds.into_iter().map(|kind| (kind, count(kind))).filter(|(_, n)| *n > 0);
        let counts: Vec<(Verdict, usize)> = counts.collect();
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
        format!("<p class=\"verdict\">{} {sentence}</p>\n", verdict.badge())
    }

    fn properties(&self) -> String {
        if self.properties.is_empty() {
            return String::new();
        }
        let row = |property: &Judged| {
            let run =
                self.runs.iter().take(MAX_RUNS).position(|run| run.why.property == property.name);
            let link = run.map(|run| format!(" <a href=\"#run{run}\">counterexample</a>"));
            format!(
                "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}{}</td></tr>\n",
                escaped(&property.name),
                property.verdict.badge(),
                escaped(&property.engine),
                escaped(&property.reason),
                link.unwrap_or_default(),
            )
        };
        let rows: String = self.properties.iter().map(row).collect();
        format!(
            "<section>\n<h2>Properties</h2>\n<table class=\"listed\">\n<thead><tr><th>property</th>\
             <th>verdict</th><th>decided by</th><th>why</th></tr></thead>\n<tbody>\n{rows}</tbody>\n\
             </table>\n</section>\n"
        )
    }
}
