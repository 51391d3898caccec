//! Annotations of a program with unbounded data, from its text and from options.
//!
//! The conditions in them are read in the context of the program: each becomes a formula beside those
//! of the program, from a copy of the text in which all else is blank, so that messages have the right
//! line and column.

use super::resolver::Resolver;
use super::{Program, Reading};
use resy_promela::annotation::{
    AnnotationClause, AnnotationKeyword as Keyword, AnnotationMistake, CONDITION_PREFIX as PREFIX,
    annotation_names, annotations,
};
use resy_promela::{Code, Diagnostic, Diagnostics, SourceMap, Span};
use resy_symbolic::DataDeclarations;
use resy_system::{Expr, LocationId, ProctypeId};
use std::ops::Range;

/// What is said about unbounded data beside the text.
#[derive(Clone, Debug, Default)]
pub struct DataOptions {
    /// Names of variables that are unbounded; `a[]` is an array with all integers as indices.
    pub unbounded: Vec<String>,
    /// Conditions on parameters.
    pub parameters: Vec<String>,
    /// Predicates: the name of their file, and its text with one on a line.
    pub predicates: Option<(String, String)>,
}

/// A statement by its label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelledStatement {
    /// The proctype.
    pub proctype: ProctypeId,
    /// Where the label stands.
    pub location: LocationId,
    /// The label.
    pub label: String,
}

/// What annotations and options say about a program.
#[derive(Clone, Debug, Default)]
pub struct DataAnnotations {
    /// The data, and what is assumed of it.
    pub declarations: DataDeclarations,
    /// The assumptions as text.
    pub assumed: Vec<String>,
    /// The predicates, with their text.
    pub predicates: Vec<(String, Expr)>,
    /// The rankings, with their text.
    pub ranks: Vec<(String, Expr)>,
    /// Statements that are not enabled for ever without being taken.
    pub just: Vec<LabelledStatement>,
    /// Statements that are not enabled again and again without being taken.
    pub compassionate: Vec<LabelledStatement>,
    /// The text that they stand in: its name, and itself.
    pub source: (String, String),
    /// How it was read.
    pub reading: Reading,
}

/// A clause with where it comes from.
pub(super) struct SourcedClause {
    pub keyword: Keyword,
    /// The file that it stands in; `None` for the command line.
    file: Option<String>,
    body: Range<usize>,
    pub text: String,
    /// The text to read its condition from, if it has one.
    pub condition: Option<(String, String)>,
}

/// The clauses of a program and of the options.
pub(super) struct Clauses {
    pub clauses: Vec<SourcedClause>,
    mistakes: Vec<AnnotationMistake>,
}

impl Clauses {
    /// Finds all clauses.
    pub fn find(name: &str, text: &str, options: &DataOptions) -> Self {
        let (found, mistakes) = annotations(text);
        let mut clauses: Vec<SourcedClause> =
            found.into_iter().map(|clause| sourced(name, text, clause)).collect();
        let mut given = |keyword, text: &str, file: &str| {
            let names = annotation_names(text);
            let condition = (wants_condition(keyword) || names.is_none())
                .then(|| (file.to_owned(), text.to_owned()));
            let (text, body) = (text.to_owned(), 0..0);
            clauses.push(SourcedClause { keyword, file: None, body, text, condition });
        };
        options
            .unbounded
            .iter()
            .for_each(|names| given(Keyword::Unbounded, names, "unbounded variables"));
        options.parameters.iter().for_each(|text| given(Keyword::Parameter, text, "parameters"));
        if let Some((file, text)) = &options.predicates {
            for line in text.lines().map(bare).filter(|line| !line.is_empty()) {
                given(Keyword::Predicate, line, file);
            }
        }
        Self { clauses, mistakes }
    }

    /// The units that read the conditions, to be put behind the program.
    pub fn units(&self) -> String {
        let with = self.clauses.iter().enumerate().filter(|(_, c)| c.condition.is_some());
        let unit = |(n, _): (usize, &SourcedClause)| {
            format!("ltl {PREFIX}{n} {{\n#include \"resy:annotation:{n}\"\n}}\n")
        };
        with.map(unit).collect()
    }

