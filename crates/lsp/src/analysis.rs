//! An open document, and what the front ends make of it.

use crate::names::{Names, Place, place_of};
use crate::text::{Encoding, LineText, path_of, uri_of};
use resy::{Files, IncludeRoot, Read, Subject, Texts};
use resy_promela::preprocess::Loader;
use resy_promela::{Diagnostic, Diagnostics, Severity, SourceMap, analyze_while};
use serde_json::Value;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Reading a text ends after this time: an editor does not wait longer.
const PATIENCE: Duration = Duration::from_secs(5);

/// The language of a document.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Language {
    Promela,
    Fsp,
}

/// An open document.
pub struct Document {
    pub uri: String,
    /// The name of the file; a made-up one if there is no file.
    pub name: String,
    pub language: Language,
    pub version: i64,
    pub lines: Rc<LineText>,
    analysis: OnceCell<Rc<Analysis>>,
}

/// What the front end makes of a document.
pub struct Analysis {
    pub names: Names,
    /// Errors and warnings; those of FSP are found elsewhere, because composing may take long.
    pub findings: Vec<TextFinding>,
    /// The files that the document includes; the first is the document itself.
    pub files: Vec<ReadFile>,
    /// Whether reading was ended early.
    pub is_stopped: bool,
}

/// A file that was read for a document.
pub struct ReadFile {
    pub name: String,
    pub lines: LineText,
    /// The `#include` that names it.
    pub included_at: Option<Place>,
}

/// An error or a warning about a document.
#[derive(Clone, Debug)]
pub struct TextFinding {
    pub code: &'static str,
    pub is_error: bool,
    pub message: String,
    pub label: String,
    pub hint: Option<String>,
    pub place: Place,
    pub related: Vec<(Place, String)>,
    /// Whether a macro or an inline has produced the text.
    pub is_expanded: bool,
}

/// The texts of open documents, by the names of their files.
pub type OpenTexts = BTreeMap<String, Rc<LineText>>;

impl Document {
    /// A document as the client opens it.
    pub fn open(item: &Value) -> Self {
        let uri = item["uri"].as_str().unwrap_or_default().to_owned();
        let path = path_of(&uri);
        let is_fsp = match path.as_deref() {
            Some(path) if resy::is_fsp(path) => true,
            _ => item["languageId"] == "fsp",
        };
        let language = if is_fsp { Language::Fsp } else { Language::Promela };
        let name = path.unwrap_or_else(|| if is_fsp { "text.lts" } else { "text.pml" }.to_owned());
        let text = item["text"].as_str().unwrap_or_default().to_owned();
        let version = item["version"].as_i64().unwrap_or(0);
        let lines = Rc::new(LineText::new(text));
        Self { uri, name, language, version, lines, analysis: OnceCell::new() }
    }

    /// Applies the changes of the client, in their order.
    pub fn change(&mut self, version: i64, changes: &[Value], encoding: Encoding) {
        for change in changes {
            self.lines = Rc::new(self.lines.changed(change, encoding));
        }
        self.version = version;
        self.forget();
    }

    /// Forgets the analysis, because a file that it includes has changed.
    pub fn forget(&mut self) {
        self.analysis = OnceCell::new();
    }

    /// Whether the last analysis has read a file.
    pub fn has_read(&self, name: &str) -> bool {
        self.analysis.get().is_some_and(|a| a.files.iter().any(|file| file.name == name))
    }

    /// What the front end makes of it now.
    pub fn analysis(&self, open: &OpenTexts) -> Rc<Analysis> {
        self.analysis
            .get_or_init(|| {
                Rc::new(Analysis::of(self.language, &self.name, self.lines.text(), open))
            })
            .clone()
    }
}

