//! What `resy check --report` and `resy assume -o FILE.html` write: the page of the report, filled in.

use crate::args::{Check, Resources};
use crate::confirm::Violation;
use crate::memory;
use crate::output::{Answer, Report};
use crate::problem::{Problem, Source as Origin};
use crate::program::Program;
use crate::properties::{NotChecked, Verdict as Found};
use crate::{network_page, trace};
use resy_automata::network::Network;
use resy_automata::product::ProductStep;
use resy_export::report::{Badge, FactTable, ModelText, Page, PageSection, PropertyRow};
use resy_export::requirement::Described;
use resy_system::{CellInit, Frame, Interpreter, System, Variable};
use std::time::Duration;

/// The report on a model.
pub fn of_check(report: &Report<'_>) -> String {
    let system = report.interpreter.system();
    let not_checked = report.not_checked.iter().map(not_checked);
    let parts = report.parts.clone().unwrap_or_else(|| of_system(system));
    let page = Page {
        title: report.check.file.display().to_string(),
        verdict: Some(verdict(report.total)),
        properties: report.answers.iter().map(judged).chain(not_checked).collect(),
        facts: facts(report),
        runs: report.answers.iter().filter_map(|answer| report.run(answer)).collect(),
        requirement: report.requirement.as_ref(),
        sections: vec![covered(report), unreached(report), parts],
        sources: sources(report.program),
        made_by: made_by(),
    };
    page.to_html()
}

/// The page of a requirement, with the run if the property is violated: that of the model, or `steps` of a network that
/// comes from no model.
pub fn of_requirement(
    problem: &Problem<'_>,
    described: &Described,
    facts: &[(String, String)],
    violation: Option<&Violation>,
    steps: Option<&[ProductStep]>,
) -> String {
    let origin = problem.source.as_ref();
    let interpreter = origin.map(|origin| origin.model.interpreter());
    let run = violation.zip(origin.zip(interpreter.as_ref()));
    let run = run.and_then(|(violation, (origin, i))| run_of(i, origin, violation));
    let steps = steps.filter(|_| origin.is_none());
    let run_of_network = steps.map(|steps| network_page::run(&problem.network, steps));
    let page = Page {
        title: format!("Requirement of {}", described.module),
        facts: FactTable(facts.to_vec()),
        runs: run.into_iter().collect(),
        requirement: Some(described),
        sections: run_of_network.into_iter().chain([of_network(&problem.network)]).collect(),
        sources: origin.map(|origin| sources(&origin.model.program)).unwrap_or_default(),
        made_by: made_by(),
        ..Page::default()
    };
    page.to_html()
}

fn run_of<'a>(
    interpreter: &Interpreter<'a>,
    origin: &Origin<'_>,
    violation: &'a Violation,
) -> Option<resy_export::run::Run<'a>> {
    let reason = violation.property.describe(&origin.model.system, &violation.outcome);
    trace::run_of(interpreter, &violation.run, &violation.property, &reason)
}

/// A verdict, as a page shows it.
pub fn verdict(verdict: Found) -> Badge {
    match verdict {
        Found::Holds => Badge::Holds,
        Found::Fails => Badge::Fails,
        Found::Unknown => Badge::Unknown,
    }
}

fn judged(answer: &Answer) -> PropertyRow {
    PropertyRow {
        name: answer.property.name().to_owned(),
        verdict: verdict(answer.verdict),
        engine: answer.engine.to_owned(),
        reason: answer.reason.clone().unwrap_or_default(),
    }
}

fn not_checked(left_out: &NotChecked) -> PropertyRow {
    let NotChecked { name, reason } = left_out;
    let (name, reason) = (name.clone(), reason.clone());
    PropertyRow { name, verdict: Badge::NotChecked, engine: String::new(), reason }
}

fn facts(report: &Report<'_>) -> FactTable {
    let stats = &report.stats;
    // An abstraction counts its own states, and has neither transitions nor depth.
    let mut facts = match stats.transitions {
        0 if report.parts.is_some() => vec![("abstract states", spaced(stats.states))],
        transitions => vec![
            ("states", spaced(stats.states)),
            ("transitions", spaced(transitions)),
            ("depth", spaced(stats.depth)),
        ],
    };
    facts.extend(costs(report.check, stats.elapsed));
    FactTable(facts.into_iter().map(|(what, value)| (what.to_owned(), value)).collect())
}

