//! Errors and warnings about documents, told to the client.

use super::{Event, Server};
use crate::analysis::{Analysis, Document, Language, TextFinding};
use crate::text::Encoding;
use serde_json::{Value, json};
use std::time::Instant;

impl Server {
    /// Tells the findings of documents that have not changed for a moment.
    pub(super) fn tell_due(&mut self) {
        let now = Instant::now();
        let due: Vec<String> =
            self.due.iter().filter(|(_, at)| **at <= now).map(|(uri, _)| uri.clone()).collect();
        for uri in due {
            self.due.remove(&uri);
            self.publish(&uri);
        }
    }

    /// Tells the findings of a document; those of FSP when they are known.
    pub(super) fn publish(&mut self, uri: &str) {
        let Some(document) = self.documents.get(uri) else { return };
        if document.language == Language::Fsp && !self.is_composed(uri, document.version) {
            return self.compose(uri);
        }
        let analysis = document.analysis(&self.open);
        let findings = self.findings(document);
        let told = findings.iter().map(|f| diagnostic(document, &analysis, f, self.encoding));
        let broken = self.checks.broken(document, self.encoding);
        let all: Vec<Value> = told.chain(broken).collect();
        let params = json!({ "uri": uri, "version": document.version, "diagnostics": all });
        self.notify("textDocument/publishDiagnostics", params);
        if analysis.is_stopped {
            let message = "the text is too large to be analysed while you type";
            self.notify("window/showMessage", json!({ "type": 2, "message": message }));
        }
    }

    /// The findings of a document, as far as they are known.
    pub(super) fn findings(&self, document: &Document) -> Vec<TextFinding> {
        match document.language {
            Language::Promela => document.analysis(&self.open).findings.clone(),
            Language::Fsp => match self.composed.get(&document.uri) {
                Some(Some((version, found))) if *version == document.version => found.clone(),
                _ => Vec::new(),
            },
        }
    }

    fn is_composed(&self, uri: &str, version: i64) -> bool {
        matches!(self.composed.get(uri), Some(Some((of, _))) if *of == version)
    }

    /// Composes a text in FSP in a thread of its own, one at a time for each document.
    fn compose(&mut self, uri: &str) {
        let Some(document) = self.documents.get(uri) else { return };
        if let Some(None) = self.composed.get(uri) {
            // The thread's answer is about an older version; this one comes after it.
            return;
        }
        self.composed.insert(uri.to_owned(), None);
        let (name, text) = (document.name.clone(), document.lines.text().to_owned());
        let (uri, version, events) = (uri.to_owned(), document.version, self.events.clone());
        let started = std::thread::Builder::new().stack_size(resy::STACK).spawn(move || {
            let found = TextFinding::of_fsp(&name, &text);
            let _ = events.send(Event::Composed(uri, version, found));
        });
        // Without threads there are no findings; requests are answered all the same.
        drop(started);
    }
}

/// A finding in the words of the protocol.
fn diagnostic(
    document: &Document,
    analysis: &Analysis,
    finding: &TextFinding,
    encoding: Encoding,
) -> Value {
    let place = analysis.in_document(finding.place);
    let mut message = finding.message.clone();
    if finding.place.file > 0
        && let Some(file) = analysis.files.get(finding.place.file)
    {
        let line = file.lines.line_of(finding.place.start) + 1;
        message = format!("{}:{line}: {message}", file.name);
    }
    let label = Some(&finding.label).filter(|label| !label.is_empty());
    for words in label.into_iter().chain(&finding.hint) {
        message = format!("{message}\n{words}");
    }
    let related: Vec<Value> = finding
        .related
        .iter()
        .map(|(at, words)| {
            json!({ "location": analysis.location(&document.uri, *at, encoding), "message": words })
        })
        .collect();
    let mut told = json!({
        "range": document.lines.range(place.start, place.end, encoding),
        "severity": if finding.is_error { 1 } else { 2 },
        "code": finding.code,
        "source": "resy",
        "message": message,
    });
    if !related.is_empty() {
        told["relatedInformation"] = related.into();
    }
    // What is never used is shown faded.
    if matches!(finding.code, "W0301" | "W0303" | "W0401") {
        told["tags"] = json!([1]);
    }
    told
}