    /// Where each clause stands in the text of the program, if it does.
    pub fn bodies(&self) -> Vec<Option<Range<usize>>> {
        let body = |clause: &SourcedClause| clause.file.is_some().then(|| clause.body.clone());
        self.clauses.iter().map(body).collect()
    }

    /// Resolves the clauses in a program that was read with the units, which are removed from it.
    pub fn resolve(
        &self,
        program: Option<&mut Program>,
        map: &SourceMap,
        diagnostics: &mut Diagnostics,
    ) -> DataAnnotations {
        let main = map
            .files()
            .find(|(_, f)| self.clauses.iter().any(|c| c.file.as_ref() == Some(&f.name)));
        let start = main.map_or_else(
            || map.files().last().map_or(0, |(_, f)| f.start as usize),
            |(_, f)| f.start as usize,
        );
        let span = |range: &Range<usize>| Span::new(start + range.start, start + range.end);
        for mistake in &self.mistakes {
            let mut diagnostic =
                Diagnostic::new(Code::Annotation, span(&mistake.range), mistake.message.clone());
            diagnostic.hint.clone_from(&mistake.hint);
            diagnostics.push(diagnostic);
        }
        let Some(program) = program else { return DataAnnotations::default() };
        let mut resolver = Resolver { system: &program.system, found: DataAnnotations::default() };
        let mut conditions = Vec::new();
        for (number, clause) in self.clauses.iter().enumerate() {
            let condition = resolver.condition(number);
            if let Err(message) = resolver.add(clause, condition) {
                let at = if clause.file.is_some() { span(&clause.body) } else { Span::new(0, 0) };
                conditions.push(Diagnostic::new(Code::Annotation, at, message));
            }
        }
        let checked = resolver.check();
        if let Err(message) = checked {
            conditions.push(Diagnostic::new(Code::Annotation, self.first_span(&span), message));
        }
        let found = resolver.found;
        program.system.claims.retain(|claim| !claim.name.starts_with(PREFIX));
        conditions.into_iter().for_each(|diagnostic| diagnostics.push(diagnostic));
        // A label that an annotation names is used.
        let labels = found.just.iter().chain(&found.compassionate);
        let quoted: Vec<String> = labels.map(|s| format!("`{}`", s.label)).collect();
        diagnostics.drop_warnings(|d| {
            d.code == Code::UnusedLabel && quoted.iter().any(|label| d.message.contains(label))
        });
        found
    }

    /// The place of the first annotation in the text.
    fn first_span(&self, span: &dyn Fn(&Range<usize>) -> Span) -> Span {
        let first = self.clauses.iter().find(|clause| clause.file.is_some());
        first.map_or(Span::new(0, 0), |clause| span(&clause.body))
    }
}

/// A line of a file with predicates, without the comment that it may be.
fn bare(line: &str) -> &str {
    let line = line.trim();
    if line.starts_with("//") || line.starts_with('#') {
        return "";
    }
    // A report has the source of a predicate behind it.
    let inner = line.strip_prefix("/*@").and_then(|rest| rest.split_once("*/"));
    let inner = inner.map_or(line, |(inner, _)| inner.trim());
    inner.strip_prefix("predicate ").map_or(inner, str::trim)
}

fn wants_condition(keyword: Keyword) -> bool {
    use Keyword::{Assume, Predicate, Progress, Rank};
    matches!(keyword, Predicate | Assume | Rank | Progress)
}

fn sourced(name: &str, text: &str, clause: AnnotationClause) -> SourcedClause {
    let AnnotationClause { keyword, body } = clause;
    let words = &text[body.clone()];
    let has_condition = wants_condition(keyword)
        || keyword == Keyword::Parameter && annotation_names(words).is_none();
    let condition = has_condition.then(|| {
        let blank = |part: &str| -> String {
            part.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect()
        };
        (name.to_owned(), format!("{}{words}", blank(&text[..body.start])))
    });
    let file = Some(name.to_owned());
    SourcedClause { keyword, file, text: words.to_owned(), body, condition }
}
