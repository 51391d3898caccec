//! From a name to where it is declared and used, and its renaming.

use crate::analysis::{Analysis, Document, Language};
use crate::names::Place;
use crate::text::Encoding;
use serde_json::{Map, Value, json};

/// A document and an offset in it that a request is about.
pub(super) struct Asked<'a> {
    pub document: &'a Document,
    pub analysis: &'a Analysis,
    pub offset: usize,
    pub encoding: Encoding,
}

impl Asked<'_> {
    /// What the name at the offset declares or refers to.
    pub fn entries(&self) -> Vec<usize> {
        self.analysis.names.at(self.offset)
    }

    fn location(&self, place: Place) -> Value {
        self.analysis.location(&self.document.uri, place, self.encoding)
    }

    pub fn definition(&self) -> Value {
        let names = &self.analysis.names;
        let entries = self.entries();
        entries.iter().map(|&e| self.location(names.entries[e].name_place)).collect()
    }

    pub fn references(&self, params: &Value) -> Value {
        let with_declarations = params["context"]["includeDeclaration"] != false;
        let places = self.analysis.names.places(&self.entries(), with_declarations);
        places.into_iter().map(|place| self.location(place)).collect()
    }

    pub fn highlights(&self) -> Value {
        let names = &self.analysis.names;
        let entries = self.entries();
        let writes = |place: Place| {
            let written = names.uses.iter().any(|u| u.place == place && u.writes);
            written || entries.iter().any(|&e| names.entries[e].name_place == place)
        };
        let places = names.places(&entries, true).into_iter().filter(|place| place.file == 0);
        places
            .map(|place| {
                let range = self.document.lines.range(place.start, place.end, self.encoding);
                json!({ "range": range, "kind": if writes(place) { 3 } else { 2 } })
            })
            .collect()
    }

    pub fn prepare_rename(&self) -> Value {
        let is_renamable = !self.entries().is_empty() && self.refusal().is_none();
        match self.analysis.names.name_at(self.offset).filter(|_| is_renamable) {
            Some(place) => self.document.lines.range(place.start, place.end, self.encoding),
            None => Value::Null,
        }
    }

    /// Why the name cannot be renamed.
    fn refusal(&self) -> Option<String> {
        let names = &self.analysis.names;
        let entries = self.entries();
        let Some(&first) = entries.first() else { return Some("there is no name here".to_owned()) };
        let name = &names.entries[first].name;
        let texts = |place: &Place| {
            let file = &self.analysis.files[place.file];
            file.lines.text().get(place.start..place.end).unwrap_or_default()
        };
        let other = names.places(&entries, true).into_iter().find(|place| texts(place) != name)?;
        let text = texts(&other);
        Some(match text == "init" || text == "never" || text == "ltl" || text == "trace" {
            true => format!("`{text}` has no name"),
            false => format!("`{name}` is put together by a macro"),
        })
    }

    pub fn rename(&self, params: &Value) -> Result<Value, String> {
        let new = params["newName"].as_str().unwrap_or_default();
        if let Some(why) = self.refusal() {
            return Err(why);
        }
        self.validate(new)?;
        let names = &self.analysis.names;
        let mut changes: Map<String, Value> = Map::new();
        for place in names.places(&self.entries(), true) {
            let location = self.location(place);
            let uri = location["uri"].as_str().unwrap_or_default().to_owned();
            let edit = json!({ "range": location["range"], "newText": new });
            let edits = changes.entry(uri).or_insert_with(|| json!([]));
            if let Some(edits) = edits.as_array_mut() {
                edits.push(edit);
            }
        }
        Ok(json!({ "changes": changes }))
    }

    /// Whether the new name is one, and not taken where the old one stands.
    fn validate(&self, new: &str) -> Result<(), String> {
        let mut chars = new.chars();
        let first = chars.next();
        let is_word = first.is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
            && chars.all(|c| c.is_ascii_alphanumeric() || c == '_');
        let is_reserved = match self.document.language {
            Language::Promela => resy_promela::parse::is_reserved(new),
            Language::Fsp => resy_fsp::token::TokenKind::keyword(new).is_some(),
        };
        if !is_word || is_reserved {
            return Err(format!("`{new}` is not a name"));
        }
        let names = &self.analysis.names;
        let entries = self.entries();
        if self.document.language == Language::Fsp {
            let is_upper = |name: &str| name.starts_with(|c: char| c.is_ascii_uppercase());
            let old = entries.first().map(|&e| names.entries[e].name.as_str()).unwrap_or_default();
            if is_upper(new) != is_upper(old) {
                let size = if is_upper(old) { "a capital" } else { "a small" };
                return Err(format!("this name begins with {size} letter"));
            }
        }
        let places = names.places(&entries, true);
        let is_visible = |at: usize, range: &Option<std::ops::Range<usize>>| match range {
            Some(range) => range.contains(&at),
            None => true,
        };
        let taken = names.entries.iter().enumerate().find(|(i, other)| {
            other.name == new
                && !entries.contains(i)
                && places.iter().any(|p| p.file != 0 || is_visible(p.start, &other.visible))
        });
        match taken {
            Some((_, other)) => Err(format!("`{new}` is declared already: {}", other.detail)),
            None => Ok(()),
        }
    }
}
