//! Processes in FSP as a subject.

use super::{Read, Reading, Subject};
use crate::control::{Control, Stop};
use resy_automata::text::network_file::FileMessage;
use resy_fsp::{ComposeOptions, Composition};
use resy_promela::{Code, Diagnostic, Diagnostics, SourceMap, Span};
use std::path::Path;

/// A composite of processes in FSP, with its text.
#[derive(Clone, Debug)]
pub struct FspModel {
    /// The name of the file.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The composite that was named.
    pub composite: Option<String>,
    /// What the text means.
    pub composition: Composition,
}

/// Whether a file with this name has processes in FSP.
pub fn is_fsp(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "lts" || extension == "fsp")
}

pub(super) fn read(name: &str, text: &str, reading: &Reading, control: &Control) -> Read {
    let options =
        ComposeOptions { composite: reading.composite.clone(), ..ComposeOptions::default() };
    let limited = resy_fsp::Diagnostics::new_while(control.preparation());
    let (composition, found) = resy_fsp::read_within(text, &options, limited);
    let (map, diagnostics, notes) = rendered(name, text, &found);
    let subject = composition.map(|composition| {
        let (name, text) = (name.to_owned(), text.to_owned());
        let composite = reading.composite.clone();
        Subject::Fsp(Box::new(FspModel { name, text, composite, composition }))
    });
    let stopped = found.is_stopped().then(|| control.exceeded().unwrap_or(Stop::Cancelled));
    Read { subject, diagnostics, map, notes, stopped }
}

/// The tree of a text and what is wrong with it. Nothing is composed.
pub(crate) fn parsed(name: &str, text: &str) -> (resy_fsp::ast::File, SourceMap, Diagnostics) {
    let (tree, found) = resy_fsp::parse(text);
    let (map, diagnostics, _) = rendered(name, text, &found);
    (tree, map, diagnostics)
}

/// What was found about a text, to be rendered as what is found about Promela, and what has no place in it.
fn rendered(
    name: &str,
    text: &str,
    found: &resy_fsp::Diagnostics,
) -> (SourceMap, Diagnostics, Vec<FileMessage>) {
    let (mut map, mut notes) = (SourceMap::new(), Vec::new());
    let has_places = map.add_file(name, text.to_owned(), None).is_some();
    let mut diagnostics = Diagnostics::new();
    for diagnostic in found.iter() {
        match has_places && diagnostic.span != resy_fsp::Span::default() {
            true => diagnostics.push(translated(diagnostic)),
            // What is wrong is the call: the name of the composite.
            false => notes.push(FileMessage {
                file: name.to_owned(),
                line: 1,
                text: with_hint(diagnostic),
            }),
        }
    }
    (map, diagnostics, notes)
}

/// A diagnostic, to be rendered as those of Promela are.
fn translated(diagnostic: &resy_fsp::Diagnostic) -> Diagnostic {
    let span = |span: resy_fsp::Span| Span::new(span.start as usize, span.end as usize);
    let related = diagnostic.related.iter().map(|(at, words)| (span(*at), words.clone()));
    Diagnostic {
        code: Code::Foreign(diagnostic.code.as_str()),
        message: diagnostic.message.clone(),
        span: span(diagnostic.span),
        label: diagnostic.label.clone(),
        related: related.collect(),
        hint: diagnostic.hint.clone(),
    }
}

fn with_hint(diagnostic: &resy_fsp::Diagnostic) -> String {
    match &diagnostic.hint {
        Some(hint) => format!("{}; {hint}", diagnostic.message),
        None => diagnostic.message.clone(),
    }
}