impl Analysis {
    /// Analyses a text.
    pub fn of(language: Language, name: &str, text: &str, open: &OpenTexts) -> Self {
        match language {
            Language::Promela => Self::of_promela(name, text, open),
            Language::Fsp => {
                let names = Names::of_fsp(&resy_fsp::symbols(text), text);
                let lines = LineText::new(text.to_owned());
                let file = ReadFile { name: name.to_owned(), lines, included_at: None };
                Self { names, findings: Vec::new(), files: vec![file], is_stopped: false }
            }
        }
    }

    fn of_promela(name: &str, text: &str, open: &OpenTexts) -> Self {
        let mut files = Files::new(Vec::new(), IncludeRoot::Anywhere);
        files.begin(name);
        let start = Instant::now();
        let diagnostics = Diagnostics::new_while(move || start.elapsed() < PATIENCE);
        let mut loader = OpenFirst { files, open };
        let found = analyze_while(name, text.to_owned(), &[], &mut loader, diagnostics);
        let map = &found.map;
        Self {
            names: Names::of_promela(&found.symbols, map),
            findings: found.diagnostics.iter().map(|d| TextFinding::new(map, d)).collect(),
            files: map
                .files()
                .map(|(_, file)| ReadFile {
                    name: file.name.clone(),
                    lines: LineText::new(file.text.clone()),
                    included_at: file.included_at.map(|at| place_of(map, at)),
                })
                .collect(),
            is_stopped: found.diagnostics.is_stopped(),
        }
    }

    /// The place in the document itself: of the `#include` for text of another file.
    pub fn in_document(&self, mut place: Place) -> Place {
        for _ in 0..self.files.len() {
            match self.files.get(place.file).and_then(|file| file.included_at) {
                Some(at) if place.file > 0 => place = at,
                _ => break,
            }
        }
        if place.file == 0 { place } else { Place { file: 0, start: 0, end: 0 } }
    }

    /// A place in the words of the protocol.
    pub fn location(&self, uri: &str, place: Place, encoding: Encoding) -> Value {
        let Some(file) = self.files.get(place.file) else { return Value::Null };
        let uri = if place.file == 0 { uri.to_owned() } else { uri_of(&absolute(&file.name)) };
        let range = file.lines.range(place.start, place.end, encoding);
        serde_json::json!({ "uri": uri, "range": range })
    }
}

fn absolute(name: &str) -> String {
    std::path::absolute(name).map_or(name.to_owned(), |path| path.display().to_string())
}

impl TextFinding {
    /// A diagnostic of a front end.
    pub fn new(map: &SourceMap, diagnostic: &Diagnostic) -> Self {
        let related = diagnostic.related.iter();
        Self {
            code: diagnostic.code.as_str(),
            is_error: diagnostic.severity() == Severity::Error,
            message: diagnostic.message.clone(),
            label: diagnostic.label.clone(),
            hint: diagnostic.hint.clone(),
            place: place_of(map, diagnostic.span),
            related: related.map(|(at, words)| (place_of(map, *at), words.clone())).collect(),
            is_expanded: diagnostic.span.expansion.is_some(),
        }
    }

    /// What there is to say about a text in FSP. It may take long, because the text is composed.
    pub fn of_fsp(name: &str, text: &str) -> Vec<Self> {
        let Read { diagnostics, map, notes, .. } = Subject::fsp(name, text, None);
        let notes = notes.into_iter().map(|note| Self {
            code: "E0301",
            is_error: true,
            message: note.text,
            label: String::new(),
            hint: None,
            place: Place { file: 0, start: 0, end: 0 },
            related: Vec::new(),
            is_expanded: false,
        });
        diagnostics.iter().map(|d| Self::new(&map, d)).chain(notes).collect()
    }
}

/// Finds included files among the open documents, then in the file system.
struct OpenFirst<'a> {
    files: Files,
    open: &'a OpenTexts,
}

impl Loader for OpenFirst<'_> {
    fn load(&mut self, name: &str, angled: bool, from: &str) -> Result<(String, String), String> {
        let (path, text) = self.files.find(name, angled, from)?;
        let text = self.open.get(&path).map_or(text, |lines| lines.text().to_owned());
        Ok((path, text))
    }
}
