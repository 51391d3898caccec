//! Names and keywords that may stand at a place.

use super::navigate::Asked;
use crate::analysis::Language;
use crate::names::{Entry, NameKind};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Everything that may stand at the place; the client keeps what fits the letters typed so far.
pub(super) fn items(at: &Asked<'_>) -> Value {
    let text = at.document.lines.text();
    let before = &text[..at.offset];
    let typed = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let after_dot = typed.ends_with('.') && !typed.ends_with("..");
    if after_dot && at.document.language == Language::Promela {
        return fields(at, typed.len() - 1);
    }
    let mut found: BTreeMap<&str, &Entry> = BTreeMap::new();
    for entry in &at.analysis.names.entries {
        let is_visible = entry.visible.as_ref().is_none_or(|range| range.contains(&at.offset));
        let has_name = !matches!(entry.kind, NameKind::Init | NameKind::Claim | NameKind::Field);
        // The word that is being typed is no declaration of itself.
        let is_typed = entry.kind == NameKind::Action && entry.name_place.touches(at.offset);
        if is_visible && has_name && !is_typed {
            // A local name hides a global one.
            let known = found.entry(&entry.name).or_insert(entry);
            if entry.visible.is_some() {
                *known = entry;
            }
        }
    }
    let names = found.values().map(|entry| item(entry));
    let keywords = keywords(at.document.language);
    let keywords = keywords.into_iter().map(|word| json!({ "label": word, "kind": 14 }));
    names.chain(keywords).collect()
}

/// The fields of the structure before a dot; of all structures if it is not known.
fn fields(at: &Asked<'_>, dot: usize) -> Value {
    let names = &at.analysis.names;
    let text = &at.document.lines.text()[..dot];
    // `a[i].` names `a`.
    let end = text.rfind(|c: char| c.is_ascii_alphanumeric() || c == '_').map_or(0, |i| i + 1);
    let end = if text.ends_with(']') { text.rfind('[').unwrap_or(end) } else { end };
    let declared = names.at(end);
    let types: Vec<usize> = declared
        .iter()
        .filter_map(|&e| {
            let ty = names.entries[e].detail.split_whitespace().next()?;
            names.entries.iter().position(|t| t.kind == NameKind::Type && t.name == ty)
        })
        .collect();
    let fields = names.entries.iter().filter(|e| e.kind == NameKind::Field);
    let of_type = |e: &&Entry| types.is_empty() || e.container.is_some_and(|c| types.contains(&c));
    fields.filter(of_type).map(item).collect()
}

fn item(entry: &Entry) -> Value {
    let kind = match entry.kind {
        NameKind::Variable | NameKind::Parameter => 6,
        NameKind::Channel | NameKind::Action => 23,
        NameKind::Process | NameKind::Composite | NameKind::Init => 7,
        NameKind::Claim | NameKind::Formula | NameKind::SafetyProperty | NameKind::Fluent => 10,
        NameKind::Inline | NameKind::Macro => 3,
        NameKind::Constant => 20,
        NameKind::Type => 22,
        NameKind::Field => 5,
        NameKind::Label => 18,
    };
    json!({ "label": entry.name, "kind": kind, "detail": entry.detail })
}

fn keywords(language: Language) -> Vec<&'static str> {
    let mut words: Vec<&'static str> = match language {
        Language::Promela => resy_promela::parse::reserved_words().collect(),
        Language::Fsp => resy_fsp::token::TokenKind::keywords().collect(),
    };
    words.sort_unstable();
    words
}
