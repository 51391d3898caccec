//! Lenses over properties and processes, and verdicts beside them.

use super::Wishes;
use super::checks::{Checks, KnownVerdict, Task};
use crate::analysis::{Analysis, Document, Language};
use crate::names::{Entry, NameKind};
use crate::text::Encoding;
use resy_promela::lex::{RawKind, lex_raw};
use serde_json::{Value, json};

/// A place that a property belongs to.
struct Target {
    offset: usize,
    /// The name of the property; `None` for all of them.
    property: Option<String>,
}

/// The lenses of a document.
pub(super) fn lenses(
    document: &Document,
    analysis: &Analysis,
    checks: &Checks,
    wishes: &Wishes,
    encoding: Encoding,
) -> Value {
    let uri = &document.uri;
    let mut out = Vec::new();
    let mut lens = |offset: usize, title: &str, command: &str, argument: Option<&str>| {
        let range = document.lines.range(offset, offset, encoding);
        let arguments = json!([uri, argument]);
        let command = json!({ "title": title, "command": command, "arguments": arguments });
        out.push(json!({ "range": range, "command": command }));
    };
    for Target { offset, property } in targets(document, analysis) {
        let (name, task) = (property.as_deref(), Task::Check(property.clone()));
        if checks.is_running(uri, &task) {
            lens(offset, "checking … (stop)", "resy.cancel", None);
            continue;
        }
        let title = if name.is_none() { "check all" } else { "check" };
        lens(offset, title, "resy.check", name);
        let verdict = checks.verdict(uri, name).filter(|v| !v.is_old);
        if wishes.debugs && verdict.is_some_and(|v| v.word == "fails") && name.is_some() {
            lens(offset, "debug", "resy.debug", name);
        }
        if wishes.views && verdict.is_some() && checks.page(uri, &task).is_some() {
            lens(offset, "report", "resy.report", name);
        }
    }
    for entry in analysis.names.entries.iter().filter(|e| has_requirement(document, e)) {
        let offset = entry.place.start;
        match checks.is_running(uri, &Task::Assume(entry.name.clone())) {
            true => lens(offset, "computing … (stop)", "resy.cancel", None),
            false => lens(offset, "what must it guarantee?", "resy.assume", Some(&entry.name)),
        }
    }
    out.into()
}

fn has_requirement(document: &Document, entry: &Entry) -> bool {
    document.language == Language::Promela
        && entry.kind == NameKind::Process
        && entry.name_place.file == 0
}

/// The verdicts of a document, behind the lines of their properties.
pub(super) fn inlays(
    document: &Document,
    analysis: &Analysis,
    checks: &Checks,
    params: &Value,
    encoding: Encoding,
) -> Value {
    let lines = &document.lines;
    let asked = lines.offset(&params["range"]["start"], encoding)
        ..=lines.offset(&params["range"]["end"], encoding);
    let mut out: Vec<Value> = Vec::new();
    let mut last_line = None;
    for Target { offset, property } in targets(document, analysis) {
        let Some(verdict) = checks.verdict(&document.uri, property.as_deref()) else { continue };
        let line = lines.line_of(offset);
        let end = lines.line_end(line);
        if last_line.replace(line) == Some(line)
            || !asked.contains(&end) && !asked.contains(&offset)
        {
            continue;
        }
        out.push(json!({
            "position": lines.position(end, encoding),
            "label": label(verdict),
            "paddingLeft": true,
            "tooltip": verdict.reason.as_deref().unwrap_or_default(),
        }));
    }
    out.into()
}

/// A verdict with its age.
fn label(verdict: &KnownVerdict) -> String {
    let sign = match verdict.word.as_str() {
        "holds" => "✓ holds",
        "fails" => "✗ fails",
        _ => "? unknown",
    };
    let age = match verdict.at.elapsed().as_secs() {
        0..30 => "just now".to_owned(),
        30..90 => "a minute ago".to_owned(),
        seconds @ 90..3600 => format!("{} minutes ago", (seconds + 30) / 60),
        seconds => format!("{} hours ago", (seconds + 1800) / 3600),
    };
    let changed = if verdict.is_old { ", before the last change" } else { "" };
    format!("{sign} · {age}{changed}")
}

/// The properties of a document: all of them at its start, then each at its place.
fn targets(document: &Document, analysis: &Analysis) -> Vec<Target> {
    let mut out = vec![Target { offset: 0, property: None }];
    let (mut n_formulas, mut n_claims) = (0, 0);
    for entry in &analysis.names.entries {
        let property = match (document.language, entry.kind) {
            (Language::Promela, NameKind::Formula) => {
                n_formulas += 1;
                named(entry, "ltl", || format!("ltl_{}", n_formulas - 1))
            }
            (Language::Promela, NameKind::Claim) if entry.detail == "never" => {
                n_claims += 1;
                named(entry, "never", || format!("never_{}", n_claims - 1))
            }
            (Language::Promela, NameKind::Claim) => "trace".to_owned(),
            (Language::Fsp, NameKind::SafetyProperty | NameKind::Formula) => entry.name.clone(),
            _ => continue,
        };
        if entry.place.file == 0 {
            out.push(Target { offset: entry.place.start, property: Some(property) });
        }
    }
    if document.language == Language::Promela {
        let asserts = asserts(document.lines.text()).into_iter();
        out.extend(
            asserts.map(|at| Target { offset: at, property: Some("assertions".to_owned()) }),
        );
    }
    out.sort_by_key(|target| target.offset);
    out
}

/// The name of a claim; a keyword stands for one that has none.
fn named(entry: &Entry, keyword: &str, unnamed: impl Fn() -> String) -> String {
    if entry.name == keyword { unnamed() } else { entry.name.clone() }
}

/// Where assertions stand.
fn asserts(text: &str) -> Vec<usize> {
    let mut at = 0;
    let mut found = Vec::new();
    for token in lex_raw(text) {
        if token.kind == RawKind::Word && token.text == "assert" {
            found.push(at);
        }
        at += token.text.len();
    }
    found
}
