//! The answers, one function each.

use crate::Request;
use resy::assume::{AssumeOptions, PropertyStatus};
use resy::engine::by_name;
use resy::{CheckReport, Control, Model, NoFiles, Question, Read, Reading, Subject, Truth};
use resy_export::pages::{check_page, requirement_page};
use resy_export::requirement::Described;
use resy_export::results::{AssumeView, CheckView, Remark, TextStyle};
use resy_export::run::Glyphs;
use resy_fsp::token::TokenKind;
use resy_promela::parse::reserved_words;
use serde_json::{Value, json};
use std::sync::Arc;

/// The width of what is shown as text.
const COLUMNS: usize = 88;

/// The keywords of both languages.
pub fn words() -> Value {
    json!({
        "promela": reserved_words().collect::<Vec<_>>(),
        "fsp": TokenKind::keywords().collect::<Vec<_>>(),
        "version": env!("CARGO_PKG_VERSION"),
    })
}

/// What there is to say about a text, and the names of its processes.
pub fn read(request: &Request<'_>) -> Value {
    let read = subject(request, &request.control());
    let modules = read.subject.as_ref().map(modules).unwrap_or_default();
    json!({ "findings": findings(&read), "modules": modules })
}

/// The text in canonical layout.
pub fn format(request: &Request<'_>) -> Result<Value, String> {
    match resy::lay_out(request.name, request.text, &mut NoFiles) {
        Ok(text) => Ok(json!({ "text": text })),
        Err(resy::NotLaidOut::Syntax(..)) => Err("correct the mistakes first".to_owned()),
        Err(resy::NotLaidOut::Meaning) => {
            Err("another layout would mean something else: the text uses `__LINE__` or makes \
                 strings of macros"
                .to_owned())
        }
    }
}

/// The verdict on all properties.
pub fn check(request: &Request<'_>) -> Result<Value, String> {
    let control = request.control();
    let read = subject(request, &control);
    let findings = findings(&read);
    let Some(subject) = read.subject else { return Ok(unread(findings, read.stopped)) };
    let report = decide(request, Arc::new(subject), &control)?;
    let view = CheckView { file: request.name, report: &report };
    let style = TextStyle { verbose: false, chart: Some(Glyphs::UNICODE), columns: COLUMNS };
    Ok(json!({
        "findings": findings,
        "verdict": report.total.as_str(),
        "text": view.to_text(&style),
        "page": check_page(&view, &limits(request), made_by()),
        "states": report.stats.states,
        "seconds": control.elapsed().as_secs_f64(),
    }))
}

/// By the search of all states, and if that comes to no verdict, by components in as much time again. There are no
/// threads, so that they cannot race.
fn decide(
    request: &Request<'_>,
    subject: Arc<Subject>,
    control: &Control,
) -> Result<CheckReport, String> {
    let question = Question { all_properties: true, requirement: true, ..Question::default() };
    let first = resy::check(subject.clone(), &question, control).map_err(|e| e.to_string())?;
    let Some(engine) = by_name("requirement").filter(|_| first.stopped.is_some()) else {
        return Ok(first);
    };
    if first.total != Truth::Unknown {
        return Ok(first);
    }
    let question = Question { engine, ..question };
    match resy::check(subject, &question, &request.control()) {
        Ok(second) if second.total != Truth::Unknown => Ok(second),
        _ => Ok(first),
    }
}

/// The requirement of a process.
pub fn assume(request: &Request<'_>) -> Result<Value, String> {
    let control = request.control();
    let read = subject(request, &control);
    let findings = findings(&read);
    let Some(subject) = read.subject else { return Ok(unread(findings, read.stopped)) };
    let model = Model::new(Arc::new(subject), &Question::default()).map_err(|e| e.to_string())?;
    let model = model.without_end_states();
    if model.selection.properties.is_empty() {
        return Err("there is no safety property to synthesise a requirement for".to_owned());
    }
    let options =
        AssumeOptions { module: vec![request.module.to_owned()], ..AssumeOptions::default() };
    let assumed = resy::assume(&model, &options, &control).map_err(|why| why.to_string())?;
    let property = assumed.property();
    let view = AssumeView {
        file: request.name,
        property: &property,
        method: options.method,
        minimized: false,
        assumed: &assumed,
    };
    let described = Described::of(&assumed.named_within(&control));
    let verdict = match assumed.standing {
        PropertyStatus::Fails(_) => Truth::Fails,
        PropertyStatus::Holds if !assumed.is_interrupted => Truth::Holds,
        _ => Truth::Unknown,
    };
    Ok(json!({
        "findings": findings,
        "verdict": verdict.as_str(),
        "text": view.to_text(Some(&described), COLUMNS),
        "page": requirement_page(&assumed, &described, &view.facts(), made_by()),
        "seconds": control.elapsed().as_secs_f64(),
    }))
}

fn subject(request: &Request<'_>, control: &Control) -> Read {
    Subject::read_within(request.name, request.text, &Reading::default(), &mut NoFiles, control)
}

fn findings(read: &Read) -> Vec<Value> {
    Remark::about(read, true).iter().map(Remark::to_json).collect()
}

/// The answer for a text that is no model.
fn unread(findings: Vec<Value>, stopped: Option<resy::control::Stop>) -> Value {
    match stopped {
        Some(stop) => json!({ "findings": findings, "error": format!("{stop} while it was read") }),
        None => json!({ "findings": findings, "verdict": Value::Null }),
    }
}

/// The names of the processes that a requirement can be asked for.
fn modules(subject: &Subject) -> Vec<String> {
    match subject {
        Subject::Program(program) => {
            let names = program.system.proctypes.iter().map(|proctype| proctype.name.clone());
            names.filter(|name| !name.starts_with(':')).collect()
        }
        Subject::Fsp(model) => {
            model.composition.components.iter().map(|component| component.name.clone()).collect()
        }
        Subject::Network(_) => Vec::new(),
    }
}

fn limits(request: &Request<'_>) -> String {
    format!("{} s, {} MB", request.seconds, crate::MEMORY >> 20)
}

fn made_by() -> String {
    format!("Made by resy {} in the browser", env!("CARGO_PKG_VERSION"))
}
