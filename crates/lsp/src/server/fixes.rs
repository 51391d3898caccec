//! Quick fixes: what a message already suggests, done.
//!
//! A message says "did you mean `x`?", "write `&&`" or "add `}`". Each reading of such words is tried on
//! the text, and offered only if the finding disappears and no error is new: a suggestion that is meant
//! for people, as "write `run P(…)`", is never applied blindly.

use crate::analysis::{Analysis, Document, Language, OpenTexts, TextFinding};
use crate::text::{Encoding, LineText};
use serde_json::{Value, json};

/// A change of the text that a message suggests.
struct Suggestion {
    title: String,
    start: usize,
    end: usize,
    new: String,
}

/// The quick fixes for a range of a document.
pub(super) fn actions(
    document: &Document,
    findings: &[TextFinding],
    params: &Value,
    open: &OpenTexts,
    encoding: Encoding,
) -> Value {
    let lines = &document.lines;
    let from = lines.offset(&params["range"]["start"], encoding);
    let to = lines.offset(&params["range"]["end"], encoding);
    let is_asked = |f: &&TextFinding| {
        f.place.file == 0 && !f.is_expanded && f.place.start <= to && from <= f.place.end
    };
    let mut out: Vec<Value> = Vec::new();
    for finding in findings.iter().filter(is_asked) {
        for fix in suggestions(lines, finding) {
            if !helps(document, findings, finding, &fix, open) {
                continue;
            }
            let edit = json!({
                "range": lines.range(fix.start, fix.end, encoding), "newText": fix.new,
            });
            out.push(json!({
                "title": fix.title,
                "kind": "quickfix",
                "isPreferred": true,
                "diagnostics": diagnostics_at(params, finding),
                "edit": { "changes": { &document.uri: [edit] } },
            }));
            break;
        }
    }
    out.into()
}

/// Those diagnostics of the request that are about the finding.
fn diagnostics_at(params: &Value, finding: &TextFinding) -> Vec<Value> {
    let all = params["context"]["diagnostics"].as_array().cloned().unwrap_or_default();
    let starts = |d: &Value| d["message"].as_str().is_some_and(|m| m.starts_with(&finding.message));
    all.into_iter().filter(|d| d["code"] == finding.code && starts(d)).collect()
}

/// The changes that the words of a finding may mean, the likeliest first.
fn suggestions(lines: &LineText, finding: &TextFinding) -> Vec<Suggestion> {
    let (start, end) = (finding.place.start, finding.place.end);
    let mut out = Vec::new();
    let replace =
        |new: &str| Suggestion { title: format!("Write `{new}`"), start, end, new: new.to_owned() };
    let insert = |new: &str, at: usize| Suggestion {
        title: format!("Add `{}`", new.trim()),
        start: at,
        end: at,
        new: new.to_owned(),
    };
    for words in [finding.hint.as_deref(), Some(&finding.label)].into_iter().flatten() {
        for (before, quoted) in quotes(words) {
            let before = before.trim_end();
            let Some(quoted) = without_gap(quoted) else { continue };
            if REPLACING.iter().any(|words| before.ends_with(words)) {
                out.push(replace(quoted));
            }
            if before.ends_with("separated by") {
                out.push(replace(quoted));
                out.extend(instead_of(",", quoted, &lines.text()[..start]));
            }
            if before.ends_with("add") || before.ends_with("with") || before.ends_with("its") {
                let line_end = lines.line_end(lines.line_of(start));
                for at in [start, end, line_end] {
                    out.push(insert(quoted, at));
                    out.push(insert(&format!("{quoted} "), at));
                    out.push(insert(&format!("\n{quoted}"), at));
                }
                out.push(insert(&format!("{quoted}\n"), start));
                out.push(insert(&format!("\n{quoted}\n"), lines.text().len()));
            }
        }
        if words.starts_with("`==` compares") {
            out.push(replace("=="));
        }
        if words.starts_with("an assignment is written") {
            out.extend(instead_of(":=", "=", &lines.text()[..end]));
        }
        if words.ends_with("closes nothing") {
            let title = format!("Remove `{}`", &lines.text()[start..end]);
            out.push(Suggestion { title, start, end, new: String::new() });
        }
    }
    out
}

/// Words before a text that is to stand in the place of the finding.
const REPLACING: [&str; 4] = ["mean", "this is", "write", "letter:"];

/// A suggestion without the gap at its end, which the text fills already: `run P` of `run P(…)`. A gap elsewhere is for
/// people.
fn without_gap(quoted: &str) -> Option<&str> {
    let gaps = [" (…)", "(…)", " -> …"];
    let whole = gaps.iter().find_map(|gap| quoted.strip_suffix(gap)).unwrap_or(quoted);
    (!whole.contains('…')).then_some(whole)
}

/// A new mark for the old one at the end of the text before a finding.
fn instead_of(old: &str, new: &str, before: &str) -> Option<Suggestion> {
    let end = before.trim_end().len();
    let start = before[..end].strip_suffix(old)?.len();
    Some(Suggestion { title: format!("Write `{new}`"), start, end, new: new.to_owned() })
}

/// The texts in backquotes, each with the words before it.
fn quotes(words: &str) -> Vec<(&str, &str)> {
    let mut out = Vec::new();
    let mut rest = words;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((quoted, next)) = after.split_once('`') else { break };
        out.push((before, quoted));
        rest = next;
    }
    out
}

/// Whether a change makes a finding disappear without a new error.
fn helps(
    document: &Document,
    findings: &[TextFinding],
    finding: &TextFinding,
    fix: &Suggestion,
    open: &OpenTexts,
) -> bool {
    let old = document.lines.text();
    let text = format!("{}{}{}", &old[..fix.start], fix.new, &old[fix.end..]);
    let after = match document.language {
        Language::Promela => Analysis::of(Language::Promela, &document.name, &text, open).findings,
        Language::Fsp => TextFinding::of_fsp(&document.name, &text),
    };
    let same = |f: &&TextFinding| f.code == finding.code && f.message == finding.message;
    let errors = |list: &[TextFinding]| list.iter().filter(|f| f.is_error).count();
    let n_before = findings.iter().filter(same).count();
    after.iter().filter(same).count() < n_before && errors(&after) <= errors(findings)
}