/// What it took, and within which limits.
pub fn costs(check: &Check, elapsed: Duration) -> [(&'static str, String); 3] {
    [
        ("time", format!("{:.2} s", elapsed.as_secs_f64())),
        ("memory", format!("{:.1} MB", memory::peak() as f64 / 1e6)),
        ("limits", limits(check)),
    ]
}

/// A number in groups of three digits.
pub fn spaced(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    String::from_utf8_lossy(&groups.join(&b","[..])).into_owned()
}

fn limits(check: &Check) -> String {
    let Resources { timeout, memory } = &check.resources;
    let timeout = timeout.map(|seconds| format!("{seconds} s"));
    let memory = memory.map(|bytes| format!("{:.0} MB", bytes as f64 / 1e6));
    let limits: Vec<String> = timeout.into_iter().chain(memory).collect();
    if limits.is_empty() { "none".to_owned() } else { limits.join(", ") }
}

fn covered(report: &Report<'_>) -> PageSection {
    let first = std::iter::once(report.seen.to_owned());
    let notes = report.notes.iter().map(|note| sentence(note));
    PageSection {
        title: "What was covered".to_owned(),
        sentences: first.chain(notes).collect(),
        ..PageSection::default()
    }
}

/// A note as a sentence.
fn sentence(note: &str) -> String {
    let mut letters = note.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}

fn unreached(report: &Report<'_>) -> PageSection {
    let title = "Statements that are never executed".to_owned();
    let Some(unreached) = &report.unreached else {
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
    let row = |u: &crate::unreached::Unreached| {
        vec![u.process.clone(), u.location.clone(), u.statement.clone()]
    };
    let rows = statements.into_iter().map(row).collect();
    PageSection { title, sentences, columns: vec!["process", "place", "statement"], rows }
}

/// The components of a network.
pub fn of_network(network: &Network) -> PageSection {
    let components = network.components.iter_enumerated();
    let rows = components.map(|(id, component)| {
        let side = match network.module.is_empty() {
            true => "",
            false if network.module.contains(&id) => "module",
            false => "environment",
        };
        let lts = &component.lts;
        let counts = [lts.n_states(), lts.n_transitions()].map(|n| spaced(n as u64));
        [component.name.clone()].into_iter().chain(counts).chain([side.to_owned()]).collect()
    });
    let sentence = "The automata that the model was cut into; their product is its state graph.";
    PageSection {
        title: "Components".to_owned(),
        sentences: vec![sentence.to_owned()],
        columns: vec!["component", "states", "transitions", ""],
        rows: rows.collect(),
    }
}

/// The processes of a system, and what they share.
fn of_system(system: &System) -> PageSection {
    let processes = system.proctypes.iter_enumerated().map(|(id, proctype)| {
        let n = system.instances.iter().filter(|instance| instance.proctype == id).count();
        let what = match n {
            0 => "process, created by `run`".to_owned(),
            1 => "process".to_owned(),
            n => format!("{n} processes"),
        };
        let locations = proctype.edges.iter().filter(|edges| !edges.is_empty()).count();
        let edges: usize = proctype.edges.iter().map(Vec::len).sum();
        vec![
            proctype.name.trim_matches(':').to_owned(),
            what,
            locations.to_string(),
            edges.to_string(),
        ]
    });
    let shared = system.globals.variables.iter().map(|variable| {
        let what = shared(system, &system.globals, variable);
        vec![variable.name.clone(), what, String::new(), String::new()]
    });
    let sentence = "Processes and what they share, as they stand in the model: it was not cut into automata \
                    (--engine network and --engine requirement do that).";
    PageSection {
        title: "Components".to_owned(),
        sentences: vec![sentence.to_owned()],
        columns: vec!["name", "what it is", "locations", "transitions"],
        rows: processes.chain(shared).collect(),
    }
}

/// What a global variable is, in words.
fn shared(system: &System, globals: &Frame, variable: &Variable) -> String {
    let cells = variable.offset..variable.offset + variable.n_cells;
    let channel = globals.init.iter().find_map(|init| match init {
        CellInit::Channel(cell, ty) if cells.contains(cell) => Some(&system.channel_types[ty.ty]),
        _ => None,
    });
    let what = match channel.map(|ty| ty.capacity) {
        None => "variable".to_owned(),
        Some(0) => "rendezvous channel".to_owned(),
        Some(1) => "channel for 1 message".to_owned(),
        Some(n) => format!("channel for {n} messages"),
    };
    if variable.is_array { format!("array of {}: {what}", variable.n_cells) } else { what }
}

fn sources(program: &Program) -> Vec<ModelText> {
    let files = program.files().into_iter();
    files.map(|(name, text)| ModelText { name: name.to_owned(), text: text.to_owned() }).collect()
}

/// Who made a page, and how.
pub fn made_by() -> String {
    let call: Vec<String> =
        std::env::args_os().skip(1).map(|a| a.to_string_lossy().into()).collect();
    format!("Made by resy {} with: resy {}", env!("CARGO_PKG_VERSION"), call.join(" "))
}
