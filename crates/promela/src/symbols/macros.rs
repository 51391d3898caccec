//! Macros: their definitions, and the calls that the source map knows.

use super::{Builder, Declaration, DeclarationKind, detail, in_file};
use crate::preprocess::MacroRecord;
use crate::source::{ExpansionKind, SourceMap, Span};

/// Adds the macros of a program.
pub(super) fn collect(record: &MacroRecord, map: &SourceMap, out: &mut Builder) {
    for definition in &record.definitions {
        let span = directive(map, definition.extent);
        let id = out.declare(Declaration {
            kind: DeclarationKind::Macro,
            name: definition.name.clone(),
            name_span: definition.span,
            span,
            container: None,
            visible: None,
            detail: detail::directive(map, definition.extent),
        });
        for (name, place, uses) in &definition.params {
            let parameter = out.declare(Declaration {
                kind: DeclarationKind::MacroParameter,
                name: name.clone(),
                name_span: *place,
                span: *place,
                container: Some(id),
                visible: Some(span.start..span.end),
                detail: name.to_string(),
            });
            uses.iter().for_each(|&used| out.refer(used, parameter, false));
        }
    }
    let calls = map.expansions().filter(|e| e.kind == ExpansionKind::Macro);
    let named = calls.map(|e| (e.call, e.definition)).chain(record.mentions.iter().copied());
    for (used, definition) in named {
        let definition = in_file(definition);
        let key = (definition.start, definition.end, DeclarationKind::Macro);
        if let Some(&id) = out.by_place.get(&key) {
            out.refer(used, id, false);
        }
    }
}

/// The extent of a definition from its `#` on.
fn directive(map: &SourceMap, extent: Span) -> Span {
    let file = map.file(map.file_of(extent));
    let before = &file.text[..(extent.start - file.start) as usize];
    match before.rfind('#') {
        Some(hash) => Span { start: file.start + hash as u32, ..in_file(extent) },
        None => in_file(extent),
    }
}
