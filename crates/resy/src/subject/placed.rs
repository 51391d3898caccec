//! Findings about conditions of annotations, at their places in the program.
//!
//! A condition is read from a file of its own, which an artificial file includes behind the program. Neither
//! exists for people: what is found in them is said about the comment that the condition stands in.

use super::ANNOTATION;
use resy_index::Id;
use resy_promela::{Diagnostic, Diagnostics, FileId, SourceMap, Span};
use std::ops::Range;

/// Moves what was found in the artificial files. `bodies` has the place of each clause in the text of the
/// program, or `None` if it is not from there.
pub(super) fn put_in_place(
    map: &mut SourceMap,
    diagnostics: &mut Diagnostics,
    wrapper: &str,
    bodies: &[Option<Range<usize>>],
) {
    let Some(outer) = map.files().find(|(_, f)| f.name == wrapper).map(|(id, _)| id) else {
        return;
    };
    let parts = included_by(map, outer);
    let Some(&(program, _)) = parts.first() else { return };
    let start = map.file(program).start as usize;
    let conditions: Vec<Condition> = parts.iter().filter_map(|part| condition(map, part)).collect();
    diagnostics.change_each(|diagnostic| {
        let Some(span) = place(map, outer, &conditions, diagnostic.span) else { return };
        let body = |c: &Condition| bodies.get(c.number).cloned().flatten();
        let moved = |span: Place| match span {
            Place::Inside(c, range) => {
                // The copy has the columns of the original.
                body(c).map(|_| Span::new(start + range.start, start + range.end))
            }
            Place::Behind(c) => Some(match body(c) {
                Some(body) => Span::new(start + body.end.saturating_sub(1), start + body.end),
                None => {
                    let file = map.file(c.file);
                    let end = file.start as usize + file.text.len();
                    Span::new(end.saturating_sub(1), end)
                }
            }),
        };
        if let Place::Behind(_) = span {
            ends_early(diagnostic);
        }
        if let Some(span) = moved(span) {
            diagnostic.span = span;
        }
        diagnostic.related.retain(|(span, _)| place(map, outer, &conditions, *span).is_none());
    });
    for (file, _) in parts {
        map.stand_alone(file);
    }
}

/// A file with a condition, the number of its clause, and the line of the artificial file that includes it.
struct Condition {
    file: FileId,
    number: usize,
    line: usize,
}

enum Place<'c> {
    /// In a condition: bytes of its file.
    Inside(&'c Condition, Range<usize>),
    /// In what comes behind a condition.
    Behind(&'c Condition),
}

fn place<'c>(
    map: &SourceMap,
    outer: FileId,
    conditions: &'c [Condition],
    span: Span,
) -> Option<Place<'c>> {
    let file = map.file_of(span);
    if file == outer {
        let line = map.line_column(span).line;
        let before = conditions.iter().rev().find(|c| c.line < line)?;
        return Some(Place::Behind(before));
    }
    let condition = conditions.iter().find(|c| c.file == file)?;
    let start = map.file(file).start;
    let range = (span.start - start) as usize..(span.end.max(span.start) - start) as usize;
    Some(Place::Inside(condition, range))
}

/// The files that a file includes, with the lines where it does.
fn included_by(map: &SourceMap, outer: FileId) -> Vec<(FileId, usize)> {
    let of = |(id, file): (FileId, &resy_promela::SourceFile)| {
        let at = file.included_at?;
        (map.file_of(at) == outer && id.index() != outer.index())
            .then(|| (id, map.line_column(at).line))
    };
    map.files().filter_map(of).collect()
}

fn condition(map: &SourceMap, &(file, line): &(FileId, usize)) -> Option<Condition> {
    let outer = map.file(map.file_of(map.file(file).included_at?));
    let text = outer.text.lines().nth(line - 1)?;
    let number = text.split_once(ANNOTATION)?.1.trim_end_matches('"').parse().ok()?;
    Some(Condition { file, number, line })
}

/// The token behind a condition belongs to the artificial file.
fn ends_early(diagnostic: &mut Diagnostic) {
    diagnostic.message = diagnostic.message.replace("found `}`", "found the end of the annotation");
}
