//! The page of `CheckReport`: verdicts, what was covered, and the counterexamples to walk along.

use super::{badge, components, network, note_coverage, sentence, sources, spaced};
use crate::report::{Badge, FactTable, Page, PageSection, PropertyRow};
use crate::requirement::Described;
use crate::results::{CheckView, store_words};
use resy::control::memory;
use resy::engine::Cost;
use resy::{Answer, NotChecked, Unreached, counted};

/// The page on a subject. `limits` are those that the verdicts were found within, in words, and `made_by`
/// says how the page was made.
pub fn check_page(view: &CheckView<'_>, limits: &str, made_by: String) -> String {
    let report = view.report;
    let subject = report.model.subject();
    let requirement = report.requirement.as_ref().map(Described::of);
    let parts = match (&report.network, subject.system()) {
        (Some(network), Some(_)) => components::of_network(network),
        (Some(network), None) => components::with_monitor(network),
        (None, Some(system)) => components::of_system(system),
        (None, None) => PageSection::default(),
    };
    let runs_of_networks = report.answers.iter().filter_map(|answer| {
        let run = answer.counterexample()?;
        let (network, steps) = report.model.network_of_run(run)?;
        Some(network::run(&network, &steps, run))
    });
    let not_checked = report.not_checked.iter().map(not_checked);
    let mut sections: Vec<PageSection> = runs_of_networks.collect();
    sections.push(covered(view));
    sections.extend(subject.system().map(|_| unreached(view)));
    sections.push(parts);
    let mut texts = sources(subject);
    if let (Some(system), Some(unreached)) = (subject.system(), &report.unreached) {
        note_coverage(&mut texts, system, unreached);
    }
    let page = Page {
        title: view.file.to_owned(),
        verdict: Some(badge(report.total)),
        properties: report.answers.iter().map(judged).chain(not_checked).collect(),
        facts: facts(view, limits),
        runs: view.runs().collect(),
        requirement: requirement.as_ref(),
        sections,
        sources: texts,
        made_by,
    };
    page.to_html()
}

fn judged(answer: &Answer) -> PropertyRow {
    let n_steps = answer.counterexample().map(|run| run.n_steps());
    let errs = n_steps.map(|n| format!("it errs after {}", counted(n, "step")));
    let rests_on = answer.fairness().and_then(|fairness| fairness.assumption());
    let rests_on = rests_on.map(str::to_owned);
    PropertyRow {
        name: answer.property.name().to_owned(),
        verdict: badge(answer.verdict.truth()),
        engine: answer.engine.to_owned(),
        reason: answer.reason().or(errs).or(rests_on).unwrap_or_default(),
    }
}

fn not_checked(left_out: &NotChecked) -> PropertyRow {
    let NotChecked { name, reason } = left_out;
    let (name, reason) = (name.clone(), reason.clone());
    PropertyRow { name, verdict: Badge::NotChecked, engine: String::new(), reason }
}

fn facts(view: &CheckView<'_>, limits: &str) -> FactTable {
    let stats = &view.report.stats;
    let mut facts = match stats.cost {
        // An abstraction counts its own states, and has neither transitions nor depth.
        Cost::Abstraction { .. } => vec![("abstract states", spaced(stats.states))],
        // A product that meets an error does not count.
        Cost::Plain if stats.transitions == 0 => Vec::new(),
        Cost::Plain => {
            vec![("states", spaced(stats.states)), ("transitions", spaced(stats.transitions))]
        }
        Cost::Search { .. } => vec![
            ("states", spaced(stats.states)),
            ("transitions", spaced(stats.transitions)),
            ("depth", spaced(stats.depth)),
            ("store", store_words(stats).trim_start_matches(", ").to_owned()),
        ],
    };
    facts.extend([
        ("time", format!("{:.2} s", stats.elapsed.as_secs_f64())),
        ("memory", format!("{:.1} MB", memory::peak() as f64 / 1e6)),
        ("limits", limits.to_owned()),
    ]);
    FactTable(facts.into_iter().map(|(what, value)| (what.to_owned(), value)).collect())
}

fn covered(view: &CheckView<'_>) -> PageSection {
    let first = std::iter::once(view.report.seen.to_owned());
    let notes = view.report.notes.iter().map(|note| sentence(note));
    PageSection {
        title: "What was covered".to_owned(),
        sentences: first.chain(notes).collect(),
        ..PageSection::default()
    }
}

fn unreached(view: &CheckView<'_>) -> PageSection {
    let title = "Statements that are never executed".to_owned();
    let Some(unreached) = &view.report.unreached else {
        let sentence = "Not known: not all states were visited.".to_owned();
        return PageSection { title, sentences: vec![sentence], ..PageSection::default() };
    };
    let (ends, statements): (Vec<_>, Vec<_>) = unreached.iter().partition(|u| u.is_end());
    let mut sentences = Vec::new();
    if statements.is_empty() {
        sentences.push("Every statement is executed in some run.".to_owned());
    }
    if !ends.is_empty() {
        let names: Vec<&str> = ends.iter().map(|u| u.process.as_str()).collect();
        sentences.push(format!("These processes never terminate: {}.", names.join(", ")));
    }
    let row =
        |u: &Unreached| vec![u.process.clone(), u.location.clone(), format!("`{}`", u.statement)];
    let rows = statements.into_iter().map(row).collect();
    PageSection { title, sentences, columns: vec!["process", "place", "statement"], rows }
}
