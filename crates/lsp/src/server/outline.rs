//! A document as a whole: its outline, and its layout.

use crate::analysis::{Analysis, Document};
use crate::names::NameKind;
use crate::text::Encoding;
use resy::{Files, IncludeRoot};
use serde_json::{Value, json};

/// The declarations of a document, each inside of what it belongs to.
pub(super) fn symbols(document: &Document, analysis: &Analysis, encoding: Encoding) -> Value {
    let names = &analysis.names;
    let is_shown = |kind| !matches!(kind, NameKind::Action);
    let mut children: Vec<Vec<Value>> = vec![Vec::new(); names.entries.len()];
    let mut top = Vec::new();
    // Containers come before what they contain.
    for (i, entry) in names.entries.iter().enumerate().rev() {
        if entry.name_place.file != 0 || !is_shown(entry.kind) || entry.name.is_empty() {
            continue;
        }
        let whole =
            if entry.place.contains(entry.name_place) { entry.place } else { entry.name_place };
        let inside = sorted(std::mem::take(&mut children[i]));
        let symbol = json!({
            "name": entry.name,
            "detail": entry.detail,
            "kind": symbol_kind(entry.kind),
            "range": document.lines.range(whole.start, whole.end, encoding),
            "selectionRange":
                document.lines.range(entry.name_place.start, entry.name_place.end, encoding),
            "children": inside,
        });
        match entry.container {
            Some(container) if container < i => children[container].push(symbol),
            _ => top.push(symbol),
        }
    }
    sorted(top).into()
}

/// In the order of the text.
fn sorted(mut symbols: Vec<Value>) -> Vec<Value> {
    let start = |s: &Value| {
        let at = &s["selectionRange"]["start"];
        (at["line"].as_u64(), at["character"].as_u64())
    };
    symbols.sort_by_key(start);
    symbols
}

fn symbol_kind(kind: NameKind) -> u8 {
    match kind {
        NameKind::Variable | NameKind::Parameter | NameKind::Action => 13,
        NameKind::Channel | NameKind::Fluent => 24,
        NameKind::Process | NameKind::Init | NameKind::Composite => 5,
        NameKind::Claim | NameKind::Formula | NameKind::SafetyProperty => 7,
        NameKind::Inline | NameKind::Macro => 12,
        NameKind::Constant => 22,
        NameKind::Type => 23,
        NameKind::Field => 8,
        NameKind::Label => 20,
    }
}

/// The edits that lay out a document; none if it cannot be parsed.
pub(super) fn formatted(document: &Document, encoding: Encoding) -> Value {
    let old = document.lines.text();
    let mut files = Files::new(Vec::new(), IncludeRoot::Anywhere);
    let Ok(new) = resy::lay_out(&document.name, old, &mut files) else { return Value::Null };
    if new == old {
        return json!([]);
    }
    let same = |pair: &(char, char)| pair.0 == pair.1;
    let start: usize =
        old.chars().zip(new.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let back = old_rest.chars().rev().zip(new_rest.chars().rev());
    let end: usize = back.take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let range = document.lines.range(start, old.len() - end, encoding);
    json!([{ "range": range, "newText": &new_rest[..new_rest.len() - end] }])
}
