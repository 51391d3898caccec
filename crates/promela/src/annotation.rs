//! Annotations: comments `/*@ … */` that say what a program with unbounded data is about.
//!
//! Spin and the preprocessor see comments. A comment has clauses with semicolons between them; each
//! begins with a keyword. What follows it is a list of names or a condition of Promela, which the
//! caller reads in the context of the program.

use crate::lex::{RawKind, lex_raw};
use crate::similar;
use std::ops::Range;

/// What an annotation says.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnnotationKeyword {
    /// Variables whose values are not bounded.
    Unbounded,
    /// Variables that keep an initial value, which is any that satisfies a condition.
    Parameter,
    /// Variables that time moves.
    Clock,
    /// A condition that holds after time has passed.
    Progress,
    /// A predicate for the basis.
    Predicate,
    /// A condition that is trusted to hold in all states.
    Assume,
    /// A term that cannot fall for ever.
    Rank,
    /// Labels of statements that are not enabled for ever without being taken.
    Just,
    /// Labels of statements that are not enabled again and again without being taken.
    Compassionate,
}

/// The name of a claim that is a condition of an annotation begins with this.
pub const CONDITION_PREFIX: &str = "resy_annotation_";

/// Whether a claim is a condition of an annotation: `next` and `U` are names in it, and `(c -> a : b)` is a value.
pub(crate) fn is_condition(name: &str) -> bool {
    name.starts_with(CONDITION_PREFIX)
}

const KEYWORDS: [(&str, AnnotationKeyword); 9] = [
    ("unbounded", AnnotationKeyword::Unbounded),
    ("parameter", AnnotationKeyword::Parameter),
    ("clock", AnnotationKeyword::Clock),
    ("progress", AnnotationKeyword::Progress),
    ("predicate", AnnotationKeyword::Predicate),
    ("assume", AnnotationKeyword::Assume),
    ("rank", AnnotationKeyword::Rank),
    ("just", AnnotationKeyword::Just),
    ("compassionate", AnnotationKeyword::Compassionate),
];

/// A clause of an annotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotationClause {
    /// Its keyword.
    pub keyword: AnnotationKeyword,
    /// Where the rest of it stands in the text.
    pub body: Range<usize>,
}

/// What is wrong with an annotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotationMistake {
    /// Where it is.
    pub range: Range<usize>,
    /// In words.
    pub message: String,
    /// What to write.
    pub hint: Option<String>,
}

/// The annotations of a text.
pub fn annotations(text: &str) -> (Vec<AnnotationClause>, Vec<AnnotationMistake>) {
    let (mut clauses, mut mistakes, mut at) = (Vec::new(), Vec::new(), 0);
    for token in lex_raw(text) {
        let body = token.text.strip_prefix("/*@").and_then(|rest| rest.strip_suffix("*/"));
        if let (RawKind::BlockComment, Some(body)) = (token.kind, body) {
            let mut start = at + "/*@".len();
            for clause in body.split(';') {
                read_clause(clause, start, &mut clauses, &mut mistakes);
                start += clause.len() + 1;
            }
        }
        at += token.text.len();
    }
    (clauses, mistakes)
}

fn read_clause(
    clause: &str,
    start: usize,
    clauses: &mut Vec<AnnotationClause>,
    mistakes: &mut Vec<AnnotationMistake>,
) {
    let trimmed = clause.trim();
    if trimmed.is_empty() {
        return;
    }
    let first = start + (clause.len() - clause.trim_start().len());
    let word = trimmed.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
    let Some(&(_, keyword)) = KEYWORDS.iter().find(|(name, _)| *name == word) else {
        let names = KEYWORDS.map(|(name, _)| name);
        let hint = match similar(word, names) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("annotations begin with {}", names.join(", ")),
        };
        let range = first..first + word.len().max(1).min(trimmed.len());
        let message = format!("there is no annotation `{word}`");
        mistakes.push(AnnotationMistake { range, message, hint: Some(hint) });
        return;
    };
    let rest = &trimmed[word.len()..];
    let body_start = first + word.len() + (rest.len() - rest.trim_start().len());
    let body = body_start..first + trimmed.len();
    if rest.trim().is_empty() {
        let message = format!("`{word}` says nothing: it needs names or a condition");
        mistakes.push(AnnotationMistake { range: first..first + word.len(), message, hint: None });
        return;
    }
    clauses.push(AnnotationClause { keyword, body });
}

/// A name in a list: `x`, `a[]`, `P:x`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotationName {
    /// The proctype before the colon.
    pub proctype: Option<String>,
    /// The name.
    pub name: String,
    /// Whether `[]` follows it.
    pub is_array: bool,
}

/// The names of a list; `None` if the text is something else.
pub fn annotation_names(text: &str) -> Option<Vec<AnnotationName>> {
    let is_word = |word: &str| {
        !word.is_empty()
            && word.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.')
            && !word.starts_with(|c: char| c.is_ascii_digit())
    };
    text.split(',')
        .map(|item| {
            let item = item.trim();
            let (item, is_array) = match item.strip_suffix(']') {
                Some(rest) => (rest.trim_end().strip_suffix('[')?.trim_end(), true),
                None => (item, false),
            };
            let (proctype, name) = match item.split_once([':', '@']) {
                Some((proctype, name)) => (Some(proctype.trim()), name.trim()),
                None => (None, item),
            };
            let is_good = is_word(name) && proctype.is_none_or(is_word);
            let (proctype, name) = (proctype.map(str::to_owned), name.to_owned());
            is_good.then_some(AnnotationName { proctype, name, is_array })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bodies(text: &str) -> Vec<(AnnotationKeyword, &str)> {
        let (clauses, mistakes) = annotations(text);
        assert_eq!(mistakes, []);
        clauses.into_iter().map(|c| (c.keyword, &text[c.body])).collect()
    }

    #[test]
    fn clauses_are_found_where_they_stand() {
        let text = "int x; /*@ unbounded x , y[] */ // /*@ rank x */\n/*@clock c; progress c<=U*/";
        let found = bodies(text);
        assert_eq!(found[0], (AnnotationKeyword::Unbounded, "x , y[]"));
        assert_eq!(found[1], (AnnotationKeyword::Clock, "c"));
        assert_eq!(found[2], (AnnotationKeyword::Progress, "c<=U"));
        assert_eq!(found.len(), 3);
        assert_eq!(bodies("printf(\"/*@ rank x */\"); /* @unbounded x */"), []);
    }

    #[test]
    fn a_misspelt_keyword_is_a_mistake() {
        let (clauses, mistakes) = annotations("/*@ unbuonded x; just */");
        assert_eq!(clauses, []);
        assert_eq!(mistakes[0].message, "there is no annotation `unbuonded`");
        assert_eq!(mistakes[0].hint.as_deref(), Some("did you mean `unbounded`?"));
        assert_eq!(mistakes[0].range, 4..13);
        assert!(mistakes[1].message.contains("says nothing"), "{}", mistakes[1].message);
    }

    #[test]
    fn lists_of_names_are_told_from_conditions() {
        let names = annotation_names("x, a[] , P:y").expect("a list");
        assert_eq!(names.len(), 3);
        assert!(names[1].is_array && names[2].proctype.as_deref() == Some("P"));
        assert_eq!(annotation_names("N >= 1"), None);
        assert_eq!(annotation_names("1"), None);
    }
}
