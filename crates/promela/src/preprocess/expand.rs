//! Macro expansion: the stream of tokens after it.
//!
//! This is the algorithm of cpplib rather than the hide sets of the standard's drafts: a macro
//! is disabled while its own text is being read, and its name found there is marked and never
//! expanded. Where the standard leaves the result open, it is gcc's.
//!
//! Spans: a token of a macro's text points into the `#define`, with an
//! expansion whose `call` is the macro's name at the call; a token of an
//! argument keeps the span it has at the caller. A diagnostic about an argument points at
//! the call, and one about the text of a macro leads from the text to the call.

use super::Preprocessor;
use super::arguments::Argument;
use super::define::Macro;
use super::token::{Kind, NO_EXPAND, PASTE_LEFT, PpToken};
use super::words::{OPEN, Symbol};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Expansion, ExpansionId, ExpansionKind};
use std::rc::Rc;

/// The maximal nesting of expansions.
const MAX_NESTING: usize = 2000;

/// Tokens waiting to be read.
pub(super) struct Context {
    tokens: Tokens,
    next: usize,
    /// The macro that is disabled until the end of the context.
    macro_: Option<Symbol>,
    /// Set for an argument that is expanded separately: the reader stops at the end of its
    /// tokens.
    closed: bool,
}

enum Tokens {
    /// The text of a macro without parameters, read in place.
    Body(Rc<Macro>, ExpansionId, u32),
    List(Vec<PpToken>),
}

impl Context {
    fn token(&self, position: usize) -> Option<PpToken> {
        match &self.tokens {
            Tokens::List(tokens) => tokens.get(position).copied(),
            Tokens::Body(macro_, expansion, line) => {
                let mut token = *macro_.body.get(position)?;
                token.span.expansion = Some(*expansion);
                token.line = *line;
                Some(token)
            }
        }
    }

    /// The next token.
    pub fn take(&mut self) -> Option<PpToken> {
        let token = self.token(self.next)?;
        self.next += 1;
        Some(token)
    }

    /// Puts the last token back.
    pub fn back(&mut self) {
        self.next -= 1;
    }
}

/// The context of the token being read.
#[derive(Copy, Clone, Default)]
pub(super) struct Reading {
    /// Looking for the `(` of a macro call.
    pub looking_for_call: bool,
    /// Between the parentheses of a macro call.
    pub arguments: bool,
    /// No macro is expanded.
    pub plain: bool,
}

