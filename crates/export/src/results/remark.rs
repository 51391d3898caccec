//! Errors, warnings and notes about a text or a call, for programs.

use crate::run::{Level, SarifFinding, Site};
use resy::Read;
use resy_promela::{Diagnostic, Severity, SourceMap, Span};
use serde_json::{Value, json};

/// An error, a warning or a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The severity.
    pub level: Level,
    /// The code, if it is about a text.
    pub code: Option<&'static str>,
    /// What there is to say.
    pub message: String,
    /// What it is about; a call has no place.
    pub place: Option<Site>,
    /// The end of that text: line and column, one past the last character.
    pub end: Option<(u32, u32)>,
    /// Further remarks, some of them with places of their own.
    pub notes: Vec<(String, Option<Site>)>,
    /// How to correct it.
    pub help: Option<String>,
}

impl Remark {
    /// A remark without a place.
    pub fn new(level: Level, message: impl Into<String>) -> Self {
        let (message, notes) = (message.into(), Vec::new());
        Self { level, code: None, message, place: None, end: None, notes, help: None }
    }

    /// What there is to say about a text: errors, and with `warnings` the rest.
    pub fn about(read: &Read, warnings: bool) -> Vec<Self> {
        let diagnostics = read.diagnostics.iter();
        let diagnostics = diagnostics.map(|diagnostic| of_diagnostic(&read.map, diagnostic));
        let level = if read.subject.is_some() { Level::Note } else { Level::Error };
        let notes = read.notes.iter().map(|note| {
            let place = Site { file: note.file.clone(), line: note.line as u32, column: 0 };
            Self { place: Some(place), ..Self::new(level, &note.text) }
        });
        let is_shown = |remark: &Self| warnings || remark.level == Level::Error;
        diagnostics.chain(notes).filter(is_shown).collect()
    }

    /// The remark as one of the `diagnostics` of an object.
    pub fn to_json(&self) -> Value {
        let place = self.place.as_ref();
        let line = place.map(|place| place.line).filter(|line| *line > 0);
        let column = place.map(|place| place.column).filter(|column| *column > 0);
        let span = self.end.map(|(end_line, end_column)| {
            json!({ "line": line, "column": column, "end_line": end_line, "end_column": end_column })
        });
        let note = |(message, site): &(String, Option<Site>)| {
            json!({
                "message": message,
                "file": site.as_ref().map(|site| &site.file),
                "line": site.as_ref().map(|site| site.line),
                "column": site.as_ref().map(|site| site.column),
            })
        };
        json!({
            "severity": self.level.as_str(),
            "code": self.code,
            "message": self.message,
            "file": place.map(|place| &place.file),
            "line": line,
            "column": column,
            "span": span,
            "notes": self.notes.iter().map(note).collect::<Vec<_>>(),
            "help": self.help,
        })
    }

    /// The remark for code scanning, which is about places only.
    pub fn to_finding(&self) -> Option<SarifFinding> {
        Some(SarifFinding {
            rule: self.code.unwrap_or("file").to_owned(),
            level: self.level,
            message: self.message.clone(),
            site: self.place.clone()?,
            steps: Vec::new(),
            is_canonical: None,
        })
    }
}

fn of_diagnostic(map: &SourceMap, diagnostic: &Diagnostic) -> Remark {
    let span = map.outermost(diagnostic.span);
    let has_text = map.files().next().is_some();
    let end = has_text.then(|| map.line_column(Span { start: span.end, ..span }));
    let label = (!diagnostic.label.is_empty()).then(|| (diagnostic.label.clone(), None));
    let related = diagnostic.related.iter();
    let related = related.map(|(span, words)| (words.clone(), site(map, *span)));
    Remark {
        level: match diagnostic.severity() {
            Severity::Error => Level::Error,
            Severity::Warning => Level::Warning,
        },
        code: Some(diagnostic.code.as_str()),
        message: diagnostic.message.clone(),
        place: site(map, span),
        end: end.map(|end| (end.line as u32, end.column as u32)),
        notes: label.into_iter().chain(related).collect(),
        help: diagnostic.hint.clone(),
    }
}

/// The place in a file, outside all expansions; `None` if no text could be read.
fn site(map: &SourceMap, span: Span) -> Option<Site> {
    map.files().next()?;
    let at = map.line_column(map.outermost(span));
    let file = map.file(at.file).name.clone();
    Some(Site { file, line: at.line as u32, column: at.column as u32 })
}
