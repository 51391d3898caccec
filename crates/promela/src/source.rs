//! Source text, and positions in it with the expansions that produced them.
//!
//! All files of one run lie one after the other in a single space of byte
//! offsets, so that a [`Span`] is three numbers: where it starts, where it ends
//! and the [`ExpansionId`] it was produced by. A token that a macro or an
//! inline produced points at the *definition*; its expansion points at the
//! call, which may itself lie in an expansion. Diagnostics walk this chain.

use resy_index::{Id, IndexVec, define_id};
use std::fmt;

define_id!(
    /// A source file of the run.
    pub struct FileId,
    "file"
);
define_id!(
    /// One expansion of a macro or an inline.
    pub struct ExpansionId,
    "exp"
);

/// A range of source text, with the expansion it was produced by.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Span {
    /// First byte, counted over all files.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The expansion that produced the text; `None` for text of a file.
    pub expansion: Option<ExpansionId>,
}

/// A span prints as `_`: syntax trees are compared by their debug output, independent of
/// positions.
impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("_")
    }
}

impl Span {
    /// A span of text of a file.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32, expansion: None }
    }

    /// The smallest span that covers both, if they come from one expansion;
    /// otherwise the first.
    pub fn to(self, end: Span) -> Span {
        if self.expansion == end.expansion && self.start <= end.end {
            Span { end: end.end.max(self.end), ..self }
        } else {
            self
        }
    }
}

/// An expansion of a macro or an inline.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// `macro` or `inline`.
    pub kind: ExpansionKind,
    /// Its name.
    pub name: String,
    /// The place of the call.
    pub call: Span,
    /// The name in the definition of the macro or inline.
    pub definition: Span,
}

/// What an [`Expansion`] is an expansion of.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ExpansionKind {
    /// A `#define`.
    Macro,
    /// A Promela `inline`.
    Inline,
}

/// One file of the run.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name as given to the run or in the `#include`.
    pub name: String,
    /// The text, with invalid UTF-8 replaced.
    pub text: String,
    /// Offset of its first byte in the common space.
    pub start: u32,
    /// The `#include` that names it.
    pub included_at: Option<Span>,
    /// Offsets (within the file) at which lines start.
    line_starts: Vec<u32>,
}

/// A position as line and column, both from one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct LineColumn {
    /// The file.
    pub file: FileId,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// All the files and expansions of one run.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: IndexVec<FileId, SourceFile>,
    expansions: IndexVec<ExpansionId, Expansion>,
}

impl SourceMap {
    /// A map without files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file; `None` if all files together would exceed 4 GB.
    pub fn add_file(
        &mut self,
        name: &str,
        text: String,
        included_at: Option<Span>,
    ) -> Option<FileId> {
        let start = self.files.iter().last().map_or(0, |f| f.start as usize + f.text.len() + 1);
        if start + text.len() >= u32::MAX as usize {
            return None;
        }
        let line_starts = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1))
            .collect();
        Some(self.files.push(SourceFile {
            name: name.to_string(),
            text,
            start: start as u32,
            included_at,
            line_starts,
        }))
    }

    /// Forgets that a file was included: the file that includes it is none of the user's.
    pub fn stand_alone(&mut self, id: FileId) {
        self.files[id].included_at = None;
    }

    /// Records an expansion.
    pub fn add_expansion(&mut self, expansion: Expansion) -> ExpansionId {
        self.expansions.push(expansion)
    }

    /// The file with this id.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id]
    }

    /// All files, in the order in which they were read.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter_enumerated()
    }

    /// The expansion with this id.
    pub fn expansion(&self, id: ExpansionId) -> &Expansion {
        &self.expansions[id]
    }

    /// All expansions, in the order in which they were made.
    pub fn expansions(&self) -> impl Iterator<Item = &Expansion> {
        self.expansions.iter()
    }

    /// The file that a span lies in.
    pub fn file_of(&self, span: Span) -> FileId {
        let after =
            self.files.iter().position(|f| f.start > span.start).unwrap_or(self.files.len());
        FileId::from_index(after.saturating_sub(1))
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &str {
        let file = self.file(self.file_of(span));
        let start = (span.start - file.start) as usize;
        let end = (span.end.saturating_sub(file.start) as usize).min(file.text.len());
        file.text.get(start..end).unwrap_or("")
    }

    /// Line and column of the first byte of a span.
    pub fn line_column(&self, span: Span) -> LineColumn {
        let id = self.file_of(span);
        let file = self.file(id);
        let offset = span.start - file.start;
        let line = file.line_starts.partition_point(|&s| s <= offset);
        let line_start = file.line_starts[line - 1] as usize;
        let column = file.text.get(line_start..offset as usize).map_or(0, |t| t.chars().count());
        LineColumn { file: id, line, column: column + 1 }
    }

    /// The smallest span that covers both, in the innermost expansion that both come from.
    /// The call of an expansion stands for what it has produced.
    pub fn cover(&self, first: Span, last: Span) -> Span {
        if first.expansion == last.expansion {
            return first.to(last);
        }
        for first in self.calls_around(first) {
            let same = |last: &Span| last.expansion == first.expansion;
            if let Some(last) = self.calls_around(last).find(same) {
                return first.to(last);
            }
        }
        first
    }

    /// The span, then the call of the expansion it comes from, and so on outwards.
    fn calls_around(&self, span: Span) -> impl Iterator<Item = Span> {
        std::iter::successors(Some(span), |s| s.expansion.map(|id| self.expansion(id).call))
    }

    /// The outermost call that led to this span, which lies in a file.
    pub fn outermost(&self, mut span: Span) -> Span {
        while let Some(id) = span.expansion {
            span = self.expansion(id).call;
        }
        span
    }

    /// `file:line` of the outermost place of a span.
    pub fn location(&self, span: Span) -> String {
        let place = self.line_column(self.outermost(span));
        format!("{}:{}", self.file(place.file).name, place.line)
    }
}
