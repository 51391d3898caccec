//! The names that a text defines, as far as they matter for its layout.
//!
//! The arguments of a macro call are not laid out: the macro may turn them into a string, in
//! which every blank counts.

use crate::lex::{RawKind, RawToken};
use rustc_hash::{FxHashMap, FxHashSet};

/// The names that a text defines.
#[derive(Default)]
pub(super) struct Names<'a> {
    /// Macros, and whether they take arguments.
    macros: FxHashMap<&'a str, bool>,
    proctypes: FxHashSet<&'a str>,
    inlines: FxHashSet<&'a str>,
}

impl<'a> Names<'a> {
    /// Collects them, wherever in the text they are defined.
    pub(super) fn of(raw: &[RawToken<'a>]) -> Self {
        let mut names = Self::default();
        let mut last = "";
        for token in raw {
            match token.kind {
                RawKind::Directive => names.add_macro(token.text),
                RawKind::Word => {
                    match last {
                        "proctype" | "D_proctype" => _ = names.proctypes.insert(token.text),
                        "inline" => _ = names.inlines.insert(token.text),
                        _ => {}
                    }
                    last = token.text;
                }
                RawKind::Blank | RawKind::Newline | RawKind::Splice => {}
                RawKind::LineComment | RawKind::BlockComment => {}
                _ => last = "",
            }
        }
        names
    }

    fn add_macro(&mut self, directive: &'a str) {
        let rest = directive.trim_start_matches('#').trim_start();
        let Some(rest) = rest.strip_prefix("define") else { return };
        let rest = rest.trim_start();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let len = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let takes_arguments = rest[len..].starts_with('(');
        *self.macros.entry(&rest[..len]).or_default() |= takes_arguments;
    }

    /// For a macro, whether it takes arguments.
    pub(super) fn macro_takes_arguments(&self, word: &str) -> Option<bool> {
        self.macros.get(word).copied()
    }

    /// Whether it is a proctype.
    pub(super) fn is_proctype(&self, word: &str) -> bool {
        self.proctypes.contains(word)
    }

    /// Whether a `(` after the word may be that of a macro defined elsewhere.
    pub(super) fn may_be_macro(&self, word: &str) -> bool {
        super::words::class(word) == super::words::WordClass::Operand
            && !self.proctypes.contains(word)
            && !self.inlines.contains(word)
    }
}
