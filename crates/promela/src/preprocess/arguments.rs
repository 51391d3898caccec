//! The arguments of a macro call, and their place in the macro's text.

use super::Preprocessor;
use super::define::Macro;
use super::token::{Kind, PASTE_LEFT, PpToken, STRINGIFY};
use super::words::{CLOSE, COMMA, OPEN};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::ExpansionId;

/// An argument of a call.
#[derive(Default)]
pub(super) struct Argument {
    /// The tokens as they stand at the call.
    pub tokens: Vec<PpToken>,
    /// The tokens after their own expansion, once they were needed.
    expanded: Option<Vec<PpToken>>,
    /// Whether the call does not have it at all. Then gcc drops the comma in
    /// `, ## __VA_ARGS__`, which it keeps before an empty argument.
    missing: bool,
}

impl Preprocessor<'_> {
    /// Reads up to the `)` of a call whose `(` was just read; `None` (with a
    /// report) if the call is wrong: then its arguments are lost, as in gcc.
    pub(super) fn collect_arguments(
        &mut self,
        macro_: &Macro,
        name: &PpToken,
    ) -> Option<Vec<Argument>> {
        let n_params = macro_.params.as_ref().map_or(0, Vec::len);
        let mut arguments = Vec::new();
        loop {
            let rest = macro_.variadic && arguments.len() + 1 == n_params;
            let (tokens, end) = self.collect_argument(rest);
            arguments.push(Argument { tokens, ..Argument::default() });
            if end.is(CLOSE) {
                break;
            }
            if end.kind == Kind::Eof {
                self.report_open_call(macro_, name);
                return None;
            }
        }
        if n_params == 0 && arguments.len() == 1 && arguments[0].tokens.is_empty() {
            arguments.clear();
        }
        let found = arguments.len();
        if found != n_params && !(macro_.variadic && found + 1 == n_params) {
            self.report_count(macro_, name, n_params, found);
            return None;
        }
        if let (true, [only]) = (macro_.variadic, &mut arguments[..]) {
            only.missing = n_params == 1 && only.tokens.is_empty();
        }
        if found < n_params {
            arguments.push(Argument { missing: true, ..Argument::default() });
        }
        Some(arguments)
    }

    /// The tokens of one argument, and the token that ends it.
    fn collect_argument(&mut self, rest: bool) -> (Vec<PpToken>, PpToken) {
        let mut tokens: Vec<PpToken> = Vec::new();
        let mut depth = 0;
        let end = loop {
            let token = self.get();
            match token.kind {
                Kind::Padding if tokens.is_empty() => continue,
                Kind::Eof => break token,
                _ if token.is(OPEN) => depth += 1,
                _ if token.is(CLOSE) && depth == 0 => break token,
                _ if token.is(CLOSE) => depth -= 1,
                _ if token.is(COMMA) && depth == 0 && !rest => break token,
                _ => {}
            }
            tokens.push(token);
        };
        while tokens.last().is_some_and(|t| t.kind == Kind::Padding) {
            tokens.pop();
        }
        (tokens, end)
    }

    /// The text of `macro_` with `arguments` in the places of its parameters.
    pub(super) fn substitute(
        &mut self,
        macro_: &Macro,
        mut arguments: Vec<Argument>,
        expansion: ExpansionId,
        name: &PpToken,
    ) -> Vec<PpToken> {
        let mut out: Vec<PpToken> = Vec::new();
        for (i, &source) in macro_.body.iter().enumerate() {
            if out.len() as u64 >= self.budget {
                self.budget = 1;
                break;
            }
            let mut source = source;
            source.span.expansion = Some(expansion);
            source.line = name.line;
            let Kind::Param(position) = source.kind else {
                out.push(source);
                continue;
            };
            let pasted = i > 0 && macro_.body[i - 1].has(PASTE_LEFT);
            let position = position as usize;
            let argument = &mut arguments[position];
            let takes_rest =
                macro_.variadic && position + 1 == macro_.params.as_ref().map_or(0, Vec::len);
            if pasted && source.flags & (STRINGIFY | PASTE_LEFT) == 0 {
                join_left(&mut out, argument, takes_rest);
            } else if i > 0 && !pasted {
                out.push(source.padding());
            }
            let first = out.len();
            if source.has(STRINGIFY) {
                out.push(self.stringify(argument, &source));
            } else if pasted || source.has(PASTE_LEFT) {
                out.extend_from_slice(&argument.tokens);
            } else {
                self.insert_expanded(argument, name, &mut out);
            }
            if !source.has(PASTE_LEFT) {
                out.push(source.padding_after());
            } else if let Some(last) = out[first..].last_mut() {
                last.set(PASTE_LEFT, true);
            }
        }
        out
    }

    fn insert_expanded(&mut self, argument: &mut Argument, name: &PpToken, out: &mut Vec<PpToken>) {
        if argument.expanded.is_none() && !argument.tokens.is_empty() {
            argument.expanded = Some(self.expand_argument(&argument.tokens, name));
        }
        if let Some(tokens) = &argument.expanded {
            out.extend_from_slice(tokens);
        }
    }

    fn report_open_call(&mut self, macro_: &Macro, name: &PpToken) {
        if self.budget == 0 {
            return;
        }
        let text = self.words.text(macro_.name);
        let message = format!("the call of macro `{text}` is not closed");
        self.diags.push(
            Diagnostic::new(Code::MacroCall, name.span, message)
                .label("`)` is missing")
                .related(macro_.span, "the macro"),
        );
    }

    fn report_count(&mut self, macro_: &Macro, name: &PpToken, n_params: usize, found: usize) {
        let text = self.words.text(macro_.name);
        let message = format!("macro `{text}` takes {n_params} arguments, the call has {found}");
        self.diags.push(
            Diagnostic::new(Code::MacroCall, name.span, message).related(macro_.span, "the macro"),
        );
    }
}

/// The right-hand side of `##` is an argument: an empty one joins nothing, and
/// after a comma gcc joins nothing either.
fn join_left(out: &mut Vec<PpToken>, argument: &Argument, takes_rest: bool) {
    let Some(last) = out.last_mut() else {
        return;
    };
    let after_comma = last.is(COMMA) && takes_rest;
    if after_comma && argument.missing {
        out.pop();
    } else if after_comma || argument.tokens.is_empty() {
        last.set(PASTE_LEFT, false);
    }
}
