//! The page of an `AbstractReport`: verdicts for unbounded data, the predicates that prove them, and runs.

use super::{badge, sources, spaced};
use crate::report::{Badge, FactTable, Page, PageSection, PropertyRow};
use crate::results::AbstractView;
use resy::control::memory;
use resy::{AbstractAnswer, DataRun, DataStep, DataVerdict, ShownPredicate};

/// The page on a program with unbounded data; `limits` and `made_by` as for `check_page`.
pub fn abstract_page(view: &AbstractView<'_>, limits: &str, made_by: String) -> String {
    let report = view.report;
    let not_checked = report.not_checked.iter().map(|left_out| PropertyRow {
        name: left_out.name.clone(),
        verdict: Badge::NotChecked,
        engine: String::new(),
        reason: left_out.reason.clone(),
    });
    let mut sections: Vec<PageSection> = report.answers.iter().filter_map(counterexample).collect();
    sections.push(PageSection {
        title: "What was covered".to_owned(),
        sentences: view.scope().into_iter().map(|words| super::sentence(&words)).collect(),
        ..PageSection::default()
    });
    sections.extend(report.answers.iter().filter_map(proof));
    let page = Page {
        title: view.file.to_owned(),
        verdict: Some(badge(report.total)),
        properties: report.answers.iter().map(judged).chain(not_checked).collect(),
        facts: facts(view, limits),
        sections,
        sources: sources(report.model.subject()),
        made_by,
        ..Page::default()
    };
    page.to_html()
}

fn judged(answer: &AbstractAnswer) -> PropertyRow {
    let reason = match &answer.verdict {
        DataVerdict::Holds => answer.fairness.join(", "),
        DataVerdict::Fails(run) => run.what.clone(),
        DataVerdict::Unknown(reason, _) => reason.clone(),
    };
    PropertyRow {
        name: answer.property.name().to_owned(),
        verdict: badge(answer.verdict.truth()),
        engine: "abstract".to_owned(),
        reason,
    }
}

fn facts(view: &AbstractView<'_>, limits: &str) -> FactTable {
    let answers = &view.report.answers;
    let facts = [
        ("abstract states", spaced(answers.iter().map(|a| a.states as u64).sum())),
        ("refinements", spaced(answers.iter().map(|a| a.refinements as u64).sum())),
        ("queries", spaced(answers.iter().map(|a| a.queries).sum())),
        ("solver", view.report.solver.clone()),
        ("time", format!("{:.2} s", view.report.elapsed.as_secs_f64())),
        ("memory", format!("{:.1} MB", memory::peak() as f64 / 1e6)),
        ("limits", limits.to_owned()),
    ];
    FactTable(facts.into_iter().map(|(what, value)| (what.to_owned(), value)).collect())
}

/// The run that violates a property, or the path that could not be followed.
fn counterexample(answer: &AbstractAnswer) -> Option<PageSection> {
    let property = answer.property.name();
    match &answer.verdict {
        DataVerdict::Holds => None,
        DataVerdict::Fails(run) => Some(run_section(property, run)),
        DataVerdict::Unknown(_, path) if path.is_empty() => None,
        DataVerdict::Unknown(reason, path) => Some(PageSection {
            title: format!("An abstract path: {property}"),
            sentences: vec![super::sentence(reason)],
            columns: vec!["step", "statement"],
            rows: path.iter().enumerate().map(|(i, step)| vec![number(i), code(step)]).collect(),
        }),
    }
}

/// A text of the model as code, nothing as nothing.
fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{text}`") }
}

fn run_section(property: &str, run: &DataRun) -> PageSection {
    let listed = |values: &[(String, String)]| {
        let pairs: Vec<String> = values.iter().map(|(n, v)| format!("{n} = {v}")).collect();
        pairs.join(", ")
    };
    let row = |(i, step): (usize, &DataStep)| {
        let who = step.process.as_ref().map(|(name, pid)| format!("{name}({pid})"));
        let line = (step.source.line > 0).then(|| step.source.line.to_string());
        vec![
            number(i),
            who.unwrap_or_default(),
            line.unwrap_or_default(),
            code(&step.text),
            code(&listed(&step.changed)),
        ]
    };
    let round = run
        .loop_start
        .map(|start| format!("The steps from {} on are repeated for ever.", start + 1));
    let told = [
        super::sentence(&run.what),
        format!("At the start: {}.", code(&listed(&run.start))),
        super::sentence(AbstractView::about(run)),
    ];
    PageSection {
        title: format!("Counterexample: {property}"),
        sentences: told.into_iter().chain(round).collect(),
        columns: vec!["step", "process", "line", "statement", "changes"],
        rows: run.steps.iter().enumerate().map(row).collect(),
    }
}

/// The predicates and rankings that a verdict rests on.
fn proof(answer: &AbstractAnswer) -> Option<PageSection> {
    let predicate =
        |p: &ShownPredicate| vec!["predicate".to_owned(), code(&p.text), p.source.to_owned()];
    let rank = |text: &String| vec!["rank".to_owned(), code(text), String::new()];
    let rows: Vec<Vec<String>> =
        answer.predicates.iter().map(predicate).chain(answer.ranks.iter().map(rank)).collect();
    let name = answer.property.name();
    (!rows.is_empty()).then(|| PageSection {
        title: format!("What the verdict on {name} rests on"),
        sentences: vec![format!(
            "{} abstract states and {} transitions after {} refinements.",
            spaced(answer.states as u64),
            spaced(answer.transitions as u64),
            answer.refinements,
        )],
        columns: vec!["what", "condition", "found by"],
        rows,
    })
}

fn number(index: usize) -> String {
    (index + 1).to_string()
}