impl Preprocessor<'_> {
    /// The next token after expansion; paddings show where expansions begin and
    /// end, except in directives.
    pub(super) fn get(&mut self) -> PpToken {
        loop {
            let from_file = self.contexts.is_empty();
            let mut token = match self.next_unexpanded() {
                Some(token) => token,
                None => continue,
            };
            self.from_file = from_file;
            if token.kind != Kind::Name || token.has(NO_EXPAND) {
                return token;
            }
            let Some(macro_) = self.table.get(token.symbol) else {
                return token;
            };
            if self.table.is_disabled(token.symbol) {
                token.flags |= NO_EXPAND;
                return token;
            }
            if self.reading.plain {
                return token;
            }
            let macro_ = macro_.clone();
            if from_file {
                self.call = token;
            }
            if self.depth == 0 {
                self.own_lines = from_file;
            }
            if !self.enter(&macro_, &token) {
                self.from_file = from_file;
                return token;
            }
            if !self.in_directive {
                return token.padding();
            }
        }
    }

    /// The next unexpanded token of the context or file; `None` if there is none yet (in
    /// directives).
    fn next_unexpanded(&mut self) -> Option<PpToken> {
        let Some(context) = self.contexts.last_mut() else {
            return Some(self.lex_token());
        };
        self.budget = self.budget.saturating_sub(1);
        if self.budget == 0 {
            return Some(self.give_up());
        }
        match context.take() {
            Some(token) if token.has(PASTE_LEFT) => {
                self.paste_all(token);
                (!self.in_directive).then_some(token.padding())
            }
            Some(token) if token.kind == Kind::Padding && self.in_directive => None,
            Some(token) => Some(token),
            None if context.closed => Some(self.eof()),
            None => {
                self.pop_context();
                (!self.in_directive).then_some(self.eof().padding_after())
            }
        }
    }

    /// Begins the expansion of `macro_`, whose name was just read. `false` if
    /// the name is not a call after all.
    fn enter(&mut self, macro_: &Rc<Macro>, name: &PpToken) -> bool {
        if let Some(builtin) = macro_.builtin {
            let token = self.builtin_token(builtin, name);
            self.push_tokens(vec![token]);
            return true;
        }
        if self.contexts.len() >= MAX_NESTING {
            self.limit(name, "macros are nested too deeply");
            return false;
        }
        let mut arguments = Vec::new();
        if macro_.params.is_some() {
            match self.call_arguments(macro_, name) {
                Some(found) => arguments = found,
                None => return false,
            }
        }
        let expansion = self.map.add_expansion(Expansion {
            kind: ExpansionKind::Macro,
            name: self.words.text(macro_.name).to_string(),
            call: name.span,
            definition: macro_.span,
        });
        let tokens = match arguments.is_empty() {
            true => Tokens::Body(macro_.clone(), expansion, name.line),
            false => Tokens::List(self.substitute(macro_, arguments, expansion, name)),
        };
        self.table.disable(macro_.name, true);
        self.contexts.push(Context { tokens, next: 0, macro_: Some(macro_.name), closed: false });
        true
    }

    /// The arguments, if a `(` follows the name of a macro that takes some. The
    /// search crosses line ends and the ends of expansions.
    fn call_arguments(&mut self, macro_: &Rc<Macro>, name: &PpToken) -> Option<Vec<Argument>> {
        let outer = self.reading;
        self.reading = Reading { looking_for_call: true, arguments: false, plain: true };
        let mut padding: Option<PpToken> = None;
        let token = loop {
            let token = self.get();
            if token.kind != Kind::Padding {
                break token;
            }
            let source = padding.is_some_and(|p| p.has(super::token::SOURCE));
            let white = padding.is_some_and(|p| p.has(super::token::WHITE));
            if !source || (!white && !token.has(super::token::SOURCE)) {
                padding = Some(token);
            }
        };
        let result = if token.is(OPEN) {
            self.reading = Reading { looking_for_call: false, arguments: true, plain: true };
            self.collect_arguments(macro_, name)
        } else {
            self.give_back(token);
            if let Some(padding) = padding {
                self.push_tokens(vec![padding]);
            }
            None
        };
        self.reading = outer;
        result
    }

    /// Puts back the token that `get` returned last.
    fn give_back(&mut self, token: PpToken) {
        match self.contexts.last_mut() {
            _ if token.kind == Kind::Eof => {}
            Some(context) => context.back(),
            None => self.lookahead = Some(token),
        }
    }

    /// All of an argument's tokens, expanded as if nothing followed them.
    pub(super) fn expand_argument(&mut self, tokens: &[PpToken], name: &PpToken) -> Vec<PpToken> {
        if self.depth >= super::MAX_DEPTH {
            self.limit(name, "macro calls are nested too deeply in arguments");
            return tokens.to_vec();
        }
        let bottom = self.contexts.len();
        self.contexts.push(Context {
            tokens: Tokens::List(tokens.to_vec()),
            next: 0,
            macro_: None,
            closed: true,
        });
        self.depth += 1;
        let mut out = Vec::new();
        loop {
            let token = self.get();
            if token.kind == Kind::Eof {
                break;
            }
            out.push(token);
        }
        self.depth -= 1;
        while self.contexts.len() > bottom {
            self.pop_context();
        }
        out
    }

    pub(super) fn push_tokens(&mut self, tokens: Vec<PpToken>) {
        self.contexts.push(Context {
            tokens: Tokens::List(tokens),
            next: 0,
            macro_: None,
            closed: false,
        });
    }

    fn pop_context(&mut self) {
        if let Some(macro_) = self.contexts.pop().and_then(|c| c.macro_) {
            self.table.disable(macro_, false);
        }
    }

    /// Drops all waiting tokens.
    pub(super) fn drop_contexts(&mut self) {
        while !self.contexts.is_empty() {
            self.pop_context();
        }
    }

    /// Reports that expansion exceeded a limit.
    pub(super) fn limit(&mut self, at: &PpToken, message: &str) {
        if !std::mem::replace(&mut self.limit_reported, true) {
            self.diags.push(Diagnostic::new(Code::ExpansionLimit, at.span, message));
        }
    }
}
