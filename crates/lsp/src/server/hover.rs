//! What there is to know about a name.

use super::navigate::Asked;
use crate::analysis::Language;
use crate::names::{Entry, NameKind};
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub(super) fn hover(at: &Asked<'_>) -> Value {
    let names = &at.analysis.names;
    let entries = at.entries();
    let (Some(place), false) = (names.name_at(at.offset), entries.is_empty()) else {
        return Value::Null;
    };
    let parts: Vec<String> = entries.iter().map(|&e| described(at, e)).collect();
    json!({
        "contents": { "kind": "markdown", "value": parts.join("\n\n---\n\n") },
        "range": at.document.lines.range(place.start, place.end, at.encoding),
    })
}

fn described(at: &Asked<'_>, number: usize) -> String {
    let names = &at.analysis.names;
    let entry = &names.entries[number];
    let language = match at.document.language {
        Language::Promela => "promela",
        Language::Fsp => "fsp",
    };
    let mut text = format!("```{language}\n{}\n```", entry.detail);
    if let Some(comment) = comment_before(at, entry) {
        text = format!("{text}\n\n{comment}");
    }
    if entry.name_place.file > 0 {
        text = format!("{text}\n\nfrom `{}`", at.analysis.files[entry.name_place.file].name);
    }
    if matches!(entry.kind, NameKind::Variable | NameKind::Channel | NameKind::Field) {
        text = format!("{text}\n\n{}", accesses(at, number));
    }
    text
}

/// Which processes write a variable, and which only read it.
fn accesses(at: &Asked<'_>, number: usize) -> String {
    let names = &at.analysis.names;
    let of = |writes: bool| -> BTreeSet<&str> {
        let uses = names.uses.iter().filter(|u| u.entry == number && u.writes == writes);
        uses.filter_map(|u| names.unit_around(u.place)).map(|e| e.name.as_str()).collect()
    };
    let (writers, readers) = (of(true), of(false));
    let list =
        |units: Vec<&str>| units.iter().map(|u| format!("`{u}`")).collect::<Vec<_>>().join(", ");
    if names.entries[number].kind == NameKind::Channel {
        let users: Vec<&str> = writers.union(&readers).copied().collect();
        return match users.is_empty() {
            true => "never used".to_owned(),
            false => format!("used by {}", list(users)),
        };
    }
    let written = match writers.is_empty() {
        true => "never written".to_owned(),
        false => format!("written by {}", list(writers.iter().copied().collect())),
    };
    let only: Vec<&str> = readers.difference(&writers).copied().collect();
    match only.is_empty() {
        true => written,
        false => format!("{written}; read by {}", list(only)),
    }
}

/// The comment on the lines before a declaration of the document.
fn comment_before(at: &Asked<'_>, entry: &Entry) -> Option<String> {
    if entry.place.file != 0 {
        return None;
    }
    let before = at.document.lines.text().get(..entry.place.start)?;
    let before = before.trim_end_matches([' ', '\t']).strip_suffix('\n')?;
    let before = before.strip_suffix('\r').unwrap_or(before);
    if let Some(open) = before.strip_suffix("*/") {
        let text = &open[open.rfind("/*")? + 2..];
        let lines = text.lines().map(|line| line.trim().trim_start_matches('*').trim());
        return Some(lines.collect::<Vec<_>>().join("\n").trim().to_owned());
    }
    let lines = before.lines().rev().map_while(|line| line.trim().strip_prefix("//"));
    let mut lines: Vec<&str> = lines.map(str::trim).collect();
    lines.reverse();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
