//! `#define` and `#undef`: the table of macros.

use super::Preprocessor;
use super::token::{Kind, PASTE_LEFT, PpToken, STRINGIFY, WHITE};
use super::words::{CLOSE, COMMA, DOTS, HASH, HASH_HASH, OPEN, Symbol, VA_ARGS};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use std::rc::Rc;

/// A macro.
pub(super) struct Macro {
    pub name: Symbol,
    /// Its name in the `#define`.
    pub span: Span,
    /// The parameters, if it is called with arguments.
    pub params: Option<Vec<Symbol>>,
    /// The parameters in the `#define`.
    pub param_spans: Vec<Span>,
    /// Whether the last parameter takes the rest of the arguments.
    pub variadic: bool,
    pub body: Vec<PpToken>,
    /// Set for a macro whose text is computed at every use.
    pub builtin: Option<super::builtin::Builtin>,
}

/// The macros, by their name.
#[derive(Default)]
pub(super) struct MacroTable {
    macros: Vec<Option<Rc<Macro>>>,
    /// The names whose expansion is being read: they are not expanded. As in gcc the flag
    /// belongs to the name, so that it survives a new `#define` among the arguments of the
    /// macro's own call.
    disabled: Vec<bool>,
}

impl MacroTable {
    pub fn get(&self, name: Symbol) -> Option<&Rc<Macro>> {
        self.macros.get(name.index())?.as_ref()
    }

    pub fn is_disabled(&self, name: Symbol) -> bool {
        self.disabled[name.index()]
    }

    pub fn disable(&mut self, name: Symbol, disabled: bool) {
        self.disabled[name.index()] = disabled;
    }

    /// Returns the previous definition.
    pub fn set(&mut self, name: Symbol, macro_: Option<Macro>) -> Option<Rc<Macro>> {
        if self.macros.len() <= name.index() {
            self.macros.resize(name.index() + 1, None);
            self.disabled.resize(name.index() + 1, false);
        }
        self.disabled[name.index()] = false;
        std::mem::replace(&mut self.macros[name.index()], macro_.map(Rc::new))
    }
}

/// What is wrong with a definition.
type Fault = (Span, &'static str);

impl Preprocessor<'_> {
    /// `#define`.
    pub(super) fn define(&mut self) {
        let Some(name) = self.macro_name("after `#define`") else {
            return;
        };
        match self.macro_text(&name) {
            Ok(new) => {
                let old = self.table.get(name.symbol).filter(|old| !same(old, &new)).cloned();
                if let Some(old) = old.filter(|old| old.builtin.is_none()) {
                    let text = self.words.text(name.symbol);
                    let message = format!("macro `{text}` is defined again with another text");
                    self.diags.push(
                        Diagnostic::new(Code::MacroRedefined, name.span, message)
                            .related(old.span, "the first definition")
                            .hint("write `#undef` before it if this is meant"),
                    );
                }
                self.record_definition(&new);
                self.table.set(name.symbol, Some(new));
            }
            Err((span, message)) => {
                self.diags.push(Diagnostic::new(Code::Directive, span, message));
            }
        }
    }

    /// Whether a directive names a macro; if so, the use is recorded.
    pub(super) fn mention(&mut self, name: &PpToken) -> bool {
        let Some(found) = self.table.get(name.symbol) else { return false };
        if found.builtin.is_none() {
            self.record.mentions.push((name.span, found.span));
        }
        true
    }

    /// `#undef`.
    pub(super) fn undef(&mut self) {
        if let Some(name) = self.macro_name("after `#undef`") {
            self.mention(&name);
            self.table.set(name.symbol, None);
            self.warn_extra_tokens();
        }
    }

    /// What follows the name: parameters and body.
    fn macro_text(&mut self, name: &PpToken) -> Result<Macro, Fault> {
        let mut first = self.lex_direct();
        let (mut params, mut param_spans) = (None, Vec::new());
        let mut variadic = false;
        if first.is(OPEN) && !first.has(WHITE) {
            let mut names = Vec::new();
            variadic = self.parameters(&mut names, &mut param_spans)?;
            params = Some(names);
            first = self.lex_direct();
        }
        let body = self.macro_body(first, params.as_deref())?;
        let (name, span) = (name.symbol, name.span);
        Ok(Macro { name, span, params, param_spans, variadic, body, builtin: None })
    }

    /// Reads up to `)`; returns whether the last parameter is variadic.
    fn parameters(
        &mut self,
        names: &mut Vec<Symbol>,
        spans: &mut Vec<Span>,
    ) -> Result<bool, Fault> {
        loop {
            let token = self.lex_direct();
            if token.is(CLOSE) && names.is_empty() {
                return Ok(false);
            }
            let mut variadic = token.is(DOTS);
            if variadic {
                names.push(VA_ARGS);
            } else if token.kind != Kind::Name {
                return Err((token.span, "a parameter name is missing"));
            } else if names.contains(&token.symbol) {
                return Err((token.span, "the parameter is there twice"));
            } else {
                names.push(token.symbol);
            }
            spans.push(token.span);
            let mut next = self.lex_direct();
            if !variadic && next.is(DOTS) {
                variadic = true;
                next = self.lex_direct();
            }
            match () {
                () if next.is(CLOSE) => return Ok(variadic),
                () if next.is(COMMA) && !variadic => {}
                () if variadic => return Err((next.span, "`)` must follow `...`")),
                () => return Err((next.span, "`,` or `)` is missing between the parameters")),
            }
        }
    }

    fn macro_body(
        &mut self,
        first: PpToken,
        params: Option<&[Symbol]>,
    ) -> Result<Vec<PpToken>, Fault> {
        let mut body: Vec<PpToken> = Vec::new();
        let mut after_paste = None;
        let mut after_hash: Option<PpToken> = None;
        let mut token = first;
        while token.kind != Kind::Eof {
            let param = params.and_then(|p| p.iter().position(|&p| token.is_name(p)));
            if let Some(position) = param {
                token.kind = Kind::Param(position as u32);
            }
            if let Some(hash) = after_hash.take() {
                if param.is_none() {
                    return Err((hash.span, "`#` must stand before a parameter"));
                }
                token.set(WHITE, hash.has(WHITE));
                token.flags |= STRINGIFY;
            } else if token.is(HASH) && params.is_some() {
                after_hash = Some(token);
                token = self.lex_direct();
                continue;
            }
            if token.is(HASH_HASH) {
                let Some(last) = body.last_mut() else {
                    return Err((token.span, "`##` must stand between two tokens"));
                };
                last.flags |= PASTE_LEFT;
                after_paste = Some(token.span);
            } else {
                after_paste = None;
                body.push(token);
            }
            token = self.lex_direct();
        }
        if let Some(hash) = after_hash {
            return Err((hash.span, "`#` must stand before a parameter"));
        }
        if let Some(span) = after_paste {
            return Err((span, "`##` must stand between two tokens"));
        }
        if let Some(first) = body.first_mut() {
            first.set(WHITE, false);
        }
        Ok(body)
    }
}

/// Whether two definitions are equal in C: the same tokens, with white space at the same
/// places.
fn same(old: &Macro, new: &Macro) -> bool {
    let key = |t: &PpToken| (t.kind, t.symbol, t.flags & (WHITE | PASTE_LEFT | STRINGIFY));
    old.params == new.params
        && old.variadic == new.variadic
        && old.body.iter().map(key).eq(new.body.iter().map(key))
}
