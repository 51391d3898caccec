//! The definitions of macros, and the directives that name them, for the symbols of a program.
//! Expansions are in the source map.

use super::Preprocessor;
use super::define::Macro;
use super::token::Kind;
use crate::source::Span;
use std::rc::Rc;

/// A `#define`.
#[derive(Clone, Debug)]
pub(crate) struct MacroDefinition {
    pub name: Rc<str>,
    /// The name in the directive.
    pub span: Span,
    /// From the name to the last token of the text.
    pub extent: Span,
    /// The parameters, each with its place and the places in the text that use it.
    pub params: Vec<(Rc<str>, Span, Vec<Span>)>,
}

/// The macros of one run.
#[derive(Clone, Debug, Default)]
pub(crate) struct MacroRecord {
    /// In the order of the text; a name that is defined twice is there twice.
    pub definitions: Vec<MacroDefinition>,
    /// The names in `#ifdef`, `#undef` and `defined`, each with the definition's name.
    pub mentions: Vec<(Span, Span)>,
}

impl Preprocessor<'_> {
    pub(super) fn record_definition(&mut self, new: &Macro) {
        let uses_of = |position: usize| {
            let used = new.body.iter().filter(move |t| t.kind == Kind::Param(position as u32));
            used.map(|t| t.span).collect()
        };
        let names = new.params.iter().flatten().map(|&p| self.words.text(p).clone());
        let params = names.zip(&new.param_spans).enumerate();
        let params = params.map(|(i, (name, &span))| (name, span, uses_of(i))).collect();
        let last = new.body.last().map(|t| t.span).or(new.param_spans.last().copied());
        self.record.definitions.push(MacroDefinition {
            name: self.words.text(new.name).clone(),
            span: new.span,
            extent: new.span.to(last.unwrap_or(new.span)),
            params,
        });
    }
}
