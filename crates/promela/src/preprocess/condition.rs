//! `#if` … `#elif` … `#else` … `#endif`: which text is skipped.
//!
//! Every file has its own stack of open conditionals: none reaches beyond the
//! end of its file.

use super::Preprocessor;
use super::token::{Kind, PpToken};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// An open conditional.
pub(super) struct Condition {
    /// Its `#if`.
    span: Span,
    /// Its `#else`.
    else_span: Option<Span>,
    /// Whether all of it is skipped.
    outer_skip: bool,
    /// Whether one of its groups was read.
    taken: bool,
}

impl Preprocessor<'_> {
    /// `#ifdef` and `#ifndef`.
    pub(super) fn ifdef(&mut self, at: &PpToken, wanted: bool) {
        if self.skipping {
            return self.open_condition(at.span, false);
        }
        let holds = match self.macro_name("after `#ifdef`") {
            Some(name) => {
                self.warn_extra_tokens();
                self.mention(&name) == wanted
            }
            None => false,
        };
        self.open_condition(at.span, holds);
    }

    /// `#if`.
    pub(super) fn if_(&mut self, at: &PpToken) {
        let holds = !self.skipping && self.condition_holds(at.span);
        self.open_condition(at.span, holds);
    }

    fn open_condition(&mut self, span: Span, holds: bool) {
        let outer_skip = self.skipping;
        self.input().conditions.push(Condition { span, else_span: None, outer_skip, taken: holds });
        self.skipping = outer_skip || !holds;
    }

    /// `#elif`.
    pub(super) fn elif(&mut self, at: &PpToken) {
        let Some((outer_skip, taken)) = self.reopen(at, "#elif", false) else {
            return;
        };
        // The condition is not even read if an earlier group was taken.
        let undecided = !outer_skip && !taken;
        self.skipping = outer_skip;
        let holds = undecided && self.condition_holds(at.span);
        self.skipping = !holds;
        if let Some(condition) = self.input().conditions.last_mut() {
            condition.taken |= holds;
        }
    }

    /// `#else`.
    pub(super) fn else_(&mut self, at: &PpToken) {
        let Some((outer_skip, taken)) = self.reopen(at, "#else", true) else {
            return;
        };
        self.skipping = outer_skip || taken;
        if !outer_skip {
            self.warn_extra_tokens();
        }
    }

    /// The open conditional, for another group; reports a group that is not allowed.
    fn reopen(&mut self, at: &PpToken, name: &str, is_else: bool) -> Option<(bool, bool)> {
        let Some(condition) = self.input().conditions.last_mut() else {
            let message = format!("`{name}` without an `#if`");
            self.diags.push(Diagnostic::new(Code::Conditional, at.span, message));
            return None;
        };
        let result = (condition.outer_skip, condition.taken);
        let first_else = condition.else_span;
        if is_else {
            condition.else_span = Some(at.span);
        }
        if let Some(first) = first_else {
            let message = format!("`{name}` after `#else`");
            self.diags.push(
                Diagnostic::new(Code::Conditional, at.span, message).related(first, "the `#else`"),
            );
        }
        Some(result)
    }

    /// `#endif`.
    pub(super) fn endif(&mut self, at: &PpToken) {
        match self.input().conditions.pop() {
            Some(condition) => {
                self.skipping = condition.outer_skip;
                if !self.skipping {
                    self.warn_extra_tokens();
                }
            }
            None => {
                let message = "`#endif` without an `#if`";
                self.diags.push(Diagnostic::new(Code::Conditional, at.span, message));
            }
        }
    }

    /// Reports the conditionals that the file being left has not closed.
    pub(super) fn close_conditions(&mut self) {
        let open = std::mem::take(&mut self.input().conditions);
        if let Some(first) = open.first() {
            self.skipping = first.outer_skip;
        }
        for condition in open {
            let span = condition.span;
            let mut diagnostic =
                Diagnostic::new(Code::Conditional, span, "the conditional is not closed")
                    .label("it begins here")
                    .hint("add `#endif`");
            if let Some(span) = condition.else_span {
                diagnostic = diagnostic.related(span, "its `#else`");
            }
            self.diags.push(diagnostic);
        }
    }

    /// The macro name that a directive needs, or a report.
    pub(super) fn macro_name(&mut self, place: &str) -> Option<PpToken> {
        let token = self.lex_direct();
        if token.kind == Kind::Name && token.symbol != super::words::DEFINED {
            return Some(token);
        }
        let message = match token.kind {
            Kind::Eof => format!("a macro name is missing {place}"),
            _ => format!("`{}` cannot be a macro name", self.words.text(token.symbol)),
        };
        self.diags.push(Diagnostic::new(Code::Directive, token.span, message));
        None
    }
}
